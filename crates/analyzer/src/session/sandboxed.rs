use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::{Ctx, Host};
use cargo::CargoEnv;
use sandbox::{Job, Mount, Network, Stream, View};
use serde_json::{Value, json};

use super::{Pipes, Transport};
use crate::batch::{mounts, variables};
use crate::{Analyzer, AnalyzerError, Features, Project};

/// A session outlives no day.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// Processes and threads: rust-analyzer, cargo and what it builds.
const PIDS: u64 = 4_096;
/// Of what it says on standard error, for its last words.
const WORDS: usize = 64 << 10;
/// Pieces of output on their way; a reader that falls behind makes the server wait.
const PIECES: usize = 64;

/// What a session is to do.
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// Which cargo features are on.
    pub features: Features,
    /// Build scripts and procedural macros of the project are run (in the sandbox, as all of it).
    pub runs_project_code: bool,
    /// All crates are worked out ahead, not when first asked about.
    pub is_primed: bool,
}

impl SessionSettings {
    /// In rust-analyzer's own words.
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
            // Without it no unresolved name is reported, the commonest of mistakes.
            "diagnostics": { "enable": true, "experimental": { "enable": true } },
            // What it fills in is a value where the type has an obvious one, else `todo!()`.
            "assist": { "expressionFillDefault": "default" },
            "cargo": {
                "features": features,
                // Its own default adds `miri`, under which no user builds.
                "cfgs": ["debug_assertions"],
                "buildScripts": { "enable": self.runs_project_code },
            },
            "procMacro": { "enable": self.runs_project_code },
        })
    }
}

/// rust-analyzer in the sandbox: offline, on a read-only view of the project, with a target folder
/// of its own.
pub struct Sandboxed {
    host: Arc<dyn Host>,
    env: CargoEnv,
    job: Job,
    /// Its last owner removes it.
    _layer: Option<Layer>,
}

impl Sandboxed {
    /// `work` is an existing folder of ours; `memory_bytes` is for the whole process tree.
    pub fn new(
        host: Arc<dyn Host>,
        env: &CargoEnv,
        analyzer: &Analyzer,
        project: &Project<'_>,
        work: &Path,
        memory_bytes: u64,
    ) -> Self {
        let limits = sandbox::Limits {
            wall: LONGEST,
            cpu: None,
            memory_bytes: Some(memory_bytes),
            pids: Some(PIDS),
            file_bytes: Some(8 << 30),
            output_bytes: WORDS,
        };
        let layer = Layer::for_lock(&*host, env, project.root, work);
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

/// What is written to a project that has no `Cargo.lock`: cargo makes one before it says anything,
/// and here it goes into a layer above the project, which stays as it is.
struct Layer {
    folder: PathBuf,
}

impl Layer {
    /// `None`: the project has one, or nothing can be laid over it here; then rust-analyzer reads
    /// what it can without, and says so.
    fn for_lock(host: &dyn Host, env: &CargoEnv, root: &Path, work: &Path) -> Option<Self> {
        let can = env.sandbox.capabilities();
        let is_possible = can.namespaces.works && can.overlay.works && !work.starts_with(root);
        if !is_possible || root.join("Cargo.lock").exists() {
            return None;
        }
        let name: String = host.random().iter().map(|byte| format!("{byte:02x}")).collect();
        let layer = Self { folder: work.join(format!("layer-{name}")) };
        for part in [layer.upper(), layer.scratch()] {
            // Without the folder the project is shown as it is.
            std::fs::create_dir_all(part).ok()?;
        }
        Some(layer)
    }

    fn upper(&self) -> PathBuf {
        self.folder.join("upper")
    }

    fn scratch(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// Lays it over the project's root in the view.
    fn cover(&self, root: &Path, view: &mut View) {
        for mount in &mut view.mounts {
            if matches!(mount, Mount::ReadOnly { host, inside } if host == root && inside == root) {
                *mount = Mount::Overlay {
                    lower: root.to_owned(),
                    upper: self.upper(),
                    work: self.scratch(),
                    inside: root.to_owned(),
                };
            }
        }
    }
}

impl Drop for Layer {
    fn drop(&mut self) {
        // What is left, a server that is just ending may hold; the cache folder is cleared at times.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Transport for Sandboxed {
    fn connect(&self) -> Result<Pipes, AnalyzerError> {
        let (input, to) = std::io::pipe().map_err(AnalyzerError::io("make a pipe for", "/"))?;
        let (pieces, from) = sync_channel(PIECES);
        let unwanted = Arc::new(AtomicBool::new(false));
        let ctx = Ctx::new(Arc::new(UntilUnwanted {
            host: self.host.clone(),
            unwanted: unwanted.clone(),
        }));
        let (sandbox, job) = (self.env.sandbox.clone(), self.job.clone());
        std::thread::spawn(move || serve(&ctx, &sandbox, &job, input.into(), &pieces));
        let from = Pieces { from: Mutex::new(from), rest: Vec::new(), at: 0 };
        Ok(Pipes { to: Box::new(to), from: Box::new(from), life: Box::new(Life(unwanted)) })
    }
}

/// Runs the server to its end; an error at its end is the last piece.
fn serve(
    ctx: &Ctx,
    sandbox: &sandbox::Sandbox,
    job: &Job,
    input: OwnedFd,
    pieces: &SyncSender<Result<Vec<u8>, String>>,
) {
    let outcome = sandbox.converse(ctx, job, input, &mut |stream, bytes| {
        if stream == Stream::Stdout {
            // Nobody listens once the session has given it up; then it is about to be ended.
            let _ = pieces.send(Ok(bytes.to_vec()));
        }
    });
    let why = match outcome {
        Ok(outcome) => crate::batch::ending(&outcome),
        Err(error) => error.to_string(),
    };
    let _ = pieces.send(Err(why));
}

/// Dropped: the server is to end.
struct Life(Arc<AtomicBool>);

impl Drop for Life {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The host, that also says stop when the session no longer wants its server. The user's own wish
/// to stop ends a question, not the server.
struct UntilUnwanted {
    host: Arc<dyn Host>,
    unwanted: Arc<AtomicBool>,
}

impl Host for UntilUnwanted {
    fn now(&self) -> base::Timestamp {
        self.host.now()
    }

    fn random(&self) -> [u8; 16] {
        self.host.random()
    }

    fn is_cancelled(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed)
    }
}

/// What the server writes, to be read.
struct Pieces {
    from: Mutex<Receiver<Result<Vec<u8>, String>>>,
    rest: Vec<u8>,
    at: usize,
}

impl Read for Pieces {
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
