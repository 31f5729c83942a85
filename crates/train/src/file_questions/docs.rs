//! The first sentences of module docs.

use super::sources::{SourceText, Sources};
use super::{FileQuestion, FileQuestionKind};
use crate::sentence::first_sentence;

/// Fewest words of a question.
const MIN_WORDS: usize = 5;
/// Headings and badges come first; the sentence is in one of the first paragraphs.
const PARAGRAPHS: usize = 3;

/// A question for each file whose inner doc comment begins with a sentence. Its whole paragraph is
/// blanked.
pub(super) fn questions(sources: &Sources) -> Vec<FileQuestion> {
    sources.files.iter().filter_map(question).collect()
}

fn question(file: &SourceText) -> Option<FileQuestion> {
    let paragraphs = paragraphs(&file.text);
    let sentence = |range: std::ops::Range<usize>| {
        let docs = file.text.get(range.clone())?;
        let sentence = first_sentence(docs)?;
        (sentence.split_whitespace().count() >= MIN_WORDS).then_some((sentence, range))
    };
    let (text, range) = paragraphs.into_iter().take(PARAGRAPHS).find_map(sentence)?;
    Some(FileQuestion {
        kind: FileQuestionKind::Module,
        text,
        files: vec![file.path.clone()],
        blank: Some((file.path.clone(), range)),
    })
}

/// The byte ranges of the paragraphs of a file's inner doc comment (`//!`).
fn paragraphs(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut is_open = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.trim_end().len());
        at += line.len();
        let line = line.trim();
        match line.strip_prefix("//!").map(str::trim) {
            Some("") => is_open = false,
            Some(_) => {
                match found.last_mut().filter(|_| is_open) {
                    Some(last) => last.end = end,
                    None => found.push(start..end),
                }
                is_open = true;
            }
            // Licence comments and attributes may come before; code ends the search.
            None if line.is_empty() || line.starts_with("//") || line.starts_with("#!") => {}
            None => break,
        }
    }
    found
}
