//! How `cargo test` would start the binaries with tests: cargo runs with a runner that starts none of
//! them and writes down what it is given. Then each binary is started alone, in a layer of its own, so
//! that none can change another one, and its exit status and the thread that ended it are known.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sandbox::RecordedStart;

use super::Run;
use super::layers::{Way, run_in_layer};
use crate::process::{LocalNetwork, Process};
use crate::warm::UnitGuard;
use crate::{CargoError, Command};

/// First version of Rust (1.x) whose cargo takes `--config`.
const CONFIG_MINOR: u32 = 63;
/// Runs `$@` in the folder `$0`, with one stream, so that lines of tests keep their order.
const SCRIPT: &str = "cd \"$0\" && exec \"$@\" 2>&1";

/// One step of `cargo test`.
pub(super) enum Step {
    /// A line that cargo prints.
    Line(String),
    /// The start of a binary.
    Start(RecordedStart),
}

/// What `cargo test` would do for these targets. `None` where only cargo itself can run the tests: where
/// it takes a runner of the project, builds anew, or layers are copies.
pub(super) fn steps(
    run: &mut Run<'_>,
    command: &Command,
    targets: &[String],
) -> Result<Option<Vec<Step>>, CargoError> {
    let stage = run.target.guard.as_ref().and_then(|_| UnitGuard::stage(run.env));
    let word = run.ctx.fresh_name();
    let Some(stage) = stage.filter(|_| run.env.toolchain.has_minor(CONFIG_MINOR)) else {
        return Ok(None);
    };
    let Some(config) = runner(&stage, &word) else { return Ok(None) };
    let args = run.cargo_test(command, targets, &["--config".to_owned(), config]);
    let process = run.process(PathBuf::from("/bin/sh"), args, LocalNetwork::Nothing);
    let (mut steps, mut is_known) = (Vec::new(), true);
    let known: BTreeSet<&Path> = run.binaries.iter().map(|it| it.path.as_path()).collect();
    let (outcome, way) =
        run_in_layer(run, &process, &mut |_, line| match RecordedStart::read(line, &word) {
            None => steps.push(Step::Line(String::from_utf8_lossy(line).into_owned())),
            Some(Some(start)) if known.contains(start.program.as_path()) => {
                steps.push(Step::Start(start));
            }
            Some(_) => is_known = false,
        })?;
    run.add_cpu(&outcome);
    let starts = steps.iter().filter(|it| matches!(it, Step::Start(_))).count();
    let names = |it: &Step| matches!(it, Step::Line(line) if line.starts_with("     Running "));
    let is_whole = starts == steps.iter().filter(|it| names(it)).count();
    let is_good = outcome.exit_code == 0 && is_known && is_whole && way == Way::Overlay;
    Ok(is_good.then_some(steps))
}

/// The configuration of cargo with a runner that writes a line with `word`. A project that has one keeps
/// it: cargo takes that of its own target, and refuses two for conditions.
fn runner(stage: &Path, word: &str) -> Option<String> {
    let command = RecordedStart::runner(stage, word)?;
    let command = toml::Value::Array(command.map(toml::Value::from).to_vec());
    Some(format!("target.'cfg(all())'.runner={command}"))
}

/// The process of one binary.
pub(super) fn process(run: &Run<'_>, start: &RecordedStart) -> Process {
    let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into()];
    args.extend([start.cwd.clone().into(), start.program.clone().into()]);
    args.extend(start.args.iter().map(Into::into));
    let variables = start.env.iter().map(|(key, value)| (key.into(), value.into()));
    Process {
        variables: variables.collect(),
        is_test: true,
        ..run.process(PathBuf::from("/bin/sh"), args, LocalNetwork::Loopback)
    }
}
