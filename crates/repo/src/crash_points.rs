//! Crash points between two durable steps at which a test can make this process end as if by
//! `kill -9`. Unarmed – always, outside the crash tests – a crash point costs one atomic load.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const OFF: u64 = u64::MAX;
static LEFT: AtomicU64 = AtomicU64::new(OFF);
static PASSED: AtomicU64 = AtomicU64::new(0);
static PLAIN: AtomicBool = AtomicBool::new(false);

/// Ends this process at the `nth` crash point from now (0: the next).
pub fn arm(nth: u64) {
    LEFT.store(nth, Ordering::SeqCst);
}

/// The number of crash points that this process has passed.
pub fn passed() -> u64 {
    PASSED.load(Ordering::SeqCst)
}

/// Makes this process rename without flags, as on a file system that has none.
pub fn rename_plainly() {
    PLAIN.store(true, Ordering::SeqCst);
}

pub(crate) fn renames_are_plain() -> bool {
    PLAIN.load(Ordering::Relaxed)
}

/// A crash point. The crates above have some, too, between a write of the tree and its record.
pub fn reached() {
    PASSED.fetch_add(1, Ordering::Relaxed);
    if LEFT.load(Ordering::Relaxed) == OFF {
        return;
    }
    if LEFT.fetch_sub(1, Ordering::SeqCst) == 0 {
        // Cannot fail for the own process; if it did, the test would see no kill and say so.
        let _ =
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}
