//! Words of a text that may be names of items.

use base::is_word;

/// A word that may be the name of an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    /// Spelling in the text.
    pub(crate) name: String,
    /// Qualifier: `Reader` in `Reader::read`.
    pub(crate) qualifier: Option<String>,
    /// Whether it looks like code: an inner capital or underscore, a path, a call, backticks.
    pub(crate) is_code: bool,
}

/// Maximum number of words that are looked up.
const MOST: usize = 96;

pub(super) fn names(text: &str) -> Vec<Name> {
    let mut found: Vec<(&str, Option<&str>, bool)> = Vec::new();
    let mut rest = text;
    let mut before: Option<&str> = None;
    let mut gap = "";
    while let Some(start) = rest.find(is_word) {
        gap = if start > 0 { &rest[..start] } else { gap };
        let tail = &rest[start..];
        let end = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        let (word, behind) = tail.split_at(end);
        let qualifier = before.filter(|_| gap == "::");
        let is_code = qualifier.is_some()
            || behind.starts_with("::")
            || behind.starts_with('(')
            || behind.starts_with("!(")
            || gap.ends_with('`') && behind.starts_with('`')
            || looks_like_code(word);
        if word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()) {
            found.push((word, qualifier, is_code));
        }
        before = Some(word);
        rest = behind;
        gap = "";
    }
    // A word that is code in one place counts as code everywhere.
    found.sort_unstable_by_key(|(name, qualifier, is_code)| (*name, *qualifier, !is_code));
    found.dedup_by_key(|(name, qualifier, _)| (*name, *qualifier));
    if found.len() > MOST {
        // Words that look like code are the most specific.
        found.sort_by_key(|(.., is_code)| !is_code);
        found.truncate(MOST);
        found.sort_unstable();
    }
    let owned = |(name, qualifier, is_code): (&str, Option<&str>, bool)| Name {
        name: name.to_owned(),
        qualifier: qualifier.map(str::to_owned),
        is_code,
    };
    found.into_iter().map(owned).collect()
}

fn looks_like_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    inner.contains('_')
        || inner.len() != word.len()
        || inner.chars().skip(1).any(char::is_uppercase) && inner.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_code_are_marked() {
        let found: Vec<String> = names("Fix `read` of io::Reader::read_all(x) in TcpStream")
            .into_iter()
            .filter(|name| name.is_code)
            .map(|name| match name.qualifier {
                Some(qualifier) => format!("{qualifier}::{}", name.name),
                None => name.name,
            })
            .collect();
        assert_eq!(found, ["io::Reader", "TcpStream", "io", "read", "Reader::read_all"]);
    }
}
