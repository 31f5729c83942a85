//! One climb: the rungs that run cargo, on one view and one target directory, in every
//! configuration of the proof. The same for the tree as it is, for a candidate and for the last
//! commit.

use std::path::Path;
use std::time::Duration;

use base::Ctx;
use cargo::{CargoEnv, Command, Event, Packages, Report, Verb};
use policy::{Reference, RungName, TestOutcome};
use sandbox::View;

use crate::before::{Before, lints};
use crate::compare::{Compared, TestsBefore, compare};
use crate::draft::Draft;
use crate::excuse::Excuses;
use crate::left_out::{left_out, note};
use crate::map::Mapper;
use crate::{CheckError, Mapped, Scope, Tests};

/// Where the rungs run.
pub(crate) struct Place<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) env: &'a CargoEnv,
    /// The configurations, each built on every rung.
    pub(crate) scopes: &'a [Scope],
    pub(crate) view: &'a View,
    pub(crate) root: &'a Path,
    pub(crate) target: &'a cargo::warm::Target,
    /// Where test code may be left out that cannot be built whatever the change does.
    pub(crate) excuses: Option<Excuses<'a>>,
}

/// A state of the tree whose findings a change is compared with.
#[derive(Clone, Copy)]
pub(crate) struct Comparison<'a> {
    pub(crate) before: &'a Before,
    pub(crate) reference: Reference,
    /// As in [`Compared::declared`].
    pub(crate) declared: &'a dyn Fn(&str) -> bool,
}

/// A rung that ran cargo.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ran {
    /// Whether the rung held.
    pub(crate) passed: bool,
    /// Whether everything built, in every configuration.
    pub(crate) built: bool,
    /// Of all configurations.
    pub(crate) duration: Duration,
}

impl Ran {
    fn start() -> Self {
        Self { passed: true, built: true, duration: Duration::ZERO }
    }
}

impl Place<'_> {
    pub(crate) fn check(
        &self,
        draft: &mut Draft,
        mapper: &mut Mapper<'_>,
        test_code: bool,
        timeout: Duration,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Ran, CheckError> {
        let mut ran = Ran::start();
        let mut details = Vec::new();
        for scope in self.scopes {
            let errors_so_far = draft.errors();
            let mut command = scope.command(Verb::Check, timeout);
            let mut report = self.run(draft, mapper, &command, on)?;
            let mut excused = Vec::new();
            ran.duration += report.duration;
            if test_code && report.built && report.errors() == 0 {
                // The tests' dependencies are built only for a tree whose own code holds.
                command.test_code = true;
                report = self.ask(draft, mapper, &command, on)?;
                ran.duration += report.duration;
                if !draft.overlay.is_empty() {
                    excused = self.excuse(&mut report);
                }
                keep(draft, mapper, &report);
            }
            ran.built &= report.built;
            ran.passed &= report.built && report.errors() == 0;
            let mut detail = match &report.failure {
                Some(failure) if report.errors() <= 1 => first_line(failure),
                _ => counted(draft.errors() - errors_so_far, "error"),
            };
            detail.push_str(&left_out(&excused));
            note(draft, &excused);
            details.push(detail);
        }
        let fewest = usize::from(!ran.passed);
        draft.findings.errors_after = draft.errors().max(fewest);
        let detail = self.by_scope(&details);
        draft.rung(RungName::Check, ran.passed, millis(ran.duration), detail);
        Ok(ran)
    }

    /// `found` gets what a later change can be compared with.
    pub(crate) fn clippy(
        &self,
        draft: &mut Draft,
        mapper: &mut Mapper<'_>,
        timeout: Duration,
        with: Option<Comparison<'_>>,
        found: &mut Before,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Ran, CheckError> {
        let mut ran = Ran::start();
        let mut details = Vec::new();
        for (idx, scope) in self.scopes.iter().enumerate() {
            let command = scope.command(Verb::Clippy, timeout);
            let report = self.run(draft, mapper, &command, on)?;
            let lints = lints(&report.diagnostics);
            let before = with.and_then(|it| it.before.scope(idx)?.lints.as_ref());
            let known = |lint| before.and_then(|it| it.get(lint)).copied().unwrap_or(0);
            let new: usize =
                lints.iter().map(|(lint, count)| count.saturating_sub(known(lint))).sum();
            // The tree itself is not compared with anything; a change with findings that nothing
            // excuses is refused.
            let held = new == 0 || draft.overlay.is_empty();
            ran.built &= report.built;
            ran.passed &= report.built && held;
            ran.duration += report.duration;
            details.push(match before {
                Some(_) => counted(new, "new finding"),
                None => format!("{}, nothing to compare with", counted(new, "finding")),
            });
            if report.built {
                found.scope_mut(idx).lints = Some(lints);
            }
        }
        let detail = self.by_scope(&details);
        draft.rung(RungName::Clippy, ran.passed, millis(ran.duration), detail);
        Ok(ran)
    }

    /// `found` gets what a later change can be compared with.
    #[allow(clippy::too_many_arguments, reason = "what is run, what it is held against, who hears")]
    pub(crate) fn tests(
        &self,
        draft: &mut Draft,
        mapper: &mut Mapper<'_>,
        which: &TestChoice,
        timeout: Duration,
        with: Option<Comparison<'_>>,
        found: &mut Before,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Ran, CheckError> {
        let mut ran = Ran::start();
        let mut details = Vec::new();
        let mut total: Option<TestOutcome> = None;
        for (idx, scope) in self.scopes.iter().enumerate() {
            let (report, excused) = self.test_report(draft, mapper, scope, which, timeout, on)?;
            let tests = report.tests.clone().unwrap_or_default();
            let label = which.label(scope);
            let outcome = self.compared(idx, &label, which, &tests, with);
            let held = outcome.newly_failing().is_empty() && outcome.lost.is_empty();
            ran.built &= report.built;
            ran.duration += report.duration;
            // A run that was cut off proves nothing, whatever failed before.
            ran.passed &= report.built
                && report.tests.is_some()
                && !report.timed_out
                && outcome.complete
                && held;
            let mut detail = detail(&outcome);
            if !report.built {
                detail = format!(
                    "test targets failed to compile: {}",
                    counted(report.errors(), "error")
                );
                draft.findings.errors_after = draft.findings.errors_after.max(report.errors());
            }
            if report.timed_out {
                detail.push_str(&format!("; timed out after {} s", timeout.as_secs()));
            } else if report.built && !outcome.complete {
                detail.push_str("; a test binary did not run to its end");
            }
            detail.push_str(&left_out(&excused));
            note(draft, &excused);
            details.push(detail);
            if report.built && !report.timed_out {
                found.scope_mut(idx).tests.extend(TestsBefore::of(&tests).map(|it| (label, it)));
            }
            total = Some(match total {
                None => outcome,
                Some(total) => merged(total, outcome, scope),
            });
            draft.tests = Some(merged_reports(draft.tests.take(), tests));
        }
        draft.findings.tests = total;
        let name =
            if which.tests == Tests::All { RungName::AllTests } else { RungName::AffectedTests };
        let detail = self.by_scope(&details);
        draft.rung(name, ran.passed, millis(ran.duration), detail);
        Ok(ran)
    }

    fn compared(
        &self,
        idx: usize,
        label: &str,
        which: &TestChoice,
        tests: &cargo::TestReport,
        with: Option<Comparison<'_>>,
    ) -> TestOutcome {
        let with = with.and_then(|it| {
            let before = it.before.scope(idx)?.tests.get(label)?;
            Some(Compared { before, reference: it.reference, declared: it.declared })
        });
        compare(tests, with, which.filter.as_deref())
    }

    fn test_report(
        &self,
        draft: &mut Draft,
        mapper: &mut Mapper<'_>,
        scope: &Scope,
        which: &TestChoice,
        timeout: Duration,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<(Report, Vec<crate::excuse::Excused>), CheckError> {
        let mut command = scope.command(Verb::Test, timeout);
        command.all_targets = which.tests == Tests::All;
        command.filter = which.filter.clone();
        if let (Some(packages), true) = (&which.packages, scope.packages.is_empty()) {
            command.packages = Packages::Named(packages.clone());
        }
        let mut report = self.ask(draft, mapper, &command, on)?;
        let mut excused = Vec::new();
        if self.excuses.is_some()
            && !report.built
            && report.failure.is_none()
            && !command.all_targets
        {
            (report, excused) = self.without_excused(&command, report)?;
        }
        keep(draft, mapper, &report);
        Ok((report, excused))
    }

    fn run(
        &self,
        draft: &mut Draft,
        mapper: &mut Mapper<'_>,
        command: &Command,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Report, CheckError> {
        let report = self.ask(draft, mapper, command, on)?;
        keep(draft, mapper, &report);
        Ok(report)
    }

    fn ask(
        &self,
        draft: &Draft,
        mapper: &mut Mapper<'_>,
        command: &Command,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Report, CheckError> {
        let known = &draft.diagnostics;
        let mut stream = |event: Event| match event {
            // An earlier run of the climb may have reported it.
            Event::Diagnostic(diagnostic) if known.contains(&diagnostic) => {}
            Event::Diagnostic(diagnostic) => on(&mapper.map(&diagnostic)),
            Event::Unit { package, target, .. } => {
                self.ctx.progress("compiling", format!("{package} {target}"));
            }
            Event::Test { name, .. } => self.ctx.progress("testing", name),
            Event::Text(_) => {}
        };
        self.cargo(command, &mut stream)
    }

    pub(crate) fn cargo(
        &self,
        command: &Command,
        on: &mut dyn FnMut(Event),
    ) -> Result<Report, CheckError> {
        let report =
            cargo::run(self.ctx, self.env, self.view, self.root, self.target, command, on)?;
        if report.cancelled {
            return Err(CheckError::Cancelled(base::Cancelled));
        }
        Ok(report)
    }

    /// One detail as it is; several with their configurations.
    fn by_scope(&self, details: &[String]) -> String {
        if let [detail] = details {
            return detail.clone();
        }
        let named: Vec<String> = self
            .scopes
            .iter()
            .zip(details)
            .map(|(scope, detail)| format!("{scope}: {detail}"))
            .collect();
        named.join("; ")
    }
}

/// Takes a report's findings into the proof.
fn keep(draft: &mut Draft, mapper: &mut Mapper<'_>, report: &Report) {
    for diagnostic in &report.diagnostics {
        if !draft.diagnostics.contains(diagnostic) {
            draft.mapped.push(mapper.map(diagnostic));
            draft.diagnostics.push(diagnostic.clone());
        }
    }
    draft.timed_out |= report.timed_out;
    if report.chose_versions {
        let note = "the project has no `Cargo.lock`: versions were chosen for this run alone";
        draft.note(note.to_owned());
    }
    if draft.failure.is_none() {
        draft.failure = report.failure.clone();
    }
    if draft.findings.protections.is_empty() {
        draft.findings.protections = layers(&report.protections);
    }
}

/// Which tests to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestChoice {
    pub(crate) tests: Tests,
    pub(crate) filter: Option<String>,
    /// `None`: those of the configuration.
    pub(crate) packages: Option<Vec<String>>,
}

impl TestChoice {
    /// What tells two runs of tests apart that must not be compared.
    pub(crate) fn label(&self, scope: &Scope) -> String {
        let kind = if self.tests == Tests::All { "all" } else { "affected" };
        let packages = match &self.packages {
            Some(packages) if scope.packages.is_empty() => packages.join(","),
            _ => String::new(),
        };
        let filter = self.filter.as_deref().unwrap_or_default();
        format!("tests {kind} {scope} [{packages}] [{filter}]")
    }
}

fn detail(outcome: &TestOutcome) -> String {
    let mut text = format!("{} passed, {} failed", outcome.passed, outcome.failed.len());
    if !outcome.failed_before.is_empty() {
        let then = match outcome.compared_with {
            Some(Reference::LastCommit) => "at the last commit",
            _ => "before",
        };
        text.push_str(&format!(" ({} of them {then} too)", outcome.failed_before.len()));
    }
    if !outcome.lost.is_empty() {
        text.push_str(&format!(", {} did not run", outcome.lost.len()));
    }
    text
}

/// The outcome of one more configuration; its tests carry its name where they are listed.
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

fn merged_reports(total: Option<cargo::TestReport>, one: cargo::TestReport) -> cargo::TestReport {
    let Some(mut total) = total else { return one };
    total.passed.extend(one.passed);
    total.failed.extend(one.failed);
    total.ignored.extend(one.ignored);
    total.filtered += one.filtered;
    total.complete &= one.complete;
    total
}

fn layers(protections: &sandbox::Protections) -> Vec<String> {
    let mut names = Vec::new();
    for layer in [
        &protections.filesystem,
        &protections.network,
        &protections.tree_kill,
        &protections.memory,
        &protections.syscalls,
    ] {
        names.extend(layer.iter().cloned());
    }
    names.extend(protections.degraded.iter().map(|it| format!("degraded: {it}")));
    names
}

pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
