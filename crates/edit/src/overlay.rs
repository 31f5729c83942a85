//! [`Overlay`]: a change of several files as a value. It composes, inverts and prints as a unified
//! diff; it is tested by `check` and written by `repo`.

use std::ops::Range;

use base::{ContentHash, Hasher, ProjectPath, SortedMap, SortedSet, Timestamp};
use serde::{Deserialize, Serialize};

use crate::endings::as_in;
use crate::stored::StoredOverlay;
use crate::udiff_write::{DiffSide, write_file};
use crate::{
    EditError, FileChange, FileState, Files, SpanMap, Splice, SpliceFault, TextEdit, diff,
};

/// A change of a project as a value: the exact state of each changed path before and after.
///
/// Invariant: every entry changes something; a rename is a removal at the old path and a creation
/// at the new one, linked by [`FileChange::renamed_from`]; each `edit` turns exactly the text
/// before into the text after. Stored by serde as the states of its files; what is read is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredOverlay", try_from = "StoredOverlay")]
pub struct Overlay {
    /// Author: the name of a repair rule, `person`, `model`.
    pub author: String,
    /// Time of creation.
    pub created_at: Timestamp,
    changes: SortedMap<ProjectPath, FileChange>,
}

/// The size of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiffStat {
    /// Number of paths; a rename counts as one.
    pub files: usize,
    /// Number of added lines.
    pub added: usize,
    /// Number of removed lines.
    pub removed: usize,
}

impl Overlay {
    /// An overlay without changes.
    pub fn empty() -> Self {
        Self { author: String::new(), created_at: Timestamp::default(), changes: SortedMap::new() }
    }

    /// All changes, in path order.
    pub fn changes(&self) -> impl Iterator<Item = (&ProjectPath, &FileChange)> {
        self.changes.iter()
    }

    /// The change at a path.
    pub fn get(&self, path: &ProjectPath) -> Option<&FileChange> {
        self.changes.get(path)
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The hash of paths and states before and after, which identifies the change in a permit.
    /// Author, time and rename links are not part of it.
    pub fn patch_set(&self) -> ContentHash {
        let mut hasher = Hasher::new();
        for (path, change) in &self.changes {
            hasher.field(path.as_str().as_bytes());
            for state in [&change.before, &change.after] {
                match state {
                    None => hasher.field(b"none"),
                    Some(state) => hasher
                        .field(if state.executable { b"exec" } else { b"file" })
                        .field(state.text.as_bytes()),
                };
            }
        }
        hasher.finish()
    }

    /// An overlay from explicit states (path, before, after). Unchanged paths are dropped; of
    /// several states for one path the last is used. Edits are line diffs.
    pub fn from_states(
        author: &str,
        at: Timestamp,
        states: Vec<(ProjectPath, Option<FileState>, Option<FileState>)>,
    ) -> Self {
        let mut changes = SortedMap::new();
        for (path, before, after) in states {
            let text = |state: &Option<FileState>| {
                state.as_ref().map_or_else(|| "".into(), |state| state.text.clone())
            };
            let edit = TextEdit::diff(&text(&before), &text(&after));
            changes.insert(path, FileChange { before, after, renamed_from: None, edit });
        }
        Self::with_changes(author, at, changes)
    }

    /// Applies splices to the current files, with the line ends of each; used by the repair rules. Rejects splices that
    /// overlap, split a character, are out of range or refer to a missing file; errors name the
    /// splices `splices[0]`, `splices[1]`, … in the given order.
    pub fn from_splices(
        author: &str,
        at: Timestamp,
        files: &dyn Files,
        splices: &[(ProjectPath, Splice)],
    ) -> Result<Self, EditError> {
        let mut by_path: SortedMap<&ProjectPath, Vec<usize>> = SortedMap::new();
        for (idx, (path, _)) in splices.iter().enumerate() {
            by_path.entry(path).or_default().push(idx);
        }
        let mut changes = SortedMap::new();
        for (path, numbers) in by_path {
            let place = |idx: usize| format!("splices[{}]", numbers.get(idx).unwrap_or(&idx));
            let before = match files.read(path) {
                Ok(Some(state)) => state,
                Ok(None) => {
                    return Err(EditError::MissingFile { at: place(0), path: path.to_string() });
                }
                Err(why) => {
                    let path = path.to_string();
                    return Err(EditError::Unreadable { at: place(0), path, why });
                }
            };
            let adapted = |(_, it): &(ProjectPath, Splice)| Splice {
                span: it.span,
                insert: as_in(&before.text, &it.insert),
            };
            let own: Vec<Splice> =
                numbers.iter().filter_map(|idx| splices.get(*idx)).map(adapted).collect();
            let edit = TextEdit::new(&before.text, &own)
                .map_err(|fault| fault.into_error(path, &before.text, &own, &place))?;
            changes.insert(path.clone(), FileChange::edited(before, edit, path)?);
        }
        Ok(Self::with_changes(author, at, changes))
    }

    /// `self` followed by `next`, which must start from the states that `self` results in. Author
    /// and time are those of `next`.
    pub fn compose(&self, next: &Overlay) -> Result<Overlay, EditError> {
        let mut changes = self.changes.clone();
        for (path, then) in &next.changes {
            let first = self.changes.get(path);
            if first.is_some_and(|first| first.after != then.before) {
                return Err(EditError::ComposeMismatch { path: path.to_string() });
            }
            let before = match first {
                Some(first) => first.before.clone(),
                None => then.before.clone(),
            };
            let (renamed_from, edit) = self.chain(first, then);
            let after = then.after.clone();
            changes.insert(path.clone(), FileChange { before, after, renamed_from, edit });
        }
        let mut overlay = Self::with_changes(&next.author, next.created_at, changes);
        overlay.drop_broken_renames();
        Ok(overlay)
    }

    /// The rename source and text edit of `first` (at this path) followed by `then`.
    fn chain(
        &self,
        first: Option<&FileChange>,
        then: &FileChange,
    ) -> (Option<ProjectPath>, TextEdit) {
        let before = first.map_or_else(|| then.before_text(), FileChange::before_text);
        let line_diff = || TextEdit::diff(before, then.after_text());
        match (&then.renamed_from, first) {
            // `then` renames a file that `self` renamed, edited or created.
            (Some(source), _) => match self.changes.get(source) {
                None => (Some(source.clone()), then.edit.clone()),
                Some(earlier) => {
                    let origin = match (&earlier.renamed_from, &earlier.before) {
                        (Some(origin), _) => origin.clone(),
                        (None, Some(_)) => source.clone(),
                        (None, None) => return (None, line_diff()),
                    };
                    match earlier.edit.compose(&then.edit) {
                        Some(edit) => (Some(origin), edit),
                        None => (None, line_diff()),
                    }
                }
            },
            (None, None) => (None, then.edit.clone()),
            (None, Some(first)) => {
                let renamed_from = first.renamed_from.clone().filter(|_| then.after.is_some());
                let edit = match renamed_from.is_some() || first.renamed_from.is_none() {
                    true => first.edit.compose(&then.edit).unwrap_or_else(line_diff),
                    false => line_diff(),
                };
                (renamed_from, edit)
            }
        }
    }

    /// The inverse: states before and after are swapped.
    pub fn invert(&self) -> Overlay {
        let mut changes: SortedMap<ProjectPath, FileChange> = SortedMap::new();
        for (path, change) in &self.changes {
            let (before, after) = (change.after.clone(), change.before.clone());
            let edit = match change.renamed_from {
                None => change.edit.invert(change.before_text()),
                Some(_) => None,
            };
            let edit =
                edit.unwrap_or_else(|| TextEdit::diff(change.after_text(), change.before_text()));
            changes.insert(path.clone(), FileChange { before, after, renamed_from: None, edit });
        }
        for (path, change) in &self.changes {
            let Some(source) = &change.renamed_from else { continue };
            let Some(edit) = change.edit.invert(self.base_text(path)) else { continue };
            if let Some(back) = changes.get_mut(source) {
                back.renamed_from = Some(path.clone());
                back.edit = edit;
            }
        }
        Self::with_changes(&self.author, self.created_at, changes)
    }

    /// Marks the file created at `to` as the one removed at `from`; false where the overlay does
    /// not contain both changes.
    pub fn mark_renamed(&mut self, from: &ProjectPath, to: &ProjectPath) -> bool {
        let Some(FileChange { before: Some(source), after: None, .. }) = self.changes.get(from)
        else {
            return false;
        };
        let source = source.text.clone();
        match self.changes.get_mut(to) {
            Some(change) if change.before.is_none() && change.after.is_some() => {
                change.edit = TextEdit::diff(&source, change.after_text());
                change.renamed_from = Some(from.clone());
                true
            }
            _ => false,
        }
    }

    /// One unified diff over all files in path order, as git writes them: `diff --git`, modes,
    /// creations, removals and renames, `\ No newline at end of file`; line endings are kept.
    pub fn unified_diff(&self) -> String {
        let sources = self.rename_sources();
        let paths = self.changes.keys().filter(|path| !sources.contains(path));
        paths.filter_map(|path| self.file_diff(path)).collect()
    }

    /// The part of [`Overlay::unified_diff`] for one path; at the old path of a rename it is the
    /// removal of the file.
    pub(crate) fn file_diff(&self, path: &ProjectPath) -> Option<String> {
        let change = self.changes.get(path)?;
        let source = change.renamed_from.as_ref();
        let old_path = source.unwrap_or(path);
        let old = source
            .and_then(|source| self.changes.get(source))
            .map_or(&change.before, |source| &source.before);
        let mut out = String::new();
        write_file(
            &mut out,
            DiffSide { path: old_path, state: old.as_ref() },
            DiffSide { path, state: change.after.as_ref() },
        );
        Some(out)
    }

    /// Counts of paths and of added and removed lines.
    pub fn stat(&self) -> DiffStat {
        let parts = self.changes.keys().map(|path| self.file_stat(path));
        parts.fold(DiffStat::default(), |sum, it| DiffStat {
            files: sum.files + it.files,
            added: sum.added + it.added,
            removed: sum.removed + it.removed,
        })
    }

    /// The part of [`Overlay::stat`] for one path; nothing at the old path of a rename.
    pub fn file_stat(&self, path: &ProjectPath) -> DiffStat {
        let is_source = |it: &FileChange| it.renamed_from.as_ref() == Some(path);
        if !self.changes.contains_key(path) || self.changes.values().any(is_source) {
            return DiffStat::default();
        }
        let mut stat = DiffStat { files: 1, ..DiffStat::default() };
        for (before, after) in self.file_hunks(path) {
            stat.removed += before.len();
            stat.added += after.len();
        }
        stat
    }

    /// The changed lines of one path: ranges of the lines of [`Overlay::base_text`] and of the new
    /// text, counted from 0, ascending, without unchanged lines.
    pub fn file_hunks(&self, path: &ProjectPath) -> Vec<(Range<usize>, Range<usize>)> {
        let Some(change) = self.changes.get(path) else { return Vec::new() };
        let hunks = diff::hunks(self.base_text(path), change.after_text());
        hunks.into_iter().map(|it| (it.before, it.after)).collect()
    }

    /// The position map of one changed file, from base to overlay and back; the base of a renamed
    /// file is the text at its old path.
    pub fn span_map(&self, path: &ProjectPath) -> Option<SpanMap> {
        let change = self.changes.get(path)?;
        Some(SpanMap::new(self.base_text(path), change.after_text(), &change.edit))
    }

    /// The text that the `edit` of a change applies to.
    pub fn base_text(&self, path: &ProjectPath) -> &str {
        let Some(change) = self.changes.get(path) else { return "" };
        match change.renamed_from.as_ref().and_then(|source| self.changes.get(source)) {
            Some(source) => source.before_text(),
            None => change.before_text(),
        }
    }

    pub(crate) fn with_changes(
        author: &str,
        at: Timestamp,
        mut changes: SortedMap<ProjectPath, FileChange>,
    ) -> Self {
        changes.retain(|_, change| change.before != change.after);
        Self { author: author.to_owned(), created_at: at, changes }
    }

    pub(crate) fn rename_sources(&self) -> SortedSet<&ProjectPath> {
        self.changes.values().filter_map(|change| change.renamed_from.as_ref()).collect()
    }

    /// Removes rename links whose old path exists after composition.
    fn drop_broken_renames(&mut self) {
        let broken: Vec<ProjectPath> = self
            .changes
            .iter()
            .filter(|(_, change)| {
                change.renamed_from.as_ref().is_some_and(|source| {
                    change.before.is_some()
                        || !self
                            .changes
                            .get(source)
                            .is_some_and(|it| it.before.is_some() && it.after.is_none())
                })
            })
            .map(|(path, _)| path.clone())
            .collect();
        for path in broken {
            if let Some(change) = self.changes.get_mut(&path) {
                change.renamed_from = None;
                change.edit = TextEdit::diff(change.before_text(), change.after_text());
            }
        }
    }
}

impl FileChange {
    /// A change of the text of one file.
    pub(crate) fn edited(
        before: FileState,
        edit: TextEdit,
        path: &ProjectPath,
    ) -> Result<Self, EditError> {
        let text = edit
            .apply(&before.text)
            .ok_or_else(|| EditError::ComposeMismatch { path: path.to_string() })?;
        let after = FileState { text: text.into(), executable: before.executable };
        Ok(Self { before: Some(before), after: Some(after), renamed_from: None, edit })
    }
}

impl SpliceFault {
    /// The error with file name and hint; `place` returns the name of a splice by its index.
    pub(crate) fn into_error(
        self,
        path: &ProjectPath,
        base: &str,
        splices: &[Splice],
        place: &dyn Fn(usize) -> String,
    ) -> EditError {
        let path = path.to_string();
        match self {
            SpliceFault::OutOfRange { idx, offset } => {
                EditError::OutOfRange { at: place(idx), path, offset, len: base.len() }
            }
            SpliceFault::NotCharBoundary { idx, offset } => EditError::NotCharBoundary {
                at: place(idx),
                path,
                offset,
                before: base.floor_char_boundary(offset),
                after: base.ceil_char_boundary(offset),
            },
            SpliceFault::Overlap { first, second } => {
                let name = |idx: usize| match splices.get(idx) {
                    Some(it) => format!("{} ({}..{})", place(idx), it.span.start, it.span.end),
                    None => place(idx),
                };
                EditError::Overlap { path, first: name(first), second: name(second) }
            }
        }
    }
}
