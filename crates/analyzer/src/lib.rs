//! rust-analyzer: where it is ([`locate`]), what it knows of a whole workspace ([`scip_batch`],
//! [`scip::read`]), and what it says of texts that are not on disk ([`session::Session`]).
//!
//! It is the only room that knows rust-analyzer's interfaces. It installs nothing, and lets
//! nothing be installed: rust-analyzer calls `rustup component add rust-src` by itself where it
//! finds no sources of the standard library, so it is never run without `RUST_SRC_PATH`, and in
//! the sandbox there is no rustup at all. rust-analyzer runs build scripts and procedural macros
//! of the project it reads, hence always in the sandbox, offline, with a target directory of its
//! own.
//!
//! Invariants: the facts are those of rust-analyzer, none is added or guessed. A damaged index is
//! said to be one ([`scip::Facts::damage`]); what stands before the damage is handed over, for the
//! caller to take or leave. Reading never panics, whatever the bytes are.

mod batch;
mod error;
mod locate;
mod memory;
pub mod scip;
pub mod session;
mod version;

pub use batch::{
    Batch, BatchOptions, Features, Project, drop_index, keep_index, kept_index, scip_batch,
};
pub use error::AnalyzerError;
pub use locate::{Analyzer, Found, Search, Source, locate, share_unpacked};
pub use memory::memory_by_default;
pub use version::Version;
