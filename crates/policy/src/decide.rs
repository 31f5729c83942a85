use serde::{Deserialize, Serialize};

use crate::refusals::refusals;
use crate::{Evidence, Permit, RungName};

/// What the gate demands. The default is what a careful maintainer would ask of a stranger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Rungs that must have been climbed and held.
    pub require: Vec<RungName>,
    /// Globs of files that may change; empty: any.
    pub allow_files: Vec<String>,
    /// At most so many files.
    pub max_files: usize,
    /// At most so many added and removed lines together.
    pub max_lines: usize,
    /// Whether public signatures may change.
    pub allow_public_changes: bool,
    /// Whether items, statements, tests and the like may go (an edit by hand may; a repair not).
    pub allow_violations: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            require: vec![RungName::Parse, RungName::Check],
            allow_files: Vec::new(),
            max_files: 50,
            max_lines: 2_000,
            allow_public_changes: true,
            allow_violations: false,
        }
    }
}

impl Rules {
    /// What a repair must keep: it parses and builds, the tests it can reach are no worse, and
    /// nothing is taken away. Tight caps, because a repair that rewrites much is no repair.
    pub fn for_fix() -> Self {
        Self {
            require: vec![RungName::Parse, RungName::Check, RungName::AffectedTests],
            max_files: 20,
            max_lines: 400,
            ..Self::default()
        }
    }

    /// What an edit that a person or a model wrote must keep: it parses and builds. It may take
    /// items and statements away, because that may be its very purpose.
    pub fn for_edit() -> Self {
        Self { allow_violations: true, ..Self::default() }
    }

    /// The same rules with one rung more to climb.
    pub fn requiring(mut self, rung: RungName) -> Self {
        if !self.require.contains(&rung) {
            self.require.push(rung);
            self.require.sort();
        }
        self
    }

    /// The same rules without the rungs that run tests.
    pub fn without_tests(mut self) -> Self {
        self.require.retain(|rung| !rung.runs_tests());
        self
    }
}

/// The gate's answer.
#[derive(Debug)]
pub enum Decision {
    /// It may be written.
    Open(Permit),
    /// It may not, for these reasons (never empty).
    Closed(Vec<Refusal>),
}

/// One reason why the gate stays closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{rule}: {reason}")]
pub struct Refusal {
    /// The rule's name: `compile`, `tests`, `preservation`, `files`, `size`, `public-api`.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// What would open it.
    pub hint: String,
}

/// Decides on a change. `override_by` is a person's word (who, why) that opens a closed gate and
/// is kept in the permit; nothing else does.
pub fn decide(rules: &Rules, evidence: Evidence, override_by: Option<(&str, &str)>) -> Decision {
    let refusals = refusals(rules, &evidence);
    if refusals.is_empty() {
        return Decision::Open(Permit::proven(evidence));
    }
    match override_by {
        Some((who, why)) if !why.trim().is_empty() => {
            Decision::Open(Permit::overridden(evidence, who, why))
        }
        _ => Decision::Closed(refusals),
    }
}
