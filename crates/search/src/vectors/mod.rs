//! Vectors of documents: as kept for one file, and as the index holds them.
//!
//! A [`Row`] is a vector in bytes; [`write_vectors`] lays many of them out, and [`Vectors`] reads
//! them where they lie. [`Vectors::nearest`] scans all rows, or those of a [`RowSet`], and scores
//! the best again with the query's own numbers; where rows are many, one bit a number tells first
//! who is worth it.

mod row_set;
mod scan;
mod section;
mod simd;

pub use row_set::RowSet;
pub use scan::{Near, Nearest, Pass};
pub use section::{Vectors, write_vectors};
pub use simd::Level;
pub(crate) use simd::{dots, product};

/// The vectors of one file's documents, in their order: a pure function of its terms and the
/// encoder, so that they can be kept by hash.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileVectors {
    /// [`crate::Encoder::name`] of who made them.
    pub encoder: String,
    /// How many numbers a vector has.
    pub dims: usize,
    /// Of the code of each document; `None`: pending, or no term is known.
    pub code: Vec<Option<Row>>,
    /// Of the doc comment of each document; `None`: there is none.
    pub doc: Vec<Option<Row>>,
}

/// A vector of length 1 in eight bits a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// A number is its byte times this.
    pub scale: f32,
    /// The numbers.
    pub values: Vec<i8>,
}

impl FileVectors {
    /// None yet.
    pub fn new(encoder: &str, dims: usize) -> Self {
        Self { encoder: encoder.to_owned(), dims, ..Self::default() }
    }
}

impl Row {
    /// Rounds a vector; `None` where it is all zeros.
    pub fn of(vector: &[f32]) -> Option<Self> {
        let max = vector.iter().fold(0.0f32, |max, value| max.max(value.abs()));
        if max <= 0.0 || !max.is_finite() {
            return None;
        }
        let scale = max / 127.0;
        let values = vector.iter().map(|value| (value / scale).round() as i8).collect();
        Some(Self { scale, values })
    }
}

#[cfg(test)]
mod tests;
