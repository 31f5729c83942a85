//! LEB128 integers, and columns of integers as narrow as the largest. Reads are bounds-checked and
//! copy nothing.

/// Appends `value` as LEB128: seven bits a byte, low bits first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Decodes bytes from the beginning; `None` at the end or where they are invalid.
#[derive(Clone, Copy)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
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

    #[inline(always)]
    pub(crate) fn varint(&mut self) -> Option<u32> {
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
}

/// Appends a column: the width of its numbers, then the numbers.
pub(crate) fn put_column(out: &mut Vec<u8>, values: &[u32]) {
    let width: usize = match values.iter().copied().max().unwrap_or(0) {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xff_ffff => 3,
        _ => 4,
    };
    out.reserve(1 + values.len() * width);
    out.push(width as u8);
    for value in values {
        out.extend_from_slice(&value.to_le_bytes()[..width]);
    }
}

/// A column, read in place.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> Column<'a> {
    /// A column over `bytes`; empty where they are not a column.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        match bytes.split_first() {
            Some((width @ 1..=4, bytes)) => Self { bytes, width: usize::from(*width) },
            _ => Self { bytes: &[], width: 1 },
        }
    }

    pub(crate) fn len(self) -> usize {
        self.bytes.len() / self.width
    }

    #[inline]
    pub(crate) fn get(self, idx: usize) -> Option<u32> {
        let start = idx.checked_mul(self.width)?;
        // Reads four bytes where possible and masks the surplus: avoids a branch on the width.
        if let Some(bytes) = self.bytes.get(start..).and_then(|bytes| bytes.first_chunk::<4>()) {
            return Some(u32::from_le_bytes(*bytes) & (u32::MAX >> (32 - 8 * self.width)));
        }
        let bytes = self.bytes.get(start..start.checked_add(self.width)?)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    /// The numbers in a range; none where it is out of range.
    #[inline]
    pub(crate) fn slice(self, start: usize, end: usize) -> impl Iterator<Item = u32> + 'a {
        (start..end.min(self.len())).filter_map(move |idx| self.get(idx))
    }

    /// In a column of starts: the elements of `of` between two adjacent starts.
    #[inline]
    pub(crate) fn list(self, idx: usize, of: Column<'a>) -> impl Iterator<Item = u32> + 'a {
        let start = self.get(idx).unwrap_or(0) as usize;
        let end = self.get(idx.saturating_add(1)).unwrap_or(0) as usize;
        of.slice(start, end)
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

    /// The index of a value in a sorted column.
    pub(crate) fn find(self, value: u32) -> Option<usize> {
        let at = self.partition_point(|other| other < value);
        (self.get(at) == Some(value)).then_some(at)
    }
}
