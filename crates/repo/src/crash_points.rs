//! Named places between two durable steps at which a test can make this process end as if by
//! `kill -9`. Unarmed – always, outside the crash tests – a place costs one atomic load.

use std::sync::atomic::{AtomicU64, Ordering};

const OFF: u64 = u64::MAX;
static LEFT: AtomicU64 = AtomicU64::new(OFF);
static PASSED: AtomicU64 = AtomicU64::new(0);

/// Ends this process at the `nth` place from now (0: the next).
pub fn arm(nth: u64) {
    LEFT.store(nth, Ordering::SeqCst);
}

/// How many places this process has passed.
pub fn passed() -> u64 {
    PASSED.load(Ordering::SeqCst)
}

/// A place.
pub(crate) fn reached() {
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
