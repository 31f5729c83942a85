//! One run of the ladder: the rungs that run cargo, in every configuration of the proof. Used for the
//! tree itself, for candidates and for the last commit.

use std::collections::HashSet;
use std::time::Duration;

use base::{Diagnostic, SortedSet};
use build::{CargoEvent, CargoReport, Command, Verb};
use edit::Files;
use policy::{RungName, TestReference};

use crate::before::{Before, lints, new_diagnostics};
use crate::compare::TestFates;
use crate::draft::Draft;
use crate::left_out::{left_out, note};
use crate::map::Mapper;
use crate::place::Place;
use crate::text::counted;
use crate::{CheckError, MappedDiagnostic};

/// The state of the tree that a change is compared with.
#[derive(Clone, Copy)]
pub(crate) struct Comparison<'a> {
    pub(crate) before: &'a Before,
    pub(crate) reference: TestReference,
    pub(crate) fates: TestFates<'a>,
}

/// The result of a rung that runs cargo.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ran {
    /// Whether the rung passed.
    pub(crate) passed: bool,
    /// Whether everything built, in every configuration.
    pub(crate) built: bool,
    /// Time of all configurations.
    pub(crate) duration: Duration,
}

impl Ran {
    pub(crate) fn start() -> Self {
        Self { passed: true, built: true, duration: Duration::ZERO }
    }
}

/// The state of a run of the ladder.
pub(crate) struct LadderRun<'a> {
    pub(crate) place: Place<'a>,
    /// The overlay and its findings so far.
    pub(crate) draft: &'a mut Draft,
    mapper: Mapper<'a>,
    /// Findings that later changes are compared with.
    pub(crate) found: Before,
    /// Whether something else than the change was compiled.
    pub(crate) altered: bool,
    /// Whether a build wrote into the source tree.
    pub(crate) wrote: bool,
    /// Called with each diagnostic as it arrives.
    on: &'a mut dyn FnMut(&MappedDiagnostic),
}

impl<'a> LadderRun<'a> {
    pub(crate) fn new(
        place: Place<'a>,
        draft: &'a mut Draft,
        (files, overlay): (&'a dyn Files, &'a edit::Overlay),
        on: &'a mut dyn FnMut(&MappedDiagnostic),
    ) -> Self {
        let mapper = Mapper::new(files, overlay);
        Self { place, draft, mapper, found: Before::default(), altered: false, wrote: false, on }
    }

    pub(crate) fn check(&mut self, test_code: bool, timeout: Duration) -> Result<Ran, CheckError> {
        let mut ran = Ran::start();
        let mut details = Vec::new();
        for (idx, scope) in self.place.scopes.iter().chain(self.place.more).enumerate() {
            let errors_so_far = self.draft.errors();
            let mut command = scope.command(Verb::Check, timeout);
            let mut report = self.run(&command)?;
            let mut skipped = Vec::new();
            ran.duration += report.duration;
            if test_code && report.built && report.errors() == 0 {
                // Dependencies of tests are built only if the code itself builds.
                command.test_code = true;
                report = self.ask(&command)?;
                ran.duration += report.duration;
                skipped = self.place.skip_targets(idx, &mut report);
                self.found.note_unbuilt(idx, &skipped);
                self.keep(&report);
            }
            self.found.scope_mut(idx).script_cfgs = report.script_cfgs.clone();
            ran.built &= report.built;
            ran.passed &= report.built && report.errors() == 0;
            let mut detail = match &report.failure {
                Some(failure) if report.errors() <= 1 => first_line(failure),
                _ => counted(self.draft.errors() - errors_so_far, "error"),
            };
            detail.push_str(&left_out(&skipped));
            note(self.draft, &skipped);
            details.push(detail);
        }
        let fewest = usize::from(!ran.passed);
        self.draft.findings.errors_after = self.draft.errors().max(fewest);
        self.found.errors = Some(self.draft.findings.errors_after);
        let detail = self.place.by_scope(&details);
        self.cargo_rung(RungName::Check, ran, detail)
    }

    pub(crate) fn clippy(
        &mut self,
        timeout: Duration,
        with: Option<Comparison<'_>>,
    ) -> Result<Ran, CheckError> {
        let mut ran = Ran::start();
        let mut details = Vec::new();
        for (idx, scope) in self.place.scopes.iter().enumerate() {
            let command = scope.command(Verb::Clippy, timeout);
            let report = self.run(&command)?;
            let lints = lints(&report.diagnostics);
            let before = with.and_then(|it| it.before.scope(idx)?.lints.as_ref());
            let known = |lint| before.and_then(|it| it.get(lint)).copied().unwrap_or(0);
            let new: usize =
                lints.iter().map(|(lint, count)| count.saturating_sub(known(lint))).sum();
            // The tree itself is not compared with anything. A change with findings that are not in
            // the tree before, or with an incomplete list, is rejected.
            let held = (new == 0 && report.dropped == 0) || self.draft.overlay.is_empty();
            ran.built &= report.built;
            ran.passed &= report.built && held;
            ran.duration += report.duration;
            details.push(match before {
                Some(_) => counted(new, "new finding"),
                None => format!("{}, nothing to compare with", counted(new, "finding")),
            });
            if report.built {
                self.found.scope_mut(idx).lints = Some(lints);
            }
        }
        let detail = self.place.by_scope(&details);
        self.cargo_rung(RungName::Clippy, ran, detail)
    }

    fn run(&mut self, command: &Command) -> Result<CargoReport, CheckError> {
        let report = self.ask(command)?;
        self.keep(&report);
        Ok(report)
    }

    pub(crate) fn ask(&mut self, command: &Command) -> Result<CargoReport, CheckError> {
        let known: HashSet<&Diagnostic> = self.draft.diagnostics.iter().collect();
        let (mapper, on) = (&mut self.mapper, &mut *self.on);
        let mut rebuilt = SortedSet::new();
        let mut stream = |event: CargoEvent| match event {
            // Reported by an earlier command of this run.
            CargoEvent::Diagnostic(diagnostic) if known.contains(&*diagnostic) => {}
            CargoEvent::Diagnostic(diagnostic) => on(&mapper.map(&diagnostic)),
            CargoEvent::Unit { package, target, fresh } => {
                self.place.ctx.progress("compiling", format!("{package} {target}"));
                if !fresh {
                    rebuilt.insert(package);
                }
            }
            CargoEvent::Test { name, .. } => self.place.ctx.progress("testing", name),
            CargoEvent::Text(_) => {}
        };
        let report = self.place.cargo(command, &mut stream);
        if command.verb == Verb::Check {
            self.draft.rebuilt.extend(rebuilt);
        }
        report
    }

    /// Adds diagnostics that are not yet part of the proof.
    pub(crate) fn take(&mut self, diagnostics: Vec<Diagnostic>) {
        for diagnostic in new_diagnostics(&self.draft.diagnostics, diagnostics) {
            self.draft.mapped.push(self.mapper.map(&diagnostic));
            self.draft.diagnostics.push(diagnostic);
        }
    }

    /// Adds the findings of a report to the proof.
    pub(crate) fn keep(&mut self, report: &CargoReport) {
        self.take(report.diagnostics.clone());
        self.draft.timed_out |= report.timed_out;
        if report.dropped > 0 {
            let messages = counted(report.dropped, "message");
            self.draft.note(format!("{messages} were not kept: too many"));
        }
        if report.chose_versions {
            let note = "the project has no `Cargo.lock`: versions were chosen for this run alone";
            self.draft.note(note.to_owned());
        }
        for note in &report.notes {
            self.draft.note(note.clone());
        }
        if self.draft.failure.is_none() {
            self.draft.failure = report.failure.clone();
        }
        if self.draft.findings.protections.is_empty() {
            self.draft.findings.protections = protection_layers(&report.protections);
        }
    }
}

/// The layers of a run by name, then what is degraded.
pub fn protection_layers(protections: &sandbox::Protections) -> Vec<String> {
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

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
