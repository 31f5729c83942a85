//! Postings of a term: per document its counts in body and head (per file: in text and path). A
//! list has one of two formats, by its length.
//!
//! Short: a posting is a number, twice the distance from the previous one, plus one if the term
//! occurs once in the body and not in the head, which is most common; otherwise a byte follows with
//! both counts, four bits each; for a first count of 15 a number to add follows.
//!
//! Long, which decodes several times faster because it has no branches: postings are in chunks of
//! 65,536 documents. The list begins with the length of its chunks in bytes; each chunk has its
//! distance from the previous one, the number of postings with the term once in the body and not in
//! the head, more often in the body and not in the head, and in the head; the low two bytes of the
//! documents of these three groups; and a byte of counts for each of the second and third group.
//! The numbers to add to counts of 15 follow the chunks, in order.

use base::columns::{ByteReader, put_varint};

/// One posting of a term.
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

/// Number of documents in a chunk: two bytes address them.
pub(crate) const CHUNK: usize = 1 << 16;

/// Minimum length of a list in chunks, which take more space than single postings.
const LONG: usize = 128;

/// Appends a list of postings, sorted by document.
pub(super) fn put_list(out: &mut Vec<u8>, list: &[Posting]) {
    if list.len() >= LONG {
        return put_long(out, list);
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

fn put_long(out: &mut Vec<u8>, list: &[Posting]) {
    let chunk_of = |posting: &Posting| posting.place / CHUNK as u32;
    let low = |posting: &Posting| (posting.place as u16).to_le_bytes();
    let (mut chunks, mut extras) = (Vec::new(), Vec::new());
    let mut before = 0;
    for chunk in list.chunk_by(|a, b| chunk_of(a) == chunk_of(b)) {
        let Some(number) = chunk.first().map(chunk_of) else { continue };
        let ones = || chunk.iter().filter(|posting| posting.is_simple());
        let often = || chunk.iter().filter(|posting| !posting.is_simple() && posting.in_head == 0);
        let heads = || chunk.iter().filter(|posting| posting.in_head > 0);
        put_varint(&mut chunks, number - before);
        put_varint(&mut chunks, ones().count() as u32);
        put_varint(&mut chunks, often().count() as u32);
        put_varint(&mut chunks, heads().count() as u32);
        chunks.extend(ones().chain(often()).chain(heads()).flat_map(low));
        chunks.extend(often().chain(heads()).map(Posting::counts));
        for posting in often().chain(heads()).filter(|posting| posting.in_body >= NIBBLE) {
            put_varint(&mut extras, posting.in_body - NIBBLE);
        }
        before = number;
    }
    put_varint(out, chunks.len() as u32);
    out.append(&mut chunks);
    out.append(&mut extras);
}

/// The postings of a term.
pub(crate) enum Postings<'a> {
    /// Single postings.
    Short(Short<'a>),
    /// Chunks.
    Long(Long<'a>),
}

impl<'a> Postings<'a> {
    /// A list of `count` postings.
    pub(super) fn new(bytes: &'a [u8], count: u32) -> Self {
        let mut reader = ByteReader::new(bytes);
        if (count as usize) < LONG {
            return Self::Short(Short { reader, place: 0 });
        }
        let chunks = reader.varint().and_then(|len| reader.bytes(len as usize));
        let chunks = ByteReader::new(chunks.unwrap_or_default());
        Self::Long(Long { chunks, extras: reader, number: 0 })
    }
}

/// Decodes single postings in order.
pub(crate) struct Short<'a> {
    reader: ByteReader<'a>,
    place: u32,
}

impl Iterator for Short<'_> {
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

/// Decodes chunks in order.
pub(crate) struct Long<'a> {
    chunks: ByteReader<'a>,
    extras: ByteReader<'a>,
    number: u32,
}

/// One chunk of a long list; a document is two bytes within it.
pub(crate) struct Chunk<'a> {
    pub(crate) number: usize,
    /// Number of postings with the term once in the body and not in the head.
    ones: &'a [[u8; 2]],
    /// Number of postings with the term more often in the body and not in the head.
    often: (&'a [[u8; 2]], &'a [u8]),
    /// Number of postings with the term in the head.
    heads: (&'a [[u8; 2]], &'a [u8]),
}

impl<'a> Long<'a> {
    /// The next chunk. The caller must read all of it, in the order of the functions below, because
    /// the numbers to add are stored in sequence.
    pub(crate) fn next(&mut self) -> Option<Chunk<'a>> {
        let chunks = &mut self.chunks;
        self.number = self.number.checked_add(chunks.varint()?)?;
        let counts = [chunks.varint()?, chunks.varint()?, chunks.varint()?];
        let [ones, often, heads] = counts.map(|count| count as usize);
        let mut places = |count: usize| Some(chunks.bytes(count.checked_mul(2)?)?.as_chunks().0);
        let all = [places(ones)?, places(often)?, places(heads)?];
        Some(Chunk {
            number: self.number as usize,
            ones: all[0],
            often: (all[1], chunks.bytes(often)?),
            heads: (all[2], chunks.bytes(heads)?),
        })
    }

    /// Calls `each` with the postings that have the term more often in the body and not in the
    /// head, and the count.
    #[inline(always)]
    pub(crate) fn each_often(&mut self, chunk: &Chunk<'_>, mut each: impl FnMut(u16, u32)) {
        for (place, counts) in chunk.often.0.iter().zip(chunk.often.1) {
            each(u16::from_le_bytes(*place), self.in_body(*counts));
        }
    }

    /// Calls `each` with the postings that have the term in the head: document, count in the body,
    /// count in the head.
    #[inline(always)]
    pub(crate) fn each_head(&mut self, chunk: &Chunk<'_>, mut each: impl FnMut(u16, u32, u32)) {
        for (place, counts) in chunk.heads.0.iter().zip(chunk.heads.1) {
            each(u16::from_le_bytes(*place), self.in_body(*counts), u32::from(counts >> 4));
        }
    }

    #[inline(always)]
    fn in_body(&mut self, counts: u8) -> u32 {
        let count = u32::from(counts) & NIBBLE;
        if count == NIBBLE {
            return count.saturating_add(self.extras.varint().unwrap_or(0));
        }
        count
    }
}

impl Chunk<'_> {
    /// Calls `each` with the postings that have the term once in the body and not in the head.
    #[inline(always)]
    pub(crate) fn each_one(&self, mut each: impl FnMut(u16)) {
        for place in self.ones {
            each(u16::from_le_bytes(*place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], count: u32) -> Vec<Posting> {
        let mut all = Vec::new();
        match Postings::new(bytes, count) {
            Postings::Short(list) => all.extend(list),
            Postings::Long(mut list) => {
                while let Some(chunk) = list.next() {
                    let at = |low: u16| (chunk.number * CHUNK) as u32 + u32::from(low);
                    chunk.each_one(|low| {
                        all.push(Posting { place: at(low), in_body: 1, in_head: 0 });
                    });
                    list.each_often(&chunk, |low, in_body| {
                        all.push(Posting { place: at(low), in_body, in_head: 0 });
                    });
                    list.each_head(&chunk, |low, in_body, in_head| {
                        all.push(Posting { place: at(low), in_body, in_head });
                    });
                }
                all.sort_by_key(|posting| posting.place);
            }
        }
        all
    }

    #[test]
    fn postings_come_back_however_many() {
        let few = [(0, 1, 0), (3, 0, 2), (4, 15, 0), (500, 16, 14), (70_000, 1_000, 15)];
        let few = few.map(|(place, in_body, in_head)| Posting { place, in_body, in_head });
        let many: Vec<Posting> = (0..2_000)
            .map(|n| Posting { place: n * 300, in_body: n % 4 * n % 19, in_head: n % 3 })
            .filter(|posting| posting.in_body + posting.in_head > 0)
            .collect();
        for list in [&few[..], &many] {
            let mut bytes = Vec::new();
            put_list(&mut bytes, list);
            assert_eq!(read(&bytes, list.len() as u32), list);
        }
    }

    #[test]
    fn a_list_that_is_cut_short_ends() {
        let list: Vec<Posting> =
            (0..600).map(|place| Posting { place, in_body: 15 + place, in_head: 1 }).collect();
        let mut bytes = Vec::new();
        put_list(&mut bytes, &list);
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len], 600).len() <= 600);
        }
    }
}
