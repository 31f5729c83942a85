//! The tokens of a use and around it.

use base::ByteSpan;
use preserve::outline::{Token, TokenKind};

use super::block::{Around, ends_operand};

/// A path that ends with a token; `None` if it begins with a type in angle brackets or with generic
/// arguments.
pub fn path_span(list: &[Token<'_>], name: ByteSpan) -> Option<ByteSpan> {
    let mut at = list.partition_point(|it| it.span.start < name.start);
    while at >= 2 && list[at - 1].is("::") {
        if list[at - 2].kind != TokenKind::Word {
            return None;
        }
        at -= 2;
    }
    let before = at.checked_sub(1).map_or("", |it| list[it].text);
    if matches!(before, "::" | "$" | ".") {
        return None;
    }
    Some(ByteSpan::new(list[at].span.start, name.end))
}

pub(super) fn around<'t>(list: &[Token<'t>], span: ByteSpan) -> Around<'t> {
    let first = list.partition_point(|it| it.span.start < span.start);
    let last = list.partition_point(|it| it.span.start < span.end);
    let text = |at: Option<usize>| at.and_then(|it| list.get(it)).map_or("", |it| it.text);
    let before = text(first.checked_sub(1));
    let is_operand = first.checked_sub(2).and_then(|it| list.get(it)).is_some_and(ends_operand);
    // The operator, not a reference.
    let before = match before {
        "&" | "&&" if is_operand => "||",
        before => before,
    };
    Around { before, after: text(Some(last)) }
}
