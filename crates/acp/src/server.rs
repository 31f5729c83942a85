//! [`AcpServer`]: the methods of the protocol.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use base::SortedMap;
use rpc::{Peer, PendingCall, RpcError, RpcId, Service};
use serde_json::{Value, json};

use crate::session::{Connection, Session};
use crate::store::SessionStore;
use crate::turn::Turn;
use crate::wire::{self, AcpMode, StopReason, update};
use crate::{AcpOptions, OpenSource};

/// Most sessions that are open at once.
const MOST_OPEN: usize = 32;

/// Most sessions in one answer to `session/list`.
const PAGE: usize = 50;

/// Answers an editor.
pub(crate) struct AcpServer {
    shared: Arc<Shared>,
}

struct Shared {
    open: OpenSource,
    version: &'static str,
    connection: Arc<Connection>,
    sessions: Mutex<SortedMap<String, Arc<Session>>>,
}

type Answer = Result<Value, RpcError>;

impl AcpServer {
    pub(crate) fn new(options: AcpOptions, peer: Peer) -> Self {
        let AcpOptions { ctx, open, folder, version } = options;
        let store = SessionStore::new(folder);
        let connection = Arc::new(Connection { ctx, peer, client: OnceLock::new(), store });
        Self { shared: Arc::new(Shared { open, version, connection, sessions: Mutex::default() }) }
    }
}

impl Service for AcpServer {
    fn call(&self, call: PendingCall) {
        if call.method == "initialize" {
            let (params, shared) = (call.params.clone(), &self.shared);
            call.answer(shared.initialize(params));
            return;
        }
        let shared = Arc::clone(&self.shared);
        // Before the next message, which may be the answer to a question of that mode.
        if matches!(call.method.as_str(), "session/set_mode" | "session/set_config_option") {
            shared.call(call);
            return;
        }
        // Opening a project and running a prompt take long; the next message must not wait for them. Where
        // no thread can be started, the call is dropped, which answers it with an error.
        let _ = thread::Builder::new().name("acp".to_owned()).spawn(move || shared.call(call));
    }

    fn notified(&self, method: &str, params: Value) {
        if method == "session/cancel"
            && let Ok(it) = wire::read::<wire::OfSession>(params)
            && let Ok(session) = self.shared.session(&it.session_id)
        {
            session.stop(None);
        }
    }

    fn cancelled(&self, id: &RpcId) {
        for session in base::lock(&self.shared.sessions).values() {
            session.stop(Some(id));
        }
    }

    fn ended(&self) {
        let sessions = std::mem::take(&mut *base::lock(&self.shared.sessions));
        for session in sessions.values() {
            session.stop(None);
        }
    }
}

impl Shared {
    fn initialize(&self, params: Value) -> Answer {
        let asked: wire::Initialize = wire::read(params)?;
        // A second one changes nothing.
        self.connection.client.get_or_init(|| asked.client_capabilities);
        Ok(wire::initialized(self.version))
    }

    fn call(&self, mut call: PendingCall) {
        let params = std::mem::take(&mut call.params);
        if self.connection.client.get().is_none() {
            let message = "`initialize` comes first";
            call.answer(Err(RpcError::new(RpcError::INVALID, message)));
            return;
        }
        match call.method.as_str() {
            "session/new" => match self.new_session(params) {
                Ok(session) => {
                    let mut answer = wire::session_state(session.mode());
                    answer["sessionId"] = session.id.as_str().into();
                    call.answer(Ok(answer));
                    // Some clients take no update before they know the session.
                    session.show(&update::commands());
                }
                Err(error) => drop(call.answer(Err(error))),
            },
            method @ ("session/load" | "session/resume") => match self.old_session(params) {
                Ok(session) => {
                    if method == "session/load" {
                        session.replay();
                    }
                    call.answer(Ok(wire::session_state(session.mode())));
                    session.show(&update::commands());
                }
                Err(error) => drop(call.answer(Err(error))),
            },
            "session/prompt" => {
                let answer = self.prompt(&call.id, params);
                call.answer(answer);
            }
            _ => {
                let answer = self.short(&call.method, params);
                call.answer(answer);
            }
        }
    }

    /// Methods that are answered at once.
    fn short(&self, method: &str, params: Value) -> Answer {
        match method {
            "authenticate" => Err(RpcError::params("no authentication is needed")),
            "session/list" => self.list(params),
            "session/set_mode" => {
                let asked: wire::SetMode = wire::read(params)?;
                let (session, mode) =
                    (self.session(&asked.session_id)?, AcpMode::of(&asked.mode_id)?);
                session.set_mode(mode);
                session.send(update::mode(mode));
                Ok(json!({}))
            }
            "session/set_config_option" => {
                let asked: wire::SetOption = wire::read(params)?;
                let session = self.session(&asked.session_id)?;
                if asked.config_id != wire::MODE_OPTION {
                    let id = base::visible_line(&asked.config_id);
                    return Err(RpcError::params(format!("there is no option `{id}`")));
                }
                let mode = AcpMode::of(asked.value.as_str().unwrap_or_default())?;
                session.set_mode(mode);
                session.send(update::mode(mode));
                Ok(json!({ "configOptions": wire::config_options(mode) }))
            }
            "session/close" => {
                let asked: wire::OfSession = wire::read(params)?;
                self.close(&asked.session_id)?;
                Ok(json!({}))
            }
            "session/delete" => {
                let asked: wire::OfSession = wire::read(params)?;
                // An open one is closed first.
                let was_open = self.close(&asked.session_id).is_ok();
                match self.connection.store.remove(&asked.session_id) || was_open {
                    true => Ok(json!({})),
                    false => Err(unknown(&asked.session_id)),
                }
            }
            other => {
                let message = format!("there is no method `{}`", base::visible_line(other));
                Err(RpcError::new(RpcError::METHOD, message))
            }
        }
    }

    fn session(&self, id: &str) -> Result<Arc<Session>, RpcError> {
        base::lock(&self.sessions).get(id).cloned().ok_or_else(|| unknown(id))
    }

    fn close(&self, id: &str) -> Result<(), RpcError> {
        let session = base::lock(&self.sessions).remove(id).ok_or_else(|| unknown(id))?;
        session.stop(None);
        session.keep();
        Ok(())
    }

    fn new_session(&self, params: Value) -> Result<Arc<Session>, RpcError> {
        let asked: wire::NewSession = wire::read(params)?;
        let mut id = self.connection.ctx.fresh_name();
        id.retain(|it| it.is_ascii_alphanumeric());
        self.start((id, asked.cwd), None)
    }

    fn old_session(&self, params: Value) -> Result<Arc<Session>, RpcError> {
        let asked: wire::OldSession = wire::read(params)?;
        if let Ok(open) = self.session(&asked.session_id) {
            return match open.cwd == asked.cwd {
                true => Ok(open),
                false => Err(RpcError::params("the session is of another directory")),
            };
        }
        let stored = self.connection.store.get(&asked.session_id);
        let stored = stored.ok_or_else(|| unknown(&asked.session_id))?;
        if stored.cwd != asked.cwd {
            return Err(RpcError::params("the session is of another directory"));
        }
        self.start((asked.session_id, asked.cwd), Some(stored))
    }

    fn start(
        &self,
        (id, cwd): (String, PathBuf),
        stored: Option<crate::store::StoredSession>,
    ) -> Result<Arc<Session>, RpcError> {
        if !cwd.is_absolute() {
            return Err(RpcError::params("`cwd` is no absolute path"));
        }
        if base::lock(&self.sessions).len() >= MOST_OPEN {
            let message = format!("more than {MOST_OPEN} sessions are open: close one");
            return Err(RpcError::new(RpcError::LIMIT, message));
        }
        let source =
            (self.open)(Path::new(&cwd)).map_err(|error| RpcError::params(error.to_string()))?;
        let session = Session::start(&self.connection, (id, cwd), source, stored)
            .map_err(|error| RpcError::new(RpcError::INTERNAL, error.to_string()))?;
        let session = Arc::new(session);
        session.keep();
        base::lock(&self.sessions).insert(session.id.clone(), Arc::clone(&session));
        Ok(session)
    }

    fn list(&self, params: Value) -> Answer {
        let asked: wire::ListSessions = match params {
            Value::Null => wire::ListSessions::default(),
            params => wire::read(params)?,
        };
        let from: usize = match &asked.cursor {
            None => 0,
            Some(cursor) => {
                cursor.parse().map_err(|_| RpcError::params("the cursor is none of this server"))?
            }
        };
        let all = self.connection.store.all();
        let fits =
            |it: &&crate::store::StoredSession| asked.cwd.as_ref().is_none_or(|cwd| it.cwd == *cwd);
        let found: Vec<_> = all.iter().filter(fits).collect();
        let rows = found.iter().skip(from).take(PAGE).map(|it| {
            json!({ "sessionId": it.id, "cwd": it.cwd, "title": it.title, "updatedAt": it.updated_at })
        });
        let mut answer = json!({ "sessions": rows.collect::<Vec<_>>() });
        if found.len() > from.saturating_add(PAGE) {
            answer["nextCursor"] = (from + PAGE).to_string().into();
        }
        Ok(answer)
    }

    fn prompt(&self, id: &RpcId, params: Value) -> Answer {
        let asked: wire::Prompt = wire::read(params)?;
        let session = self.session(&asked.session_id)?;
        let (text, files) = wire::prompt_text(&asked.prompt)?;
        let Some(stop) = session.begin(id, &text) else {
            return Err(RpcError::new(RpcError::INVALID, "another prompt of this session runs"));
        };
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            Turn::new(&session, &stop).run(&text, &files)
        }));
        session.end();
        match ended {
            Ok(stop) => Ok(StopReason::answer(stop)),
            // The session stays usable; the report of the panic is on standard error.
            Err(_) => {
                Err(RpcError::new(RpcError::INTERNAL, "the prompt failed by a bug of graftage"))
            }
        }
    }
}

fn unknown(id: &str) -> RpcError {
    RpcError::params(format!("there is no session `{}`", base::visible_line(id)))
}
