use crate::document::{Document, SourceFile};
use crate::encoder::Reader;
use crate::vectors::{FileVectors, Row};

/// No reader looks at more of a text; a table of data may have megabytes.
const MOST_BYTES: usize = 16 << 10;

/// The vectors of a file's documents, in the order in which [`crate::file_terms`] has them, read by
/// a model: of what each is called with its code, and of its doc comment. `encoder` is the name under
/// which they are kept.
///
/// # Errors
/// When the reader fails: why.
pub fn read_vectors(
    file: &SourceFile<'_>,
    encoder: &str,
    reader: &dyn Reader,
) -> Result<FileVectors, String> {
    let mut documents: Vec<&Document<'_>> = file.documents.iter().collect();
    documents.sort_by_key(|document| document.item);
    documents.dedup_by_key(|document| document.item);
    let code = |document: &&Document<'_>| {
        let text = format!("{}\n{}", document.canon, document.code);
        start(&text).to_owned()
    };
    let codes: Vec<String> = documents.iter().map(code).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let is_told = |doc: &&str| !doc.trim().is_empty();
    let docs: Vec<&str> = documents.iter().map(|it| start(it.doc)).filter(is_told).collect();
    let mut docs = rows(reader, &docs)?.into_iter();
    let mut vectors = FileVectors::new(encoder, reader.dims());
    vectors.code = rows(reader, &codes)?;
    let doc = |it: &&Document<'_>| if is_told(&start(it.doc)) { docs.next()? } else { None };
    vectors.doc = documents.iter().map(doc).collect();
    Ok(vectors)
}

fn rows(reader: &dyn Reader, texts: &[&str]) -> Result<Vec<Option<Row>>, String> {
    let vectors = if texts.is_empty() { Vec::new() } else { reader.read(texts)? };
    let is_whole = vectors.iter().all(|vector| vector.len() == reader.dims());
    if vectors.len() != texts.len() || !is_whole {
        return Err("it gave vectors of another number or length".to_owned());
    }
    Ok(vectors.iter().map(|vector| Row::of(vector)).collect())
}

/// The first part of a text, cut between characters.
fn start(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MOST_BYTES)).unwrap_or(text)
}
