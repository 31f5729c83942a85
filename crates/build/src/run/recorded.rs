//! How `cargo test` would start the binaries with tests: cargo runs with a runner that starts none of
//! them and writes down what it is given. Then each binary is started alone, in a layer of its own, so
//! that none can change another one, and its exit status and the thread that ended it are known.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use base::SortedSet;
use sandbox::RecordedStart;

use super::Run;
use super::layers::{Way, run_in_layer};
use crate::process::{LocalNetwork, Process, ProcessKind};
use crate::warm::UnitGuard;
use crate::{CargoError, Command};

/// First version of Rust (1.x) whose cargo takes `--config`.
const CONFIG_MINOR: u32 = 63;
/// Runs `$@` in the folder `$0`, with one stream, so that lines of tests keep their order.
const SCRIPT: &str = "cd \"$0\" && exec \"$@\" 2>&1";

/// How the binaries with tests are run.
pub(super) enum Starts {
    /// As cargo would start each, in its order.
    Known(Vec<RecordedStart>),
    /// Only cargo itself can: layers are copies.
    ByCargo,
    /// By a runner of the project.
    ByRunner,
    /// Cargo would not start exactly the binaries that were built.
    Unclear,
}

/// How `cargo test` would run the binaries of these targets.
pub(super) fn starts(
    run: &mut Run<'_>,
    command: &Command,
    targets: &[String],
) -> Result<Starts, CargoError> {
    let stages = run.target.guard.as_ref().and_then(|it| UnitGuard::stages(it, run.env));
    let word = run.ctx.fresh_name();
    let Some(stages) = stages.filter(|_| run.env.toolchain.has_minor(CONFIG_MINOR)) else {
        return Ok(Starts::ByCargo);
    };
    let Some(config) = runner((&stages.0, &stages.1), &word) else { return Ok(Starts::ByCargo) };
    let args = run.cargo_test(command, targets, &["--config".to_owned(), config]);
    let process = run.process(PathBuf::from("/bin/sh"), args, LocalNetwork::Nothing);
    let (mut starts, mut is_read) = (Vec::new(), true);
    // What cargo prints besides may have any line of the project.
    let (outcome, way) =
        run_in_layer(run, &process, &mut |_, line| match RecordedStart::read(line, &word) {
            Some(Some(start)) => starts.push(start),
            Some(None) => is_read = false,
            None => {}
        })?;
    run.add_cpu(&outcome);
    if way != Way::Overlay {
        return Ok(Starts::ByCargo);
    }
    if starts.is_empty() && is_read {
        return Ok(Starts::ByRunner);
    }
    let known: SortedSet<&Path> = run.binaries.iter().map(|it| it.path.as_path()).collect();
    let started: SortedSet<&Path> = starts.iter().map(|it| it.program.as_path()).collect();
    let is_whole = started == known && started.len() == starts.len();
    Ok(match is_whole && is_read && outcome.exit_code == 0 {
        true => Starts::Known(starts),
        false => Starts::Unclear,
    })
}

/// The configuration of cargo with a runner that writes a line with `word`. A project that has one keeps
/// it: cargo takes that of its own target, and refuses two for conditions.
fn runner(stages: (&Path, &Path), word: &str) -> Option<String> {
    let command = RecordedStart::runner(stages, word)?;
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
        kind: ProcessKind::Tests,
        ..run.process(PathBuf::from("/bin/sh"), args, LocalNetwork::Loopback)
    }
}
