//! The index: one file of tables, read where it lies.

mod build;
mod by_item;
mod facts;
mod heads;
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
pub(crate) use length::lengths;
pub(crate) use lexicon::TermEntry;
pub(crate) use numbers::TermNumbers;
pub(crate) use postings::{CHUNK, Posting, Postings};

use crate::bytes::Column;
use crate::impact::{Impacts, Means};
use crate::scratch::Pool;
use crate::tokenize::TOKENIZER_VERSION;
use crate::vectors::Vectors;
use layout::{CHECKED, HEADER_LEN, MAGIC, META_LEN, SECTION_LEN, SECTIONS, Section, VERSION};

/// The index, read where its bytes lie. Cloning is cheap.
///
/// Invariant: [`SearchIndex::open`] has checked version, lengths and the checksums of all but the
/// vectors, whose checksums are looked at when they are first asked for. Every access is
/// bounds-checked besides, so that forged bytes give wrong answers at worst, never a panic.
#[derive(Clone)]
pub struct SearchIndex {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    sections: [(usize, usize); SECTIONS],
    meta: Meta,
    are_vectors_whole: Arc<OnceLock<bool>>,
    /// Of the encoder that asked first.
    numbers: Arc<OnceLock<TermNumbers>>,
    /// Of each item of the map its document.
    documents: Arc<OnceLock<ByItem>>,
    /// What counts in its fields are worth.
    impacts: Arc<OnceLock<Impacts>>,
    /// Room to add scores up in, kept from query to query.
    pub(crate) pool: Arc<Pool>,
}

/// What holds for the whole index.
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

/// Why some bytes are no index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damaged {
    /// They are shorter than they say, or than any index.
    #[error("search index has {found} bytes, expected {expected}")]
    Length {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// They begin otherwise.
    #[error("file is no search index")]
    Magic,
    /// Another version of graftage wrote them, or its tokenizer.
    #[error("search index is of version {found}, expected {expected}")]
    Version {
        /// Theirs.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// They are not what was written.
    #[error("search index's checksum does not hold")]
    Checksum,
    /// A section does not make sense although the checksum holds.
    #[error("search index's {0} make no sense")]
    Content(&'static str),
}

impl Hint for Damaged {
    fn hint(&self) -> Option<String> {
        Some("run `graftage index --full`".to_owned())
    }
}

/// Layout and tokenizer together.
const WHOLE_VERSION: u32 = VERSION << 16 | TOKENIZER_VERSION;

impl SearchIndex {
    /// Reads header and checksums, and parses nothing.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, Damaged> {
        let all = (*bytes).as_ref();
        let found = all.len() as u64;
        let least = HEADER_LEN + SECTIONS * SECTION_LEN;
        if all.get(..8).is_some_and(|magic| *magic != MAGIC) {
            return Err(Damaged::Magic);
        }
        if let Some(version) = u32_at(all, 8).filter(|version| *version != WHOLE_VERSION) {
            return Err(Damaged::Version { found: version, expected: WHOLE_VERSION });
        }
        let expected = u64_at(all, 16).unwrap_or(least as u64);
        if found != expected || all.len() < least {
            return Err(Damaged::Length { expected: expected.max(least as u64), found });
        }
        if all.get(layout::CHECKSUM) != Some(&layout::header_checksum(all)) {
            return Err(Damaged::Checksum);
        }
        let mut sections = [(0, 0); SECTIONS];
        for (n, slot) in sections.iter_mut().enumerate() {
            let at = HEADER_LEN + n * SECTION_LEN;
            let number =
                |offset: usize| u64_at(all, at + offset).and_then(|n| usize::try_from(n).ok());
            let (Some(start), Some(len)) = (number(0), number(8)) else {
                return Err(Damaged::Content("sections"));
            };
            let end = start.checked_add(len).filter(|end| *end <= all.len());
            *slot = (start, end.ok_or(Damaged::Content("sections"))?);
            if CHECKED.contains(&n) && !is_whole(all, n, *slot) {
                return Err(Damaged::Checksum);
            }
        }
        let (start, end) = sections[Section::Meta as usize];
        let meta = all.get(start..end).and_then(Meta::read).ok_or(Damaged::Content("figures"))?;
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

    /// The epoch of the map that it was made from.
    pub fn epoch(&self) -> u64 {
        self.meta.epoch
    }

    /// How many documents it has.
    pub fn document_count(&self) -> u32 {
        self.meta.documents
    }

    /// How many files it has.
    pub fn file_count(&self) -> u32 {
        self.meta.files
    }

    /// How many different terms it has.
    pub fn term_count(&self) -> u32 {
        self.meta.terms
    }

    /// How many documents have a vector; the others are pending.
    pub fn vector_count(&self) -> u32 {
        self.meta.vectors
    }

    /// The name of the encoder whose vectors it holds.
    pub fn encoder_name(&self) -> Option<&str> {
        std::str::from_utf8(self.section(Section::Encoder)).ok().filter(|name| !name.is_empty())
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        (*self.bytes).as_ref().len()
    }

    /// How many of its bytes are vectors.
    pub fn vector_bytes(&self) -> usize {
        self.section(Section::CodeVectors).len() + self.section(Section::DocVectors).len()
    }

    /// The items that have a vector of their code, with it.
    pub fn vectors(&self) -> impl Iterator<Item = (u32, Vec<f32>)> {
        let code = self.vector_sections().and_then(|(code, _)| Vectors::open(code));
        (0..self.meta.documents)
            .filter_map(move |document| Some((self.item_of(document)?, code?.vector(document)?)))
    }

    /// All items that can be found, with how many terms their documents have, to within the steps
    /// that lengths are kept in.
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

    /// What counts in its fields are worth.
    pub(crate) fn impacts(&self) -> &Impacts {
        let Meta { mean_body, mean_head, mean_file, mean_path, .. } = self.meta;
        let means = Means { body: mean_body, head: mean_head, file: mean_file, path: mean_path };
        Impacts::get_or_reckon(&self.impacts, means)
    }

    /// The vectors of code and of doc comments, as written; `None` where they are damaged.
    pub(crate) fn vector_sections(&self) -> Option<(&[u8], &[u8])> {
        let all = (*self.bytes).as_ref();
        let is_whole = self.are_vectors_whole.get_or_init(|| {
            [Section::CodeVectors, Section::DocVectors]
                .iter()
                .all(|section| is_whole(all, *section as usize, self.sections[*section as usize]))
        });
        is_whole.then(|| (self.section(Section::CodeVectors), self.section(Section::DocVectors)))
    }

    /// The number in the map of a document.
    pub(crate) fn item_of(&self, document: u32) -> Option<u32> {
        self.column(Section::Items).get(document as usize)
    }

    /// The document of an item of the map.
    pub(crate) fn document_of(&self, item: u32) -> Option<u32> {
        let items = self.column(Section::Items);
        self.documents.get_or_init(|| ByItem::of(items)).get(items, item)
    }

    /// Of each document the code of its length: body, then head.
    pub(crate) fn lengths(&self) -> (&[u8], &[u8]) {
        (self.section(Section::BodyLengths), self.section(Section::HeadLengths))
    }

    /// Of each file the code of its length: text, then path.
    pub(crate) fn file_lengths(&self) -> (&[u8], &[u8]) {
        (self.section(Section::FileLengths), self.section(Section::PathLengths))
    }

    /// The numbers in the map of its files, sorted.
    pub(crate) fn files(&self) -> Column<'_> {
        self.column(Section::Files)
    }

    /// The first document of each file, and the number of all at the end.
    pub(crate) fn first_documents(&self) -> Column<'_> {
        self.column(Section::FirstDocuments)
    }

    /// How central each document is, 0 to 255.
    pub(crate) fn centrality(&self, document: u32) -> f32 {
        let byte = self.section(Section::Centrality).get(document as usize);
        byte.map_or(0.0, |byte| f32::from(*byte) / 255.0)
    }

    /// What is true of a document.
    pub(crate) fn facts(&self, document: u32) -> Facts {
        let at = document as usize * 2;
        let bits = self.section(Section::Facts).get(at..at + 2);
        bits.and_then(|bits| bits.try_into().ok()).map(Facts::from_bits).unwrap_or_default()
    }

    /// How many lines a document has, up to 255.
    pub(crate) fn lines(&self, document: u32) -> u8 {
        self.section(Section::Lines).get(document as usize).copied().unwrap_or(1)
    }

    fn column(&self, section: Section) -> Column<'_> {
        Column::new(self.section(section))
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

/// Whether a section is what was written.
fn is_whole(all: &[u8], section: usize, (start, end): (usize, usize)) -> bool {
    let at = HEADER_LEN + section * SECTION_LEN + 16;
    let stored = all.get(at..at + 16);
    let bytes = all.get(start..end).unwrap_or_default();
    stored == ContentHash::of(bytes).as_bytes().get(..16)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
