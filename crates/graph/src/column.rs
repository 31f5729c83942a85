//! The two encodings of the tables: columns of integers, as narrow as their largest value, and
//! records of variable-length integers. Reads are bounds-checked and copy nothing.

/// A column under construction: integers, each written with the width of the largest.
#[derive(Default)]
pub(crate) struct ColumnWriter {
    values: Vec<u32>,
}

impl ColumnWriter {
    pub(crate) fn with_capacity(len: usize) -> Self {
        Self { values: Vec::with_capacity(len) }
    }

    pub(crate) fn push(&mut self, value: u32) {
        self.values.push(value);
    }

    /// Appends the column to `out` and returns its width in bytes.
    pub(crate) fn finish(&self, out: &mut Vec<u8>) -> u8 {
        put_columns(out, std::iter::once(&*self.values))
    }
}

/// Appends a column that is given in slices to `out` and returns its width in bytes.
pub(crate) fn put_columns<'a>(
    out: &mut Vec<u8>,
    slices: impl Iterator<Item = &'a [u32]> + Clone,
) -> u8 {
    let max = slices.clone().filter_map(|slice| slice.iter().copied().max()).max().unwrap_or(0);
    let width: u8 = match max {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xff_ffff => 3,
        _ => 4,
    };
    // One loop per width: nearly all of a map is columns.
    for values in slices.map(<[u32]>::iter) {
        match width {
            1 => out.extend(values.map(|value| *value as u8)),
            2 => put_all(out, values.map(|value| (*value as u16).to_le_bytes())),
            3 => put_all(
                out,
                values.map(|value| {
                    let [a, b, c, _] = value.to_le_bytes();
                    [a, b, c]
                }),
            ),
            _ => put_all(out, values.map(|value| value.to_le_bytes())),
        }
    }
    width
}

fn put_all<const WIDTH: usize>(
    out: &mut Vec<u8>,
    numbers: impl ExactSizeIterator<Item = [u8; WIDTH]>,
) {
    let start = out.len();
    out.resize(start + numbers.len() * WIDTH, 0);
    let chunks = out.get_mut(start..).unwrap_or_default().as_chunks_mut::<WIDTH>().0;
    for (chunk, number) in chunks.iter_mut().zip(numbers) {
        *chunk = number;
    }
}

impl From<Vec<u32>> for ColumnWriter {
    fn from(values: Vec<u32>) -> Self {
        Self { values }
    }
}

/// A column, read in place.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> Column<'a> {
    /// A column over `bytes`; empty for a width of 0 or above 4.
    pub(crate) fn new(bytes: &'a [u8], width: u8) -> Self {
        match width {
            1..=4 => Self { bytes, width: usize::from(width) },
            _ => Self { bytes: &[], width: 1 },
        }
    }

    pub(crate) fn len(self) -> usize {
        self.bytes.len() / self.width
    }

    pub(crate) fn get(self, idx: usize) -> Option<u32> {
        let start = idx.checked_mul(self.width)?;
        let bytes = self.bytes.get(start..start.checked_add(self.width)?)?;
        Some(match *bytes {
            [a] => u32::from(a),
            [a, b] => u32::from_le_bytes([a, b, 0, 0]),
            [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => return None,
        })
    }

    /// The half-open range between entry `idx` and the next of a column of starts; empty where
    /// damaged.
    pub(crate) fn range(self, idx: usize) -> std::ops::Range<usize> {
        match (self.get(idx), self.get(idx.saturating_add(1))) {
            (Some(start), Some(end)) if start <= end => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// The number of leading values for which `is_before` is true (the column is sorted).
    pub(crate) fn partition_point(self, is_before: impl Fn(u32) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle) {
                Some(value) if is_before(value) => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }
}

/// Appends `value` as LEB128: seven bits a byte, low bits first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends the difference from `from` to `to`, zigzag-coded: short where they are near.
pub(crate) fn put_delta(out: &mut Vec<u8>, from: u32, to: u32) {
    let delta = to.wrapping_sub(from) as i32;
    put_varint(out, ((delta << 1) ^ (delta >> 31)) as u32);
}

/// Decodes a record from its beginning.
#[derive(Clone, Copy)]
pub(crate) struct RecordReader<'a> {
    bytes: &'a [u8],
}

impl<'a> RecordReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(taken)
    }

    pub(crate) fn varint(&mut self) -> Option<u32> {
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// The value that [`put_delta`] wrote with the same `from`.
    pub(crate) fn delta(&mut self, from: u32) -> Option<u32> {
        let coded = self.varint()?;
        let delta = (coded >> 1) as i32 ^ -((coded & 1) as i32);
        Some(from.wrapping_add(delta as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_at_every_width() {
        for max in [0, 0xff, 0x100, 0xffff, 0x1_0000, 0xff_ffff, 0x100_0000, u32::MAX] {
            let values = vec![0, max / 2, max];
            let mut bytes = Vec::new();
            let width = ColumnWriter::from(values.clone()).finish(&mut bytes);
            let column = Column::new(&bytes, width);
            let read: Vec<u32> = (0..column.len()).filter_map(|n| column.get(n)).collect();
            assert_eq!(read, values);
            assert_eq!(column.get(3), None);
        }
    }

    #[test]
    fn deltas_round_trip_over_the_whole_range() {
        for (from, to) in [(0, 0), (5, 3), (3, 5), (0, u32::MAX), (u32::MAX, 0), (1 << 31, 7)] {
            let mut bytes = Vec::new();
            put_delta(&mut bytes, from, to);
            assert_eq!(RecordReader::new(&bytes).delta(from), Some(to));
        }
    }
}
