//! `terms.bin`: of each file its terms and vectors, by the hash of all that they follow from, so
//! that a change of one file costs the reading of one file.

use std::collections::BTreeMap;
use std::path::Path;

use base::ContentHash;
use search::vectors::Row;
use search::{FileTerms, FileVectors};
use serde::{Deserialize, Serialize};

use crate::IngestError;
use crate::sealed::{self, Format, Kept, seal};

const FORMAT: Format = Format { kind: *b"term", version: 1 };

/// What is kept of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    /// As [`FileTerms::to_bytes`] has it, with a version and a checksum of its own.
    terms: Vec<u8>,
    vectors: Option<KeptVectors>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptVectors {
    encoder: String,
    dims: u32,
    code: Vec<Option<(f32, Vec<u8>)>>,
    doc: Vec<Option<(f32, Vec<u8>)>>,
}

impl Block {
    pub(super) fn new(terms: &FileTerms, vectors: Option<&FileVectors>) -> Self {
        let rows = |rows: &[Option<Row>]| {
            let row = |row: &Row| {
                (row.scale, row.values.iter().map(|value| value.cast_unsigned()).collect())
            };
            rows.iter().map(|it| it.as_ref().map(row)).collect()
        };
        Self {
            terms: terms.to_bytes(),
            vectors: vectors.map(|vectors| KeptVectors {
                encoder: vectors.encoder.clone(),
                dims: vectors.dims as u32,
                code: rows(&vectors.code),
                doc: rows(&vectors.doc),
            }),
        }
    }

    /// The terms; `None` where they are damaged or of another tokenizer.
    pub(super) fn terms(&self) -> Option<FileTerms> {
        FileTerms::from_bytes(&self.terms)
    }

    /// The vectors of this encoder, where they were made.
    pub(super) fn vectors(&self, encoder: &str) -> Option<FileVectors> {
        let kept = self.vectors.as_ref().filter(|kept| kept.encoder == encoder)?;
        let rows = |rows: &[Option<(f32, Vec<u8>)>]| {
            let row = |(scale, values): &(f32, Vec<u8>)| Row {
                scale: *scale,
                values: values.iter().map(|value| value.cast_signed()).collect(),
            };
            rows.iter().map(|it| it.as_ref().map(row)).collect()
        };
        Some(FileVectors {
            encoder: kept.encoder.clone(),
            dims: kept.dims as usize,
            code: rows(&kept.code),
            doc: rows(&kept.doc),
        })
    }

    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(self).ok()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

/// Blocks by key, as bytes.
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
