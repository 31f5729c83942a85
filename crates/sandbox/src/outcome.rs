use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The exit code; 128 + signal where a signal ended it.
    pub exit_code: i32,
    /// The first `output_bytes` of standard output.
    pub stdout: Vec<u8>,
    /// The first `output_bytes` of standard error.
    pub stderr: Vec<u8>,
    /// Bytes dropped of (stdout, stderr).
    pub dropped: (u64, u64),
    /// From start to end, the sandbox's own work included.
    pub duration: Duration,
    /// CPU of the whole process tree, where it could be measured.
    pub cpu: Option<Duration>,
    /// Of the largest process.
    pub peak_rss_bytes: Option<u64>,
    /// Ended by the wall limit.
    pub timed_out: bool,
    /// Ended by the memory limit.
    pub out_of_memory: bool,
    /// Ended because the user asked to stop.
    pub cancelled: bool,
    /// Which layers were on.
    pub protections: Protections,
}

/// The layers that were on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protections {
    /// What confines reads and writes.
    pub filesystem: Vec<String>,
    /// What closes the network.
    pub network: Vec<String>,
    /// What ends the whole tree.
    pub tree_kill: Vec<String>,
    /// What bounds memory and processes.
    pub memory: Vec<String>,
    /// What narrows the kernel's surface.
    pub syscalls: Vec<String>,
    /// What was missing and what takes its place.
    pub degraded: Vec<String>,
}
