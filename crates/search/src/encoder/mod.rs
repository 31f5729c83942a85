//! From a bag of terms, or from a text, to a vector.

mod layout;
mod reading;
mod table;
mod write;

pub use layout::TableError;
pub(crate) use layout::u32_at;
pub use reading::{Reader, ReadingEncoder};
pub use table::StaticTable;
pub use write::{TableParts, table_bytes};

use crate::vectors::Row;

/// Turns a bag of terms into a vector; what dense search and term expansion stand on.
///
/// Pure and total: the same bag gives the same vector, unknown terms count for nothing.
pub trait Encoder: Send + Sync {
    /// Which encoder and which weights: vectors of another name are not comparable.
    fn name(&self) -> &str;

    /// How many numbers the vector of a bag has.
    fn dims(&self) -> usize;

    /// Who reads whole texts; `None`: a text is the bag of its terms. The vectors of documents and
    /// queries are the reader's then, and bags stand for single words alone.
    fn reader(&self) -> Option<&dyn Reader> {
        None
    }

    /// How many numbers the vectors of documents and queries have.
    fn text_dims(&self) -> usize {
        self.reader().map_or_else(|| self.dims(), Reader::dims)
    }

    /// Writes the vector of a bag of terms and their weights (`1 + ln(tf)`, applied already) to
    /// `out`, which has [`Encoder::dims`] places: of length 1, or all zeros where no term is known.
    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]);

    /// Writes the row of one term to `row`, in eight bits a number, and gives what the numbers are
    /// to be multiplied by for the vector that [`Encoder::encode`] has of it; `None` where the term
    /// is unknown.
    fn term(&self, term: &str, row: &mut Vec<i8>) -> Option<f32> {
        let mut vector = vec![0.0; self.dims()];
        self.encode(&[(term, 1.0)], &mut vector);
        let rounded = Row::of(&vector)?;
        row.clear();
        row.extend(&rounded.values);
        Some(rounded.scale)
    }

    /// Whether terms that it knows have a number, which stays the same as long as
    /// [`Encoder::name`] does.
    fn has_numbers(&self) -> bool {
        false
    }

    /// The number of a term.
    fn number(&self, _term: &str) -> Option<u32> {
        None
    }

    /// As [`Encoder::term`], for a term by its number.
    fn numbered(&self, _number: u32, _row: &mut Vec<i8>) -> Option<f32> {
        None
    }

    /// The at most `most` terms nearest to a term, with their cosines, those of `least_cos` and
    /// more only, best first, the term itself left out; empty where it is unknown.
    fn neighbours(&self, term: &str, most: usize, least_cos: f32) -> Vec<(String, f32)>;
}
