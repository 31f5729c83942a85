//! Texts that do not parse, and the few tokens that complete them. In a broken text it is unknown
//! what belongs to what, so elements cannot be counted; but if only brackets, separators and
//! mistyped keywords differ, nothing was removed.

use base::SortedSet;

use crate::names::distance;
use crate::outline::{Token, TokenKind, tokens};

/// Maximum number of tokens that may differ.
const MOST_CHANGES: usize = 6;

/// Punctuation that gives a text its structure and has no effect.
const STRUCTURE: &[&str] =
    &["(", ")", "[", "]", "{", "}", ",", ";", ":", "::", "->", "=>", "=", "==", "."];

/// Words that people write for a keyword, by habit from other languages.
const ALIASES: &[(&str, &str)] = &[
    ("auto", "let"),
    ("class", "struct"),
    ("def", "fn"),
    ("foreach", "for"),
    ("fun", "fn"),
    ("func", "fn"),
    ("function", "fn"),
    ("import", "use"),
    ("interface", "trait"),
    ("module", "mod"),
    ("namespace", "mod"),
    ("proc", "fn"),
    ("public", "pub"),
    ("switch", "match"),
    ("using", "use"),
    ("val", "let"),
    ("var", "let"),
];

/// Keywords that are mistyped; those that change what is checked (`unsafe`) are not among them.
const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "static", "struct", "super", "trait", "type", "use", "where", "while",
];

/// The keywords for which `word` may be a mistake, the likeliest first; none if it is a keyword.
pub fn mistyped_keywords(word: &str) -> Vec<&'static str> {
    if KEYWORDS.contains(&word) {
        return Vec::new();
    }
    let aliases = ALIASES.iter().filter(|(alias, _)| *alias == word).map(|(_, keyword)| *keyword);
    let near =
        |keyword: &&&str| keyword.len().abs_diff(word.len()) <= 1 && distance(keyword, word) == 1;
    aliases.chain(KEYWORDS.iter().filter(near).copied()).collect()
}

/// Whether `before` does not parse, `after` has fewer syntax errors, and only few tokens of
/// structure and mistyped keywords differ.
pub(crate) fn is_completion(before: &str, after: &str) -> bool {
    let (old, new) = (tokens(before), tokens(after));
    old.len().abs_diff(new.len()) <= 2 * MOST_CHANGES
        && differs_in_structure(&old, &new)
        && syntax::grammar_errors(after).len() < syntax::grammar_errors(before).len()
}

/// Whether at most [`MOST_CHANGES`] changes of structure lead from `old` to `new`.
fn differs_in_structure(old: &[Token<'_>], new: &[Token<'_>]) -> bool {
    // Positions in both that are reached with one change more in each round.
    let mut reached: SortedSet<(usize, usize)> = SortedSet::from([(0, 0)]);
    for _ in 0..=MOST_CHANGES {
        let mut next = SortedSet::new();
        for (mut at, mut to) in reached {
            while at < old.len() && to < new.len() && old[at].text == new[to].text {
                (at, to) = (at + 1, to + 1);
            }
            if (at, to) == (old.len(), new.len()) {
                return true;
            }
            let is_mark = |list: &[Token<'_>], at: usize| {
                list.get(at).is_some_and(|it| STRUCTURE.contains(&it.text))
            };
            if is_mark(new, to) {
                next.insert((at, to + 1));
            }
            if is_mark(old, at) {
                next.insert((at + 1, to));
            }
            let (Some(was), Some(is)) = (old.get(at), new.get(to)) else { continue };
            let both = was.kind == TokenKind::Word && is.kind == TokenKind::Word;
            if is_mark(old, at) && is_mark(new, to)
                || both && mistyped_keywords(was.text).contains(&is.text)
            {
                next.insert((at + 1, to + 1));
            }
            if is_split(was, new.get(to..to + 3)) {
                next.insert((at + 1, to + 3));
            }
        }
        reached = next;
    }
    false
}

/// Whether `was` is two words that ran together where a bracket is missing: `fx` of `f(x`.
fn is_split(was: &Token<'_>, now: Option<&[Token<'_>]>) -> bool {
    let Some([left, mark, right]) = now else { return false };
    was.kind == TokenKind::Word
        && STRUCTURE.contains(&mark.text)
        && was.text.strip_prefix(left.text) == Some(right.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_separators_and_keywords_complete_a_text() {
        for (before, after) in [
            ("fn f() { if a { b(); c(); }", "fn f() { if a { b(); } c(); }"),
            ("fn f() { b(1 2); }", "fn f() { b(1, 2); }"),
            ("fn f() = u8 { 1 }", "fn f() -> u8 { 1 }"),
            ("func f() {}", "fn f() {}"),
            ("fn f() { gx); }", "fn f() { g(x); }"),
            ("ub fn f() {}", "pub fn f() {}"),
            ("fn f() { lte x = 1; }", "fn f() { let x = 1; }"),
        ] {
            assert!(is_completion(before, after), "{before} -> {after}");
        }
    }

    #[test]
    fn a_text_that_parses_is_not_completed() {
        assert!(!is_completion("fn f() { g(); h(); }", "fn f() { g(); { h(); } }"));
    }

    #[test]
    fn anything_else_that_differs_is_no_completion() {
        for (before, after) in [
            ("fn f() { b(1 2); }", "fn f() { b(1); }"),
            ("fn f() { b(1 2); }", "fn f() { /* b(1 2); */ }"),
            ("fn f() { b(1 2); }", "fn f() { !b(1, 2); }"),
            ("fn f() { safe { b(); } c( }", "fn f() { unsafe { b(); } c() }"),
            ("fn f( { a(); }", "#[cfg(any())] fn f() { a(); }"),
            ("fn f( { a(); }", "fn f() { return; a(); }"),
        ] {
            assert!(!is_completion(before, after), "{before} -> {after}");
        }
    }

    #[test]
    fn keywords_are_recognised_by_habit_and_by_one_letter() {
        assert_eq!(mistyped_keywords("function"), ["fn"]);
        assert_eq!(mistyped_keywords("lte"), ["let"]);
        assert_eq!(mistyped_keywords("whle"), ["while"]);
        assert_eq!(mistyped_keywords("match"), Vec::<&str>::new());
        assert_eq!(mistyped_keywords("value"), Vec::<&str>::new());
    }
}
