use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{Ctx, Diagnostic};
use sandbox::{Outcome, Stream, View};

use crate::collected::Collected;
use crate::fetch::{self, Fetched};
use crate::message::{Message, read_message};
use crate::process::{self, Process, Reach};
use crate::report::{self, Event, Report, TestReport};
use crate::{CargoEnv, CargoError, Command, Verb, libtest, nextest, warm};

/// Runs one command in `view` (which shows the project and what it reads outside), with the target
/// directory as [`warm`] gave it. `root` is the project's root inside the view. Everything that
/// cargo says of the user's code is in the report.
///
/// Dependencies that are missing are downloaded once, unless the environment is offline: by
/// [`fetch`](crate::fetch), a step of its own that runs nothing of the project.
///
/// # Errors
/// Where nothing could be run: the sandbox refuses, clippy is missing, the user asked to stop
/// before anything started.
pub fn run(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
    target: &warm::Target,
    command: &Command,
    on: &mut dyn FnMut(Event),
) -> Result<Report, CargoError> {
    ctx.check_cancelled()?;
    let mut run = Run {
        ctx,
        env,
        view,
        root,
        target,
        command,
        started: Instant::now(),
        cpu: None,
        began: false,
    };
    let mut report = run.build(on)?;
    if run.may_lack_packages(&report)? {
        report = run.fetch(report, on)?;
    }
    if command.verb == Verb::Test && report.built {
        run.test(&mut report, on)?;
    }
    report.duration = run.started.elapsed();
    report.cpu = run.cpu;
    Ok(report)
}

/// Whether rustfmt would leave `text` as it is; `None` where it cannot say (it is not installed,
/// or the text does not parse). `dir` is the file's folder inside the view: rustfmt looks for its
/// configuration from there upwards.
///
/// # Errors
/// Where the sandbox refuses.
pub fn format_check(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    dir: &Path,
    edition: &str,
    text: &str,
) -> Result<Option<bool>, CargoError> {
    let Some(rustfmt) = env.toolchain.rustfmt.clone() else { return Ok(None) };
    let process = Process {
        program: rustfmt,
        args: ["--check", "--edition", edition].map(Into::into).to_vec(),
        cwd: dir.to_owned(),
        timeout: Duration::from_secs(30),
        memory_bytes: Some(2 << 30),
        reach: Reach::Nothing,
        stdin: text.as_bytes().to_vec(),
    };
    let outcome = process::run(ctx, env, view, None, process, &mut |_, _| {})?;
    // Of its standard input rustfmt prints the difference, and says 0 all the same.
    let differs = !outcome.stdout.trim_ascii().is_empty();
    Ok(match outcome.exit_code {
        _ if outcome.stderr.trim_ascii().starts_with(b"error") => None,
        0 | 1 => Some(!differs),
        _ => None,
    })
}

/// What cargo printed on standard error, without its progress: from the first `error` on.
pub(crate) fn failure_text(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.starts_with("error")).unwrap_or(0);
    let kept: Vec<&str> = lines
        .get(start..)
        .unwrap_or_default()
        .iter()
        .copied()
        .filter(|line| !is_progress(line))
        .take(200)
        .collect();
    kept.join("\n").trim().to_owned()
}

fn is_progress(line: &str) -> bool {
    let word = line.trim_start().split(' ').next().unwrap_or_default();
    line.starts_with(' ')
        && matches!(
            word,
            "Compiling"
                | "Checking"
                | "Finished"
                | "Fresh"
                | "Dirty"
                | "Blocking"
                | "Locking"
                | "Updating"
                | "Downloading"
                | "Downloaded"
                | "Adding"
                | "Executable"
                | "Running"
                | "Building"
        )
}

/// Whether cargo failed for want of something that a download would bring. Only a hint: what a
/// foreign process prints can at most cause a download, which runs nothing of the project.
fn is_missing_dependency(failure: &str) -> bool {
    [
        "--offline",
        "offline mode",
        "net.offline",
        "no matching package named",
        "failed to select a version for",
        "failed to get `",
        "failed to load source for dependency",
        "unable to update",
        "failed to download",
        "can't checkout from",
        "Unable to update",
    ]
    .iter()
    .any(|sign| failure.contains(sign))
}

struct Run<'a> {
    ctx: &'a Ctx,
    env: &'a CargoEnv,
    view: &'a View,
    root: &'a Path,
    target: &'a warm::Target,
    command: &'a Command,
    started: Instant,
    cpu: Option<Duration>,
    /// Whether cargo compiled, or tried to: then nothing is missing that it needs.
    began: bool,
}

impl Run<'_> {
    /// The build itself; for tests everything that they need.
    fn build(&mut self, on: &mut dyn FnMut(Event)) -> Result<Report, CargoError> {
        let toolchain = &self.env.toolchain;
        let mut args: Vec<String> = Vec::new();
        let program = match self.command.verb {
            Verb::Clippy => {
                args.push("clippy".to_owned());
                toolchain
                    .cargo_clippy
                    .clone()
                    .ok_or_else(|| CargoError::NoClippy { toolchain: toolchain.version.clone() })?
            }
            verb => {
                args.push(
                    match verb {
                        Verb::Check | Verb::Clippy => "check",
                        Verb::Test => "test",
                        Verb::Build => "build",
                    }
                    .to_owned(),
                );
                toolchain.cargo.clone()
            }
        };
        match self.command.verb {
            Verb::Test => {
                args.push("--no-run".to_owned());
                args.extend(self.command.test_targets());
            }
            _ => {
                // All errors of all packages: their number must not depend on who came first.
                // (Before 1.74 cargo could not.)
                if toolchain.has_minor(74) {
                    args.push("--keep-going".to_owned());
                }
                args.extend(self.command.build_targets().map(str::to_owned));
            }
        }
        args.push("--message-format=json".to_owned());
        args.extend(self.command.selection());

        let mut collected = Collected::default();
        let mut finished = None;
        let root = self.root;
        let process =
            self.process(program, args.into_iter().map(Into::into).collect(), Reach::Nothing);
        let began = &mut self.began;
        *began = false;
        let outcome = process::run(
            self.ctx,
            self.env,
            self.view,
            Some(self.target),
            process,
            &mut |stream, line| {
                if stream == Stream::Stderr {
                    on(Event::Text(String::from_utf8_lossy(line).into_owned()));
                    return;
                }
                match read_message(root, line) {
                    Some(Message::Diagnostic(diagnostic)) => {
                        *began = true;
                        if collected.push(&diagnostic, line.len()) {
                            on(Event::Diagnostic(diagnostic));
                        }
                    }
                    Some(Message::Unit { package, target, fresh }) => {
                        *began = true;
                        on(Event::Unit { package, target, fresh });
                    }
                    Some(Message::Finished { success }) => {
                        *began = true;
                        finished = Some(success);
                    }
                    Some(Message::Other) => {}
                    None => on(Event::Text(String::from_utf8_lossy(line).into_owned())),
                }
            },
        )?;
        self.add_cpu(&outcome);
        let built = outcome.exit_code == 0 && finished != Some(false);
        let (diagnostics, dropped) = collected.finish();
        let diagnostics = report::settle(diagnostics);
        let explained = diagnostics.iter().any(|it| it.is_error());
        if !built && let Some(sign) = disk_full(&diagnostics, &outcome.stderr) {
            return Err(CargoError::DiskFull { sign });
        }
        let mut failure = None;
        if !built && (!explained || is_build_script_failure(&outcome.stderr)) {
            failure = Some(why(&outcome));
        }
        Ok(Report {
            built,
            diagnostics,
            dropped,
            tests: None,
            failure,
            timed_out: outcome.timed_out,
            cancelled: outcome.cancelled,
            duration: outcome.duration,
            cpu: outcome.cpu,
            protections: outcome.protections,
            fetched: false,
            chose_versions: false,
        })
    }

    /// Runs the tests that [`Self::build`] built.
    fn test(&mut self, report: &mut Report, on: &mut dyn FnMut(Event)) -> Result<(), CargoError> {
        let mut args: Vec<OsString> = vec![
            "-c".into(),
            // One stream, so that a test's line stands below the name of its binary.
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
            // Our names begin with the binary's, which the binary itself does not know.
            if let Some((_, rest)) = filter.split_once("::") {
                args.push(rest.into());
            }
        }
        let mut parser = libtest::Parser::default();
        let process = self.process(PathBuf::from("/bin/sh"), args, Reach::Loopback);
        let outcome = process::run(
            self.ctx,
            self.env,
            self.view,
            Some(self.target),
            process,
            &mut |_, line| {
                let line = String::from_utf8_lossy(line);
                if let Some(seen) = parser.line(&line) {
                    on(Event::Test { name: seen.name, passed: seen.passed });
                }
            },
        )?;
        self.add_cpu(&outcome);
        let clean = !outcome.timed_out && !outcome.cancelled && !outcome.out_of_memory;
        let mut tests: TestReport = parser.finish(clean, self.command.filter.as_deref());
        if clean && !tests.complete {
            self.isolate(&mut tests)?;
        }
        // 101: a test failed. Anything else that is not 0 means that cargo itself gave up.
        if outcome.exit_code != 0 && tests.failed.is_empty() {
            tests.complete = false;
            report.failure = Some(why(&outcome));
        }
        report.timed_out |= outcome.timed_out;
        report.cancelled |= outcome.cancelled;
        report.tests = Some(tests);
        Ok(())
    }

    /// A test that takes its whole binary down (abort, stack overflow) hides itself and those
    /// behind it. Where nextest is installed, it runs each test in a process of its own; it is not
    /// asked first, because a process a test makes many small tests slow.
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
        let process = self.process(nextest, args, Reach::Loopback);
        let mut parser = nextest::Parser::default();
        let (ctx, env) = (self.ctx, self.env);
        let outcome =
            process::run(ctx, env, self.view, Some(self.target), process, &mut |stream, line| {
                if stream == Stream::Stdout {
                    parser.line(line);
                }
            })?;
        self.add_cpu(&outcome);
        // 100: a test failed, and all were run. Another version may not know the options: then
        // the first report stands as it is.
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

    /// Whether a download may help: cargo ended before it compiled anything, and packages of the
    /// lock file are not in the registry, or the lock file does not say.
    fn may_lack_packages(&self, report: &Report) -> Result<bool, CargoError> {
        let stopped = report.timed_out || report.cancelled;
        let Some(failure) = report.failure.as_deref().filter(|_| !report.built) else {
            return Ok(false);
        };
        if self.began || stopped || self.env.offline {
            return Ok(false);
        }
        Ok(is_missing_dependency(failure)
            || fetch::lacks_sources(self.ctx, self.env, self.view, self.root)? == Some(true))
    }

    /// Downloads what is missing and builds again; else the first report, with the reason.
    fn fetch(
        &mut self,
        mut report: Report,
        on: &mut dyn FnMut(Event),
    ) -> Result<Report, CargoError> {
        let timeout = self.command.timeout.saturating_sub(self.started.elapsed());
        match fetch::fetch(self.ctx, self.env, self.view, self.root, timeout)? {
            Fetched::Complete { chose_versions, .. } => {
                report = self.build(on)?;
                report.fetched = true;
                report.chose_versions = chose_versions;
            }
            Fetched::Failed { reason } => {
                let failure = report.failure.get_or_insert_default();
                failure.push_str("\n\nthe dependencies could not be downloaded: ");
                failure.push_str(&reason);
            }
        }
        Ok(report)
    }

    /// One program of this run at the project's root, for as long as the command may still take.
    fn process(&self, program: PathBuf, args: Vec<OsString>, reach: Reach) -> Process {
        Process {
            program,
            args,
            cwd: self.root.to_owned(),
            timeout: self.command.timeout.saturating_sub(self.started.elapsed()),
            memory_bytes: self.command.memory_bytes,
            reach,
            stdin: Vec::new(),
        }
    }

    fn add_cpu(&mut self, outcome: &Outcome) {
        if let Some(cpu) = outcome.cpu {
            self.cpu = Some(self.cpu.unwrap_or_default() + cpu);
        }
    }
}

fn is_build_script_failure(stderr: &[u8]) -> bool {
    String::from_utf8_lossy(stderr).contains("failed to run custom build command")
}

/// The sign that a build failed for want of room, whatever the code is like. Only what has no
/// place in the code counts: that is said by the tools and not by the project.
fn disk_full(diagnostics: &[Diagnostic], stderr: &[u8]) -> Option<&'static str> {
    const NO_ROOM: &str = "No space left on device";
    let stderr = String::from_utf8_lossy(stderr);
    let failure = stderr.lines().any(|line| {
        let line = line.trim_start();
        line.contains(NO_ROOM) && (line.starts_with("error:") || line.starts_with(NO_ROOM))
    });
    let said = diagnostics.iter().filter(|it| it.is_error() && it.spans.is_empty());
    let mut said = said.map(|it| it.rendered.as_deref().unwrap_or(&it.message));
    if failure || said.clone().any(|text| text.contains(NO_ROOM)) {
        return Some("no space is left on the disk");
    }
    // The linker writes its output through memory; where there is no room it dies of that.
    said.any(|text| text.contains("linking with") && text.contains("[Bus error]"))
        .then_some("the linker died of a bus error, as it does on a full disk")
}

/// Why a run failed that left no diagnostic.
fn why(outcome: &Outcome) -> String {
    if outcome.cancelled {
        return "interrupted".to_owned();
    }
    if outcome.timed_out {
        return format!("stopped after {} s: time is up", outcome.duration.as_secs());
    }
    if outcome.out_of_memory {
        return "stopped: the memory limit was reached".to_owned();
    }
    let text = failure_text(&outcome.stderr);
    if text.is_empty() { format!("cargo ended with status {}", outcome.exit_code) } else { text }
}

#[cfg(test)]
mod tests;
