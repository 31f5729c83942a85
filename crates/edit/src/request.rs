use std::path::Path;

use base::{ContentHash, ProjectPath};
use serde::Serialize;
use syntax::NodeKind;

use crate::search_replace::Block;
use crate::udiff_read::FileDiff;
use crate::{EditError, json_request, search_replace, udiff_read, whole_file};

/// One typed edit. All edits of a request speak of the files as they are now, not of what an
/// earlier edit of the same request leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Edit {
    /// Puts new code in an item's place. Where `code` brings no doc comments the item keeps its
    /// own, and likewise its attributes.
    Canonical {
        /// The file.
        file: ProjectPath,
        /// The item's path in it, as [`syntax::Item::canon`] writes it.
        canon: String,
        /// What it must be.
        node_type: NodeKind,
        /// The whole new item, alone.
        code: String,
    },
    /// Replaces bytes.
    Splice {
        /// The file.
        file_path: ProjectPath,
        /// The hash of the bytes that the offsets were counted in.
        expected_file_hash: ContentHash,
        /// The first byte that goes.
        start_byte: usize,
        /// One past the last byte that goes.
        end_byte: usize,
        /// What comes there.
        replacement: String,
        /// Whose file it is; none for the project's own. Not judged here: the caller knows the
        /// project's name.
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<String>,
    },
    /// Writes a whole file, new or not.
    File {
        /// The file.
        file_path: ProjectPath,
        /// Its text.
        text: String,
        /// The hash of what it replaces; then the file must be there.
        #[serde(skip_serializing_if = "Option::is_none")]
        expected_file_hash: Option<ContentHash>,
    },
}

impl Edit {
    /// The file it speaks of.
    pub fn path(&self) -> &ProjectPath {
        match self {
            Edit::Canonical { file, .. } => file,
            Edit::Splice { file_path, .. } | Edit::File { file_path, .. } => file_path,
        }
    }
}

/// How a request was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// `{"edits": […]}`.
    Json,
    /// A unified diff, plain or git's.
    UnifiedDiff,
    /// `<<<<<<< SEARCH` blocks.
    SearchReplace,
    /// Whole files in fences under their paths.
    WholeFile,
}

/// What `edit apply` was given, in any format, read and not yet tried on the files.
#[derive(Clone, Debug)]
pub struct EditRequest {
    /// How it was written.
    pub format: Format,
    /// How sure its author is, 0 to 1, if they said.
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
    /// A request of typed edits.
    pub fn from_edits(edits: Vec<Edit>, confidence: Option<f32>) -> Self {
        let name = |(idx, edit)| (format!("edits[{idx}]"), edit);
        let body = Body::Edits(edits.into_iter().enumerate().map(name).collect());
        Self { format: Format::Json, confidence, notes: Vec::new(), body }
    }

    /// The files it speaks of, sorted, each once.
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

/// Reads a request: JSON (tagged edits, or the legacy splice shape), a unified diff,
/// search/replace blocks, or whole files. The first mark of a format decides; a text without any
/// is refused with the reason for each. Absolute paths must lie below `project_root`, which is
/// only compared, never opened.
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
                "JSON: does not begin with `{`".into(),
                "unified diff: no `--- ` and `+++ ` lines and no `diff --git` line".into(),
                "search/replace: no `<<<<<<< SEARCH` line".into(),
                "whole file: no fence of three backticks".into(),
            ],
        }),
    }
}

/// Models wrap what they say: the inside of one fence around everything, where the fence says
/// that it holds JSON or a diff.
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
