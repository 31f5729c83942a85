//! What runs of the tests with probes showed about guesses.

use base::{ProjectPath, SortedMap, SortedSet};

/// What is known about the guessed places of a task, by file and position in the original text: it
/// does not depend on the guessed value.
#[derive(Debug, Default)]
pub(crate) struct Probed {
    pub(crate) places: SortedMap<(ProjectPath, usize), SortedSet<GuessCoverage>>,
    /// The number of runs.
    pub(crate) runs: usize,
}

/// The result for one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GuessCoverage {
    Executed,
    Needed,
    Idle,
    NotNeeded,
    Unknown,
}
