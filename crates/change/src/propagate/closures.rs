//! Closures around the call of a function that has become fallible, and the iterators that they make.

use std::ops::Range;

use base::ByteSpan;
use edit::Splice;
use preserve::outline::Outline;
use refactor::PlacedText;
use syntax::places::{Definition, Use, UseKind};

use super::Marked;
use super::tails::{closure_body, tails};
use super::wrapper::wrapper_of;
use crate::arms::{span_of, step};
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

/// The innermost closure or `async` block around a call in its function.
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
    closures.chain(headed_around(text, caller, call)).min_by_key(|it| it.end - it.start)
}

/// The closures and `async` blocks around a call, whatever their function does with them.
fn headed_around(text: &PlacedText, caller: &Definition, call: &Use) -> Vec<ByteSpan> {
    let Some(body) = caller.body else { return Vec::new() };
    let outline = Outline::of(text.slice(body));
    let heads = (0..outline.tokens.len()).filter_map(|at| headed_at(&outline, at));
    let spans = heads.filter_map(|it| span_of(&outline, &it));
    let spans = spans.map(|it| ByteSpan::new(body.start + it.start, body.start + it.end));
    spans.filter(|it| it.contains(call.span) && it.start < call.span.start).collect()
}

/// The closure or `async` block that begins with a token.
fn headed_at(outline: &Outline<'_>, at: usize) -> Option<Range<usize>> {
    const BEFORE: [&str; 13] =
        ["", "(", "[", "{", ",", "=", "=>", ":", "&", "move", "return", "static", "async"];
    let count = outline.tokens.len();
    let end_of = |from: usize| {
        let mut end = from;
        while end < count && !matches!(outline.text(end), ";" | "," | ")" | "]" | "}") {
            end = step(outline, end);
        }
        end.min(count)
    };
    let body = match outline.text(at) {
        "async" => {
            let open = at + 1 + usize::from(outline.text(at + 1) == "move");
            return (outline.text(open) == "{").then(|| at..step(outline, open).min(count));
        }
        "||" | "|" if !BEFORE.contains(&outline.before(at, 1)) => return None,
        "||" => at + 1,
        "|" => {
            let mut close = at + 1;
            // An arm may begin with `|` too.
            while close < count && !matches!(outline.text(close), "|" | "=>" | ";" | "if") {
                close = step(outline, close);
            }
            (outline.text(close) == "|").then_some(close + 1)?
        }
        _ => return None,
    };
    Some(at..end_of(body))
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
        "Option" => &["Some(", "None", "Some::<"],
        _ => &["Ok(", "Err(", "Ok::<", "Err::<"],
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

/// The calls in a function that gather what has become fallible into a type whose items are inferred, so that
/// the compiler reports only what is made of it: `collect::<Vec<_>>()` of values that are `Result`s now.
pub(super) fn gathered_unseen<'t>(
    text: &'t PlacedText,
    caller: &Definition,
    name: &str,
    wrapper: &str,
) -> Vec<&'t Use> {
    let own = text.places.uses.iter().filter(|it| caller.span.contains(it.span));
    let calls: Vec<&Use> = own
        .clone()
        .filter(|it| it.name == name && matches!(it.kind, UseKind::Call | UseKind::MethodCall))
        .collect();
    let is_item = |gather: &Use, call: &Use| {
        gather.span.start <= call.span.start
            && call.span.end <= gather.name_span.start
            && closure_around(text, caller, call).is_some_and(|closure| {
                is_mapping(text, closure)
                    && closure.end <= gather.name_span.start
                    && in_closure(text, closure, call, wrapper) == InClosure::Value
            })
    };
    own.filter(|it| it.kind == UseKind::MethodCall && it.name == GATHERS[0])
        .filter(|it| {
            let types = text.slice(ByteSpan::new(it.name_span.end, it.list.start));
            has_word(types, "_") && !has_word(types, wrapper)
        })
        .filter(|gather| calls.iter().any(|call| is_item(gather, call)))
        .collect()
}

/// Whether a closure is what `map` is given, whose values are the items.
fn is_mapping(text: &PlacedText, closure: ByteSpan) -> bool {
    text.text.get(..closure.start).is_some_and(|it| it.trim_end().ends_with(".map("))
}
