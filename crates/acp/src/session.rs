//! [`Session`]: a project that an editor talks about, and what it was sent.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use agent::front::{JobEvent, JobRunner, Mailbox, ProjectSource};
use base::Ctx;
use rpc::{Peer, RpcId};
use serde_json::{Value, json};

use crate::store::{SessionStore, StoredSession};
use crate::wire::{AcpMode, ClientCapabilities, update};

/// Most events of a runner that wait.
const WAITING: usize = 1_024;

/// Longest title of a session in characters.
const TITLE: usize = 80;

/// Most bytes of the updates of a session that are kept; of more, the oldest are forgotten.
const MOST_BYTES: usize = 8 << 20;

/// State that all sessions share.
pub(crate) struct Connection {
    pub(crate) ctx: Ctx,
    pub(crate) peer: Peer,
    pub(crate) client: OnceLock<ClientCapabilities>,
    pub(crate) store: SessionStore,
}

/// A session.
pub(crate) struct Session {
    pub(crate) id: String,
    /// Directory that the client named.
    pub(crate) cwd: PathBuf,
    /// Root of the project.
    pub(crate) root: PathBuf,
    pub(crate) has_model: bool,
    pub(crate) runner: JobRunner,
    pub(crate) events: Arc<Mailbox<JobEvent>>,
    pub(crate) connection: Arc<Connection>,
    /// Whether a prompt takes events.
    takes_events: Arc<AtomicBool>,
    state: Mutex<SessionState>,
}

struct SessionState {
    mode: AcpMode,
    /// Whether the person agreed to all writes of this session whose tests pass.
    agrees_to_all: bool,
    title: String,
    updates: VecDeque<Value>,
    /// Size of the updates in bytes, as JSON.
    bytes: usize,
    turn: Option<RunningTurn>,
    calls: u64,
    warned: bool,
}

/// Size of an update in bytes, as JSON.
fn size(update: &Value) -> usize {
    serde_json::to_vec(update).map_or(0, |it| it.len())
}

/// A prompt that runs.
struct RunningTurn {
    call: RpcId,
    stop: Arc<AtomicBool>,
}

impl Session {
    /// A session; `stored` is what it was before a restart.
    pub(crate) fn start(
        connection: &Arc<Connection>,
        (id, cwd): (String, PathBuf),
        source: ProjectSource,
        stored: Option<StoredSession>,
    ) -> std::io::Result<Self> {
        let of = &source.settings.model;
        let has_model = of.provider.is_some();
        let root = source.root.clone();
        let runner = JobRunner::start(&connection.ctx, source)?;
        let events: Arc<Mailbox<JobEvent>> = Arc::new(Mailbox::new(WAITING));
        let takes_events = Arc::new(AtomicBool::new(false));
        let (sender, takes) = (Arc::clone(&events), Arc::clone(&takes_events));
        runner.subscribe(move |event| {
            if takes.load(Ordering::SeqCst) {
                sender.send(event);
            }
        });
        let mode = stored.as_ref().and_then(|it| AcpMode::of(&it.mode).ok());
        let updates: VecDeque<Value> =
            stored.as_ref().map(|it| it.updates.iter().cloned().collect()).unwrap_or_default();
        let is_call = |it: &&Value| it["sessionUpdate"] == "tool_call";
        let state = SessionState {
            mode: mode.unwrap_or(AcpMode::Apply),
            agrees_to_all: false,
            title: stored.map(|it| it.title).unwrap_or_default(),
            calls: updates.iter().filter(is_call).count() as u64,
            bytes: updates.iter().map(size).sum(),
            updates,
            turn: None,
            warned: false,
        };
        Ok(Self {
            id,
            cwd,
            root,
            has_model,
            runner,
            events,
            connection: Arc::clone(connection),
            takes_events,
            state: Mutex::new(state),
        })
    }

    pub(crate) fn mode(&self) -> AcpMode {
        base::lock(&self.state).mode
    }

    pub(crate) fn set_mode(&self, mode: AcpMode) {
        let mut state = base::lock(&self.state);
        state.mode = mode;
        // A standing answer was given for the mode that ends.
        state.agrees_to_all = false;
        drop(state);
        self.keep();
    }

    /// Whether the person has agreed to all changes whose tests pass.
    pub(crate) fn agrees_to_all(&self) -> bool {
        let state = base::lock(&self.state);
        state.agrees_to_all && state.mode == AcpMode::Apply
    }

    pub(crate) fn agree_to_all(&self) {
        base::lock(&self.state).agrees_to_all = true;
    }

    /// Begins a prompt; returns the flag that stops it. `None`: another one runs.
    pub(crate) fn begin(&self, call: &RpcId, text: &str) -> Option<Arc<AtomicBool>> {
        let stop = Arc::new(AtomicBool::new(false));
        {
            let mut state = base::lock(&self.state);
            if state.turn.is_some() {
                return None;
            }
            state.turn = Some(RunningTurn { call: call.clone(), stop: Arc::clone(&stop) });
            if state.title.is_empty() {
                let line = base::visible_line(text.lines().next().unwrap_or_default());
                state.title = line.chars().take(TITLE).collect();
            }
        }
        self.takes_events.store(true, Ordering::SeqCst);
        self.note(update::user(text));
        self.keep();
        Some(stop)
    }

    /// Ends the prompt that runs.
    pub(crate) fn end(&self) {
        self.takes_events.store(false, Ordering::SeqCst);
        // A runner that waits for space continues.
        while self.events.receive(Some(Duration::ZERO)).is_some() {}
        base::lock(&self.state).turn = None;
        self.keep();
    }

    /// Stops the prompt that runs; with `call`, only if it is the one of this request.
    pub(crate) fn stop(&self, call: Option<&RpcId>) {
        if let Some(turn) = &base::lock(&self.state).turn
            && call.is_none_or(|it| turn.call == *it)
        {
            turn.stop.store(true, Ordering::SeqCst);
        }
    }

    /// The id of a new call.
    pub(crate) fn next_call(&self) -> String {
        let mut state = base::lock(&self.state);
        state.calls += 1;
        format!("call-{}", state.calls)
    }

    /// Sends an update, and remembers it.
    pub(crate) fn send(&self, update: Value) {
        self.show(&update);
        self.note(update);
    }

    /// Sends an update that is not remembered.
    pub(crate) fn show(&self, update: &Value) {
        let params = json!({ "sessionId": self.id, "update": update });
        self.connection.peer.notify("session/update", &params);
    }

    /// Sends again all that was sent before.
    pub(crate) fn replay(&self) {
        let updates = base::lock(&self.state).updates.clone();
        for update in &updates {
            self.show(update);
        }
    }

    fn note(&self, update: Value) {
        let mut state = base::lock(&self.state);
        if let (Some(last), Some(more)) = (state.updates.back_mut(), chunk(&update))
            && last["sessionUpdate"] == update["sessionUpdate"]
            && let Some(Value::String(text)) = last.pointer_mut("/content/text")
        {
            text.push_str(more);
            state.bytes += more.len();
        } else {
            state.bytes += size(&update);
            state.updates.push_back(update);
        }
        while state.bytes > MOST_BYTES
            && let Some(oldest) = state.updates.pop_front()
        {
            state.bytes = match state.updates.is_empty() {
                true => 0,
                false => state.bytes.saturating_sub(size(&oldest)),
            };
        }
    }

    /// Keeps the session on the disk. A disk that cannot be written is reported once.
    pub(crate) fn keep(&self) {
        let stored = self.stored();
        let Err(error) = self.connection.store.put(&self.connection.ctx, &stored) else { return };
        if !std::mem::replace(&mut base::lock(&self.state).warned, true) {
            self.show(&update::message(&format!("note: {error}\n")));
        }
    }

    fn stored(&self) -> StoredSession {
        let state = base::lock(&self.state);
        StoredSession {
            id: self.id.clone(),
            cwd: self.cwd.clone(),
            title: state.title.clone(),
            updated_at: self.connection.ctx.now().rfc3339(),
            mode: state.mode.id().to_owned(),
            updates: state.updates.iter().cloned().collect(),
        }
    }
}

/// The text of an update that is a part of a message by the agent.
fn chunk(update: &Value) -> Option<&str> {
    let kind = update["sessionUpdate"].as_str()?;
    matches!(kind, "agent_message_chunk" | "agent_thought_chunk")
        .then(|| update["content"]["text"].as_str())?
}
