//! Test binaries of the workspace's own code, built with additional flags of the compiler, and single
//! tests run in them: for coverage, and for many candidates that are compiled at once and chosen by a
//! number in the environment. Start at [`TestBench::build`].
//!
//! Invariants: the flags are added by a compiler wrapper for the workspace's packages, so that the
//! user's flags and configuration stay as they are and dependencies are those of the warm target; the
//! target directory is a throw-away layer of the caller. A result of a trial proves nothing: tests
//! under trial can write what they like to their results. It only orders what is verified.

mod script;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Ctx;
use sandbox::{Stream, View};
use untrusted_fs::Dir;

use crate::coverage::{CoverageMap, LinesByFile, lines_by_file};
use crate::process::{self, LocalNetwork, Process, ProcessKind};
use crate::run::{TestBinary, build_tests};
use crate::{CargoEnv, CargoError, CargoReport, Command, TestReport, libtest, warm};

use script::{ONE_TEST, SCRIPT, WRAPPER};

/// Environment variable with the number of the candidate that a test run is for.
pub const CANDIDATE_VARIABLE: &str = "GRAFTAGE_CANDIDATE";
/// Maximum number of runs in one process of the sandbox.
const RUNS_AT_ONCE: usize = 64;
/// Maximum size that is read of a run's output.
const OUTPUT_BYTES: u64 = 1 << 20;
/// Maximum size that is read of a profile.
const PROFILE_BYTES: u64 = 64 << 20;
/// Maximum size that is read of a test binary.
const BINARY_BYTES: u64 = 512 << 20;
/// Address space of one run, in KiB.
const RUN_KIB: u64 = 6 << 20;
/// Stack of a test's thread, in bytes: unoptimized functions with many candidates have large frames.
const STACK_BYTES: &str = "134217728";

/// What is added to the compilation of the workspace's packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialFlags {
    /// Counters for each piece of code.
    Coverage,
    /// Nothing but silence: lints are not reported.
    Plain,
}

impl TrialFlags {
    fn words(self) -> &'static str {
        match self {
            Self::Coverage => "--cap-lints=allow -Cinstrument-coverage",
            Self::Plain => "--cap-lints=allow -Cdebuginfo=0",
        }
    }
}

/// One run of a test binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialRun {
    /// Index of the binary in [`TestBench::binaries`].
    pub binary: usize,
    /// Path of the test below the binary; `None`: all tests.
    pub test: Option<String>,
    /// Number of the candidate; 0: the code as it is.
    pub candidate: usize,
}

/// The result of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrialResult {
    /// The exit status; `None` if the run did not take place or was cut off.
    pub status: Option<i32>,
    /// What it printed, cut.
    pub output: String,
    /// The tests that it reported; complete only where the tests that it announced, or the one that was
    /// asked for, reported once each. A process that ends with status 0 alone has passed nothing.
    pub tests: TestReport,
    /// The executed lines, with [`TrialFlags::Coverage`]; `None` without a profile.
    pub lines: Option<LinesByFile>,
}

/// The test binaries of one build.
pub struct TestBench<'a> {
    ctx: &'a Ctx,
    env: &'a CargoEnv,
    view: &'a View,
    root: &'a Path,
    target: &'a warm::TargetMount,
    flags: TrialFlags,
    memory_bytes: Option<u64>,
    /// The binaries in the order of the build.
    pub binaries: Vec<TestBinary>,
}

impl<'a> TestBench<'a> {
    /// Builds the test binaries of `command`; no binary where the code does not build.
    ///
    /// # Errors
    /// Where nothing could be run, or the user asked to stop.
    pub fn build(
        ctx: &'a Ctx,
        env: &'a CargoEnv,
        (view, root): (&'a View, &'a Path),
        target: &'a warm::TargetMount,
        command: &Command,
        flags: TrialFlags,
    ) -> Result<(Self, CargoReport), CargoError> {
        let wrapper = target.home.join("graftage-rustc");
        let text = WRAPPER.replace("FLAGS", flags.words());
        fs::write(&wrapper, text).map_err(CargoError::io("write", &wrapper))?;
        make_executable(&wrapper)?;
        let variables: Vec<(&'static str, OsString)> = vec![
            ("RUSTC_WORKSPACE_WRAPPER", wrapper.into()),
            ("LLVM_PROFILE_FILE", "/dev/null".into()),
        ];
        let (report, mut binaries) =
            build_tests(ctx, env, (view, root), target, command, variables)?;
        if !report.built {
            binaries.clear();
        }
        let memory_bytes = command.memory_bytes;
        Ok((Self { ctx, env, view, root, target, flags, memory_bytes, binaries }, report))
    }

    /// Runs tests one after the other, each at most `seconds` of CPU time, all within `timeout`; the
    /// results have the order of the runs.
    ///
    /// # Errors
    /// Where nothing could be run, or the user asked to stop.
    pub fn run(
        &self,
        runs: &[TrialRun],
        seconds: u64,
        timeout: Duration,
    ) -> Result<Vec<TrialResult>, CargoError> {
        let started = std::time::Instant::now();
        let mut results = Vec::new();
        for batch in runs.chunks(RUNS_AT_ONCE) {
            let left = timeout.saturating_sub(started.elapsed());
            match left.is_zero() {
                true => results.extend(batch.iter().map(|_| TrialResult::default())),
                false => results.extend(self.batch(batch, seconds, left)?),
            }
        }
        Ok(results)
    }

    fn batch(
        &self,
        runs: &[TrialRun],
        seconds: u64,
        timeout: Duration,
    ) -> Result<Vec<TrialResult>, CargoError> {
        let name = self.ctx.fresh_name();
        let folder = self.target.tmp.join(&name);
        // Foreign code may have replaced any folder in here.
        let results = self.scratch()?;
        let results = results
            .make_dirs(format!("tmp/{name}"))
            .map_err(CargoError::fault("create", &folder))?;
        let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into(), ONE_TEST.into()];
        args.extend([folder.as_os_str().to_owned(), seconds.to_string().into()]);
        args.push(RUN_KIB.to_string().into());
        for run in runs {
            let binary = self.binaries.get(run.binary);
            let path = |of: Option<&PathBuf>| of.map(|it| it.as_os_str().to_owned());
            args.push(path(binary.map(|it| &it.path)).unwrap_or_else(|| "/bin/false".into()));
            args.push(path(binary.map(|it| &it.dir)).unwrap_or_else(|| "/".into()));
            args.push(run.test.clone().unwrap_or_default().into());
            args.push(run.candidate.to_string().into());
        }
        let process = Process {
            program: PathBuf::from("/bin/sh"),
            args,
            cwd: self.root.to_owned(),
            timeout,
            memory_bytes: self.memory_bytes,
            network: LocalNetwork::Loopback,
            stdin: Vec::new(),
            variables: vec![
                ("RUST_MIN_STACK".into(), STACK_BYTES.into()),
                ("RUST_BACKTRACE".into(), "0".into()),
            ],
            kind: ProcessKind::Any,
        };
        let mut statuses = vec![None; runs.len()];
        let outcome = process::run(
            self.ctx,
            self.env,
            self.view,
            Some(self.target),
            process,
            &mut |stream, line| {
                if stream == Stream::Stdout
                    && let Some((nth, status)) = status_line(line)
                    && let Some(slot) = nth.checked_sub(1).and_then(|it| statuses.get_mut(it))
                {
                    *slot = Some(status);
                }
            },
        )?;
        if outcome.cancelled {
            return Err(CargoError::Cancelled(base::Cancelled));
        }
        let found = self.collect(&results, runs, &statuses);
        // What cannot be removed now is removed with the target directory.
        let _ = self.scratch().map(|it| it.remove_all(format!("tmp/{name}")));
        Ok(found)
    }

    /// The folder above `HOME` and `TMPDIR`, which foreign code cannot replace: it is mounted.
    fn scratch(&self) -> Result<Dir, CargoError> {
        let path = self.target.tmp.parent().unwrap_or(&self.target.tmp);
        Dir::open(path).map_err(CargoError::fault("open", path))
    }

    /// What the runs have written, through descriptors and with limits.
    fn collect(
        &self,
        folder: &Dir,
        runs: &[TrialRun],
        statuses: &[Option<i32>],
    ) -> Vec<TrialResult> {
        let read = |name: String, limit: u64| -> Option<Vec<u8>> {
            Some(folder.read(name, limit).ok()??.bytes)
        };
        let mut maps: Vec<Option<Option<CoverageMap>>> = Vec::new();
        maps.resize_with(self.binaries.len(), || None);
        let mut results = Vec::new();
        for (nth, (run, status)) in runs.iter().zip(statuses).enumerate() {
            let nth = nth + 1;
            let output = read(format!("{nth}.out"), OUTPUT_BYTES).unwrap_or_default();
            let mut result = TrialResult {
                status: *status,
                tests: self.report(run, &String::from_utf8_lossy(&output)),
                output: String::from_utf8_lossy(&output).into_owned(),
                lines: None,
            };
            if self.flags == TrialFlags::Coverage
                && let Some(slot) = maps.get_mut(run.binary)
            {
                let map = slot.get_or_insert_with(|| {
                    CoverageMap::of(&self.binary_bytes(run.binary, folder)?)
                });
                let profile = read(format!("{nth}.profraw"), PROFILE_BYTES);
                result.lines = map
                    .as_ref()
                    .zip(profile)
                    .and_then(|(map, profile)| lines_by_file(map, &profile, self.root));
            }
            results.push(result);
        }
        results
    }

    fn report(&self, run: &TrialRun, output: &str) -> TestReport {
        let name = self.binaries.get(run.binary).map_or("", |it| it.name.as_str());
        libtest::Parser::of_binary(name, run.test.as_deref(), output)
    }

    /// The bytes of a binary: the script has linked or copied it into the folder of the batch.
    fn binary_bytes(&self, idx: usize, folder: &Dir) -> Option<Vec<u8>> {
        let name = self.binaries.get(idx)?.path.file_name()?.to_str()?;
        Some(folder.read(format!("binary-{name}"), BINARY_BYTES).ok()??.bytes)
    }
}

/// `3 101`: the number of the run, from 1, and its exit status.
fn status_line(line: &[u8]) -> Option<(usize, i32)> {
    let (nth, status) = std::str::from_utf8(line).ok()?.trim().split_once(' ')?;
    Some((nth.parse().ok()?, status.parse().ok()?))
}

fn make_executable(path: &Path) -> Result<(), CargoError> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
        .map_err(CargoError::io("make executable", path))
}
