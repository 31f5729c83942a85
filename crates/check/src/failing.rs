//! What failing tests execute ([`Prover::coverage_of`]), and which of many candidates that are
//! compiled at once make them pass ([`Prover::trials_of`]). Both only order what is proven later: the
//! code under test could forge them. Each runs in a throw-away layer over the warm target.

use std::time::Duration;

use base::{Ctx, Diagnostic, SortedMap, SortedSet};
use build::{
    Command, LinesByFile, Packages, TestBench, TestBinary, TestTarget, TrialFlags, TrialResult,
    TrialRun, Verb,
};
use edit::Overlay;
use serde::{Deserialize, Serialize};

use crate::prover::Prover;
use crate::tree_state::with_overlay;
use crate::{CheckError, Scope};

/// Longest time that a request may ask for, in seconds: a day.
const MAX_SECONDS: u64 = 24 * 3_600;

/// Maximum number of passing tests that are run one by one.
const PASSING: usize = 80;
/// CPU seconds of one run of a test.
const TEST_SECONDS: u64 = 20;
/// CPU seconds of one run of a test with a candidate, which may not end: at least one, and no more than
/// this.
const TRIAL_SECONDS: u64 = 10;
/// CPU seconds of one run of all tests of a binary.
const BINARY_SECONDS: u64 = 30;

/// The tests whose coverage is asked for, named as in [`build::TestReport`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageRequest {
    /// The failing tests.
    pub failing: Vec<String>,
    /// Tests that pass: of many, those of the nearest modules are run.
    pub passing: Vec<String>,
    /// Time limit in seconds.
    pub seconds: u64,
}

/// What each test executes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageReport {
    /// The tests of which that is known, the failing ones first.
    pub tests: Vec<TestCoverage>,
    /// Why coverage is missing or incomplete.
    pub notes: Vec<String>,
}

/// The lines of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCoverage {
    /// Name of the test.
    pub name: String,
    /// Whether it fails.
    pub fails: bool,
    /// Its binary.
    pub target: TestTarget,
    /// The executed lines of the project's files.
    pub lines: LinesByFile,
}

/// Candidates that are compiled at once, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialRequest {
    /// The test binaries to build; all if empty.
    pub targets: Vec<TestTarget>,
    /// The failing tests that a candidate has to make pass.
    pub failing: Vec<String>,
    /// The numbers of the candidates, in the order of the trials.
    pub candidates: Vec<usize>,
    /// Maximum number of candidates that are tried further once they pass.
    pub most: usize,
    /// Time limit in seconds.
    pub seconds: u64,
}

/// What the trials showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialReport {
    /// Whether it builds.
    pub built: bool,
    /// The errors if not.
    pub errors: Vec<Diagnostic>,
    /// Whether the failing tests fail without a candidate; if not, the trials mean nothing.
    pub fails_without: bool,
    /// Candidates that make all failing tests pass and none of the same binaries fail.
    pub passed: Vec<usize>,
    /// Candidates that make all failing tests pass, and others fail.
    pub harmful: Vec<usize>,
    /// Candidates that make some of the failing tests pass.
    pub partial: Vec<usize>,
    /// Number of candidates that were tried.
    pub tried: usize,
    /// Why something is missing.
    pub notes: Vec<String>,
}

impl Prover {
    /// Which lines the tests execute, one by one. Coverage that cannot be had is a note.
    ///
    /// # Errors
    /// Where the tree cannot be shown, or the user asked to stop.
    pub fn coverage_of(
        &self,
        ctx: &Ctx,
        request: &CoverageRequest,
    ) -> Result<CoverageReport, CheckError> {
        let limit = Duration::from_secs(request.seconds.clamp(1, MAX_SECONDS));
        let command = self.trial_command(&[], limit);
        let flags = TrialFlags::Coverage;
        self.with_bench(ctx, &Overlay::empty(), (&command, flags), |bench, report| {
            if !report.built {
                let reason = report.failure.clone().or_else(|| {
                    report.diagnostics.iter().find(|it| it.is_error()).map(|it| it.message.clone())
                });
                let reason = reason.unwrap_or_else(|| "no reason was given".to_owned());
                let first = reason.lines().next().unwrap_or_default();
                let note = format!("no coverage: the instrumented tests do not build: {first}");
                return Ok(CoverageReport { tests: Vec::new(), notes: vec![note] });
            }
            measured(bench, request, limit.saturating_sub(report.duration))
        })
    }

    /// Tries candidates that `overlay` compiles in, chosen by [`build::CANDIDATE_VARIABLE`].
    ///
    /// # Errors
    /// Where the tree cannot be shown, or the user asked to stop.
    pub fn trials_of(
        &self,
        ctx: &Ctx,
        overlay: &Overlay,
        request: &TrialRequest,
    ) -> Result<TrialReport, CheckError> {
        let limit = Duration::from_secs(request.seconds.clamp(1, MAX_SECONDS));
        let command = self.trial_command(&request.targets, limit);
        self.with_bench(ctx, overlay, (&command, TrialFlags::Plain), |bench, report| {
            if !report.built {
                let errors = report.diagnostics.iter().filter(|it| it.is_error()).cloned();
                let (errors, notes) = (errors.collect(), report.failure.clone().into_iter());
                let notes = notes.collect();
                return Ok(TrialReport { errors, notes, ..TrialReport::default() });
            }
            let until = std::time::Instant::now() + limit;
            Trials { bench, request, until, seconds: TRIAL_SECONDS }.run()
        })
    }

    /// The command that builds the test binaries of the first configuration.
    fn trial_command(&self, targets: &[TestTarget], limit: Duration) -> Command {
        let first = Scope::default();
        let mut command = self.scopes.first().unwrap_or(&first).command(Verb::Test, limit);
        let packages: SortedSet<&str> = targets.iter().map(|it| it.package.as_str()).collect();
        if !packages.is_empty() {
            command.packages = Packages::Named(packages.into_iter().map(str::to_owned).collect());
            let arguments: SortedSet<&[String]> =
                targets.iter().map(|it| it.arguments.as_slice()).collect();
            command.targets = arguments.into_iter().flatten().cloned().collect();
        }
        command
    }

    /// Shows the tree with `overlay`, and builds its test binaries in a throw-away layer.
    fn with_bench<T>(
        &self,
        ctx: &Ctx,
        overlay: &Overlay,
        (command, flags): (&Command, TrialFlags),
        then: impl FnOnce(&TestBench<'_>, &build::CargoReport) -> Result<T, CheckError>,
    ) -> Result<T, CheckError> {
        ctx.check_cancelled()?;
        let state = self.tree_state(ctx)?;
        let workspace = self.workspace_of(ctx, &state)?;
        let (shown, _) = self.show_prepared(ctx, overlay, &[], command.timeout)?;
        // What runs here proves nothing, so it may write.
        let view = shown.writable()?;
        let files = with_overlay(state.tree.files(), overlay);
        let warm = self.warm(ctx)?;
        let sources = self.sources(&state, &files, workspace.as_deref());
        let target = warm.candidate(ctx, sources, self.isolation(&shown))?;
        let place = (&view, shown.root.as_path());
        let (bench, report) =
            TestBench::build(ctx, &self.env, place, target.target(), command, flags)?;
        then(&bench, &report)
    }
}

/// The only binary with the tests of this name, and the name of the test in it.
fn place<'n>(binaries: &[TestBinary], name: &'n str) -> Option<(usize, &'n str)> {
    let (binary, test) = name.split_once("::")?;
    let mut found = binaries.iter().enumerate().filter(|(_, it)| it.name == binary);
    let (idx, _) = found.next()?;
    found.next().is_none().then_some((idx, test))
}

fn measured(
    bench: &TestBench<'_>,
    request: &CoverageRequest,
    limit: Duration,
) -> Result<CoverageReport, CheckError> {
    let mut report = CoverageReport::default();
    let failing = request.failing.iter().map(|it| (it, true));
    let near = nearest(&request.passing, &request.failing);
    let tests: Vec<(&String, bool)> = failing.chain(near.map(|it| (it, false))).collect();
    let mut runs = Vec::new();
    let mut named = Vec::new();
    for (name, fails) in tests {
        let Some((binary, test)) = place(&bench.binaries, name) else {
            if fails {
                report.notes.push(format!("no coverage of {name}: it has no binary of its own"));
            }
            continue;
        };
        runs.push(TrialRun { binary, test: Some(test.to_owned()), candidate: 0 });
        named.push((name, fails, binary));
    }
    let results = bench.run(&runs, TEST_SECONDS, limit)?;
    for ((name, fails, binary), result) in named.into_iter().zip(results) {
        let target = bench.binaries.get(binary).map(|it| it.target.clone());
        match (result.lines, target) {
            (Some(lines), Some(target)) => {
                // How it ended here counts: counters change the time that a test takes.
                let fails = fails && result.status != Some(0);
                report.tests.push(TestCoverage { name: name.clone(), fails, target, lines });
            }
            _ if fails => report.notes.push(format!("no coverage of {name}: it left no profile")),
            _ => {}
        }
    }
    if request.passing.len() > PASSING {
        let note = format!("coverage of {PASSING} of {} passing tests", request.passing.len());
        report.notes.push(note);
    }
    Ok(report)
}

/// Of the passing tests those whose path has most in common with a failing one.
fn nearest<'p>(passing: &'p [String], failing: &[String]) -> impl Iterator<Item = &'p String> {
    let common = |name: &str| {
        let shared = |other: &String| {
            name.split("::").zip(other.split("::")).take_while(|(a, b)| a == b).count()
        };
        failing.iter().map(shared).max().unwrap_or(0)
    };
    let mut near: Vec<(std::cmp::Reverse<usize>, &String)> =
        passing.iter().map(|it| (std::cmp::Reverse(common(it)), it)).collect();
    near.sort();
    near.truncate(PASSING);
    near.into_iter().map(|(_, it)| it)
}

/// The trials of one build.
struct Trials<'b, 'a> {
    bench: &'b TestBench<'a>,
    request: &'b TrialRequest,
    until: std::time::Instant,
    /// CPU seconds of one run of a test.
    seconds: u64,
}

impl Trials<'_, '_> {
    fn run(mut self) -> Result<TrialReport, CheckError> {
        let mut report = TrialReport { built: true, ..TrialReport::default() };
        let tests: Vec<(usize, &str)> =
            self.request.failing.iter().filter_map(|it| place(&self.bench.binaries, it)).collect();
        if tests.is_empty() {
            report.notes.push("the failing tests have no binary of their own".to_owned());
            return Ok(report);
        }
        let started = std::time::Instant::now();
        let without = self.each(&tests, 0)?;
        // Twice the time that the tests take without a candidate; most hangs are loops.
        let taken = started.elapsed() / u32::try_from(tests.len()).unwrap_or(1);
        self.seconds = (1 + taken.as_millis() / 500).min(TRIAL_SECONDS.into()) as u64;
        report.fails_without = without.iter().all(|it| !passed(it));
        if !report.fails_without {
            return Ok(report);
        }
        let known = self.whole(&tests, 0)?;
        let firsts: Vec<TrialRun> =
            self.request.candidates.iter().map(|candidate| trial(tests[0], *candidate)).collect();
        let results = self.bench.run(&firsts, self.seconds, self.left())?;
        let mut more = Vec::new();
        for (run, result) in firsts.iter().zip(&results) {
            report.tried += usize::from(result.status.is_some());
            if passed(result) {
                more.push(run.candidate);
            }
        }
        for candidate in more {
            if report.passed.len() >= self.request.most || self.left().is_zero() {
                break;
            }
            if !self.each(&tests[1..], candidate)?.iter().all(passed) {
                report.partial.push(candidate);
                continue;
            }
            let failing = self.whole(&tests, candidate)?;
            let is_harmless = failing.is_some_and(|now| {
                known.as_ref().is_some_and(|known| now.iter().all(|it| known.contains(it)))
            });
            match is_harmless {
                true => report.passed.push(candidate),
                false => report.harmful.push(candidate),
            }
        }
        Ok(report)
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(std::time::Instant::now())
    }

    fn each(
        &self,
        tests: &[(usize, &str)],
        candidate: usize,
    ) -> Result<Vec<TrialResult>, CheckError> {
        let runs: Vec<TrialRun> = tests.iter().map(|it| trial(*it, candidate)).collect();
        Ok(self.bench.run(&runs, self.seconds, self.left())?)
    }

    /// The failing tests of the whole binaries; `None` if one did not run to its end.
    fn whole(
        &self,
        tests: &[(usize, &str)],
        candidate: usize,
    ) -> Result<Option<SortedSet<(usize, String)>>, CheckError> {
        let binaries: SortedSet<usize> = tests.iter().map(|(binary, _)| *binary).collect();
        let runs: Vec<TrialRun> = binaries
            .iter()
            .map(|binary| TrialRun { binary: *binary, test: None, candidate })
            .collect();
        let results = self.bench.run(&runs, BINARY_SECONDS, self.left())?;
        let mut failing = SortedSet::new();
        for (run, result) in runs.iter().zip(results) {
            if !matches!(result.status, Some(0 | 101)) || !result.tests.complete {
                return Ok(None);
            }
            failing.extend(result.tests.failed.into_iter().map(|test| (run.binary, test.name)));
        }
        Ok(Some(failing))
    }
}

fn trial((binary, test): (usize, &str), candidate: usize) -> TrialRun {
    TrialRun { binary, test: Some(test.to_owned()), candidate }
}

fn passed(result: &TrialResult) -> bool {
    result.status == Some(0) && result.tests.complete && result.tests.passed.len() == 1
}

impl CoverageReport {
    /// How many failing and how many passing tests execute at least one of these lines.
    pub fn covering(&self, lines: &LinesByFile) -> (usize, usize) {
        let covers = |test: &&TestCoverage| {
            lines.iter().any(|(path, wanted)| {
                let executed = test.lines.get(path);
                executed.is_some_and(|it| wanted.iter().any(|line| it.binary_search(line).is_ok()))
            })
        };
        let all = self.tests.iter().filter(covers);
        let (failing, passing): (Vec<_>, Vec<_>) = all.partition(|it| it.fails);
        (failing.len(), passing.len())
    }

    /// By file and line, the number of failing and passing tests that execute it, of the lines that a
    /// failing test executes.
    pub fn counts(&self) -> SortedMap<base::ProjectPath, SortedMap<u32, (usize, usize)>> {
        let mut counts: SortedMap<_, SortedMap<u32, (usize, usize)>> = SortedMap::new();
        for test in self.tests.iter().filter(|it| it.fails) {
            for (path, lines) in &test.lines {
                let of_file = counts.entry(path.clone()).or_default();
                lines.iter().for_each(|line| of_file.entry(*line).or_default().0 += 1);
            }
        }
        for test in self.tests.iter().filter(|it| !it.fails) {
            for (path, lines) in &test.lines {
                let Some(of_file) = counts.get_mut(path) else { continue };
                for line in lines {
                    if let Some(count) = of_file.get_mut(line) {
                        count.1 += 1;
                    }
                }
            }
        }
        counts
    }
}
