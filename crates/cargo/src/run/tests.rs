//! Runs the tests that were built, and what they reported.

use std::ffi::OsString;
use std::path::PathBuf;

use sandbox::Stream;

use super::Run;
use super::failure::failure_reason;
use crate::process::{self, LocalNetwork};
use crate::report::{Event, Report, TestReport};
use crate::{CargoError, libtest, nextest};

impl Run<'_> {
    /// Runs the tests that [`Self::build`] built.
    pub(super) fn test(&mut self, report: &mut Report, on: &mut dyn FnMut(Event)) -> Result<(), CargoError> {
        let mut args: Vec<OsString> = vec![
            "-c".into(),
            // One stream, so that the lines of tests follow the name of their binary.
            "exec \"$0\" \"$@\" 2>&1".into(),
            self.env.toolchain.cargo.clone().into(),
            "test".into(),
            "--no-fail-fast".into(),
        ];
        args.extend(self.command.test_targets().into_iter().map(Into::into));
        args.extend(self.command.selection().into_iter().map(Into::into));
        if let Some(filter) = &self.command.filter {
            args.push("--".into());
            args.push(filter.into());
            // The names of tests in reports begin with the binary's name, which the binary does not
            // know.
            if let Some((_, rest)) = filter.split_once("::") {
                args.push(rest.into());
            }
        }
        let mut parser = libtest::Parser::default();
        let process = self.process(PathBuf::from("/bin/sh"), args, LocalNetwork::Loopback);
        let outcome = process::run(
            self.ctx,
            self.env,
            self.view,
            Some(self.target),
            process,
            &mut |_, line| {
                let line = String::from_utf8_lossy(line);
                if let Some(test_line) = parser.line(&line) {
                    on(Event::Test { name: test_line.name, passed: test_line.passed });
                }
            },
        )?;
        self.add_cpu(&outcome);
        let clean = !outcome.timed_out && !outcome.cancelled && !outcome.out_of_memory;
        let mut tests: TestReport = parser.finish(clean, self.command.filter.as_deref());
        if clean && !tests.complete {
            self.isolate(&mut tests)?;
        }
        // 101: a test failed. With any other status than 0 cargo itself failed.
        if outcome.exit_code != 0 && tests.failed.is_empty() {
            tests.complete = false;
            report.failure = Some(failure_reason(&outcome));
        }
        report.timed_out |= outcome.timed_out;
        report.cancelled |= outcome.cancelled;
        report.tests = Some(tests);
        Ok(())
    }

    /// A test that aborts its binary (abort, stack overflow) hides itself and the tests after it.
    /// nextest, if installed, runs each test in a separate process; it is not used first because
    /// that makes many small tests slow.
    fn isolate(&mut self, tests: &mut TestReport) -> Result<(), CargoError> {
        let Some(nextest) = self.env.toolchain.nextest.clone() else { return Ok(()) };
        let mut args: Vec<OsString> = ["nextest", "run", "--no-fail-fast", "--no-tests=pass"]
            .into_iter()
            .chain(["--message-format", "libtest-json"])
            .map(Into::into)
            .collect();
        args.extend(self.command.test_targets().into_iter().map(Into::into));
        args.extend(self.command.selection().into_iter().map(Into::into));
        if let Some(filter) = &self.command.filter {
            args.push("--".into());
            args.push(filter.into());
            args.extend(filter.split_once("::").map(|(_, rest)| rest.into()));
        }
        let process = self.process(nextest, args, LocalNetwork::Loopback);
        let mut parser = nextest::Parser::default();
        let (ctx, env) = (self.ctx, self.env);
        let outcome =
            process::run(ctx, env, self.view, Some(self.target), process, &mut |stream, line| {
                if stream == Stream::Stdout {
                    parser.line(line);
                }
            })?;
        self.add_cpu(&outcome);
        // 100: all tests were run and one failed. Another version may not know the options; then
        // the first report is kept.
        let clean = matches!(outcome.exit_code, 0 | 100);
        if clean && let Some(mut isolated) = parser.finish(true, self.command.filter.as_deref()) {
            let is_doc = |name: &str| name.contains("::doc::");
            isolated.passed.extend(tests.passed.drain(..).filter(|name| is_doc(name)));
            isolated.failed.extend(tests.failed.drain(..).filter(|test| is_doc(&test.name)));
            isolated.passed.sort();
            isolated.failed.sort_by(|a, b| a.name.cmp(&b.name));
            *tests = isolated;
        }
        Ok(())
    }
}
