/// Below so many bytes no workspace is loaded.
const LEAST: u64 = 1 << 30;
/// More than this no server gets by itself.
const MOST: u64 = 6 << 30;
/// Where the size of the machine's memory is not known.
const SOME: u64 = 4 << 30;

/// What rust-analyzer may have where nobody says: half of the machine's memory, at most 6 GiB.
pub fn memory_by_default() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    total(&text).map_or(SOME, |bytes| (bytes / 2).clamp(LEAST, MOST))
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
    fn the_machine_s_memory_is_read_and_its_absence_too() {
        assert_eq!(total("MemTotal:       16 kB\nMemFree: 1 kB\n"), Some(16 << 10));
        assert_eq!(total("MemFree: 1 kB\n"), None);
        assert!((LEAST..=MOST).contains(&memory_by_default()));
    }
}
