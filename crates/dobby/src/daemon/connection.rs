//! The requests of one client: each that takes long has a thread, progress and a way to stop it.

use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base::{Ctx, Host, Progress, Timestamp};
use rpc::{Peer, PendingCall, RpcError, RpcId, RpcLimits, Service};
use serde_json::{Value, json};

use super::methods::{Method, discover};
use super::{Daemon, ENDING, calls};
use crate::stops::Stops;

/// Shortest time between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(100);

/// Serves a client until it ends.
pub(super) fn serve(daemon: &Arc<Daemon>, id: u64, stream: &UnixStream) {
    let Ok(output) = stream.try_clone() else { return };
    let limits = RpcLimits { batches: true, ..RpcLimits::default() };
    let make = |peer| Connection {
        daemon: Arc::clone(daemon),
        id,
        peer,
        gone: Arc::default(),
        stops: Stops::default(),
    };
    // A client that breaks off ends like one that closes.
    let _ = rpc::serve(&mut BufReader::new(stream), output, limits, make);
}

struct Connection {
    daemon: Arc<Daemon>,
    id: u64,
    peer: Peer,
    gone: Arc<AtomicBool>,
    stops: Stops,
}

impl Service for Connection {
    fn call(&self, mut call: PendingCall) {
        let params = match std::mem::take(&mut call.params) {
            Value::Null => json!({}),
            params => params,
        };
        let Some(method) = Method::of(&call.method) else {
            let message = format!("there is no method `{}`", base::visible_line(&call.method));
            call.answer(Err(RpcError::new(RpcError::METHOD, message)));
            return;
        };
        let daemon = &self.daemon;
        match method {
            Method::Ping => call.answer(calls::ping(params)),
            Method::GetStatus => call.answer(calls::status(daemon, params)),
            Method::CloseWorker => call.answer(calls::close_worker(daemon, self.id, params)),
            Method::Unload => call.answer(calls::unload(daemon, params)),
            Method::Shutdown => call.answer(calls::shutdown(daemon, params)),
            Method::Discover => call.answer(Ok(discover(&daemon.options.version))),
            _ if daemon.is_draining.load(Ordering::SeqCst) => {
                call.answer(Err(RpcError::new(ENDING, "the daemon is about to end")))
            }
            method => {
                self.start(method, params, call);
                true
            }
        };
    }

    fn notified(&self, _: &str, _: Value) {}

    fn cancelled(&self, id: &RpcId) {
        self.stops.stop(id);
    }

    fn ended(&self) {
        self.gone.store(true, Ordering::SeqCst);
    }
}

impl Connection {
    /// Runs a request in a thread of its own.
    fn start(&self, method: Method, params: Value, call: PendingCall) {
        let stop = self.stops.begin(&call.id);
        self.daemon.running.fetch_add(1, Ordering::SeqCst);
        let (daemon, stops, id) = (Arc::clone(&self.daemon), self.stops.clone(), self.id);
        let host = CallHost {
            daemon: Arc::clone(&daemon),
            stop,
            gone: Arc::clone(&self.gone),
            peer: self.peer.clone(),
            id: call.id.to_value(),
            last: Mutex::new(None),
        };
        let running = Running { daemon: Arc::clone(&daemon), stops, id: call.id.clone() };
        let work = move || {
            let ctx = Ctx::new(Arc::new(host));
            let began = Instant::now();
            let answer = calls::run(&daemon, &ctx, id, method, params);
            let error = answer.as_ref().err().map(|it| it.message.clone());
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let fields = json!({ "method": method.name(), "ms": ms, "error": error });
            daemon.log.event("request", fields);
            drop(running);
            call.answer(answer);
        };
        // Where no thread can be started, the call is dropped, which answers it with an error.
        let _ = thread::Builder::new().name("request".to_owned()).spawn(work);
    }
}

/// A request that runs.
struct Running {
    daemon: Arc<Daemon>,
    stops: Stops,
    id: RpcId,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stops.end(&self.id);
        self.daemon.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The surroundings of a request: it stops with its client, with the daemon, and when it is cancelled.
struct CallHost {
    daemon: Arc<Daemon>,
    stop: Arc<AtomicBool>,
    gone: Arc<AtomicBool>,
    peer: Peer,
    id: Value,
    last: Mutex<Option<(String, Instant)>>,
}

impl Host for CallHost {
    fn now(&self) -> Timestamp {
        self.daemon.ctx.now()
    }

    fn random(&self) -> [u8; 16] {
        self.daemon.ctx.random()
    }

    fn log(&self) -> Option<Arc<dyn base::WorkLog>> {
        self.daemon.ctx.log()
    }

    fn is_cancelled(&self) -> bool {
        [&*self.stop, &*self.gone, &self.daemon.is_cancelled]
            .iter()
            .any(|it| it.load(Ordering::SeqCst))
    }

    fn progress(&self, progress: &Progress) {
        let mut last = base::lock(&self.last);
        let is_new =
            last.as_ref().is_none_or(|it| it.0 != progress.stage || it.1.elapsed() >= BETWEEN);
        if is_new {
            *last = Some((progress.stage.clone(), Instant::now()));
            let mut params = json!(progress);
            params["id"] = self.id.clone();
            // Whether it is read is seen at the answer.
            self.peer.notify("$/progress", &params);
        }
    }
}
