//! `dobby serve`, and the commands that ask the daemon.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::{Ctx, Hint};
use dobby::{
    DaemonError, DaemonOptions, DaemonStop, DaemonWork, DobbyClient, ModelRegistry, TaskAgent,
    TaskFault, TaskPayload, log_lines, serve_daemon,
};
use project::LocalServers;
use serde_json::{Value, json};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::args_fleet::{DobbyLogs, ServeDobby, ShutdownDobby};
use crate::commands::fleet;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

/// Longest time for a short answer.
const SHORT: Duration = Duration::from_secs(10);

/// Time for what runs to end after a signal.
const DRAIN: Duration = Duration::from_secs(30);

/// Longest time of a task where a client names none, in seconds.
const TASK: u64 = 1_800;

pub(super) fn serve(session: &Session, args: &ServeDobby) -> Result<Status, Failure> {
    let settings = session.settings(None)?;
    let surroundings = session.surroundings.clone();
    let seats = usize::from(args.workers);
    let engine = fleet::new_engine(session, &args.engine, Some(seats))?;
    session.bar.clear();
    let start_model = move |ctx: &Ctx, name: &str| {
        let servers = LocalServers::new(&settings, &surroundings);
        servers.and_then(|it| it.start(ctx, name)).map_err(|error| {
            let hint = error.hint().map(|it| format!("; {it}")).unwrap_or_default();
            TaskFault::Failed(format!("{error}{hint}"))
        })
    };
    let models = session.surroundings.models_dir();
    let options = DaemonOptions {
        socket: args.socket.clone().unwrap_or_else(|| session.surroundings.dobby_socket()),
        log: log_file(session),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        registry: ModelRegistry::new(models.clone()),
        start_model: Arc::new(start_model),
        engine,
        work: Box::new(Work { models }),
        light: seats,
        idle: Duration::from_secs(args.idle),
        ends_when_idle: args.end_when_idle,
    };
    // The first signal ends nothing at once: what runs may end.
    let ctx = session.ctx_of_server();
    serve_daemon(&ctx, options, end_on_signals)?;
    Ok(Status::Done)
}

/// Drains the daemon at a signal. A second one is not waited for.
fn end_on_signals(stop: DaemonStop) {
    let listen = move || {
        // Without a handler a signal ends the process.
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP]) else {
            return;
        };
        for _ in signals.forever() {
            stop.drain(DRAIN);
        }
    };
    // Where no thread can be started, a signal ends the process.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
}

/// The work of this program for a daemon.
struct Work {
    models: std::path::PathBuf,
}

impl DaemonWork for Work {
    fn task(&self, agent: TaskAgent, payload: &TaskPayload) -> Result<Value, TaskFault> {
        let root = Path::new(&payload.root);
        if !root.is_absolute() || !root.is_dir() {
            let shown = base::visible_line(&payload.root);
            return Err(TaskFault::Failed(format!("`root` is no folder: `{shown}`")));
        }
        let text = payload.text.clone().filter(|it| !it.trim().is_empty());
        let missing = || TaskFault::Failed("`text` is missing".to_owned());
        let words = match agent {
            TaskAgent::A1 => vec!["check".to_owned()],
            TaskAgent::A2 => vec!["impact".to_owned(), "--".to_owned(), text.ok_or_else(missing)?],
            TaskAgent::A3 => vec!["search".to_owned(), "--".to_owned(), text.ok_or_else(missing)?],
            TaskAgent::R1 => match text {
                Some(text) => vec!["task".to_owned(), "--".to_owned(), text],
                None => vec!["fix".to_owned()],
            },
        };
        let seconds = payload.seconds.unwrap_or(TASK).clamp(1, 86_400);
        Ok(::fleet::single_task(root, words, seconds))
    }

    fn vectors(&self, encoder: &str, texts: &[String]) -> Result<Vec<Vec<f32>>, TaskFault> {
        code::text_vectors(&self.models, encoder, texts)
            .map_err(|error| TaskFault::Failed(error.to_string()))
    }
}

fn log_file(session: &Session) -> std::path::PathBuf {
    session.surroundings.state_dir.join("dobby").join("dobby.log")
}

/// The answer of the daemon; `None`: none runs.
fn asked(session: &Session, method: &str, params: &Value) -> Result<Option<Value>, Failure> {
    let path = session.surroundings.dobby_socket();
    let Some(daemon) = DobbyClient::connect(&path)? else {
        if session.global.json {
            output::json(&json!({ "running": false }))?;
        } else {
            output::say(&format!(
                "no daemon runs at {}\n",
                output::safe(&path.display().to_string())
            ))?;
        }
        return Ok(None);
    };
    let answer = daemon.call(method, params, SHORT, &|_| {}, &|| session.ctx.is_cancelled())?;
    Ok(Some(answer))
}

pub(super) fn status(session: &Session) -> Result<Status, Failure> {
    let Some(status) = asked(session, "get_status", &json!({}))? else { return Ok(Status::No) };
    if session.global.json {
        let mut document = status;
        document["running"] = Value::from(true);
        output::json(&document)?;
        return Ok(Status::Done);
    }
    let text = |value: &Value| output::safe(value.as_str().unwrap_or_default());
    let rows = |name: &str| status[name].as_array().cloned().unwrap_or_default();
    let mut out = format!("dobby {}", text(&status["version"]));
    if let Some(free) = status["mem_free_mb"].as_u64() {
        out.push_str(&format!(", {free} MiB of memory available"));
    }
    out.push('\n');
    for model in rows("models") {
        let (name, state) = (paint(BOLD, &text(&model["name"])), text(&model["state"]));
        out.push_str(&format!(
            "  model {name}  {state}  {}\n",
            paint(DIM, &text(&model["licence"]))
        ));
    }
    for worker in rows("workers") {
        let (id, kind) = (text(&worker["worker_id"]), text(&worker["kind"]));
        out.push_str(&format!("  worker {id}  {kind}  {}\n", text(&worker["model"])));
    }
    let waiting = &status["queue_depths"];
    out.push_str(&format!(
        "  waiting: {} for the model, {} for a light worker\n",
        waiting["llm"], waiting["cpu"]
    ));
    output::say(&out)?;
    Ok(Status::Done)
}

pub(super) fn unload(session: &Session) -> Result<Status, Failure> {
    match asked(session, "dobby.unload", &json!({}))? {
        Some(answer) => done(session, &answer, "no language model is loaded\n"),
        None => Ok(Status::No),
    }
}

pub(super) fn shutdown(session: &Session, args: &ShutdownDobby) -> Result<Status, Failure> {
    let params = json!({ "timeout": args.timeout });
    let Some(answer) = asked(session, "dobby.shutdown", &params)? else { return Ok(Status::No) };
    let path = session.surroundings.dobby_socket();
    let until = std::time::Instant::now() + Duration::from_secs(args.timeout) + SHORT;
    while DobbyClient::connect(&path)?.is_some() {
        if session.ctx.is_cancelled() || std::time::Instant::now() > until {
            return Err(Failure::input("the daemon still runs", "look at `graftage dobby logs`"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    done(session, &answer, "the daemon has ended\n")
}

fn done(session: &Session, answer: &Value, text: &str) -> Result<Status, Failure> {
    match session.global.json {
        true => output::json(answer)?,
        false => output::say(text)?,
    }
    Ok(Status::Done)
}

pub(super) fn logs(session: &Session, args: &DobbyLogs) -> Result<Status, Failure> {
    let lines = log_lines(&log_file(session), args.lines);
    let text: String = lines.iter().map(|it| format!("{}\n", output::safe(it))).collect();
    output::say(&text)?;
    Ok(Status::Done)
}

impl From<DaemonError> for Failure {
    fn from(error: DaemonError) -> Self {
        let status = match &error {
            DaemonError::Runs { .. } | DaemonError::Refused(_) => Status::No,
            _ => Status::Environment,
        };
        Self { status, hint: error.hint(), message: error.to_string() }
    }
}
