//! [`SparseVectors`]: vectors of the few documents that have one, by document.

use base::columns::Column;

use super::Vectors;

/// The vectors of some documents: the sorted documents, and their vectors in the same order.
#[derive(Clone, Copy)]
pub(crate) struct SparseVectors<'a> {
    documents: Column<'a>,
    vectors: Vectors<'a>,
}

impl<'a> SparseVectors<'a> {
    /// `None` where the vectors are not whole, or there is another number of documents.
    pub(crate) fn open(documents: Column<'a>, vectors: &'a [u8]) -> Option<Self> {
        let vectors = Vectors::open(vectors)?;
        (documents.len() == vectors.len()).then_some(Self { documents, vectors })
    }

    /// The product of a document's vector with another; 0 where it has none.
    pub(crate) fn score(&self, document: u32, vector: &[f32]) -> f32 {
        self.row(document).map_or(0.0, |row| self.vectors.score(row, vector))
    }

    /// A vector as it was written; `None` where the document has none.
    pub(crate) fn stored(&self, document: u32) -> Option<(f32, &'a [u8])> {
        self.vectors.stored(self.row(document)?)
    }

    fn row(&self, document: u32) -> Option<u32> {
        self.documents.find(document).map(|row| row as u32)
    }
}
