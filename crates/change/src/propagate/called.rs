//! Parts of a call that a span of an error marks: its value, a part of it, or the variable that has it.

use base::{ByteSpan, DiagnosticSpan};
use preserve::outline::{TokenKind, tokens};
use syntax::places::Use;

use refactor::PlacedText;

/// The place after the value of a call.
pub(super) fn end_of(text: &PlacedText, call: &Use) -> ByteSpan {
    let after = text.text.get(call.span.end..).unwrap_or("");
    let end = call.span.end + if after.starts_with(".await") { ".await".len() } else { 0 };
    ByteSpan::new(end, end)
}

/// Whether a span marks the value of a call: the call, what contains nothing else, a method or an
/// operator beside it.
pub(super) fn is_value_of(text: &PlacedText, call: ByteSpan, span: ByteSpan) -> bool {
    if span == call || call.start == span.start && call.end < span.end {
        return true;
    }
    let marked = text.slice(span);
    if span.contains(call) && (is_macro_call(marked) || marked.starts_with('(')) {
        // An operand of a macro, or a part of a tuple, which is marked as a whole.
        let before = text.text.get(..call.start).map_or("", str::trim_end);
        let after = text.text.get(call.end..).map_or("", str::trim_start);
        return before.ends_with(['(', ',']) && after.starts_with([',', ')']);
    }
    if span.start < call.start && span.end == call.end {
        // The operand of `!`, `-`, `*` or `&`, or the end of a range.
        let before = text.text.get(span.start..call.start).unwrap_or("").trim();
        return before == "&mut" || is_operator(before) || is_range_start(before);
    }
    let between = text.text.get(call.end..span.start).map(str::trim);
    matches!(between, Some("." | "" | ".await" | ".await.")) && call.end <= span.start
        || text.text.get(span.end..call.start).is_some_and(|it| it.trim().is_empty())
            && is_operator(text.slice(span))
}

/// A span, and the calls of macros that it is the expansion of, from the inside.
pub(super) fn written(span: &DiagnosticSpan) -> impl Iterator<Item = &DiagnosticSpan> {
    std::iter::successors(Some(span), |it| it.expansion.as_deref().map(|it| &it.call_site))
}

/// Whether a text is a call of a macro: `assert_eq!(…)`.
fn is_macro_call(text: &str) -> bool {
    let after = text.trim_start_matches(|it: char| base::is_word(it) || it == ':');
    after.len() < text.len() && after.starts_with('!') && !after.starts_with("!=")
}

/// Whether a text is an operator.
fn is_operator(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| "*!-+/%&|^<>=".contains(it))
}

/// Whether a text is a range without its end.
fn is_range_start(text: &str) -> bool {
    text.ends_with("..") || text.ends_with("..=")
}

/// Whether a text is a range with an end of that name.
fn is_range_to(marked: &str, name: &str) -> bool {
    let end = marked.split_once("..").map(|it| it.1.strip_prefix('=').unwrap_or(it.1));
    end.is_some_and(|it| it.trim_start_matches([' ', '&', '*']).trim_end() == name)
}

/// The name that a `let` binds to the value of a call.
pub(super) fn bound_name<'t>(text: &'t PlacedText, call: &Use) -> Option<&'t str> {
    let after = text.text.get(call.span.end..)?.trim_start_matches(".await").trim_start();
    let head = text.text.get(..call.span.start)?;
    let from = head.rfind("let ")?;
    let list = tokens(head.get(from..)?);
    let name = list.get(1 + usize::from(list.get(1)?.is("mut")))?;
    let is_plain = name.kind == TokenKind::Word && list.last()?.is("=") && after.starts_with(';');
    let span = ByteSpan::new(from + name.span.start, from + name.span.end);
    is_plain.then(|| text.slice(span))
}

/// Whether a span marks a variable, a method of it or a range with it.
pub(super) fn is_name(text: &PlacedText, span: ByteSpan, name: &str) -> bool {
    let marked = text.slice(span);
    let rest = marked.trim_start_matches(['&', '*', '{']).strip_prefix(name);
    let is_start = rest.is_some_and(|it| !it.starts_with(base::is_word));
    let before = text.text.get(..span.start).unwrap_or("").trim_end();
    let before = before.strip_suffix('.').unwrap_or(before).trim_end();
    let after = text.text.get(span.end..).unwrap_or("").trim_start();
    let is_operator = is_operator(marked);
    let operand = after.strip_prefix(name).filter(|_| is_operator);
    let receiver = before.strip_suffix(name).filter(|_| is_operator || !marked.is_empty());
    is_start
        || is_range_to(marked, name)
        || operand.is_some_and(|it| !it.starts_with(base::is_word))
        || receiver.is_some_and(|it| !it.ends_with(base::is_word))
}
