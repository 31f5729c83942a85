//! Edits and overlays as values: what a change is, how changes compose and invert, where a
//! position goes, and how the formats that people and models write become one [`Overlay`].
//!
//! Invariants: this room opens no file and writes none (files are read through [`Files`], results
//! are values). Content is locked by hash, never by time. A request is taken whole or refused
//! whole: nothing is staged when one edit of it is refused. Bytes outside the edited spans –
//! line endings, byte order marks, final newlines, modes – are kept exactly.

use std::sync::Arc;

use base::{ContentHash, ProjectPath, Timestamp};

/// One file at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    /// The whole text, its byte order mark and line endings included.
    pub text: Arc<str>,
    /// Whether the executable bits are set.
    pub executable: bool,
}

impl FileState {
    /// The byte hash, which is the lock.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.text.as_bytes())
    }
}

/// Why a file cannot be read as a text of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// It is a symbolic link, or lies behind one.
    Symlink,
    /// It is a folder or a device.
    NotAFile,
    /// The system refused.
    Io(String),
}

/// The files that edits are made against; `repo` implements it over the disk, tests over a map.
pub trait Files {
    /// The file as it is now; `Ok(None)` where there is none.
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable>;
}

// --- stubs below are replaced by modules: text_edit, span_map, overlay, udiff, search_replace, request, stage ---

/// Removed and inserted text at increasing offsets of one base text.
/// Invariant: splices are sorted, disjoint, not adjacent, none empty, each on character borders.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TextEdit {
    pub splices: Vec<Splice>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    pub span: base::ByteSpan,
    pub insert: String,
}

/// What happens to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    pub before: Option<FileState>,
    pub after: Option<FileState>,
    pub renamed_from: Option<ProjectPath>,
    pub edit: TextEdit,
}

/// A change of a project as a value: for each file its exact state before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    pub author: String,
    pub created_at: Timestamp,
}
impl Overlay {
    /// The project as it stands.
    pub fn empty() -> Self { unimplemented!() }
    /// All changes, in path order.
    pub fn changes(&self) -> impl Iterator<Item = (&ProjectPath, &FileChange)> { std::iter::empty() }
    pub fn get(&self, _path: &ProjectPath) -> Option<&FileChange> { unimplemented!() }
    pub fn is_empty(&self) -> bool { unimplemented!() }
    /// Hash of paths, befores and afters: what a permit speaks of (author and time do not count).
    pub fn patch_set(&self) -> ContentHash { unimplemented!() }
    /// from explicit states; unchanged files are dropped
    pub fn from_states(_author: &str, _at: Timestamp, _states: Vec<(ProjectPath, Option<FileState>, Option<FileState>)>) -> Self { unimplemented!() }
    /// Applies splices to base files: the constructor that reasoners use. Refuses overlap, non char boundary, missing file.
    pub fn from_splices(_author: &str, _at: Timestamp, _files: &dyn Files, _splices: &[(ProjectPath, Splice)]) -> Result<Self, EditError> { unimplemented!() }
    pub fn compose(&self, _next: &Overlay) -> Result<Overlay, EditError> { unimplemented!() }
    pub fn invert(&self) -> Overlay { unimplemented!() }
    /// One unified diff over all files, `--- a/x` / `+++ b/x`, git style for create, delete, rename, mode
    pub fn unified_diff(&self) -> String { unimplemented!() }
    /// added/removed line counts
    pub fn stat(&self) -> DiffStat { unimplemented!() }
    /// base <-> overlay positions of one changed file
    pub fn span_map(&self, _path: &ProjectPath) -> Option<SpanMap> { unimplemented!() }
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiffStat { pub files: usize, pub added: usize, pub removed: usize }
/// Exact translation of positions of one file between base and overlay.
#[derive(Clone, Debug)]
pub struct SpanMap {}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side { Before, After }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapped<T> { Exact(T), /// no counterpart; the nearest anchor
 Gone { nearest: T } }
impl SpanMap {
    pub fn byte_to_base(&self, _byte: usize, _side: Side) -> usize { unimplemented!() }
    pub fn byte_to_overlay(&self, _byte: usize, _side: Side) -> usize { unimplemented!() }
    pub fn span_to_base(&self, _span: base::ByteSpan) -> Mapped<base::ByteSpan> { unimplemented!() }
    pub fn span_to_overlay(&self, _span: base::ByteSpan) -> Mapped<base::ByteSpan> { unimplemented!() }
    pub fn line_to_base(&self, _line: u32) -> Mapped<u32> { unimplemented!() }
    pub fn line_to_overlay(&self, _line: u32) -> Mapped<u32> { unimplemented!() }
}
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("edit refused")]
pub struct EditError {}

/// What `edit apply` was given, any format, auto-detected.
pub struct EditRequest {}
/// The answer to a request.
pub struct Staged { pub overlay: Overlay, pub notes: Vec<String> /* deprecations, fuzzy placements */ }
/// Reads a request: JSON (tagged canonical/splice; legacy), unified diff, search/replace blocks, whole file.
pub fn parse_request(_text: &str, _project_root: &std::path::Path) -> Result<EditRequest, EditError> { unimplemented!() }
/// All edits of the request or none.
pub fn stage(_files: &dyn Files, _request: &EditRequest, _author: &str, _at: Timestamp) -> Result<Staged, EditError> { unimplemented!() }
