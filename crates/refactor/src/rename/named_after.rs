//! Tests that are called after a renamed function. No edit follows there: a test has a name of its own.

use base::{ByteSpan, LineIndex};
use syntax::places::{Definition, DefinitionKind};

use super::unproven::UnprovenName;
use super::{RenameKind, Renaming};
use crate::name_words::words;

/// Whether a function is a test that is called after a function: its name has the words of that one, and
/// more.
pub fn is_named_after(text: &str, of: &Definition, function: &str) -> bool {
    let head = ByteSpan::new(of.span.start, of.name_span.start).slice(text).unwrap_or("");
    let is_test = ["#[test]", "::test]", "::test("].iter().any(|it| head.contains(it));
    let (own, old) = (words(&of.name), words(function));
    of.kind == DefinitionKind::Function
        && is_test
        && !old.is_empty()
        && own.len() > old.len()
        && own.windows(old.len()).any(|it| it == old)
}

impl Renaming {
    /// The tests that are called after the renamed function, if its name cannot be a word of a sentence.
    pub fn tests_named_after(&self) -> Vec<UnprovenName> {
        let name = &self.target.from;
        let is_function = matches!(self.target.kind, RenameKind::Function | RenameKind::Method);
        if !is_function || name.len() <= 4 || words(name).len() < 2 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for source in self.sources.iter().filter(|it| !it.is_page) {
            let definitions = source.places.definitions.iter();
            let named = definitions.filter(|it| is_named_after(&source.text, it, name));
            found.extend(named.map(|it| UnprovenName {
                path: source.path.clone(),
                line: LineIndex::new(&source.text).line_of(it.name_span.start),
                at: it.name_span.start,
                what: format!("test `{}`", it.name),
                why: "names of tests are not changed".to_owned(),
                edited: false,
                in_comment: false,
            }));
        }
        found
    }
}
