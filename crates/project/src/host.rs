//! [`SystemHost`]: the clock, random source, cancel flag and progress listener of a real process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use base::{Host, Progress, Timestamp, WorkLog};

/// The [`Host`] of a real process: system clock, system random source, a cancel flag that a signal
/// handler sets, and a progress listener.
pub struct SystemHost {
    cancelled: Arc<AtomicBool>,
    listener: Box<dyn Fn(&Progress) + Send + Sync>,
    log: Option<Arc<dyn WorkLog>>,
}

impl SystemHost {
    /// A host with the cancel flag `cancelled`, which the signal handler sets to true.
    pub fn new(
        cancelled: Arc<AtomicBool>,
        listener: impl Fn(&Progress) + Send + Sync + 'static,
    ) -> Self {
        Self { cancelled, listener: Box::new(listener), log: None }
    }

    /// The same host with a log of finished work.
    pub fn with_log(self, log: Option<Arc<dyn WorkLog>>) -> Self {
        Self { log, ..self }
    }
}

impl Host for SystemHost {
    fn now(&self) -> Timestamp {
        // A clock before 1970 is a broken clock; zero keeps the order of what follows.
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(u64::try_from(since_epoch.as_micros()).unwrap_or(u64::MAX))
    }

    fn random(&self) -> [u8; 16] {
        *uuid::Uuid::new_v4().as_bytes()
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn progress(&self, progress: &Progress) {
        (self.listener)(progress);
    }

    fn log(&self) -> Option<Arc<dyn WorkLog>> {
        self.log.clone()
    }
}
