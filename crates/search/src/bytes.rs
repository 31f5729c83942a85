//! Numbers of variable length, and columns of numbers as narrow as the largest. Reading is
//! bounds-checked and copies nothing.

/// Appends `value`, seven bits a byte, low ones first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads from the beginning on; `None` once the bytes end or make no sense.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
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

/// Appends a column: how wide a number is, then the numbers.
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

/// A column where it lies.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> Column<'a> {
    /// Empty where the bytes are no column.
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
        // Four bytes are read where there are so many, and what is too much is cut off: no guess
        // at the width.
        if let Some(bytes) = self.bytes.get(start..).and_then(|bytes| bytes.first_chunk::<4>()) {
            return Some(u32::from_le_bytes(*bytes) & (u32::MAX >> (32 - 8 * self.width)));
        }
        let bytes = self.bytes.get(start..start.checked_add(self.width)?)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    /// The numbers of a stretch of it; none where it does not reach so far.
    #[inline]
    pub(crate) fn slice(self, start: usize, end: usize) -> impl Iterator<Item = u32> + 'a {
        (start..end.min(self.len())).filter_map(move |idx| self.get(idx))
    }

    /// Of a column of starts: the numbers of `of` between two neighbours.
    #[inline]
    pub(crate) fn list(self, idx: usize, of: Column<'a>) -> impl Iterator<Item = u32> + 'a {
        let start = self.get(idx).unwrap_or(0) as usize;
        let end = self.get(idx.saturating_add(1)).unwrap_or(0) as usize;
        of.slice(start, end)
    }

    /// How many numbers stand before the first that `is_before` refuses (the column is sorted).
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

    /// Where a value stands in a sorted column.
    pub(crate) fn find(self, value: u32) -> Option<usize> {
        let at = self.partition_point(|other| other < value);
        (self.get(at) == Some(value)).then_some(at)
    }
}
