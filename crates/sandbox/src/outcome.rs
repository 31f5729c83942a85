//! The result of a job and the protections that it had. Values only.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The exit code; 128 + signal if a signal ended it.
    pub exit_code: i32,
    /// The first `output_bytes` of standard output.
    pub stdout: Vec<u8>,
    /// The first `output_bytes` of standard error.
    pub stderr: Vec<u8>,
    /// The number of dropped bytes of (stdout, stderr).
    pub dropped: (u64, u64),
    /// The wall time, the sandbox's own work included.
    pub duration: Duration,
    /// The CPU time of the whole process tree, if it could be measured.
    pub cpu: Option<Duration>,
    /// The peak resident memory in bytes of the largest process.
    pub peak_rss_bytes: Option<u64>,
    /// Whether the wall time limit ended it.
    pub timed_out: bool,
    /// Whether the memory limit ended it.
    pub out_of_memory: bool,
    /// Whether a test ended the program with success, or began another program in its place. Only
    /// [`Sandbox::run_tests`](crate::Sandbox::run_tests) looks.
    pub ended_by_test: bool,
    /// Whether the user cancelled it.
    pub cancelled: bool,
    /// The layers that were active.
    pub protections: Protections,
}

/// The layers that were active, as text for reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protections {
    /// The layers that confine reads and writes.
    pub filesystem: Vec<String>,
    /// The layers that block the network.
    pub network: Vec<String>,
    /// The mechanisms that end the whole tree.
    pub tree_kill: Vec<String>,
    /// The mechanisms that limit memory and processes.
    pub memory: Vec<String>,
    /// The layers that restrict system calls.
    pub syscalls: Vec<String>,
    /// The missing layers and their replacements.
    pub degraded: Vec<String>,
}
