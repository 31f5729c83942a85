//! [`EditRequest`]: a parsed request in any format. [`parse_request`] detects the format and calls
//! its parser; [`crate::stage`] applies the result.

use std::path::Path;

use base::{ContentHash, ProjectPath};
use serde::Serialize;
use syntax::NodeKind;

use crate::search_replace::Block;
use crate::udiff_read::FileDiff;
use crate::{EditError, json_request, search_replace, udiff_read, whole_file};

/// One typed edit. All edits of a request refer to the current files, not to the result of an
/// earlier edit of the same request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Edit {
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
    pub fn path(&self) -> &ProjectPath {
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

/// Parses a request: JSON (tagged edits, or the legacy form of a splice), a unified diff,
/// search/replace blocks, or whole files. The first marker of a format decides; a text without any
/// is rejected with the reason for each format. Absolute paths must be below `project_root`, which
/// is only compared, never opened.
pub fn parse_request(text: &str, project_root: &Path) -> Result<EditRequest, EditError> {
    let text = unfenced(text.strip_prefix('\u{feff}').unwrap_or(text));
    if text.trim().is_empty() {
        return Err(EditError::Empty);
    }
    if text.trim_start().starts_with(['{', '[']) {
        return json_request::read(text, project_root);
    }
    let mut diff_at = None;
    let mut block_at = None;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((idx, line)) = lines.next() {
        let next = lines.peek().map_or("", |(_, next)| next);
        if udiff_read::is_header(line, next) {
            diff_at.get_or_insert(idx);
        }
        if search_replace::is_opening(line) {
            block_at.get_or_insert(idx);
        }
    }
    match (diff_at, block_at) {
        (Some(diff), Some(block)) if block < diff => search_replace::read(text, project_root),
        (Some(_), _) => udiff_read::read(text, project_root),
        (None, Some(_)) => search_replace::read(text, project_root),
        (None, None) if whole_file::has_fence(text) => whole_file::read(text, project_root),
        (None, None) => Err(EditError::NoFormat {
            reasons: vec![
                "JSON: does not start with `{`".into(),
                "unified diff: no `--- ` and `+++ ` lines and no `diff --git` line".into(),
                "search/replace: no `<<<<<<< SEARCH` line".into(),
                "whole file: no fence of three backticks".into(),
            ],
        }),
    }
}

/// The content of a single code fence around the whole request, where its info string is JSON or a
/// diff: models often wrap their output.
fn unfenced(text: &str) -> &str {
    let trimmed = text.trim();
    let Some((first, rest)) = trimmed.split_once('\n') else { return text };
    let info = first.trim_start_matches('`').trim();
    let ticks = first.len() - first.trim_start_matches('`').len();
    if ticks < 3 || !matches!(info, "json" | "diff" | "patch" | "udiff") {
        return text;
    }
    match rest.rfind('\n') {
        Some(at) if rest[at + 1..].trim_end() == &first[..ticks] => &rest[..=at],
        _ => text,
    }
}

/// A path in a request.
pub(crate) fn project_path(root: &Path, path: &str, at: &str) -> Result<ProjectPath, EditError> {
    ProjectPath::within(root, Path::new(path))
        .and_then(|path| ProjectPath::new(path.as_str()))
        .map_err(|why| EditError::Path { at: at.to_owned(), why })
}
