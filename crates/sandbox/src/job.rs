use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One process to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// An absolute path inside the view, or a bare name that is looked up in `env`'s `PATH`.
    pub program: PathBuf,
    /// Its arguments, without the program's own name.
    pub args: Vec<OsString>,
    /// Inside the view.
    pub cwd: PathBuf,
    /// All that the process gets; nothing is inherited. `TMPDIR` is added where it is missing.
    pub env: BTreeMap<OsString, OsString>,
    /// What the process reads from its standard input.
    pub stdin: Vec<u8>,
    /// What it sees of the file system.
    pub view: View,
    /// What it may use.
    pub limits: Limits,
    /// Whether it reaches the network.
    pub network: Network,
    /// How much protection it must have; refused when that cannot be met.
    pub require: Level,
}

/// What the process sees of the file system. Nothing is visible but what a mount names
/// (plus the minimal system: libraries, `/usr`, `/dev/null` and friends, private `/tmp`, `/proc`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// In order; a later mount may lie inside an earlier one.
    pub mounts: Vec<Mount>,
}

/// One part of a view. All paths are absolute; `inside` holds no `..` and crosses no symlink.
///
/// The place for a mount is made where it is missing, also inside an earlier writable mount;
/// inside a read-only one it must exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mount {
    /// The host's file or folder, readable, at `inside`.
    ReadOnly {
        /// On the host.
        host: PathBuf,
        /// In the view.
        inside: PathBuf,
    },
    /// The host's folder, writable, at `inside`.
    Writable {
        /// On the host.
        host: PathBuf,
        /// In the view.
        inside: PathBuf,
    },
    /// Copy-on-write: `lower` shows through, writes go to `upper` (an existing folder outside
    /// `lower`; `work` is an empty one on the same file system). Needs namespaces.
    Overlay {
        /// What shows through, never written.
        lower: PathBuf,
        /// What receives the writes; kept after the run.
        upper: PathBuf,
        /// The file system's own scratch.
        work: PathBuf,
        /// In the view.
        inside: PathBuf,
    },
    /// An empty writable folder of its own, gone after the run.
    Scratch {
        /// In the view.
        inside: PathBuf,
        /// Its size at most.
        bytes: u64,
    },
    /// Whatever is at `inside` is covered: an empty unreadable place.
    Hidden {
        /// In the view.
        inside: PathBuf,
    },
}

impl Mount {
    /// Where the mount stands in the view.
    pub fn inside(&self) -> &std::path::Path {
        match self {
            Mount::ReadOnly { inside, .. }
            | Mount::Writable { inside, .. }
            | Mount::Overlay { inside, .. }
            | Mount::Scratch { inside, .. }
            | Mount::Hidden { inside } => inside,
        }
    }
}

/// What a job may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// From start to end; the whole tree is killed when it is over.
    pub wall: Duration,
    /// CPU time of each process.
    pub cpu: Option<Duration>,
    /// Memory of the whole tree.
    pub memory_bytes: Option<u64>,
    /// Processes and threads of the whole tree.
    pub pids: Option<u64>,
    /// Size of any one file that is written.
    pub file_bytes: Option<u64>,
    /// Of each stream, kept at most; the rest is counted and dropped (line callbacks see all).
    pub output_bytes: usize,
}

impl Default for Limits {
    /// For snippets: 30 s and 512 MiB.
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(30),
            cpu: None,
            memory_bytes: Some(512 << 20),
            pids: Some(256),
            file_bytes: Some(1 << 30),
            output_bytes: 1 << 20,
        }
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
pub enum Network {
    /// No socket but local ones between the job's own processes.
    Off,
    /// A network of the job's own with nothing in it but the loopback interface, so that tests
    /// may talk to themselves. Where there is no network namespace it is [`Network::Off`].
    Loopback,
    /// The host's network, IPv4 and IPv6.
    On,
}

/// Which stream a line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}
