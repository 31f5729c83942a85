//! Tests and gate for a candidate that builds: the last two steps before a task's result.

use base::Diagnostic;
use check::{Checked, Ladder, Tests};
use edit::Overlay;
use policy::{Decision, Evidence, Refusal};
use refactor::FailedExample;
use repair::Attempt;
use tools::AcceptedChange;

use crate::discarded::discarded;
use crate::examples::{failed_examples, fails_in_example};
use crate::task::{Task, first_error};
use crate::{ALLOW_GUESS, AgentError, FixOutcome, FixResult, GuessRow, TaskStep};

/// Most warnings of which a report has a note each.
const MOST_WARNINGS: usize = 10;

/// What is to be verified.
#[derive(Clone, Copy)]
pub(crate) enum Asking<'a> {
    /// An attempt of the search.
    Repair(&'a Attempt),
    /// An in-progress change in memory, or edits of the documentation.
    Begin(&'a Overlay),
}

impl Asking<'_> {
    fn overlay(&self) -> &Overlay {
        match self {
            Asking::Repair(attempt) => &attempt.overlay,
            Asking::Begin(overlay) => overlay,
        }
    }

    fn rationale(&self) -> &[String] {
        match self {
            Asking::Repair(attempt) => &attempt.rationale,
            Asking::Begin(_) => &[],
        }
    }

    fn rules(&self) -> Vec<String> {
        match self {
            Asking::Repair(attempt) => attempt.rules.iter().map(|it| (*it).to_owned()).collect(),
            Asking::Begin(_) => Vec::new(),
        }
    }
}

/// The result of the tests.
pub(crate) enum Tested {
    /// It passed.
    Passed(Box<TestedChange>),
    /// It did not, and why.
    Refused(String),
    /// Its test code does not build.
    Broken(Box<Checked>),
    /// It passed, and some guess of it is covered by no test.
    Guessed(Vec<GuessRow>),
}

impl Tested {
    /// Why it did not pass; `None` if it did.
    pub(crate) fn reason(&self) -> Option<String> {
        match self {
            Self::Passed(_) => None,
            Self::Refused(reason) => Some(reason.clone()),
            Self::Broken(checked) => Some(broken_tests(checked)),
            Self::Guessed(rows) => Some(crate::guesses::reason(rows)),
        }
    }
}

/// A change that passed the tests, with the inputs of its proof.
pub(crate) struct TestedChange {
    checked: Checked,
    ladder: Ladder,
    guesses: Vec<GuessRow>,
}

impl TestedChange {
    /// What the compiler reports for it.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.checked.diagnostics
    }

    /// The examples of the documentation that fail with it and passed before.
    pub(crate) fn failed_examples(&self) -> Vec<FailedExample> {
        failed_examples(&self.checked)
    }

    /// The results of its tests.
    pub(crate) fn tests(&self) -> Option<&build::TestReport> {
        self.checked.tests.as_ref()
    }
}

/// The decision of the gate.
pub(crate) enum Verdict {
    /// It may be written.
    Open(Box<FixResult>),
    /// It may not, and why.
    Closed(Vec<Refusal>),
}

/// The reasons of a gate that is closed, in one line.
pub(crate) fn reasons(refusals: &[Refusal]) -> String {
    refusals.iter().map(Refusal::with_permission).collect::<Vec<_>>().join("; ")
}

/// Notes on the warnings that a change adds, one line each.
pub(crate) fn added_warnings(evidence: &Evidence) -> Vec<String> {
    let all = &evidence.new_warnings;
    let line = |it: &String| format!("new warning: {it}");
    let mut notes: Vec<String> = all.iter().take(MOST_WARNINGS).map(line).collect();
    if let Some(more) = all.len().checked_sub(MOST_WARNINGS).filter(|it| *it > 0) {
        notes.push(format!("{more} more new warnings"));
    }
    notes
}

pub(crate) fn broken_tests(checked: &Checked) -> String {
    let first = first_error(checked).unwrap_or_default();
    format!("test code does not build: {first} (`--tests none` skips the tests)")
}

impl Task<'_> {
    /// Runs the tests on a change that builds.
    pub(crate) fn test(&mut self, what: Asking<'_>) -> Result<Tested, AgentError> {
        self.enter_tests(what.rationale().join("; "), what.overlay(), self.tests());
        let ladder = Ladder {
            // Examples and benches are part of no test run.
            test_code: self.test_code || self.tests() != Tests::None,
            skip: self.skip,
            // An example may use what a refactoring changes by a macro, without its name.
            documentation: self.options.request.is_some(),
            // Cargo already checked this candidate.
            analyzer: false,
            asked: self.asked.clone(),
            ..self.world.ladder(self.tests(), None)
        };
        let checked = self.world.prove(what.overlay().clone(), &ladder)?;
        self.ctx.check_cancelled()?;
        self.observe(what.overlay(), &checked);
        if checked.diagnostics.iter().any(Diagnostic::is_error) {
            return Ok(Tested::Broken(Box::new(checked)));
        }
        if checked.timed_out {
            let reason = "tests timed out (raise `check.timeout_seconds`)";
            return Ok(Tested::Refused(reason.to_owned()));
        }
        let thrown_away = match what {
            Asking::Repair(_) => discarded(&checked),
            Asking::Begin(_) => Vec::new(),
        };
        let allows = self.allows(ALLOW_GUESS);
        if !thrown_away.is_empty() && !allows {
            return Ok(Tested::Guessed(thrown_away));
        }
        let guesses = match what {
            Asking::Repair(attempt) if !attempt.guesses.is_empty() && checked.passed() => {
                self.guess_coverage(attempt, &checked, &ladder)?
            }
            _ => Vec::new(),
        };
        if guesses.iter().any(|it| !it.tested) && !allows {
            return Ok(Tested::Guessed(guesses));
        }
        if checked.passed()
            && let Some(reason) = self.review(what.overlay())?
        {
            return Ok(Tested::Refused(reason));
        }
        Ok(Tested::Passed(Box::new(TestedChange { checked, ladder, guesses })))
    }

    /// Lets the gate decide on a change that passed the tests, after `tried` candidates.
    pub(crate) fn decide(
        &mut self,
        what: Asking<'_>,
        tested: TestedChange,
        tried: usize,
    ) -> Result<Verdict, AgentError> {
        self.enter(TaskStep::Decide, "gate");
        let TestedChange { checked, ladder, guesses } = tested;
        let (rules, approval) = (self.rules(), self.options.approval.clone());
        let mut decision = policy::decide(&rules, checked.evidence.clone(), &approval);
        if matches!(decision, Decision::OnRecord) && self.world.is_live() {
            // The proof is from the trace of a run that was cut off.
            let again = self.world.prove_live(checked.overlay.clone(), &ladder)?;
            decision = policy::decide(&rules, again.evidence, &approval);
        }
        let permit = match decision {
            Decision::Open(permit) => Some(permit),
            Decision::OnRecord => None,
            Decision::Closed(refusals) => {
                self.fails_in_example |= fails_in_example(&checked);
                return Ok(Verdict::Closed(refusals));
            }
        };
        let mut report = self.report(FixOutcome::Proven);
        report.left_behind = self.unused_results(&checked);
        report.diff = checked.overlay.unified_diff();
        report.notes.extend(added_warnings(&checked.evidence));
        report.evidence = Some(checked.evidence);
        report.rationale = what.rationale().to_vec();
        report.rules = what.rules();
        report.guesses = guesses;
        if let Asking::Repair(attempt) = what {
            report.keep_answers(self.answered.rows(attempt.id));
        }
        report.candidates_tried = tried;
        let (overlay, before) = (checked.overlay, self.before.clone());
        let accepted = permit.map(|permit| AcceptedChange {
            overlay,
            permit,
            ladder,
            rules,
            approval,
            before,
            consent: None,
        });
        Ok(Verdict::Open(Box::new(FixResult { report, accepted, message: None })))
    }
}
