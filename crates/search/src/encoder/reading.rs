//! Encoders that run a model on whole texts.

use std::sync::Arc;

use super::{Encoder, StaticTable};

/// Why a model gives no vectors.
#[derive(Debug, thiserror::Error)]
pub enum TextModelError {
    /// The model fails.
    #[error(transparent)]
    Failed(Box<dyn std::error::Error + Send + Sync>),
    /// The vectors are not those that were asked for.
    #[error("it gave vectors of another number or length")]
    Shape,
}

/// A model that encodes whole texts, with word order, which a bag of terms does not have.
pub trait TextModel: Send + Sync {
    /// The name of model and weights.
    fn name(&self) -> &str;

    /// The number of components of a vector.
    fn dims(&self) -> usize;

    /// The vector of each text, of length 1; the same text gives the same vector up to the last
    /// bits, independent of the other texts of the call.
    ///
    /// # Errors
    /// The model fails.
    fn read(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, TextModelError>;
}

/// An encoder whose text vectors come from a [`TextModel`], and whose term similarities and
/// neighbours come from the static table, because a model would be too slow for them.
#[derive(Clone)]
pub struct ModelEncoder {
    words: StaticTable,
    reader: Arc<dyn TextModel>,
    name: String,
}

impl ModelEncoder {
    /// Combines model and table.
    pub fn new(reader: Arc<dyn TextModel>, words: StaticTable) -> Self {
        let name = format!("{}+{}", reader.name(), words.name());
        Self { words, reader, name }
    }
}

impl Encoder for ModelEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dims(&self) -> usize {
        self.words.dims()
    }

    fn reader(&self) -> Option<&dyn TextModel> {
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
