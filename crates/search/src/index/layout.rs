//! The file format: a header, a section table, the sections, each aligned to 64 bytes.
//!
//! All numbers are little endian. Header: magic (8 bytes), version of layout and tokenizer (u32),
//! number of sections (u32), length of the whole file (u64), blake3 of header and table without
//! itself (32 bytes), zeros. For each section its start (u64), its length (u64) and the first half
//! of the blake3 of its bytes, so that opening need not read the vectors, most of the file.

use base::Hasher;

pub(super) const MAGIC: [u8; 8] = *b"graftsrc";
/// Format version: incremented with every change of the layout or of the meaning of a section;
/// files of another version are rebuilt.
pub(super) const VERSION: u32 = 7;
pub(super) const HEADER_LEN: usize = 64;
pub(super) const SECTION_LEN: usize = 32;
pub(super) const META_LEN: usize = 40;
pub(super) const CHECKSUM: std::ops::Range<usize> = 24..56;
const ALIGN: usize = 64;

/// The sections, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Section {
    /// [`super::Meta`].
    Meta,
    /// Item numbers of the documents in the map, sorted.
    Items,
    /// Body lengths, a byte per document, see [`super::length`].
    BodyLengths,
    HeadLengths,
    /// Lines, a byte per document.
    Centrality,
    /// Facts, two bytes per document: see [`super::facts`].
    Facts,
    /// Centrality, a byte per document.
    Lines,
    /// See [`super::names`].
    NameHashes,
    NameStarts,
    NameDocuments,
    /// Heads, a byte per document, see [`super::heads`].
    Kinds,
    /// File index by document, into `Files`.
    DocumentFiles,
    /// Start of the terms of each document's name in `NameTerms`.
    NameTermStarts,
    NameTerms,
    /// Scope number by document.
    Scopes,
    /// Start of the terms of each scope in `ScopeTerms`.
    ScopeTermStarts,
    ScopeTerms,
    /// Start of the terms of each file's path in `PathTerms`.
    PathTermStarts,
    PathTerms,
    /// File numbers in the map, sorted.
    Files,
    /// Half of the key of each file; zeros without a key.
    FileKeys,
    /// First document by file, and the number of documents.
    FirstDocuments,
    /// Lengths, a byte per file.
    FileLengths,
    PathLengths,
    /// First bytes of each block's first term: see [`super::lexicon`].
    BlockKeys,
    /// Start of the blocks of terms in `Terms`.
    TermBlocks,
    /// Start of the postings of each block's first term.
    ItemBlocks,
    FileBlocks,
    /// See [`super::lexicon`].
    Terms,
    /// See [`super::postings`].
    ItemPostings,
    FilePostings,
    /// Name of the encoder of the vectors.
    Encoder,
    /// Sorted documents that have a doc comment vector.
    DocVectorDocuments,
    /// See [`crate::vectors`]: the code of all documents.
    CodeVectors,
    /// The doc comments of those in `DocVectorDocuments`.
    DocVectors,
}

pub(super) const SECTIONS: usize = Section::DocVectors as usize + 1;
/// The sections that are verified on opening.
pub(super) const CHECKED: std::ops::Range<usize> = 0..Section::CodeVectors as usize;

/// Writes the file from its sections.
pub(super) fn join(version: u32, sections: [Vec<u8>; SECTIONS]) -> Vec<u8> {
    let mut out = vec![0; HEADER_LEN + SECTIONS * SECTION_LEN];
    for (n, section) in sections.iter().enumerate() {
        out.resize(out.len().next_multiple_of(ALIGN), 0);
        let start = out.len();
        out.extend_from_slice(section);
        let at = HEADER_LEN + n * SECTION_LEN;
        out[at..at + 8].copy_from_slice(&(start as u64).to_le_bytes());
        out[at + 8..at + 16].copy_from_slice(&(section.len() as u64).to_le_bytes());
        let hash = base::ContentHash::of(section);
        out[at + 16..at + 32].copy_from_slice(&hash.as_bytes()[..16]);
    }
    let len = out.len() as u64;
    out[..8].copy_from_slice(&MAGIC);
    out[8..12].copy_from_slice(&version.to_le_bytes());
    out[12..16].copy_from_slice(&(SECTIONS as u32).to_le_bytes());
    out[16..24].copy_from_slice(&len.to_le_bytes());
    let checksum = header_checksum(&out);
    out[CHECKSUM].copy_from_slice(&checksum);
    out
}

/// The checksum of header and section table; with the sections' hashes it covers the whole file
/// except the padding.
pub(super) fn header_checksum(all: &[u8]) -> [u8; 32] {
    let head = all.get(..CHECKSUM.start).unwrap_or_default();
    let table = all.get(CHECKSUM.end..HEADER_LEN + SECTIONS * SECTION_LEN).unwrap_or_default();
    *Hasher::new().field(head).field(table).finish().as_bytes()
}
