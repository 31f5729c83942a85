//! One climb: the rungs that run cargo, on one view and one target directory. The same for the
//! tree as it stands and for a candidate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use base::{Ctx, Diagnostic, Severity};
use cargo::{CargoEnv, Command, Event, Packages, Report, Verb, Workspace};
use policy::{RungName, TestOutcome};
use sandbox::View;

use crate::excuse::Excuses;
use crate::left_out::{left_out, note};
use crate::map::Mapper;
use crate::{CheckError, Checked, Mapped, Scope, Tests};

/// Where the rungs run.
pub(crate) struct Place<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) env: &'a CargoEnv,
    pub(crate) scope: &'a Scope,
    pub(crate) view: &'a View,
    pub(crate) root: &'a Path,
    pub(crate) target: &'a cargo::warm::Target,
    /// Where test code may be left out that cannot be built whatever the change does.
    pub(crate) excuses: Option<Excuses<'a>>,
}

/// What is known of the tree without any change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// `None`: not looked at.
    pub(crate) errors: Option<usize>,
    /// Lints by what they say, not where; `None`: not looked at, or it does not build.
    pub(crate) lints: Option<BTreeMap<Lint, usize>>,
    /// Names of tests that fail; `None`: not looked at, or it does not build.
    pub(crate) failing: Option<BTreeSet<String>>,
}

/// A finding whatever line it stands on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lint {
    code: Option<String>,
    message: String,
    file: Option<String>,
}

/// A rung that ran cargo.
pub(crate) struct Ran {
    pub(crate) report: Report,
    pub(crate) passed: bool,
}

impl Place<'_> {
    pub(crate) fn check(
        &self,
        checked: &mut Checked,
        mapper: &mut Mapper<'_>,
        test_code: bool,
        timeout: Duration,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Ran, CheckError> {
        let mut command = self.scope.command(Verb::Check, timeout);
        let mut report = self.run(checked, mapper, &command, on)?;
        let mut excused = Vec::new();
        if test_code && report.built && report.errors() == 0 {
            // The tests' dependencies are built only for a tree whose own code holds.
            command.test_code = true;
            let first = report.duration;
            report = self.ask(checked, mapper, &command, on)?;
            if !checked.overlay.is_empty() {
                excused = self.excuse(&mut report);
            }
            keep(checked, mapper, &report);
            report.duration += first;
        }
        let errors = report.errors();
        checked.evidence.errors_after = errors;
        let passed = report.built && errors == 0;
        let mut detail = match &report.failure {
            Some(failure) if errors <= 1 => first_line(failure),
            _ => counted(errors, "error"),
        };
        detail.push_str(&left_out(&excused));
        note(checked, &excused);
        checked.rung(RungName::Check, passed, millis(report.duration), detail);
        Ok(Ran { report, passed })
    }

    pub(crate) fn clippy(
        &self,
        checked: &mut Checked,
        mapper: &mut Mapper<'_>,
        timeout: Duration,
        before: Option<&BTreeMap<Lint, usize>>,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Ran, CheckError> {
        let command = self.scope.command(Verb::Clippy, timeout);
        let report = self.run(checked, mapper, &command, on)?;
        let found = lints(&report.diagnostics);
        let new: usize = found
            .iter()
            .map(|(lint, count)| {
                let known = before.and_then(|before| before.get(lint)).copied().unwrap_or(0);
                count.saturating_sub(known)
            })
            .sum();
        // Without a baseline nobody can say what is new: errors alone refuse.
        let passed = report.built && (before.is_none() || new == 0);
        let detail = match before {
            Some(_) => counted(new, "new finding"),
            None => format!("{}, nothing to compare with", counted(new, "finding")),
        };
        checked.rung(RungName::Clippy, passed, millis(report.duration), detail);
        Ok(Ran { report, passed })
    }

    pub(crate) fn tests(
        &self,
        checked: &mut Checked,
        mapper: &mut Mapper<'_>,
        which: &TestChoice,
        timeout: Duration,
        before: Option<&BTreeSet<String>>,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Ran, CheckError> {
        let mut command = self.scope.command(Verb::Test, timeout);
        command.all_targets = which.tests == Tests::All;
        command.filter = which.filter.clone();
        if let Some(packages) = &which.packages {
            command.packages = Packages::Named(packages.clone());
        }
        let mut report = self.ask(checked, mapper, &command, on)?;
        let mut excused = Vec::new();
        if self.excuses.is_some()
            && !report.built
            && report.failure.is_none()
            && !command.all_targets
        {
            (report, excused) = self.without_excused(&command, report)?;
        }
        keep(checked, mapper, &report);
        let tests = report.tests.clone().unwrap_or_default();
        let failed: Vec<String> = tests.failed.iter().map(|test| test.name.clone()).collect();
        let failed_before: Vec<String> = failed
            .iter()
            .filter(|name| before.is_some_and(|before| before.contains(*name)))
            .cloned()
            .collect();
        let new = failed.len() - failed_before.len();
        // What did not end stands among the failed ones; so does every failure known before. Where
        // the time was over first, nobody knows what the rest would have said.
        let ended =
            !report.timed_out && (tests.complete || (new == 0 && !failed_before.is_empty()));
        let passed = report.built && report.tests.is_some() && ended && new == 0;
        let mut detail = format!("{} passed, {} failed", tests.passed.len(), failed.len());
        if !failed_before.is_empty() {
            detail.push_str(&format!(" ({} of them before too)", failed_before.len()));
        }
        if !report.built {
            detail = format!("they do not build: {}", counted(report.errors(), "error"));
            checked.evidence.errors_after = checked.evidence.errors_after.max(report.errors());
        }
        if report.timed_out {
            detail.push_str(&format!(", then the time of {} s was over", timeout.as_secs()));
        }
        detail.push_str(&left_out(&excused));
        note(checked, &excused);
        checked.evidence.tests = Some(TestOutcome {
            passed: tests.passed.len(),
            failed,
            failed_before,
            has_baseline: before.is_some(),
        });
        checked.tests = report.tests.clone();
        let name =
            if which.tests == Tests::All { RungName::AllTests } else { RungName::AffectedTests };
        checked.rung(name, passed, millis(report.duration), detail);
        Ok(Ran { report, passed })
    }

    fn run(
        &self,
        checked: &mut Checked,
        mapper: &mut Mapper<'_>,
        command: &Command,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Report, CheckError> {
        let report = self.ask(checked, mapper, command, on)?;
        keep(checked, mapper, &report);
        Ok(report)
    }

    fn ask(
        &self,
        checked: &Checked,
        mapper: &mut Mapper<'_>,
        command: &Command,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Report, CheckError> {
        let known = &checked.diagnostics;
        let mut stream = |event: Event| match event {
            // An earlier run of the climb may have said it.
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
}

/// Takes a report's findings into the proof.
fn keep(checked: &mut Checked, mapper: &mut Mapper<'_>, report: &Report) {
    for diagnostic in &report.diagnostics {
        if !checked.diagnostics.contains(diagnostic) {
            checked.mapped.push(mapper.map(diagnostic));
            checked.diagnostics.push(diagnostic.clone());
        }
    }
    checked.timed_out |= report.timed_out;
    let note = "the project has no `Cargo.lock`: versions were chosen for this run alone";
    if report.chose_versions && !checked.evidence.notes.iter().any(|it| it == note) {
        checked.evidence.notes.push(note.to_owned());
    }
    if checked.failure.is_none() {
        checked.failure = report.failure.clone();
    }
    if checked.evidence.protections.is_empty() {
        checked.evidence.protections = words(&report.protections);
    }
}

/// Which tests to run.
pub(crate) struct TestChoice {
    pub(crate) tests: Tests,
    pub(crate) filter: Option<String>,
    /// `None`: as the scope says.
    pub(crate) packages: Option<Vec<String>>,
}

/// The members with changed files and all that depend on them; `None` where a change reaches all.
pub(crate) fn affected(
    workspace: Option<&Workspace>,
    root: &Path,
    overlay: &edit::Overlay,
) -> Option<Vec<String>> {
    let workspace = workspace?;
    let mut touched = Vec::new();
    for (path, _) in overlay.changes() {
        touched.push(workspace.owner(&path.join_to(root))?.name.clone());
    }
    let members = workspace.with_dependents(&touched).into_iter().filter(|name| {
        workspace.packages.iter().any(|package| package.member && package.name == *name)
    });
    Some(members.collect())
}

/// Findings of a linter by what they say.
pub(crate) fn lints(diagnostics: &[Diagnostic]) -> BTreeMap<Lint, usize> {
    let mut found = BTreeMap::new();
    for diagnostic in diagnostics {
        if diagnostic.severity > Severity::Warning {
            continue;
        }
        let lint = Lint {
            code: diagnostic.code.clone(),
            message: diagnostic.message.clone(),
            file: diagnostic.user_span().map(|span| span.place.as_str().to_owned()),
        };
        *found.entry(lint).or_insert(0) += 1;
    }
    found
}

fn words(protections: &sandbox::Protections) -> Vec<String> {
    let mut words = Vec::new();
    for layer in [
        &protections.filesystem,
        &protections.network,
        &protections.tree_kill,
        &protections.memory,
        &protections.syscalls,
    ] {
        words.extend(layer.iter().cloned());
    }
    words.extend(protections.degraded.iter().map(|it| format!("degraded: {it}")));
    words
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
