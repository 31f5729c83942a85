//! The default memory limit of rust-analyzer.

/// Lower bound in bytes; with less no workspace can be loaded.
const MIN_BYTES: u64 = 1 << 30;
/// Upper bound in bytes.
const MAX_BYTES: u64 = 6 << 30;
/// The limit in bytes if the machine's memory is unknown.
const FALLBACK_BYTES: u64 = 4 << 30;

/// The default memory limit in bytes: half of the machine's memory, at least 1 and at most 6 GiB.
pub fn memory_by_default() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    total(&text).map_or(FALLBACK_BYTES, |bytes| (bytes / 2).clamp(MIN_BYTES, MAX_BYTES))
}

fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib.saturating_mul(1 << 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_memory_is_parsed_if_present() {
        assert_eq!(total("MemTotal:       16 kB\nMemFree: 1 kB\n"), Some(16 << 10));
        assert_eq!(total("MemFree: 1 kB\n"), None);
        assert!((MIN_BYTES..=MAX_BYTES).contains(&memory_by_default()));
    }
}
