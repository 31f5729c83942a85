//! `hook`: answers the hooks of a coding agent. It never makes its client wait or fail: after the limit,
//! and where something is wrong, it prints that and ends with status 0.

use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::Ctx;
use project::SystemHost;
use tools::{HookAnswer, HookInput, HookMode, agent_hook, hook_not_finished, hook_refused};

use crate::args_hook;
use crate::exit::{Failure, Status};
use crate::session::Session;

/// Size limit of the input: a client sends whole files.
const MAX_INPUT: u64 = 64 << 20;
/// The time from the request to stop a check to the end of the process.
const ENDING: Duration = Duration::from_millis(150);

pub(crate) fn run(session: &Session, args: &args_hook::Hook) -> Result<Status, Failure> {
    let began = Instant::now();
    let limit = Duration::from_secs_f64(args.limit.clamp(0.1, 600.0));
    let (sender, answers) = channel();
    let stopped = Arc::new(AtomicBool::new(false));
    let of_flag = if args.strict { HookMode::Strict } else { HookMode::Check };
    let event = Arc::new(Mutex::new((String::new(), of_flag)));
    let worker = {
        let host = SystemHost::new(Arc::clone(&stopped), |_| {}).with_log(session.ctx.log());
        let session = session.with_ctx(Ctx::new(Arc::new(host)));
        let event = Arc::clone(&event);
        move || {
            // The receiver is gone where the limit has passed.
            let _ = sender.send(answer(&session, &event));
        }
    };
    std::thread::Builder::new().name("hook".to_owned()).spawn(worker)?;
    let left = || limit.saturating_sub(began.elapsed());
    let mut answer = answers.recv_timeout(left().saturating_sub(ENDING));
    if matches!(answer, Err(RecvTimeoutError::Timeout)) {
        stopped.store(true, Ordering::Relaxed);
        answer = answers.recv_timeout(left());
    }
    let late = || {
        let (event, mode) = &*base::lock(&event);
        hook_not_finished(event, *mode, limit.as_secs_f64())
    };
    let answer = match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) if stopped.load(Ordering::Relaxed) => late(),
        Ok(Err(failure)) if refuses_edit(&event) => hook_refused(&failure.message),
        Ok(Err(failure)) => HookAnswer::note(format!("graftage: {}", failure.message)),
        Err(_) => late(),
    };
    let text = serde_json::to_string(&answer).unwrap_or_else(|_| "{}".to_owned());
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(Status::Done)
}

/// Whether an edit is refused where something is wrong, and the event may be one: it is, or it could not
/// be read.
fn refuses_edit(event: &Mutex<(String, HookMode)>) -> bool {
    let (name, mode) = &*base::lock(event);
    *mode == HookMode::Strict && matches!(name.as_str(), "PreToolUse" | "")
}

fn answer(session: &Session, event: &Mutex<(String, HookMode)>) -> Result<HookAnswer, Failure> {
    // The user's own setting holds wherever the client is, and before its input is read.
    if session.settings(None).is_ok_and(|it| it.hook_strict) {
        base::lock(event).1 = HookMode::Strict;
    }
    let mut text = String::new();
    std::io::stdin().lock().take(MAX_INPUT + 1).read_to_string(&mut text)?;
    let explained = |reason: String| {
        Failure::input(format!("the input of the hook cannot be read: {reason}"), "pass its JSON")
    };
    if text.len() as u64 > MAX_INPUT {
        return Err(explained(format!("it is larger than {} MiB", MAX_INPUT >> 20)));
    }
    let input = HookInput::parse(&text).map_err(|error| explained(error.to_string()))?;
    input.event().clone_into(&mut base::lock(event).0);
    let found = of_project(session, &input, event);
    let is_strict = base::lock(event).1 == HookMode::Strict;
    match found {
        Ok(found) if is_strict && input.edits_rust() && !found.is_refusal() => {
            Ok(hook_refused("this file belongs to no project that it knows"))
        }
        found => found,
    }
}

/// The answer for the project of the client's directory, or of the edited file where that is in another.
fn of_project(
    session: &Session,
    input: &HookInput,
    event: &Mutex<(String, HookMode)>,
) -> Result<HookAnswer, Failure> {
    let dir = match &session.global.dir {
        Some(dir) => dir.clone(),
        None => input.directory().to_owned(),
    };
    let own = build::find_root(&dir).ok();
    let root = match input.edited_folder() {
        Some(folder) if own.as_ref().is_none_or(|own| !folder.starts_with(own)) => {
            build::find_root(&folder).ok().or(own)
        }
        _ => own,
    };
    // Not a Rust project: nothing to report.
    let Some(root) = root else { return Ok(HookAnswer::default()) };
    let workspace = session.workspace_at(&root)?.for_agents();
    if workspace.settings().hook_strict {
        base::lock(event).1 = HookMode::Strict;
    }
    let mode = base::lock(event).1;
    Ok(agent_hook(&session.ctx, &workspace, input, mode)?)
}
