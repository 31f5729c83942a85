//! One request over HTTP and its streamed answer. A worker thread reads; the caller's thread waits
//! in slices, so that cancellation and timeouts need no cooperation of the server.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use base::Ctx;

use super::error::TurnError;
use super::options::{ApiKey, TurnLimits};
use super::refusal::{self, Head};
use super::sse::{SseEvent, SseParser};
use crate::address;

/// Interval between two checks for cancellation.
const SLICE: Duration = Duration::from_millis(50);
/// Size of the buffer for reads, in bytes.
const CHUNK: usize = 16 << 10;
/// Longest wait for the body of an error response.
const REFUSAL_WAIT: Duration = Duration::from_secs(5);

/// A request that is ready to be sent.
pub(super) struct StreamRequest<'a> {
    /// Full URL.
    pub(super) url: &'a str,
    /// Socket of the server, in place of the address.
    pub(super) socket: Option<&'a Path>,
    /// Headers, one of which may have the key.
    pub(super) headers: Vec<(&'static str, String)>,
    /// The key, to be kept out of messages.
    pub(super) key: Option<&'a ApiKey>,
    /// JSON.
    pub(super) body: Vec<u8>,
    /// Limits.
    pub(super) limits: &'a TurnLimits,
}

/// Whether the answer continues after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// More events are expected.
    More,
    /// The answer is complete.
    Done,
}

/// What the worker thread read.
enum Received {
    Head(Head),
    Chunk(Vec<u8>),
    End,
    Failed(TurnError),
}

/// Closes the connection of the worker thread when the caller returns, for whatever reason.
struct Connection(ureq::Agent);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.clone().shutdown();
    }
}

/// Sends the request and passes each event of the answer to `on_event`, until that returns
/// [`Flow::Done`] or the server ends the stream.
///
/// # Errors
/// No answer, an error status, an answer that is no event stream, or an error of `on_event`.
pub(super) fn events(
    ctx: &Ctx,
    request: StreamRequest<'_>,
    on_event: &mut dyn FnMut(SseEvent) -> Result<Flow, TurnError>,
) -> Result<(), TurnError> {
    let key = request.key;
    all_events(ctx, request, on_event).map_err(|error| refusal::without_key(error, key))
}

fn all_events(
    ctx: &Ctx,
    request: StreamRequest<'_>,
    on_event: &mut dyn FnMut(SseEvent) -> Result<Flow, TurnError>,
) -> Result<(), TurnError> {
    ctx.check_cancelled()?;
    let limits = *request.limits;
    let (receiver, _connection) = start(request)?;
    let mut wait = Wait { ctx, limits, started: Instant::now(), receiver };
    let Received::Head(head) = wait.next()? else {
        return Err(TurnError::Interrupted { reason: "there is no response".to_owned() });
    };
    if head.status != 200 {
        let body = refusal_body(&mut wait)?;
        return Err(refusal::error_of(&head, &body, ctx.now()));
    }
    if !head.is_event_stream() {
        let body = refusal_body(&mut wait)?;
        return Err(refusal::not_a_stream(&head, &body));
    }
    let (mut parser, mut parsed) = (SseParser::default(), Vec::new());
    let mut size = 0;
    loop {
        let chunk = match wait.next()? {
            Received::Chunk(chunk) => chunk,
            _ => return Ok(()),
        };
        size += chunk.len() as u64;
        if size > limits.max_bytes {
            return Err(TurnError::TooLarge { limit: limits.max_bytes });
        }
        parser.push(&chunk, &mut parsed)?;
        for event in parsed.drain(..) {
            if on_event(event)? == Flow::Done {
                return Ok(());
            }
        }
    }
}

/// The first bytes of the body of a response that is no answer; what arrives within a few seconds.
fn refusal_body(wait: &mut Wait<'_>) -> Result<Vec<u8>, TurnError> {
    wait.limits.idle = wait.limits.idle.min(REFUSAL_WAIT);
    wait.limits.total = wait.limits.total.min(wait.started.elapsed() + REFUSAL_WAIT);
    let mut body = Vec::new();
    while body.len() < refusal::MAX_BODY {
        match wait.next() {
            Ok(Received::Chunk(chunk)) => body.extend_from_slice(&chunk),
            Err(TurnError::Cancelled) => return Err(TurnError::Cancelled),
            _ => break,
        }
    }
    body.truncate(refusal::MAX_BODY);
    Ok(body)
}

/// The waiting side.
struct Wait<'a> {
    ctx: &'a Ctx,
    limits: TurnLimits,
    started: Instant,
    receiver: Receiver<Received>,
}

impl Wait<'_> {
    fn next(&mut self) -> Result<Received, TurnError> {
        let since = Instant::now();
        loop {
            self.ctx.check_cancelled()?;
            if self.started.elapsed() >= self.limits.total {
                return Err(timed_out("complete answer", self.limits.total));
            }
            match self.receiver.recv_timeout(SLICE) {
                Ok(Received::Failed(error)) => return Err(error),
                Ok(received) => return Ok(received),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(TurnError::Interrupted { reason: "the client failed".to_owned() });
                }
                Err(RecvTimeoutError::Timeout) if since.elapsed() >= self.limits.idle => {
                    return Err(timed_out("data", self.limits.idle));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn timed_out(awaited: &str, limit: Duration) -> TurnError {
    let limit_ms = limit.as_millis().try_into().unwrap_or(u64::MAX);
    TurnError::TimedOut { awaited: awaited.to_owned(), limit_ms }
}

fn start(request: StreamRequest<'_>) -> Result<(Receiver<Received>, Connection), TurnError> {
    let connect = request.limits.connect;
    // The worker ends at the latest when its caller closed the connection, or after `connect`.
    let agent = address::fixed_agent(request.socket, |it| {
        it.timeout_resolve(Some(connect)).timeout_connect(Some(connect))
    });
    let connection = Connection(agent.clone());
    let mut builder = agent.post(request.url).header("content-type", "application/json");
    builder = builder.header("accept", "text/event-stream");
    for (name, value) in request.headers {
        builder = builder.header(name, value);
    }
    let body = request.body;
    let (sender, receiver) = sync_channel(4);
    std::thread::Builder::new()
        .name("language-model".to_owned())
        .spawn(move || {
            let outcome = read(builder, &body, &sender);
            // The caller may have returned; then there is no reader.
            let _ = sender.send(outcome.map_or_else(Received::Failed, |()| Received::End));
        })
        .map_err(|error| TurnError::Unreachable { reason: error.to_string() })?;
    Ok((receiver, connection))
}

/// Sends the request and passes on what arrives, until the end or until the caller has returned.
fn read(
    request: ureq::RequestBuilder<ureq::typestate::WithBody>,
    body: &[u8],
    sender: &SyncSender<Received>,
) -> Result<(), TurnError> {
    let mut response = request.send(body).map_err(|error| refusal::failed_request(&error))?;
    if sender.send(Received::Head(Head::of(&response))).is_err() {
        return Ok(());
    }
    let mut reader = response.body_mut().as_reader();
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = match std::io::Read::read(&mut reader, &mut chunk) {
            Ok(count) => count,
            Err(error) => return Err(TurnError::Interrupted { reason: error.to_string() }),
        };
        if count == 0 || sender.send(Received::Chunk(chunk[..count].to_vec())).is_err() {
            return Ok(());
        }
    }
}
