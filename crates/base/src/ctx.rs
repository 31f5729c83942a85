use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Microseconds since the Unix epoch.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Timestamp(pub u64);

/// The outside world that every room may ask of: time, chance, the wish to stop, and somebody
/// who watches. All clocks and dice of the house are behind it.
pub trait Host: Send + Sync {
    /// The present time.
    fn now(&self) -> Timestamp;

    /// Sixteen unpredictable bytes, for names that must not meet.
    fn random(&self) -> [u8; 16];

    /// Whether the user asked to stop; long work looks often.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Says how far the work is; by default nobody listens.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
}

/// One report of long work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The stage, as a verb phrase: `checking the baseline`.
    pub stage: String,
    /// What it is busy with now.
    pub detail: String,
    /// How many units are done, where they can be counted.
    pub done: u64,
    /// How many there are in all; 0 where unknown.
    pub total: u64,
}

/// The work was stopped by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Cancelled;

/// The first argument of whatever takes time or asks the world.
#[derive(Clone)]
pub struct Ctx {
    host: Arc<dyn Host>,
}

impl Ctx {
    /// Wraps the world.
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self { host }
    }

    /// The present time.
    pub fn now(&self) -> Timestamp {
        self.host.now()
    }

    /// A fresh name that meets no other: 32 hex digits.
    pub fn fresh_name(&self) -> String {
        self.host.random().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Sixteen unpredictable bytes.
    pub fn random(&self) -> [u8; 16] {
        self.host.random()
    }

    /// Whether to stop.
    pub fn is_cancelled(&self) -> bool {
        self.host.is_cancelled()
    }

    /// `Err` when the user asked to stop: `ctx.alive()?` between two steps.
    pub fn alive(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Says what is being done.
    pub fn progress(&self, stage: &str, detail: impl Into<String>) {
        self.count(stage, detail, 0, 0);
    }

    /// Says what is being done and how much of it.
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
