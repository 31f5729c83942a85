//! Arguments, elements and values of fields in the other order; the bodies of arms.

use base::ByteSpan;
use edit::Splice;

use super::body::Body;
use super::{Change, Operator};

/// Maximum number of elements of a list whose order is changed.
const ELEMENTS: usize = 6;
/// Maximum number of arms of a match whose bodies are exchanged with any other.
const ARMS: usize = 24;

pub(super) fn changes(body: &Body<'_>, found: &mut Vec<Change>) {
    for (idx, token) in body.own() {
        match token.text {
            "(" | "[" if body.before(idx, 1) != "#" => elements(body, idx, found),
            "{" if body.is_name(idx.wrapping_sub(1)) => fields(body, idx, found),
            "match" => arms(body, idx, found),
            "else" => alternatives(body, idx, found),
            _ => {}
        }
    }
}

/// Two parts of the text in the other order.
fn exchanged(
    body: &Body<'_>,
    operator: Operator,
    a: (usize, usize),
    b: (usize, usize),
) -> Option<Change> {
    let (left, right) = (body.slice(a.0, a.1), body.slice(b.0, b.1));
    let (first, second) = (body.span(a.0, a.1), body.span(b.0, b.1));
    if left == right || first.end > second.start || left.is_empty() || right.is_empty() {
        return None;
    }
    let splices = vec![
        Splice { span: first, insert: right.to_owned() },
        Splice { span: second, insert: left.to_owned() },
    ];
    let from = ByteSpan::new(first.start, second.end).slice(body.text).unwrap_or_default();
    let between = ByteSpan::new(first.end, second.start).slice(body.text).unwrap_or_default();
    let to = format!("{right}{between}{left}");
    Some(Change { operator, splices, from: from.to_owned(), to, settles: false })
}

fn elements(body: &Body<'_>, open: usize, found: &mut Vec<Change>) {
    let elements = body.elements(open);
    if elements.len() > ELEMENTS {
        return;
    }
    for (nth, a) in elements.iter().enumerate() {
        for b in &elements[nth + 1..] {
            found.extend(exchanged(body, Operator::Swap, *a, *b));
        }
    }
}

/// The values of the fields of a literal.
fn fields(body: &Body<'_>, open: usize, found: &mut Vec<Change>) {
    let value = |(start, end): (usize, usize)| {
        (body.is_name(start) && body.at(start + 1) == ":").then_some((start + 2, end))
    };
    let values: Vec<(usize, usize)> = body.elements(open).into_iter().filter_map(value).collect();
    if values.len() > ELEMENTS {
        return;
    }
    for (nth, a) in values.iter().enumerate() {
        for b in &values[nth + 1..] {
            found.extend(exchanged(body, Operator::Swap, *a, *b));
        }
    }
}

/// The bodies of the arms of a match: after `=>`, to the comma.
fn arms(body: &Body<'_>, at: usize, found: &mut Vec<Change>) {
    let mut open = at + 1;
    loop {
        match body.at(open) {
            "" | ";" | "}" | ")" => return,
            "{" => break,
            "(" | "[" => open = body.partner(open).map_or(usize::MAX - 1, |it| it + 1),
            _ => open += 1,
        }
    }
    let Some(close) = body.partner(open) else { return };
    let mut values = Vec::new();
    let mut idx = open + 1;
    while idx < close {
        match body.at(idx) {
            "=>" => {
                let end = end_of_arm(body, idx + 1, close);
                values.push((idx + 1, end));
                idx = end;
            }
            "(" | "[" | "{" => idx = body.partner(idx).unwrap_or(idx) + 1,
            _ => idx += 1,
        }
    }
    for (nth, a) in values.iter().enumerate() {
        let rest = values.len() - nth - 1;
        let most = if values.len() > ARMS { 1 } else { rest };
        for b in values[nth + 1..].iter().take(most) {
            found.extend(exchanged(body, Operator::Arms, *a, *b));
        }
    }
}

fn end_of_arm(body: &Body<'_>, start: usize, close: usize) -> usize {
    if body.at(start) == "{" {
        return body.partner(start).map_or(close, |it| it + 1);
    }
    let mut at = start;
    while at < close && body.at(at) != "," {
        at = match body.at(at) {
            "(" | "[" | "{" => body.partner(at).unwrap_or(at) + 1,
            _ => at + 1,
        };
    }
    at
}

/// The two blocks around an `else`.
fn alternatives(body: &Body<'_>, at: usize, found: &mut Vec<Change>) {
    let before = at.checked_sub(1).filter(|it| body.at(*it) == "}");
    if let Some(open) = before.and_then(|it| body.partner(it))
        && body.at(at + 1) == "{"
        && let Some(close) = body.partner(at + 1)
    {
        let change = exchanged(body, Operator::Arms, (open, at), (at + 1, close + 1));
        found.extend(change);
    }
}
