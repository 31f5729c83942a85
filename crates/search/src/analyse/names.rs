//! Words of a text that may be names of items.

use std::collections::BTreeMap;

/// A word that may name an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    /// As it stands there.
    pub(crate) name: String,
    /// What stands before it: `Reader` in `Reader::read`.
    pub(crate) qualifier: Option<String>,
    /// It looks like code: an inner capital or underscore, a path, a call, backticks around it.
    pub(crate) is_code: bool,
}

/// More are not looked up.
const MOST: usize = 96;

pub(super) fn names(text: &str) -> Vec<Name> {
    let mut found: BTreeMap<(String, Option<String>), bool> = BTreeMap::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    let mut before: Option<&str> = None;
    let mut gap = "";
    while let Some(start) = rest.find(is_word) {
        gap = if start > 0 { &rest[..start] } else { gap };
        let tail = &rest[start..];
        let end = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        let (word, behind) = tail.split_at(end);
        let qualifier = before.filter(|_| gap == "::").map(str::to_owned);
        let is_code = qualifier.is_some()
            || behind.starts_with("::")
            || behind.starts_with('(')
            || behind.starts_with("!(")
            || gap.ends_with('`') && behind.starts_with('`')
            || looks_like_code(word);
        if word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()) {
            *found.entry((word.to_owned(), qualifier)).or_default() |= is_code;
        }
        before = Some(word);
        rest = behind;
        gap = "";
    }
    let name = |((name, qualifier), is_code)| Name { name, qualifier, is_code };
    let mut names: Vec<Name> = found.into_iter().map(name).collect();
    // Where there are too many, those that look like code tell most.
    names.sort_by_key(|name| !name.is_code);
    names.truncate(MOST);
    names.sort();
    names
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
    fn words_that_look_like_code_are_told_from_others() {
        let told: Vec<String> = names("Fix `read` of io::Reader::read_all(x) in TcpStream")
            .into_iter()
            .filter(|name| name.is_code)
            .map(|name| match name.qualifier {
                Some(qualifier) => format!("{qualifier}::{}", name.name),
                None => name.name,
            })
            .collect();
        assert_eq!(told, ["io::Reader", "TcpStream", "io", "read", "Reader::read_all"]);
    }
}
