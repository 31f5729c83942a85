//! Sentences of README, guide and changelog that mention an item.

use super::sources::Sources;
use super::{FileQuestion, FileQuestionKind};

/// Fewest and most words that are left without the name.
const WORDS: std::ops::RangeInclusive<usize> = 6..=40;
/// A sentence whose beginning of this length is in the sources is no question: it would find itself.
const OPENING: usize = 40;

/// A question for each sentence with a single known name in code font, which is left out of it.
pub(super) fn questions(sources: &Sources) -> Vec<FileQuestion> {
    let unique = sources.unique();
    let mut all = Vec::new();
    for sentence in sources.guides.iter().flat_map(|text| sentences(text)) {
        let mut known = code_words(&sentence).filter_map(|name| unique.get_key_value(name));
        let (Some((name, file)), None) = (known.next(), known.next()) else { continue };
        let opening = sentence.get(..OPENING).unwrap_or(&sentence);
        if sources.files.iter().any(|file| file.text.contains(opening)) {
            continue;
        }
        let text = without(&sentence, name);
        if WORDS.contains(&text.split_whitespace().count()) && is_text(&text) {
            let files = vec![file.path.clone()];
            all.push(FileQuestion { kind: FileQuestionKind::Guide, text, files, blank: None });
        }
    }
    all
}

/// The sentences of a Markdown text outside of code blocks, tables, headings and HTML, one line
/// each.
fn sentences(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = vec![String::new()];
    let mut is_code = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        }
        let is_other = line.starts_with(['#', '|', '<', '!', '[', '`', '~']);
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        if is_code || line.is_empty() || is_other || item.is_some() {
            paragraphs.push(String::new());
        }
        if let Some(last) = paragraphs.last_mut().filter(|_| !is_code && !is_other) {
            last.push_str(item.unwrap_or(line));
            last.push(' ');
        }
    }
    let ends = |text: &String| -> Vec<String> {
        text.split(". ").map(|it| it.trim().trim_end_matches('.').to_owned()).collect()
    };
    paragraphs.iter().flat_map(ends).filter(|it| !it.is_empty()).collect()
}

/// The last path segments of what is in backticks: `b` of `` `a::b()` ``.
fn code_words(sentence: &str) -> impl Iterator<Item = &str> {
    let quoted = sentence.split('`').skip(1).step_by(2);
    quoted.map(|code| {
        let path = code.trim_end_matches("()").trim_end_matches('!');
        path.rsplit("::").next().unwrap_or(path)
    })
}

/// The sentence without code that mentions the name, and without link targets and code marks.
fn without(sentence: &str, name: &str) -> String {
    let mut out = String::new();
    for (at, part) in sentence.split('`').enumerate() {
        if at % 2 == 0 || !part.contains(name) {
            out.push_str(part);
        }
    }
    let mut text = String::new();
    let mut rest = out.as_str();
    while let Some(at) = rest.find("](") {
        text.push_str(&rest[..at]);
        rest = rest[at..].find(')').map_or("", |end| &rest[at + end + 1..]);
    }
    text.push_str(rest);
    let text = text.replace(['[', ']', '*'], "");
    let words = text.split_whitespace().filter(|word| !word.contains("://"));
    let words: Vec<&str> = words.filter(|word| !word.contains(name)).collect();
    words.join(" ")
}

/// Whether a text is mostly English words.
fn is_text(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_ascii_alphabetic() || *c == ' ').count();
    text.is_ascii() && letters * 10 >= text.len() * 8
}
