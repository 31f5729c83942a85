use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base::Ctx;
use serde_json::{Value, json};

use super::codec::{Decoder, encode};
use super::{Health, Pipes};
use crate::AnalyzerError;

/// How often the user's wish to stop is looked for.
pub(super) const TICK: Duration = Duration::from_millis(20);
/// The server's content changed under the request, or it had better things to do: ask again.
const ASK_AGAIN: [i64; 2] = [-32801, -32802];
/// How often.
const MOST_RETRIES: u32 = 3;
/// So many messages that nobody asked for, with no answer among them, and the server floods. While
/// it loads a large workspace it sends some hundreds.
const MOST_UNASKED: usize = 100_000;
/// So many messages that the server has not read: it asks and does not listen.
const MOST_UNREAD: usize = 20_000;

/// One question.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) method: &'static str,
    pub(super) params: Value,
}

/// A question on its way.
struct Asked<'a> {
    id: i64,
    until: Instant,
    question: &'a Question,
}

/// One running server, from its start to its end.
pub(super) struct Client {
    outbox: Outbox,
    shared: Arc<Shared>,
    next: AtomicI64,
}

/// To the thread that writes: a server that does not read blocks nobody else.
#[derive(Clone)]
struct Outbox {
    to_write: Sender<Value>,
    unread: Arc<AtomicUsize>,
}

impl Outbox {
    fn send(&self, message: Value) {
        self.unread.fetch_add(1, Ordering::Relaxed);
        // When the writing thread is gone the end is known already.
        let _ = self.to_write.send(message);
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Dropped with the end: from then on nobody wants the server.
    life: Mutex<Option<Box<dyn Any + Send + Sync>>>,
}

#[derive(Default)]
struct State {
    replies: BTreeMap<i64, Slot>,
    health: Option<Health>,
    /// Why nothing more will come.
    ended: Option<String>,
}

enum Slot {
    Waiting,
    Answered(Result<Value, (i64, String)>),
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left whole values behind: each change is one assignment.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn end(&self, why: String) {
        self.lock().ended.get_or_insert(why);
        self.changed.notify_all();
        self.let_go();
    }

    fn let_go(&self) {
        let life = self.life.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        drop(life);
    }
}

impl Client {
    /// Takes over both directions. `settings` answers what the server asks for.
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
                    return ends.end(format!("it does not read any more: {error}"));
                }
                unread.fetch_sub(1, Ordering::Relaxed);
            }
        });
        let (reads, answers) = (shared.clone(), outbox.clone());
        std::thread::spawn(move || read_all(from, &reads, &answers, &settings));
        Self { outbox, shared, next: AtomicI64::new(1) }
    }

    /// Why nothing more will come from it.
    pub(super) fn ended(&self) -> Option<String> {
        self.shared.lock().ended.clone()
    }

    /// What it last said of itself.
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

    /// Waits until the server says it has settled, at most `limit`; what it says then.
    pub(super) fn settled(
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
            let is_settled = !matches!(state.health, None | Some(Health::Loading));
            if is_settled || Instant::now() >= until {
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

    /// Asks one question and waits for its answer, at most `limit`.
    pub(super) fn request(
        &self,
        ctx: &Ctx,
        question: &Question,
        limit: Duration,
    ) -> Result<Value, AnalyzerError> {
        let asked = Asked { id: self.ask(question), until: Instant::now() + limit, question };
        self.settle(ctx, &asked, limit)
    }

    /// The answer to what was asked; asks again where the server wants that, within the same limit.
    fn settle(
        &self,
        ctx: &Ctx,
        asked: &Asked<'_>,
        limit: Duration,
    ) -> Result<Value, AnalyzerError> {
        let (mut id, method) = (asked.id, asked.question.method);
        let mut retries = 0;
        loop {
            match self.answer(ctx, id, asked.until, method, limit)? {
                Ok(value) => return Ok(value),
                Err((code, _)) if ASK_AGAIN.contains(&code) && retries < MOST_RETRIES => {
                    retries += 1;
                    id = self.ask(asked.question);
                }
                Err((code, reason)) => {
                    return Err(AnalyzerError::Refused { method, code, reason });
                }
            }
        }
    }

    /// Asks many questions with at most `window` of them unanswered at a time; each answer may take
    /// `limit` from when it was asked. Stops early only when the user or the server does.
    pub(super) fn pipelined(
        &self,
        ctx: &Ctx,
        questions: &[Question],
        window: usize,
        limit: Duration,
    ) -> Result<Vec<Result<Value, AnalyzerError>>, AnalyzerError> {
        let mut answers = Vec::with_capacity(questions.len());
        let mut flying: VecDeque<Asked<'_>> = VecDeque::new();
        let mut coming = questions.iter();
        loop {
            while flying.len() < window.max(1) {
                let Some(question) = coming.next() else { break };
                let (id, until) = (self.ask(question), Instant::now() + limit);
                flying.push_back(Asked { id, until, question });
            }
            let Some(asked) = flying.pop_front() else { return Ok(answers) };
            match self.settle(ctx, &asked, limit) {
                Err(error @ (AnalyzerError::Cancelled(_) | AnalyzerError::Down { .. })) => {
                    flying.iter().for_each(|asked| self.give_up(asked.id));
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

    /// Nobody waits for this answer any more.
    fn give_up(&self, id: i64) {
        if self.shared.lock().replies.remove(&id).is_some() {
            self.notify("$/cancelRequest", json!({ "id": id }));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.let_go();
    }
}

fn read_all(mut from: Box<dyn Read + Send>, shared: &Shared, out: &Outbox, settings: &Value) {
    let mut unasked = 0_usize;
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return shared.end("it ended".to_owned()),
            Ok(bytes) => decoder.push(&buffer[..bytes]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return shared.end(error.to_string()),
        }
        loop {
            match decoder.next() {
                Ok(Some(message)) => {
                    let is_answer = message.get("method").is_none();
                    unasked = if is_answer { 0 } else { unasked + 1 };
                    take(message, shared, out, settings);
                    if unasked > MOST_UNASKED {
                        return shared.end("it speaks without end".to_owned());
                    }
                    if out.unread.load(Ordering::Relaxed) > MOST_UNREAD {
                        return shared.end("it asks and does not listen".to_owned());
                    }
                }
                Ok(None) => break,
                Err(why) => return shared.end(format!("it speaks no language protocol: {why}")),
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
        // An answer that nobody waits for is late, and dropped.
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

/// What the server's own questions are answered with.
fn reply(method: &str, message: &Value, settings: &Value) -> Result<Value, i64> {
    match method {
        // What reaches the user's files goes through the gate, never through a server.
        "workspace/applyEdit" => Ok(json!({
            "applied": false, "failureReason": "edits are proposed, never applied by the server",
        })),
        "workspace/configuration" => {
            let asked = message["params"]["items"].as_array().map_or(0, Vec::len);
            Ok(Value::Array(vec![settings.clone(); asked]))
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
