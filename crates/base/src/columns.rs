//! The two encodings of tables on disk: columns of integers, as narrow as their largest value, and
//! records of variable-length integers. Reads are bounds-checked and copy nothing.

/// A column under construction: integers, each written with the width of the largest.
#[derive(Default)]
pub struct ColumnWriter {
    values: Vec<u32>,
}

impl ColumnWriter {
    /// An empty column for `len` values.
    pub fn with_capacity(len: usize) -> Self {
        Self { values: Vec::with_capacity(len) }
    }

    /// Appends a value.
    pub fn push(&mut self, value: u32) {
        self.values.push(value);
    }

    /// Appends the column to `out` and returns its width in bytes.
    pub fn finish(&self, out: &mut Vec<u8>) -> u8 {
        put_columns(out, std::iter::once(&*self.values))
    }
}

/// Appends a column that is given in slices to `out` and returns its width in bytes.
pub fn put_columns<'a>(out: &mut Vec<u8>, slices: impl Iterator<Item = &'a [u32]> + Clone) -> u8 {
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

/// Appends a column after one byte with its width, for [`Column::with_width`].
pub fn put_column(out: &mut Vec<u8>, values: &[u32]) {
    let start = out.len();
    out.push(0);
    let width = put_columns(out, std::iter::once(values));
    if let Some(first) = out.get_mut(start) {
        *first = width;
    }
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
pub struct Column<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> Column<'a> {
    /// A column over `bytes`; empty for a width of 0 or above 4.
    pub fn new(bytes: &'a [u8], width: u8) -> Self {
        match width {
            1..=4 => Self { bytes, width: usize::from(width) },
            _ => Self { bytes: &[], width: 1 },
        }
    }

    /// A column after its width, as [`put_column`] writes it; empty where `bytes` are not one.
    pub fn with_width(bytes: &'a [u8]) -> Self {
        match bytes.split_first() {
            Some((width, bytes)) => Self::new(bytes, *width),
            None => Self::new(&[], 0),
        }
    }

    /// The number of values.
    pub fn len(self) -> usize {
        self.bytes.len() / self.width
    }

    /// Whether there are no values.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The value at an index.
    #[inline]
    pub fn get(self, idx: usize) -> Option<u32> {
        let start = idx.checked_mul(self.width)?;
        // Reads four bytes where possible and masks the surplus: avoids a branch on the width.
        if let Some(bytes) = self.bytes.get(start..).and_then(|bytes| bytes.first_chunk::<4>()) {
            return Some(u32::from_le_bytes(*bytes) & (u32::MAX >> (32 - 8 * self.width)));
        }
        let bytes = self.bytes.get(start..start.checked_add(self.width)?)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    /// The values in a range; none where it is out of range.
    #[inline]
    pub fn slice(self, start: usize, end: usize) -> impl Iterator<Item = u32> + 'a {
        (start..end.min(self.len())).filter_map(move |idx| self.get(idx))
    }

    /// In a column of starts: the values of `of` between two adjacent starts.
    #[inline]
    pub fn list(self, idx: usize, of: Column<'a>) -> impl Iterator<Item = u32> + 'a {
        let range = self.range(idx);
        of.slice(range.start, range.end)
    }

    /// The index of a value in a sorted column.
    pub fn find(self, value: u32) -> Option<usize> {
        let at = self.partition_point(|other| other < value);
        (self.get(at) == Some(value)).then_some(at)
    }

    /// The half-open range between entry `idx` and the next of a column of starts; empty where
    /// damaged.
    pub fn range(self, idx: usize) -> std::ops::Range<usize> {
        match (self.get(idx), self.get(idx.saturating_add(1))) {
            (Some(start), Some(end)) if start <= end => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// The number of leading values for which `is_before` is true (the column is sorted).
    pub fn partition_point(self, is_before: impl Fn(u32) -> bool) -> usize {
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
pub fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends the difference from `from` to `to`, zigzag-coded: short where they are near.
pub fn put_delta(out: &mut Vec<u8>, from: u32, to: u32) {
    let delta = to.wrapping_sub(from) as i32;
    put_varint(out, ((delta << 1) ^ (delta >> 31)) as u32);
}

/// Decodes bytes from the beginning; `None` at the end or where they are invalid.
#[derive(Clone, Copy)]
pub struct ByteReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ByteReader<'a> {
    /// A reader of all `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether all bytes are read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The number of bytes that are left.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(taken)
    }

    /// The value that [`put_varint`] wrote.
    #[inline(always)]
    pub fn varint(&mut self) -> Option<u32> {
        let first = self.byte()?;
        if first < 0x80 {
            return Some(u32::from(first));
        }
        self.long_varint(first)
    }

    fn long_varint(&mut self, first: u8) -> Option<u32> {
        let mut value = u32::from(first & 0x7f);
        for shift in [7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// The value that [`put_delta`] wrote with the same `from`.
    pub fn delta(&mut self, from: u32) -> Option<u32> {
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
            assert_eq!(ByteReader::new(&bytes).delta(from), Some(to));
        }
    }
}
