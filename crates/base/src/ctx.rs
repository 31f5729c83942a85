//! [`Host`], the trait through which all crates get time, randomness, cancellation and progress
//! reporting, and [`Ctx`], the handle to it that long-running functions take as first argument.
//! Nothing else reads a clock or a random number generator.
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Microseconds since the Unix epoch.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Timestamp(pub u64);

/// The outside world as all crates see it: time, randomness, cancellation and progress reports.
/// The only source of clock readings and random bytes.
pub trait Host: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// Sixteen unpredictable bytes, for names that must be unique.
    fn random(&self) -> [u8; 16];

    /// Whether the user asked to stop; long work checks this often.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Receives a progress report; ignored by default.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
}

/// One progress report of long-running work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Stage, as a verb phrase: `checking the baseline`.
    pub stage: String,
    /// Detail: what the stage is processing now.
    pub detail: String,
    /// Number of units done; 0 where they cannot be counted.
    pub done: u64,
    /// Number of units in total; 0 where unknown.
    pub total: u64,
}

/// Error: the user stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Cancelled;

/// Handle to the [`Host`]: the first argument of every function that is slow or needs the outside
/// world.
#[derive(Clone)]
pub struct Ctx {
    host: Arc<dyn Host>,
}

impl Ctx {
    /// A context that uses `host`.
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self { host }
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.host.now()
    }

    /// A unique name: 32 random hex digits.
    pub fn fresh_name(&self) -> String {
        self.host.random().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Sixteen unpredictable bytes.
    pub fn random(&self) -> [u8; 16] {
        self.host.random()
    }

    /// Whether the user asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.host.is_cancelled()
    }

    /// `Err` when the user asked to stop; call it between two units of work with `?`.
    pub fn check_cancelled(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Reports the stage and its detail, without counts.
    pub fn progress(&self, stage: &str, detail: impl Into<String>) {
        self.count(stage, detail, 0, 0);
    }

    /// Reports the stage, its detail and how many units of it are done.
    pub fn count(&self, stage: &str, detail: impl Into<String>, done: u64, total: u64) {
        self.host.progress(&Progress {
            stage: stage.to_owned(),
            detail: detail.into(),
            done,
            total,
        });
    }
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ctx")
    }
}
