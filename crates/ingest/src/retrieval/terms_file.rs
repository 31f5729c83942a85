//! `terms.bin`: the terms of each file, by the hash of their inputs, so that a change of one file
//! requires reading one file. Vectors are stored in the index itself, which the next one reuses.
//! Only an update of the index reads it, so it is compressed.

use std::path::Path;
use std::sync::Arc;

use crate::IngestError;
use crate::sealed::{self, Format, SealedFault, SealedFile, seal};
use base::{ContentHash, SortedMap};

const FORMAT: Format = Format { kind: *b"term", version: 3 };

/// The greatest factor by which LZ4 can compress: a greater length is forged.
const FACTOR: usize = 256;

/// The terms of files by key, encoded by [`search::FileTerms::to_bytes`], each with its own version
/// and checksum.
pub(super) type Blocks = SortedMap<ContentHash, Arc<Vec<u8>>>;

/// Reads the stored terms; the second value is the reason if they are damaged.
pub(super) fn read(path: &Path) -> (Blocks, Option<String>) {
    let damaged = |fault: SealedFault| (Blocks::new(), Some(fault.to_string()));
    match sealed::read(FORMAT, path) {
        SealedFile::Missing => (Blocks::new(), None),
        SealedFile::Damaged(reason) => damaged(reason),
        SealedFile::Content(content) => match unpack(&content) {
            Ok(blocks) => {
                (blocks.into_iter().map(|(key, block)| (key, Arc::new(block))).collect(), None)
            }
            Err(reason) => damaged(reason),
        },
    }
}

fn unpack(content: &[u8]) -> Result<Vec<(ContentHash, Vec<u8>)>, SealedFault> {
    let compression =
        |error: lz4_flex::block::DecompressError| SealedFault::Compression(error.to_string());
    let (len, body) = lz4_flex::block::uncompressed_size(content).map_err(compression)?;
    if len > body.len().saturating_mul(FACTOR) {
        return Err(SealedFault::TooLong);
    }
    let content = lz4_flex::block::decompress(body, len).map_err(compression)?;
    Ok(postcard::from_bytes(&content)?)
}

/// Replaces the stored terms.
pub(super) fn write(path: &Path, blocks: &Blocks) -> Result<(), IngestError> {
    let blocks: Vec<(&ContentHash, &Vec<u8>)> =
        blocks.iter().map(|(key, block)| (key, &**block)).collect();
    let content = postcard::to_stdvec(&blocks)
        .map_err(|error| IngestError::Rows { reason: error.to_string() })?;
    let packed = lz4_flex::block::compress_prepend_size(&content);
    sealed::replace(path, &[&seal(FORMAT, &packed)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_back_and_a_forged_length_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("terms.bin");
        let blocks: Blocks =
            (0..40u8).map(|n| (ContentHash::of(&[n]), Arc::new(vec![n % 3; 90]))).collect();
        write(&path, &blocks).unwrap();
        assert_eq!(read(&path), (blocks, None));
        assert!(std::fs::metadata(&path).unwrap().len() < 40 * 90);
        let mut forged = lz4_flex::block::compress_prepend_size(&[0; 90]);
        forged[3] = 0xff;
        sealed::replace(&path, &[&seal(FORMAT, &forged)]).unwrap();
        assert_eq!(read(&path), (Blocks::new(), Some("its length is wrong".to_owned())));
        sealed::replace(&path, &[&seal(FORMAT, b"abc")]).unwrap();
        assert!(read(&path).1.is_some());
    }
}
