//! "How" and "where" questions made of statements.

use super::{FileQuestion, FileQuestionKind};

/// Verbs at the beginning of module docs that say only that something is in the module.
const CONTAINS: &[&str] = &[
    "contains",
    "defines",
    "describes",
    "exposes",
    "holds",
    "implements",
    "includes",
    "offers",
    "provides",
    "re-exports",
];
/// Words that follow a noun in the plural, and no verb.
const AFTER_NOUNS: &[&str] = &[
    "and", "are", "as", "by", "for", "from", "in", "of", "on", "or", "that", "to", "used", "which",
    "with",
];
/// Longer sentences are no questions that a person would type.
const MAX_WORDS: usize = 16;
/// Words of a whole clause, which is no object of a question.
const CLAUSE: &[&str] = &[
    "are", "be", "been", "can", "has", "have", "if", "is", "it", "may", "must", "now", "should",
    "was", "were", "when", "will", "you",
];
/// Words before the verb of a module's description.
const SUBJECTS: &[&str] =
    &["this module", "this file", "this crate", "this library", "the module", "module that"];

/// The question of a sentence; its form alternates with `at`.
pub(super) fn ask(of: &FileQuestion, at: usize) -> Option<FileQuestion> {
    let mut words = of.text.split_whitespace();
    let is_phrase = words.clone().count() <= MAX_WORDS
        && !of.text.contains(['(', ':', ','])
        && !words.any(|word| CLAUSE.contains(&word));
    let text = is_phrase.then(|| question(&of.text, at))??;
    Some(FileQuestion { kind: FileQuestionKind::How, text, ..of.clone() })
}

fn question(sentence: &str, at: usize) -> Option<String> {
    let plain = sentence.trim_end_matches(['.', '!', ':', '?']).replace(['`', '[', ']'], "");
    let mut plain = plain.trim();
    for subject in SUBJECTS {
        let head = plain.get(..subject.len()).unwrap_or_default();
        if head.eq_ignore_ascii_case(subject) {
            plain = plain[subject.len()..].trim_start();
        }
    }
    let (first, rest) = plain.split_once(' ')?;
    let lower = first.to_lowercase();
    let is_even = at.is_multiple_of(2);
    Some(match lower.as_str() {
        "a" | "an" | "the" if is_even => format!("how does {lower} {rest} work?"),
        "a" | "an" | "the" => format!("where is {lower} {rest} implemented?"),
        verb if CONTAINS.contains(&verb) && is_even => format!("where can I find {rest}?"),
        verb if CONTAINS.contains(&verb) => format!("which file has {rest}?"),
        _ if is_verb(first, rest) && is_even => format!("what {lower} {rest}?"),
        _ if is_verb(first, rest) => format!("where is the code that {lower} {rest}?"),
        _ if is_even => format!("where is the code for {} {rest}?", uncapitalised(first)),
        _ => format!("how is {} {rest} handled?", uncapitalised(first)),
    })
}

/// Whether a first word looks like a verb in the third person: `Parses` before an object, and not
/// `Types` before a preposition.
fn is_verb(word: &str, rest: &str) -> bool {
    let is_word = word.chars().skip(1).all(|c| c.is_ascii_lowercase());
    let is_third = word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    let next = rest.split_whitespace().next().unwrap_or_default();
    is_word && is_third && !AFTER_NOUNS.contains(&next)
}

/// The word with a small first letter, unless it is a name.
fn uncapitalised(word: &str) -> String {
    let is_word = word.chars().skip(1).all(|c| c.is_ascii_lowercase() || c == '-');
    if is_word { word.to_lowercase() } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::question;

    #[track_caller]
    fn check(sentence: &str, even: &str, odd: &str) {
        assert_eq!(question(sentence, 0).as_deref(), Some(even));
        assert_eq!(question(sentence, 1).as_deref(), Some(odd));
    }

    #[test]
    fn statements_become_questions() {
        check(
            "The parser of `Cargo.lock` files.",
            "how does the parser of Cargo.lock files work?",
            "where is the parser of Cargo.lock files implemented?",
        );
        check(
            "This module provides helpers for dates.",
            "where can I find helpers for dates?",
            "which file has helpers for dates?",
        );
        check(
            "Parses headers of a request.",
            "what parses headers of a request?",
            "where is the code that parses headers of a request?",
        );
        check(
            "Support for HTTP proxies",
            "where is the code for support for HTTP proxies?",
            "how is support for HTTP proxies handled?",
        );
        check(
            "Types for the proxy.",
            "where is the code for types for the proxy?",
            "how is types for the proxy handled?",
        );
    }
}
