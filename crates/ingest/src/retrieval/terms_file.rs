//! `terms.bin`: the terms of each file, by the hash of their inputs, so that a change of one file
//! requires reading one file. Vectors are stored in the index itself, which the next one reuses.

use std::collections::BTreeMap;
use std::path::Path;

use crate::IngestError;
use crate::sealed::{self, Format, SealedFile, seal};
use base::ContentHash;

const FORMAT: Format = Format { kind: *b"term", version: 2 };

/// The terms of files by key, encoded by [`search::FileTerms::to_bytes`], each with its own version
/// and checksum.
pub(super) type Blocks = BTreeMap<ContentHash, Vec<u8>>;

/// Reads the stored terms; the second value is the reason if they are damaged.
pub(super) fn read(path: &Path) -> (Blocks, Option<String>) {
    let damaged = |reason: String| (Blocks::new(), Some(reason));
    match sealed::read(FORMAT, path) {
        SealedFile::Missing => (Blocks::new(), None),
        SealedFile::Damaged(reason) => damaged(reason),
        SealedFile::Content(content) => {
            match postcard::from_bytes::<Vec<(ContentHash, Vec<u8>)>>(&content) {
                Ok(blocks) => (blocks.into_iter().collect(), None),
                Err(error) => damaged(error.to_string()),
            }
        }
    }
}

/// Replaces the stored terms.
pub(super) fn write(path: &Path, blocks: &Blocks) -> Result<(), IngestError> {
    let blocks: Vec<(&ContentHash, &Vec<u8>)> = blocks.iter().collect();
    let content = postcard::to_stdvec(&blocks)
        .map_err(|error| IngestError::Rows { reason: error.to_string() })?;
    sealed::replace(path, &[&seal(FORMAT, &content)])
}
