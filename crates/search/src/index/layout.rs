//! How the file is laid out: a header, a table of sections, the sections, each from a multiple of
//! 64 bytes on.
//!
//! All numbers are little endian. Header: magic (8 bytes), version of layout and tokenizer (u32),
//! number of sections (u32), length of the whole file (u64), blake3 over header and table but
//! itself (32 bytes), zeros. For each section its start (u64), its length (u64) and the first half
//! of the blake3 of its bytes: so that opening need not read the vectors, most of the file.

use base::Hasher;

pub(super) const MAGIC: [u8; 8] = *b"graftsrc";
/// Grows with every change of the layout or of what a section means; others are rebuilt.
pub(super) const VERSION: u32 = 5;
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
    /// Numbers in the map of the documents' items, sorted.
    Items,
    /// A byte a document, see [`super::length`].
    BodyLengths,
    HeadLengths,
    /// A byte a document.
    Centrality,
    /// Two bytes a document: see [`super::facts`].
    Facts,
    /// A byte a document.
    Lines,
    /// See [`super::names`].
    NameHashes,
    NameStarts,
    NameDocuments,
    /// A byte a document, see [`super::heads`].
    Kinds,
    /// The place of each document's file among `Files`.
    DocumentFiles,
    /// Where the terms of each document's name begin in `NameTerms`.
    NameTermStarts,
    NameTerms,
    /// The number of each document's scope.
    Scopes,
    /// Where the terms of each scope begin in `ScopeTerms`.
    ScopeTermStarts,
    ScopeTerms,
    /// Where the terms of each file's path begin in `PathTerms`.
    PathTermStarts,
    PathTerms,
    /// Numbers in the map of the files, sorted.
    Files,
    /// Half of the key under which each file was added; zeros without one.
    FileKeys,
    /// The first document of each file, and the number of all.
    FirstDocuments,
    /// A byte a file.
    FileLengths,
    PathLengths,
    /// The first bytes of each block's first term: see [`super::lexicon`].
    BlockKeys,
    /// Where blocks of terms begin in `Terms`.
    TermBlocks,
    /// Where the postings of a block's first term begin.
    ItemBlocks,
    FileBlocks,
    /// See [`super::lexicon`].
    Terms,
    /// See [`super::postings`].
    ItemPostings,
    FilePostings,
    /// Whose vectors they are.
    Encoder,
    /// See [`crate::vectors`].
    CodeVectors,
    DocVectors,
}

pub(super) const SECTIONS: usize = Section::DocVectors as usize + 1;
/// What opening checks.
pub(super) const CHECKED: std::ops::Range<usize> = 0..Section::CodeVectors as usize;

/// The file from its sections.
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

/// Over header and table of sections; with their hashes it holds for all of the file but the
/// zeros between sections.
pub(super) fn header_checksum(all: &[u8]) -> [u8; 32] {
    let head = all.get(..CHECKSUM.start).unwrap_or_default();
    let table = all.get(CHECKSUM.end..HEADER_LEN + SECTIONS * SECTION_LEN).unwrap_or_default();
    *Hasher::new().field(head).field(table).finish().as_bytes()
}
