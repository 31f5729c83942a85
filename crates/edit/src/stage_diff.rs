//! Staging of unified diffs: creation, removal, rename and edit of files, and placement of hunks.

use base::ProjectPath;

use crate::endings::strip_eol;
use crate::placement::{FileLines, Placement, Tolerance, old_lines};
use crate::search_replace::clip;
use crate::stage::Stage;
use crate::udiff_hunk::FileDiff;
use crate::udiff_hunk::LineKind;
use crate::{EditError, FileChange, FileState, TextEdit};

impl Stage<'_> {
    pub(crate) fn diffs(&mut self, diffs: &[FileDiff]) -> Result<(), EditError> {
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
                    // Models often name both sides of a new file.
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

    fn create(&mut self, at: &str, path: &ProjectPath, diff: &FileDiff) -> Result<(), EditError> {
        self.untouched(at, path)?;
        if self.find(at, path)?.is_some() {
            return Err(EditError::FileExists { at: at.to_owned(), path: path.to_string() });
        }
        if !only_adds(diff) {
            return Err(EditError::HunkMismatch {
                at: at.to_owned(),
                message: "the diff creates the file but has context or removed lines".into(),
            });
        }
        let lines = || diff.hunks.iter().flat_map(|hunk| &hunk.lines);
        let open = lines().rev().skip(1).any(|line| !line.text.ends_with('\n'));
        if open {
            return Err(EditError::HunkMismatch {
                at: at.to_owned(),
                message: "`\\ No newline` is before the last line".into(),
            });
        }
        let text: String = lines().map(|line| line.text.as_str()).collect();
        let edit = TextEdit::diff("", &text);
        let after = FileState { text: text.into(), executable: diff.executable == Some(true) };
        let change = FileChange { before: None, after: Some(after), renamed_from: None, edit };
        self.changes.insert(path.clone(), change);
        Ok(())
    }

    /// Places each hunk at its stated line, or at the only other position where it fits.
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

    /// Lines without context can only be added to an empty file.
    fn bare_insertion(&self, at: &str, file: &FileLines<'_>) -> Result<Placement, EditError> {
        file.fits_at(0, &[], Tolerance::Endings).filter(|_| file.lines.is_empty()).ok_or_else(
            || EditError::HunkMismatch {
                at: at.to_owned(),
                message: "it adds lines without context, so its position cannot be checked".into(),
            },
        )
    }

    fn place(
        &mut self,
        at: &str,
        file: &FileLines<'_>,
        start: Option<usize>,
        old: &[&str],
    ) -> Result<Placement, EditError> {
        let stated = start.map(|start| start.saturating_sub(1));
        if let Some(place) = stated.and_then(|line| file.fits_at(line, old, Tolerance::Endings)) {
            return Ok(place);
        }
        self.searches(at, file.text)?;
        let mut places = file.fits(old, Tolerance::Endings);
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

fn only_adds(diff: &FileDiff) -> bool {
    let mut lines = diff.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines.all(|line| line.kind == LineKind::Add)
}

/// Describes the first line that differs at the stated position, or at the first old line.
fn mismatch(file: &FileLines<'_>, stated: Option<usize>, old: &[&str]) -> String {
    let first = old.first().copied().unwrap_or("");
    let by_text = || file.lines.iter().position(|line| strip_eol(line) == strip_eol(first));
    let Some(at) = stated.or_else(by_text) else {
        return format!("the file does not contain `{}`", clip(first));
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
    "the file does not contain its lines".into()
}
