//! Closures around the call of a function that has become fallible, and the iterators that they make.

use base::ByteSpan;
use edit::Splice;
use refactor::PlacedText;
use syntax::places::{Definition, Use, UseKind};

use super::Marked;
use super::tails::{closure_body, tails};
use super::wrapper::wrapper_of;
use crate::project::has_word;

/// Use of the call's value by the closure around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InClosure {
    /// The closure returns the wrapper: `|it| Ok(call(it))`.
    Passes,
    /// The call is the value of the closure.
    Value,
    /// The closure returns something else.
    Other,
}

/// The innermost closure around a call that its function passes to another one.
pub(super) fn closure_around(
    text: &PlacedText,
    caller: &Definition,
    call: &Use,
) -> Option<ByteSpan> {
    let around = text.places.uses.iter().filter(|it| {
        caller.span.contains(it.span) && it.span.contains(call.span) && it.span != call.span
    });
    let args = around.flat_map(|it| &it.args).map(|it| it.value);
    let closures =
        args.filter(|it| it.contains(call.span) && closure_body(&text.text, *it).is_some());
    closures.min_by_key(|it| it.end - it.start)
}

/// Use that a closure makes of the value of a call in it, whose type has become `wrapper`.
pub(super) fn in_closure(
    text: &PlacedText,
    closure: ByteSpan,
    call: &Use,
    wrapper: &str,
) -> InClosure {
    let Some((body, ty)) = closure_body(&text.text, closure) else { return InClosure::Other };
    if let Some(ty) = ty {
        return match wrapper_of(text.slice(ty)) {
            Some(it) if it == wrapper => InClosure::Passes,
            _ => InClosure::Other,
        };
    }
    let constructors: &[&str] = match wrapper {
        "Option" => &["Some(", "None"],
        _ => &["Ok(", "Err("],
    };
    let ends = tails(&text.text, body);
    let is_built = |it: &ByteSpan| constructors.iter().any(|new| text.slice(*it).starts_with(new));
    let is_call = |it: &ByteSpan| {
        let rest = ByteSpan::new(call.span.end.min(it.end), it.end);
        it.start == call.span.start && matches!(text.slice(rest).trim(), "" | ".await")
    };
    match ends.iter().any(is_call) {
        true => InClosure::Value,
        false if ends.iter().any(is_built) => InClosure::Passes,
        false => InClosure::Other,
    }
}

/// Methods that gather the items of an iterator, also those in a wrapper.
const GATHERS: [&str; 3] = ["collect", "product", "sum"];

/// For an error at a method that gathers what has become fallible: the call of the method.
pub(super) fn gathering<'t>(
    text: &'t PlacedText,
    marked: &Marked<'_>,
    name: &str,
) -> Option<&'t Use> {
    let is_refused = matches!(marked.error.code.as_deref(), Some("E0277" | "E0283"));
    let mut calls = text.places.uses.iter().filter(|it| it.kind == UseKind::MethodCall);
    calls.find(|it| {
        is_refused
            && GATHERS.contains(&it.name.as_str())
            && (it.name_span == marked.span || it.span == marked.span)
            && has_word(text.slice(ByteSpan::new(it.span.start, it.name_span.start)), name)
    })
}

/// `::<Result<_, _>>` at a method that gathers, around the type that is there.
pub(super) fn gathered(text: &PlacedText, call: &Use, wrapper: &str) -> Option<Splice> {
    let between = ByteSpan::new(call.name_span.end, call.list.start);
    let rest = if wrapper == "Result" { ", _" } else { "" };
    let spelled = text.slice(between).trim();
    let inner = match spelled.strip_prefix("::<") {
        Some(it) => it.strip_suffix('>')?.trim(),
        None if spelled.is_empty() => "_",
        None => return None,
    };
    Some(Splice { span: between, insert: format!("::<{wrapper}<{inner}{rest}>>") })
}
