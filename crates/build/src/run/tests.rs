//! Runs the tests that were built: the binaries with unit and integration tests, then the
//! documentation tests. Each is a process of its own with a layer of its own, since rustdoc compiles the
//! sources after the binaries have run.

use std::ffi::OsString;
use std::path::PathBuf;

use sandbox::{Outcome, RecordedStart, Stream};

use super::documented::Documented;
use super::failure::failure_reason;
use super::layers::run_in_layer;
use super::recorded::{self, Starts};
use super::{Run, documented, listed};
use crate::libtest::{Expected, Harness, TestLine};
use crate::process::LocalNetwork;
use crate::report::{CargoEvent, CargoReport, TestReport};
use crate::{CargoError, Command, libtest, nextest};

/// Why tests that ran are no proof.
const BY_RUNNER: &str =
    "a runner of the project starts the test binaries, so that how they end is not seen";
/// Why no test ran.
const UNCLEAR: &str = "cargo would not start exactly the test binaries that were built";

impl Run<'_> {
    /// Runs the tests that [`Self::build`] built.
    pub(super) fn test(
        &mut self,
        report: &mut CargoReport,
        on: &mut dyn FnMut(CargoEvent),
    ) -> Result<(), CargoError> {
        let command = self.command;
        let chosen = command.test_targets();
        let is_default = chosen.is_empty();
        // What `cargo test` runs by default, without the documentation tests.
        let targets = if is_default { vec!["--tests".to_owned()] } else { chosen };
        // Beside examples, cargo gives the units of a package that is a build-dependency too other names
        // than without them: the binaries that will run are those of a build with the same targets.
        if is_default {
            self.binaries.clear();
            let again = self.build_targets(&targets, &mut |_| {})?;
            if !again.built {
                *report = again;
                return Ok(());
            }
        }
        let expected = listed::expected(self, command)?;
        let mut tests = self.run_tests(command, (&targets[..], expected), report, on)?;
        if (is_default || command.documentation)
            && !report.timed_out
            && !report.cancelled
            && let Some(Documented { command, libraries, proves }) = documented::of(self)?
        {
            let expected = libraries.into_iter().map(|name| Expected {
                file: format!("{name}::doc"),
                package: String::new(),
                harness: Harness::Standard(None),
            });
            let which = (&["--doc".to_owned()][..], expected.collect());
            let mut more = self.run_tests(&command, which, report, on)?;
            if !proves {
                more.passed.clear();
            }
            tests.add(more);
        }
        report.tests = Some(tests);
        Ok(())
    }

    /// One run of `cargo test`.
    fn run_tests(
        &mut self,
        command: &Command,
        (targets, expected): (&[String], Vec<Expected>),
        report: &mut CargoReport,
        on: &mut dyn FnMut(CargoEvent),
    ) -> Result<TestReport, CargoError> {
        let mut parser = libtest::Parser::new(expected);
        // The binaries of documentation tests are rustdoc's own.
        let is_documentation = targets.iter().any(|it| it == "--doc");
        let starts = match is_documentation {
            true => Starts::ByCargo,
            false => recorded::starts(self, command, targets)?,
        };
        let outcome = match &starts {
            Starts::Known(starts) => self.run_alone(starts, &mut parser, on)?,
            Starts::ByCargo | Starts::ByRunner => {
                self.run_by_cargo(command, targets, &mut parser, on)?
            }
            Starts::Unclear => Ended { failure: Some(UNCLEAR.to_owned()), ..Ended::default() },
        };
        let clean = outcome.is_clean();
        let mut tests: TestReport = parser.finish(clean, command.filter.as_deref());
        if clean && tests.cut_off {
            self.isolate(&mut tests)?;
        }
        if matches!(starts, Starts::ByRunner) {
            tests.complete = false;
            tests.incomplete.push(BY_RUNNER.to_owned());
        }
        // 101: a test failed. With any other status than 0 cargo itself failed.
        if let Some(failed) = outcome.failure.filter(|_| tests.failed.is_empty()) {
            tests.complete = false;
            tests.incomplete.push(format!("cargo test failed: {}", first_line(&failed)));
            report.failure = Some(failed);
        }
        report.timed_out |= outcome.timed_out;
        report.cancelled |= outcome.cancelled;
        Ok(tests)
    }

    /// Runs the binaries as cargo does, one after another in one layer.
    fn run_by_cargo(
        &mut self,
        command: &Command,
        targets: &[String],
        parser: &mut libtest::Parser,
        on: &mut dyn FnMut(CargoEvent),
    ) -> Result<Ended, CargoError> {
        let args = self.cargo_test(command, targets, &[]);
        let process = self.process(PathBuf::from("/bin/sh"), args, LocalNetwork::Loopback);
        let (outcome, _) = run_in_layer(self, &process, &mut |_, line| {
            pass(parser.line(&String::from_utf8_lossy(line)), on);
        })?;
        self.add_cpu(&outcome);
        let failure = (outcome.exit_code != 0).then(|| failure_reason(&outcome));
        Ok(Ended { failure, ..Ended::of(&outcome) })
    }

    /// The arguments of a shell that runs `cargo test` with these targets and further arguments.
    pub(super) fn cargo_test(
        &self,
        command: &Command,
        targets: &[String],
        more: &[String],
    ) -> Vec<OsString> {
        let mut args: Vec<OsString> = vec![
            "-c".into(),
            // One stream, so that the lines of tests follow the name of their binary.
            "exec \"$0\" \"$@\" 2>&1".into(),
            self.env.toolchain.cargo.clone().into(),
            "test".into(),
            "--no-fail-fast".into(),
        ];
        args.extend(more.iter().chain(targets).map(Into::into));
        args.extend(command.selection().into_iter().map(Into::into));
        args.extend(filters(command));
        args
    }

    /// Runs each binary alone.
    fn run_alone(
        &mut self,
        starts: &[RecordedStart],
        parser: &mut libtest::Parser,
        on: &mut dyn FnMut(CargoEvent),
    ) -> Result<Ended, CargoError> {
        let mut ended = Ended::default();
        for start in starts {
            let file = start.program.file_name().unwrap_or_default();
            parser.begin(&file.to_string_lossy());
            let process = recorded::process(self, start);
            let (outcome, _) = run_in_layer(self, &process, &mut |_, line| {
                pass(parser.output(&String::from_utf8_lossy(line)), on);
            })?;
            self.add_cpu(&outcome);
            ended = Ended::of(&outcome);
            if !ended.is_clean() {
                break;
            }
            parser.ended(outcome.exit_code, outcome.ended_by_test);
        }
        Ok(ended)
    }

    /// A test that ends its binary (abort, stack overflow) hides itself and the tests after it.
    /// nextest, if installed, runs each test in a separate process, and may name it. The run stays
    /// what it was: nextest takes status 0 for a pass.
    fn isolate(&mut self, tests: &mut TestReport) -> Result<(), CargoError> {
        let Some(nextest) = self.env.toolchain.nextest.clone() else { return Ok(()) };
        let mut args: Vec<OsString> = ["nextest", "run", "--no-fail-fast", "--no-tests=pass"]
            .into_iter()
            .chain(["--message-format", "libtest-json"])
            .map(Into::into)
            .collect();
        args.extend(self.command.test_targets().into_iter().map(Into::into));
        args.extend(self.command.selection().into_iter().map(Into::into));
        args.extend(filters(self.command));
        let process = self.process(nextest, args, LocalNetwork::Loopback);
        let mut parser = nextest::Parser::default();
        let (outcome, _) = run_in_layer(self, &process, &mut |stream, line| {
            if stream == Stream::Stdout {
                parser.line(line);
            }
        })?;
        self.add_cpu(&outcome);
        if let Some(isolated) = parser.finish(self.command.filter.as_deref()) {
            tests.explain(isolated.failed);
        }
        Ok(())
    }
}

/// The end of a run of tests.
#[derive(Default)]
struct Ended {
    timed_out: bool,
    cancelled: bool,
    out_of_memory: bool,
    /// Why cargo failed, if it did.
    failure: Option<String>,
}

impl Ended {
    fn of(outcome: &Outcome) -> Self {
        let Outcome { timed_out, cancelled, out_of_memory, .. } = *outcome;
        Self { timed_out, cancelled, out_of_memory, failure: None }
    }

    fn is_clean(&self) -> bool {
        !self.timed_out && !self.cancelled && !self.out_of_memory
    }
}

/// Passes on the result of one test.
fn pass(test: Option<TestLine>, on: &mut dyn FnMut(CargoEvent)) {
    if let Some(test) = test {
        on(CargoEvent::Test { name: test.name, passed: test.passed });
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The filter as arguments of the binaries.
fn filters(command: &Command) -> Vec<OsString> {
    let Some(filter) = &command.filter else { return Vec::new() };
    let mut args: Vec<OsString> = vec!["--".into(), filter.into()];
    // The names of tests in reports begin with the binary's name, which the binary does not know.
    args.extend(filter.split_once("::").map(|(_, rest)| rest.into()));
    args
}
