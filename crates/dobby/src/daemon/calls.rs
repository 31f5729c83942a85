//! The work of each method.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use base::Ctx;
use model::language::{Message, MessagePart, Role, Turn, TurnError, TurnRequest};
use rpc::RpcError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::methods::{
    CloseWorkerParams, Completed, CompletionParams, EmbedParams, Embedded, EnsureModelParams,
    Ensured, MOST_BYTES, MOST_TEXTS, Method, ModelRow, NoParams, Ok as Done, OpenWorkerParams,
    Opened, QueueDepths, RunTaskParams, ShutdownParams, Status, TaskResult, Tokens, Verified,
    VerifyParams, WorkerKind, WorkerRow,
};
use super::{Daemon, MODEL, UNKNOWN, Worker, stopped};
use crate::local::available_memory;
use crate::{EngineTask, TaskFault, verify};

/// Longest time for running work where a client names none.
const DRAIN: Duration = Duration::from_secs(30);

type Answer = Result<Value, RpcError>;

fn read<P: DeserializeOwned>(params: Value) -> Result<P, RpcError> {
    serde_json::from_value(params)
        .map_err(|error| RpcError::params(base::visible_line(&error.to_string())))
}

fn answer(value: impl Serialize) -> Answer {
    serde_json::to_value(value)
        .map_err(|error| RpcError::new(RpcError::INTERNAL, error.to_string()))
}

pub(super) fn ping(params: Value) -> Answer {
    let NoParams {} = read(params)?;
    answer(Done { ok: true })
}

pub(super) fn status(daemon: &Daemon, params: Value) -> Answer {
    let NoParams {} = read(params)?;
    let loaded = daemon.language.name();
    let all = daemon.options.registry.models().map_err(|it| model_error(&it))?;
    let models = all.into_iter().map(|model| {
        let state = match model.files.iter().all(|it| it.bytes.is_some()) {
            _ if loaded.as_ref() == Some(&model.name) => "loaded",
            true => "present",
            false => "missing",
        };
        ModelRow { name: model.name, state, licence: model.licence }
    });
    let socket = daemon.language.socket().map(|it| it.display().to_string());
    let workers = base::lock(&daemon.workers);
    let workers = workers.iter().map(|(id, it)| WorkerRow {
        worker_id: id.clone(),
        kind: it.kind,
        model: it.model.clone(),
        socket: socket.clone().filter(|_| it.kind == WorkerKind::Llm),
    });
    answer(Status {
        version: daemon.options.version.clone(),
        models: models.collect(),
        workers: workers.collect(),
        mem_free_mb: available_memory().map(|it| it >> 20),
        queue_depths: QueueDepths { llm: daemon.llm.waiting(), cpu: daemon.light.waiting() },
    })
}

pub(super) fn close_worker(daemon: &Daemon, connection: u64, params: Value) -> Answer {
    let CloseWorkerParams { worker_id } = read(params)?;
    match daemon.close_worker(&worker_id, connection) {
        true => answer(Done { ok: true }),
        false => Err(no_worker(&worker_id)),
    }
}

pub(super) fn unload(daemon: &Daemon, params: Value) -> Answer {
    let NoParams {} = read(params)?;
    match daemon.language.unload() {
        true => answer(Done { ok: true }),
        false => Err(RpcError::new(super::BUSY, "a worker has the language model")),
    }
}

pub(super) fn shutdown(daemon: &Arc<Daemon>, params: Value) -> Answer {
    let ShutdownParams { timeout } = read(params)?;
    let limit = timeout.map_or(DRAIN, Duration::from_secs);
    let daemon = Arc::clone(daemon);
    let drain = move || daemon.drain(limit);
    match std::thread::Builder::new().name("drain".to_owned()).spawn(drain) {
        Ok(_) => answer(Done { ok: true }),
        Err(error) => Err(RpcError::new(RpcError::INTERNAL, error.to_string())),
    }
}

/// Runs a method that takes long.
pub(super) fn run(
    daemon: &Daemon,
    ctx: &Ctx,
    connection: u64,
    method: Method,
    params: Value,
) -> Answer {
    match method {
        Method::EnsureModel => ensure_model(daemon, ctx, read(params)?),
        Method::OpenWorker => open_worker(daemon, ctx, connection, read(params)?),
        Method::Completion => completion(daemon, ctx, connection, read(params)?),
        Method::Embed => embed(daemon, ctx, read(params)?),
        Method::RunTask => run_task(daemon, ctx, read(params)?),
        Method::VerifyDefault => verify_default(daemon, ctx, read(params)?),
        other => Err(RpcError::new(RpcError::METHOD, format!("`{}` has no work", other.name()))),
    }
}

fn ensure_model(daemon: &Daemon, ctx: &Ctx, params: EnsureModelParams) -> Answer {
    let _seat = daemon.light.take(&|| ctx.is_cancelled())?;
    let registry = &daemon.options.registry;
    let mut seen = |file: &str, bytes: u64, all: Option<u64>| {
        ctx.count("downloading", file, bytes, all.unwrap_or(0));
        !ctx.is_cancelled()
    };
    let ensured = match (&params.url, &params.sha256) {
        (Some(url), Some(sha256)) => registry.add(&params.name, (url, sha256), &mut seen),
        (None, None) => registry.ensure(&params.name, &mut seen),
        _ => return Err(RpcError::params("`url` and `sha256` belong together")),
    };
    match ensured {
        Err(_) if ctx.is_cancelled() => Err(stopped()),
        Err(error) => Err(model_error(&error)),
        Ok(ensured) => answer(Ensured { status: ensured.status, bytes: ensured.bytes }),
    }
}

fn open_worker(daemon: &Daemon, ctx: &Ctx, connection: u64, params: OpenWorkerParams) -> Answer {
    let has_stopped = || ctx.is_cancelled();
    let seat = match (params.kind, &params.model) {
        (WorkerKind::Cpu, Some(_)) => {
            return Err(RpcError::params("`model` is for the kind `llm`"));
        }
        (WorkerKind::Llm, None) => return Err(RpcError::params("`model` is missing")),
        (WorkerKind::Cpu, None) => daemon.light.take(&has_stopped)?,
        (WorkerKind::Llm, Some(model)) => {
            ctx.progress("waiting for the language model", model.clone());
            let seat = daemon.llm.take(&has_stopped)?;
            ctx.progress("starting the language model", model.clone());
            daemon.language.open(ctx, model)?;
            seat
        }
    };
    let number = daemon.next.fetch_add(1, Ordering::SeqCst);
    let (kind, model) = (params.kind, params.model);
    let worker_id = format!("w{number}");
    let opened = json!({ "worker_id": worker_id, "kind": kind, "model": model });
    let worker = Worker { kind, model, connection, _seat: seat };
    base::lock(&daemon.workers).insert(worker_id.clone(), worker);
    daemon.log.event("worker opened", opened);
    if ctx.is_cancelled() {
        // Its connection may have ended before it was there.
        daemon.close_worker(&worker_id, connection);
        return Err(stopped());
    }
    answer(Opened { worker_id })
}

fn no_worker(id: &str) -> RpcError {
    let id = base::visible_line(id);
    RpcError::new(UNKNOWN, format!("this connection has no worker `{id}`"))
}

fn completion(daemon: &Daemon, ctx: &Ctx, connection: u64, params: CompletionParams) -> Answer {
    if params.prompt.len() > MOST_BYTES || !(1..=4096).contains(&params.max_tokens) {
        return Err(RpcError::params(format!(
            "`prompt` has at most {MOST_BYTES} bytes, `max_tokens` is 1 to 4096"
        )));
    }
    if !(0.0..=2.0).contains(&params.temperature) || params.stop.len() > 16 {
        return Err(RpcError::params("`temperature` is 0 to 2, `stop` has at most 16 texts"));
    }
    let name = {
        let workers = base::lock(&daemon.workers);
        let own = workers.get(&params.worker_id).filter(|it| it.connection == connection);
        let model = own.and_then(|it| it.model.clone());
        model.ok_or_else(|| no_worker(&params.worker_id))?
    };
    let request = TurnRequest {
        messages: vec![Message {
            role: Role::User,
            parts: vec![MessagePart::Text { text: params.prompt }],
        }],
        max_tokens: params.max_tokens,
        temperature: Some(params.temperature),
        stop: params.stop,
        ..TurnRequest::default()
    };
    let turn = turn(daemon, ctx, &name, &request)?;
    let text = turn.parts.iter().filter_map(|it| match it {
        MessagePart::Text { text } => Some(text.as_str()),
        _ => None,
    });
    let usage = Tokens {
        prompt_tokens: turn.usage.input_tokens + turn.usage.cache_read_tokens,
        output_tokens: turn.usage.output_tokens,
    };
    answer(Completed { text: text.collect(), usage })
}

/// A turn of the loaded model. A server that ended is started again a few times.
fn turn(daemon: &Daemon, ctx: &Ctx, name: &str, request: &TurnRequest) -> Result<Turn, RpcError> {
    for attempt in 0.. {
        let error = match daemon.language.model() {
            Some(model) => match model.turn(ctx, request, &mut |_| {}) {
                Ok(turn) => return Ok(turn),
                Err(_) if ctx.is_cancelled() => return Err(stopped()),
                Err(error @ (TurnError::Unreachable { .. } | TurnError::Interrupted { .. })) => {
                    error.to_string()
                }
                Err(error) => return Err(RpcError::new(MODEL, error.to_string())),
            },
            None => "the server of the model has ended".to_owned(),
        };
        daemon
            .log
            .event("model lost", json!({ "model": name, "cause": error, "attempt": attempt }));
        if !daemon.language.restart(ctx, name, attempt)? {
            return Err(RpcError::new(MODEL, error));
        }
    }
    Err(stopped())
}

fn embed(daemon: &Daemon, ctx: &Ctx, params: EmbedParams) -> Answer {
    let bytes: usize = params.texts.iter().map(String::len).sum();
    if params.texts.len() > MOST_TEXTS || bytes > MOST_BYTES {
        return Err(RpcError::params(format!(
            "`texts` has at most {MOST_TEXTS} texts of {MOST_BYTES} bytes in all"
        )));
    }
    let _seat = daemon.light.take(&|| ctx.is_cancelled())?;
    let vectors =
        daemon.options.work.vectors(&params.encoder, &params.texts).map_err(task_error)?;
    answer(Embedded { vectors })
}

fn run_task(daemon: &Daemon, ctx: &Ctx, params: RunTaskParams) -> Answer {
    let payload = daemon.options.work.task(params.agent, &params.payload).map_err(task_error)?;
    let _seat = daemon.light.take(&|| ctx.is_cancelled())?;
    let task = EngineTask { id: ctx.fresh_name(), payload };
    let mut report = |report: Value| ctx.progress("running", report.to_string());
    let result = daemon.options.engine.run(&task, &mut report, &|| ctx.is_cancelled());
    answer(TaskResult { result: result.map_err(task_error)? })
}

fn task_error(fault: TaskFault) -> RpcError {
    match fault {
        TaskFault::Stopped => stopped(),
        TaskFault::Failed(cause) => RpcError::params(base::visible_line(&cause)),
        TaskFault::Lost(cause) => RpcError::new(crate::worker::LOST, base::visible_line(&cause)),
    }
}

fn verify_default(daemon: &Daemon, ctx: &Ctx, params: VerifyParams) -> Answer {
    if !(1..=1000).contains(&params.lines) {
        return Err(RpcError::params("`lines` is 1 to 1000"));
    }
    let _seat = daemon.llm.take(&|| ctx.is_cancelled())?;
    daemon.language.open(ctx, &params.model)?;
    let model = daemon.language.model();
    let verified = model.map(|model| verify(ctx, &*model, params.lines));
    daemon.language.close();
    match verified {
        Some(Ok(verified)) if verified.is_equal => answer(Verified { lines: verified.lines }),
        Some(Ok(_)) => Err(RpcError::new(MODEL, "two runs of the model differ")),
        Some(Err(_)) if ctx.is_cancelled() => Err(stopped()),
        Some(Err(error)) => Err(RpcError::new(MODEL, error.to_string())),
        None => Err(RpcError::new(MODEL, "the server of the model has ended")),
    }
}

fn model_error(error: &crate::ModelError) -> RpcError {
    RpcError::new(MODEL, base::visible_line(&error.to_string()))
}
