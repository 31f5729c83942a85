//! The live language session: one server per workspace, asked about texts that need not be on disk.
//!
//! ```text
//! Session ── restart, breaker, overlays ──▶ Client ── ids, window, limits ──▶ Transport
//!    ▲ typed questions (ask)                             (sandboxed server, or a scripted one)
//! ```
//!
//! Invariants: no question waits longer than its limit, whatever the server does, but for the one
//! that has to start it, which waits for its greeting besides (the server is read and written by
//! threads of its own; one that does not answer several times running is ended and started anew). A server that keeps ending is left alone for a while: the answer is an error
//! that says so, and the map stays what it was. Columns are bytes: a server that cannot is refused.
//! Its own edits of files are refused always.

mod ask;
mod client;
mod codec;
mod desk;
mod place;
mod sandboxed;
mod transport;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base::Ctx;
use serde_json::{Value, json};

pub use ask::{Action, Diagnostic, Expansion, FileEdits, Severity, Symbol, Target, TextEdit};
pub use desk::Desk;
pub use place::{Position, Range};
pub use sandboxed::{Sandboxed, SessionSettings};
pub use transport::{Pipes, Transport};

use crate::AnalyzerError;
use client::{Client, Question, TICK};

/// What the server says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It still loads: what it says may change.
    Loading,
    /// It has settled.
    Ready,
    /// It has settled, and something is wrong: what it does not say means nothing.
    Degraded(String),
}

impl Health {
    fn read(status: &Value) -> Self {
        let health = status.get("health").and_then(Value::as_str).unwrap_or("ok");
        let is_quiescent = status.get("quiescent").and_then(Value::as_bool).unwrap_or(true);
        if !is_quiescent {
            return Self::Loading;
        }
        if health == "ok" {
            return Self::Ready;
        }
        let message = status.get("message").and_then(Value::as_str).unwrap_or(health);
        Self::Degraded(message.trim().to_owned())
    }
}

/// How long things may take, and how often they may fail.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Until the server answers its greeting.
    pub start: Duration,
    /// One question.
    pub request: Duration,
    /// The first look at a file, for which much is worked out.
    pub first: Duration,
    /// Questions without an answer at a time.
    pub window: usize,
    /// How long nothing is started after the first, second and further ends in a row.
    pub pauses: [Duration; 3],
    /// So many ends within `within` are too many: nothing is started until they have passed.
    pub most_ends: usize,
    /// See `most_ends`.
    pub within: Duration,
    /// So many questions running without an answer: the server hangs.
    pub most_silent: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            request: Duration::from_secs(5),
            first: Duration::from_secs(60),
            window: 64,
            pauses: [1, 4, 16].map(Duration::from_secs),
            most_ends: 3,
            within: Duration::from_secs(600),
            most_silent: 3,
        }
    }
}

/// A text that the server is to take for the file's.
#[derive(Clone, Debug)]
struct Buffer {
    version: i64,
    text: String,
}

/// The one live server of a workspace; started when first asked.
pub struct Session {
    transport: Arc<dyn Transport>,
    root: PathBuf,
    settings: Value,
    limits: Limits,
    state: Mutex<State>,
    /// A server was started, or could not be; or the desk is free again.
    started: Condvar,
}

#[derive(Default)]
struct State {
    client: Option<Arc<Client>>,
    /// Somebody starts one.
    is_starting: bool,
    /// Somebody shows texts.
    is_desk_taken: bool,
    /// When servers ended, and why the last did.
    ends: Vec<Instant>,
    why: String,
    silent: u32,
    /// Of all buffers of the session, so that no version comes twice.
    version: i64,
    open: BTreeMap<PathBuf, Buffer>,
}

impl Session {
    /// For the workspace at `root`, as the server sees it; `settings` are rust-analyzer's own.
    pub fn new(
        transport: Arc<dyn Transport>,
        root: PathBuf,
        settings: Value,
        limits: Limits,
    ) -> Self {
        Self { transport, root, settings, limits, state: Mutex::default(), started: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left whole values behind: each change is one assignment.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Starts the server where it does not run, and waits until it has settled, at most `limit`;
    /// what it says of itself then.
    ///
    /// # Errors
    /// When it cannot be started, or ends.
    pub fn ready(&self, ctx: &Ctx, limit: Duration) -> Result<Health, AnalyzerError> {
        let client = self.client(ctx, limit)?;
        Ok(client.settled(ctx, limit)?.unwrap_or(Health::Loading))
    }

    /// What the server last said of itself; `None`: it does not run.
    pub fn health(&self) -> Option<Health> {
        let state = self.lock();
        let client = state.client.as_ref().filter(|client| client.ended().is_none())?;
        Some(client.health().unwrap_or(Health::Loading))
    }

    /// From now on the server takes this text for the file's; its version, which no other has.
    ///
    /// # Errors
    /// When the server cannot be started, or ended.
    pub fn open(&self, ctx: &Ctx, path: &Path, text: &str) -> Result<i64, AnalyzerError> {
        let client = self.client(ctx, self.limits.request)?;
        let mut state = self.lock();
        state.version += 1;
        let buffer = Buffer { version: state.version, text: text.to_owned() };
        let version = buffer.version;
        match state.open.insert(path.to_owned(), buffer.clone()) {
            None => tell_open(&client, path, &buffer),
            Some(_) => tell_changed(&client, path, version, text),
        }
        Ok(version)
    }

    /// From now on the file's text is the one on disk again.
    pub fn close(&self, path: &Path) {
        let mut state = self.lock();
        if state.open.remove(path).is_some()
            && let Some(client) = &state.client
        {
            tell_closed(client, path);
        }
    }

    /// The files on disk changed: the server does not watch them itself.
    pub fn files_changed(&self, paths: &[PathBuf]) {
        if let Some(client) = &self.lock().client {
            // 2: changed.
            let changes: Vec<_> =
                paths.iter().map(|path| json!({ "uri": place::uri(path), "type": 2 })).collect();
            client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
        }
    }

    /// One question, with restarts and the count of silences around it.
    fn request(
        &self,
        ctx: &Ctx,
        method: &'static str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, AnalyzerError> {
        let client = self.client(ctx, limit)?;
        let answer = client.request(ctx, &Question { method, params }, limit);
        self.judge(&client, answer.as_ref().err());
        answer
    }

    /// Many questions, in their order.
    fn pipelined(
        &self,
        ctx: &Ctx,
        questions: &[Question],
    ) -> Result<Vec<Result<Value, AnalyzerError>>, AnalyzerError> {
        let limit = self.limits.request;
        let client = self.client(ctx, limit)?;
        let answers = client.pipelined(ctx, questions, self.limits.window, limit);
        match &answers {
            Ok(all) => all.iter().for_each(|it| self.judge(&client, it.as_ref().err())),
            Err(error) => self.judge(&client, Some(error)),
        }
        answers
    }

    /// A server that is silent again and again hangs: it is ended, and the next question starts a
    /// new one.
    fn judge(&self, client: &Arc<Client>, error: Option<&AnalyzerError>) {
        let mut state = self.lock();
        match error {
            Some(AnalyzerError::TimedOut { method, .. }) => {
                state.silent += 1;
                let is_same = state.client.as_ref().is_some_and(|it| Arc::ptr_eq(it, client));
                if state.silent >= self.limits.most_silent && is_same {
                    let why = format!("it left `{method}` and others before without an answer");
                    state.ended(why);
                }
            }
            Some(_) => {}
            None => state.silent = 0,
        }
    }

    /// The running server, or a new one where that is allowed. Who finds another starting it waits
    /// for that, at most `limit`; who starts it waits for its greeting. Nobody holds the lock
    /// meanwhile.
    fn client(&self, ctx: &Ctx, limit: Duration) -> Result<Arc<Client>, AnalyzerError> {
        let until = Instant::now() + limit;
        let mut state = self.lock();
        loop {
            if let Some(client) = &state.client {
                match client.ended() {
                    None => return Ok(client.clone()),
                    Some(why) => state.ended(why),
                }
            }
            ctx.check_cancelled()?;
            if !state.is_starting {
                break;
            }
            if Instant::now() >= until {
                return Err(AnalyzerError::TimedOut { method: "initialize", after: limit });
            }
            state = match self.started.wait_timeout(state, TICK) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        self.may_start(&mut state)?;
        state.is_starting = true;
        drop(state);
        let starting = Starting(self);
        let client = self.greeted(ctx);
        let mut state = self.lock();
        let client = match client {
            Ok(client) => Arc::new(client),
            Err(error @ AnalyzerError::Cancelled(_)) => return Err(error),
            Err(error) => {
                state.ended(error.to_string());
                return Err(error);
            }
        };
        for (path, buffer) in &state.open {
            tell_open(&client, path, buffer);
        }
        state.client = Some(client.clone());
        drop(state);
        drop(starting);
        Ok(client)
    }

    fn may_start(&self, state: &mut State) -> Result<(), AnalyzerError> {
        let now = Instant::now();
        state.ends.retain(|end| now.duration_since(*end) < self.limits.within);
        let Some(last) = state.ends.last() else { return Ok(()) };
        let pause = if state.ends.len() >= self.limits.most_ends {
            self.limits.within
        } else {
            self.limits.pauses[(state.ends.len() - 1).min(self.limits.pauses.len() - 1)]
        };
        if now.duration_since(*last) < pause {
            let times = state.ends.len();
            let reason = format!("it ended {times} times of late: {}", state.why);
            return Err(AnalyzerError::Down { reason });
        }
        Ok(())
    }

    /// Starts a server and greets it.
    fn greeted(&self, ctx: &Ctx) -> Result<Client, AnalyzerError> {
        let client = Client::new(self.transport.connect()?, self.settings.clone());
        let root = place::uri(&self.root);
        let greeting = Question {
            method: "initialize",
            params: json!({
                "processId": null,
                "rootUri": root,
                "workspaceFolders": [{ "uri": root, "name": "workspace" }],
                "initializationOptions": self.settings,
                "capabilities": capabilities(),
            }),
        };
        let answer = client.request(ctx, &greeting, self.limits.start)?;
        let encoding = answer["capabilities"]["positionEncoding"].as_str();
        if encoding != Some("utf-8") {
            let said = encoding.unwrap_or("utf-16");
            return Err(AnalyzerError::Down { reason: format!("it counts columns in {said}") });
        }
        client.notify("initialized", json!({}));
        Ok(client)
    }
}

/// Somebody starts a server; dropped: no more, with whatever outcome.
struct Starting<'a>(&'a Session);

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        self.0.lock().is_starting = false;
        self.0.started.notify_all();
    }
}

impl State {
    fn ended(&mut self, why: String) {
        self.client = None;
        self.ends.push(Instant::now());
        self.why = why;
        self.silent = 0;
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("root", &self.root).finish_non_exhaustive()
    }
}

fn tell_open(client: &Client, path: &Path, buffer: &Buffer) {
    let document = json!({
        "uri": place::uri(path), "languageId": "rust",
        "version": buffer.version, "text": buffer.text,
    });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
}

fn tell_changed(client: &Client, path: &Path, version: i64, text: &str) {
    let changed = json!({
        "textDocument": { "uri": place::uri(path), "version": version },
        "contentChanges": [{ "text": text }],
    });
    client.notify("textDocument/didChange", changed);
}

fn tell_closed(client: &Client, path: &Path) {
    let uri = place::uri(path);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
}

/// What this client can do; what it does not say the server does not send.
fn capabilities() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": {
            "synchronization": { "didSave": false },
            // With it diagnostics are asked for, never pushed: one answer for one text.
            "diagnostic": { "dynamicRegistration": false, "relatedDocumentSupport": false },
            "hover": { "contentFormat": ["markdown"] },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "codeAction": {
                "codeActionLiteralSupport": {
                    "codeActionKind": { "valueSet": ["quickfix", "refactor", "refactor.rewrite"] },
                },
                "resolveSupport": { "properties": ["edit"] },
                "dataSupport": true,
            },
        },
        "workspace": {
            "configuration": false,
            "workspaceFolders": true,
            "workspaceEdit": { "documentChanges": false },
            "diagnostics": { "refreshSupport": true },
        },
        "experimental": { "serverStatusNotification": true },
    })
}
