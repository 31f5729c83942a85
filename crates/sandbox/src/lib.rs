//! Runs a foreign process confined, and is the only room that starts one.
//!
//! Protections are independent layers – namespaces, Landlock, seccomp, process-tree kill, memory
//! and process limits, an allow-list of environment variables, reads limited to what the job
//! names – each probed once by really using it. The strongest present are used, every
//! [`Outcome`] names them, and a job whose [`Level`] cannot be met is refused, never run weaker.
//!
//! The binary re-executes itself as the inner stage: `main` calls [`inner_main_if_asked`] first.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use base::Ctx;
use serde::{Deserialize, Serialize};

/// What the process sees of the file system. Nothing is visible but what a mount names
/// (plus the minimal system: libraries, `/usr`, `/dev/null` and friends, private `/tmp`, `/proc`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// In order; a later mount may lie inside an earlier one.
    pub mounts: Vec<Mount>,
}

/// One part of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mount {
    /// The host's file or folder, readable, at `inside`.
    ReadOnly { host: PathBuf, inside: PathBuf },
    /// The host's folder, writable, at `inside`.
    Writable { host: PathBuf, inside: PathBuf },
    /// Copy-on-write: `lower` shows through, writes go to `upper` (an existing folder outside
    /// `lower`; `work` is an empty one on the same file system). Needs namespaces.
    Overlay { lower: PathBuf, upper: PathBuf, work: PathBuf, inside: PathBuf },
    /// An empty writable folder of its own.
    Scratch { inside: PathBuf, bytes: u64 },
    /// Whatever is at `inside` is covered: an empty unreadable place.
    Hidden { inside: PathBuf },
}

/// What a job may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub wall: Duration,
    pub cpu: Option<Duration>,
    pub memory_bytes: Option<u64>,
    pub pids: Option<u64>,
    pub file_bytes: Option<u64>,
    /// Of each stream, kept at most; the rest is counted and dropped (line callbacks see all).
    pub output_bytes: usize,
}

impl Default for Limits {
    /// For snippets: 30 s and 512 MiB.
    fn default() -> Self {
        Self { wall: Duration::from_secs(30), cpu: None, memory_bytes: Some(512 << 20), pids: Some(256), file_bytes: Some(1 << 30), output_bytes: 1 << 20 }
    }
}

/// How much protection a job demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Whatever there is: only by the user's explicit word (`--allow-unsandboxed`).
    BestEffort,
    /// Writes and reads confined, network off: Landlock + seccomp suffice. The default.
    Standard,
    /// Namespaces too.
    Strong,
}

/// Whether the job reaches the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network { Off, On }

/// One process to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// Inside the view.
    pub cwd: PathBuf,
    /// All that the process gets; nothing is inherited.
    pub env: BTreeMap<OsString, OsString>,
    pub stdin: Vec<u8>,
    pub view: View,
    pub limits: Limits,
    pub network: Network,
    pub require: Level,
}

/// Which stream a line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream { Stdout, Stderr }

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The exit code; 128 + signal where a signal ended it.
    pub exit_code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Bytes dropped of (stdout, stderr).
    pub dropped: (u64, u64),
    pub duration: Duration,
    /// CPU of the whole process tree, where it could be measured.
    pub cpu: Option<Duration>,
    pub peak_rss_bytes: Option<u64>,
    pub timed_out: bool,
    /// Ended by the memory limit.
    pub out_of_memory: bool,
    /// Ended because the user asked to stop.
    pub cancelled: bool,
    pub protections: Protections,
}

/// The layers that were on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protections {
    pub filesystem: Vec<String>,
    pub network: Vec<String>,
    pub tree_kill: Vec<String>,
    pub memory: Vec<String>,
    pub syscalls: Vec<String>,
    /// What was missing and what takes its place.
    pub degraded: Vec<String>,
}

/// Why a job was not run, or could not be followed to its end.
#[derive(Debug, thiserror::Error)]
#[error("sandbox")]
pub struct SandboxError {}

/// The room's handle: knows the inner stage's executable.
#[derive(Clone, Debug)]
pub struct Sandbox { inner: PathBuf }

impl Sandbox {
    /// `inner` is an executable whose `main` calls [`inner_main_if_asked`] first.
    pub fn new(inner: PathBuf) -> Self { Self { inner } }
    /// What works on this machine; probed once per process by using it.
    pub fn capabilities(&self) -> &Capabilities { let _ = &self.inner; unimplemented!() }
    /// Runs the job to its end. `on_line` sees each complete line of output as it comes.
    pub fn run(&self, _ctx: &Ctx, _job: &Job, _on_line: &mut dyn FnMut(Stream, &[u8])) -> Result<Outcome, SandboxError> { unimplemented!() }
}

/// What was found to work.
#[derive(Clone, Debug, Serialize)]
pub struct Capabilities { /// the highest level that can be met
 pub level: Level }

/// Runs the inner stage and does not return, if the process was started as one.
pub fn inner_main_if_asked() {}
