//! The decision: [`decide`] compares [`Evidence`] with [`GateRules`] and returns a [`Permit`] or every
//! [`Refusal`]. The threads of the gate decide (`gates.rs`).
use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::gates::{Policy, PolicyError};
use crate::program::{Blocker, Event, Thread};
use crate::requirements::Requirement;
use crate::{ChangeSource, Evidence, Findings, Permit, RungName, events};

/// The rules of the gate. The default is what a maintainer would require of an outside contributor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateRules {
    /// Rungs that must have run and passed.
    pub require: Vec<RungName>,
    /// Globs of files that may change; empty: any file.
    pub allow_files: Vec<String>,
    /// Maximum number of changed files.
    pub max_files: usize,
    /// Maximum number of added and removed lines, summed.
    pub max_lines: usize,
    /// Whether public signatures may change.
    pub allow_public_changes: bool,
    /// Whether a person may write a change that leaves errors of the tree.
    pub allow_partial: bool,
    /// Which rules of preservation apply.
    pub keep: Keep,
    /// Threads of users beside those of the shipped policy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<Thread>,
    /// Origin of the change. No settings have it: a caller in this program declares it.
    #[serde(skip)]
    pub source: ChangeSource,
    /// Whether a person asks for the change with the errors that it leaves. No settings have it: a caller in this
    /// program declares it, and none does for an agent.
    #[serde(skip)]
    pub is_partial: bool,
}

impl Default for GateRules {
    fn default() -> Self {
        Self {
            require: vec![RungName::Parse, RungName::Check],
            allow_files: Vec::new(),
            max_files: 50,
            max_lines: 2_000,
            allow_public_changes: true,
            allow_partial: true,
            keep: Keep::Everything,
            threads: Vec::new(),
            source: ChangeSource::Edits,
            is_partial: false,
        }
    }
}

/// The part of the preservation rule that the gate enforces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// All of it: no code is removed. For repairs, from any source.
    #[default]
    Everything,
    /// The rules that protect tests, lints and their configuration. For edits by a user or a
    /// program, whose purpose may be to remove code; other removals are only reported.
    Tests,
}

impl GateRules {
    /// The same rules with one more required rung.
    pub fn requiring(mut self, rung: RungName) -> Self {
        if !self.require.contains(&rung) {
            self.require.push(rung);
            self.require.sort();
        }
        self
    }
}

/// A user's approval of one change. It covers only what it names, and is recorded with the change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Name of the user.
    pub who: String,
    /// GateRules of preservation that this change may violate, by name (`test-removed`), and files that only a
    /// person may change (`protected-file:PATH`).
    pub allow: Vec<String>,
    /// Reason for opening a closed gate; an empty reason has no effect.
    pub override_reason: Option<String>,
}

/// The result of [`decide`].
#[derive(Debug)]
pub enum Decision {
    /// The change may be applied.
    Open(Permit),
    /// The change is rejected for these reasons (never empty).
    Closed(Vec<Refusal>),
    /// The recorded evidence meets the rules. There is no permit: the change must be verified again.
    OnRecord,
}

impl Decision {
    /// The permit, or every reason why there is none.
    ///
    /// # Errors
    /// The reasons of a closed gate; of recorded evidence, that it is a record.
    pub fn permit(self) -> Result<Permit, Vec<Refusal>> {
        match self {
            Self::Open(permit) => Ok(permit),
            Self::Closed(refusals) => Err(refusals),
            Self::OnRecord => Err(vec![Refusal {
                rule: "compile".to_owned(),
                reason: "the evidence is a record".to_owned(),
                hint: "verify the change on the current tree".to_owned(),
                permission: None,
            }]),
        }
    }
}

/// One reason why the gate is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{rule}: {reason}")]
pub struct Refusal {
    /// Rule name: `compile`, `tests`, `preservation`, `files`, `protected-file`, `size`,
    /// `public-api`, `partial`.
    pub rule: String,
    /// Reason.
    pub reason: String,
    /// Hint: what would satisfy the rule.
    pub hint: String,
    /// Permission by which a person lifts it; the hint contains it as a flag of the command line.
    #[serde(skip)]
    pub permission: Option<NamedPermission>,
}

/// Permission that a person gives by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPermission {
    /// Way to satisfy the rule without the permission.
    pub(crate) instead: String,
    /// The name that `--allow` takes: `preservation:test-removed`.
    pub(crate) name: String,
}

impl NamedPermission {
    /// The hint, where `way` is how the permission is given, up to the name.
    pub fn hint(&self, way: &str) -> String {
        format!("{}, or {way} {}`", self.instead, self.name)
    }
}

impl Refusal {
    /// The refusal with the permission that would lift it, if a person can give one.
    pub fn with_permission(&self) -> String {
        match &self.permission {
            Some(it) => format!("{self} (`--allow {}` allows it)", it.name),
            None => self.to_string(),
        }
    }
}

/// Decides on a change. `approval` is a user's approval of this change; the permit keeps it only
/// where it was needed.
pub fn decide(rules: &GateRules, evidence: Evidence, approval: &Approval) -> Decision {
    let Some(tree) = evidence.tree.clone() else {
        return Decision::Closed(vec![Refusal {
            rule: "compile".to_owned(),
            reason: "the evidence names no tree".to_owned(),
            hint: "verify the change on the current tree".to_owned(),
            permission: None,
        }]);
    };
    let policy = Policy::of(rules);
    let closed_by = |allow: &[String]| closed_by(&policy, rules, &evidence, allow);
    let is_overridden = approval.override_reason.as_ref().is_some_and(|it| !it.trim().is_empty());
    let (approved, overridden) = match closed_by(&[]).is_empty() {
        true => (None, false),
        false => match closed_by(&approval.allow) {
            refused if refused.is_empty() => (Some(approval.clone()), false),
            _ if is_overridden => (Some(approval.clone()), true),
            refused => return Decision::Closed(refused),
        },
    };
    match evidence.is_record() {
        true => Decision::OnRecord,
        false => Decision::Open(Permit::new(evidence, tree, approved, overridden)),
    }
}

/// Why the gate is closed for a change with these findings: what [`decide`] would answer to the same
/// evidence, without a permit. Empty if the gate would open.
pub fn explain(rules: &GateRules, findings: &Findings, allow: &[String]) -> Vec<Refusal> {
    closed_by(&Policy::of(rules), rules, findings, allow)
}

/// Why the gate is closed for a change of which nothing is known yet: the threads that block it, each
/// with what it waits for.
pub fn explain_unverified(rules: &GateRules) -> Vec<Refusal> {
    let policy = match Policy::of(rules) {
        Ok(policy) => policy,
        Err(error) => return vec![unusable(&error)],
    };
    let blockers = match policy.blockers(&[Event::new("proposed")], Event::new(events::APPLY)) {
        Ok(blockers) => blockers,
        Err(error) => return vec![unusable(&error)],
    };
    let hint = |name: &str| {
        let thread = policy.threads().iter().find(|thread| thread.name == name);
        thread.map(Thread::description).unwrap_or_default()
    };
    let refusal = |blocker: Blocker| Refusal {
        hint: hint(&blocker.thread),
        rule: blocker.thread,
        reason: blocker.because,
        permission: None,
    };
    blockers.into_iter().map(refusal).collect()
}

/// Every reason why the gate is closed: those of the threads that block `apply` after what the findings
/// report.
fn closed_by(
    policy: &Result<Policy, PolicyError>,
    rules: &GateRules,
    findings: &Findings,
    allow: &[String],
) -> Vec<Refusal> {
    let facts = Facts { rules, findings, allow };
    let reported = events::of(&facts);
    let blockers = policy.as_ref().map_err(Clone::clone);
    match blockers.and_then(|it| it.blockers(&reported, events::apply(&facts))) {
        Ok(blockers) => {
            blockers.into_iter().flat_map(|it| reasons(it, &facts, &reported)).collect()
        }
        Err(error) => vec![unusable(&error)],
    }
}

/// The reasons of one thread: of a shipped one a sentence for each condition that does not hold, of
/// another one, and where there is no sentence, its own reason. Never empty.
fn reasons(blocker: Blocker, facts: &Facts<'_>, reported: &[Event]) -> Vec<Refusal> {
    let refused = Requirement::named(&blocker.thread).map_or(Vec::new(), |requirement| {
        let event = reported.iter().rev().find(|it| it.name == requirement.event);
        event.map_or(Vec::new(), |event| requirement.refusals(facts, event))
    });
    if !refused.is_empty() {
        return refused;
    }
    vec![Refusal {
        rule: blocker.thread,
        reason: blocker.because,
        hint: "`graftage policy show` prints the thread that blocks it".to_owned(),
        permission: None,
    }]
}

fn unusable(error: &PolicyError) -> Refusal {
    Refusal {
        rule: "policy".to_owned(),
        reason: error.to_string(),
        hint: "correct the policy; `graftage policy verify` checks it".to_owned(),
        permission: None,
    }
}
