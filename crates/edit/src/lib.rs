//! Edits and overlays as values: text edits that compose, invert and map positions, and parsers
//! that turn the formats that users and models write into one [`Overlay`].
//!
//! Invariants: this crate reads and writes no file (files are read through [`Files`], results are
//! values). Content is locked by hash, never by time. A request is all or nothing: if one edit is
//! rejected, nothing is staged. Bytes outside the edited spans – line endings, byte order marks,
//! final newlines, modes – are kept exactly. Start at [`parse_request`], [`stage`] and
//! [`TextEdit`].
//!
//! ```
//! use graftage_edit::{Splice, TextEdit};
//! let base = "let a = 1;";
//! let edit = TextEdit::new(base, &[Splice::new(4, 5, "b")]).unwrap();
//! assert_eq!(edit.apply(base).unwrap(), "let b = 1;");
//! ```

mod canonical;
mod diff;
mod endings;
mod error;
mod file;
mod format;
mod json;
mod json_request;
mod overlay;
mod parts;
mod placement;
mod request;
mod search_replace;
mod span_map;
mod stage;
mod stage_diff;
mod stage_edits;
mod stored;
mod text_edit;
mod udiff_hunk;
mod udiff_names;
mod udiff_read;
mod udiff_write;
mod whole_file;

pub use diff::diff_sequences;
pub use error::EditError;
pub use file::{FileChange, FileState, Files, Unreadable};
pub use format::parse_request;
pub use overlay::{DiffStat, Overlay};
pub use parts::{HunkPlace, OverlayHunks};
pub(crate) use request::Edit;
pub use request::{EditRequest, Format};
pub use span_map::{Mapped, SpanMap};
pub use stage::{Staged, stage};
pub use text_edit::{Side, Splice, SpliceFault, TextEdit};
