//! The resource usage of this process, as reported by Linux; unknown on other systems.

use std::time::Duration;

/// CPU time of this process and of the children it has waited for: fields 14 to 17, in ticks of 10
/// ms (Linux reports 100 ticks per second).
pub(crate) fn cpu() -> Option<Duration> {
    ticks(4)
}

fn ticks(fields: usize) -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let fields = after_name.split_whitespace().skip(11).take(fields);
    let ticks = fields.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_millis(ticks * 10))
}

/// CPU time of this process alone.
pub(crate) fn own_cpu() -> Option<Duration> {
    ticks(2)
}

/// The peak memory of the process.
pub fn peak_rss_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok().map(|kib| kib * 1024)
}
