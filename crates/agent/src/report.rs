//! The report of `fix`: the JSON document of `graftage fix --json`.

use std::borrow::Cow;

use change::Intent;
use edit::Overlay;
use policy::Evidence;
use serde::Serialize;
use tools::ReportedDiagnostic;

use crate::{AnswerRow, GuessRow, LeftRow, ModelNote, Question, TaskStep};

/// How a fix ended.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum FixOutcome {
    /// A repair was verified and written.
    Applied,
    /// A repair was verified; the tree is unchanged.
    Proven,
    /// A candidate builds, but has placeholders or removes code that a repair must keep; or several
    /// pass and mean different things. It is shown and never applied.
    Draft,
    /// With `--partial`: a change that leaves errors is ready to be written, or was; it is not verified, and no test
    /// ran.
    Partial,
    /// No repair was found.
    None,
    /// The tree has no error.
    Clean,
}

/// The result of `fix`, as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct FixReport {
    /// How the fix ended.
    pub outcome: FixOutcome,
    /// Unified diff of the repair or the draft; empty without one.
    pub diff: String,
    /// Evidence of the last check that decided the outcome.
    pub evidence: Option<Evidence>,
    /// Description of the repair, one line per change.
    pub rationale: Vec<String>,
    /// Names of the rules whose fixes the repair consists of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Number of candidates that were compiled.
    pub candidates_tried: usize,
    /// Language model tokens; the deterministic reasoners use none.
    pub tokens: u64,
    /// Cost in US dollars.
    pub cost: f64,
    /// Errors of the tree before the fix.
    pub errors: Vec<ReportedDiagnostic>,
    /// Intents of the user's in-progress change since the last commit.
    pub intents: Vec<IntentRow>,
    /// Candidates that build and were refused.
    pub refused: Vec<RefusedAttempt>,
    /// Changes that all pass and mean different things, such as the sides of a merge conflict. None
    /// is applied unless the user chooses it.
    pub choices: Vec<PassingChange>,
    /// The parts of the repair or the draft that are guessed, each with whether a test covers it. A
    /// repair with a guess that no test covers is a draft.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guesses: Vec<GuessRow>,
    /// Questions that a person has to answer before the draft, or one of the choices, may be applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// The answers that the change has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnswerRow>,
    /// What a change that compiles has left behind, such as the old name of an item in documentation;
    /// only `finish` looks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_behind: Vec<LeftRow>,
    /// The candidate nearest to one that passes: that builds, or has the fewest errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialChange>,
    /// What a language model was asked and answered, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub model: Vec<ModelNote>,
    /// Notes for the user, such as parts that were skipped.
    pub notes: Vec<String>,
    /// Reason why there is no repair.
    pub reason: Option<String>,
    /// Id of the journal entry once applied; `undo` takes it.
    pub id: Option<repo::ChangeId>,
    /// Commit id, if a commit was made.
    pub commit: Option<String>,
    /// Id of the run in the record; `memory search` and `memory forget` take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// File with the record of the run, for `graftage eval replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Id under which the change of the draft is kept; `graftage apply` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// States of the task with their times.
    pub steps: Vec<StepRow>,
    /// Whether the run can be continued, with answers to its questions.
    #[serde(skip)]
    pub is_resumable: bool,
    /// The change that is kept.
    #[serde(skip)]
    pub(crate) to_keep: Option<UnappliedChange>,
    /// Whether the gate refused a change with which an example of the documentation fails.
    #[serde(skip)]
    pub(crate) fails_in_example: bool,
}

impl FixReport {
    /// The report of a run that has nothing else to report.
    pub(crate) fn of(outcome: FixOutcome) -> Self {
        Self {
            outcome,
            diff: String::new(),
            evidence: None,
            rationale: Vec::new(),
            rules: Vec::new(),
            candidates_tried: 0,
            tokens: 0,
            cost: 0.0,
            errors: Vec::new(),
            intents: Vec::new(),
            refused: Vec::new(),
            choices: Vec::new(),
            guesses: Vec::new(),
            questions: Vec::new(),
            answers: Vec::new(),
            left_behind: Vec::new(),
            partial: None,
            model: Vec::new(),
            notes: Vec::new(),
            reason: None,
            id: None,
            commit: None,
            run: None,
            trace: None,
            kept: None,
            steps: Vec::new(),
            is_resumable: false,
            to_keep: None,
            fails_in_example: false,
        }
    }

    /// Adds what a change has left behind in a tree that builds. Where that is a former name that no
    /// check covers, the tree is not known to be clean.
    pub(crate) fn leave(&mut self, rows: Vec<LeftRow>) {
        let open = rows.iter().filter(|it| it.unproven.is_some() && !it.edited).count();
        if open > 0 && self.outcome == FixOutcome::Clean {
            self.outcome = FixOutcome::None;
            let places = base::counted(open, "place");
            self.reason = Some(format!(
                "cargo check finds no error, and {places} that it does not cover may need the change"
            ));
        }
        self.left_behind = rows;
    }

    /// Adds the places of a tree that does not build which a person has to decide. Where nothing was
    /// tried, they are the reason.
    pub(crate) fn decide_by_person(&mut self, rows: Vec<LeftRow>) {
        if let Some(first) = rows.first().filter(|_| self.candidates_tried == 0) {
            let more = match rows.len() - 1 {
                0 => String::new(),
                more => format!(", and {} more", base::counted(more, "place")),
            };
            let LeftRow { path, line, what, .. } = first;
            self.reason = Some(format!("a person has to decide: {what} ({path}:{line}{more})"));
        }
        self.left_behind.extend(rows);
    }

    /// Shows a change as a draft, and keeps it.
    pub(crate) fn keep_draft(&mut self, change: &Overlay) {
        self.diff = change.unified_diff();
        self.to_keep = Some(UnappliedChange { overlay: change.clone(), is_partial: false });
    }

    /// Whether the only thing wrong is that tests fail.
    pub(crate) fn has_failing_tests(&self) -> bool {
        let tests = self.evidence.as_ref().and_then(|it| it.tests.as_ref());
        self.outcome == FixOutcome::None && tests.is_some_and(|it| !it.failed.is_empty())
    }

    /// The report of a run without a change.
    pub(crate) fn none(reason: &str) -> Self {
        Self { reason: Some(reason.to_owned()), ..Self::of(FixOutcome::None) }
    }
}

/// A change that a run ends with and does not apply.
#[derive(Clone, Debug)]
pub(crate) struct UnappliedChange {
    pub(crate) overlay: Overlay,
    /// Whether it leaves errors.
    pub(crate) is_partial: bool,
}

/// One of several changes that pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct PassingChange {
    /// Description of the change, one line per step.
    pub rationale: Vec<String>,
    /// Unified diff.
    pub diff: String,
}

/// A change that is right as far as it goes, for a person to complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct PartialChange {
    /// Description of the change, one line per step.
    pub rationale: Vec<String>,
    /// Unified diff.
    pub diff: String,
    /// The errors that are left, one line each; empty if it builds and its tests fail.
    pub left: Vec<String>,
    /// The change, if it guesses nothing and leaves errors.
    #[serde(skip)]
    pub(crate) certain: Option<Overlay>,
}

impl PartialChange {
    /// A candidate that builds and was refused for its tests.
    pub(crate) fn that_builds(refused: &RefusedAttempt) -> Self {
        let RefusedAttempt { rationale, diff, .. } = refused;
        Self { rationale: rationale.clone(), diff: diff.clone(), left: Vec::new(), certain: None }
    }
}

/// One intent: what the user has changed on purpose.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct IntentRow {
    /// Kind of the change: `renamed`, `removed`, `added`, `parameter_added`, `parameter_removed`,
    /// `retyped`, `signature`.
    pub what: Cow<'static, str>,
    /// The definition: ``method `S::get` ``.
    pub item: String,
    /// The change in one line.
    pub evidence: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// File of the definition.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

impl From<&Intent> for IntentRow {
    fn from(it: &Intent) -> Self {
        Self {
            what: it.what.word().into(),
            item: it.what.of().to_string(),
            evidence: it.to_string(),
            confidence: f64::from(it.confidence) / 100.0,
            file: it.path.to_string(),
            line: it.line,
        }
    }
}

/// A candidate that builds and was refused as a repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct RefusedAttempt {
    /// Description of its changes, one line per change.
    pub rationale: Vec<String>,
    /// Reason of the refusal.
    pub reason: String,
    /// Rule of the gate that refused it first; `None`: it did not get there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Unified diff.
    pub diff: String,
}

impl RefusedAttempt {
    /// Whether it builds, that of tests included, and tests fail.
    pub(crate) fn is_by_tests(&self) -> bool {
        self.rule.as_deref() == Some("tests")
    }
}

/// One state of the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepRow {
    /// The state.
    pub step: TaskStep,
    /// Description of the state, one line.
    pub detail: String,
    /// Milliseconds from the start of the task.
    pub at_ms: u64,
}
