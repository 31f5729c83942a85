//! Words of a question, as both agents use them.

/// Words that are in every question or every code.
const COMMON: &[&str] = &[
    "about", "add", "added", "adds", "after", "all", "also", "and", "are", "because", "been",
    "before", "but", "can", "change", "code", "could", "does", "doesn", "done", "fix", "fixed",
    "fixes", "for", "from", "has", "have", "how", "improve", "instead", "into", "its", "just",
    "make", "more", "must", "new", "not", "now", "only", "other", "out", "remove", "should",
    "some", "such", "support", "than", "that", "the", "them", "then", "there", "these", "they",
    "this", "update", "use", "used", "using", "was", "were", "what", "when", "where", "which",
    "will", "with", "would",
];

/// The question itself, without the sentence before it.
pub(crate) fn question(text: &str) -> &str {
    text.split_once("? ").map_or(text, |(_, rest)| rest)
}

/// The specific words of a question: names in code first, then the longest.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in question(text).split(|c: char| !c.is_alphanumeric() && c != '_') {
        let lower = word.to_lowercase();
        if word.len() > 2 && !COMMON.contains(&lower.as_str()) && !found.contains(&word.to_owned())
        {
            found.push(word.to_owned());
        }
    }
    let is_name = |it: &String| it.contains('_') || it.chars().skip(1).any(char::is_uppercase);
    found.sort_by_key(|it| (!is_name(it), std::cmp::Reverse(it.len())));
    found
}

/// The part of a word that its forms share.
pub(crate) fn stem(word: &str) -> String {
    let lower = word.to_lowercase();
    let endings = ["ations", "ation", "ings", "ing", "ies", "ed", "es", "s"];
    let cut = endings.iter().filter_map(|it| lower.strip_suffix(it)).find(|it| it.len() >= 4);
    cut.map_or(lower.clone(), str::to_owned)
}

/// The new name in the question of a rename.
pub(crate) fn renamed_to(text: &str) -> String {
    text.rsplit('`').nth(1).unwrap_or_default().to_owned()
}
