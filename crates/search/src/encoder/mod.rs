//! From a bag of terms to a vector.

mod layout;
mod table;
mod write;

pub use layout::TableError;
pub(crate) use layout::u32_at;
pub use table::StaticTable;
pub use write::{TableParts, table_bytes};

/// Turns a bag of terms into a vector; what dense search and term expansion stand on.
///
/// Pure and total: the same bag gives the same vector, unknown terms count for nothing.
pub trait Encoder: Send + Sync {
    /// Which encoder and which weights: vectors of another name are not comparable.
    fn name(&self) -> &str;

    /// How many numbers a vector has.
    fn dims(&self) -> usize;

    /// Writes the vector of a bag of terms and their weights (`1 + ln(tf)`, applied already) to
    /// `out`, which has [`Encoder::dims`] places: of length 1, or all zeros where no term is known.
    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]);

    /// The at most `most` terms nearest to a term, with their cosines, those of `least_cos` and
    /// more only, best first, the term itself left out; empty where it is unknown.
    fn neighbours(&self, term: &str, most: usize, least_cos: f32) -> Vec<(String, f32)>;
}
