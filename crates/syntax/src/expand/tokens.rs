//! Tokens as `macro_rules!` compares them: operators whole (`=>` is not `=`), lifetimes whole.

use proc_macro2::{Delimiter, Spacing};
use syn::buffer::Cursor;

/// One token that is no bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    Ident(String),
    Lifetime(String),
    Op(String),
    Literal(String),
}

impl Tok {
    pub(super) fn is_op(&self, op: &str) -> bool {
        matches!(self, Tok::Op(it) if it == op)
    }
}

/// What comes next.
pub(super) enum Next<'a> {
    Tok(Tok, Cursor<'a>),
    Open(Delimiter),
    End,
}

const OPS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "^=", "%=", "&=",
    "|=", "==", "!=", ">=", "<=", "->", "=>", "::", "..",
];

/// The next token and what is behind it.
pub(super) fn next(cursor: Cursor<'_>) -> Next<'_> {
    if let Some((lifetime, rest)) = cursor.lifetime() {
        return Next::Tok(Tok::Lifetime(lifetime.to_string()), rest);
    }
    if let Some((ident, rest)) = cursor.ident() {
        return Next::Tok(Tok::Ident(ident.to_string()), rest);
    }
    if let Some((literal, rest)) = cursor.literal() {
        return Next::Tok(Tok::Literal(literal.to_string()), rest);
    }
    if let Some((op, rest)) = operator(cursor) {
        return Next::Tok(Tok::Op(op), rest);
    }
    match cursor.any_group() {
        Some((_, delimiter, _, _)) => Next::Open(delimiter),
        None => Next::End,
    }
}

/// The longest operator here.
fn operator(cursor: Cursor<'_>) -> Option<(String, Cursor<'_>)> {
    let (first, mut rest) = cursor.punct()?;
    let mut op = String::from(first.as_char());
    let mut spacing = first.spacing();
    while spacing == Spacing::Joint
        && let Some((punct, behind)) = rest.punct()
    {
        op.push(punct.as_char());
        if !OPS.iter().any(|it| it.starts_with(&op)) {
            op.pop();
            break;
        }
        (spacing, rest) = (punct.spacing(), behind);
    }
    Some((op, rest))
}
