//! [`Peer`]: calls of the other side.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::SortedMap;
use serde_json::{Value, json};

use crate::message::RpcId;
use crate::writer::Writer;
use crate::{RpcError, RpcFault};

/// Longest time between two looks at whether the caller has given up.
const LOOK: Duration = Duration::from_millis(20);

/// Most requests to the other side that wait for an answer.
const WAITING: usize = 256;

type Answer = Result<Value, RpcError>;

/// The other side of a connection.
#[derive(Clone)]
pub struct Peer {
    pub(crate) writer: Writer,
    waiting: Arc<Mutex<SortedMap<u64, Sender<Answer>>>>,
    next: Arc<AtomicU64>,
}

impl Peer {
    pub(crate) fn new(writer: Writer) -> Self {
        Self { writer, waiting: Arc::default(), next: Arc::new(AtomicU64::new(1)) }
    }

    /// Notifies the other side; returns whether it still reads.
    pub fn notify(&self, method: &str, params: &Value) -> bool {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.writer.send(message.to_string())
    }

    /// Whether the connection has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.writer.is_closed()
    }

    /// Calls the other side, and waits for its answer for at most `limit`. `has_stopped` is asked meanwhile
    /// whether the caller gives up; then, and after the limit, the request is cancelled.
    ///
    /// # Errors
    /// [`RpcFault`]: why there is no answer.
    pub fn request(
        &self,
        method: &str,
        params: &Value,
        limit: Duration,
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, RpcFault> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = channel();
        {
            let mut waiting = base::lock(&self.waiting);
            if waiting.len() >= WAITING {
                return Err(RpcFault::Closed);
            }
            waiting.insert(id, sender);
        }
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let answer = match self.writer.send(message.to_string()) {
            true => self.wait(&receiver, limit, has_stopped),
            false => Err(RpcFault::Closed),
        };
        base::lock(&self.waiting).remove(&id);
        if matches!(answer, Err(RpcFault::Late(_) | RpcFault::Stopped)) {
            self.notify("$/cancel_request", &json!({ "requestId": id }));
        }
        answer
    }

    fn wait(
        &self,
        answer: &Receiver<Answer>,
        limit: Duration,
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, RpcFault> {
        let began = Instant::now();
        loop {
            let left = limit.saturating_sub(began.elapsed());
            match answer.recv_timeout(left.min(LOOK)) {
                Ok(answer) => return Ok(answer?),
                Err(RecvTimeoutError::Disconnected) => return Err(RpcFault::Closed),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if has_stopped() {
                return Err(RpcFault::Stopped);
            }
            if self.is_closed() {
                return Err(RpcFault::Closed);
            }
            if began.elapsed() >= limit {
                return Err(RpcFault::Late(limit.as_millis()));
            }
        }
    }

    /// Passes an answer on to the request that waits for it; another one is ignored.
    pub(crate) fn answered(&self, id: &RpcId, answer: Answer) {
        let number: Option<u64> = id.as_json().parse().ok();
        let sender = number.and_then(|it| base::lock(&self.waiting).remove(&it));
        if let Some(sender) = sender {
            // The caller may have given up at this moment.
            let _ = sender.send(answer);
        }
    }

    /// Ends all requests that wait.
    pub(crate) fn close(&self) {
        self.writer.close();
        base::lock(&self.waiting).clear();
    }
}
