//! Access to files that a hostile process or repository may have written.
//!
//! Invariants:
//! - a path is resolved through descriptors below a root that we trust, and no symbolic link is
//!   followed;
//! - only regular files are read, and each read, listing and copy has a limit;
//! - nothing is deleted, written or given other permissions through a path: the descriptor of the
//!   folder is held while something in it is changed, so a name that is swapped meanwhile leads
//!   nowhere else.
//!
//! [`Dir`] is a folder below which everything is doubted. [`read_regular`] reads one file of a
//! repository, [`read_own`] one of the user's own configuration. What is unusual is a [`Fault`].

mod copy;
mod dir;
mod fault;
mod file;
mod open;
mod remove;

pub use copy::CopyLimits;
pub use dir::{Dir, DirEntry, EntryKind, Found};
pub use fault::Fault;
pub use file::{read_own, read_regular, read_source};
