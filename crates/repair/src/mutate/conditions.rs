//! Negated conditions, and conditions without one of their parts.

use super::body::Body;
use super::{Change, Operator};

pub(super) fn changes(body: &Body<'_>, found: &mut Vec<Change>) {
    for (idx, token) in body.own() {
        match token.text {
            "if" | "while" => condition(body, idx + 1, found),
            "!" if !body.ends_value(idx) && body.at(idx + 1) != "=" && body.at(idx + 1) != "[" => {
                found.push(affirmed(body, idx));
            }
            _ => negated(body, idx, found),
        }
    }
}

/// A negation without its `!`, and as a whole condition without the brackets.
fn affirmed(body: &Body<'_>, idx: usize) -> Change {
    let is_whole = matches!(body.before(idx, 1), "if" | "while");
    if is_whole
        && body.at(idx + 1) == "("
        && let Some(close) = body.partner(idx + 1)
        && matches!(body.at(close + 1), "{" | "=>")
    {
        let (span, text) = (body.span(idx, close + 1), body.slice(idx, close + 1));
        let inner = body.slice(idx + 2, close);
        let is_blank = |it: Option<char>| it.is_some_and(char::is_whitespace);
        let before = body.text.get(..span.start).and_then(|it| it.chars().next_back());
        let after = body.text.get(span.end..).and_then(|it| it.chars().next());
        let space = |is_there: bool| if is_there { "" } else { " " };
        let to = format!("{}{inner}{}", space(is_blank(before)), space(is_blank(after)));
        return Change::new(Operator::Negation, span, text, to);
    }
    Change::new(Operator::Negation, body.span(idx, idx + 1), "!", "")
}

/// The condition that starts at a token.
fn condition(body: &Body<'_>, start: usize, found: &mut Vec<Change>) {
    let Some(end) = end_of_condition(body, start) else { return };
    let (span, text) = (body.span(start, end), body.slice(start, end));
    if body.at(start) != "let" {
        let is_negated = body.at(start) == "!" && body.operand_after(start) == Some(end);
        if !is_negated {
            found.push(Change::new(Operator::Negation, span, text, format!("!({text})")));
        }
        for to in ["true", "false"] {
            found.push(Change::new(Operator::Condition, span, text, to).settling(true));
        }
    }
    for operator in ["&&", "||"] {
        let parts = parts(body, start, end, operator);
        if parts.len() < 2 {
            continue;
        }
        for skipped in 0..parts.len() {
            let kept = parts.iter().enumerate().filter(|(nth, _)| *nth != skipped);
            let kept: Vec<&str> = kept.map(|(_, (start, end))| body.slice(*start, *end)).collect();
            let to = kept.join(&format!(" {operator} "));
            found.push(Change::new(Operator::Condition, span, text, to));
            let (start, end) = parts[skipped];
            let part = body.slice(start, end);
            if body.at(start) != "let" && body.at(start) != "!" {
                let (span, to) = (body.span(start, end), format!("!({part})"));
                found.push(Change::new(Operator::Negation, span, part, to));
            }
        }
    }
}

/// The block or arrow after a condition.
fn end_of_condition(body: &Body<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        match body.at(at) {
            "" | ";" | "}" | ")" | "," => return None,
            "{" | "=>" => return (at > start).then_some(at),
            "(" | "[" => at = body.partner(at)? + 1,
            _ => at += 1,
        }
    }
}

/// The parts between an operator at the top of a condition.
fn parts(body: &Body<'_>, start: usize, end: usize, operator: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let (mut at, mut from) = (start, start);
    while at < end {
        match body.at(at) {
            "(" | "[" | "{" => at = body.partner(at).unwrap_or(at),
            it if it == operator && at > from => {
                parts.push((from, at));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if from < end {
        parts.push((from, end));
    }
    parts
}

/// A call that returns a truth value by its name, negated where a value begins.
fn negated(body: &Body<'_>, idx: usize, found: &mut Vec<Change>) {
    let is_start = matches!(
        body.before(idx, 1),
        "(" | "{" | "=" | "&&" | "||" | "return" | "," | "=>" | ";" | "}" | ":" | "|"
    );
    if !is_start || !(body.is_name(idx) || body.at(idx) == "(") {
        return;
    }
    let Some(end) = body.operand_after(idx) else { return };
    // The last name before the arguments.
    let called = body.partner(end - 1).filter(|_| body.at(end - 1) == ")");
    let Some(name) = called.and_then(|it| it.checked_sub(1)) else { return };
    let is_question = ["is_", "has_", "contains", "starts_with", "ends_with", "any", "all", "eq"]
        .iter()
        .any(|it| body.at(name).starts_with(it));
    if is_question {
        let text = body.slice(idx, end);
        let span = body.span(idx, end);
        found.push(Change::new(Operator::Negation, span, text, format!("!{text}")));
    }
}
