//! [`stage`]: applies a parsed request to the current files and returns an [`Overlay`]. Typed edits
//! are in `stage_edits.rs`, diffs in `stage_diff.rs`.

use base::{ProjectPath, SortedMap, Timestamp};

use crate::request::Body;
use crate::{EditError, EditRequest, FileChange, FileState, Files, Overlay};

/// The result of [`stage`].
#[derive(Clone, Debug)]
pub struct Staged {
    /// Overlay with all edits of the request.
    pub overlay: Overlay,
    /// Notes for the author: deprecated forms, inexact placements, adapted line endings.
    pub notes: Vec<String>,
}

/// Applies all edits of the request to the current files, or returns the first error.
pub fn stage(
    files: &dyn Files,
    request: &EditRequest,
    author: &str,
    at: Timestamp,
) -> Result<Staged, EditError> {
    let mut stage = Stage {
        files,
        read: SortedMap::new(),
        changes: SortedMap::new(),
        renames: Vec::new(),
        notes: request.notes.clone(),
        left: MOST_SEARCHED,
    };
    match &request.body {
        Body::Edits(edits) => stage.edits(edits)?,
        Body::Diff(diffs) => stage.diffs(diffs)?,
        Body::Blocks(blocks) => stage.blocks(blocks)?,
    }
    stage.no_file_is_a_folder()?;
    let mut overlay = Overlay::with_changes(author, at, stage.changes);
    for (from, to) in &stage.renames {
        overlay.mark_renamed(from, to);
    }
    if overlay.is_empty() {
        stage.notes.push("the request changes nothing".into());
    }
    Ok(Staged { overlay, notes: stage.notes })
}

pub(crate) struct Stage<'a> {
    files: &'a dyn Files,
    /// Each file is read once, so that all edits of a request see the same text.
    read: SortedMap<ProjectPath, Option<FileState>>,
    pub(crate) changes: SortedMap<ProjectPath, FileChange>,
    pub(crate) renames: Vec<(ProjectPath, ProjectPath)>,
    pub(crate) notes: Vec<String>,
    /// Bytes that may still be searched for blocks and hunks.
    left: usize,
}

/// Most bytes that are searched for the blocks and hunks of a request, some seconds of work.
const MOST_SEARCHED: usize = 1 << 30;

impl Stage<'_> {
    /// Counts a search of a text.
    ///
    /// # Errors
    /// [`EditError::TooMuch`].
    pub(crate) fn searches(&mut self, at: &str, text: &str) -> Result<(), EditError> {
        let left = self.left.checked_sub(text.len());
        self.left = left.ok_or_else(|| EditError::TooMuch { at: at.to_owned() })?;
        Ok(())
    }

    pub(crate) fn find(
        &mut self,
        at: &str,
        path: &ProjectPath,
    ) -> Result<Option<FileState>, EditError> {
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

    pub(crate) fn get(&mut self, at: &str, path: &ProjectPath) -> Result<FileState, EditError> {
        self.find(at, path)?
            .ok_or_else(|| EditError::MissingFile { at: at.to_owned(), path: path.to_string() })
    }

    pub(crate) fn untouched(&self, at: &str, path: &ProjectPath) -> Result<(), EditError> {
        if !self.changes.contains_key(path) {
            return Ok(());
        }
        Err(EditError::Conflict {
            at: at.to_owned(),
            path: path.to_string(),
            why: "two parts of the diff change it",
        })
    }

    /// Checks that the request does not result in a file and a directory at the same path.
    fn no_file_is_a_folder(&self) -> Result<(), EditError> {
        let there = |path: &ProjectPath| {
            self.changes.get(path).is_some_and(|change| change.after.is_some())
        };
        for path in self.changes.keys().filter(|path| there(path)) {
            let mut above = path.parent();
            while let Some(folder) = above {
                if there(&folder) {
                    return Err(EditError::Conflict {
                        at: format!("file `{path}`"),
                        path: folder.to_string(),
                        why: "it cannot be a file and a folder",
                    });
                }
                above = folder.parent();
            }
        }
        Ok(())
    }
}
