//! A memory limit for this process while it runs an untrusted script.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::exit::Failure;
use crate::output;

/// Interval of the measurements. A value that grows by doubling takes longer than this to double.
const INTERVAL: Duration = Duration::from_millis(10);

/// While the guard exists, the process exits with an error when its memory has grown by more than the
/// limit. The caller must not write files meanwhile. Without `/proc` there is no limit.
pub(crate) struct MemoryGuard {
    is_done: Arc<AtomicBool>,
}

impl MemoryGuard {
    pub(crate) fn start(limit: u64, as_json: bool, failure: Failure) -> Self {
        let is_done = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&is_done);
        if let Some(before) = resident() {
            let limit = before.saturating_add(limit);
            std::thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    if resident().is_some_and(|bytes| bytes > limit) {
                        output::failure(as_json, &failure);
                        std::process::exit(failure.status as i32);
                    }
                    std::thread::sleep(INTERVAL);
                }
            });
        }
        Self { is_done }
    }
}

impl Drop for MemoryGuard {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
    }
}

/// Resident memory of the process in bytes.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
