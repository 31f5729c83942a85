//! Runs one cargo command in a view: build, then tests, without the network. Start at [`run`]; the
//! processes are started by `process.rs`.

mod binaries;
mod documented;
mod failure;
mod format;
mod layers;
mod listed;
mod recorded;
mod tests;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::Ctx;
use sandbox::{Outcome, Stream, View};

use crate::collected::Collected;
use crate::configuration::ShownConfiguration;
use crate::message::{CargoMessage, read_message};
use crate::process::{self, LocalNetwork, Process, ProcessKind};
use crate::report::{self, CargoEvent, CargoReport};
use crate::{CargoEnv, CargoError, Command, Verb, warm};
use binaries::{named_twice, test_binary};
use failure::{disk_full, failure_reason, is_build_script_failure};

pub use binaries::{TestBinary, TestTarget};
pub(crate) use failure::failure_text;
pub use format::format_text;
pub(crate) use layers::put_back;

/// Runs one command in `view` (which has the project and the folders that it reads outside), with a
/// target directory of [`warm`]. `root` is the project's root inside the view.
///
/// Nothing is downloaded: [`prepare()`](fn@crate::prepare) does that before, and what a run prints
/// starts no download.
///
/// # Errors
/// When nothing could be run: the sandbox fails, clippy is missing, or the user cancelled before
/// the start.
pub fn run(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
    target: &warm::TargetMount,
    command: &Command,
    on: &mut dyn FnMut(CargoEvent),
) -> Result<CargoReport, CargoError> {
    ctx.check_cancelled()?;
    let mut run = Run::new(ctx, env, (view, root), target, command);
    let mut report = run.build(on)?;
    if command.verb == Verb::Test && report.built {
        run.test(&mut report, on)?;
    }
    report.duration = run.started.elapsed();
    report.cpu = run.cpu;
    report.notes = ShownConfiguration::collect(&env.host, root).notes(env);
    Ok(report)
}

/// Builds the test binaries of a command ([`Verb::Test`]) with `variables` in the environment of cargo,
/// and runs none of them.
pub(crate) fn build_tests(
    ctx: &Ctx,
    env: &CargoEnv,
    (view, root): (&View, &Path),
    target: &warm::TargetMount,
    command: &Command,
    variables: Vec<(&'static str, OsString)>,
) -> Result<(CargoReport, Vec<TestBinary>), CargoError> {
    ctx.check_cancelled()?;
    let mut run = Run { variables, ..Run::new(ctx, env, (view, root), target, command) };
    let mut report = run.build(&mut |_| {})?;
    report.duration = run.started.elapsed();
    report.cpu = run.cpu;
    Ok((report, run.binaries))
}

struct Run<'a> {
    ctx: &'a Ctx,
    env: &'a CargoEnv,
    view: &'a View,
    root: &'a Path,
    target: &'a warm::TargetMount,
    command: &'a Command,
    started: Instant,
    cpu: Option<Duration>,
    /// Environment variables of the build beside the usual ones.
    variables: Vec<(&'static str, OsString)>,
    /// The test binaries that were built.
    binaries: Vec<TestBinary>,
}

impl<'a> Run<'a> {
    fn new(
        ctx: &'a Ctx,
        env: &'a CargoEnv,
        (view, root): (&'a View, &'a Path),
        target: &'a warm::TargetMount,
        command: &'a Command,
    ) -> Self {
        Self {
            ctx,
            env,
            view,
            root,
            target,
            command,
            started: Instant::now(),
            cpu: None,
            variables: Vec::new(),
            binaries: Vec::new(),
        }
    }

    /// Builds what the command needs; for tests without running them.
    fn build(&mut self, on: &mut dyn FnMut(CargoEvent)) -> Result<CargoReport, CargoError> {
        self.build_targets(&self.command.test_targets(), on)
    }

    /// The same with these targets, for tests.
    fn build_targets(
        &mut self,
        targets: &[String],
        on: &mut dyn FnMut(CargoEvent),
    ) -> Result<CargoReport, CargoError> {
        let mut collected = Collected::default();
        let mut finished = None;
        let root = self.root;
        let process = Process {
            variables: self.variables.iter().map(|it| (it.0.into(), it.1.clone())).collect(),
            // Documentation tests, whose compiler is none of them, are another process.
            kind: ProcessKind::Units,
            ..self.process(self.build_program()?, self.build_args(targets), LocalNetwork::Nothing)
        };
        let binaries = &mut self.binaries;
        let outcome = process::run(
            self.ctx,
            self.env,
            self.view,
            Some(self.target),
            process,
            &mut |stream, line| {
                let message =
                    if stream == Stream::Stderr { None } else { read_message(root, line) };
                match message {
                    Some(CargoMessage::Diagnostic(diagnostic)) => {
                        if collected.push(&diagnostic, line.len()) {
                            on(CargoEvent::Diagnostic(diagnostic));
                        }
                    }
                    Some(CargoMessage::Unit { package, target, fresh }) => {
                        binaries.extend(test_binary(line));
                        on(CargoEvent::Unit { package, target, fresh });
                    }
                    Some(CargoMessage::BuildScript { package, cfgs }) => {
                        collected.push_script(package, cfgs);
                    }
                    Some(CargoMessage::Finished { success }) => finished = Some(success),
                    Some(CargoMessage::Other) => {}
                    None => on(CargoEvent::Text(String::from_utf8_lossy(line).into_owned())),
                }
            },
        )?;
        self.add_cpu(&outcome);
        let built = outcome.exit_code == 0 && finished != Some(false);
        let mut report = build_report(outcome, built, collected)?;
        if let Some(name) = named_twice(&self.binaries) {
            report.built = false;
            report.failure = Some(format!(
                "the build reported the test binary {name} twice: something in it prints messages of cargo"
            ));
        }
        Ok(report)
    }

    fn build_program(&self) -> Result<PathBuf, CargoError> {
        let toolchain = &self.env.toolchain;
        if self.command.verb != Verb::Clippy {
            return Ok(toolchain.cargo.clone());
        }
        let missing = || CargoError::NoClippy { toolchain: toolchain.version.clone() };
        toolchain.cargo_clippy.clone().ok_or_else(missing)
    }

    fn build_args(&self, targets: &[String]) -> Vec<OsString> {
        let mut args: Vec<String> = Vec::new();
        args.push(self.command.verb.as_str().to_owned());
        if self.command.verb == Verb::Test {
            args.push("--no-run".to_owned());
            args.extend_from_slice(targets);
        } else {
            // All errors of all packages: their number must not depend on the order of the builds.
            // Older versions do not have the option.
            if self.env.toolchain.has_minor(74) {
                args.push("--keep-going".to_owned());
            }
            args.extend(self.command.build_targets().map(str::to_owned));
        }
        args.push("--message-format=json".to_owned());
        args.extend(self.command.selection());
        args.into_iter().map(Into::into).collect()
    }

    /// A process of this run at the project's root, with the rest of the command's time limit.
    fn process(&self, program: PathBuf, args: Vec<OsString>, network: LocalNetwork) -> Process {
        Process {
            program,
            args,
            cwd: self.root.to_owned(),
            timeout: self.command.timeout.saturating_sub(self.started.elapsed()),
            memory_bytes: self.command.memory_bytes,
            network,
            stdin: Vec::new(),
            variables: Vec::new(),
            kind: ProcessKind::Any,
        }
    }

    fn add_cpu(&mut self, outcome: &Outcome) {
        if let Some(cpu) = outcome.cpu {
            self.cpu = Some(self.cpu.unwrap_or_default() + cpu);
        }
    }
}

fn build_report(
    outcome: Outcome,
    built: bool,
    collected: Collected,
) -> Result<CargoReport, CargoError> {
    let script_cfgs = collected.script_cfgs();
    let (diagnostics, dropped) = collected.finish();
    let diagnostics = report::dedup_and_sort(diagnostics);
    if !built && let Some(sign) = disk_full(&diagnostics, &outcome.stderr) {
        return Err(CargoError::DiskFull { sign });
    }
    let is_explained = diagnostics.iter().any(|it| it.is_error());
    let needs_reason = !built && (!is_explained || is_build_script_failure(&outcome.stderr));
    Ok(CargoReport {
        built,
        diagnostics,
        dropped,
        tests: None,
        failure: needs_reason.then(|| failure_reason(&outcome)),
        script_cfgs,
        timed_out: outcome.timed_out,
        cancelled: outcome.cancelled,
        duration: outcome.duration,
        cpu: outcome.cpu,
        protections: outcome.protections,
        notes: Vec::new(),
        fetched: false,
        chose_versions: false,
    })
}
