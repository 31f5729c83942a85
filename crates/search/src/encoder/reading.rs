use std::sync::Arc;

use super::{Encoder, StaticTable};

/// Reads whole texts, words in their order: what a bag of terms cannot say.
pub trait Reader: Send + Sync {
    /// Which model and which weights.
    fn name(&self) -> &str;

    /// How many numbers a vector has.
    fn dims(&self) -> usize;

    /// Of each text its vector, of length 1; the same text gives the same vector but for the last
    /// bits, whatever stands beside it.
    ///
    /// # Errors
    /// When the model fails: why.
    fn read(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, String>;
}

/// Vectors of texts by a [`Reader`]; single words, how like they are and their neighbours by the
/// table of words, which a reader would take far too long for.
#[derive(Clone)]
pub struct ReadingEncoder {
    words: StaticTable,
    reader: Arc<dyn Reader>,
    name: String,
}

impl ReadingEncoder {
    /// Of both.
    pub fn new(reader: Arc<dyn Reader>, words: StaticTable) -> Self {
        let name = format!("{}+{}", reader.name(), words.name());
        Self { words, reader, name }
    }
}

impl Encoder for ReadingEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dims(&self) -> usize {
        self.words.dims()
    }

    fn reader(&self) -> Option<&dyn Reader> {
        Some(&*self.reader)
    }

    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]) {
        self.words.encode(bag, out);
    }

    fn term(&self, term: &str, row: &mut Vec<i8>) -> Option<f32> {
        self.words.term(term, row)
    }

    fn has_numbers(&self) -> bool {
        self.words.has_numbers()
    }

    fn number(&self, term: &str) -> Option<u32> {
        Encoder::number(&self.words, term)
    }

    fn numbered(&self, number: u32, row: &mut Vec<i8>) -> Option<f32> {
        self.words.numbered(number, row)
    }

    fn neighbours(&self, term: &str, most: usize, least_cos: f32) -> Vec<(String, f32)> {
        self.words.neighbours(term, most, least_cos)
    }
}
