//! Access to files that a hostile process or repository may have written.
//!
//! Invariants:
//! - a path is resolved through descriptors below a trusted root, and no symbolic link is followed;
//! - only regular files are read, and each read, listing and copy has a limit;
//! - nothing is deleted, written or chmod'ed by path: the descriptor of the folder is held during
//!   each change, so a name that is swapped meanwhile cannot redirect it.
//!
//! Start at [`Dir`], a folder with untrusted contents. [`read_regular`] reads one file of a repository,
//! [`read_own`] one of the user's own configuration; [`make_own`] makes a folder of the program. Anything
//! unusual is a [`Fault`].

mod copy;
mod dir;
mod fault;
mod file;
mod leads;
mod open;
mod own;
mod own_files;
mod remove;
mod replace;
mod scratch;
mod size;
mod socket;
mod write;

pub use copy::CopyLimits;
pub use dir::{Dir, DirEntry, EntryKind, FileContents};
pub use fault::Fault;
pub use file::{leads_to_special, open_regular, read_own, read_regular, read_source};
pub use leads::leads_to;
pub use own::{make_chosen, make_own, make_private, open_inner, open_own};
pub use own_files::OwnFiles;
pub use scratch::{Claim, ScratchFolder, claim, claim_dead, remove_scratch, sweep};
pub use socket::connect;
pub use write::replace_own;
