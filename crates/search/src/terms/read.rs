//! Vectors of documents computed by a text model.

use crate::document::{Document, FileDocuments};
use crate::encoder::{TextModel, TextModelError};
use crate::vectors::{FileVectors, Row};

/// Maximum length of a text in bytes; no model reads more, and a data table may have megabytes.
const MOST_BYTES: usize = 16 << 10;

/// The vectors of a file's documents, in the order of [`crate::file_terms`], computed by a model:
/// one of name and code, one of the doc comment. `encoder` is the name under which they are
/// stored.
///
/// # Errors
/// The model fails.
pub fn read_vectors(
    file: &FileDocuments<'_>,
    encoder: &str,
    reader: &dyn TextModel,
) -> Result<FileVectors, TextModelError> {
    let mut documents: Vec<&Document<'_>> = file.documents.iter().collect();
    documents.sort_by_key(|document| document.item);
    documents.dedup_by_key(|document| document.item);
    let code = |document: &&Document<'_>| {
        let text = format!("{}\n{}", document.canon, document.code);
        start(&text).to_owned()
    };
    let codes: Vec<String> = documents.iter().map(code).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let has_text = |doc: &&str| !doc.trim().is_empty();
    let docs: Vec<&str> = documents.iter().map(|it| start(it.doc)).filter(has_text).collect();
    let mut docs = rows(reader, &docs)?.into_iter();
    let mut vectors = FileVectors::new(encoder, reader.dims());
    vectors.code = rows(reader, &codes)?;
    let doc = |it: &&Document<'_>| if has_text(&start(it.doc)) { docs.next()? } else { None };
    vectors.doc = documents.iter().map(doc).collect();
    Ok(vectors)
}

fn rows(reader: &dyn TextModel, texts: &[&str]) -> Result<Vec<Option<Row>>, TextModelError> {
    let vectors = if texts.is_empty() { Vec::new() } else { reader.read(texts)? };
    let is_whole = vectors.iter().all(|vector| vector.len() == reader.dims());
    if vectors.len() != texts.len() || !is_whole {
        return Err(TextModelError::Shape);
    }
    Ok(vectors.iter().map(|vector| Row::of(vector)).collect())
}

/// The first part of a text, cut at a character boundary.
fn start(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MOST_BYTES)).unwrap_or(text)
}
