//! The durable record of one project, in the folder `record` of its state directory.
//!
//! - [`Record`]: the proposals, tool calls and retrievals of the project. Start here.
//! - [`RunHistory`]: the finished runs and what was forgotten, a fold like the next.
//! - [`Proposals`]: the state of all proposals, a pure fold of the [`RecordEntry`]s of the log.
//! - [`Log`]: an append-only file of JSON lines, chained by checksums.
//! - [`Blobs`]: texts by their hash, for what is too long for a line.
//!
//! Invariants: what was appended with [`Durable::Synced`] survives a kill at any moment; a line that
//! does not verify is reported and moved aside, and neither it nor anything after it is trusted.
//! Readers take no lock. This crate reads no clock and no randomness except through [`base::Ctx`].

mod blobs;
mod entry;
mod error;
mod history;
mod line;
mod log;
mod proposal;
mod record;
mod run;
mod tail;

pub use blobs::Blobs;
pub use entry::{
    CodeRow, FileBase, FutureAction, NewProposal, Piece, PreflightRecord, RecordEntry,
    RetrievalRecord, own_text,
};
pub(crate) use error::Result;
pub use error::{LogTrouble, RecordError};
pub use history::{PastRun, RunHistory};
pub use line::LINE_LIMIT;
pub use log::{Durable, HeldLock, Log, LogContent, LogWriter, Numbered};
pub use proposal::{Illegal, Proposal, ProposalState, Proposals};
pub use record::{ID_LENGTH, Record};
pub use run::{AppliedRun, ErrorRecord, GivenAnswer, RunDetail, RunItem, RunRecord, SkillRecord};
