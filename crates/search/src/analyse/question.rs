//! What a question asks about: `how does the retry policy work?` asks about `the retry policy`.

/// Words that begin a question.
const OPENINGS: &[&str] = &["how", "where", "what", "which", "who", "why", "when"];
/// Words of the frame before the subject.
const BEFORE: &[&str] = &[
    "am",
    "are",
    "can",
    "code",
    "could",
    "did",
    "do",
    "does",
    "file",
    "files",
    "find",
    "for",
    "function",
    "functions",
    "has",
    "have",
    "i",
    "implements",
    "in",
    "is",
    "it",
    "module",
    "modules",
    "of",
    "one",
    "should",
    "that",
    "there",
    "was",
    "we",
    "were",
    "will",
    "would",
    "you",
];
/// Words of the frame behind the subject.
const BEHIND: &[&str] = &[
    "behave",
    "behaves",
    "being",
    "code",
    "computed",
    "coded",
    "created",
    "declared",
    "defined",
    "done",
    "enforced",
    "exist",
    "found",
    "get",
    "gets",
    "handled",
    "happen",
    "happening",
    "happens",
    "implemented",
    "is",
    "it",
    "kept",
    "live",
    "lives",
    "located",
    "made",
    "managed",
    "performed",
    "work",
    "working",
    "works",
];

/// Words for code in general: `the code for …`.
const NOUNS: &[&str] =
    &["code", "file", "function", "implementation", "logic", "method", "module", "type"];

/// The subject of a question of one sentence; `None` for another text, or if nothing is left.
pub(super) fn subject(text: &str) -> Option<String> {
    let is = |word: &str, list: &[&str]| list.contains(&word.to_lowercase().as_str());
    if !text.split_whitespace().next().is_some_and(|first| is(first, OPENINGS)) {
        return None;
    }
    let plain = text.trim().trim_end_matches(['?', ' ', '.', '!']);
    if plain.contains(['\n', ':', ';']) && !plain.contains("::") {
        return None;
    }
    let mut words: Vec<&str> = plain.split_whitespace().collect();
    let framed = 1 + words.get(1..)?.iter().take_while(|word| is(word, BEFORE)).count();
    words.drain(..framed);
    if let [article, noun, link, _, ..] = words.as_slice()
        && is(article, &["the", "a"])
        && is(noun, NOUNS)
        && is(link, &["for", "of", "that", "to", "which"])
    {
        words.drain(..3);
    }
    while words.last().is_some_and(|word| is(word, BEHIND)) {
        words.pop();
    }
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::subject;

    #[test]
    fn the_frame_of_a_question_goes() {
        for (question, want) in [
            ("How does the retry policy work?", Some("the retry policy")),
            ("where is request routing handled", Some("request routing")),
            ("where can I find helpers for dates?", Some("helpers for dates")),
            ("which file has the parser of numbers?", Some("the parser of numbers")),
            ("where is the code for opening files", Some("opening files")),
            ("what parses headers?", Some("parses headers")),
            ("where is Router::route defined?", Some("Router::route")),
            ("how does it work?", None),
            ("how", None),
            ("when: it fails", None),
            ("The parser", None),
        ] {
            assert_eq!(subject(question).as_deref(), want, "{question}");
        }
    }
}
