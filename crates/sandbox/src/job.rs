//! The description of a job: program, view, limits, network and required level. Values only.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::SortedMap;
use serde::{Deserialize, Serialize};

/// One process to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// An absolute path inside the view, or a bare name that is looked up in `env`'s `PATH`.
    pub program: PathBuf,
    /// Its arguments, without the program's own name.
    pub args: Vec<OsString>,
    /// The working directory inside the view.
    pub cwd: PathBuf,
    /// The complete environment; nothing is inherited. `TMPDIR` is added if it is missing.
    pub env: SortedMap<OsString, OsString>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The visible part of the file system.
    pub view: View,
    /// The resource limits.
    pub limits: JobLimits,
    /// The access to the network.
    pub network: Network,
    /// The required level of protection; the job is refused if it cannot be met.
    pub require: Level,
}

impl Job {
    /// A program that prints its version: a minute, 2 GiB of memory, no network.
    pub fn version(program: &Path, args: Vec<OsString>, view: View, require: Level) -> Self {
        Self {
            program: program.to_owned(),
            args,
            cwd: PathBuf::from("/"),
            env: SortedMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
            stdin: Vec::new(),
            view,
            limits: JobLimits {
                wall: Duration::from_secs(60),
                memory_bytes: Some(2 << 30),
                ..JobLimits::default()
            },
            network: Network::Off,
            require,
        }
    }
}

/// The visible part of the file system: only the mounts, plus the minimal system
/// (libraries, `/usr`, `/dev/null` and friends, private `/tmp`, `/proc`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The mounts in order; a later mount may be inside an earlier one.
    pub mounts: Vec<Mount>,
}

/// One part of a view. All paths are absolute; `inside` contains no `..` and crosses no symlink.
///
/// A missing mount point is created, also inside an earlier writable mount; inside a read-only one
/// it must exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mount {
    /// The host's file or folder, readable, at `inside`.
    ReadOnly {
        /// The path on the host.
        host: PathBuf,
        /// The path in the view.
        inside: PathBuf,
    },
    /// The host's folder, writable, at `inside`.
    Writable {
        /// The path on the host.
        host: PathBuf,
        /// The path in the view.
        inside: PathBuf,
    },
    /// The host's folder, at `inside`, in which sockets can be made and nothing else: what runs cannot fill the
    /// host's disk, nor lead by a link who connects. Without Landlock it is writable.
    Sockets {
        /// The path on the host.
        host: PathBuf,
        /// The path in the view.
        inside: PathBuf,
    },
    /// Folders merged into one: an entry of an earlier one covers the same path of a later one.
    /// Without `upper` it is read-only and needs two folders. Needs namespaces.
    Overlay {
        /// The merged folders, never written; the topmost first.
        lowers: Vec<PathBuf>,
        /// The layer that receives the writes.
        upper: Option<Upper>,
        /// The path in the view.
        inside: PathBuf,
    },
    /// An empty private writable folder, removed after the run.
    Scratch {
        /// The path in the view.
        inside: PathBuf,
        /// The maximum size in bytes.
        bytes: u64,
    },
    /// Hides the file or folder at `inside` behind an empty unreadable one.
    Hidden {
        /// The path in the view.
        inside: PathBuf,
    },
}

/// The writable layer of an overlay, kept after the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upper {
    /// The folder that receives the writes: an existing one, outside the folders below it.
    pub folder: PathBuf,
    /// An empty folder on the same file system, for the overlay file system itself.
    pub work: PathBuf,
}

impl Mount {
    /// The path of the mount in the view.
    pub fn inside(&self) -> &std::path::Path {
        match self {
            Mount::ReadOnly { inside, .. }
            | Mount::Writable { inside, .. }
            | Mount::Sockets { inside, .. }
            | Mount::Overlay { inside, .. }
            | Mount::Scratch { inside, .. }
            | Mount::Hidden { inside } => inside,
        }
    }
}

/// The resource limits of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobLimits {
    /// The wall time; the whole tree is killed when it has passed.
    pub wall: Duration,
    /// The CPU time of each process.
    pub cpu: Option<Duration>,
    /// The memory of the whole tree in bytes.
    pub memory_bytes: Option<u64>,
    /// The number of processes and threads of the whole tree.
    pub pids: Option<u64>,
    /// The maximum size in bytes of each written file.
    pub file_bytes: Option<u64>,
    /// The number of kept bytes of each stream; the rest is counted and dropped (line callbacks get
    /// all of it).
    pub output_bytes: usize,
}

impl Default for JobLimits {
    /// The limits for snippets: 30 s and 512 MiB.
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

/// The level of protection that a job requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Any protection that is available: only if the user allows it (`--allow-unsandboxed`). On a machine
    /// without namespaces, Landlock and seccomp nothing keeps a job from the network.
    BestEffort,
    /// Writes and reads confined, network off: Landlock + seccomp suffice. The default.
    Standard,
    /// Also namespaces.
    Strong,
}

/// The access of a job to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Only local sockets between the job's own processes.
    Off,
    /// A private network with only the loopback interface, so that tests can connect to
    /// themselves. Without a network namespace it is [`Network::Off`].
    Loopback,
    /// The host's network, IPv4 and IPv6.
    On,
}

/// The output stream of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}
