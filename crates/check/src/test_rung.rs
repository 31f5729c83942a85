//! The rung that runs tests, and the comparison of its outcome with earlier tests.

use std::time::Duration;

use build::{CargoReport, Packages, Verb};
use policy::{RungName, TestOutcome, TestReference};

use crate::compare::{Compared, TestsBefore, compare};
use crate::ladder_run::{Comparison, LadderRun, Ran};
use crate::left_out::{left_out, note};
use crate::skipped::SkippedTarget;
use crate::test_choice::TestChoice;
use crate::text::counted;
use crate::{CheckError, Scope, Tests};

impl LadderRun<'_> {
    pub(crate) fn tests(
        &mut self,
        which: &TestChoice,
        timeout: Duration,
        with: Option<Comparison<'_>>,
    ) -> Result<Ran, CheckError> {
        let mut ran = Ran::start();
        let mut details = Vec::new();
        let mut total: Option<TestOutcome> = None;
        for (idx, scope) in self.place.scopes.iter().enumerate() {
            let (report, skipped) = self.test_report((idx, scope), which, timeout)?;
            self.found.note_unbuilt(idx, &skipped);
            let tests = report.tests.clone().unwrap_or_default();
            let label = which.label(scope);
            let outcome = compared(idx, &label, which, &tests, with);
            let held = outcome.newly_failing().is_empty() && outcome.lost.is_empty();
            ran.built &= report.built;
            ran.duration += report.duration;
            // A run that was cut off proves nothing.
            ran.passed &= report.built
                && report.tests.is_some()
                && !report.timed_out
                && outcome.complete
                && held;
            let mut detail = detail(&outcome);
            let known = if report.built { None } else { self.known_broken(idx, &report) };
            if let Some(known) = known {
                detail = known;
            } else if !report.built {
                detail = format!(
                    "test targets failed to compile: {}",
                    counted(report.errors(), "error")
                );
                self.draft.findings.errors_after =
                    self.draft.findings.errors_after.max(report.errors());
            }
            if report.timed_out {
                detail.push_str(&format!("; timed out after {} s", timeout.as_secs()));
            } else if report.built && !outcome.complete {
                detail.push_str(&format!("; {}", why_not_whole(&tests)));
            }
            detail.push_str(&left_out(&skipped));
            note(self.draft, &skipped);
            details.push(detail);
            if report.built && !report.timed_out {
                self.found
                    .scope_mut(idx)
                    .tests
                    .extend(TestsBefore::of(&tests).map(|it| (label, it)));
            }
            total = Some(match total {
                None => outcome,
                Some(total) => merged(total, outcome, scope),
            });
            self.draft.tests = Some(merged_reports(self.draft.tests.take(), tests));
        }
        self.draft.findings.tests = total;
        let name =
            if which.tests == Tests::All { RungName::AllTests } else { RungName::AffectedTests };
        let detail = self.place.by_scope(&details);
        self.cargo_rung(name, ran, detail)
    }

    /// For tests that do not build: which do not build without the change either, if that is all.
    fn known_broken(&self, idx: usize, report: &CargoReport) -> Option<String> {
        let mut rest = report.clone();
        let skipped = self.place.skip_targets(idx, &mut rest);
        let targets: Vec<String> =
            skipped.iter().map(|it| format!("{} of {}", it.target, it.package)).collect();
        (rest.errors() == 0 && !targets.is_empty()).then(|| {
            format!(
                "{} does not build without the change either (give the features that it needs, or \
                 `--tests none`)",
                targets.join(", ")
            )
        })
    }

    fn test_report(
        &mut self,
        (idx, scope): (usize, &Scope),
        which: &TestChoice,
        timeout: Duration,
    ) -> Result<(CargoReport, Vec<SkippedTarget>), CheckError> {
        let mut command = scope.command(Verb::Test, timeout);
        command.all_targets = which.tests == Tests::All;
        command.documentation = which.documentation;
        command.filter = which.filter.clone();
        if let (Some(affected), true) = (&which.packages, scope.packages.is_empty()) {
            command.packages = Packages::Without(affected.others.clone());
        }
        let skip_inputs = self.place.skip_inputs.as_ref().filter(|_| !command.all_targets);
        let may_skip = skip_inputs.is_some();
        // A build of all targets would fail.
        if skip_inputs.is_some_and(|it| it.last_commit.leaves_out(idx))
            && let Some((report, skipped)) = self.place.without_skipped(idx, &command)?
        {
            self.keep(&report);
            return Ok((report, skipped));
        }
        let mut report = self.ask(&command)?;
        let mut skipped = Vec::new();
        if may_skip
            && !report.built
            && report.failure.is_none()
            && let Some((rest, left_out)) = self.place.without_skipped(idx, &command)?
        {
            report = CargoReport { duration: report.duration + rest.duration, ..rest };
            skipped = left_out;
        }
        self.keep(&report);
        Ok((report, skipped))
    }
}

fn compared(
    idx: usize,
    label: &str,
    which: &TestChoice,
    tests: &build::TestReport,
    with: Option<Comparison<'_>>,
) -> TestOutcome {
    let with = with.and_then(|it| {
        let before = it.before.scope(idx)?.tests.get(label)?;
        Some(Compared { before, reference: it.reference, fates: it.fates })
    });
    compare(tests, with, which)
}

fn detail(outcome: &TestOutcome) -> String {
    let mut text = format!("{} passed, {} failed", outcome.passed, outcome.failed.len());
    if !outcome.failed_before.is_empty() {
        let then = match outcome.compared_with {
            Some(TestReference::LastCommit) => "at the last commit",
            _ => "before",
        };
        text.push_str(&format!(" ({} of them {then} too)", outcome.failed_before.len()));
    }
    if !outcome.lost.is_empty() {
        text.push_str(&format!(", {} did not run", outcome.lost.len()));
    }
    text
}

/// Why a run proves nothing: `test binary k ended after 1 of 4 tests (exit status 0)`.
fn why_not_whole(tests: &build::TestReport) -> String {
    match tests.incomplete.as_slice() {
        [] if tests.complete => "tests that ran before were filtered out".to_owned(),
        [] => "a test binary did not run to its end".to_owned(),
        [one] => one.clone(),
        [one, rest @ ..] => format!("{one}, and {} more", rest.len()),
    }
}

/// Adds the outcome of another configuration; its listed tests have its name.
fn merged(mut total: TestOutcome, one: TestOutcome, scope: &Scope) -> TestOutcome {
    let named = |names: Vec<String>| names.into_iter().map(move |name| format!("{name} [{scope}]"));
    total.passed += one.passed;
    total.failed.extend(named(one.failed));
    total.failed_before.extend(named(one.failed_before));
    total.ignored += one.ignored;
    total.lost.extend(named(one.lost));
    total.complete &= one.complete;
    total.compared_with = total.compared_with.and(one.compared_with);
    total
}

fn merged_reports(total: Option<build::TestReport>, one: build::TestReport) -> build::TestReport {
    let Some(mut total) = total else { return one };
    total.append(one);
    total
}
