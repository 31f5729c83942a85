//! A bound on the memory of this process, for as long as it does what strangers asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::exit::Failure;
use crate::output;

/// How often it is looked. What grows by doubling takes longer than that to get from one bound to
/// the next.
const LOOK: Duration = Duration::from_millis(10);

/// While it lives, the process ends with an error when it takes so much more memory than it did.
/// Nothing may be half written meanwhile. Where the system does not say how much that is, nothing
/// is held.
pub(crate) struct MemoryGuard {
    is_over: Arc<AtomicBool>,
}

impl MemoryGuard {
    pub(crate) fn start(more: u64, as_json: bool, failure: Failure) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&is_over);
        if let Some(before) = resident() {
            let limit = before.saturating_add(more);
            std::thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    if resident().is_some_and(|bytes| bytes > limit) {
                        output::failure(as_json, &failure);
                        std::process::exit(failure.status as i32);
                    }
                    std::thread::sleep(LOOK);
                }
            });
        }
        Self { is_over }
    }
}

impl Drop for MemoryGuard {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// How many bytes of memory the process has in its hands.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
