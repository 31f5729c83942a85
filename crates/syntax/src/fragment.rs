//! Texts that a person passes to be inserted into code: each must be exactly one piece of Rust.

use ra_ap_parser::TopEntryPoint;

use crate::is_shallow;
use crate::lexer::{Lexer, Token};
use crate::tokens::Tokens;
use crate::tree::Tree;

/// The kind of a piece of Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentKind {
    /// An expression.
    Expression,
    /// A type.
    Type,
}

/// Whether a text is exactly one expression or type, on one line and without comments, so that it
/// means the same wherever it is inserted.
///
/// ```
/// use graftage_syntax::{FragmentKind, is_fragment};
/// assert!(is_fragment("f(1)?.x", FragmentKind::Expression));
/// assert!(!is_fragment("1); evil(", FragmentKind::Expression));
/// assert!(!is_fragment("1, 2", FragmentKind::Expression));
/// assert!(!is_fragment("u8 // x", FragmentKind::Type));
/// ```
pub fn is_fragment(text: &str, kind: FragmentKind) -> bool {
    let is_comment = |it: Token| matches!(it, Token::Comment | Token::Doc);
    if text.contains(['\n', '\r', '\u{feff}', '$'])
        || text.contains("*/")
        || !is_shallow(text)
        || Lexer::new(text).any(|(token, ..)| is_comment(token))
    {
        return false;
    }
    // The parser reads the condition of an `if let` as an expression.
    let is_let = text.trim_start().strip_prefix("let");
    if is_let.is_some_and(|rest| rest.starts_with(|it: char| it.is_whitespace() || it == '(')) {
        return false;
    }
    let tokens = Tokens::of(text, 0);
    if tokens.list.is_empty()
        || !tokens.open_comments.is_empty()
        || tokens.list.iter().any(|it| it.is_broken)
    {
        return false;
    }
    let entry = match kind {
        FragmentKind::Expression => TopEntryPoint::Expr,
        FragmentKind::Type => TopEntryPoint::Type,
    };
    let mut tree = Tree::default();
    let root = tree.parse(text, &tokens.list, &entry);
    let node = tree.node(root);
    !node.is_error() && !node.has_error() && tree.len() == node.after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted<'t>(kind: FragmentKind, texts: &[&'t str]) -> Vec<&'t str> {
        texts.iter().copied().filter(|it| is_fragment(it, kind)).collect()
    }

    #[test]
    fn an_expression_is_one_whole_expression() {
        let good = ["1", "-1", "&mut x", "None", "f(1, 2)?", "S { a: 1 }", "|a, b| a", "\"a, b\""];
        assert_eq!(accepted(FragmentKind::Expression, &good), good);
        let bad = [
            "",
            " ",
            "1, 2",
            "1); evil(",
            "}",
            "1 }",
            "1; 2",
            "1 // x",
            "/* x */ 1",
            "1 /*",
            "\"a",
            "1\n",
            "let x = 1",
            "fn f() {}",
            "x)",
            "(x",
            "a b",
            "$x",
            "\"*/\"",
            "1,",
            "'",
        ];
        assert_eq!(accepted(FragmentKind::Expression, &bad), [""; 0]);
        let deep = "(".repeat(50_000);
        assert!(!is_fragment(&deep, FragmentKind::Expression));
    }

    #[test]
    fn a_type_is_one_whole_type() {
        let good = ["u8", "&'a mut [T; 3]", "Option<fn(u8) -> u8>", "impl Fn(u8) + 'a", "(u8, u8)"];
        assert_eq!(accepted(FragmentKind::Type, &good), good);
        let bad = ["", "u8, y: u8", "u8) { evil() } fn g(x: u8", "u8 = 1", "u8;", "1", "<", "a: b"];
        assert_eq!(accepted(FragmentKind::Type, &bad), [""; 0]);
    }
}
