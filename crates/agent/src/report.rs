use policy::Evidence;
use serde::Serialize;
use tools::DiagnosticRow;

use crate::Step;

/// How a fix ended.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Proven, and written.
    Applied,
    /// Proven; the tree is as it was.
    Proven,
    /// It builds, but with text to be filled in, or at the price of something that a repair must
    /// keep: shown, never applied.
    Draft,
    /// No repair was found.
    None,
    /// Nothing was wrong.
    Clean,
}

/// What `fix` answers.
#[derive(Clone, Debug, Serialize)]
pub struct FixReport {
    /// How it ended.
    pub outcome: Outcome,
    /// The unified diff of the repair or the draft; empty without one.
    pub diff: String,
    /// What was proven of it.
    pub evidence: Option<Evidence>,
    /// What it does, one line a change.
    pub rationale: Vec<String>,
    /// How many candidates went through the compiler.
    pub candidates_tried: usize,
    /// Language model tokens; the deterministic reasoners use none.
    pub tokens: u64,
    /// Money, in dollars.
    pub cost: f64,
    /// What was wrong with the tree.
    pub errors: Vec<DiagnosticRow>,
    /// Candidates that build and were not accepted, with the reason.
    pub refused: Vec<RefusedAttempt>,
    /// What a person should know besides: parts that could not take part.
    pub notes: Vec<String>,
    /// What cargo or the search says where there is no repair.
    pub reason: Option<String>,
    /// The journal's entry, once applied: what `undo` takes.
    pub id: Option<String>,
    /// The commit, where one was made.
    pub commit: Option<String>,
    /// The states that were gone through, with their times.
    pub steps: Vec<StepRow>,
}

/// A candidate that builds and yet is no repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct RefusedAttempt {
    /// What it does.
    pub rationale: Vec<String>,
    /// Why it was refused.
    pub reason: String,
    /// Its diff.
    pub diff: String,
}

/// One state of the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepRow {
    /// Which.
    pub step: Step,
    /// In one line.
    pub detail: String,
    /// Milliseconds since the task began.
    pub at_ms: u64,
}
