//! [`SearchIndex`]: the search index, one file of tables that is read in place.

mod build;
mod by_item;
mod facts;
mod heads;
mod impact;
mod kept;
mod layout;
mod length;
mod lexicon;
mod names;
mod numbers;
mod postings;

use std::fmt;
use std::sync::{Arc, OnceLock};

use base::{ContentHash, Hint};

pub use build::IndexBuilder;
use by_item::ByItem;
pub(crate) use facts::Facts;
use impact::{Impacts, Means};
use length::lengths;
pub(crate) use lexicon::TermEntry;
pub(crate) use numbers::TermNumbers;
pub(crate) use postings::{CHUNK, Posting, Postings};

use crate::bytes::{u32_at, u64_at};
use crate::scratch::Pool;
use crate::tokenize::TOKENIZER_VERSION;
use crate::vectors::{SparseVectors, Vectors};
use base::columns::Column;
use layout::{CHECKED, HEADER_LEN, MAGIC, META_LEN, SECTION_LEN, SECTIONS, Section, VERSION};

/// The search index, read in place. Clones share the bytes.
///
/// Invariant: [`SearchIndex::open`] has checked version, lengths and the checksums of everything
/// but the vectors, which are checked on first use. Every access is bounds-checked as well, so that
/// forged bytes can give wrong results, never a panic.
#[derive(Clone)]
pub struct SearchIndex {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    sections: [(usize, usize); SECTIONS],
    meta: Meta,
    are_vectors_whole: Arc<OnceLock<bool>>,
    /// Term numbers of the encoder that was used first.
    numbers: Arc<OnceLock<TermNumbers>>,
    /// Document by item of the map.
    documents: Arc<OnceLock<ByItem>>,
    /// Precomputed BM25 contributions.
    impacts: Arc<OnceLock<Impacts>>,
    /// Reusable score buffers.
    pub(crate) pool: Arc<Pool>,
}

/// Figures of the whole index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meta {
    pub(crate) epoch: u64,
    pub(crate) documents: u32,
    pub(crate) files: u32,
    pub(crate) terms: u32,
    pub(crate) vectors: u32,
    pub(crate) mean_body: f32,
    pub(crate) mean_head: f32,
    pub(crate) mean_file: f32,
    pub(crate) mean_path: f32,
}

/// Why some bytes cannot be opened as a search index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchIndexError {
    /// The length differs from the length in the header, or is below the minimum.
    #[error("search index has {found} bytes, expected {expected}")]
    Length {
        /// Expected length in bytes.
        expected: u64,
        /// Actual length in bytes.
        found: u64,
    },
    /// The magic number is missing.
    #[error("not a graftage search index")]
    Magic,
    /// The bytes were written in another version of the format or with another tokenizer.
    #[error("search index has format version {found}, expected {expected}")]
    Version {
        /// Version of the bytes.
        found: u32,
        /// Version of this program.
        expected: u32,
    },
    /// The bytes differ from what was written.
    #[error("search index has a wrong checksum")]
    Checksum,
    /// A section is invalid although the checksum is correct.
    #[error("search index has corrupt {0}")]
    Content(&'static str),
}

impl Hint for SearchIndexError {
    fn hint(&self) -> Option<String> {
        Some("run `graftage index --full`".to_owned())
    }
}

/// Version of layout and tokenizer, combined.
const WHOLE_VERSION: u32 = VERSION << 16 | TOKENIZER_VERSION;

impl SearchIndex {
    /// Checks header and checksums; parses nothing.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, SearchIndexError> {
        let all = (*bytes).as_ref();
        let found = all.len() as u64;
        let least = HEADER_LEN + SECTIONS * SECTION_LEN;
        if all.get(..8).is_some_and(|magic| *magic != MAGIC) {
            return Err(SearchIndexError::Magic);
        }
        if let Some(version) = u32_at(all, 8).filter(|version| *version != WHOLE_VERSION) {
            return Err(SearchIndexError::Version { found: version, expected: WHOLE_VERSION });
        }
        let expected = u64_at(all, 16).unwrap_or(least as u64);
        if found != expected || all.len() < least {
            return Err(SearchIndexError::Length { expected: expected.max(least as u64), found });
        }
        if all.get(layout::CHECKSUM) != Some(&layout::header_checksum(all)) {
            return Err(SearchIndexError::Checksum);
        }
        let mut sections = [(0, 0); SECTIONS];
        for (n, slot) in sections.iter_mut().enumerate() {
            let at = HEADER_LEN + n * SECTION_LEN;
            let number =
                |offset: usize| u64_at(all, at + offset).and_then(|n| usize::try_from(n).ok());
            let (Some(start), Some(len)) = (number(0), number(8)) else {
                return Err(SearchIndexError::Content("sections"));
            };
            let end = start.checked_add(len).filter(|end| *end <= all.len());
            *slot = (start, end.ok_or(SearchIndexError::Content("sections"))?);
            if CHECKED.contains(&n) && !is_whole(all, n, *slot) {
                return Err(SearchIndexError::Checksum);
            }
        }
        let (start, end) = sections[Section::Meta as usize];
        let meta =
            all.get(start..end).and_then(Meta::read).ok_or(SearchIndexError::Content("figures"))?;
        Ok(Self {
            bytes,
            sections,
            meta,
            are_vectors_whole: Arc::default(),
            numbers: Arc::default(),
            documents: Arc::default(),
            impacts: Arc::default(),
            pool: Arc::default(),
        })
    }

    /// The epoch of the map that it was built from.
    pub fn epoch(&self) -> u64 {
        self.meta.epoch
    }

    /// The number of documents.
    pub fn document_count(&self) -> u32 {
        self.meta.documents
    }

    /// The number of files.
    pub fn file_count(&self) -> u32 {
        self.meta.files
    }

    /// The number of distinct terms.
    pub fn term_count(&self) -> u32 {
        self.meta.terms
    }

    /// The number of documents with a vector; those of the others are pending.
    pub fn vector_count(&self) -> u32 {
        self.meta.vectors
    }

    /// The name of the encoder that computed its vectors.
    pub fn encoder_name(&self) -> Option<&str> {
        std::str::from_utf8(self.section(Section::Encoder)).ok().filter(|name| !name.is_empty())
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        (*self.bytes).as_ref().len()
    }

    /// The items with a code vector, and that vector.
    pub fn vectors(&self) -> impl Iterator<Item = (u32, Vec<f32>)> {
        let code = self.stored_vectors().map(|(code, _)| code);
        (0..self.meta.documents)
            .filter_map(move |document| Some((self.item_of(document)?, code?.vector(document)?)))
    }

    /// All items in the index with the number of terms of their documents, rounded as lengths are
    /// stored.
    pub fn document_lengths(&self) -> impl Iterator<Item = (u32, u32)> {
        let (bodies, heads) = self.lengths();
        (0..self.meta.documents).zip(bodies.iter().zip(heads)).filter_map(
            move |(document, (body, head))| {
                let length = lengths()[usize::from(*body)] + lengths()[usize::from(*head)];
                Some((self.item_of(document)?, length.round() as u32))
            },
        )
    }

    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The BM25 contributions of term counts in its fields.
    pub(crate) fn impacts(&self) -> &Impacts {
        let Meta { mean_body, mean_head, mean_file, mean_path, .. } = self.meta;
        let means = Means { body: mean_body, head: mean_head, file: mean_file, path: mean_path };
        Impacts::get_or_compute(&self.impacts, means)
    }

    /// The vectors of code and of doc comments; `None` where they are damaged.
    pub(crate) fn stored_vectors(&self) -> Option<(Vectors<'_>, SparseVectors<'_>)> {
        let all = (*self.bytes).as_ref();
        let is_whole = self.are_vectors_whole.get_or_init(|| {
            [Section::CodeVectors, Section::DocVectors]
                .iter()
                .all(|section| is_whole(all, *section as usize, self.sections[*section as usize]))
        });
        if !is_whole {
            return None;
        }
        let code = Vectors::open(self.section(Section::CodeVectors))?;
        let documents = self.column(Section::DocVectorDocuments);
        Some((code, SparseVectors::open(documents, self.section(Section::DocVectors))?))
    }

    /// The item number in the map of a document.
    pub(crate) fn item_of(&self, document: u32) -> Option<u32> {
        self.column(Section::Items).get(document as usize)
    }

    /// The document of an item of the map.
    pub(crate) fn document_of(&self, item: u32) -> Option<u32> {
        let items = self.column(Section::Items);
        self.documents.get_or_init(|| ByItem::of(items)).get(items, item)
    }

    /// Encoded lengths by document: of the body, and of the head.
    pub(crate) fn lengths(&self) -> (&[u8], &[u8]) {
        (self.section(Section::BodyLengths), self.section(Section::HeadLengths))
    }

    /// Encoded lengths by file: of the text, and of the path.
    pub(crate) fn file_lengths(&self) -> (&[u8], &[u8]) {
        (self.section(Section::FileLengths), self.section(Section::PathLengths))
    }

    /// File numbers in the map, sorted.
    pub(crate) fn files(&self) -> Column<'_> {
        self.column(Section::Files)
    }

    /// First document by file, and the number of documents at the end.
    pub(crate) fn first_documents(&self) -> Column<'_> {
        self.column(Section::FirstDocuments)
    }

    /// The centrality of a document, 0 to 1.
    pub(crate) fn centrality(&self, document: u32) -> f32 {
        let byte = self.section(Section::Centrality).get(document as usize);
        byte.map_or(0.0, |byte| f32::from(*byte) / 255.0)
    }

    /// The facts of a document.
    pub(crate) fn facts(&self, document: u32) -> Facts {
        let at = document as usize * 2;
        let bits = self.section(Section::Facts).get(at..at + 2);
        bits.and_then(|bits| bits.try_into().ok()).map(Facts::from_bits).unwrap_or_default()
    }

    /// The index of a file by its number in the map.
    pub(crate) fn place_of(&self, number: u32) -> Option<u32> {
        let files = self.files();
        let at = files.partition_point(|other| other < number);
        (files.get(at) == Some(number)).then_some(at as u32)
    }

    /// Whether a document is that of a whole file.
    pub(crate) fn is_file(&self, document: u32) -> bool {
        self.facts(document).has(Facts::FILE)
    }

    /// The number of lines of a document, up to 255.
    pub(crate) fn lines(&self, document: u32) -> u8 {
        self.section(Section::Lines).get(document as usize).copied().unwrap_or(1)
    }

    fn column(&self, section: Section) -> Column<'_> {
        Column::with_width(self.section(section))
    }

    fn section(&self, section: Section) -> &[u8] {
        let (start, end) = self.sections[section as usize];
        (*self.bytes).as_ref().get(start..end).unwrap_or_default()
    }
}

impl fmt::Debug for SearchIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchIndex").field("meta", &self.meta).finish_non_exhaustive()
    }
}

impl Meta {
    fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != META_LEN {
            return None;
        }
        let float = |at: usize| {
            u32_at(bytes, at).map(f32::from_bits).filter(|n| n.is_finite() && *n >= 0.0)
        };
        Some(Self {
            epoch: u64_at(bytes, 0)?,
            documents: u32_at(bytes, 8)?,
            files: u32_at(bytes, 12)?,
            terms: u32_at(bytes, 16)?,
            vectors: u32_at(bytes, 20)?,
            mean_body: float(24)?,
            mean_head: float(28)?,
            mean_file: float(32)?,
            mean_path: float(36)?,
        })
    }

    fn write(&self) -> Vec<u8> {
        let mut out = self.epoch.to_le_bytes().to_vec();
        for number in [self.documents, self.files, self.terms, self.vectors] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for number in [self.mean_body, self.mean_head, self.mean_file, self.mean_path] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out
    }
}

/// Whether the checksum of a section is correct.
fn is_whole(all: &[u8], section: usize, (start, end): (usize, usize)) -> bool {
    let at = HEADER_LEN + section * SECTION_LEN + 16;
    let stored = all.get(at..at + 16);
    let bytes = all.get(start..end).unwrap_or_default();
    stored == ContentHash::of(bytes).as_bytes().get(..16)
}
