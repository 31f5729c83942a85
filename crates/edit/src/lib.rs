//! Edits and overlays as values: what a change is, how changes compose and invert, where a
//! position goes, and how the formats that people and models write become one [`Overlay`].
//!
//! Invariants: this room opens no file and writes none (files are read through [`Files`], results
//! are values). Content is locked by hash, never by time. A request is taken whole or refused
//! whole: nothing is staged when one edit of it is refused. Bytes outside the edited spans –
//! line endings, byte order marks, final newlines, modes – are kept exactly.
//!
//! ```
//! use graftage_edit::{Splice, TextEdit};
//! let base = "let a = 1;";
//! let edit = TextEdit::new(base, &[Splice::new(4, 5, "b")]).unwrap();
//! assert_eq!(edit.apply(base).unwrap(), "let b = 1;");
//! ```

mod diff;
mod error;
mod file;
mod overlay;
mod span_map;
mod text_edit;
mod udiff_write;

pub use error::EditError;
pub use file::{FileChange, FileState, Files, Unreadable};
pub use overlay::{DiffStat, Overlay};
pub use span_map::{Mapped, SpanMap};
pub use text_edit::{Side, Splice, SpliceFault, TextEdit};

/// What `edit apply` was given, any format, auto-detected.
pub struct EditRequest {}
/// The answer to a request.
pub struct Staged {
    pub overlay: Overlay,
    pub notes: Vec<String>, /* deprecations, fuzzy placements */
}
/// Reads a request: JSON (tagged canonical/splice; legacy), unified diff, search/replace blocks, whole file.
pub fn parse_request(
    _text: &str,
    _project_root: &std::path::Path,
) -> Result<EditRequest, EditError> {
    unimplemented!()
}
/// All edits of the request or none.
pub fn stage(
    _files: &dyn Files,
    _request: &EditRequest,
    _author: &str,
    _at: base::Timestamp,
) -> Result<Staged, EditError> {
    unimplemented!()
}
