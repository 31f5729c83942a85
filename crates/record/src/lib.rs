//! The durable record of one project, in the folder `record` of its state directory.
//!
//! - [`Log`]: an append-only file of JSON lines, chained by checksums. Start here.
//! - [`Blobs`]: texts by their hash, for what is too long for a line.
//!
//! Invariants: what was appended with [`Durable::Synced`] survives a kill at any moment; a line that
//! does not verify is reported and moved aside, and neither it nor anything after it is trusted.
//! Readers take no lock. This crate reads no clock and no randomness except through [`base::Ctx`].

mod blobs;
mod error;
mod line;
mod log;
mod tail;

pub use blobs::Blobs;
pub use error::{LogTrouble, RecordError, Result};
pub use line::LINE_LIMIT;
pub use log::{Durable, Log, LogContent, LogWriter, Numbered};
