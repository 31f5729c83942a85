//! A run of the ladder without the skipped test targets (`skipped.rs`): the others are built and run.

use base::{Diagnostic, SortedMap};
use build::{CargoEvent, CargoReport, Command, Packages, Verb};

use crate::CheckError;
use crate::before::new_diagnostics;
use crate::draft::Draft;
use crate::place::Place;
use crate::skipped::{SkippedTarget, is_test};

impl Place<'_> {
    /// Removes skipped targets from a report; if no error remains, the report counts as built.
    pub(crate) fn skip_targets(
        &self,
        scope: usize,
        report: &mut CargoReport,
    ) -> Vec<SkippedTarget> {
        let Some(skip_inputs) =
            self.skip_inputs.as_ref().filter(|_| report.failure.is_none() && report.dropped == 0)
        else {
            return Vec::new();
        };
        let (errors, rest) =
            std::mem::take(&mut report.diagnostics).into_iter().partition(Diagnostic::is_error);
        let (errors, skipped) = skip_inputs.split(scope, errors);
        report.built |= errors.is_empty() && !skipped.is_empty() && !report.timed_out;
        report.diagnostics = errors;
        report.diagnostics.extend::<Vec<Diagnostic>>(rest);
        skipped
    }

    /// Tests that do not build: runs the targets that can be built if the others are skipped, or
    /// returns the errors that count; `None` if no target is skipped.
    pub(crate) fn without_skipped(
        &self,
        scope: usize,
        command: &Command,
    ) -> Result<Option<(CargoReport, Vec<SkippedTarget>)>, CheckError> {
        // A build stops at the first error; a check continues to the last.
        let looks = Command { verb: Verb::Check, test_code: true, ..command.clone() };
        let mut built: SortedMap<String, Vec<String>> = SortedMap::new();
        let mut units = |event: CargoEvent| {
            if let CargoEvent::Unit { package, target, .. } = event
                && is_test(&target)
            {
                built.entry(package).or_default().push(target);
            }
        };
        let Some(workspace) = self.skip_inputs.as_ref().map(|it| it.workspace) else {
            return Ok(None);
        };
        let mut looked = self.cargo(&looks, &mut units)?;
        let skipped = self.skip_targets(scope, &mut looked);
        if skipped.is_empty() || looked.failure.is_some() || looked.timed_out {
            return Ok(None);
        }
        if !looked.built {
            return Ok(Some((looked, skipped)));
        }
        let mut all = CargoReport {
            tests: Some(build::TestReport { complete: true, ..Default::default() }),
            ..looked
        };
        for (package, targets) in built {
            let others = workspace.members().filter(|name| *name != package);
            let command = Command {
                packages: Packages::Without(others.map(str::to_owned).collect()),
                targets: targets.iter().flat_map(|target| selection(target)).collect(),
                ..command.clone()
            };
            let one = self.cargo(&command, &mut |_| {})?;
            if !one.built {
                let duration = all.duration + one.duration;
                return Ok(Some((CargoReport { duration, ..one }, skipped)));
            }
            all = merged(all, one);
        }
        Ok(Some((all, skipped)))
    }
}

pub(crate) fn note(draft: &mut Draft, skipped: &[SkippedTarget]) {
    for skipped in skipped {
        draft.note(skipped.note());
    }
}

pub(crate) fn left_out(skipped: &[SkippedTarget]) -> String {
    let names: Vec<&str> = skipped.iter().map(|it| it.target.as_str()).collect();
    if names.is_empty() { String::new() } else { format!("; not built: {}", names.join(", ")) }
}

/// `--test name` for a target named as in reports.
fn selection(target: &str) -> Vec<String> {
    match target.split_once(' ') {
        Some(("lib", _)) | None => vec!["--lib".to_owned()],
        Some((kind, name)) => {
            vec![format!("--{kind}"), name.trim_end_matches(" test").to_owned()]
        }
    }
}

/// Merges two reports of one run of the ladder.
fn merged(mut all: CargoReport, one: CargoReport) -> CargoReport {
    if let (Some(tests), Some(more)) = (&mut all.tests, one.tests) {
        tests.passed.extend(more.passed);
        tests.passed.sort();
        tests.failed.extend(more.failed);
        tests.failed.sort_by(|a, b| a.name.cmp(&b.name));
        tests.ignored.extend(more.ignored);
        tests.ignored.sort();
        tests.filtered += more.filtered;
        tests.complete &= more.complete;
    }
    all.diagnostics.extend(new_diagnostics(&all.diagnostics, one.diagnostics));
    all.failure = all.failure.or(one.failure);
    all.timed_out |= one.timed_out;
    all.duration += one.duration;
    all
}
