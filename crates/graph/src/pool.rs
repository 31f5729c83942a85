use std::collections::HashMap;

use crate::column::ColumnWriter;

/// Texts that occur often, each once, in the order of their first use. A number stays good while
/// texts are added, so what was written with it is good for the next map too.
#[derive(Clone, Debug, Default)]
pub struct TextPool {
    numbers: HashMap<Box<str>, u32>,
    ends: Vec<u32>,
    texts: Vec<u8>,
}

impl TextPool {
    /// The number of a text.
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

    /// How many bytes the texts have together.
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
