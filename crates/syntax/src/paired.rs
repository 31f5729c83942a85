//! Checks whether each bracket of a text has its partner.

use crate::lexer::{Lexer, Token};

/// Whether each bracket of the text has its partner in it; brackets in strings and comments are
/// none. Where this does not hold for the text of an item, its end is a guess, made from heads and
/// indentation.
///
/// ```
/// assert!(graftage_syntax::is_paired("fn f() { g(\"(\") }"));
/// assert!(!graftage_syntax::is_paired("fn f() { if x {\n}"));
/// ```
pub fn is_paired(text: &str) -> bool {
    let mut open = Vec::new();
    for (token, at, len) in Lexer::new(text) {
        if token != Token::Sign {
            continue;
        }
        match text.get(at..at + len).unwrap_or_default() {
            "(" => open.push(")"),
            "[" => open.push("]"),
            "{" => open.push("}"),
            close @ (")" | "]" | "}") if open.pop() != Some(close) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bracket_needs_its_own_partner() {
        for text in ["", "f(a[0], { b })", "'(' \"[\" // {", "r#\"}\"#"] {
            assert!(is_paired(text), "{text}");
        }
        for text in ["(", ")", "(]", "{ ( }", "f(\"(\"", "fn f() { } }"] {
            assert!(!is_paired(text), "{text}");
        }
    }
}
