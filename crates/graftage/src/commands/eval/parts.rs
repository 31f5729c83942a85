//! `eval run` on an engine: parts of a suite as tasks, each a run of this program in a folder of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use base::ContentHash;
use dobby::{DriveEvent, DriveOptions, EngineTask, TaskFault, drive};
use eval::{PartResults, RunEnvironment, RunOptions};
use fleet::{CommandEnd, CommandLimits, CommandRunner, own_folder};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::failure;
use crate::args;
use crate::commands::fleet::new_engine;
use crate::exit::{Failure, Status};
use crate::session::Session;

/// Most attempts at a part.
const ATTEMPTS: u32 = 5;

/// Longest time for a part: its cases have limits of their own.
const TIME: Duration = Duration::from_secs(7 * 24 * 3600);

/// A part of a suite, as an engine gets it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartTask {
    suite: PathBuf,
    /// Folder in which the part has one, removed at its end.
    folder: PathBuf,
    cases: Vec<String>,
    analyzer: bool,
    deletion: bool,
    /// Settings, as `--config` takes them.
    config: Vec<String>,
    offline: bool,
    allow_unsandboxed: bool,
}

/// The payload of a task that is a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    eval: PartTask,
}

/// Runs the parts that have no results yet, and adds these to the output folder.
pub(super) fn run(
    session: &Session,
    machine: &RunEnvironment,
    (args, options): (&args::EvalRun, &RunOptions),
) -> Result<(), Failure> {
    let parts = eval::open_parts(&session.ctx, machine, options).map_err(failure)?;
    if parts.is_empty() {
        return Ok(());
    }
    let absolute = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let global = &session.global;
    let folder = absolute(&options.out).join("parts");
    let task = |cases: Vec<String>| {
        let id = ContentHash::of(cases.join("\n").as_bytes()).short();
        let eval = PartTask {
            suite: absolute(&options.suite),
            folder: folder.join(&id),
            cases,
            analyzer: options.analyzer,
            deletion: options.deletion,
            config: global.config.clone(),
            offline: global.offline,
            allow_unsandboxed: global.allow_unsandboxed,
        };
        EngineTask { id, payload: json!(Payload { eval }) }
    };
    let all = parts.len() as u64;
    let tasks: Vec<_> = parts.into_iter().map(task).collect();
    let engine = new_engine(session, &args.engine, args.jobs)?;
    let (mut done, mut failed) = (0, None);
    let driven =
        drive(&session.ctx, &*engine, tasks, DriveOptions { attempts: ATTEMPTS }, &mut |event| {
            let DriveEvent::Ended { id, end } = event else { return };
            done += 1;
            session.ctx.count("parts", id, done, all);
            let kept = end.map_err(|fault| unable(&fault)).and_then(|value| keep(value, options));
            failed = failed.take().or(kept.err());
        });
    // Best effort: only those of workers that were lost are not empty.
    let _ = std::fs::remove_dir_all(&folder);
    match (failed, driven) {
        (Some(failure), _) => Err(failure),
        (None, Err(cancelled)) => Err(failure(eval::EvalError::Cancelled(cancelled))),
        (None, Ok(())) => Ok(()),
    }
}

fn keep(value: Value, options: &RunOptions) -> Result<(), Failure> {
    let results: PartResults = serde_json::from_value(value).map_err(|error| {
        unable(&TaskFault::Failed(format!("the worker answered no result: {error}")))
    })?;
    results.add_to(&options.out).map_err(failure)
}

fn unable(fault: &TaskFault) -> Failure {
    Failure {
        status: Status::Environment,
        message: format!("a part of the suite has no result: {fault}"),
        hint: Some("run the same command again: it continues where it stopped".to_owned()),
    }
}

/// The result of a task that is a part; `None` for any other.
pub(crate) fn part(
    runner: &CommandRunner,
    payload: &Value,
    has_stopped: &dyn Fn() -> bool,
) -> Option<Result<Value, TaskFault>> {
    payload.get("eval")?;
    let failed = |cause: String| TaskFault::Failed(format!("a part of a suite: {cause}"));
    Some(Payload::deserialize(payload).map_err(|error| failed(error.to_string())).and_then(|it| {
        let folder = own_folder(&it.eval.folder).map_err(|error| failed(error.to_string()))?;
        let limits = CommandLimits { time: TIME, memory_bytes: u64::MAX, disk: None };
        match runner.command(arguments(&it.eval, folder.path()), &limits, has_stopped)? {
            CommandEnd::Ended { code: 0, .. } => {
                let results = PartResults::read(folder.path());
                let results = results.map_err(|error| failed(error.to_string()))?;
                serde_json::to_value(&results).map_err(|error| failed(error.to_string()))
            }
            CommandEnd::Ended { code, errors, .. } => {
                let last =
                    errors.lines().rev().find(|it| !it.trim().is_empty()).unwrap_or_default();
                Err(failed(format!("status {code}: {last}")))
            }
            CommandEnd::Limit(limit) => Err(failed(limit)),
        }
    }))
}

fn arguments(part: &PartTask, out: &std::path::Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = vec!["--json".into()];
    all.extend(part.config.iter().map(|it| format!("--config={it}").into()));
    let flags = [(part.offline, "--offline"), (part.allow_unsandboxed, "--allow-unsandboxed")];
    all.extend(flags.into_iter().filter(|it| it.0).map(|it| it.1.into()));
    all.extend(["eval".into(), "run".into(), part.suite.clone().into()]);
    all.extend(["--out".into(), out.into(), "--jobs".into(), "1".into()]);
    all.extend(part.cases.iter().map(|it| format!("--cases={it}").into()));
    let flags = [(part.analyzer, "--analyzer"), (!part.deletion, "--no-deletion")];
    all.extend(flags.into_iter().filter(|it| it.0).map(|it| it.1.into()));
    all
}
