//! Numbers as the evidence has them.

use std::time::Duration;

/// A number with its noun: `no error`, `1 error`, `2 errors`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}"),
        _ => base::counted(count, noun),
    }
}

/// Whole milliseconds.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
