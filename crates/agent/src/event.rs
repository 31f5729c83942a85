//! The events of a running task, for progress output. They are never part of a report.

use serde::Serialize;
use tools::ReportedDiagnostic;

use crate::{Machine, TaskEvent};

/// The states of a task.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskStep {
    /// Not started.
    Ready,
    /// Collect candidates from the reasoners.
    Propose,
    /// Make the next candidates as overlays.
    Materialize,
    /// Run cargo check on the tree, or on the tree with a candidate.
    Check,
    /// Choose the best candidate of those that build.
    Score,
    /// Run the tests on a candidate that builds.
    Test,
    /// Let the gate decide.
    Decide,
    /// Write the verified change.
    Apply,
    /// Build further candidates on the results of the last ones.
    Refine,
    /// Give up: no candidate is left, the time is over, or the user interrupted.
    Abort,
}

/// One event of a running task.
#[derive(Clone, Debug)]
pub enum FixEvent {
    /// The task entered a state.
    Entered {
        /// The state.
        step: TaskStep,
        /// Description of the state, one line.
        detail: String,
    },
    /// The machine of the task changed its state.
    Moved {
        /// What happened.
        event: TaskEvent,
        /// The state after it.
        machine: Machine,
    },
    /// An error of the tree without a change.
    InitialError {
        /// The diagnostic, in the user's coordinates.
        diagnostic: ReportedDiagnostic,
    },
    /// The intents of the user's in-progress change were read.
    InProgress {
        /// The intents, renames first.
        intents: Vec<crate::IntentRow>,
    },
    /// A language model was asked, or answered.
    Model {
        /// The step.
        note: crate::ModelNote,
    },
    /// A language model writes: more of its answer, for the eye. It is not read from here.
    Writing {
        /// The text, without what a terminal would obey.
        text: String,
    },
    /// The check of a candidate begins.
    Trying {
        /// Number of the candidate, from 1.
        number: usize,
        /// Description of its changes, one line per change.
        rationale: Vec<String>,
    },
    /// A change builds, and its tests begin.
    Builds {
        /// The change, as a unified diff.
        diff: String,
    },
    /// The check of a candidate ended.
    Checked {
        /// Number of the candidate, from 1.
        number: usize,
        /// Whether it builds.
        builds: bool,
        /// Number of remaining errors.
        errors: usize,
        /// The first remaining error.
        first_error: Option<String>,
        /// Reason why a candidate that builds was refused.
        refused: Option<String>,
    },
}
