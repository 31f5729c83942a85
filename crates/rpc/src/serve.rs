//! [`serve`]: the loop that reads the messages of the other side.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

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
    /// `None`: it is answered.
    answers: Option<Answers>,
    /// Bytes of its message.
    bytes: usize,
    in_flight: Arc<InFlight>,
}

/// The requests that wait for an answer.
#[derive(Default)]
struct InFlight {
    number: AtomicUsize,
    bytes: AtomicUsize,
}

impl PendingCall {
    /// Answers the request; returns whether the other side still reads.
    pub fn answer(mut self, answer: Result<Value, RpcError>) -> bool {
        self.send(answer)
    }

    fn send(&mut self, answer: Result<Value, RpcError>) -> bool {
        let Some(answers) = self.answers.take() else { return false };
        let is_open = answers.send(response(&self.id, answer));
        // The last answer of a batch sends it, before the request counts as ended.
        drop(answers);
        self.in_flight.number.fetch_sub(1, Ordering::SeqCst);
        self.in_flight.bytes.fetch_sub(self.bytes, Ordering::SeqCst);
        is_open
    }
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        if self.answers.is_some() {
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
    let in_flight: Arc<InFlight> = Arc::default();
    let ended =
        Reading { limits, peer: &peer, service: &service, in_flight: &in_flight }.read(input);
    service.ended();
    // What is asked is answered, and what is answered is written, as far as the other side still reads.
    let until = Instant::now() + AT_THE_END;
    while in_flight.number.load(Ordering::SeqCst) > 0 && !peer.is_closed() && Instant::now() < until
    {
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

/// The loop that reads.
struct Reading<'a> {
    limits: RpcLimits,
    peer: &'a Peer,
    service: &'a dyn Service,
    in_flight: &'a Arc<InFlight>,
}

impl Reading<'_> {
    fn read(&self, input: &mut dyn BufRead) -> io::Result<()> {
        while !self.peer.is_closed() {
            let alone = Answers::Line(self.peer.clone());
            match read_line(input, self.limits.line)? {
                Line::End => break,
                Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Line::Whole(line) if base::json_values(&line) > base::MOST_JSON_VALUES => {
                    let message = format!("a line of more than {} values", base::MOST_JSON_VALUES);
                    refuse(&alone, &RpcId::null(), RpcError::new(RpcError::LIMIT, message));
                }
                Line::Whole(line) => match self.batch(&line) {
                    Some(messages) => self.messages(&messages),
                    None => self.message(&line, alone),
                },
                Line::TooLong => {
                    let message = format!("a line of more than {} bytes", self.limits.line);
                    refuse(&alone, &RpcId::null(), RpcError::new(RpcError::LIMIT, message));
                }
            }
        }
        Ok(())
    }

    /// The messages of a batch; `None`: the line is one message, or batches are not taken.
    fn batch<'b>(&self, line: &'b [u8]) -> Option<Vec<&'b RawValue>> {
        let is_array = line.iter().find(|it| !it.is_ascii_whitespace()) == Some(&b'[');
        let mut all = serde_json::Deserializer::from_slice(line);
        let messages: Vec<&RawValue> = (self.limits.batches && is_array)
            .then(|| First { most: self.limits.in_flight + 1 }.deserialize(&mut all).ok())??;
        (!messages.is_empty()).then_some(messages)
    }

    fn messages(&self, messages: &[&RawValue]) {
        if messages.len() > self.limits.in_flight {
            let message = format!("a batch of more than {} messages", self.limits.in_flight);
            let error = RpcError::new(RpcError::LIMIT, message);
            refuse(&Answers::Line(self.peer.clone()), &RpcId::null(), error);
            return;
        }
        let batch = Arc::new(Batch { peer: self.peer.clone(), answers: Mutex::default() });
        for message in messages {
            self.message(message.get().as_bytes(), Answers::Batch(Arc::clone(&batch)));
        }
    }

    /// Limit that a request of so many bytes exceeds with those that wait; parameters take a multiple of it.
    fn excess(&self, bytes: usize) -> Option<String> {
        let number = self.in_flight.number.load(Ordering::SeqCst);
        if number >= self.limits.in_flight {
            return Some(format!("more than {} requests at once", self.limits.in_flight));
        }
        let all = self.in_flight.bytes.load(Ordering::SeqCst).saturating_add(bytes);
        let most = self.limits.line.saturating_mul(2);
        (number > 0 && all > most).then(|| format!("more than {most} bytes of requests at once"))
    }

    fn message(&self, line: &[u8], answers: Answers) {
        match Message::read(line) {
            Ok(Message::Request(id, method, params)) => {
                if let Some(excess) = self.excess(line.len()) {
                    refuse(&answers, &id, RpcError::new(RpcError::LIMIT, excess));
                    return;
                }
                let bytes = line.len();
                self.in_flight.number.fetch_add(1, Ordering::SeqCst);
                self.in_flight.bytes.fetch_add(bytes, Ordering::SeqCst);
                let in_flight = Arc::clone(self.in_flight);
                let answers = Some(answers);
                self.service.call(PendingCall { id, method, params, answers, bytes, in_flight });
            }
            Ok(Message::Notification(method, params)) if method == "$/cancel_request" => {
                if let Some(id) = params.get("requestId") {
                    self.service.cancelled(&RpcId::of_value(id));
                }
            }
            Ok(Message::Notification(method, params)) => self.service.notified(&method, params),
            Ok(Message::Answer(id, answer)) => self.peer.answered(&id, answer),
            Err((id, error)) => refuse(&answers, &id, error),
        }
    }
}

fn refuse(answers: &Answers, id: &RpcId, error: RpcError) {
    answers.send(response(id, Err(error)));
}

/// Reads the first elements of an array, at most so many; the others are skipped.
struct First {
    most: usize,
}

impl<'de> DeserializeSeed<'de> for First {
    type Value = Vec<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        input.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for First {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while found.len() < self.most {
            match all.next_element()? {
                Some(element) => found.push(element),
                None => return Ok(found),
            }
        }
        while all.next_element::<IgnoredAny>()?.is_some() {}
        Ok(found)
    }
}

/// Where an answer goes.
enum Answers {
    /// A line of its own.
    Line(Peer),
    /// The answer of its batch.
    Batch(Arc<Batch>),
}

impl Answers {
    /// Sends an answer; returns whether the other side still reads.
    fn send(&self, answer: String) -> bool {
        match self {
            Self::Line(peer) => peer.writer.send(answer),
            Self::Batch(batch) => {
                base::lock(&batch.answers).push(answer);
                !batch.peer.is_closed()
            }
        }
    }
}

/// Answers of a batch, written as one line once none of its requests waits. A batch of notifications has none.
struct Batch {
    peer: Peer,
    answers: Mutex<Vec<String>>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        let answers = std::mem::take(&mut *base::lock(&self.answers));
        if !answers.is_empty() {
            self.peer.writer.send(format!("[{}]", answers.join(",")));
        }
    }
}

#[cfg(test)]
mod tests;
