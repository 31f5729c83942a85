//! The sorted terms, front-coded in blocks of [`BLOCK`]. A lookup does a binary search over the
//! first eight bytes of each block's first term, which are stored in sequence, then scans one
//! block.
//!
//! The entry of a term: length of the prefix shared with the previous term (0 at the start of a
//! block), the rest of the term, number of documents that contain it, number of those where only
//! the head does, number of those where the head does at all, length of its item postings; number
//! of files, number of those where the path contains it, length of its file postings.

use super::layout::Section;
use super::{Postings, SearchIndex};
use base::columns::{ByteReader, put_varint};

pub(super) const BLOCK: usize = 16;
/// Number of bytes of a block's first term in the search keys.
const KEY: usize = 8;

/// The statistics and postings of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermEntry {
    /// Number in the order of terms.
    pub(crate) number: u32,
    /// Number of documents that contain it anywhere.
    in_items: u32,
    /// Number of documents whose code or doc comment contains it.
    pub(crate) in_bodies: u32,
    /// Number of documents whose head contains it.
    pub(crate) in_heads: u32,
    /// Number of files whose text or path contains it.
    pub(crate) in_files: u32,
    /// Number of files whose path contains it.
    pub(crate) in_paths: u32,
    items: (usize, usize),
    files: (usize, usize),
}

/// The lexicon's entry of a term.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) documents: u32,
    pub(super) only_head: u32,
    pub(super) in_heads: u32,
    pub(super) item_bytes: u32,
    pub(super) in_files: u32,
    pub(super) in_paths: u32,
    pub(super) file_bytes: u32,
}

impl Figures {
    fn all(self) -> [u32; 7] {
        [
            self.documents,
            self.only_head,
            self.in_heads,
            self.item_bytes,
            self.in_files,
            self.in_paths,
            self.file_bytes,
        ]
    }

    fn read(reader: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            documents: reader.varint()?,
            only_head: reader.varint()?,
            in_heads: reader.varint()?,
            item_bytes: reader.varint()?,
            in_files: reader.varint()?,
            in_paths: reader.varint()?,
            file_bytes: reader.varint()?,
        })
    }
}

/// Appends the entry of `term`, which follows `before`; at the start of a block nothing is shared.
pub(super) fn put(out: &mut Vec<u8>, before: Option<&str>, term: &str, figures: Figures) {
    let same = |before: &str| before.bytes().zip(term.bytes()).take_while(|(a, b)| a == b).count();
    let shared = before.map_or(0, same);
    put_varint(out, shared as u32);
    put_varint(out, (term.len() - shared) as u32);
    out.extend_from_slice(&term.as_bytes()[shared..]);
    for figure in figures.all() {
        put_varint(out, figure);
    }
}

/// The first bytes of a term, padded with zeros: they sort like terms as far as they go.
pub(super) fn key_of(term: &str) -> [u8; KEY] {
    let mut key = [0; KEY];
    key.iter_mut().zip(term.bytes()).for_each(|(slot, byte)| *slot = byte);
    key
}

impl SearchIndex {
    /// Looks a term up.
    pub(crate) fn term(&self, term: &str) -> Option<TermEntry> {
        let blocks = self.column(Section::TermBlocks);
        let keys = self.section(Section::BlockKeys).as_chunks::<KEY>().0;
        let key = u64::from_be_bytes(key_of(term));
        // Blocks from `high` on start after the term, blocks before `low` start before it; those in
        // between start with the same bytes.
        let low = keys.partition_point(|other| u64::from_be_bytes(*other) < key);
        let mut high = low;
        while keys.get(high).is_some_and(|other| u64::from_be_bytes(*other) == key)
            && self.first_of(blocks.get(high)? as usize)? <= term.as_bytes()
        {
            high += 1;
        }
        let block = high.checked_sub(1)?;
        let mut reader = self.reader_at(blocks.get(block)? as usize)?;
        let mut item_at = self.column(Section::ItemBlocks).get(block)? as usize;
        let mut file_at = self.column(Section::FileBlocks).get(block)? as usize;
        let mut current = Vec::with_capacity(64);
        for n in 0..BLOCK {
            if reader.is_empty() {
                return None;
            }
            let shared = reader.varint()? as usize;
            let len = reader.varint()? as usize;
            current.truncate(shared);
            current.extend_from_slice(reader.bytes(len)?);
            let figures = Figures::read(&mut reader)?;
            let item_end = item_at.checked_add(figures.item_bytes as usize)?;
            let file_end = file_at.checked_add(figures.file_bytes as usize)?;
            if current == term.as_bytes() {
                return Some(TermEntry {
                    number: (block * BLOCK + n) as u32,
                    in_items: figures.documents,
                    in_bodies: figures.documents.checked_sub(figures.only_head)?,
                    in_heads: figures.in_heads,
                    in_files: figures.in_files,
                    in_paths: figures.in_paths,
                    items: (item_at, item_end),
                    files: (file_at, file_end),
                });
            }
            (item_at, file_at) = (item_end, file_end);
        }
        None
    }

    /// The postings of a term in documents.
    pub(crate) fn item_postings(&self, entry: &TermEntry) -> Postings<'_> {
        let (start, end) = entry.items;
        let bytes = self.section(Section::ItemPostings).get(start..end).unwrap_or_default();
        Postings::new(bytes, entry.in_items)
    }

    /// The postings of a term in files; `in_head` counts its occurrences in the path.
    pub(crate) fn file_postings(&self, entry: &TermEntry) -> Postings<'_> {
        let (start, end) = entry.files;
        let bytes = self.section(Section::FilePostings).get(start..end).unwrap_or_default();
        Postings::new(bytes, entry.in_files)
    }

    /// The term with this number.
    pub(crate) fn term_text<'b>(&self, number: u32, buffer: &'b mut Vec<u8>) -> Option<&'b str> {
        let block = number as usize / BLOCK;
        let mut reader = self.reader_at(self.column(Section::TermBlocks).get(block)? as usize)?;
        buffer.clear();
        for n in 0..=number as usize % BLOCK {
            if n > 0 {
                Figures::read(&mut reader)?;
            }
            buffer.truncate(reader.varint()? as usize);
            let len = reader.varint()? as usize;
            buffer.extend_from_slice(reader.bytes(len)?);
        }
        std::str::from_utf8(buffer).ok()
    }

    fn reader_at(&self, at: usize) -> Option<ByteReader<'_>> {
        self.section(Section::Terms).get(at..).map(ByteReader::new)
    }

    /// The first term of the block that begins at `at`.
    fn first_of(&self, at: usize) -> Option<&[u8]> {
        let mut reader = self.reader_at(at)?;
        reader.varint()?;
        let len = reader.varint()? as usize;
        reader.bytes(len)
    }
}
