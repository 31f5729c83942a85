//! The results of a task that ends without a repair: nothing to fix, only a draft, and the reason.

use base::Diagnostic;
use check::Checked;
use repair::{Attempt, Search};

use crate::guesses::reason;
use crate::task::{Task, why_not};
use crate::{FixOutcome, FixResult, PartialChange, TaskStep};

impl Task<'_> {
    /// The result without a repair: the best draft that builds, if there is one.
    pub(crate) fn give_up(&mut self, search: &Search) -> FixResult {
        self.enter(TaskStep::Abort, "no candidate is left");
        let drafts: Vec<&Attempt> =
            search.winners().into_iter().filter(|attempt| attempt.draft).collect();
        for attempt in &drafts {
            let guesses = self.guessed.get(&attempt.id).map(|it| reason(it));
            let reason = match attempt.violations.first() {
                None if let Some(reason) = guesses => reason,
                Some(violation) => format!(
                    "{}: {} ({}:{})",
                    violation.rule, violation.detail, violation.path, violation.line
                ),
                None if attempt.takes_back => {
                    "revert: it takes back what you have changed since the last commit".to_owned()
                }
                None => "it has placeholders to fill in".to_owned(),
            };
            self.refuse(attempt, reason);
        }
        let mut report = self.report(FixOutcome::None);
        report.candidates_tried = search.attempts();
        report.reason = Some(self.why_none(search));
        report.partial = self.options.begin.as_ref().and_then(|_| partial(search));
        if let Some(draft) = drafts.first() {
            report.outcome = FixOutcome::Draft;
            report.diff = draft.overlay.unified_diff();
            report.rationale = draft.rationale.clone();
            if self.guessed.contains_key(&draft.id) {
                report.reason = report.refused.first().map(|it| it.reason.clone());
            }
            report.guesses = self.guessed.remove(&draft.id).unwrap_or_default();
        }
        FixResult { report, accepted: None, message: None }
    }

    fn why_none(&self, search: &Search) -> String {
        if self.world.now() >= self.deadline {
            return format!(
                "timed out after {} (raise `--max-seconds` or `fix.timeout_seconds`)",
                base::counted(search.attempts(), "candidate")
            );
        }
        match search.attempts() {
            0 => "no reasoner has a suggestion for these errors".to_owned(),
            1 => "the only candidate does not build, fails tests, or removes code".to_owned(),
            n => format!("none of {n} candidates builds, passes the tests and keeps all code"),
        }
    }

    /// The result for a change in memory that does not build, where nothing else is to be tried.
    pub(crate) fn does_not_build(&mut self, checked: &Checked) -> FixResult {
        let reason =
            why_not(checked, "with the change").unwrap_or_else(|| "the check failed".to_owned());
        self.enter(TaskStep::Abort, reason.clone());
        let mut report = self.report(FixOutcome::None);
        report.reason = Some(reason);
        report.evidence = Some(checked.evidence.clone());
        FixResult { report, accepted: None, message: None }
    }

    pub(crate) fn nothing_to_fix(&mut self, baseline: &Checked) -> FixResult {
        let failing = baseline.tests.as_ref().map_or(0, |tests| tests.failed.len());
        let (outcome, reason) = if let Some(failure) = &baseline.failure {
            (FixOutcome::None, format!("cargo stopped before compiling: {failure}"))
        } else if baseline.timed_out {
            (
                FixOutcome::None,
                "the check of the tree timed out (raise `check.timeout_seconds`)".to_owned(),
            )
        } else if failing > 0 {
            let reason =
                "the tree builds, and documentation tests and whole binaries are not repaired";
            (FixOutcome::None, format!("{}: {reason}", base::counted(failing, "failing test")))
        } else if let (Some(code), true) = (&self.options.error, !self.errors.is_empty()) {
            (FixOutcome::None, format!("no error has the code {code}"))
        } else {
            (FixOutcome::Clean, "cargo check finds no error".to_owned())
        };
        if outcome == FixOutcome::None {
            self.enter(TaskStep::Abort, reason.clone());
        }
        let mut report = self.report(outcome);
        report.reason = Some(reason);
        // The coverage lists what was not checked and so is not known to be clean.
        report.evidence = Some(baseline.evidence.clone());
        FixResult { report, accepted: None, message: None }
    }
}

/// What of a begun change is done.
fn partial(search: &Search) -> Option<PartialChange> {
    let (attempt, left) = search.closest()?;
    let line = |it: &Diagnostic| match it.primary().and_then(|it| it.place.project()) {
        Some(path) => format!("{path}: {}", it.message),
        None => it.message.clone(),
    };
    Some(PartialChange {
        rationale: attempt.rationale.clone(),
        diff: attempt.overlay.unified_diff(),
        left: left.iter().filter(|it| it.is_error()).map(line).collect(),
    })
}
