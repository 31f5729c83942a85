//! Analysis of a query's text: its kind, terms, and the files, lines and names that it mentions.
//!
//! A text is a diff if a line begins like one (`diff --git`, `@@ -1,2 +1,2 @@`), a stack trace if
//! it contains `panicked at` or two numbered frames, a compiler message if it contains `error[E…`
//! or ` --> file`, a file path if it is one word with `/`, `*` or `.rs` at its end, a symbol if it is
//! a single path or name, a question if it begins like one – its frame is left out of it –, else
//! prose. In every kind, paths with
//! line numbers refer to the items there, words that are item names refer to those items, and the
//! prefix of a subject line (`cli: …`, `fix(rt): …`) names a file or directory.

mod names;
mod places;
mod question;
mod scope;

pub(crate) use names::Name;
pub(crate) use places::{Mention, is_path_end};

use std::borrow::Cow;

use crate::query::QueryKind;
use crate::terms::weight_of;
use crate::tokenize::tokens;

/// The analysed text of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Analysis {
    pub(crate) kind: QueryKind,
    /// Terms and their weights, sorted by term.
    pub(crate) terms: Vec<(String, f32)>,
    /// Files and lines mentioned in the text.
    pub(crate) mentions: Vec<Mention>,
    /// Words that may be names of items, sorted.
    pub(crate) names: Vec<Name>,
    /// Marker terms for the first words of a sentence; empty for other kinds of text.
    pub(crate) opening: Vec<String>,
    /// Folded words of the subject's scope.
    pub(crate) scope: Vec<String>,
    /// The text if it is a file path or a glob.
    pub(crate) path: Option<String>,
}

impl Analysis {
    /// Analyses a text.
    pub(crate) fn of(text: &str) -> Self {
        let kind = kind_of(text);
        let subject = (kind == QueryKind::Question).then(|| question::subject(text)).flatten();
        let is_name = kind == QueryKind::Symbol || subject.as_deref().is_some_and(is_symbol);
        let history = match subject {
            Some(subject) => Cow::Owned(subject),
            None if kind == QueryKind::Diff => Cow::Owned(without_headers(text)),
            None => Cow::Borrowed(text),
        };
        let mut opening = Vec::new();
        if kind == QueryKind::Prose {
            crate::shape::of_sentence(&history, &mut |term| opening.push(term.to_owned()));
        }
        let mut names = names::names(&history);
        if is_name {
            // The whole text is a name.
            names.iter_mut().for_each(|name| name.is_code = true);
        }
        Self {
            kind,
            opening,
            terms: weighed(&history),
            mentions: places::mentions(text, kind),
            names,
            scope: scope::scope(text),
            path: (kind == QueryKind::Path).then(|| text.trim().to_owned()),
        }
    }
}

/// The terms of a text, sorted, weighted by frequency.
fn weighed(text: &str) -> Vec<(String, f32)> {
    let (mut all, mut ends) = (String::with_capacity(2 * text.len()), vec![0]);
    tokens(text, &mut |term| {
        all.push_str(term);
        ends.push(all.len());
    });
    let mut terms: Vec<&str> =
        ends.windows(2).filter_map(|ends| all.get(ends[0]..ends[1])).collect();
    terms.sort_unstable();
    let of = |same: &[&str]| (same[0].to_owned(), weight_of(same.len() as u32));
    terms.chunk_by(|a, b| a == b).map(of).collect()
}

pub(crate) fn kind_of(text: &str) -> QueryKind {
    let is_patch = |line: &str| line.starts_with("diff --git ") || places::hunk(line).is_some();
    if text.lines().any(is_patch) {
        return QueryKind::Diff;
    }
    let is_frame = |line: &&str| {
        line.trim_start().split_once(": ").is_some_and(|(number, rest)| {
            !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && rest.contains("::")
        })
    };
    if text.contains("panicked at ") || text.lines().filter(is_frame).count() > 1 {
        return QueryKind::StackTrace;
    }
    let is_message = |line: &str| {
        let line = line.trim_start();
        line.starts_with("error[E") || line.starts_with("error: ") || line.starts_with("--> ")
    };
    if text.lines().any(is_message) {
        return QueryKind::ErrorText;
    }
    let text = text.trim();
    let has_mark = text.contains(['/', '*']) || text.ends_with(".rs");
    if has_mark && !text.contains(|c: char| c.is_whitespace() || "\"'`(){};=<>&".contains(c)) {
        return QueryKind::Path;
    }
    if is_symbol(text) {
        return QueryKind::Symbol;
    }
    if question::subject(text).is_some() {
        return QueryKind::Question;
    }
    QueryKind::Prose
}

/// Whether a text is a name or path in the code.
fn is_symbol(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_:<>()!.&#".contains(c);
    text.chars().all(is_part) && text.contains(char::is_alphabetic)
}

/// A diff without its header lines: names and hashes are locations, not words.
fn without_headers(text: &str) -> String {
    let starts = ["diff --git ", "index ", "--- ", "+++ ", "similarity ", "rename ", "new file "];
    let is_header = |line: &str| starts.iter().any(|start| line.starts_with(start));
    let mut history = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !is_header(line)) {
        // The text after the second `@@` is the item around the hunk.
        let line = match places::hunk(line) {
            Some(_) => line.rsplit_once("@@").map_or("", |(_, around)| around),
            None => line,
        };
        history.push_str(line);
        history.push('\n');
    }
    history
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_text_shows() {
        let kinds = [
            ("Reader::read", QueryKind::Symbol),
            ("parse_args", QueryKind::Symbol),
            ("reads a file into a string", QueryKind::Prose),
            ("", QueryKind::Prose),
            ("error[E0308]: mismatched types\n --> src/lib.rs:3:5", QueryKind::ErrorText),
            ("thread 'main' panicked at src/main.rs:3:5:\nboom", QueryKind::StackTrace),
            ("   0: std::a::b\n   1: my::f\n   at src/x.rs:1:2", QueryKind::StackTrace),
            ("--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +1,2 @@\n-a\n+b", QueryKind::Diff),
        ];
        for (text, kind) in kinds {
            assert_eq!(Analysis::of(text).kind, kind, "{text}");
        }
    }

    #[test]
    fn terms_weigh_by_the_logarithm_of_their_count() {
        let terms = Analysis::of("cache the cache").terms;
        assert_eq!(terms, [("cach".to_owned(), 1.0 + 2f32.ln())]);
    }

    #[test]
    fn names_of_files_in_a_patch_are_places_not_words() {
        let text = "diff --git a/src/one.rs b/src/one.rs\nindex 1..2\n@@ -10,3 +10,4 @@ fn outer()\n+inner";
        let found = Analysis::of(text);
        let terms: Vec<&str> = found.terms.iter().map(|(term, _)| term.as_str()).collect();
        assert_eq!(terms, ["inner", "outer"]);
        assert_eq!(
            found.mentions,
            [Mention { path: "src/one.rs".to_owned(), lines: Some((10, 12)) }]
        );
    }
}
