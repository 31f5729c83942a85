//! [`Sandboxed`]: runs rust-analyzer as a language server in the sandbox.

use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::{Ctx, Host};
use build::CargoEnv;
use sandbox::{Job, Mount, Network, Stream, Upper, View};
use serde_json::{Value, json};

use super::{Pipes, Transport};
use crate::batch::{mounts, variables};
use crate::{Analyzer, AnalyzerError, Features, IndexedProject};

/// Time limit of a server process.
const MAX_RUN_TIME: Duration = Duration::from_secs(24 * 60 * 60);
/// Most processes and threads: rust-analyzer, cargo and the build.
const PIDS: u64 = 4_096;
/// Bytes kept of standard error, for error messages.
const STDERR_BYTES: usize = 64 << 10;
/// Most chunks of output in the channel; a full channel blocks the server.
const MAX_CHUNKS: usize = 64;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// The enabled cargo features.
    pub features: Features,
    /// Whether the project's build scripts and procedural macros run (always in the sandbox).
    pub runs_project_code: bool,
    /// Whether all crates are analysed ahead of the first request.
    pub is_primed: bool,
}

impl SessionSettings {
    /// The settings in rust-analyzer's JSON format.
    pub fn to_json(&self) -> Value {
        let features = match &self.features {
            Features::Default => json!([]),
            Features::All => json!("all"),
            Features::Named(names) => json!(names),
        };
        json!({
            "checkOnSave": false,
            "files": { "watcher": "client" },
            "numThreads": 2,
            "cachePriming": { "enable": self.is_primed, "numThreads": 2 },
            // Unresolved names are reported by experimental diagnostics only.
            "diagnostics": { "enable": true, "experimental": { "enable": true } },
            // Assists fill in `Default` values where the type has one, else `todo!()`.
            "assist": { "expressionFillDefault": "default" },
            "cargo": {
                "features": features,
                // rust-analyzer's default also sets `cfg(miri)`.
                "cfgs": ["debug_assertions"],
                "buildScripts": { "enable": self.runs_project_code },
            },
            "procMacro": { "enable": self.runs_project_code },
        })
    }
}

/// Starts rust-analyzer in the sandbox: offline, on a read-only view of the project, with a target
/// folder of its own.
pub struct Sandboxed {
    host: Arc<dyn Host>,
    env: CargoEnv,
    job: Job,
    /// Removed on drop.
    _layer: Option<LockLayer>,
}

impl Sandboxed {
    /// `work` is an existing folder of graftage's own; `memory_bytes` limits the whole process tree.
    pub fn new(
        host: Arc<dyn Host>,
        env: &CargoEnv,
        analyzer: &Analyzer,
        project: &IndexedProject<'_>,
        work: &Path,
        memory_bytes: u64,
    ) -> Self {
        let limits = sandbox::JobLimits {
            wall: MAX_RUN_TIME,
            cpu: None,
            memory_bytes: Some(memory_bytes),
            pids: Some(PIDS),
            file_bytes: Some(8 << 30),
            output_bytes: STDERR_BYTES,
        };
        let layer = LockLayer::for_lock(&*host, env, project.root, work);
        let mut view = View { mounts: mounts(env, analyzer, project, work) };
        if let Some(layer) = &layer {
            layer.cover(project.root, &mut view);
        }
        let job = Job {
            program: analyzer.found.program.clone(),
            args: analyzer.found.leading.clone(),
            cwd: PathBuf::from(project.root),
            env: variables(env, analyzer, work),
            stdin: Vec::new(),
            view,
            limits,
            network: Network::Off,
            require: env.require,
        };
        Self { host, env: env.clone(), job, _layer: layer }
    }
}

/// An overlay layer for a project without `Cargo.lock`: cargo writes one before it does anything
/// else, and the layer receives it, so that the project is not changed.
struct LockLayer {
    folder: PathBuf,
}

impl LockLayer {
    /// `None` if the project has a lock file, or if overlays are not available; then rust-analyzer
    /// loads what it can and reports the rest.
    fn for_lock(host: &dyn Host, env: &CargoEnv, root: &Path, work: &Path) -> Option<Self> {
        let can = env.sandbox.capabilities();
        let is_possible = can.namespaces.works && can.overlay.works && !work.starts_with(root);
        if !is_possible || root.join("Cargo.lock").exists() {
            return None;
        }
        let name: String = host.random().iter().map(|byte| format!("{byte:02x}")).collect();
        let layer = Self { folder: work.join(format!("layer-{name}")) };
        for part in [layer.upper(), layer.scratch()] {
            // On failure the project is mounted without a layer.
            untrusted_fs::make_own(&part).ok()?;
        }
        Some(layer)
    }

    fn upper(&self) -> PathBuf {
        self.folder.join("upper")
    }

    fn scratch(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// Replaces the mount of the project's root by the overlay.
    fn cover(&self, root: &Path, view: &mut View) {
        for mount in &mut view.mounts {
            if matches!(mount, Mount::ReadOnly { host, inside } if host == root && inside == root) {
                *mount = Mount::Overlay {
                    lowers: vec![root.to_owned()],
                    upper: Some(Upper { folder: self.upper(), work: self.scratch() }),
                    inside: root.to_owned(),
                };
            }
        }
    }
}

impl Drop for LockLayer {
    fn drop(&mut self) {
        // Best effort: an ending server can still use the files; the cache is cleaned later.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Transport for Sandboxed {
    fn connect(&self) -> Result<Pipes, AnalyzerError> {
        let (input, to) = std::io::pipe().map_err(AnalyzerError::io("create a pipe for", "/"))?;
        let (chunks, from) = sync_channel(MAX_CHUNKS);
        let unwanted = Arc::new(AtomicBool::new(false));
        let ctx =
            Ctx::new(Arc::new(ServerHost { host: self.host.clone(), unwanted: unwanted.clone() }));
        let (sandbox, job) = (self.env.sandbox.clone(), self.job.clone());
        std::thread::spawn(move || serve(&ctx, &sandbox, &job, input.into(), &chunks));
        let from = OutputReader { from: Mutex::new(from), rest: Vec::new(), at: 0 };
        Ok(Pipes { to: Box::new(to), from: Box::new(from), life: Box::new(Life(unwanted)) })
    }
}

/// Why there is no more output of the server.
#[derive(Debug, thiserror::Error)]
enum ServerEnd {
    /// The process has ended; the end of its output.
    #[error("{0}")]
    Exited(String),
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
}

/// Runs the server to its end; the reason of the end is the last chunk.
fn serve(
    ctx: &Ctx,
    sandbox: &sandbox::Sandbox,
    job: &Job,
    input: OwnedFd,
    chunks: &SyncSender<Result<Vec<u8>, ServerEnd>>,
) {
    let outcome = sandbox.converse(ctx, job, input, &mut |stream, bytes| {
        if stream == Stream::Stdout {
            // Sending fails only after the session has dropped the server.
            let _ = chunks.send(Ok(bytes.to_vec()));
        }
    });
    let why = match outcome {
        Ok(outcome) => ServerEnd::Exited(crate::batch::failure_reason(&outcome)),
        Err(error) => error.into(),
    };
    let _ = chunks.send(Err(why));
}

/// Ends the server on drop.
struct Life(Arc<AtomicBool>);

impl Drop for Life {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A host that is cancelled when the session drops its server. The user's cancellation ends a
/// request, not the server.
struct ServerHost {
    host: Arc<dyn Host>,
    unwanted: Arc<AtomicBool>,
}

impl Host for ServerHost {
    fn now(&self) -> base::Timestamp {
        self.host.now()
    }

    fn random(&self) -> [u8; 16] {
        self.host.random()
    }

    fn log(&self) -> Option<Arc<dyn base::WorkLog>> {
        self.host.log()
    }

    fn is_cancelled(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed)
    }
}

/// The server's output as a reader.
struct OutputReader {
    from: Mutex<Receiver<Result<Vec<u8>, ServerEnd>>>,
    rest: Vec<u8>,
    at: usize,
}

impl Read for OutputReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.rest.len() {
            let from = self.from.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
            match from.recv() {
                Ok(Ok(bytes)) => (self.rest, self.at) = (bytes, 0),
                Ok(Err(why)) => return Err(std::io::Error::other(why)),
                Err(_) => return Ok(0),
            }
        }
        let bytes = (&self.rest[self.at..]).read(buffer)?;
        self.at += bytes;
        Ok(bytes)
    }
}

impl std::fmt::Debug for Sandboxed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandboxed").field("program", &self.job.program).finish_non_exhaustive()
    }
}
