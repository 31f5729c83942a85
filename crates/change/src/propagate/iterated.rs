//! Loops over the value of a call: over an `Option` or `Result` they compile, and take the value inside for the
//! item, so that the errors are at its uses and name no wrapper.

use base::ByteSpan;
use preserve::outline::Outline;
use refactor::PlacedText;
use syntax::places::Use;

use super::fallible::calls;

/// The calls of a function that `for` iterates in whose body a place is.
pub(super) fn iterated<'t>(text: &'t PlacedText, name: &str, at: usize) -> Vec<&'t Use> {
    let Some(caller) = text.function_at(at) else { return Vec::new() };
    let all = calls(text, name).filter(|it| caller.span.contains(it.span) && it.span.end <= at);
    let all: Vec<&Use> = all.filter(|it| is_iterated(text, it.span)).collect();
    if all.is_empty() {
        return all;
    }
    let outline = Outline::of(&text.text);
    let is_around = |call: &&Use| {
        let open = outline.tokens.partition_point(|it| it.span.start < call.span.end);
        let close = outline.close.get(open).and_then(|it| outline.tokens.get(*it));
        outline.text(open) == "{" && close.is_some_and(|it| at < it.span.start)
    };
    all.into_iter().filter(is_around).collect()
}

/// Whether a call alone, or a reference to its value, is what a `for` iterates.
fn is_iterated(text: &PlacedText, call: ByteSpan) -> bool {
    let before = text.text.get(..call.start).unwrap_or("").trim_end();
    let before = before.strip_suffix("mut").unwrap_or(before).trim_end();
    let before = before.strip_suffix('&').unwrap_or(before).trim_end();
    let head = before.strip_suffix("in").filter(|it| it.ends_with(char::is_whitespace));
    head.is_some() && text.text.get(call.end..).is_some_and(|it| it.trim_start().starts_with('{'))
}
