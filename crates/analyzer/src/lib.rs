//! The interface to rust-analyzer: finds the program ([`locate`]), indexes a whole workspace
//! ([`scip_batch`], [`scip::read`]), and answers requests about texts that need not be on disk
//! ([`session::Session`]).
//!
//! No other crate depends on rust-analyzer's interfaces. This crate installs nothing and prevents
//! installation: rust-analyzer runs `rustup component add rust-src` if it finds no sources of the
//! standard library, so it never runs without `RUST_SRC_PATH`, and the sandbox contains no rustup.
//! rust-analyzer runs build scripts and procedural macros of the project, so it always runs in the
//! sandbox, offline, with a target directory of its own.
//!
//! Invariants: the facts are those of rust-analyzer; none is added or guessed. A damaged index is
//! reported ([`scip::Facts::damage`]) together with the facts before the damage. Reading never
//! panics, whatever the bytes are.

mod batch;
mod error;
mod locate;
mod memory;
pub mod scip;
pub mod session;
mod version;

pub use batch::{
    Batch, BatchOptions, Features, IndexedProject, drop_index, keep_index, kept_index, scip_batch,
};
pub use error::AnalyzerError;
pub use locate::{
    Analyzer, AnalyzerProgram, AnalyzerSearch, AnalyzerSource, locate, share_unpacked,
};
pub use memory::memory_by_default;
pub use version::Version;
