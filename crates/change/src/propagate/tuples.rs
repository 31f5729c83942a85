//! Tuples in a text, with their parts.

use base::{ByteSpan, is_word};
use preserve::outline::tokens;
use syntax::places::{Use, UseKind};

use super::trees::{Tree, trees};
use refactor::PlacedText;

/// A tuple in the text, with its parts.
pub(super) struct Tuple {
    pub(super) span: ByteSpan,
    pub(super) parts: Vec<ByteSpan>,
}

/// The tuple whose bracket is at a position; `None` if it has fewer than two parts.
pub(super) fn tuple_at(text: &str, open: usize) -> Option<Tuple> {
    let list = tokens(text.get(open..)?);
    let mut depth = 0_usize;
    let end = list.iter().position(|it| {
        match it.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    let all = trees(&list[..=end])?;
    let [Tree::Group(group)] = all.as_slice() else { return None };
    let parts = group.inner.split(|it| matches!(it, Tree::Leaf(it) if it.is(",")));
    let span = |first: &Tree<'_>, last: &Tree<'_>| {
        ByteSpan::new(open + first.span().start, open + last.span().end)
    };
    let parts: Vec<ByteSpan> = parts.filter_map(|it| Some(span(it.first()?, it.last()?))).collect();
    let span = ByteSpan::new(open, open + group.close.span.end);
    (group.open.is("(") && parts.len() > 1).then_some(Tuple { span, parts })
}

/// A name in a pattern without `mut` and `ref`.
pub(super) fn plain(pattern: &str) -> &str {
    let pattern = pattern.strip_prefix("ref ").unwrap_or(pattern);
    pattern.strip_prefix("mut ").unwrap_or(pattern)
}

/// The tuple pattern of a span.
pub(super) fn pattern_at(text: &PlacedText, span: ByteSpan) -> Option<&Use> {
    text.places.uses.iter().find(|it| it.kind == UseKind::Tuple && it.span == span)
}

/// The tuple of that many parts that a span is, else the only one in it that is no pattern.
pub(super) fn only_tuple(text: &PlacedText, span: ByteSpan, count: usize) -> Option<Tuple> {
    let slice = text.slice(span);
    let tuple = |open: usize| {
        let tuple = tuple_at(&text.text, span.start + open)?;
        (tuple.parts.len() == count && span.contains(tuple.span)).then_some(tuple)
    };
    if let Some(whole) = tuple(0).filter(|it| slice.starts_with('(') && it.span == span) {
        let has_rest = pattern_at(text, span).is_some_and(|it| it.has_rest);
        return (!has_rest).then_some(whole);
    }
    // Not the list of a call, a macro or a signature.
    let is_list = |before: &str| before.ends_with(|it: char| is_word(it) || ">!)]".contains(it));
    let opens = slice.match_indices('(').filter(|(at, _)| !is_list(&slice[..*at]));
    let mut all = opens.filter_map(|(at, _)| tuple(at));
    let only = all.next().filter(|it| pattern_at(text, it.span).is_none())?;
    all.next().is_none().then_some(only)
}
