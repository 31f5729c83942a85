//! Hosts for tests: [`FakeHost`], which the test controls, and [`TestHost`] for tests that involve
//! other processes.

use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use base::{Ctx, Host, Progress, Timestamp};

/// A host that the test controls: the clock starts at a fixed time and advances by a fixed step
/// at each reading, randomness comes from a seed, cancellation is a flag, progress is recorded.
#[derive(Debug)]
pub struct FakeHost {
    now_us: AtomicU64,
    step_us: u64,
    chance: AtomicU64,
    cancelled: AtomicBool,
    looks_left: AtomicU64,
    progress: Mutex<Vec<Progress>>,
}

impl FakeHost {
    /// 2026-01-01 00:00 UTC, the initial time of every fake host.
    pub const START: Timestamp = Timestamp(1_767_225_600_000_000);

    /// A host that starts at [`FakeHost::START`], advances by one millisecond and has seed 0.
    pub fn new() -> Arc<Self> {
        Self::seeded(0)
    }

    /// The same with another seed; equal seeds give equal random values.
    pub fn seeded(seed: u64) -> Arc<Self> {
        Arc::new(Self {
            now_us: AtomicU64::new(Self::START.0),
            step_us: 1000,
            chance: AtomicU64::new(seed),
            cancelled: AtomicBool::new(false),
            looks_left: AtomicU64::new(u64::MAX),
            progress: Mutex::new(Vec::new()),
        })
    }

    /// A context over this host.
    pub fn ctx(self: &Arc<Self>) -> Ctx {
        Ctx::new(self.clone())
    }

    /// Cancels everything that uses this host.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
    }

    /// Cancels after `looks` more calls of `is_cancelled` have returned false.
    pub fn cancel_after(&self, looks: u64) {
        self.looks_left.store(looks, Ordering::SeqCst);
    }

    /// Sets the clock, also backwards, as real clocks do.
    pub fn set_now(&self, now: Timestamp) {
        self.now_us.store(now.0, Ordering::SeqCst);
    }

    /// The progress reported so far.
    pub fn progress_log(&self) -> Vec<Progress> {
        base::lock(&self.progress).clone()
    }
}

impl Host for FakeHost {
    fn now(&self) -> Timestamp {
        Timestamp(self.now_us.fetch_add(self.step_us, Ordering::SeqCst))
    }

    fn random(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let turn = self.chance.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
        bytes[..8].copy_from_slice(&split_mix(turn).to_le_bytes());
        bytes[8..].copy_from_slice(&split_mix(!turn).to_le_bytes());
        bytes
    }

    fn is_cancelled(&self) -> bool {
        let none_left = self
            .looks_left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| match left {
                0 => None,
                u64::MAX => Some(left),
                left => Some(left - 1),
            })
            .is_err();
        none_left || self.cancelled.load(Ordering::SeqCst)
    }

    fn progress(&self, progress: &Progress) {
        base::lock(&self.progress).push(progress.clone());
    }
}

/// The real host, for tests that involve other processes: system clock, unpredictable names.
#[derive(Debug, Default)]
pub struct TestHost {
    cancelled: AtomicBool,
}

impl TestHost {
    /// A host that is not cancelled.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// A context over this host.
    pub fn ctx(self: &Arc<Self>) -> Ctx {
        Ctx::new(self.clone())
    }

    /// Cancels everything that uses this host.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
    }
}

impl Host for TestHost {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(since.as_micros().try_into().unwrap_or(u64::MAX))
    }

    fn random(&self) -> [u8; 16] {
        // The standard library seeds its hash maps from the system's randomness.
        let mut bytes = [0; 16];
        for half in bytes.chunks_exact_mut(8) {
            let mut hasher = std::hash::RandomState::new().build_hasher();
            hasher.write_u32(std::process::id());
            half.copy_from_slice(&hasher.finish().to_le_bytes());
        }
        bytes
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }
}

/// A context over the real host, for tests that do not control it.
pub fn ctx() -> Ctx {
    TestHost::new().ctx()
}

/// One step of the SplitMix64 generator.
fn split_mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_worlds() {
        let (one, two) = (FakeHost::seeded(7).ctx(), FakeHost::seeded(7).ctx());
        assert_eq!(one.fresh_name(), two.fresh_name());
        assert_eq!(one.fresh_name(), two.fresh_name());
        assert_ne!(FakeHost::seeded(7).ctx().fresh_name(), FakeHost::seeded(8).ctx().fresh_name());
    }

    #[test]
    fn the_fake_clock_ticks_at_each_look() {
        let ctx = FakeHost::new().ctx();
        assert_eq!(ctx.now(), FakeHost::START);
        assert_eq!(ctx.now(), Timestamp(FakeHost::START.0 + 1000));
    }

    #[test]
    fn cancellation_comes_after_the_looks_that_were_granted() {
        let host = FakeHost::new();
        host.cancel_after(2);
        let ctx = host.ctx();
        assert_eq!(
            [ctx.is_cancelled(), ctx.is_cancelled(), ctx.is_cancelled()],
            [false, false, true]
        );
        assert!(ctx.is_cancelled());
    }

    #[test]
    fn progress_is_kept() {
        let host = FakeHost::new();
        host.ctx().progress("checking", "the baseline");
        assert_eq!(host.progress_log()[0].stage, "checking");
    }

    #[test]
    fn real_names_do_not_meet() {
        assert_ne!(ctx().fresh_name(), ctx().fresh_name());
    }
}
