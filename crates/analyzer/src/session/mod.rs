//! The language session: one server per workspace, which answers requests about texts that need not
//! be on disk. Start at [`Session`].
//!
//! ```text
//! Session ── restarts, pauses, overlays ──▶ Client ── ids, window, limits ──▶ Transport
//!    ▲ typed requests (ask)                              (sandboxed server, or a scripted one)
//! ```
//!
//! Invariants: a request waits no longer than its limit, whatever the server does, because threads of
//! their own read and write; a request that has to start the server also waits for `initialize`. A
//! server that repeatedly does not answer is ended and restarted. A server that keeps ending is not
//! restarted for a while, and requests fail with that reason. Columns are UTF-8 bytes: a server that
//! does not support them is rejected. Edits that the server wants to apply are always rejected.

mod ask;
mod client;
mod codec;
mod overlay_guard;
mod position;
mod sandboxed;
mod transport;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};
use serde_json::{Value, json};

pub use ask::{Action, ExpandedMacro, FileEdits, LspDiagnostic, LspEdit, LspLocation};
pub use overlay_guard::OverlayGuard;
pub use position::{LspPosition, LspRange};
pub use sandboxed::{Sandboxed, SessionSettings};
pub use transport::{Pipes, Transport};

use crate::AnalyzerError;
use client::{Client, Question, TICK};

/// The status that the server reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It still loads the workspace; answers may change.
    Loading,
    /// It has loaded the workspace.
    Ready,
    /// It has loaded the workspace with problems, so missing answers prove nothing.
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

/// Time limits and failure limits of a session.
#[derive(Clone, Debug)]
pub struct SessionLimits {
    /// Time for the server to answer `initialize`.
    pub start: Duration,
    /// Time for one request.
    pub request: Duration,
    /// Time for requests that trigger a full analysis of a file.
    pub first: Duration,
    /// Most pending requests.
    pub window: usize,
    /// Pauses before a restart after the first, second and each further end in a row.
    pub pauses: [Duration; 3],
    /// After this many ends within `within` no server is started until `within` has passed.
    pub most_ends: usize,
    /// The period for `most_ends`.
    pub within: Duration,
    /// After this many consecutive timeouts the server counts as hung and is ended.
    pub most_silent: u32,
}

impl Default for SessionLimits {
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

/// An overlay: the text that the server uses for a file.
#[derive(Clone, Debug)]
struct Buffer {
    version: i64,
    text: String,
}

/// The one server of a workspace, started with the first request.
pub struct Session {
    transport: Arc<dyn Transport>,
    root: PathBuf,
    settings: Value,
    limits: SessionLimits,
    state: Mutex<State>,
    /// Signals that a start has ended or that the overlays are unlocked.
    started: Condvar,
}

#[derive(Default)]
struct State {
    client: Option<Arc<Client>>,
    /// Whether a thread is starting a server.
    is_starting: bool,
    /// Whether an [`OverlayGuard`] exists.
    is_overlay_locked: bool,
    /// When servers ended recently.
    ends: Vec<Instant>,
    /// Why the last one ended.
    why: String,
    /// Consecutive timeouts.
    silent: u32,
    /// The last document version; versions are unique over all overlays.
    version: i64,
    open: SortedMap<PathBuf, Buffer>,
}

impl Session {
    /// A session for the workspace at `root` (a path in the sandbox) with rust-analyzer's `settings`.
    pub fn new(
        transport: Arc<dyn Transport>,
        root: PathBuf,
        settings: Value,
        limits: SessionLimits,
    ) -> Self {
        Self { transport, root, settings, limits, state: Mutex::default(), started: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A poisoned state is still consistent: each change is one assignment.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Starts the server if necessary and waits at most `limit` until it has loaded the workspace;
    /// returns its status.
    ///
    /// # Errors
    /// When it cannot be started, or ends.
    pub fn ready(&self, ctx: &Ctx, limit: Duration) -> Result<Health, AnalyzerError> {
        let client = self.client(ctx, limit)?;
        Ok(client.loaded(ctx, limit)?.unwrap_or(Health::Loading))
    }

    /// The last reported status; `None` if no server runs.
    pub fn health(&self) -> Option<Health> {
        let state = self.lock();
        let client = state.client.as_ref().filter(|client| client.ended().is_none())?;
        Some(client.health().unwrap_or(Health::Loading))
    }

    /// Overlays the file with this text; returns the unique version of the overlay.
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
            None => notify_open(&client, path, &buffer),
            Some(_) => notify_changed(&client, path, version, text),
        }
        Ok(version)
    }

    /// Removes the overlay of the file.
    pub fn close(&self, path: &Path) {
        let mut state = self.lock();
        if state.open.remove(path).is_some()
            && let Some(client) = &state.client
        {
            notify_closed(client, path);
        }
    }

    /// Notifies the server, which does not watch files itself, of changed files.
    pub fn files_changed(&self, paths: &[PathBuf]) {
        if let Some(client) = &self.lock().client {
            // 2: changed.
            let changes: Vec<_> =
                paths.iter().map(|path| json!({ "uri": position::uri(path), "type": 2 })).collect();
            client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
        }
    }

    /// Sends one request; starts the server if necessary and counts timeouts.
    fn request(
        &self,
        ctx: &Ctx,
        method: &'static str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, AnalyzerError> {
        let client = self.client(ctx, limit)?;
        let answer = client.request(ctx, &Question { method, params }, limit);
        self.count_timeouts(&client, answer.as_ref().err());
        answer
    }

    /// Sends many requests; the answers have their order.
    fn pipelined(
        &self,
        ctx: &Ctx,
        questions: &[Question],
    ) -> Result<Vec<Result<Value, AnalyzerError>>, AnalyzerError> {
        let limit = self.limits.request;
        let client = self.client(ctx, limit)?;
        let answers = client.pipelined(ctx, questions, self.limits.window, limit);
        match &answers {
            Ok(all) => all.iter().for_each(|it| self.count_timeouts(&client, it.as_ref().err())),
            Err(error) => self.count_timeouts(&client, Some(error)),
        }
        answers
    }

    /// Ends the server after too many consecutive timeouts; the next request starts a new one.
    fn count_timeouts(&self, client: &Arc<Client>, error: Option<&AnalyzerError>) {
        let mut state = self.lock();
        match error {
            Some(AnalyzerError::TimedOut { method, .. }) => {
                state.silent += 1;
                let is_same = state.client.as_ref().is_some_and(|it| Arc::ptr_eq(it, client));
                if state.silent >= self.limits.most_silent && is_same {
                    let why = format!("`{method}` and the requests before it timed out");
                    state.ended(why);
                }
            }
            Some(_) => {}
            None => state.silent = 0,
        }
    }

    /// The running server, or a new one if a restart is allowed. A caller that finds another thread
    /// starting it waits at most `limit`; the starting thread waits for `initialize`. The lock is not
    /// held while waiting.
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
        let starting = StartGuard(self);
        let client = self.start_server(ctx);
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
            notify_open(&client, path, buffer);
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
            let reason = format!("it ended {times} times recently: {}", state.why);
            return Err(AnalyzerError::Down { reason });
        }
        Ok(())
    }

    /// Starts a server and initializes it.
    fn start_server(&self, ctx: &Ctx) -> Result<Client, AnalyzerError> {
        let client = Client::new(self.transport.connect()?, self.settings.clone());
        let root = position::uri(&self.root);
        let initialize = Question {
            method: "initialize",
            params: json!({
                "processId": null,
                "rootUri": root,
                "workspaceFolders": [{ "uri": root, "name": "workspace" }],
                "initializationOptions": self.settings,
                "capabilities": capabilities(),
            }),
        };
        let answer = client.request(ctx, &initialize, self.limits.start)?;
        let encoding = answer["capabilities"]["positionEncoding"].as_str();
        if encoding != Some("utf-8") {
            // UTF-16 is the protocol's default.
            let encoding = encoding.unwrap_or("utf-16");
            let reason = format!("its position encoding is {encoding}, not utf-8");
            return Err(AnalyzerError::Down { reason });
        }
        client.notify("initialized", json!({}));
        Ok(client)
    }
}

/// Marks a server as being started; dropping it clears the mark.
struct StartGuard<'a>(&'a Session);

impl Drop for StartGuard<'_> {
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

fn notify_open(client: &Client, path: &Path, buffer: &Buffer) {
    let document = json!({
        "uri": position::uri(path), "languageId": "rust",
        "version": buffer.version, "text": buffer.text,
    });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
}

fn notify_changed(client: &Client, path: &Path, version: i64, text: &str) {
    let changed = json!({
        "textDocument": { "uri": position::uri(path), "version": version },
        "contentChanges": [{ "text": text }],
    });
    client.notify("textDocument/didChange", changed);
}

fn notify_closed(client: &Client, path: &Path) {
    let uri = position::uri(path);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
}

/// The client capabilities; the server uses only these.
fn capabilities() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": {
            "synchronization": { "didSave": false },
            // Selects pulled instead of pushed diagnostics: one answer for one text.
            "diagnostic": { "dynamicRegistration": false, "relatedDocumentSupport": false },
            "hover": { "contentFormat": ["markdown"] },
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
