//! The gate: from evidence to [`Permit`], without which `repo::apply` writes nothing.
//!
//! Invariants: only [`decide`] makes a `Permit`; a permit names the exact patch set that was proven
//! and the exact [`Tree`] that it was proven on, both by hash, so it holds for that change on that
//! tree and no other. [`Evidence`] is read-only and is made by `check` alone. The crate is pure, and
//! a closed gate gives every reason.

mod decide;
mod events;
mod evidence;
mod facts;
mod gates;
mod permit;
pub mod program;
mod protected;
mod protected_table;
mod requirements;
pub mod structure;
mod tree;
mod unchecked;

#[cfg(test)]
mod tests;

pub use decide::{
    Approval, Decision, GateRules, Keep, NamedPermission, Refusal, decide, explain,
    explain_unverified,
};
pub use evidence::{
    Evidence, FileSummary, Findings, PatchKind, ProofCoverage, ReportedViolation, Rung, RungName,
    TestOutcome, TestReference,
};
pub use gates::{Policy, PolicyError, UnknownEvent};
pub use permit::Permit;
pub use protected::{
    ChangeSource, Exception, PROTECTED_FILE, Protected, ProtectedChange, has_secrets, is_hidden,
    protected, protected_key,
};
pub use protected_table::{PROTECTED, PROTECTED_BY_PLACE};
pub use tree::{OutsideText, OutsideTexts, Tree, TreeInputs, hash_of_files};
pub use unchecked::{UncheckedKind, UncheckedPart};
