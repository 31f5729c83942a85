//! Judges the call edges of the map: against gold edges ([`receivers`]), and against what
//! rust-analyzer says of the same workspace ([`oracle`]).
//!
//! Invariants: nothing that the map believes of itself goes into a judgement but the edges, their
//! sites and tiers. Where the oracle has no opinion – code that is off on this host, tokens inside
//! of macro definitions – nothing is judged, and how much that is is said.

mod judge;
mod names;
mod oracle;
mod oracle_page;
mod ours;
pub(crate) mod receivers;
mod shape;

pub use oracle::{Missed, OracleOptions, OracleReport, Share, Tally, WrongEdge, oracle};

#[cfg(test)]
mod tests;
