//! The state machine of a task as a pure function: [`Machine::after`] takes an event and returns the
//! next state; [`Machine::command`] is what is to be done there. The driver (`drive.rs`) does it, and
//! reports the next event; it decides nothing about the order.
//!
//! ```text
//!  Ready ─▶ Check tree ─▶ Propose ─▶ Materialize ─▶ Check ─▶ Score ─▶ Test ─▶ Decide ─▶ Verified ─▶ Apply
//!                            ▲            ▲  ╰── none ─▶ Propose ─▶ Abort        │
//!                            ╰────────────┴──────────── Refine ◀─ Score ◀────────╯
//! ```
//!
//! A transient failure waits and repeats the command; any other, a time-out and a cancellation end the
//! task. The order is checked a second time by a behavioural program ([`guard`]), which knows nothing
//! of the machine: what it blocks ends the task.

mod event;
pub(crate) mod guard;
#[cfg(test)]
mod tests;

pub use event::TaskEvent;
use serde::{Deserialize, Serialize};

use crate::TaskStep;

/// Most repetitions of a command that failed for a reason that may pass.
pub(crate) const MAX_RETRIES: u8 = 3;
/// The wait before the first repetition in milliseconds; each further one is twice as long.
const FIRST_WAIT_MS: u64 = 250;

/// The state of a task. A value: equal machines behave equally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Machine {
    /// Where it is.
    pub step: TaskStep,
    /// Whether the tree without a candidate was checked.
    pub tree_checked: bool,
    /// Whether the in-progress change is the only candidate.
    #[serde(rename = "begun")]
    pub in_progress: bool,
    /// Whether a change has passed that is one of several.
    pub kept: bool,
    /// Repetitions of the present command so far.
    pub retries: u8,
    /// Whether it waits before the next one.
    pub waits: bool,
    /// How it ended.
    pub end: Option<TaskEnd>,
}

/// How a task ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEnd {
    /// There was nothing to do.
    Clean,
    /// A change was verified; nothing is written yet.
    Verified,
    /// The change was written.
    Applied,
    /// No change passed.
    GivenUp,
    /// The user interrupted.
    Cancelled,
    /// Something prevented an answer.
    Failed,
}

/// What is to be done in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskCommand {
    /// Check the tree without a candidate.
    CheckTree,
    /// Ask the next source of candidates.
    Propose,
    /// Make the next candidates as overlays.
    Materialize,
    /// Check them.
    Check,
    /// Choose the best of those that build.
    Score,
    /// Run the tests on it.
    Test,
    /// Let the gate decide on it.
    Decide,
    /// Record what was found out, so that later candidates continue it.
    Refine,
    /// Write the change.
    Apply,
    /// Make the result of a task without a verified change.
    GiveUp,
    /// Wait for so many milliseconds.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
    /// Nothing: the task has ended.
    Stop,
}

/// An event that cannot happen in a state: a defect of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{event:?}` cannot happen in `{step:?}`")]
pub(crate) struct NotExpected {
    /// The state.
    pub step: TaskStep,
    /// The event.
    pub event: TaskEvent,
}

impl Default for Machine {
    /// A task that has not started.
    fn default() -> Self {
        Self {
            step: TaskStep::Ready,
            tree_checked: false,
            in_progress: false,
            kept: false,
            retries: 0,
            waits: false,
            end: None,
        }
    }
}

impl Machine {
    /// A task whose change was verified.
    pub(crate) fn verified() -> Self {
        let end = Some(TaskEnd::Verified);
        Self { step: TaskStep::Decide, tree_checked: true, end, ..Self::default() }
    }

    /// What is to be done now.
    pub(crate) fn command(&self) -> TaskCommand {
        if self.waits {
            let doubled = u32::from(self.retries.saturating_sub(1));
            return TaskCommand::Wait { ms: FIRST_WAIT_MS << doubled };
        }
        if self.end.is_some() {
            return TaskCommand::Stop;
        }
        match self.step {
            TaskStep::Ready => TaskCommand::Stop,
            TaskStep::Check if !self.tree_checked => TaskCommand::CheckTree,
            TaskStep::Check => TaskCommand::Check,
            TaskStep::Propose => TaskCommand::Propose,
            TaskStep::Materialize => TaskCommand::Materialize,
            TaskStep::Score => TaskCommand::Score,
            TaskStep::Test => TaskCommand::Test,
            TaskStep::Decide => TaskCommand::Decide,
            TaskStep::Refine => TaskCommand::Refine,
            TaskStep::Apply => TaskCommand::Apply,
            TaskStep::Abort => TaskCommand::GiveUp,
        }
    }

    /// The state after an event.
    ///
    /// # Errors
    /// An event that cannot happen in this state.
    pub(crate) fn after(self, event: TaskEvent) -> Result<Self, NotExpected> {
        use TaskEvent as E;
        use TaskStep as S;
        let not_expected = NotExpected { step: self.step, event };
        if self.waits {
            return match event {
                E::Waited => Ok(Self { waits: false, ..self }),
                E::Cancelled => Ok(self.ended(TaskEnd::Cancelled)),
                _ => Err(not_expected),
            };
        }
        match (self.step, event, self.end) {
            (S::Decide, E::ApplyAsked, Some(TaskEnd::Verified)) => {
                Ok(Self { end: None, ..self.at(S::Apply) })
            }
            (_, _, Some(_)) => Err(not_expected),
            (S::Ready, E::Started, _) => Ok(self.at(S::Check)),
            (S::Ready, ..) => Err(not_expected),
            (_, E::Cancelled, _) => Ok(self.ended(TaskEnd::Cancelled)),
            (_, E::Failed { transient: true }, _) if self.retries < MAX_RETRIES => {
                Ok(Self { waits: true, retries: self.retries + 1, ..self })
            }
            (_, E::Failed { .. } | E::Blocked, _) => Ok(self.ended(TaskEnd::Failed)),
            (S::Check, E::TreeClean, _) if !self.tree_checked => Ok(self.ended(TaskEnd::Clean)),
            (S::Check, E::InProgress, _) if !self.tree_checked => {
                Ok(Self { tree_checked: true, in_progress: true, ..self.at(S::Test) })
            }
            (S::Test, E::TestsFailed, _) | (S::Decide, E::GateClosed, _) if self.in_progress => {
                Ok(self.at(S::Abort))
            }
            (S::Abort, E::TreeClean, _) if self.in_progress => Ok(self.ended(TaskEnd::Clean)),
            (S::Check, E::TreeBroken, _) if !self.tree_checked => {
                Ok(Self { tree_checked: true, ..self.at(S::Propose) })
            }
            (S::Check, E::NotRepairable, _) if !self.tree_checked => {
                Ok(self.ended(TaskEnd::GivenUp))
            }
            (S::Propose, E::Proposed, _) => Ok(self.at(S::Materialize)),
            (S::Propose, E::NothingProposed, _) => Ok(self.at(S::Abort)),
            (S::Materialize, E::Materialized, _) => Ok(self.at(S::Check)),
            (S::Materialize, E::NoCandidate, _) => Ok(self.at(S::Propose)),
            (S::Propose | S::Materialize, E::TimedOut, _) => Ok(self.at(S::Abort)),
            (S::Check, E::Checked, _) if self.tree_checked => Ok(self.at(S::Score)),
            (S::Score, E::Scored, _) => Ok(self.at(S::Test)),
            (S::Score, E::NoneBuilds, _) => Ok(self.at(S::Refine)),
            (S::Test, E::TestsPassed, _) => Ok(self.at(S::Decide)),
            (S::Test, E::TestsFailed, _) => Ok(self.at(S::Score)),
            (S::Decide, E::GateOpened, _) => Ok(self.ended(TaskEnd::Verified)),
            (S::Decide, E::GateClosed, _) => Ok(self.at(S::Score)),
            (S::Decide, E::ChoiceKept, _) if !self.in_progress => {
                Ok(Self { kept: true, ..self.at(S::Score) })
            }
            (S::Refine, E::Refined, _) => Ok(self.at(S::Materialize)),
            (S::Abort, E::GivenUp, _) => Ok(self.ended(TaskEnd::GivenUp)),
            (S::Abort, E::Chosen, _) if self.kept => Ok(self.ended(TaskEnd::Verified)),
            (S::Apply, E::Applied, _) => Ok(self.ended(TaskEnd::Applied)),
            (S::Apply, E::ApplyRefused, _) => Ok(self.ended(TaskEnd::GivenUp)),
            _ => Err(not_expected),
        }
    }

    fn at(self, step: TaskStep) -> Self {
        Self { step, retries: 0, ..self }
    }

    fn ended(self, end: TaskEnd) -> Self {
        Self { end: Some(end), waits: false, retries: 0, ..self }
    }
}
