//! Runs tests and gate on candidates that build, and decides which one may be written. The last
//! step of a task before its result.

use base::Diagnostic;
use check::{Checked, Ladder};
use edit::Overlay;
use policy::Decision;
use repair::{Attempt, Search};
use tools::AcceptedChange;

use crate::task::{Task, first_error};
use crate::{AgentError, FixOutcome, FixResult, GuessRow, TaskStep};

/// What tests and gate found.
pub(crate) enum Verdict {
    /// It may be written.
    Passed(Box<FixResult>),
    /// It may not, and why.
    Refused(String),
    /// Its test code does not build.
    Broken(Box<Checked>),
    /// It passed, and no test vouches for all that it guesses.
    Guessed(Vec<GuessRow>),
}

/// What is to be verified.
#[derive(Clone, Copy)]
pub(crate) enum Asking<'a> {
    /// An attempt of the search.
    Repair(&'a Attempt),
    /// What was begun in memory, or edits of the documentation.
    Begin(&'a Overlay),
}

fn broken_tests(checked: &Checked) -> String {
    let first = first_error(checked).unwrap_or_default();
    format!("test code does not build: {first} (`--tests none` skips the tests)")
}

impl Task<'_> {
    /// Runs tests and gate on the winners of the search, best first, and returns the first one that
    /// passes both.
    pub(crate) fn verify_winners(
        &mut self,
        search: &mut Search,
    ) -> Result<Option<FixResult>, AgentError> {
        let winners: Vec<Attempt> = search.winners().into_iter().cloned().collect();
        for attempt in &winners {
            let is_draft = attempt.takes_back || (attempt.draft && !self.is_allowed(attempt));
            if is_draft || self.refused_ids.contains(&attempt.id) {
                continue;
            }
            self.refused_ids.push(attempt.id);
            if let Some(rows) = self.known_guesses(attempt) {
                self.guessed.insert(attempt.id, rows);
                search.demote_winner(attempt.id);
                continue;
            }
            match self.verify(Asking::Repair(attempt), search.attempts())? {
                Verdict::Guessed(rows) => {
                    self.guessed.insert(attempt.id, rows);
                    search.demote_winner(attempt.id);
                }
                Verdict::Passed(result) if attempt.choice => self.keep_choice(attempt, *result),
                Verdict::Passed(result) => return Ok(Some(*result)),
                Verdict::Refused(reason) => {
                    self.refuse(attempt, reason);
                    search.refuse_winner(attempt.id);
                }
                Verdict::Broken(checked) => {
                    // Its test code does not build: the errors there are the next ones to fix.
                    self.test_code = true;
                    self.refuse(attempt, broken_tests(&checked));
                    search.withdraw_winner(
                        attempt.id,
                        &checked.diagnostics,
                        self.workspace.project(),
                    );
                }
            }
        }
        Ok(None)
    }

    /// Runs tests and gate on what was begun in memory, which builds without any further change.
    pub(crate) fn verify_begin(mut self, begin: &Overlay) -> Result<FixResult, AgentError> {
        let reason = match self.verify(Asking::Begin(begin), 0)? {
            Verdict::Passed(result) => return Ok(*result),
            Verdict::Refused(reason) => reason,
            Verdict::Guessed(rows) => crate::guesses::reason(&rows),
            Verdict::Broken(checked) => broken_tests(&checked),
        };
        self.enter(TaskStep::Abort, reason.clone());
        let mut report = self.report(FixOutcome::Draft);
        report.diff = begin.unified_diff();
        report.reason = Some(reason);
        Ok(FixResult { report, accepted: None, message: None })
    }

    /// Runs tests and gate on a change that builds.
    pub(crate) fn verify(&mut self, what: Asking<'_>, tried: usize) -> Result<Verdict, AgentError> {
        let (overlay, rationale) = match what {
            Asking::Repair(attempt) => (&attempt.overlay, attempt.rationale.as_slice()),
            Asking::Begin(overlay) => (overlay, &[][..]),
        };
        self.enter(TaskStep::Test, rationale.join("; "));
        let ladder = Ladder {
            test_code: self.test_code,
            excuse: self.excuse,
            // Cargo already checked this candidate.
            analyzer: false,
            asked: self.asked.clone(),
            ..self.workspace.ladder(self.tests(), None)
        };
        let checked = self.prover.prove(self.ctx, overlay.clone(), &ladder, &mut |_| {})?;
        self.ctx.check_cancelled()?;
        self.observe(overlay, &checked);
        if checked.diagnostics.iter().any(Diagnostic::is_error) {
            return Ok(Verdict::Broken(Box::new(checked)));
        }
        if checked.timed_out {
            let reason = "tests timed out (raise `check.timeout_seconds`)";
            return Ok(Verdict::Refused(reason.to_owned()));
        }
        let guesses = match what {
            Asking::Repair(attempt) if !attempt.guesses.is_empty() && checked.passed() => {
                self.vouch(attempt, &checked, &ladder)?
            }
            _ => Vec::new(),
        };
        if guesses.iter().any(|it| !it.tested) {
            return Ok(Verdict::Guessed(guesses));
        }
        if checked.passed()
            && let Some(reason) = self.review(overlay)?
        {
            return Ok(Verdict::Refused(reason));
        }
        self.enter(TaskStep::Decide, "gate");
        let (rules, approval) = (self.rules(), self.options.approval.clone());
        Ok(match policy::decide(&rules, checked.evidence.clone(), &approval) {
            Decision::Open(permit) => {
                let mut report = self.report(FixOutcome::Proven);
                report.diff = checked.overlay.unified_diff();
                report.evidence = Some(checked.evidence);
                report.rationale = rationale.to_vec();
                report.guesses = guesses;
                report.candidates_tried = tried;
                let overlay = checked.overlay;
                let accepted = AcceptedChange { overlay, permit, ladder, rules, approval };
                Verdict::Passed(Box::new(FixResult {
                    report,
                    accepted: Some(accepted),
                    message: None,
                }))
            }
            Decision::Closed(refusals) => {
                let reasons = refusals.iter().map(ToString::to_string).collect::<Vec<_>>();
                Verdict::Refused(reasons.join("; "))
            }
        })
    }
}
