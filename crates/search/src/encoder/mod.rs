//! Encoders: from a bag of terms, or from a text, to a vector.

mod layout;
mod reading;
mod table;
mod write;

pub use layout::TableError;
pub use reading::{ModelEncoder, TextModel, TextModelError};
pub use table::StaticTable;
pub use write::{TableParts, table_bytes};

use crate::vectors::Row;

/// Turns a bag of terms into a vector; used for dense search and query expansion.
///
/// Pure and total: the same bag gives the same vector, unknown terms are ignored.
pub trait Encoder: Send + Sync {
    /// The name of encoder and weights: vectors with different names are not comparable.
    fn name(&self) -> &str;

    /// The number of components of the vector of a bag.
    fn dims(&self) -> usize;

    /// The model that encodes whole texts; `None`: a text is encoded as the bag of its terms. With
    /// a model, vectors of documents and queries come from it, and bags are only used for single
    /// terms.
    fn reader(&self) -> Option<&dyn TextModel> {
        None
    }

    /// The number of components of the vectors of documents and queries.
    fn text_dims(&self) -> usize {
        self.reader().map_or_else(|| self.dims(), TextModel::dims)
    }

    /// Writes the vector of a bag of terms and their weights (`1 + ln(tf)`, already applied) to
    /// `out`, which has [`Encoder::dims`] elements: of length 1, or all zeros if no term is known.
    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]);

    /// Writes the row of one term to `row`, with eight bits per component, and returns its scale
    /// relative to the vector that [`Encoder::encode`] gives it; `None` for an unknown term.
    fn term(&self, term: &str, row: &mut Vec<i8>) -> Option<f32> {
        let mut vector = vec![0.0; self.dims()];
        self.encode(&[(term, 1.0)], &mut vector);
        let rounded = Row::of(&vector)?;
        row.clear();
        row.extend(&rounded.values);
        Some(rounded.scale)
    }

    /// Whether known terms have numbers, which stay the same as long as [`Encoder::name`] does.
    fn has_numbers(&self) -> bool {
        false
    }

    /// The number of a term.
    fn number(&self, _term: &str) -> Option<u32> {
        None
    }

    /// As [`Encoder::term`], for the term with this number.
    fn numbered(&self, _number: u32, _row: &mut Vec<i8>) -> Option<f32> {
        None
    }

    /// The at most `most` terms most similar to a term, with their cosines of at least `least_cos`,
    /// best first, without the term itself; empty for an unknown term.
    fn neighbours(&self, term: &str, most: usize, least_cos: f32) -> Vec<(String, f32)>;
}
