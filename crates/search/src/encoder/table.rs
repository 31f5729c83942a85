//! [`StaticTable`]: the encoder that comes with the program, a table of one vector per term.

use std::fmt;
use std::sync::Arc;

use super::Encoder;
use super::layout::{CHECKSUM, HEADER, Layout, TableError, checksum, first_slot};
use crate::bytes::{u16_at, u32_at};
use crate::tokenize::TOKENIZER_VERSION;
use crate::vectors::{SimdLevel, dots};

/// The embedded table; built by `crates/train`.
static EMBEDDED: &[u8] = include_bytes!("../../table.bin");

/// One vector per term, learned from doc comments and the code below them; a text is the sum of its
/// terms. Read in place: opening parses nothing. Clones share the bytes.
#[derive(Clone)]
pub struct StaticTable {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    layout: Layout,
    name: String,
}

impl StaticTable {
    /// The embedded table.
    pub fn embedded() -> Self {
        let bytes: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(EMBEDDED);
        match Layout::read(EMBEDDED, TOKENIZER_VERSION) {
            Ok(layout) => Self { name: name(EMBEDDED), bytes, layout },
            // A test checks that it is valid; without a layout it would contain no word.
            Err(_) => Self { name: String::new(), bytes, layout: Layout::default() },
        }
    }

    /// Opens another table, and reads all of it once to verify it.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, TableError> {
        let content = (*bytes).as_ref();
        let layout = Layout::read(content, TOKENIZER_VERSION)?;
        if content.get(CHECKSUM..HEADER) != Some(checksum(content).as_bytes().as_slice()) {
            return Err(TableError::Checksum);
        }
        let name = name(content);
        Ok(Self { bytes, layout, name })
    }

    /// The word with this number, in sorted order.
    pub fn word(&self, number: usize) -> Option<&str> {
        std::str::from_utf8(self.word_bytes(number)?).ok()
    }

    fn word_bytes(&self, number: usize) -> Option<&[u8]> {
        if number >= self.layout.words {
            return None;
        }
        let start = if number == 0 { 0 } else { self.end_at(self.layout.word_ends, number - 1)? };
        let end = self.end_at(self.layout.word_ends, number)?;
        self.content().get(self.layout.text..self.layout.rows)?.get(start..end)
    }

    /// The number of a word.
    pub(crate) fn number(&self, word: &str) -> Option<usize> {
        let Layout { slots, slot_start, .. } = self.layout;
        if slots == 0 {
            return None;
        }
        let mut slot = first_slot(word.as_bytes(), slots);
        // Bounded even if a damaged table has no free slot.
        for _ in 0..slots {
            let entry = usize::from(u16_at(self.content(), slot_start + slot * 2)?);
            let number = entry.checked_sub(1)?;
            if self.word_bytes(number) == Some(word.as_bytes()) {
                return Some(number);
            }
            slot = (slot + 1) & (slots - 1);
        }
        None
    }

    /// The row of a word: scale and bytes (as `i8`).
    pub(crate) fn row(&self, number: usize) -> Option<(f32, &[u8])> {
        if number >= self.layout.words {
            return None;
        }
        let scale = u32_at(self.content(), self.layout.scales + number * 4)?;
        let start = self.layout.rows + number * self.layout.dims;
        Some((f32::from_bits(scale), self.content().get(start..start + self.layout.dims)?))
    }

    fn content(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    fn end_at(&self, table: usize, number: usize) -> Option<usize> {
        u32_at(self.content(), table + number * 4).map(|end| end as usize)
    }
}

impl Encoder for StaticTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn dims(&self) -> usize {
        self.layout.dims
    }

    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]) {
        out.fill(0.0);
        for (word, weight) in bag {
            let Some((scale, row)) = self.number(word).and_then(|number| self.row(number)) else {
                continue;
            };
            let factor = weight * scale;
            for (sum, byte) in out.iter_mut().zip(row) {
                *sum += factor * f32::from(*byte as i8);
            }
        }
        let length = out.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 && length.is_finite() {
            out.iter_mut().for_each(|value| *value /= length);
        } else {
            out.fill(0.0);
        }
    }

    fn term(&self, term: &str, row: &mut Vec<i8>) -> Option<f32> {
        self.numbered(Encoder::number(self, term)?, row)
    }

    fn has_numbers(&self) -> bool {
        true
    }

    fn number(&self, term: &str) -> Option<u32> {
        self.number(term).and_then(|number| u32::try_from(number).ok())
    }

    fn numbered(&self, number: u32, row: &mut Vec<i8>) -> Option<f32> {
        let (scale, bytes) = self.row(number as usize)?;
        row.clear();
        row.extend(bytes.iter().map(|byte| *byte as i8));
        // All components of a row have the same scale; the vector's length of 1 determines it.
        let mut squares = [0];
        dots(SimdLevel::best(), row, bytes, &mut squares);
        (squares[0] > 0 && scale > 0.0).then(|| 1.0 / (squares[0] as f32).sqrt())
    }

    fn neighbours(&self, term: &str, most: usize, least_cos: f32) -> Vec<(String, f32)> {
        let of = |number: usize| {
            let ends = self.layout.neighbour_ends;
            let start = if number == 0 { 0 } else { self.end_at(ends, number - 1)? };
            let end = self.end_at(ends, number)?;
            let list = self.content().get(self.layout.neighbours..self.layout.text)?;
            list.get(start.checked_mul(3)?..end.checked_mul(3)?)
        };
        let Some(list) = self.number(term).and_then(of) else { return Vec::new() };
        list.chunks_exact(3)
            .take(most)
            .filter_map(|entry| {
                let [low, high, cos] = *entry else { return None };
                let cos = f32::from(cos) / 255.0;
                let word = self.word(usize::from(u16::from_le_bytes([low, high])))?;
                (cos >= least_cos).then(|| (word.to_owned(), cos))
            })
            .collect()
    }
}

impl fmt::Debug for StaticTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticTable").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A name derived from the content.
fn name(content: &[u8]) -> String {
    let hash = content.get(CHECKSUM..CHECKSUM + 6).unwrap_or_default();
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("static-{hex}")
}

#[cfg(test)]
mod tests;
