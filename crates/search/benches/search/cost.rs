//! Processor time, and a loop to measure the machine by.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What this thread has used so far.
pub(crate) fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A loop that always does the same: 20,000 steps, each of which reads where the one before sent
/// it in a table of 256 KB.
pub(crate) struct Reference {
    table: Vec<u32>,
    times: Vec<Duration>,
}

impl Default for Reference {
    fn default() -> Self {
        let table = (0..65_536u32).map(|n| n.wrapping_mul(0x9e37_79b1) >> 16).collect();
        Self { table, times: Vec::new() }
    }
}

impl Reference {
    pub(crate) fn measure(&mut self) {
        let began = cpu();
        let mut at = 1u32;
        for step in 0..20_000u32 {
            at = self.table[(at ^ step) as usize & 0xffff];
        }
        black_box(at);
        self.times.push(cpu() - began);
    }

    /// The minimum and the median since the last call, as text.
    pub(crate) fn take(&mut self) -> String {
        let mut times = std::mem::take(&mut self.times);
        times.sort_unstable();
        let at = |n: usize| times.get(n).copied().unwrap_or_default();
        format!("fixed loop {:?}, median {:?}", at(0), at(times.len() / 2))
    }
}
