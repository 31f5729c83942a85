//! The client side of one running server: request ids, time limits, retries, and the threads that
//! read and write. Start at [`Client`].

use std::any::Any;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};
use serde_json::{Value, json};

use super::codec::{Decoder, encode};
use super::{Health, Pipes};
use crate::AnalyzerError;

/// How often cancellation and time limits are checked.
pub(super) const TICK: Duration = Duration::from_millis(20);
/// `ContentModified` and `ServerCancelled`: the request should be retried.
const RETRY_CODES: [i64; 2] = [-32801, -32802];
/// Most retries of one request.
const MAX_RETRIES: u32 = 3;
/// Most unsolicited messages in a row; a server that sends more is ended. While it loads a large
/// workspace it sends some hundreds.
const MAX_UNSOLICITED: usize = 100_000;
/// Most messages that wait to be read by the server; a server that lets more pile up is ended.
const MAX_UNREAD: usize = 20_000;

/// The method and parameters of a request.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) method: &'static str,
    pub(super) params: Value,
}

/// A request that was sent.
struct PendingRequest<'a> {
    id: i64,
    until: Instant,
    question: &'a Question,
}

/// The connection to one running server.
pub(super) struct Client {
    outbox: Outbox,
    shared: Arc<Shared>,
    next: AtomicI64,
}

/// The queue of the writing thread, so that a server that does not read blocks no caller.
#[derive(Clone)]
struct Outbox {
    to_write: Sender<Value>,
    unread: Arc<AtomicUsize>,
}

impl Outbox {
    fn send(&self, message: Value) {
        self.unread.fetch_add(1, Ordering::Relaxed);
        // The writing thread ends only after it has recorded the end of the connection.
        let _ = self.to_write.send(message);
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// The server's life token; dropping it ends the server.
    life: Mutex<Option<Box<dyn Any + Send + Sync>>>,
}

#[derive(Default)]
struct State {
    replies: SortedMap<i64, Slot>,
    health: Option<Health>,
    /// Why the connection ended.
    ended: Option<String>,
}

enum Slot {
    Waiting,
    Answered(Result<Value, (i64, String)>),
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A poisoned state is still consistent: each change is one assignment.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn end(&self, why: String) {
        self.lock().ended.get_or_insert(why);
        self.changed.notify_all();
        self.drop_life();
    }

    fn drop_life(&self) {
        let life = self.life.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        drop(life);
    }
}

impl Client {
    /// Starts the reading and the writing thread. `settings` is the answer to configuration requests.
    pub(super) fn new(pipes: Pipes, settings: Value) -> Self {
        let Pipes { mut to, from, life } = pipes;
        let shared = Arc::new(Shared { life: Mutex::new(Some(life)), ..Shared::default() });
        let (sender, to_write) = channel::<Value>();
        let unread = Arc::new(AtomicUsize::new(0));
        let outbox = Outbox { to_write: sender, unread: unread.clone() };
        let ends = shared.clone();
        std::thread::spawn(move || {
            while let Ok(message) = to_write.recv() {
                if let Err(error) = to.write_all(&encode(&message)).and_then(|()| to.flush()) {
                    return ends.end(format!("it stopped reading: {error}"));
                }
                unread.fetch_sub(1, Ordering::Relaxed);
            }
        });
        let (reads, answers) = (shared.clone(), outbox.clone());
        std::thread::spawn(move || read_all(from, &reads, &answers, &settings));
        Self { outbox, shared, next: AtomicI64::new(1) }
    }

    /// Why the connection ended; `None` while the server runs.
    pub(super) fn ended(&self) -> Option<String> {
        self.shared.lock().ended.clone()
    }

    /// The last status that the server reported.
    pub(super) fn health(&self) -> Option<Health> {
        self.shared.lock().health.clone()
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&self, message: Value) {
        self.outbox.send(message);
    }

    fn ask(&self, question: &Question) -> i64 {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.shared.lock().replies.insert(id, Slot::Waiting);
        self.send(json!({
            "jsonrpc": "2.0", "id": id, "method": question.method, "params": question.params,
        }));
        id
    }

    /// Waits at most `limit` until the server has loaded the workspace; returns its status.
    pub(super) fn loaded(
        &self,
        ctx: &Ctx,
        limit: Duration,
    ) -> Result<Option<Health>, AnalyzerError> {
        let until = Instant::now() + limit;
        let mut state = self.shared.lock();
        loop {
            if let Some(why) = &state.ended {
                return Err(AnalyzerError::Down { reason: why.clone() });
            }
            let is_loaded = !matches!(state.health, None | Some(Health::Loading));
            if is_loaded || Instant::now() >= until {
                return Ok(state.health.clone());
            }
            ctx.check_cancelled()?;
            state = self.pause(state);
        }
    }

    fn pause<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        match self.shared.changed.wait_timeout(state, TICK) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }

    /// Sends one request and waits at most `limit` for the answer.
    pub(super) fn request(
        &self,
        ctx: &Ctx,
        question: &Question,
        limit: Duration,
    ) -> Result<Value, AnalyzerError> {
        let pending =
            PendingRequest { id: self.ask(question), until: Instant::now() + limit, question };
        self.await_answer(ctx, &pending, limit)
    }

    /// Waits for the answer to a request; retries it on [`RETRY_CODES`] within the same limit.
    fn await_answer(
        &self,
        ctx: &Ctx,
        pending: &PendingRequest<'_>,
        limit: Duration,
    ) -> Result<Value, AnalyzerError> {
        let (mut id, method) = (pending.id, pending.question.method);
        let mut retries = 0;
        loop {
            match self.answer(ctx, id, pending.until, method, limit)? {
                Ok(value) => return Ok(value),
                Err((code, _)) if RETRY_CODES.contains(&code) && retries < MAX_RETRIES => {
                    retries += 1;
                    id = self.ask(pending.question);
                }
                Err((code, reason)) => {
                    return Err(AnalyzerError::Refused { method, code, reason });
                }
            }
        }
    }

    /// Sends many requests with at most `window` of them pending; each may take `limit` from when it
    /// was sent. Stops early only on cancellation or when the server ends.
    pub(super) fn pipelined(
        &self,
        ctx: &Ctx,
        questions: &[Question],
        window: usize,
        limit: Duration,
    ) -> Result<Vec<Result<Value, AnalyzerError>>, AnalyzerError> {
        let mut answers = Vec::with_capacity(questions.len());
        let mut in_flight: VecDeque<PendingRequest<'_>> = VecDeque::new();
        let mut unsent = questions.iter();
        loop {
            while in_flight.len() < window.max(1) {
                let Some(question) = unsent.next() else { break };
                let (id, until) = (self.ask(question), Instant::now() + limit);
                in_flight.push_back(PendingRequest { id, until, question });
            }
            let Some(pending) = in_flight.pop_front() else { return Ok(answers) };
            match self.await_answer(ctx, &pending, limit) {
                Err(error @ (AnalyzerError::Cancelled(_) | AnalyzerError::Down { .. })) => {
                    in_flight.iter().for_each(|pending| self.give_up(pending.id));
                    return Err(error);
                }
                answer => answers.push(answer),
            }
        }
    }

    fn answer(
        &self,
        ctx: &Ctx,
        id: i64,
        until: Instant,
        method: &'static str,
        limit: Duration,
    ) -> Result<Result<Value, (i64, String)>, AnalyzerError> {
        let mut state = self.shared.lock();
        loop {
            if let Some(Slot::Answered(_)) = state.replies.get(&id)
                && let Some(Slot::Answered(answer)) = state.replies.remove(&id)
            {
                return Ok(answer);
            }
            let failure = if let Some(why) = &state.ended {
                Some(AnalyzerError::Down { reason: why.clone() })
            } else if let Err(cancelled) = ctx.check_cancelled() {
                Some(cancelled.into())
            } else if Instant::now() >= until {
                Some(AnalyzerError::TimedOut { method, after: limit })
            } else {
                None
            };
            if let Some(failure) = failure {
                drop(state);
                self.give_up(id);
                return Err(failure);
            }
            state = self.pause(state);
        }
    }

    /// Cancels a request whose answer is no longer needed.
    fn give_up(&self, id: i64) {
        if self.shared.lock().replies.remove(&id).is_some() {
            self.notify("$/cancelRequest", json!({ "id": id }));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.drop_life();
    }
}

fn read_all(mut from: Box<dyn Read + Send>, shared: &Shared, out: &Outbox, settings: &Value) {
    let mut unsolicited = 0_usize;
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return shared.end("it exited".to_owned()),
            Ok(bytes) => decoder.push(&buffer[..bytes]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return shared.end(error.to_string()),
        }
        loop {
            match decoder.next() {
                Ok(Some(message)) => {
                    let is_answer = message.get("method").is_none();
                    unsolicited = if is_answer { 0 } else { unsolicited + 1 };
                    take(message, shared, out, settings);
                    if unsolicited > MAX_UNSOLICITED {
                        return shared.end("it sent too many unsolicited messages".to_owned());
                    }
                    if out.unread.load(Ordering::Relaxed) > MAX_UNREAD {
                        return shared
                            .end("it does not read the answers to its requests".to_owned());
                    }
                }
                Ok(None) => break,
                Err(why) => {
                    return shared
                        .end(format!("its output is not the language server protocol: {why}"));
                }
            }
        }
    }
}

fn take(mut message: Value, shared: &Shared, out: &Outbox, settings: &Value) {
    let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
    if method.is_empty() {
        let Some(id) = message.get("id").and_then(Value::as_i64) else { return };
        let answer = match message.get("error") {
            None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
            Some(error) => {
                let code = error.get("code").and_then(Value::as_i64).unwrap_or_default();
                let text = error.get("message").and_then(Value::as_str).unwrap_or_default();
                Err((code, text.to_owned()))
            }
        };
        // Without a slot the request was given up and the late answer is dropped.
        if let Some(slot) = shared.lock().replies.get_mut(&id) {
            *slot = Slot::Answered(answer);
        }
        shared.changed.notify_all();
        return;
    }
    if let Some(id) = message.get("id") {
        let reply = reply(&method, &message, settings);
        let mut answer = json!({ "jsonrpc": "2.0", "id": id });
        match reply {
            Ok(result) => answer["result"] = result,
            Err(code) => {
                answer["error"] = json!({ "code": code, "message": "not offered by this client" });
            }
        }
        out.send(answer);
    } else if method == "experimental/serverStatus" {
        shared.lock().health = Some(Health::read(&message["params"]));
        shared.changed.notify_all();
    }
}

/// The answer to a request of the server.
fn reply(method: &str, message: &Value, settings: &Value) -> Result<Value, i64> {
    match method {
        // Only graftage's gate may write to the user's files.
        "workspace/applyEdit" => Ok(json!({
            "applied": false, "failureReason": "the client does not apply edits of the server",
        })),
        "workspace/configuration" => {
            let count = message["params"]["items"].as_array().map_or(0, Vec::len);
            Ok(Value::Array(vec![settings.clone(); count]))
        }
        "client/registerCapability"
        | "client/unregisterCapability"
        | "window/workDoneProgress/create"
        | "workspace/diagnostic/refresh"
        | "workspace/semanticTokens/refresh"
        | "workspace/inlayHint/refresh"
        | "workspace/codeLens/refresh" => Ok(Value::Null),
        _ => Err(-32601),
    }
}
