//! Reads raw profiles (`.profraw`, versions 8 to 10 of LLVM 15 to 22): how often each counter of each
//! function was passed. Start at [`read`]. Everything in them was written by foreign code.

use base::SortedMap;

use super::bytes::Bytes;

/// Of a 64-bit little-endian profile.
const MAGIC: u64 = u64::from_le_bytes([0x81, b'r', b'f', b'o', b'r', b'p', b'l', 0xff]);
/// The flags beside the version number.
const VARIANTS: u64 = 0xff00_0000_0000_0000;
/// Counters of one byte, or of the entry only: not what rustc makes.
const OTHER_COUNTERS: u64 = (1 << 60) | (1 << 61);
/// Maximum number of counters of one profile.
const COUNTERS: u64 = 50_000_000;

/// The counters of the functions, by the hash of the name and of the structure.
pub(super) type Counters = SortedMap<(u64, u64), Vec<u64>>;

/// The sizes and addresses that precede the records.
struct Header {
    version: u64,
    records: u64,
    padding_before: u64,
    counters: u64,
    counters_delta: u64,
}

/// The counters of a profile; `None` for anything but a profile of a known version.
pub(super) fn read(bytes: &[u8]) -> Option<Counters> {
    let mut input = Bytes::new(bytes);
    let header = header(&mut input)?;
    let size = record_size(header.version);
    let len = header.records.checked_mul(size as u64)?;
    let records = input.take(usize::try_from(len).ok()?)?;
    input.skip(header.padding_before)?;
    let counters = input.take(usize::try_from(header.counters.checked_mul(8)?).ok()?)?;
    let mut found = Counters::new();
    for (idx, record) in records.chunks_exact(size).enumerate() {
        let record = Record::read(record, header.version)?;
        // The address is relative to its own record.
        let passed = (idx as u64).wrapping_mul(size as u64);
        let offset = record.counters_at.wrapping_sub(header.counters_delta.wrapping_sub(passed));
        let start = usize::try_from(offset).ok()?;
        let len = usize::try_from(record.count).ok()?.checked_mul(8)?;
        let of_function = counters.get(start..start.checked_add(len)?)?;
        let values = of_function.chunks_exact(8).filter_map(|it| Bytes::new(it).u64());
        let sum: &mut Vec<u64> = found.entry((record.name, record.hash)).or_default();
        for (nth, value) in values.enumerate() {
            match sum.get_mut(nth) {
                Some(it) => *it = it.saturating_add(value),
                None => sum.push(value),
            }
        }
    }
    Some(found)
}

fn header(input: &mut Bytes<'_>) -> Option<Header> {
    if input.u64()? != MAGIC {
        return None;
    }
    let flags = input.u64()?;
    let version = flags & !VARIANTS;
    if !(8..=10).contains(&version) || flags & OTHER_COUNTERS != 0 {
        return None;
    }
    let binary_ids = input.u64()?;
    let records = input.u64()?;
    let padding_before = input.u64()?;
    let counters = input.u64()?;
    let _padding_after = input.u64()?;
    if version >= 9 {
        input.skip(16)?;
    }
    let _names = input.u64()?;
    let counters_delta = input.u64()?;
    if version >= 9 {
        input.skip(8)?;
    }
    let _names_delta = input.u64()?;
    if version >= 10 {
        input.skip(16)?;
    }
    let _value_kinds = input.u64()?;
    input.skip(binary_ids)?;
    let is_possible = counters <= COUNTERS && records <= input.len() as u64;
    is_possible.then_some(Header { version, records, padding_before, counters, counters_delta })
}

fn record_size(version: u64) -> usize {
    if version >= 9 { 64 } else { 48 }
}

/// One function.
struct Record {
    name: u64,
    hash: u64,
    counters_at: u64,
    count: u32,
}

impl Record {
    fn read(bytes: &[u8], version: u64) -> Option<Self> {
        let mut input = Bytes::new(bytes);
        let (name, hash, counters_at) = (input.u64()?, input.u64()?, input.u64()?);
        // Bitmap (from version 9), function, values.
        input.skip(if version >= 9 { 24 } else { 16 })?;
        Some(Self { name, hash, counters_at, count: input.u32()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile of version 10 with two functions.
    fn profile() -> Vec<u8> {
        let counters = [7u64, 0, 3];
        let size = record_size(10) as u64;
        let delta = 1_000u64;
        let header = [MAGIC, 10, 0, 2, 0, 3, 0, 0, 0, 0, delta, 0, 0, 0, 0, 2]
            .map(u64::to_le_bytes)
            .concat();
        let record = |idx: u64, name: u64, at: u64, count: u32| {
            let at = delta.wrapping_sub(idx * size).wrapping_add(at);
            let mut it = [name, name + 1, at, 0, 0, 0].map(u64::to_le_bytes).concat();
            it.extend(count.to_le_bytes());
            it.resize(size as usize, 0);
            it
        };
        let records = [record(0, 10, 0, 1), record(1, 20, 8, 2)].concat();
        [header, records, counters.map(u64::to_le_bytes).concat()].concat()
    }

    #[test]
    fn the_counters_of_each_function_are_found() {
        let found = read(&profile()).unwrap();
        assert_eq!(found, Counters::from([((10, 11), vec![7]), ((20, 21), vec![0, 3])]));
    }

    #[test]
    fn a_damaged_profile_is_none_and_never_a_panic() {
        let good = profile();
        for len in 0..good.len() {
            assert_eq!(read(&good[..len]), None, "{len}");
        }
        for at in 0..good.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bad = good.clone();
                bad[at] = value;
                let _ = read(&bad);
            }
        }
    }
}
