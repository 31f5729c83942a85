//! Compares the call edges of the map with gold edges ([`receivers`]), and with rust-analyzer's
//! index of the same workspace ([`mod@oracle`]).
//!
//! Invariants: of the map, only edges, their sites and tiers are used. Where the oracle has no data
//! (code that is disabled on this host, tokens inside of macro definitions) nothing is compared,
//! and the number of such sites is reported.

mod map_calls;
mod names;
mod oracle;
mod oracle_page;
pub(crate) mod receivers;
mod reference;
mod shape;

pub use oracle::{Missed, OracleOptions, OracleReport, Share, Tally, WrongEdge, oracle};

#[cfg(test)]
mod tests;
