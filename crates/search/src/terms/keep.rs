//! Term bags as bytes, to keep between runs.

use base::ContentHash;

use super::{DocumentTerm, DocumentTerms, FileTerm, FileTerms};
use crate::bytes::{Reader, put_text, put_varint};
use crate::tokenize::TOKENIZER_VERSION;

/// Grows with every change of the layout.
const VERSION: u32 = 1;
const CHECK: usize = 8;

impl FileTerms {
    /// To keep between runs.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![0; CHECK];
        for number in [VERSION, TOKENIZER_VERSION, self.terms.len() as u32] {
            put_varint(&mut out, number);
        }
        for term in &self.terms {
            put_text(&mut out, term);
        }
        put_varint(&mut out, self.whole.len() as u32);
        for term in &self.whole {
            for number in [term.term, term.in_text, term.in_path] {
                put_varint(&mut out, number);
            }
        }
        put_varint(&mut out, self.documents.len() as u32);
        for document in &self.documents {
            put_varint(&mut out, document.item);
            put_varint(&mut out, document.terms.len() as u32);
            for term in &document.terms {
                put_varint(&mut out, term.term);
                for count in [term.in_code, term.in_doc, term.in_head, term.in_extra] {
                    put_varint(&mut out, count);
                }
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
        let mut reader = Reader::new(rest);
        if reader.varint()? != VERSION || reader.varint()? != TOKENIZER_VERSION {
            return None;
        }
        let terms = many(&mut reader, |reader| Some(reader.text()?.to_owned()))?;
        let known = |term: u32| ((term as usize) < terms.len()).then_some(term);
        let whole = many(&mut reader, |reader| {
            Some(FileTerm {
                term: known(reader.varint()?)?,
                in_text: reader.varint()?,
                in_path: reader.varint()?,
            })
        })?;
        let documents = many(&mut reader, |reader| {
            let item = reader.varint()?;
            let terms = many(reader, |reader| {
                Some(DocumentTerm {
                    term: known(reader.varint()?)?,
                    in_code: reader.varint()?,
                    in_doc: reader.varint()?,
                    in_head: reader.varint()?,
                    in_extra: reader.varint()?,
                })
            })?;
            Some(DocumentTerms { item, terms })
        })?;
        let is_in_order = terms.is_sorted_by(|a, b| a < b)
            && whole.is_sorted_by(|a, b| a.term < b.term)
            && documents.is_sorted_by(|a, b| a.item < b.item)
            && documents.iter().all(|document| document.terms.is_sorted_by(|a, b| a.term < b.term));
        (reader.is_empty() && is_in_order).then_some(Self { terms, whole, documents })
    }
}

/// A number, then so many of what `read` reads.
fn many<'a, T>(
    reader: &mut Reader<'a>,
    mut read: impl FnMut(&mut Reader<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let count = reader.varint()? as usize;
    // Each takes a byte at least: a forged count asks for no memory.
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
