//! Vectors of documents, quantised to eight bits, and exact search over them.
//!
//! A [`Row`] is a quantised vector; [`write_vectors`] stores many of them, and [`Vectors`] reads
//! them in place. [`Vectors::nearest`] scans all rows, or those of a [`RowSet`], and rescores the
//! best with the query in full precision; for many rows, a first pass on one bit per component
//! selects candidates.

mod row_set;
mod scan;
mod section;
mod simd;
mod sparse;

pub use row_set::RowSet;
pub use scan::{Near, Nearest, Pass};
pub use section::{Vectors, write_vectors};
pub use simd::SimdLevel;
pub(crate) use simd::{dots, product};
pub(crate) use sparse::SparseVectors;

/// The vectors of one file's documents, in order: a pure function of its terms and the encoder, so
/// that they can be cached by hash.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileVectors {
    /// Name of the encoder: [`crate::Encoder::name`].
    pub encoder: String,
    /// Number of components of a vector.
    pub dims: usize,
    /// Code vector by document; `None`: pending, or no term is known.
    pub code: Vec<Option<Row>>,
    /// Doc comment vector by document; `None` without a doc comment.
    pub doc: Vec<Option<Row>>,
}

/// A vector of length 1 with eight bits per component.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Scale: a component is its byte times this.
    pub scale: f32,
    /// Components.
    pub values: Vec<i8>,
}

impl FileVectors {
    /// No vectors yet.
    pub fn new(encoder: &str, dims: usize) -> Self {
        Self { encoder: encoder.to_owned(), dims, ..Self::default() }
    }
}

impl Row {
    /// Quantises a vector; `None` where it is all zeros.
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
