//! [`Connection`]: the program in Python that uses Ray, while it runs.

use std::io::{BufReader, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use base::{Ctx, SortedMap};
use rpc::{Peer, PendingCall, RpcId, RpcLimits, Service, serve};
use sandbox::{SideProcess, SideProgram};
use serde_json::{Value, json};
use untrusted_fs::ScratchFolder;

use crate::ray::{RayError, RayOptions};
use crate::worker::TASK_REPORT;

/// The program in Python.
const SHIM: &str = include_str!("shim.py");

/// Longest time for a cluster to start or to be reached.
const START: Duration = Duration::from_secs(180);

/// Beginning of the names of such folders.
const PREFIX: &str = "graftage-ray-";

/// Most bytes of its errors that are kept.
const KEPT: usize = 4 << 10;

/// Tasks that are listened to.
type Listeners = Arc<Mutex<SortedMap<String, Sender<Value>>>>;

/// A running shim.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) peer: Peer,
    pub(super) seats: usize,
    listeners: Listeners,
    ended: Arc<AtomicBool>,
    /// The shim and the folder of its cluster, which end with the last copy of the connection.
    _process: Arc<(Mutex<SideProcess>, ScratchFolder)>,
}

impl Connection {
    pub(super) fn start(
        ctx: &Ctx,
        options: &RayOptions,
        env: Vec<(std::ffi::OsString, std::ffi::OsString)>,
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Self, RayError> {
        let folder = folder(ctx).map_err(|error| RayError::NoCluster(error.to_string()))?;
        let no_python = |cause: String| RayError::NoPython {
            python: options.python.display().to_string(),
            cause,
        };
        let args = vec!["-c".into(), SHIM.into()];
        let program = SideProgram { program: options.python.clone(), args, env };
        let (process, streams) =
            SideProcess::start(&program).map_err(|error| no_python(error.to_string()))?;
        let (listeners, ended): (Listeners, Arc<AtomicBool>) = (Arc::default(), Arc::default());
        let (sender, peers) = channel();
        let (own, over) = (Arc::clone(&listeners), Arc::clone(&ended));
        let (output, input) = (streams.output, streams.input);
        let errors = keep(streams.errors);
        let read = move || {
            // How it ended is in its errors.
            let _ = serve(&mut BufReader::new(output), input, RpcLimits::default(), |peer| {
                let _ = sender.send(peer);
                Shim { listeners: own, ended: over }
            });
        };
        let started = thread::Builder::new().name("ray".to_owned()).spawn(read);
        started.map_err(|error| no_python(error.to_string()))?;
        let peer: Peer = peers.recv().map_err(|error| no_python(error.to_string()))?;
        let params = json!({
            "address": options.address, "seats": options.seats, "program": options.program,
            "folder": folder.path(),
        });
        let answer = peer.request("start", &params, START, has_stopped);
        let answer = answer.map_err(|fault| {
            let text = base::lock(&errors).clone();
            let last = text.lines().rev().find(|it| !it.trim().is_empty());
            RayError::NoCluster(match (fault, last) {
                (rpc::RpcFault::Closed, Some(last)) => base::visible_line(last),
                (fault, _) => fault.to_string(),
            })
        })?;
        let seats = answer.get("seats").and_then(Value::as_u64).unwrap_or(1);
        let seats = usize::try_from(seats).unwrap_or(1).clamp(1, 4_096);
        let _process = Arc::new((Mutex::new(process), folder));
        Ok(Self { peer, seats, listeners, ended, _process })
    }

    /// Whether the shim has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// Reports of a task from now on.
    pub(super) fn listen(&self, id: &str) -> Receiver<Value> {
        let (sender, receiver) = channel();
        base::lock(&self.listeners).insert(id.to_owned(), sender);
        receiver
    }

    /// Listens to a task no more.
    pub(super) fn forget(&self, id: &str) {
        base::lock(&self.listeners).remove(id);
    }
}

/// A folder for the files of a cluster: sockets are among them, whose paths must be short.
fn folder(ctx: &Ctx) -> std::io::Result<ScratchFolder> {
    let all = Path::new("/tmp");
    let is_ours = |name: &str| name.strip_prefix(PREFIX).is_some_and(|it| it.len() == 8);
    untrusted_fs::sweep(all, is_ours, |_| {});
    ScratchFolder::new(all, || format!("{PREFIX}{}", &ctx.fresh_name()[..8]))
}

/// Keeps the last errors that a process prints.
fn keep(mut errors: std::process::ChildStderr) -> Arc<Mutex<String>> {
    let kept: Arc<Mutex<String>> = Arc::default();
    let own = Arc::clone(&kept);
    let read = move || {
        let mut piece = [0; 1 << 10];
        while let Ok(length @ 1..) = errors.read(&mut piece) {
            let mut kept = base::lock(&own);
            kept.push_str(&String::from_utf8_lossy(&piece[..length]));
            let surplus = kept.len().saturating_sub(KEPT);
            let surplus = (surplus..kept.len()).find(|at| kept.is_char_boundary(*at));
            kept.drain(..surplus.unwrap_or(0));
        }
    };
    // Without it the errors are lost, nothing else.
    let _ = thread::Builder::new().name("ray errors".to_owned()).spawn(read);
    kept
}

struct Shim {
    listeners: Listeners,
    ended: Arc<AtomicBool>,
}

impl Service for Shim {
    fn call(&self, call: PendingCall) {
        // It has nothing to ask; dropping the call answers it with an error.
        drop(call);
    }

    fn notified(&self, method: &str, params: Value) {
        if method == TASK_REPORT
            && let Some(id) = params.get("id").and_then(Value::as_str)
            && let Some(sender) = base::lock(&self.listeners).get(id)
        {
            // Its task may have ended.
            let _ = sender.send(params.get("report").cloned().unwrap_or_default());
        }
    }

    fn cancelled(&self, _: &RpcId) {}

    fn ended(&self) {
        self.ended.store(true, Ordering::SeqCst);
    }
}
