use std::collections::VecDeque;

use base::{Ctx, Diagnostic, Timestamp};
use check::{Checked, Ladder, Prover, Tests};
use policy::{Decision, Keep, Rules, RungName};
use repair::{Attempt, Judgement, Search};
use tools::{Accepted, DiagnosticRow, Workspace};

use crate::prove::prove_all;
use crate::{
    AgentError, Event, FixOptions, FixReport, Fixed, Outcome, RefusedAttempt, Step, StepRow,
};

/// One run of [`fix`]: what is fixed for its length, and the record of what happened.
pub(crate) struct Task<'a> {
    ctx: &'a Ctx,
    workspace: &'a Workspace,
    prover: &'a Prover,
    options: &'a FixOptions,
    on: &'a mut dyn FnMut(&Event),
    started: Timestamp,
    deadline: Timestamp,
    errors: Vec<DiagnosticRow>,
    errors_before: usize,
    refused: Vec<RefusedAttempt>,
    steps: Vec<StepRow>,
    /// Attempts that rust-analyzer refused. It may be wrong where a tree is broken, so cargo gets
    /// them once there is nothing else to try.
    put_off: VecDeque<Attempt>,
    /// Attempts by id that the gate has already turned down.
    settled: Vec<usize>,
    /// Whether proofs look at the code of tests too: only once the rest builds.
    test_code: bool,
    /// Whether test code that cannot be built whatever is done may be left out: not where it is
    /// what is to be mended.
    excuse: bool,
}

impl<'a> Task<'a> {
    pub(crate) fn new(
        ctx: &'a Ctx,
        workspace: &'a Workspace,
        options: &'a FixOptions,
        on: &'a mut dyn FnMut(&Event),
    ) -> Result<Self, AgentError> {
        let started = ctx.now();
        let limit = options.max_seconds.unwrap_or(workspace.settings().fix_timeout.as_secs());
        Ok(Self {
            ctx,
            workspace,
            prover: workspace.prover(ctx)?,
            options,
            on,
            started,
            deadline: Timestamp(started.0.saturating_add(limit.saturating_mul(1_000_000))),
            errors: Vec::new(),
            errors_before: 0,
            refused: Vec::new(),
            steps: Vec::new(),
            put_off: VecDeque::new(),
            settled: Vec::new(),
            test_code: false,
            excuse: true,
        })
    }

    pub(crate) fn enter(&mut self, step: Step, detail: impl Into<String>) {
        let detail = detail.into();
        self.ctx.progress(stage_name(step), detail.clone());
        (self.on)(&Event::Entered { step, detail: detail.clone() });
        let at_ms = self.ctx.now().0.saturating_sub(self.started.0) / 1_000;
        self.steps.push(StepRow { step, detail, at_ms });
    }

    pub(crate) fn has_time(&self) -> bool {
        !self.ctx.is_cancelled() && self.ctx.now() < self.deadline
    }

    /// The tree without a change: its errors, or with `--test` its failing tests.
    pub(crate) fn baseline(&mut self) -> Result<Checked, AgentError> {
        let tests = if self.options.test.is_some() { Tests::All } else { Tests::None };
        let ladder = self.workspace.ladder(tests, self.options.test.clone());
        let mut checked = self.prover.baseline(self.ctx, &ladder, &mut |_| {})?;
        let clean = checked.failure.is_none()
            && !checked.timed_out
            && !checked.diagnostics.iter().any(Diagnostic::is_error);
        if clean && self.tests() != Tests::None {
            self.enter(Step::Check, "the code of its tests");
            let ladder = Ladder { test_code: true, ..ladder };
            checked = self.prover.baseline(self.ctx, &ladder, &mut |_| {})?;
            self.test_code = true;
            self.excuse = false;
        }
        self.errors = checked
            .mapped
            .iter()
            .filter(|mapped| mapped.diagnostic.is_error())
            .map(DiagnosticRow::from)
            .collect();
        self.errors_before = self.errors.len();
        for diagnostic in self.errors.clone() {
            (self.on)(&Event::Seed { diagnostic });
        }
        Ok(checked)
    }

    /// The errors that are to be mended.
    pub(crate) fn seeds(&self, baseline: &Checked) -> Vec<Diagnostic> {
        let wanted = |diagnostic: &&Diagnostic| match &self.options.error {
            None => true,
            Some(code) => diagnostic.code.as_deref() == Some(code),
        };
        baseline.diagnostics.iter().filter(|d| d.is_error()).filter(wanted).cloned().collect()
    }

    /// The next attempts of those that were put off.
    pub(crate) fn put_off(&mut self, most: usize) -> Vec<Attempt> {
        let count = most.min(self.put_off.len());
        self.put_off.drain(..count).collect()
    }

    /// Proves some attempts and tells the search what came of them; those that rust-analyzer
    /// refuses are put off, unless it is late.
    pub(crate) fn try_all(
        &mut self,
        search: &mut Search,
        attempts: &[Attempt],
        is_late: bool,
    ) -> Result<(), AgentError> {
        let step = if search.attempts() > attempts.len() { Step::Refine } else { Step::Propose };
        self.enter(step, format!("proving {}", counted(attempts.len(), "candidate")));
        for attempt in attempts {
            (self.on)(&Event::Trying {
                number: attempt.id + 1,
                rationale: attempt.rationale.clone(),
            });
        }
        let settings = self.workspace.settings();
        let ladder = Ladder {
            test_code: self.test_code,
            analyzer: settings.analyzer_live && !is_late,
            // Of what may yet lose nobody asks how it is laid out.
            format: false,
            excuse: self.excuse,
            ..self.workspace.ladder(Tests::None, None)
        };
        let answers = prove_all(self.ctx, self.prover, &ladder, attempts);
        for (attempt, checked) in attempts.iter().zip(answers) {
            let checked = checked?;
            self.ctx.check_cancelled()?;
            let errors = checked.diagnostics.iter().filter(|d| d.is_error()).count();
            let built = checked.passed() && checked.failure.is_none() && !checked.timed_out;
            (self.on)(&Event::Judged {
                number: attempt.id + 1,
                builds: built,
                errors,
                first_error: first_error(&checked),
                refused: None,
            });
            let preflight = checked.evidence.rung(RungName::Analyzer);
            if preflight.is_some_and(|rung| !rung.passed) {
                self.put_off.push_back(attempt.clone());
                continue;
            }
            let judgement = Judgement { diagnostics: checked.diagnostics, built, passed: built };
            search.judged(attempt.id, judgement, self.workspace.project());
        }
        Ok(())
    }

    /// The tests that a repair must pass.
    fn tests(&self) -> Tests {
        self.options.tests.unwrap_or(self.workspace.settings().check_tests)
    }

    /// Takes the search's winners, best first, through the tests and the gate.
    pub(crate) fn settle(&mut self, search: &mut Search) -> Result<Option<Fixed>, AgentError> {
        let winners: Vec<Attempt> = search.winners().into_iter().cloned().collect();
        for attempt in &winners {
            let is_draft = attempt.draft && !self.is_allowed(attempt);
            if is_draft || self.settled.contains(&attempt.id) {
                continue;
            }
            self.settled.push(attempt.id);
            self.enter(Step::Test, attempt.rationale.join("; "));
            let ladder = Ladder {
                test_code: self.test_code,
                excuse: self.excuse,
                // It had its say, or cargo knows better.
                analyzer: false,
                ..self.workspace.ladder(self.tests(), None)
            };
            let checked =
                self.prover.prove(self.ctx, attempt.overlay.clone(), &ladder, &mut |_| {})?;
            self.ctx.check_cancelled()?;
            if checked.diagnostics.iter().any(Diagnostic::is_error) {
                // It builds and its tests do not: their errors are the next to mend.
                self.test_code = true;
                let first = first_error(&checked).unwrap_or_default();
                self.refuse(attempt, format!(
                    "the code of its tests does not build: {first} (`--tests none` proves without them)"
                ));
                search.overturned(attempt.id, &checked.diagnostics, self.workspace.project());
                continue;
            }
            if checked.timed_out {
                self.refuse(
                    attempt,
                    "its tests ran out of time (`check.timeout_seconds` gives them more)"
                        .to_owned(),
                );
                continue;
            }
            self.enter(Step::Decide, "asking the gate");
            let (rules, approval) = (self.rules(), self.options.approval.clone());
            match policy::decide(&rules, checked.evidence.clone(), &approval) {
                Decision::Open(permit) => {
                    let mut report = self.report(Outcome::Proven);
                    report.diff = checked.overlay.unified_diff();
                    report.evidence = Some(checked.evidence);
                    report.rationale = attempt.rationale.clone();
                    report.candidates_tried = search.attempts();
                    let overlay = checked.overlay;
                    let accepted = Accepted { overlay, permit, ladder, rules, approval };
                    return Ok(Some(Fixed { report, accepted: Some(accepted) }));
                }
                Decision::Closed(refusals) => {
                    let reason = refusals.iter().map(ToString::to_string).collect::<Vec<_>>();
                    self.refuse(attempt, reason.join("; "));
                }
            }
        }
        Ok(None)
    }

    fn refuse(&mut self, attempt: &Attempt, reason: String) {
        (self.on)(&Event::Judged {
            number: attempt.id + 1,
            builds: true,
            errors: 0,
            first_error: None,
            refused: Some(reason.clone()),
        });
        self.refused.push(RefusedAttempt {
            rationale: attempt.rationale.clone(),
            reason,
            diff: attempt.overlay.unified_diff(),
        });
    }

    /// The gate's rules for a repair: what the settings say, and it must preserve.
    fn rules(&self) -> Rules {
        Rules { keep: Keep::Everything, ..self.workspace.rules(self.tests()) }
    }

    /// What the report adds to the evidence.
    fn notes(&self) -> Vec<String> {
        let skipped = |reason: &str| format!("rust-analyzer check skipped: {reason}");
        self.workspace.no_analyzer().map(skipped).into_iter().collect()
    }

    /// Whether a person allowed all that the attempt takes away.
    fn is_allowed(&self, attempt: &Attempt) -> bool {
        !attempt.violations.is_empty()
            && attempt.violations.iter().all(|violation| {
                let allowed = &self.options.approval.allow;
                allowed.iter().any(|name| name == violation.rule.as_str())
            })
    }

    /// No repair: the best draft, if the search has one that builds, else nothing.
    pub(crate) fn give_up(mut self, search: &Search) -> Result<Fixed, AgentError> {
        self.enter(Step::Abort, "no candidate is left");
        let drafts: Vec<&Attempt> =
            search.winners().into_iter().filter(|attempt| attempt.draft).collect();
        for attempt in &drafts {
            let reason = match attempt.violations.first() {
                Some(violation) => format!(
                    "{}: {} ({}:{})",
                    violation.rule, violation.detail, violation.path, violation.line
                ),
                None => "it holds text to be filled in".to_owned(),
            };
            self.refuse(attempt, reason);
        }
        let mut report = self.report(Outcome::None);
        report.candidates_tried = search.attempts();
        report.reason = Some(self.why_none(search));
        if let Some(draft) = drafts.first() {
            report.outcome = Outcome::Draft;
            report.diff = draft.overlay.unified_diff();
            report.rationale = draft.rationale.clone();
        }
        Ok(Fixed { report, accepted: None })
    }

    fn why_none(&self, search: &Search) -> String {
        if self.ctx.now() >= self.deadline {
            return format!("out of time after {}", counted(search.attempts(), "candidate"));
        }
        match search.attempts() {
            0 => "neither the compiler nor a rule suggests anything for these errors".to_owned(),
            1 => "the one candidate does not build, fails its tests, or takes something away"
                .to_owned(),
            n => format!("none of {n} candidates builds, passes its tests and takes nothing away"),
        }
    }

    pub(crate) fn nothing_to_mend(mut self, baseline: &Checked) -> Fixed {
        let failing = baseline.tests.as_ref().map_or(0, |tests| tests.failed.len());
        let (outcome, reason) = if let Some(failure) = &baseline.failure {
            (Outcome::None, format!("cargo stopped before it compiled anything: {failure}"))
        } else if baseline.timed_out {
            (Outcome::None, "the check of the tree ran out of time".to_owned())
        } else if failing > 0 {
            let reason = "it builds, and no reasoner mends failing tests yet";
            (Outcome::None, format!("{}: {reason}", counted(failing, "failing test")))
        } else if let (Some(code), true) = (&self.options.error, self.errors_before > 0) {
            (Outcome::None, format!("there are errors, but none of code {code}"))
        } else {
            (Outcome::Clean, "cargo check finds no error".to_owned())
        };
        if outcome == Outcome::None {
            self.enter(Step::Abort, reason.clone());
        }
        let mut report = self.report(outcome);
        report.reason = Some(reason);
        // Its coverage tells what "clean" was not said about.
        report.evidence = Some(baseline.evidence.clone());
        Fixed { report, accepted: None }
    }

    fn report(&mut self, outcome: Outcome) -> FixReport {
        FixReport {
            outcome,
            diff: String::new(),
            evidence: None,
            rationale: Vec::new(),
            candidates_tried: 0,
            tokens: 0,
            cost: 0.0,
            errors: self.errors.clone(),
            refused: std::mem::take(&mut self.refused),
            reason: None,
            notes: self.notes(),
            id: None,
            commit: None,
            steps: std::mem::take(&mut self.steps),
        }
    }
}

/// What stands in the way of a candidate, in one line.
fn first_error(checked: &Checked) -> Option<String> {
    let mapped = checked.mapped.iter().find(|mapped| mapped.diagnostic.is_error());
    match mapped {
        Some(mapped) => {
            let place = match (&mapped.file, mapped.line) {
                (Some(file), Some(line)) => format!("{file}:{line}: "),
                (Some(file), None) => format!("{file}: "),
                (None, _) => String::new(),
            };
            Some(format!("{place}{}", mapped.diagnostic.message))
        }
        None if checked.timed_out => Some("the check ran out of time".to_owned()),
        None => checked.failure.clone(),
    }
}

fn stage_name(step: Step) -> &'static str {
    match step {
        Step::Propose => "looking for repairs",
        Step::Check => "checking",
        Step::Test => "running tests",
        Step::Score => "comparing",
        Step::Decide => "deciding",
        Step::Apply => "applying",
        Step::Refine => "refining",
        Step::Abort => "giving up",
    }
}

pub(crate) fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
