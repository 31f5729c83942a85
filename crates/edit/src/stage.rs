use std::collections::BTreeMap;

use base::{ProjectPath, Timestamp};

use crate::canonical::Canonical;
use crate::endings::{BOM, Endings, strip_eol};
use crate::placement::{FileLines, Level, Place, old_lines};
use crate::request::Body;
use crate::search_replace::{Block, clip};
use crate::udiff_read::{FileDiff, HunkLine, Sign};
use crate::{
    Edit, EditError, EditRequest, FileChange, FileState, Files, Overlay, Splice, TextEdit,
};

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Staged {
    /// All of its edits.
    pub overlay: Overlay,
    /// What its author should know: deprecated shapes, placements that were not literal, line
    /// endings that were adapted.
    pub notes: Vec<String>,
}

/// All edits of the request as one overlay over the files as they are, or the first refusal.
pub fn stage(
    files: &dyn Files,
    request: &EditRequest,
    author: &str,
    at: Timestamp,
) -> Result<Staged, EditError> {
    let mut stage = Stage {
        files,
        read: BTreeMap::new(),
        changes: BTreeMap::new(),
        renames: Vec::new(),
        notes: request.notes.clone(),
    };
    match &request.body {
        Body::Edits(edits) => stage.edits(edits)?,
        Body::Diff(diffs) => stage.diffs(diffs)?,
        Body::Blocks(blocks) => stage.blocks(blocks)?,
    }
    let mut overlay = Overlay::with_changes(author, at, stage.changes);
    for (from, to) in &stage.renames {
        overlay.mark_renamed(from, to);
    }
    if overlay.is_empty() {
        stage.notes.push("the request changes nothing".into());
    }
    Ok(Staged { overlay, notes: stage.notes })
}

struct Stage<'a> {
    files: &'a dyn Files,
    /// Each file is read once, so that all edits of a request see the same text.
    read: BTreeMap<ProjectPath, Option<FileState>>,
    changes: BTreeMap<ProjectPath, FileChange>,
    renames: Vec<(ProjectPath, ProjectPath)>,
    notes: Vec<String>,
}

impl Stage<'_> {
    fn find(&mut self, at: &str, path: &ProjectPath) -> Result<Option<FileState>, EditError> {
        if let Some(state) = self.read.get(path) {
            return Ok(state.clone());
        }
        let state = self.files.read(path).map_err(|why| EditError::Unreadable {
            at: at.to_owned(),
            path: path.to_string(),
            why,
        })?;
        self.read.insert(path.clone(), state.clone());
        Ok(state)
    }

    fn get(&mut self, at: &str, path: &ProjectPath) -> Result<FileState, EditError> {
        self.find(at, path)?
            .ok_or_else(|| EditError::MissingFile { at: at.to_owned(), path: path.to_string() })
    }

    /// Typed edits all speak of the present text: their splices are joined per file.
    fn edits(&mut self, edits: &[(String, Edit)]) -> Result<(), EditError> {
        let mut by_path: BTreeMap<&ProjectPath, Vec<&(String, Edit)>> = BTreeMap::new();
        for edit in edits {
            by_path.entry(edit.1.path()).or_default().push(edit);
        }
        // Refusals come in the order of the request, so files are tried in that order.
        for (at, edit) in edits {
            if let Some(mine) = by_path.remove(edit.path()) {
                self.edits_of(edit.path(), at, &mine)?;
            }
        }
        Ok(())
    }

    fn edits_of(
        &mut self,
        path: &ProjectPath,
        at: &str,
        edits: &[&(String, Edit)],
    ) -> Result<(), EditError> {
        if let [(at, Edit::File { text, expected_file_hash, .. })] = edits {
            let before = self.find(at, path)?;
            match (&before, expected_file_hash) {
                (None, Some(_)) => {
                    return Err(EditError::MissingFile { at: at.clone(), path: path.to_string() });
                }
                (Some(before), Some(hash)) => fresh(at, path, before, hash)?,
                (_, None) => {}
            }
            return self.whole(at, path, before, text);
        }
        let whole = |it: &&&(String, Edit)| matches!(it.1, Edit::File { .. });
        if let Some(whole) = edits.iter().rev().find(whole) {
            return Err(EditError::Conflict {
                at: whole.0.clone(),
                path: path.to_string(),
                why: "a whole file and other edits of it",
            });
        }
        let before = self.get(at, path)?;
        let mut splices = Vec::new();
        let mut places = Vec::new();
        for (at, edit) in edits {
            let new = match edit {
                Edit::Canonical { canon, node_type, code, .. } => {
                    Canonical { at, path, canon, kind: *node_type, code }
                        .splices(&before.text, &mut self.notes)?
                }
                Edit::Splice { expected_file_hash, start_byte, end_byte, replacement, .. } => {
                    fresh(at, path, &before, expected_file_hash)?;
                    if start_byte > end_byte {
                        return Err(EditError::ReversedSpan {
                            at: at.clone(),
                            start: *start_byte,
                            end: *end_byte,
                        });
                    }
                    let adapted = Endings::of(&before.text).adapt(replacement);
                    if *adapted != **replacement {
                        self.notes.push(format!("{at}: new lines took the file's line ending"));
                    }
                    vec![Splice::new(*start_byte, *end_byte, adapted)]
                }
                // Refused above.
                Edit::File { .. } => Vec::new(),
            };
            places.resize(places.len() + new.len(), at.clone());
            splices.extend(new);
        }
        let place = |idx: usize| places.get(idx).cloned().unwrap_or_default();
        let edit = TextEdit::new(&before.text, &splices)
            .map_err(|fault| fault.into_error(path, &before.text, &splices, &place))?;
        self.changes.insert(path.clone(), FileChange::edited(before, edit, path)?);
        Ok(())
    }

    /// A whole text for a file. Where it knows nothing of the byte order mark and the line endings
    /// that the file has, these stay.
    fn whole(
        &mut self,
        at: &str,
        path: &ProjectPath,
        before: Option<FileState>,
        text: &str,
    ) -> Result<(), EditError> {
        let Some(before) = before else {
            let after = FileState::plain(text);
            let edit = TextEdit::diff("", text);
            let change = FileChange { before: None, after: Some(after), renamed_from: None, edit };
            self.changes.insert(path.clone(), change);
            return Ok(());
        };
        let mut text = text.to_owned();
        if Endings::of(&text) == Endings::Lf {
            let adapted = as_in_file(&before.text, &text);
            if adapted != text {
                self.notes.push(format!("{at}: lines took the file's line endings"));
                text = adapted;
            }
        }
        if before.text.starts_with(BOM) && !text.starts_with(BOM) {
            self.notes.push(format!("{at}: the file's byte order mark was kept"));
            text.insert_str(0, BOM);
        }
        let edit = TextEdit::diff(&before.text, &text);
        self.changes.insert(path.clone(), FileChange::edited(before, edit, path)?);
        Ok(())
    }

    /// Blocks speak of the present text; one that is not there may speak of what the blocks before
    /// it have made.
    fn blocks(&mut self, blocks: &[Block]) -> Result<(), EditError> {
        for block in blocks {
            let path = &block.path;
            let before = self.find(&block.at, path)?;
            let blank = block.search.trim().is_empty();
            let Some(before) = before else {
                if !blank || self.changes.contains_key(path) {
                    return Err(EditError::MissingFile {
                        at: block.at.clone(),
                        path: path.to_string(),
                    });
                }
                self.whole(&block.at, path, None, &block.replace)?;
                continue;
            };
            if blank {
                if before.text.is_empty() && !self.changes.contains_key(path) {
                    self.whole(&block.at, path, Some(before), &block.replace)?;
                    continue;
                }
                return Err(EditError::FileExists { at: block.at.clone(), path: path.to_string() });
            }
            let earlier = self.changes.remove(path);
            let change = self.block(block, before, earlier)?;
            self.changes.insert(path.clone(), change);
        }
        Ok(())
    }

    fn block(
        &mut self,
        block: &Block,
        before: FileState,
        earlier: Option<FileChange>,
    ) -> Result<FileChange, EditError> {
        let path = &block.path;
        let fault = |splices: &[Splice], text: &str, fault: crate::SpliceFault| {
            fault.into_error(path, text, splices, &|_| block.at.clone())
        };
        let splices = match block.splices(&before.text, &mut self.notes) {
            Ok(splices) => splices,
            Err(EditError::SearchNotFound { .. }) if earlier.is_some() => {
                let earlier = earlier.unwrap_or_else(|| FileChange::nothing(&before));
                let middle = earlier.after_text().to_owned();
                let splices = block.splices(&middle, &mut self.notes)?;
                let next = TextEdit::new(&middle, &splices)
                    .map_err(|why| fault(&splices, &middle, why))?;
                self.notes.push(format!(
                    "{}: its search text is what an earlier block has made",
                    block.at
                ));
                let edit = earlier.edit.compose(&next);
                let edit =
                    edit.ok_or_else(|| EditError::ComposeMismatch { path: path.to_string() })?;
                return FileChange::edited(before, edit, path);
            }
            Err(error) => return Err(error),
        };
        let mut all = earlier.map(|it| it.edit.splices).unwrap_or_default();
        let old = all.len();
        all.extend(splices);
        let edit = TextEdit::new(&before.text, &all).map_err(|why| {
            why.into_error(path, &before.text, &all, &|idx| match idx < old {
                true => "an earlier block".to_owned(),
                false => block.at.clone(),
            })
        })?;
        FileChange::edited(before, edit, path)
    }

    fn diffs(&mut self, diffs: &[FileDiff]) -> Result<(), EditError> {
        for (number, diff) in diffs.iter().enumerate() {
            self.diff(diff, number + 1)?;
        }
        Ok(())
    }

    fn diff(&mut self, diff: &FileDiff, number: usize) -> Result<(), EditError> {
        let at = match (&diff.old, &diff.new) {
            (_, Some(path)) | (Some(path), None) => format!("file {number} of the diff ({path})"),
            (None, None) => format!("file {number} of the diff"),
        };
        match (&diff.old, &diff.new) {
            (None, Some(new)) => self.create(&at, new, diff),
            (Some(old), None) => {
                self.untouched(&at, old)?;
                let before = self.get(&at, old)?;
                let edit = self.hunks(old, &before.text, diff)?;
                if edit.apply(&before.text).as_deref() != Some("") {
                    return Err(EditError::HunkMismatch {
                        at,
                        message: "the diff removes the file but not all of its lines".into(),
                    });
                }
                let change =
                    FileChange { before: Some(before), after: None, renamed_from: None, edit };
                self.changes.insert(old.clone(), change);
                Ok(())
            }
            (Some(old), Some(new)) if old == new => {
                self.untouched(&at, old)?;
                let before = match self.find(&at, old)? {
                    Some(before) => before,
                    // Models name both sides of a new file.
                    None if only_adds(diff) => {
                        self.notes.push(format!("{at}: the file is new"));
                        return self.create(&at, new, diff);
                    }
                    None => {
                        return Err(EditError::MissingFile { at, path: old.to_string() });
                    }
                };
                let edit = self.hunks(old, &before.text, diff)?;
                let mut change = FileChange::edited(before, edit, old)?;
                if let (Some(after), Some(executable)) = (&mut change.after, diff.executable) {
                    after.executable = executable;
                }
                self.changes.insert(old.clone(), change);
                Ok(())
            }
            (Some(old), Some(new)) => {
                let source = self.get(&at, old)?;
                self.untouched(&at, new)?;
                if self.find(&at, new)?.is_some() {
                    return Err(EditError::FileExists { at, path: new.to_string() });
                }
                let edit = self.hunks(old, &source.text, diff)?;
                let moved = FileChange::edited(source.clone(), edit, old)?;
                let mut after = moved.after.unwrap_or_else(|| source.clone());
                after.executable = diff.executable.unwrap_or(source.executable);
                let edit = TextEdit::diff("", &after.text);
                let change =
                    FileChange { before: None, after: Some(after), renamed_from: None, edit };
                self.changes.insert(new.clone(), change);
                if !diff.is_copy {
                    self.untouched(&at, old)?;
                    let edit = TextEdit::diff(&source.text, "");
                    let change =
                        FileChange { before: Some(source), after: None, renamed_from: None, edit };
                    self.changes.insert(old.clone(), change);
                    self.renames.push((old.clone(), new.clone()));
                }
                Ok(())
            }
            (None, None) => Err(EditError::Empty),
        }
    }

    fn untouched(&self, at: &str, path: &ProjectPath) -> Result<(), EditError> {
        if !self.changes.contains_key(path) {
            return Ok(());
        }
        Err(EditError::Conflict {
            at: at.to_owned(),
            path: path.to_string(),
            why: "two parts of the diff change it",
        })
    }

    fn create(&mut self, at: &str, path: &ProjectPath, diff: &FileDiff) -> Result<(), EditError> {
        self.untouched(at, path)?;
        if self.find(at, path)?.is_some() {
            return Err(EditError::FileExists { at: at.to_owned(), path: path.to_string() });
        }
        if !only_adds(diff) {
            return Err(EditError::HunkMismatch {
                at: at.to_owned(),
                message: "the diff creates the file but names lines that it should have".into(),
            });
        }
        let lines = || diff.hunks.iter().flat_map(|hunk| &hunk.lines);
        let open = lines().rev().skip(1).any(|line| !line.text.ends_with('\n'));
        if open {
            return Err(EditError::HunkMismatch {
                at: at.to_owned(),
                message: "it says that the file ends in its middle".into(),
            });
        }
        let text: String = lines().map(|line| line.text.as_str()).collect();
        let edit = TextEdit::diff("", &text);
        let after = FileState { text: text.into(), executable: diff.executable == Some(true) };
        let change = FileChange { before: None, after: Some(after), renamed_from: None, edit };
        self.changes.insert(path.clone(), change);
        Ok(())
    }

    /// Places each hunk: at its line, or where else it fits alone.
    fn hunks(
        &mut self,
        path: &ProjectPath,
        text: &str,
        diff: &FileDiff,
    ) -> Result<TextEdit, EditError> {
        let file = FileLines::new(text);
        let mut splices = Vec::new();
        let mut owners = Vec::new();
        for (number, hunk) in diff.hunks.iter().enumerate() {
            let at = format!("hunk {} of `{path}`", number + 1);
            let old = old_lines(&hunk.lines);
            let place = if old.is_empty() {
                self.bare_insertion(&at, &file)?
            } else {
                self.place(&at, &file, hunk.start, &old)?
            };
            let new = file
                .splices(&place, &hunk.lines, true, &mut self.notes, &at)
                .map_err(|why| EditError::HunkMismatch { at: at.clone(), message: why.into() })?;
            owners.resize(owners.len() + new.len(), at);
            splices.extend(new);
        }
        let place = |idx: usize| owners.get(idx).cloned().unwrap_or_default();
        TextEdit::new(text, &splices)
            .map_err(|fault| fault.into_error(path, text, &splices, &place))
    }

    /// Lines without anything around them can only go into an empty file.
    fn bare_insertion(&self, at: &str, file: &FileLines<'_>) -> Result<Place, EditError> {
        file.fits_at(0, &[], Level::Endings).filter(|_| file.lines.is_empty()).ok_or_else(|| {
            EditError::HunkMismatch {
                at: at.to_owned(),
                message: "it adds lines without a line of context, so nothing says that its place \
                          is right"
                    .into(),
            }
        })
    }

    fn place(
        &mut self,
        at: &str,
        file: &FileLines<'_>,
        start: Option<usize>,
        old: &[&str],
    ) -> Result<Place, EditError> {
        let stated = start.map(|start| start.saturating_sub(1));
        if let Some(place) = stated.and_then(|line| file.fits_at(line, old, Level::Endings)) {
            return Ok(place);
        }
        let mut places = file.fits(old, Level::Endings);
        match (places.len(), start) {
            (0, _) => Err(EditError::HunkMismatch {
                at: at.to_owned(),
                message: mismatch(file, stated, old),
            }),
            (1, _) => {
                let place = places.remove(0);
                let line = place.at + 1;
                self.notes.push(match start {
                    Some(start) => format!("{at}: placed at line {line}, not {start}"),
                    None => format!("{at}: placed at line {line}"),
                });
                Ok(place)
            }
            _ => Err(EditError::HunkAmbiguous {
                at: at.to_owned(),
                lines: places.iter().map(|place| place.at + 1).collect(),
            }),
        }
    }
}

impl FileChange {
    fn nothing(state: &FileState) -> Self {
        Self {
            before: Some(state.clone()),
            after: Some(state.clone()),
            renamed_from: None,
            edit: TextEdit::default(),
        }
    }
}

fn fresh(
    at: &str,
    path: &ProjectPath,
    state: &FileState,
    expected: &base::ContentHash,
) -> Result<(), EditError> {
    let present = state.hash();
    if present == *expected {
        return Ok(());
    }
    Err(EditError::StaleHash {
        at: format!("{at}.expected_file_hash"),
        path: path.to_string(),
        expected: *expected,
        present,
    })
}

fn only_adds(diff: &FileDiff) -> bool {
    let mut lines = diff.hunks.iter().flat_map(|hunk: &crate::udiff_read::Hunk| &hunk.lines);
    lines.all(|line: &HunkLine| line.sign == Sign::Add)
}

/// The first line that differs at the stated place, or where the first old line stands.
fn mismatch(file: &FileLines<'_>, stated: Option<usize>, old: &[&str]) -> String {
    let first = old.first().copied().unwrap_or("");
    let by_text = || file.lines.iter().position(|line| strip_eol(line) == strip_eol(first));
    let Some(at) = stated.or_else(by_text) else {
        return format!("`{}` is not in it", clip(first));
    };
    for (idx, asked) in old.iter().enumerate() {
        let line = at + idx + 1;
        match file.lines.get(at + idx) {
            None => {
                return format!(
                    "line {line} should be `{}`, but the file has {} lines",
                    clip(asked),
                    file.lines.len()
                );
            }
            Some(there) if strip_eol(there) != strip_eol(asked) => {
                return format!("line {line} should be `{}` and is `{}`", clip(asked), clip(there));
            }
            Some(_) => {}
        }
    }
    "its lines are not in it".into()
}

/// `text` with the line endings that the same lines have in `base`, and, where `base` is uniformly
/// CRLF, that ending for all.
fn as_in_file(base: &str, text: &str) -> String {
    let endings = Endings::of(base);
    if endings != Endings::Mixed {
        return endings.adapt(text).into_owned();
    }
    let bare = |text: &str| -> String {
        text.split_inclusive('\n')
            .map(|line| match line.ends_with('\n') {
                true => format!("{}\n", strip_eol(line)),
                false => line.to_owned(),
            })
            .collect()
    };
    let old: Vec<&str> = base.split_inclusive('\n').collect();
    let new: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let end = crate::diff::Hunk { before: old.len()..old.len(), after: new.len()..new.len() };
    for hunk in crate::diff::hunks(&bare(base), text).into_iter().chain([end]) {
        out.extend(old.get(at..hunk.before.start).unwrap_or_default().iter().copied());
        out.extend(new.get(hunk.after.clone()).unwrap_or_default().iter().copied());
        at = hunk.before.end;
    }
    out
}
