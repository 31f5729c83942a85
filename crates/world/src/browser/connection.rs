//! [`Connection`]: messages to and from the browser over one socket, as JSON with limits.
//!
//! One thread reads; answers go to the caller of their number, events to the owner of their session. The thread
//! never waits for an owner: what is not taken is bounded, and a session that is over the bound ends.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::WorldError;

/// Most bytes of one message.
const MOST_MESSAGE: usize = 48 << 20;
/// Most bytes of messages that a session has not taken.
const MOST_QUEUED: usize = 96 << 20;

/// A message to the owner of a session, or to the caller of a browser's method.
#[derive(Debug)]
pub(crate) enum Message {
    Answer { id: u64, result: Result<Value, Refusal> },
    Event { method: String, params: Value },
}

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The message of the browser.
    Error { message: String },
    /// The answer is over the limit.
    TooLarge,
}

/// The end of a queue of messages.
pub(crate) struct Inbox {
    from: Receiver<(usize, Message)>,
    queued: Arc<AtomicUsize>,
}

/// The other end.
#[derive(Clone)]
struct Outbox {
    to: Sender<(usize, Message)>,
    queued: Arc<AtomicUsize>,
}

impl Outbox {
    /// Whether the owner still takes messages.
    fn put(&self, bytes: usize, message: Message) -> bool {
        let before = self.queued.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > MOST_QUEUED {
            // It stays over the bound, so that the owner learns why there is no more.
            self.queued.fetch_add(MOST_QUEUED, Ordering::Relaxed);
            return false;
        }
        self.to.send((bytes, message)).is_ok()
    }
}

impl Inbox {
    /// The next message; `None` after that time.
    pub(crate) fn next(&self, wait: Duration) -> Result<Option<Message>, Closed> {
        match self.from.recv_timeout(wait) {
            Ok((bytes, message)) => {
                self.queued.fetch_sub(bytes, Ordering::Relaxed);
                Ok(Some(message))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Closed { is_over: self.queued.load(Ordering::Relaxed) > MOST_QUEUED })
            }
        }
    }
}

/// No message will follow.
pub(crate) struct Closed {
    /// Whether the session was over the bound.
    is_over: bool,
}

#[derive(Default)]
struct Routes {
    sessions: HashMap<String, Outbox>,
    calls: HashMap<u64, Outbox>,
    has_ended: bool,
}

/// The connection to one browser.
pub(crate) struct Connection {
    to: Mutex<UnixStream>,
    next: AtomicU64,
    routes: Mutex<Routes>,
    /// Why the browser ended, once that is known.
    pub(super) reason: Mutex<Option<String>>,
}

impl Connection {
    /// Starts to read. `socket` is the browser's other end.
    pub(super) fn start(socket: UnixStream) -> Result<Arc<Self>, WorldError> {
        // A browser that does not read must not block us for ever.
        let ready = socket.set_write_timeout(Some(Duration::from_secs(10)));
        ready.map_err(WorldError::Socket)?;
        let from = socket.try_clone().map_err(WorldError::Socket)?;
        let connection = Arc::new(Self {
            to: Mutex::new(socket),
            next: AtomicU64::new(1),
            routes: Mutex::default(),
            reason: Mutex::default(),
        });
        let reader = Arc::clone(&connection);
        std::thread::spawn(move || reader.read(from));
        Ok(connection)
    }

    /// Sends a call whose answer goes to `session`, or to no one.
    pub(crate) fn send(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<u64, WorldError> {
        let outbox = session.and_then(|it| base::lock(&self.routes).sessions.get(it).cloned());
        self.send_for(outbox, session, method, params)
    }

    fn send_for(
        &self,
        outbox: Option<Outbox>,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<u64, WorldError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        if let Some(outbox) = outbox {
            base::lock(&self.routes).calls.insert(id, outbox);
        }
        match base::lock(&self.to).write_all(&bytes) {
            Ok(()) => Ok(id),
            Err(_) => Err(self.ended()),
        }
    }

    /// Calls a method of the browser itself and waits for its answer.
    pub(crate) fn call(
        &self,
        method: &'static str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, WorldError> {
        let (outbox, inbox) = queue();
        let id = self.send_for(Some(outbox), None, method, params)?;
        let until = Instant::now() + limit;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match inbox.next(left) {
                Ok(Some(Message::Answer { id: answered, result })) if answered == id => {
                    return result.map_err(|it| it.of(method));
                }
                Ok(Some(_)) => {}
                Ok(None) => return Err(WorldError::Silent { method, limit }),
                Err(closed) => return Err(self.closed(&closed)),
            }
        }
    }

    /// The messages of a session, from now on.
    pub(crate) fn open(&self, session: &str) -> Inbox {
        let (outbox, inbox) = queue();
        let mut routes = base::lock(&self.routes);
        if !routes.has_ended {
            routes.sessions.insert(session.to_owned(), outbox);
        }
        inbox
    }

    /// Ends the messages of a session.
    pub(crate) fn close(&self, session: &str) {
        base::lock(&self.routes).sessions.remove(session);
    }

    pub(super) fn has_ended(&self) -> bool {
        base::lock(&self.routes).has_ended
    }

    /// The error of a session without further messages.
    pub(crate) fn closed(&self, closed: &Closed) -> WorldError {
        match closed.is_over {
            true => WorldError::TooMuch { what: "bytes of events", most: MOST_QUEUED },
            false => self.ended(),
        }
    }

    fn ended(&self) -> WorldError {
        // The reason follows the end of the socket.
        let until = Instant::now() + Duration::from_secs(5);
        loop {
            if let Some(reason) = &*base::lock(&self.reason) {
                return WorldError::Ended { reason: reason.clone() };
            }
            if Instant::now() > until {
                return WorldError::Ended { reason: "its socket was closed".to_owned() };
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn read(&self, mut from: UnixStream) {
        let mut message = Vec::new();
        let mut dropped = 0_usize;
        let mut buffer = vec![0; 256 << 10];
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            let mut pieces = buffer[..read].split(|byte| *byte == 0).peekable();
            while let Some(piece) = pieces.next() {
                let free = MOST_MESSAGE.saturating_sub(message.len()).min(piece.len());
                message.extend_from_slice(&piece[..free]);
                dropped += piece.len() - free;
                if pieces.peek().is_some() {
                    self.route(&message, dropped);
                    message.clear();
                    dropped = 0;
                }
            }
        }
        let mut routes = base::lock(&self.routes);
        routes.has_ended = true;
        routes.sessions.clear();
        routes.calls.clear();
    }

    /// Passes a message on. One that cannot be read is dropped: its caller is answered by its time limit.
    fn route(&self, bytes: &[u8], dropped: usize) {
        if dropped > 0 {
            if let Some((id, outbox)) = number(bytes).and_then(|id| Some((id, self.taken(id)?))) {
                outbox.put(0, Message::Answer { id, result: Err(Refusal::TooLarge) });
            }
            return;
        }
        let Ok(Value::Object(mut message)) = serde_json::from_slice::<Value>(bytes) else { return };
        if let Some(id) = message.get("id").and_then(Value::as_u64) {
            let result = match message.remove("result") {
                Some(result) => Ok(result),
                None => {
                    let text = message.get("error").and_then(|it| it.get("message")?.as_str());
                    Err(Refusal::Error { message: base::visible_line(text.unwrap_or("no reason")) })
                }
            };
            if let Some(outbox) = self.taken(id) {
                outbox.put(bytes.len(), Message::Answer { id, result });
            }
            return;
        }
        let session = message.get("sessionId").and_then(Value::as_str).map(str::to_owned);
        let (Some(session), Some(Value::String(method))) = (session, message.remove("method"))
        else {
            return;
        };
        let outbox = base::lock(&self.routes).sessions.get(&session).cloned();
        let params = message.remove("params").unwrap_or_default();
        if outbox.is_some_and(|it| !it.put(bytes.len(), Message::Event { method, params })) {
            self.close(&session);
            let mut routes = base::lock(&self.routes);
            // Callers of the session end with it.
            routes.calls.retain(|_, it| it.queued.load(Ordering::Relaxed) <= MOST_QUEUED);
        }
    }

    fn taken(&self, id: u64) -> Option<Outbox> {
        base::lock(&self.routes).calls.remove(&id)
    }
}

impl Refusal {
    pub(crate) fn of(self, method: &'static str) -> WorldError {
        match self {
            Self::Error { message } => WorldError::Refused { method, message },
            Self::TooLarge => WorldError::TooMuch { what: "bytes at once", most: MOST_MESSAGE },
        }
    }
}

fn queue() -> (Outbox, Inbox) {
    let (to, from) = channel();
    let queued = Arc::new(AtomicUsize::new(0));
    (Outbox { to, queued: Arc::clone(&queued) }, Inbox { from, queued })
}

/// The number of a message that is cut off: it is the first field.
fn number(bytes: &[u8]) -> Option<u64> {
    let rest = bytes.strip_prefix(b"{\"id\":")?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}
