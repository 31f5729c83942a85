//! The gate: from evidence to [`Permit`], without which `repo::apply` writes nothing.
//!
//! Invariants: this is the only mint of a `Permit`; a permit names the exact patch set that was
//! proven (by hash) and what it was proven against, so it opens the gate for that change on that
//! tree and no other. The room is pure: it believes the evidence it is handed, and says in full
//! why the gate stays closed.

mod decide;
mod evidence;
mod permit;
mod refusals;

#[cfg(test)]
mod tests;

pub use decide::{Decision, Refusal, Rules, decide};
pub use evidence::{Evidence, FileSummary, PatchKind, Rung, RungName, TestOutcome, Violation};
pub use permit::{Permit, Restore};
