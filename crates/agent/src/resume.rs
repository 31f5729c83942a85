//! `--resume`: continues a run of `fix` or `finish` on the same tree, such as with answers to its questions. What its
//! trace has of candidates that were built is not built again; tests and the final proof are.

use std::path::Path;
use std::sync::Arc;

use base::Ctx;
use project::Workspace;
use tools::{KeptError, KeptRun, kept_run};

use crate::{AgentError, FixOptions, Trace, TraceHeader, TraceRequest, read_trace};

/// The options of a run, to continue it: its request, its answers, and its trace. Tests and approvals are of the
/// caller alone.
///
/// # Errors
/// An id that names no run; one of another command, on another tree, with other settings, or without a trace.
pub(crate) fn resumed(
    ctx: &Ctx,
    workspace: &Workspace,
    (id, command): (&str, &str),
) -> Result<FixOptions, AgentError> {
    let run = kept_run(workspace, id)?;
    let refused = |reason: String| AgentError::from(run.not_resumable(reason));
    let own = &run.past.run.command;
    if own != command {
        return Err(refused(match own.as_str() {
            "fix" | "finish" => format!("it is a run of `graftage {own}`"),
            _ => format!("a run of `graftage {own}` is not continued"),
        }));
    }
    let trace = trace_of(workspace, &run)?;
    let tree = workspace.prover(ctx)?.tree(ctx)?;
    if trace.header.tree != tree.hash() {
        let (id, file) = (run.id().to_owned(), "the project or its environment".to_owned());
        return Err(KeptError::Moved { id, file }.into());
    }
    if let Some(reason) = other_settings(&trace.header, workspace) {
        return Err(refused(reason));
    }
    match &trace.header.request {
        TraceRequest::Fix(was) if was.begin.is_none() => Ok(FixOptions {
            error: was.error.clone(),
            test: was.test.clone(),
            failing: was.failing,
            max_seconds: was.max_seconds,
            base: was.base.clone(),
            reasoners: was.reasoners,
            choose: was.choose,
            answers: was.answers.clone(),
            earlier: Some(Arc::new(trace)),
            ..FixOptions::default()
        }),
        _ => Err(refused("it began with a change in memory".to_owned())),
    }
}

fn trace_of(workspace: &Workspace, run: &KeptRun) -> Result<Trace, AgentError> {
    let name = run.detail.trace.as_deref();
    // The name of a file in the folder of traces, and nothing else.
    let name = name.filter(|it| Path::new(it).file_name().is_some_and(|own| own == *it));
    let path = name.map(|it| workspace.project().state_dir().join("traces").join(it));
    let Some(path) = path.filter(|it| it.is_file()) else {
        let reason = "its trace is not kept any more (`trace.keep`)".to_owned();
        return Err(run.not_resumable(reason).into());
    };
    read_trace(&path)
}

/// The first setting that was another one; `None` if all are the same.
fn other_settings(header: &TraceHeader, workspace: &Workspace) -> Option<String> {
    let now = workspace.settings().changed();
    let differs = |it: &&(String, String)| !now.contains(it) || !header.settings.contains(it);
    if let Some((key, _)) = header.settings.iter().chain(&now).find(differs) {
        return Some(format!("it ran with another `{key}`: pass the options that it had"));
    }
    let is_same = header.threads == workspace.settings().gate.threads
        && header.version == env!("CARGO_PKG_VERSION");
    (!is_same).then(|| "it ran with another policy or version of graftage".to_owned())
}
