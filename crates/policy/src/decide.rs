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
    /// What the change must keep of what is there.
    pub keep: Keep,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            require: vec![RungName::Parse, RungName::Check],
            allow_files: Vec::new(),
            max_files: 50,
            max_lines: 2_000,
            allow_public_changes: true,
            keep: Keep::Everything,
        }
    }
}

/// How much of the preservation rule holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// All of it: nothing is taken away. For repairs, whoever proposes them.
    #[default]
    Everything,
    /// What protects tests, lints and their configuration. For edits that a person or a program
    /// wrote: removing code may be their very purpose; what else goes is reported.
    Tests,
}

impl Rules {
    /// The same rules with one rung more to climb.
    pub fn requiring(mut self, rung: RungName) -> Self {
        if !self.require.contains(&rung) {
            self.require.push(rung);
            self.require.sort();
        }
        self
    }
}

/// What a person decided about one change; it opens what it names and nothing else, and is recorded
/// with the change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Approval {
    /// The person.
    pub who: String,
    /// Rules of preservation that this change may break, by name (`test-removed`).
    pub allow: Vec<String>,
    /// Why a closed gate is to open; an empty reason opens nothing.
    pub override_reason: Option<String>,
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

/// Decides on a change. `approval` is a person's word for this change; it is kept in the permit where
/// the gate needed it.
pub fn decide(rules: &Rules, evidence: Evidence, approval: &Approval) -> Decision {
    let Some(tree) = evidence.tree.clone() else {
        return Decision::Closed(vec![Refusal {
            rule: "compile".to_owned(),
            reason: "the evidence names no tree".to_owned(),
            hint: "prove the change on the tree as it is".to_owned(),
        }]);
    };
    if refusals(rules, &evidence, &[]).is_empty() {
        return Decision::Open(Permit::new(evidence, tree, None, false));
    }
    let refused = refusals(rules, &evidence, &approval.allow);
    if refused.is_empty() {
        return Decision::Open(Permit::new(evidence, tree, Some(approval.clone()), false));
    }
    match &approval.override_reason {
        Some(reason) if !reason.trim().is_empty() => {
            Decision::Open(Permit::new(evidence, tree, Some(approval.clone()), true))
        }
        _ => Decision::Closed(refused),
    }
}
