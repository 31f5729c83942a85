//! Changes that only format a text.

use crate::outline::{Token, TokenKind, tokens};

/// Whether `after` is `before` with another layout: the same tokens in the same order, but for imports
/// and `mod` declarations, which may have another order, and for punctuation that a formatter adds and
/// removes; and the same characters, comments included.
pub fn is_formatting(before: &str, after: &str) -> bool {
    let (old, new) = (Solid::of(before), Solid::of(after));
    old == new && characters(before) == characters(after)
}

/// The tokens that a formatter keeps.
#[derive(PartialEq, Eq)]
struct Solid<'t> {
    /// In their order.
    code: Vec<&'t str>,
    /// Those of imports and `mod` declarations, sorted.
    declarations: Vec<&'t str>,
}

impl<'t> Solid<'t> {
    fn of(text: &'t str) -> Self {
        let list = tokens(text);
        let (mut code, mut declarations) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < list.len() {
            let end = declaration_end(&list, at).unwrap_or(at + 1);
            let is_declaration = end > at + 1;
            let kept = list[at..end].iter().map(|it| it.text).filter(|it| !is_layout(it));
            match is_declaration {
                true => declarations.extend(kept),
                false => code.extend(kept),
            }
            at = end;
        }
        declarations.sort_unstable();
        Self { code, declarations }
    }
}

/// Whether a formatter adds and removes a token.
fn is_layout(text: &str) -> bool {
    matches!(text, "," | ";" | "{" | "}" | "(" | ")" | "|")
}

/// The end of the `use` or `mod` declaration that begins at a token.
fn declaration_end(list: &[Token<'_>], at: usize) -> Option<usize> {
    match list[at].text {
        "use" => {
            let end = list[at..].iter().position(|it| it.is(";"))?;
            let is_tree = |it: &Token<'_>| {
                it.kind == TokenKind::Word || matches!(it.text, "::" | "{" | "}" | "," | "*" | "$")
            };
            list[at..at + end].iter().all(is_tree).then_some(at + end + 1)
        }
        "mod" if list.get(at + 2).is_some_and(|it| it.is(";")) => Some(at + 3),
        _ => None,
    }
}

/// The characters of a text other than white space and layout, sorted.
fn characters(text: &str) -> Vec<char> {
    let is_kept = |it: &char| !it.is_whitespace() && !",;{}()|".contains(*it);
    let mut found: Vec<char> = text.chars().filter(is_kept).collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_layout_is_formatting_and_other_code_is_not() {
        for (before, after) in [
            ("fn f(a:u8,b:u8){g(a,b)}", "fn f(a: u8, b: u8) {\n    g(\n        a, b,\n    )\n}\n"),
            ("use b::c;\nuse a::{self,d};", "use a::{self, d};\nuse b::c;\n"),
            ("mod b;\npub mod a;", "pub mod a;\nmod b;"),
            ("f(|| { x }) // y", "f(|| x) // y"),
            ("return 1", "return 1;"),
        ] {
            assert!(is_formatting(before, after), "{before}");
        }
        for (before, after) in [
            ("f(a, b)", "f(b, a)"),
            ("f(1)", "f(2)"),
            ("f() // a", "f() // b"),
            ("f() // a", "f()"),
            ("use a; f()", "use b; f()"),
            ("f(\"a, b\")", "f(\"a b\")"),
            ("a + b", "a - b"),
        ] {
            assert!(!is_formatting(before, after), "{before}");
        }
    }
}
