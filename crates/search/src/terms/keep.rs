//! Serialisation of the bags of terms, for caching between runs. They are most of what an index
//! stores on disk, so they are compact: terms are sorted and front-coded; in a bag each term is the
//! distance from the previous one, and the counts of its fields share a byte, two bits each, with a
//! number after it where the two bits are full.

use base::ContentHash;

use super::{DocumentTerm, DocumentTerms, FileTerm, FileTerms};
use crate::tokenize::TOKENIZER_VERSION;
use base::columns::{ByteReader, put_varint};

/// Format version: incremented with every change of the layout.
const VERSION: u32 = 2;
/// Marker of a count that does not fit into its two bits.
const FULL: u32 = 3;
const CHECK: usize = 8;

impl FileTerms {
    /// The bytes to cache.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![0; CHECK];
        for number in [VERSION, TOKENIZER_VERSION, self.terms.len() as u32] {
            put_varint(&mut out, number);
        }
        let mut before = "";
        for term in &self.terms {
            let same = before.bytes().zip(term.bytes()).take_while(|(a, b)| a == b).count();
            put_varint(&mut out, same as u32);
            put_varint(&mut out, (term.len() - same) as u32);
            out.extend_from_slice(&term.as_bytes()[same..]);
            before = term;
        }
        put_varint(&mut out, self.whole.len() as u32);
        let mut next = 0;
        for term in &self.whole {
            put_varint(&mut out, term.term - next);
            next = term.term + 1;
            put_counts(&mut out, [term.in_text, term.in_path, 0, 0]);
        }
        put_varint(&mut out, self.documents.len() as u32);
        for document in &self.documents {
            put_varint(&mut out, document.item);
            put_varint(&mut out, document.terms.len() as u32);
            let mut next = 0;
            for term in &document.terms {
                put_varint(&mut out, term.term - next);
                next = term.term + 1;
                put_counts(&mut out, [term.in_code, term.in_doc, term.in_head, term.in_extra]);
            }
        }
        let check = check(&out[CHECK..]);
        out[..CHECK].copy_from_slice(&check);
        out
    }

    /// `None` where the bytes are damaged or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (stored, rest) = bytes.split_at_checked(CHECK)?;
        if stored != check(rest) {
            return None;
        }
        let mut reader = ByteReader::new(rest);
        if reader.varint()? != VERSION || reader.varint()? != TOKENIZER_VERSION {
            return None;
        }
        let mut before = Vec::new();
        let terms = many(&mut reader, |reader| {
            before.truncate(reader.varint()? as usize);
            let len = reader.varint()? as usize;
            before.extend_from_slice(reader.bytes(len)?);
            Some(std::str::from_utf8(&before).ok()?.to_owned())
        })?;
        let known = |next: &mut u32, distance: u32| {
            let term = next.checked_add(distance).filter(|term| (*term as usize) < terms.len())?;
            *next = term + 1;
            Some(term)
        };
        let mut next = 0;
        let whole = many(&mut reader, |reader| {
            let term = known(&mut next, reader.varint()?)?;
            let [in_text, in_path, ..] = counts(reader)?;
            Some(FileTerm { term, in_text, in_path })
        })?;
        let documents = many(&mut reader, |reader| {
            let item = reader.varint()?;
            let mut next = 0;
            let terms = many(reader, |reader| {
                let term = known(&mut next, reader.varint()?)?;
                let [in_code, in_doc, in_head, in_extra] = counts(reader)?;
                Some(DocumentTerm { term, in_code, in_doc, in_head, in_extra })
            })?;
            Some(DocumentTerms { item, terms })
        })?;
        let is_in_order =
            terms.is_sorted_by(|a, b| a < b) && documents.is_sorted_by(|a, b| a.item < b.item);
        (reader.is_empty() && is_in_order).then_some(Self { terms, whole, documents })
    }
}

/// Writes two bits per count, then the counts that do not fit.
fn put_counts(out: &mut Vec<u8>, counts: [u32; 4]) {
    let bits = counts.iter().rev().fold(0, |bits, count| bits << 2 | (*count).min(FULL));
    out.push(bits as u8);
    for count in counts.into_iter().filter(|count| *count >= FULL) {
        put_varint(out, count - FULL);
    }
}

fn counts(reader: &mut ByteReader<'_>) -> Option<[u32; 4]> {
    let bits = u32::from(reader.byte()?);
    let mut counts = [0, 2, 4, 6].map(|shift| bits >> shift & FULL);
    for count in counts.iter_mut().filter(|count| **count == FULL) {
        *count = FULL.checked_add(reader.varint()?)?;
    }
    Some(counts)
}

/// Reads a length, then as many elements by `read`.
fn many<'a, T>(
    reader: &mut ByteReader<'a>,
    mut read: impl FnMut(&mut ByteReader<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let count = reader.varint()? as usize;
    // Every element takes at least a byte, so a forged length cannot allocate too much.
    let mut all = Vec::with_capacity(count.min(reader.len()));
    for _ in 0..count {
        all.push(read(reader)?);
    }
    Some(all)
}

fn check(bytes: &[u8]) -> [u8; CHECK] {
    let mut check = [0; CHECK];
    check.copy_from_slice(&ContentHash::of(bytes).as_bytes()[..CHECK]);
    check
}
