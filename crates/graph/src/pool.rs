//! [`TextPool`]: interned texts of the map.
use std::collections::HashMap;

use base::columns::ColumnWriter;

/// Interned texts, in the order of first use. A number stays valid while texts are added, so chunks
/// encoded with it can be reused for the next map.
#[derive(Clone, Debug, Default)]
pub struct TextPool {
    numbers: HashMap<Box<str>, u32>,
    ends: Vec<u32>,
    texts: Vec<u8>,
}

impl TextPool {
    /// Interns a text and returns its number.
    pub fn put(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.ends.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.extend_from_slice(text.as_bytes());
        self.ends.push(self.texts.len() as u32);
        number
    }

    /// The total length of the texts in bytes.
    pub fn size(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn texts(&self) -> &[u8] {
        &self.texts
    }

    pub(crate) fn starts(&self) -> ColumnWriter {
        [0].into_iter().chain(self.ends.iter().copied()).collect::<Vec<u32>>().into()
    }
}
