//! Reuse of vectors: the next index takes over the vectors of files that did not change.

use base::ContentHash;

use super::SearchIndex;
use super::layout::Section;
use crate::vectors::{FileVectors, Row};

/// Stored length of a key in bytes: enough to distinguish files; it need not resist forgery.
const KEY: usize = 16;

/// The stored form of a key.
pub(super) fn key_of(key: &ContentHash) -> [u8; KEY] {
    let mut short = [0; KEY];
    short.iter_mut().zip(key.as_bytes()).for_each(|(slot, byte)| *slot = *byte);
    short
}

impl SearchIndex {
    /// The vectors of all files that have any, with the keys under which they were added
    /// ([`crate::IndexBuilder::key`]); none where they are damaged.
    pub fn kept_vectors(&self) -> impl Iterator<Item = (&[u8; KEY], impl Fn() -> FileVectors)> {
        let vectors = self.stored_vectors();
        let encoder = self.encoder_name().filter(|_| vectors.is_some());
        let keys = encoder.map(|_| self.section(Section::FileKeys).as_chunks::<KEY>().0);
        let first = self.first_documents();
        keys.unwrap_or_default().iter().enumerate().filter_map(move |(file, key)| {
            let ((code, doc), encoder) = (vectors?, encoder?);
            let (start, end) = (first.get(file)?, first.get(file + 1)?);
            let own = move || FileVectors {
                code: (start..end).map(|row| row_of(code.stored(row))).collect(),
                doc: (start..end).map(|row| row_of(doc.stored(row))).collect(),
                ..FileVectors::new(encoder, code.dims())
            };
            Some((key, own))
        })
    }
}

fn row_of(stored: Option<(f32, &[u8])>) -> Option<Row> {
    let (scale, values) = stored?;
    Some(Row { scale, values: values.iter().map(|value| value.cast_signed()).collect() })
}
