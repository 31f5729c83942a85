//! Measures the CPU time of this process and its children.

use std::time::Duration;

/// CPU time of this process and of all children that it has waited for; `None` if the system does
/// not report it.
pub(crate) fn spent() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    parse(&stat)
}

/// Fields 14 to 17 of the line: user and system time of the process and its children, in ticks of
/// 10 ms (Linux fixes the unit for user space at 100 per second).
fn parse(stat: &str) -> Option<Duration> {
    let after_name = stat.rsplit_once(')')?.1;
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(11)
        .take(4)
        .map(|field| field.parse::<u64>().ok())
        .sum::<Option<u64>>()?;
    Some(Duration::from_millis(ticks * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_process_may_hold_anything() {
        let stat = "7 (a b) c) S 1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0";
        assert_eq!(parse(stat), Some(Duration::from_millis(1270)));
        assert_eq!(parse("garbage"), None);
    }
}
