//! Where a term stands: for each place the distance from the one before, how often in the body
//! and how often in the head (for files: in the text and in the path).
//!
//! A posting is a number, twice the distance, plus one where the term stands in the body once and
//! in the head not at all, which most do; else a byte follows with both counts, four bits each,
//! and where the first is 15 a number to be added.

use crate::bytes::{Reader, put_varint};

/// One place of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    /// Document or file.
    pub(crate) place: u32,
    pub(crate) in_body: u32,
    pub(crate) in_head: u32,
}

const NIBBLE: u32 = 15;

/// Appends a posting behind the one at `before` (0 for the first, whose distance counts from 0).
pub(super) fn put(out: &mut Vec<u8>, before: u32, posting: Posting) {
    let distance = posting.place - before;
    let is_simple = posting.in_body == 1 && posting.in_head == 0;
    put_varint(out, distance << 1 | u32::from(is_simple));
    if !is_simple {
        let low = posting.in_body.min(NIBBLE);
        out.push((low | posting.in_head.min(NIBBLE) << 4) as u8);
        if low == NIBBLE {
            put_varint(out, posting.in_body - NIBBLE);
        }
    }
}

/// The places of a term, in their order.
pub(crate) struct Postings<'a> {
    reader: Reader<'a>,
    place: u32,
}

impl<'a> Postings<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { reader: Reader::new(bytes), place: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline(always)]
    fn next(&mut self) -> Option<Posting> {
        let head = self.reader.varint()?;
        self.place = self.place.checked_add(head >> 1)?;
        if head & 1 == 1 {
            return Some(Posting { place: self.place, in_body: 1, in_head: 0 });
        }
        let counts = u32::from(self.reader.byte()?);
        let (mut in_body, in_head) = (counts & NIBBLE, counts >> 4);
        if in_body == NIBBLE {
            in_body = in_body.saturating_add(self.reader.varint()?);
        }
        Some(Posting { place: self.place, in_body, in_head })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_come_back() {
        let all = [(0, 1, 0), (3, 0, 2), (4, 15, 0), (500, 16, 14), (70_000, 1_000, 15)];
        let all = all.map(|(place, in_body, in_head)| Posting { place, in_body, in_head });
        let mut bytes = Vec::new();
        let mut before = 0;
        for posting in all {
            put(&mut bytes, before, posting);
            before = posting.place;
        }
        assert_eq!(Postings::new(&bytes).collect::<Vec<_>>(), all);
    }
}
