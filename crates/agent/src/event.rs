use serde::Serialize;
use tools::DiagnosticRow;

/// The states that a task goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Ask the reasoners for candidates.
    Propose,
    /// Show the tree as it stands, or with a candidate, to the compiler.
    Check,
    /// Run the tests on a candidate that builds.
    Test,
    /// Order what was proven.
    Score,
    /// Ask the gate.
    Decide,
    /// Write.
    Apply,
    /// Build the next candidates on what the last ones taught.
    Refine,
    /// Give up: nothing left to try, out of time, or stopped.
    Abort,
}

/// What happens, as it happens.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A new state.
    Entered {
        /// Which.
        step: Step,
        /// In one line.
        detail: String,
    },
    /// Something that is wrong with the tree as it stands.
    Seed {
        /// The diagnostic, in the user's coordinates.
        diagnostic: DiagnosticRow,
    },
    /// A candidate is going to be proven.
    Trying {
        /// Its number, from 1.
        number: usize,
        /// What it does.
        rationale: Vec<String>,
    },
    /// A candidate was proven or refuted.
    Judged {
        /// Its number.
        number: usize,
        /// Whether it builds.
        builds: bool,
        /// How many errors are left.
        errors: usize,
        /// The first of them.
        first_error: Option<String>,
        /// Why it cannot be accepted though it builds, if so.
        refused: Option<String>,
    },
}
