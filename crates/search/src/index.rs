use std::fmt;
use std::sync::Arc;

use base::Hint;

use crate::document::FileTerms;
use crate::vectors::FileVectors;

/// Joins the terms of all files to an index.
#[derive(Debug, Default)]
pub struct IndexBuilder {}

impl IndexBuilder {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file: its number in the map, the number of its first item there
    /// (`Map::items_of_file(file).start`), its terms and, where an encoder ran, its vectors. Files
    /// may come in any order, each once.
    pub fn add(
        &mut self,
        _file: u32,
        _first_item: u32,
        _terms: &FileTerms,
        _vectors: Option<&FileVectors>,
    ) {
    }

    /// The bytes of the index over the map that the numbers are of.
    pub fn finish(self, _map: &graph::Map) -> Vec<u8> {
        Vec::new()
    }
}

/// The index, read where its bytes lie. Cloning is cheap.
#[derive(Clone)]
pub struct SearchIndex {}

/// Why some bytes are no index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damaged {
    /// They are shorter than they say, or than any index.
    #[error("search index has {found} bytes, expected {expected}")]
    Length {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// They begin otherwise.
    #[error("file is no search index")]
    Magic,
    /// Another version of graftage wrote them.
    #[error("search index is of version {found}, expected {expected}")]
    Version {
        /// Theirs.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// They are not what was written.
    #[error("search index's checksum does not hold")]
    Checksum,
    /// A section does not make sense although the checksum holds.
    #[error("search index's {0} make no sense")]
    Content(&'static str),
}

impl Hint for Damaged {
    fn hint(&self) -> Option<String> {
        Some("run `graftage index --full`".to_owned())
    }
}

impl SearchIndex {
    /// Reads header and checksum, and nothing else.
    pub fn open(_bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, Damaged> {
        Ok(Self {})
    }

    /// The epoch of the map that it was made from.
    pub fn epoch(&self) -> u64 {
        0
    }

    /// How many documents it has.
    pub fn document_count(&self) -> u32 {
        0
    }

    /// How many documents have a vector; the others are pending.
    pub fn vector_count(&self) -> u32 {
        0
    }

    /// The name of the encoder whose vectors it holds.
    pub fn encoder_name(&self) -> Option<&str> {
        None
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        0
    }
}

impl fmt::Debug for SearchIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchIndex").field("epoch", &self.epoch()).finish()
    }
}
