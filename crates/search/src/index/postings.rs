//! Where a term stands: for each place how often in the body and how often in the head (for files:
//! in the text and in the path). A list is written in one of two ways, by how dense it is.
//!
//! Sparse: a posting is a number, twice the distance from the place before, plus one where the
//! term stands in the body once and in the head not at all, which most do; else a byte follows with
//! both counts, four bits each, and where the first is 15 a number to be added.
//!
//! Dense, which is read several times as fast, for nothing in it has to be guessed: places lie in
//! windows of 256. The list begins with the length of its windows in bytes; each has its distance
//! from the window before, how many places have the term once in the body and not in the head, how
//! many have it otherwise, the last byte of the places of the ones and of the others, and a byte of
//! counts for each of the others. Behind the windows stand the numbers to be added, in the order of
//! the counts of 15.

use crate::bytes::{Reader, put_varint};
use crate::scratch::WINDOW;

/// One place of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Posting {
    /// Document or file.
    pub(crate) place: u32,
    pub(crate) in_body: u32,
    pub(crate) in_head: u32,
}

impl Posting {
    fn is_simple(&self) -> bool {
        self.in_body == 1 && self.in_head == 0
    }

    /// Both counts in a byte.
    fn counts(&self) -> u8 {
        (self.in_body.min(NIBBLE) | self.in_head.min(NIBBLE) << 4) as u8
    }
}

pub(crate) const NIBBLE: u32 = 15;

/// On average so many places of a window have the term at least, where its list is dense: from
/// here on a list is hardly longer for it, and read without a guess.
const DENSE: u64 = 6;

/// How a list of so many of all places is written.
fn is_dense(count: u32, places: u32) -> bool {
    u64::from(count) >= DENSE && u64::from(count) * WINDOW as u64 >= DENSE * u64::from(places)
}

/// Appends a list: its postings by place, of so many places in all.
pub(super) fn put_list(out: &mut Vec<u8>, list: &[Posting], places: u32) {
    if is_dense(list.len() as u32, places) {
        return put_dense(out, list);
    }
    let mut before = 0;
    for posting in list {
        let distance = posting.place - before;
        put_varint(out, distance << 1 | u32::from(posting.is_simple()));
        if !posting.is_simple() {
            out.push(posting.counts());
            if posting.in_body >= NIBBLE {
                put_varint(out, posting.in_body - NIBBLE);
            }
        }
        before = posting.place;
    }
}

fn put_dense(out: &mut Vec<u8>, list: &[Posting]) {
    let window_of = |posting: &Posting| posting.place / WINDOW as u32;
    let low = |posting: &Posting| (posting.place % WINDOW as u32) as u8;
    let (mut windows, mut extras) = (Vec::new(), Vec::new());
    let mut before = 0;
    for window in list.chunk_by(|a, b| window_of(a) == window_of(b)) {
        let Some(number) = window.first().map(window_of) else { continue };
        let simple = || window.iter().filter(|posting| posting.is_simple());
        let others = || window.iter().filter(|posting| !posting.is_simple());
        put_varint(&mut windows, number - before);
        put_varint(&mut windows, simple().count() as u32);
        put_varint(&mut windows, others().count() as u32);
        windows.extend(simple().chain(others()).map(low));
        windows.extend(others().map(Posting::counts));
        for posting in others().filter(|posting| posting.in_body >= NIBBLE) {
            put_varint(&mut extras, posting.in_body - NIBBLE);
        }
        before = number;
    }
    put_varint(out, windows.len() as u32);
    out.append(&mut windows);
    out.append(&mut extras);
}

/// The places of a term.
pub(crate) enum Postings<'a> {
    /// One by one.
    Sparse(Sparse<'a>),
    /// By windows.
    Dense(Dense<'a>),
}

impl<'a> Postings<'a> {
    /// A list of `count` of all `places`.
    pub(super) fn new(bytes: &'a [u8], count: u32, places: u32) -> Self {
        let mut reader = Reader::new(bytes);
        if !is_dense(count, places) {
            return Self::Sparse(Sparse { reader, place: 0 });
        }
        let windows = reader.varint().and_then(|len| reader.bytes(len as usize));
        let windows = Reader::new(windows.unwrap_or_default());
        Self::Dense(Dense { windows, extras: reader, number: 0 })
    }
}

/// Postings one by one, in the order of their places.
pub(crate) struct Sparse<'a> {
    reader: Reader<'a>,
    place: u32,
}

impl Iterator for Sparse<'_> {
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

/// Postings by windows, in their order.
pub(crate) struct Dense<'a> {
    windows: Reader<'a>,
    extras: Reader<'a>,
    number: u32,
}

/// One window of a dense list; within it a place is a byte.
pub(crate) struct Window<'a> {
    pub(crate) number: usize,
    /// Places that have the term once in the body, and not in the head.
    pub(crate) simple: &'a [u8],
    others: &'a [u8],
    counts: &'a [u8],
}

impl<'a> Dense<'a> {
    /// The next window. Whoever takes it takes its others too: what is to be added stands in a row.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Window<'a>> {
        self.number = self.number.checked_add(self.windows.varint()?)?;
        let simple = self.windows.varint()? as usize;
        let others = self.windows.varint()? as usize;
        Some(Window {
            number: self.number as usize,
            simple: self.windows.bytes(simple)?,
            others: self.windows.bytes(others)?,
            counts: self.windows.bytes(others)?,
        })
    }

    /// Hands on the places of a window that have the term otherwise than once in the body: place,
    /// how often in the body, how often in the head.
    #[inline(always)]
    pub(crate) fn each_other(&mut self, window: &Window<'_>, mut each: impl FnMut(u8, u32, u32)) {
        for (place, counts) in window.others.iter().zip(window.counts) {
            let (mut in_body, in_head) = (u32::from(counts & 15), u32::from(counts >> 4));
            if in_body == NIBBLE {
                in_body = in_body.saturating_add(self.extras.varint().unwrap_or(0));
            }
            each(*place, in_body, in_head);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], count: u32, places: u32) -> Vec<Posting> {
        let mut all = Vec::new();
        match Postings::new(bytes, count, places) {
            Postings::Sparse(list) => all.extend(list),
            Postings::Dense(mut list) => {
                while let Some(window) = list.next() {
                    let at = |low: u8| (window.number * WINDOW) as u32 + u32::from(low);
                    let simple = window.simple.iter().map(|low| at(*low));
                    all.extend(simple.map(|place| Posting { place, in_body: 1, in_head: 0 }));
                    list.each_other(&window, |low, in_body, in_head| {
                        all.push(Posting { place: at(low), in_body, in_head });
                    });
                }
                all.sort_by_key(|posting| posting.place);
            }
        }
        all
    }

    #[test]
    fn postings_come_back_however_dense() {
        let all = [(0, 1, 0), (3, 0, 2), (4, 15, 0), (500, 16, 14), (70_000, 1_000, 15)];
        let all = all.map(|(place, in_body, in_head)| Posting { place, in_body, in_head });
        let dense: Vec<Posting> = (0..2_000)
            .map(|n| Posting { place: n * 3, in_body: n % 4 * n % 19, in_head: n % 3 })
            .filter(|posting| posting.in_body + posting.in_head > 0)
            .collect();
        for list in [&all[..], &dense] {
            for places in [6_000.max(list.len() as u32), 80_000, 100_000_000] {
                let mut bytes = Vec::new();
                put_list(&mut bytes, list, places);
                assert_eq!(read(&bytes, list.len() as u32, places), list);
            }
        }
    }

    #[test]
    fn a_list_that_is_cut_short_ends() {
        let list: Vec<Posting> =
            (0..600).map(|place| Posting { place, in_body: 15 + place, in_head: 1 }).collect();
        let mut bytes = Vec::new();
        put_list(&mut bytes, &list, 600);
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len], 600, 600).len() <= 600);
        }
    }
}
