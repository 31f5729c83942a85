//! Names that a derive gives to users and data at run time, as texts write them: an option of a command
//! line, a key of data. No edit follows there, so each place is listed.

use std::sync::Arc;

use base::{LineIndex, ProjectPath};
use preserve::outline::{TokenKind, tokens};

use super::unproven::UnprovenName;

/// Maximum number of places.
const MAX_PLACES: usize = 50;

/// A name at run time that a rename changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTimeName {
    /// The derive that makes it.
    pub derive: String,
    /// The name, with `--` before that of an option.
    pub text: String,
}

impl RunTimeName {
    /// The places of the name in string literals of Rust code and in other texts, by place.
    pub fn places(&self, files: &[(ProjectPath, Arc<str>)]) -> Vec<UnprovenName> {
        let mut found = Vec::new();
        for (path, text) in files.iter().filter(|it| it.1.contains(&self.text)) {
            let lines = LineIndex::new(text);
            let mut push = |at: usize, region: &str| {
                found.push(UnprovenName {
                    path: path.clone(),
                    line: lines.line_of(at),
                    at,
                    what: format!("`{}` in {region}", self.text),
                    why: format!("`derive({})` makes this text of the name", self.derive),
                    edited: false,
                    in_comment: false,
                });
            };
            if path.extension() != Some("rs") {
                self.in_data(text).into_iter().for_each(|at| push(at, "the text"));
                continue;
            }
            let literals = tokens(text).into_iter().filter(|it| it.kind == TokenKind::Literal);
            for token in literals.filter(|it| it.text.contains(&self.text)) {
                let first = self.in_literal(token.text).into_iter().next();
                first.into_iter().for_each(|at| push(token.span.start + at, "a string"));
            }
        }
        found.sort();
        found.dedup_by(|a, b| (&a.path, a.line) == (&b.path, b.line));
        found.truncate(MAX_PLACES);
        found
    }

    fn is_option(&self) -> bool {
        self.text.starts_with("--")
    }

    /// The name as a whole word: `--dry` is not in `--dry-run`.
    fn whole(&self, text: &str) -> Vec<usize> {
        let is_part = |it: char| base::is_word(it) || it == '-';
        let is_whole = |at: &usize| {
            let before = text.get(..*at).and_then(|it| it.chars().next_back());
            let after = text.get(at + self.text.len()..).and_then(|it| it.chars().next());
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        };
        text.match_indices(&self.text).map(|it| it.0).filter(is_whole).collect()
    }

    /// The places in a literal: of a key or value those that are all of it, or that quotes are around.
    fn in_literal(&self, literal: &str) -> Vec<usize> {
        let quoted = |at: &usize| {
            let before = literal.get(..*at).is_some_and(|it| it.ends_with('"'));
            let after = literal.get(at + self.text.len()..).unwrap_or("");
            before && after.trim_start_matches('\\').starts_with('"')
        };
        let mut found = self.whole(literal);
        found.retain(|at| self.is_option() || quoted(at));
        found
    }

    /// The places in a text of data or a page: of a key or value those in quotes or a code span, or before `:`
    /// or `=` at the beginning of a line.
    fn in_data(&self, text: &str) -> Vec<usize> {
        let is_it = |at: &usize| {
            let before = text.get(..*at).unwrap_or("");
            let after = text.get(at + self.text.len()..).unwrap_or("");
            let quote = before.chars().next_back().filter(|it| matches!(it, '"' | '\'' | '`'));
            let line = before.rsplit('\n').next().unwrap_or("");
            let is_key = line.trim_start_matches([' ', '\t', '-']).is_empty()
                && after.trim_start().starts_with([':', '=']);
            quote.is_some_and(|it| after.starts_with(it)) || is_key
        };
        let mut found = self.whole(text);
        found.retain(|at| self.is_option() || is_it(at));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, files: &[(&str, &str)]) -> Vec<String> {
        let name = RunTimeName { derive: "Parser".to_owned(), text: text.to_owned() };
        let path = |it: &str| ProjectPath::new(it).unwrap();
        let files: Vec<(ProjectPath, Arc<str>)> =
            files.iter().map(|(file, text)| (path(file), Arc::from(*text))).collect();
        let found = name.places(&files).into_iter();
        found.map(|it| format!("{}:{} {}", it.path, it.line, it.what)).collect()
    }

    #[test]
    fn an_option_is_listed_in_strings_and_texts() {
        let rust = "fn f() { a(\"--dry-run\"); b(\"x --dry-run-all\");\n c(\"x --dry-run=1\"); dry_run }\n";
        assert_eq!(
            lines("--dry-run", &[("README.md", "run `x --dry-run`\n"), ("tests/a.rs", rust)]),
            [
                "README.md:1 `--dry-run` in the text",
                "tests/a.rs:1 `--dry-run` in a string",
                "tests/a.rs:2 `--dry-run` in a string",
            ]
        );
    }

    #[test]
    fn a_key_is_listed_where_it_is_no_word_of_a_sentence() {
        let rust = "fn f() { a(\"{\\\"dryRun\\\": 1}\"); b(r#\"{\"dryRun\": 2}\"#);\n c(\"dryRun\");\n d(\"a dryRun here\") }\n";
        assert_eq!(
            lines("dryRun", &[("a.yaml", "a:\n  - dryRun: 1\n# the dryRun\n"), ("src/a.rs", rust)]),
            [
                "a.yaml:2 `dryRun` in the text",
                "src/a.rs:1 `dryRun` in a string",
                "src/a.rs:2 `dryRun` in a string",
            ]
        );
    }
}
