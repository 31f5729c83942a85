//! [`TaskEvent`]: what can happen to a task.

use serde::{Deserialize, Serialize};

/// What happened, as the driver reports it. Closed: a task has no other events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEvent {
    /// The task begins.
    Started,
    /// The tree needs no repair.
    TreeClean,
    /// The tree builds with the in-progress change, which is the only candidate.
    #[serde(rename = "begun")]
    InProgress,
    /// The tree has errors to fix.
    TreeBroken,
    /// The tree cannot be checked, or must not be repaired.
    NotRepairable,
    /// A source has proposed candidates, or may have.
    Proposed,
    /// No source is left.
    NothingProposed,
    /// Candidates were made.
    Materialized,
    /// No candidate is left.
    NoCandidate,
    /// They were checked.
    Checked,
    /// One that builds is the best.
    Scored,
    /// None that builds is left.
    NoneBuilds,
    /// It passed the tests.
    TestsPassed,
    /// It did not, or no test covers what it guesses.
    TestsFailed,
    /// The gate has opened.
    GateOpened,
    /// The gate is closed.
    GateClosed,
    /// It passed, and others that mean something else are still to be tried.
    ChoiceKept,
    /// What was found out is recorded.
    Refined,
    /// One of several that passed is taken.
    Chosen,
    /// There is no verified change.
    GivenUp,
    /// The user accepts the verified change.
    ApplyAsked,
    /// It was written.
    Applied,
    /// The tree had changed, and the change does not pass on it.
    ApplyRefused,
    /// The time is over.
    TimedOut,
    /// The wait is over.
    Waited,
    /// The user interrupted.
    Cancelled,
    /// A thread of the guard blocks what was to happen.
    Blocked,
    /// A command failed.
    Failed {
        /// Whether it may succeed later.
        transient: bool,
    },
}

impl TaskEvent {
    /// Its name as an event of a behavioural program.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::TreeClean => "tree_clean",
            Self::InProgress => "in_progress",
            Self::TreeBroken => "tree_broken",
            Self::NotRepairable => "not_repairable",
            Self::Proposed => "proposed",
            Self::NothingProposed => "nothing_proposed",
            Self::Materialized => "materialized",
            Self::NoCandidate => "no_candidate",
            Self::Checked => "checked",
            Self::Scored => "scored",
            Self::NoneBuilds => "none_builds",
            Self::TestsPassed => "tests_passed",
            Self::TestsFailed => "tests_failed",
            Self::GateOpened => "gate_opened",
            Self::GateClosed => "gate_closed",
            Self::ChoiceKept => "choice_kept",
            Self::Refined => "refined",
            Self::Chosen => "chosen",
            Self::GivenUp => "given_up",
            Self::ApplyAsked => "apply_asked",
            Self::Applied => "applied",
            Self::ApplyRefused => "apply_refused",
            Self::TimedOut => "timed_out",
            Self::Waited => "waited",
            Self::Cancelled => "cancelled",
            Self::Blocked => "blocked",
            Self::Failed { .. } => "failed",
        }
    }

    /// All events.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 29] = [
        Self::Started,
        Self::TreeClean,
        Self::InProgress,
        Self::TreeBroken,
        Self::NotRepairable,
        Self::Proposed,
        Self::NothingProposed,
        Self::Materialized,
        Self::NoCandidate,
        Self::Checked,
        Self::Scored,
        Self::NoneBuilds,
        Self::TestsPassed,
        Self::TestsFailed,
        Self::GateOpened,
        Self::GateClosed,
        Self::ChoiceKept,
        Self::Refined,
        Self::Chosen,
        Self::GivenUp,
        Self::ApplyAsked,
        Self::Applied,
        Self::ApplyRefused,
        Self::TimedOut,
        Self::Waited,
        Self::Cancelled,
        Self::Blocked,
        Self::Failed { transient: false },
        Self::Failed { transient: true },
    ];
}
