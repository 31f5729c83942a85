//! [`EditRequest`]: a parsed request in any format; [`crate::stage`] applies it.

use std::path::Path;

use base::{ContentHash, ProjectPath};
use serde::Serialize;
use syntax::NodeKind;

use crate::EditError;
use crate::udiff_hunk::FileDiff;

/// One typed edit. All edits of a request refer to the current files, not to the result of an
/// earlier edit of the same request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub(crate) enum Edit {
    /// Replaces an item. Where `code` has no doc comments the item keeps its own, and likewise its
    /// attributes.
    Canonical {
        /// Path of the file.
        file: ProjectPath,
        /// Canonical path of the item in the file, as [`syntax::Item::canon`] writes it.
        canon: String,
        /// Kind of the item.
        node_type: NodeKind,
        /// Code of the whole new item, and nothing else.
        code: String,
    },
    /// Replaces a byte range.
    Splice {
        /// Path of the file.
        file_path: ProjectPath,
        /// Hash of the file's bytes that the offsets refer to.
        expected_file_hash: ContentHash,
        /// Offset of the first removed byte.
        start_byte: usize,
        /// Offset one past the last removed byte.
        end_byte: usize,
        /// New text.
        replacement: String,
        /// Namespace of the file; `None` for the project's own. Not checked here, because only the
        /// caller has the project's name.
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<String>,
    },
    /// Writes a whole file, new or existing.
    File {
        /// Path of the file.
        file_path: ProjectPath,
        /// Text.
        text: String,
        /// Hash of the existing file; with it, the file must exist.
        #[serde(skip_serializing_if = "Option::is_none")]
        expected_file_hash: Option<ContentHash>,
    },
}

impl Edit {
    /// The path of the file that it changes.
    pub(crate) fn path(&self) -> &ProjectPath {
        match self {
            Edit::Canonical { file, .. } => file,
            Edit::Splice { file_path, .. } | Edit::File { file_path, .. } => file_path,
        }
    }
}

/// The format of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// `{"edits": […]}`.
    Json,
    /// A unified diff, git's or another.
    UnifiedDiff,
    /// `<<<<<<< SEARCH` blocks.
    SearchReplace,
    /// Whole files in code fences under their paths.
    WholeFile,
}

/// A request in any format, parsed but not applied.
#[derive(Clone, Debug)]
pub struct EditRequest {
    /// Format.
    pub format: Format,
    /// Confidence of the author, 0 to 1, if given.
    pub confidence: Option<f32>,
    pub(crate) notes: Vec<String>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Typed edits, each with its name in errors.
    Edits(Vec<(String, Edit)>),
    Diff(Vec<FileDiff>),
    Blocks(Vec<Block>),
}

/// One block: the lines to find and the lines to replace them with.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Name in errors.
    pub(crate) at: String,
    pub(crate) path: ProjectPath,
    pub(crate) search: String,
    pub(crate) replace: String,
}

impl EditRequest {
    /// The paths of all files that it changes, sorted, without duplicates.
    pub fn paths(&self) -> Vec<ProjectPath> {
        let mut paths: Vec<ProjectPath> = match &self.body {
            Body::Edits(edits) => edits.iter().map(|(_, edit)| edit.path().clone()).collect(),
            Body::Diff(files) => {
                files.iter().flat_map(|it| [it.old.clone(), it.new.clone()]).flatten().collect()
            }
            Body::Blocks(blocks) => blocks.iter().map(|it| it.path.clone()).collect(),
        };
        paths.sort();
        paths.dedup();
        paths
    }
}

/// A path in a request.
pub(crate) fn project_path(root: &Path, path: &str, at: &str) -> Result<ProjectPath, EditError> {
    ProjectPath::within(root, Path::new(path))
        .and_then(|path| ProjectPath::new(path.as_str()))
        .map_err(|why| EditError::Path { at: at.to_owned(), why })
}
