//! [`serve_daemon`]: one process of a user that keeps a language model loaded, computes vectors and runs tasks, for
//! clients on a socket that only this user can reach. JSON-RPC 2.0, one message in a line, batches too; the schema of
//! every method is the answer to `rpc.discover`.
//!
//! Resources are few and bounded: one worker with a language model, a few light ones, queues with a limit; each
//! excess is refused by name. A worker belongs to the connection that opened it and ends with it. A model that none
//! uses is unloaded after a while.

mod calls;
mod client;
mod connection;
mod error;
mod language;
mod log;
mod methods;
mod seats;
mod socket;

use std::io::Write as _;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};
use rpc::RpcError;
use serde_json::{Value, json};

use crate::{Engine, ModelRegistry, TaskFault};

pub use client::DobbyClient;
pub use error::DaemonError;
pub use language::StartModel;
pub use log::log_lines;
pub use methods::{TaskAgent, TaskPayload};

use language::LanguageSlot;
use log::DaemonLog;
use methods::WorkerKind;
use seats::{Seat, Seats};
use socket::OwnSocket;

/// A limit on work in progress that is exceeded.
const BUSY: i64 = -32_001;
/// The daemon is about to end.
const ENDING: i64 = -32_002;
/// A worker that is not there, or is not this connection's.
const UNKNOWN: i64 = -32_003;

/// A language model cannot be had, or does not run.
const MODEL: i64 = -32_004;

/// Most connections at a time.
const CONNECTIONS: usize = 64;
/// Most requests that wait for a worker.
const QUEUE: usize = 16;
/// Time that work has to end once it is cancelled.
const GRACE: Duration = Duration::from_secs(5);

fn stopped() -> RpcError {
    crate::worker::error(TaskFault::Stopped)
}

/// Work of the program for a daemon.
pub trait DaemonWork: Send + Sync {
    /// The task of an engine for an agent and its input.
    ///
    /// # Errors
    /// The input is not valid.
    fn task(&self, agent: TaskAgent, payload: &TaskPayload) -> Result<Value, TaskFault>;

    /// The vectors of texts by an encoder.
    ///
    /// # Errors
    /// There is no such encoder.
    fn vectors(&self, encoder: &str, texts: &[String]) -> Result<Vec<Vec<f32>>, TaskFault>;
}

/// Settings of a daemon.
pub struct DaemonOptions {
    /// Path of its socket.
    pub socket: PathBuf,
    /// File of its log.
    pub log: PathBuf,
    /// Version of the program.
    pub version: String,
    /// Models.
    pub registry: ModelRegistry,
    /// Starts the server of a language model.
    pub start_model: Arc<StartModel>,
    /// Place where tasks run.
    pub engine: Box<dyn Engine>,
    /// Tasks and vectors.
    pub work: Box<dyn DaemonWork>,
    /// Most light workers and tasks at a time.
    pub light: usize,
    /// Time without a user after which a model is unloaded.
    pub idle: Duration,
    /// Whether the daemon ends with it.
    pub ends_when_idle: bool,
}

/// Ends a daemon from another thread.
#[derive(Clone)]
pub struct DaemonStop(Arc<Daemon>);

impl DaemonStop {
    /// Refuses new work, waits for what runs at most this long, and ends the daemon.
    pub fn drain(&self, limit: Duration) {
        self.0.drain(limit);
    }
}

/// The state of a daemon.
struct Daemon {
    ctx: Ctx,
    options: DaemonOptions,
    log: DaemonLog,
    language: Arc<LanguageSlot>,
    llm: Arc<Seats>,
    light: Arc<Seats>,
    workers: Mutex<SortedMap<String, Worker>>,
    connections: Mutex<SortedMap<u64, UnixStream>>,
    next: AtomicU64,
    /// Requests that run.
    running: AtomicUsize,
    is_draining: AtomicBool,
    /// Set when running work is to end.
    is_cancelled: AtomicBool,
    /// No connection is taken any more.
    has_ended: AtomicBool,
}

/// A worker that a connection opened.
struct Worker {
    kind: WorkerKind,
    model: Option<String>,
    connection: u64,
    _seat: Seat,
}

/// Serves clients until the daemon is ended by one, or by what `ready` gets.
///
/// # Errors
/// [`DaemonError`]: the socket cannot be made, or another daemon has it.
pub fn serve_daemon(
    ctx: &Ctx,
    options: DaemonOptions,
    ready: impl FnOnce(DaemonStop),
) -> Result<(), DaemonError> {
    let socket = OwnSocket::bind(&options.socket)?;
    let daemon = Arc::new_cyclic(|own: &Weak<Daemon>| Daemon {
        ctx: ctx.clone(),
        log: DaemonLog::open(ctx, &options.log),
        language: {
            let (own, ends) = (Weak::clone(own), options.ends_when_idle);
            let unloaded = move || {
                let Some(daemon) = own.upgrade() else { return };
                daemon.log.event("model unloaded", json!({ "reason": "idle" }));
                if ends {
                    daemon.drain(GRACE);
                }
            };
            LanguageSlot::new(Arc::clone(&options.start_model), options.idle, Box::new(unloaded))
        },
        llm: Seats::new("language models", 1, QUEUE),
        light: Seats::new("light workers", options.light.max(1), QUEUE),
        options,
        workers: Mutex::default(),
        connections: Mutex::default(),
        next: AtomicU64::new(1),
        running: AtomicUsize::new(0),
        is_draining: AtomicBool::new(false),
        is_cancelled: AtomicBool::new(false),
        has_ended: AtomicBool::new(false),
    });
    let path = daemon.options.socket.display().to_string();
    daemon.log.event("serving", json!({ "socket": path, "version": daemon.options.version }));
    ready(DaemonStop(Arc::clone(&daemon)));
    for stream in socket.listener.incoming() {
        if daemon.has_ended.load(Ordering::SeqCst) {
            break;
        }
        match stream {
            Ok(stream) => daemon.accept(stream),
            // Too many open files, for example: others may end meanwhile.
            Err(error) => {
                daemon.log.event("error", json!({ "cause": error.to_string() }));
                thread::sleep(Duration::from_millis(100));
            }
        }
    }
    drop(socket);
    daemon.end();
    Ok(())
}

impl Daemon {
    fn accept(self: &Arc<Self>, stream: UnixStream) {
        if !socket::is_own(&stream) {
            self.log.event("refused", json!({ "reason": "a process of another user" }));
            return;
        }
        let id = self.next.fetch_add(1, Ordering::SeqCst);
        let Ok(own) = stream.try_clone() else { return };
        {
            let mut connections = base::lock(&self.connections);
            if connections.len() >= CONNECTIONS {
                drop(connections);
                let error = json!({ "code": BUSY, "message": format!("more than {CONNECTIONS} connections") });
                let line = json!({ "jsonrpc": "2.0", "id": null, "error": error });
                // Who does not read it sees the end of the connection.
                let _ = (&stream).write_all(format!("{line}\n").as_bytes());
                return;
            }
            connections.insert(id, own);
        }
        let daemon = Arc::clone(self);
        let serve = move || {
            connection::serve(&daemon, id, &stream);
            daemon.close_of(id);
            base::lock(&daemon.connections).remove(&id);
        };
        if thread::Builder::new().name("client".to_owned()).spawn(serve).is_err() {
            base::lock(&self.connections).remove(&id);
        }
    }

    /// Closes the workers of a connection that has ended.
    fn close_of(&self, connection: u64) {
        let of = |it: &&String| {
            base::lock(&self.workers).get(*it).is_some_and(|it| it.connection == connection)
        };
        let ids: Vec<String> = base::lock(&self.workers).keys().cloned().collect();
        for id in ids.iter().filter(of) {
            self.close_worker(id, connection);
        }
    }

    /// Closes a worker of a connection; returns whether there was one.
    fn close_worker(&self, id: &str, connection: u64) -> bool {
        let worker = {
            let mut workers = base::lock(&self.workers);
            let is_own = workers.get(id).is_some_and(|it| it.connection == connection);
            if is_own { workers.remove(id) } else { None }
        };
        let Some(worker) = worker else { return false };
        if worker.kind == WorkerKind::Llm {
            self.language.close();
        }
        self.log.event("worker closed", json!({ "worker_id": id }));
        true
    }

    fn drain(self: &Arc<Self>, limit: Duration) {
        if self.is_draining.swap(true, Ordering::SeqCst) {
            // A second request to end waits for nothing.
            self.is_cancelled.store(true, Ordering::SeqCst);
            return;
        }
        self.log.event("draining", json!({ "seconds": limit.as_secs() }));
        let until = Instant::now() + limit;
        let runs = || self.running.load(Ordering::SeqCst) > 0;
        while runs() && Instant::now() < until && !self.is_cancelled.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(20));
        }
        self.is_cancelled.store(true, Ordering::SeqCst);
        let until = Instant::now() + GRACE;
        while runs() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
        }
        self.has_ended.store(true, Ordering::SeqCst);
        // The loop that accepts looks at it.
        let _ = UnixStream::connect(&self.options.socket);
    }

    fn end(&self) {
        // What is answered is written before a connection ends.
        for stream in base::lock(&self.connections).values() {
            // One that has ended needs none.
            let _ = stream.shutdown(Shutdown::Read);
        }
        let until = Instant::now() + GRACE;
        while !base::lock(&self.connections).is_empty() && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        self.language.end();
        self.log.event("ended", json!({}));
    }
}
