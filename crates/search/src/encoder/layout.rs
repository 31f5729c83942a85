//! The file format of an encoder table.

use base::{ContentHash, Hint};

use crate::bytes::u32_at;

/// Magic number of a table.
pub(crate) const MAGIC: [u8; 8] = *b"graftab\0";
/// Format version: incremented with every change of the layout.
pub(crate) const FORMAT: u32 = 1;
/// Header: magic, format, tokenizer, dims, words, neighbour count, text length, slot bits, one
/// unused word, checksum.
pub(crate) const HEADER: usize = 8 + 8 * 4 + 32;
/// Offset of the checksum, which covers the bytes before it and those after the header.
pub(crate) const CHECKSUM: usize = HEADER - 32;

/// The offsets of the parts of a table. All numbers are little-endian and nothing is aligned:
///
/// | part | size |
/// |---|---|
/// | header | [`HEADER`] |
/// | ends of the words in the text, `u32` | 4 × words |
/// | ends of the words' neighbours, `u32` | 4 × words |
/// | scale of each row, `f32` | 4 × words |
/// | hash slots: a word's number + 1, `u16`, 0 where free | 2 × slots |
/// | neighbours: word, `u16`, and cosine in 255ths, `u8` | 3 × neighbours |
/// | text of all words, sorted | text length |
/// | rows, `i8` | words × dims |
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) dims: usize,
    pub(crate) words: usize,
    pub(crate) slots: usize,
    pub(crate) word_ends: usize,
    pub(crate) neighbour_ends: usize,
    pub(crate) scales: usize,
    pub(crate) slot_start: usize,
    pub(crate) neighbours: usize,
    pub(crate) text: usize,
    pub(crate) rows: usize,
    pub(crate) end: usize,
}

/// Why some bytes are not an encoder table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The magic number is missing.
    #[error("not an encoder table")]
    Magic,
    /// The length differs from the length in the header.
    #[error("encoder table has {found} bytes, expected {expected}")]
    Length {
        /// Expected length in bytes.
        expected: u64,
        /// Actual length in bytes.
        found: u64,
    },
    /// The bytes were written in another version of the format, or for another tokenizer.
    #[error("{what} of the encoder table is {found}, expected {expected}")]
    Version {
        /// Format or tokenizer.
        what: &'static str,
        /// Version of the bytes.
        found: u32,
        /// Version of this program.
        expected: u32,
    },
    /// The bytes differ from what was written.
    #[error("encoder table has a wrong checksum")]
    Checksum,
    /// A value is too large for the format.
    #[error("encoder table cannot contain {0}")]
    TooLarge(&'static str),
}

impl Hint for TableError {
    fn hint(&self) -> Option<String> {
        Some("train one with `cargo xtask train-encoder`, or use the embedded one".to_owned())
    }
}

impl Layout {
    /// The layout for the numbers of a header; `None` where they overflow.
    pub(crate) fn of(
        dims: u32,
        words: u32,
        neighbours: u32,
        text: u32,
        slot_bits: u32,
    ) -> Option<Self> {
        let [dims, words, neighbours, text] =
            [dims, words, neighbours, text].map(|number| number as usize);
        let slots = 1usize.checked_shl(slot_bits)?;
        // At least one free slot, so that the search for an unknown word ends.
        if slot_bits > 20 || slots <= words || dims == 0 {
            return None;
        }
        let word_ends = HEADER;
        let neighbour_ends = word_ends.checked_add(words.checked_mul(4)?)?;
        let scales = neighbour_ends.checked_add(words.checked_mul(4)?)?;
        let slot_start = scales.checked_add(words.checked_mul(4)?)?;
        let neighbour_start = slot_start.checked_add(slots.checked_mul(2)?)?;
        let text_start = neighbour_start.checked_add(neighbours.checked_mul(3)?)?;
        let rows = text_start.checked_add(text)?;
        let end = rows.checked_add(words.checked_mul(dims)?)?;
        Some(Self {
            dims,
            words,
            slots,
            word_ends,
            neighbour_ends,
            scales,
            slot_start,
            neighbours: neighbour_start,
            text: text_start,
            rows,
            end,
        })
    }

    /// Parses a header.
    pub(crate) fn read(bytes: &[u8], tokenizer: u32) -> Result<Self, TableError> {
        if bytes.get(..8) != Some(MAGIC.as_slice()) {
            return Err(TableError::Magic);
        }
        let found = bytes.len() as u64;
        let short = TableError::Length { expected: HEADER as u64, found };
        let field = |idx: usize| u32_at(bytes, 8 + idx * 4).ok_or(short.clone());
        for (idx, what, expected) in [(0, "format", FORMAT), (1, "tokenizer", tokenizer)] {
            let found = field(idx)?;
            if found != expected {
                return Err(TableError::Version { what, found, expected });
            }
        }
        let layout = Self::of(field(2)?, field(3)?, field(4)?, field(5)?, field(6)?)
            .ok_or(TableError::Length { expected: 0, found })?;
        if layout.end != bytes.len() || bytes.len() < HEADER {
            return Err(TableError::Length { expected: layout.end as u64, found });
        }
        Ok(layout)
    }
}

/// The checksum of a table.
pub(crate) fn checksum(bytes: &[u8]) -> ContentHash {
    let mut hasher = base::Hasher::new();
    hasher.field(bytes.get(..CHECKSUM).unwrap_or_default());
    hasher.field(bytes.get(HEADER..).unwrap_or_default());
    hasher.finish()
}

/// The slot where the search for a word begins. The high half of a product mixes all bits, and the
/// table is small enough for the slots to stay in the cache.
pub(crate) fn first_slot(word: &[u8], slots: usize) -> usize {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in word {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let mixed = hash ^ (hash >> 29);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (slots - 1)
}
