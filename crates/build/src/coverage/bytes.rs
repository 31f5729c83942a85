//! A cursor over bytes that foreign code wrote: each read is checked, none panics, and no length of the
//! input leads to an allocation.

/// The rest of some bytes, little-endian.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub(super) fn len(self) -> usize {
        self.rest.len()
    }

    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(head)
    }

    pub(super) fn skip(&mut self, len: u64) -> Option<()> {
        self.take(usize::try_from(len).ok()?).map(|_| ())
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// An unsigned LEB128 number.
    pub(super) fn uleb(&mut self) -> Option<u64> {
        let mut value = 0u64;
        let mut shift = 0u32;
        loop {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            let part = u64::from(byte & 0x7f);
            if shift >= 64 || (part << shift) >> shift != part {
                return None;
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            shift += 7;
        }
    }

    /// The same, of a list whose entries take at least `least` bytes each: `None` for a number that
    /// the rest cannot contain.
    pub(super) fn count(&mut self, least: usize) -> Option<usize> {
        let count = usize::try_from(self.uleb()?).ok()?;
        (count.checked_mul(least)? <= self.len()).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_beyond_the_end_is_none() {
        let mut bytes = Bytes::new(&[1, 0, 0, 0, 3]);
        assert_eq!(bytes.u64(), None);
        assert_eq!(bytes.u32(), Some(1));
        assert_eq!(bytes.take(1), Some(&[3][..]));
        assert_eq!(bytes.len(), 0);
        assert_eq!(bytes.skip(u64::MAX), None);
    }

    #[test]
    fn numbers_are_read_up_to_64_bits() {
        assert_eq!(Bytes::new(&[0xe5, 0x8e, 0x26]).uleb(), Some(624_485));
        let mut most = [0xff; 10];
        most[9] = 1;
        assert_eq!(Bytes::new(&most).uleb(), Some(u64::MAX));
        most[9] = 2;
        assert_eq!(Bytes::new(&most).uleb(), None);
        assert_eq!(Bytes::new(&[0x80; 64]).uleb(), None);
        assert_eq!(Bytes::new(&[5, 0, 0, 0]).count(2), None);
    }
}
