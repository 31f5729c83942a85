//! [`serve`]: the loop that reads the messages of the other side.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::message::{Message, RpcId};
use crate::peer::Peer;
use crate::reader::{Line, read_line};
use crate::writer::Writer;
use crate::{RpcError, RpcLimits};

/// Longest time to write what waits once the input has ended.
const AT_THE_END: Duration = Duration::from_secs(2);

/// The side that answers. Its methods are called by the thread that reads: what takes long is done by
/// another thread, which answers the [`PendingCall`].
pub trait Service {
    /// A request.
    fn call(&self, call: PendingCall);

    /// A notification.
    fn notified(&self, method: &str, params: Value);

    /// The other side wants no answer to this request any more. It is answered all the same.
    fn cancelled(&self, id: &RpcId);

    /// The input has ended: all work is to end.
    fn ended(&self);
}

/// A request that waits for its answer. One that is dropped is answered with an error.
pub struct PendingCall {
    /// Its id.
    pub id: RpcId,
    /// Its method.
    pub method: String,
    /// Its parameters; untrusted.
    pub params: Value,
    peer: Peer,
    in_flight: Arc<AtomicUsize>,
    is_answered: bool,
}

impl PendingCall {
    /// Answers the request; returns whether the other side still reads.
    pub fn answer(mut self, answer: Result<Value, RpcError>) -> bool {
        self.send(answer)
    }

    fn send(&mut self, answer: Result<Value, RpcError>) -> bool {
        self.is_answered = true;
        let is_open = self.peer.writer.send(response(&self.id, answer));
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        is_open
    }
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        if !self.is_answered {
            let message = format!("`{}` ended without an answer", base::visible_line(&self.method));
            self.send(Err(RpcError::new(RpcError::INTERNAL, message)));
        }
    }
}

fn response(id: &RpcId, answer: Result<Value, RpcError>) -> String {
    let (field, value) = match answer {
        Ok(value) => ("result", value),
        Err(error) => ("error", error.to_value()),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{},"{field}":{value}}}"#, id.as_json())
}

/// Reads messages until the input ends, and gives them to the service that `make` makes for the other side.
///
/// # Errors
/// An input that cannot be read; a thread that cannot be started.
pub fn serve<S: Service>(
    input: &mut dyn BufRead,
    output: impl Write + Send + 'static,
    limits: RpcLimits,
    make: impl FnOnce(Peer) -> S,
) -> io::Result<()> {
    let (writer, thread) = Writer::start(output, limits)?;
    let peer = Peer::new(writer);
    let service = make(peer.clone());
    let in_flight = Arc::new(AtomicUsize::new(0));
    let ended = read(input, limits, &peer, (&service, &in_flight));
    service.ended();
    // What is asked is answered, and what is answered is written, as far as the other side still reads.
    let until = Instant::now() + AT_THE_END;
    while in_flight.load(Ordering::SeqCst) > 0 && !peer.is_closed() && Instant::now() < until {
        thread::sleep(Duration::from_millis(2));
    }
    drop(service);
    peer.close();
    drop(peer);
    while !thread.is_finished() && Instant::now() < until {
        thread::sleep(Duration::from_millis(2));
    }
    ended
}

fn read(
    input: &mut dyn BufRead,
    limits: RpcLimits,
    peer: &Peer,
    (service, in_flight): (&dyn Service, &Arc<AtomicUsize>),
) -> io::Result<()> {
    let refuse = |id: &RpcId, code, message: String| {
        peer.writer.send(response(id, Err(RpcError::new(code, message))));
    };
    while !peer.is_closed() {
        let line = match read_line(input, limits.line)? {
            Line::End => break,
            Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Line::Whole(line) => line,
            Line::TooLong => {
                let message = format!("a line of more than {} bytes", limits.line);
                refuse(&RpcId::null(), RpcError::LIMIT, message);
                continue;
            }
        };
        match Message::read(&line) {
            Ok(Message::Request(id, method, params)) => {
                if in_flight.load(Ordering::SeqCst) >= limits.in_flight {
                    let message = format!("more than {} requests at once", limits.in_flight);
                    refuse(&id, RpcError::LIMIT, message);
                    continue;
                }
                in_flight.fetch_add(1, Ordering::SeqCst);
                let (peer, in_flight) = (peer.clone(), Arc::clone(in_flight));
                service.call(PendingCall {
                    id,
                    method,
                    params,
                    peer,
                    in_flight,
                    is_answered: false,
                });
            }
            Ok(Message::Notification(method, params)) if method == "$/cancel_request" => {
                if let Some(id) = params.get("requestId") {
                    service.cancelled(&RpcId::of_value(id));
                }
            }
            Ok(Message::Notification(method, params)) => service.notified(&method, params),
            Ok(Message::Answer(id, answer)) => peer.answered(&id, answer),
            Err((id, error)) => refuse(&id, error.code, error.message),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
