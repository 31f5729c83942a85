//! `terms.bin`: of each file its terms, by the hash of all that they follow from, so that a change of
//! one file costs the reading of one file. Vectors stand in the index itself, which hands them on.

use std::collections::BTreeMap;
use std::path::Path;

use crate::IngestError;
use crate::sealed::{self, Format, Kept, seal};
use base::ContentHash;

const FORMAT: Format = Format { kind: *b"term", version: 2 };

/// The terms of files by key, as [`search::FileTerms::to_bytes`] has them, each with a version and a
/// checksum of its own.
pub(super) type Blocks = BTreeMap<ContentHash, Vec<u8>>;

/// Reads what was kept; why not, where it is damaged.
pub(super) fn read(path: &Path) -> (Blocks, Option<String>) {
    let damaged = |reason: String| (Blocks::new(), Some(reason));
    match sealed::read(FORMAT, path) {
        Kept::None => (Blocks::new(), None),
        Kept::Damaged(reason) => damaged(reason),
        Kept::Content(content) => {
            match postcard::from_bytes::<Vec<(ContentHash, Vec<u8>)>>(&content) {
                Ok(blocks) => (blocks.into_iter().collect(), None),
                Err(error) => damaged(error.to_string()),
            }
        }
    }
}

/// Replaces what is kept.
pub(super) fn write(path: &Path, blocks: &Blocks) -> Result<(), IngestError> {
    let blocks: Vec<(&ContentHash, &Vec<u8>)> = blocks.iter().collect();
    let content = postcard::to_stdvec(&blocks)
        .map_err(|error| IngestError::Rows { reason: error.to_string() })?;
    sealed::replace(path, &[&seal(FORMAT, &content)])
}
