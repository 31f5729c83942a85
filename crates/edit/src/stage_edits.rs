//! Staging of typed edits, whole files and search/replace blocks.

use std::cell::OnceCell;

use base::{ContentHash, ProjectPath, SortedMap};

use crate::canonical::Canonical;
use crate::diff;
use crate::endings::{BOM, Endings, strip_eol};
use crate::request::Block;
use crate::stage::Stage;
use crate::{Edit, EditError, FileChange, FileState, Splice, SpliceFault, TextEdit};

impl Stage<'_> {
    /// Typed edits all refer to the current text: their splices are merged per file.
    pub(crate) fn edits(&mut self, edits: &[(String, Edit)]) -> Result<(), EditError> {
        let mut by_path: SortedMap<&ProjectPath, Vec<&(String, Edit)>> = SortedMap::new();
        for edit in edits {
            by_path.entry(edit.1.path()).or_default().push(edit);
        }
        // Errors are reported in the order of the request, so files are tried in that order.
        for (at, edit) in edits {
            if let Some(own) = by_path.remove(edit.path()) {
                self.edits_of(edit.path(), at, &own)?;
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
                (Some(before), Some(hash)) => fresh(at, path, before.hash(), hash)?,
                (_, None) => {}
            }
            return self.whole(at, path, before, text);
        }
        let whole = |it: &&&(String, Edit)| matches!(it.1, Edit::File { .. });
        if let Some(whole) = edits.iter().rev().find(whole) {
            return Err(EditError::Conflict {
                at: whole.0.clone(),
                path: path.to_string(),
                why: "a whole file together with other edits",
            });
        }
        let before = self.get(at, path)?;
        // Computed once for all edits of the file.
        let present = before.hash();
        let endings = Endings::of(&before.text);
        let parsed = OnceCell::new();
        let mut splices = Vec::new();
        let mut places = Vec::new();
        for (at, edit) in edits {
            let new = match edit {
                Edit::Canonical { canon, node_type, code, .. } => {
                    let file = parsed.get_or_init(|| syntax::parse(&before.text));
                    Canonical { at, path, canon, kind: *node_type, code }.splices(
                        &before.text,
                        file,
                        &mut self.notes,
                    )?
                }
                Edit::Splice { expected_file_hash, start_byte, end_byte, replacement, .. } => {
                    fresh(at, path, present, expected_file_hash)?;
                    if start_byte > end_byte {
                        return Err(EditError::ReversedSpan {
                            at: at.clone(),
                            start: *start_byte,
                            end: *end_byte,
                        });
                    }
                    let adapted = endings.adapt(replacement);
                    if *adapted != **replacement {
                        self.notes
                            .push(format!("{at}: new lines were given the file's line ending"));
                    }
                    vec![Splice::new(*start_byte, *end_byte, adapted)]
                }
                // Rejected above.
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

    /// Replaces the whole text of a file. Where the new text has no byte order mark or only LF line
    /// endings, those of the file are kept.
    fn whole(
        &mut self,
        at: &str,
        path: &ProjectPath,
        before: Option<FileState>,
        text: &str,
    ) -> Result<(), EditError> {
        let Some(before) = before else {
            let after = FileState::from_text(text);
            let edit = TextEdit::diff("", text);
            let change = FileChange { before: None, after: Some(after), renamed_from: None, edit };
            self.changes.insert(path.clone(), change);
            return Ok(());
        };
        let mut text = text.to_owned();
        if Endings::of(&text) == Endings::Lf {
            let adapted = as_in_file(&before.text, &text);
            if adapted != text {
                self.notes.push(format!("{at}: lines were given the file's line endings"));
                text = adapted;
            }
        }
        if before.text.starts_with(BOM) && !text.starts_with(BOM) {
            self.notes.push(format!("{at}: kept the file's byte order mark"));
            text.insert_str(0, BOM);
        }
        let edit = TextEdit::diff(&before.text, &text);
        self.changes.insert(path.clone(), FileChange::edited(before, edit, path)?);
        Ok(())
    }

    /// Blocks refer to the current text; a block that does not match it may match the result of the
    /// blocks before it.
    pub(crate) fn blocks(&mut self, blocks: &[Block]) -> Result<(), EditError> {
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
        let fault = |splices: &[Splice], text: &str, fault: SpliceFault| {
            fault.into_error(path, text, splices, &|_| block.at.clone())
        };
        self.searches(&block.at, &before.text)?;
        let splices = match block.splices(&before.text, &mut self.notes) {
            Ok(splices) => splices,
            Err(EditError::SearchNotFound { .. }) if earlier.is_some() => {
                let earlier = earlier.unwrap_or_else(|| FileChange::nothing(&before));
                let intermediate = earlier.after_text().to_owned();
                let splices = block.splices(&intermediate, &mut self.notes)?;
                let next = TextEdit::new(&intermediate, &splices)
                    .map_err(|why| fault(&splices, &intermediate, why))?;
                self.notes.push(format!(
                    "{}: its search text is the result of an earlier block",
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
    present: ContentHash,
    expected: &ContentHash,
) -> Result<(), EditError> {
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

/// `text` with the line endings that the same lines have in `base`; where `base` is uniformly CRLF,
/// with CRLF throughout.
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
    let end = diff::Hunk { before: old.len()..old.len(), after: new.len()..new.len() };
    for hunk in diff::hunks(&bare(base), text).into_iter().chain([end]) {
        out.extend(old.get(at..hunk.before.start).unwrap_or_default().iter().copied());
        out.extend(new.get(hunk.after.clone()).unwrap_or_default().iter().copied());
        at = hunk.before.end;
    }
    out
}
