//! Words in texts: names and keywords, whole.

/// Whether a character may be part of a word.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text is one word.
pub fn is_one_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word)
}

/// Whether `word`, which may be several joined by other characters (`dry-run`), is in a text, not as a
/// part of a longer one.
pub fn has_word(text: &str, word: &str) -> bool {
    !word.is_empty() && word_places(text, word).next().is_some()
}

/// Where the word `word` is in a text, not as a part of a longer one.
pub fn word_places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let places = text.match_indices(word).map(|(at, _)| at);
    places.filter(move |at| {
        !text[..*at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
}

/// A text with another word for `from`.
pub fn with_word(text: &str, from: &str, to: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut end = 0;
    for at in word_places(text, from) {
        found.push_str(&text[end..at]);
        found.push_str(to);
        end = at + from.len();
    }
    found.push_str(&text[end..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_longer_words_are_not_the_word() {
        assert!(has_word("a::b_c(d)", "b_c"));
        assert!(!has_word("a::b_c(d)", "b"));
        assert!(has_word("a dry-run.", "dry-run") && !has_word("dry-runs", "dry-run"));
        assert_eq!(word_places("x ax x_ x", "x").collect::<Vec<_>>(), [0, 8]);
        assert_eq!(with_word("x::ax::x", "x", "y"), "y::ax::y");
        assert!(is_one_word("a_1") && !is_one_word("a b") && !is_one_word(""));
    }
}
