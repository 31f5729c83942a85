//! The words that all rooms share: paths, spans, hashes, diagnostics, and [`Ctx`], through which
//! the only time, chance, cancellation and progress of the house flow.
//!
//! Invariant: this room touches nothing. It opens no file, starts no process, reads no clock and
//! no environment; whatever it knows was handed in.
//!
//! ```
//! use graftage_base::ProjectPath;
//! assert_eq!(ProjectPath::new("src/./lib.rs").unwrap().as_str(), "src/lib.rs");
//! assert!(ProjectPath::new("../secret").is_err());
//! ```

mod ctx;
mod diagnostic;
mod hash;
mod map;
mod path;
mod span;

pub use ctx::{Cancelled, Ctx, Host, Progress, Timestamp};
pub use diagnostic::{
    Applicability, Diagnostic, DiagnosticSpan, Expansion, Place, Replacement, Severity,
    SubDiagnostic,
};
pub use hash::{ContentHash, Hasher};
pub use map::{EdgeKind, ItemId, Provenance, Tier};
pub use path::{PathError, ProjectPath};
pub use span::{ByteSpan, LineCol, LineIndex};

/// What an error tells its reader to do next; a field, never text glued to the message.
pub trait Hint: std::error::Error {
    /// The mend, as one lower-case fragment; `None` where there is none to give.
    fn hint(&self) -> Option<String> {
        None
    }
}
