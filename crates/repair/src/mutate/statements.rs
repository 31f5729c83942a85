//! Statements in another order, at one more place, or that leave a loop in another way.

use base::ByteSpan;
use edit::Splice;

use super::body::Body;
use super::{Change, Operator};

/// Longest statement that is inserted at another place, in bytes.
const SHORT: usize = 100;
/// Maximum number of statements that are inserted elsewhere, and of insertions.
const COPIES: usize = 12;
const INSERTIONS: usize = 150;

pub(super) fn changes(body: &Body<'_>, found: &mut Vec<Change>) {
    for (_, token) in body.own() {
        match token.text {
            "break" => {
                found.push(Change::new(Operator::Statement, token.span, "break", "continue"))
            }
            "continue" => {
                found.push(Change::new(Operator::Statement, token.span, "continue", "break"));
            }
            _ => {}
        }
    }
    let statements = statements(body);
    for pair in statements.windows(2) {
        if let [a, b] = pair
            && a.block == b.block
        {
            let (first, second) = (body.span(a.start, a.end), body.span(b.start, b.end));
            let (left, right) = (body.slice(a.start, a.end), body.slice(b.start, b.end));
            let splices = vec![
                Splice { span: first, insert: right.to_owned() },
                Splice { span: second, insert: left.to_owned() },
            ];
            let (from, to) = (format!("{left} {right}"), format!("{right} {left}"));
            let operator = Operator::Statement;
            found.push(Change { operator, splices, from, to, settles: false });
        }
    }
    copies(body, &statements, found);
}

/// A statement that ends with `;`.
struct Statement {
    start: usize,
    end: usize,
    /// The brace that opens its block.
    block: usize,
}

fn statements(body: &Body<'_>) -> Vec<Statement> {
    let mut found = Vec::new();
    for (open, token) in body.own().filter(|(_, it)| it.is("{")) {
        let _ = token;
        let Some(close) = body.partner(open) else { continue };
        let (mut at, mut start) = (open + 1, open + 1);
        while at < close {
            match body.at(at) {
                "(" | "[" => at = body.partner(at).unwrap_or(at),
                "{" => {
                    at = body.partner(at).unwrap_or(at);
                    // The end of a block may be the end of a statement.
                    let continues = matches!(body.at(at + 1), "else" | "." | "?" | ";" | ")" | ",");
                    if !continues {
                        start = at + 1;
                    }
                }
                "," | "=>" => break,
                ";" => {
                    if start < at && !body.is_nested[start] {
                        found.push(Statement { start, end: at + 1, block: open });
                    }
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
    }
    found
}

/// Short statements of the function before and after others.
fn copies(body: &Body<'_>, statements: &[Statement], found: &mut Vec<Change>) {
    let mut texts: Vec<&str> = Vec::new();
    for statement in statements {
        let text = body.slice(statement.start, statement.end);
        let first = body.at(statement.start);
        let is_usable = text.len() <= SHORT
            && !matches!(
                first,
                "let" | "use" | "fn" | "const" | "static" | "#" | "type" | "struct"
            )
            && !text.contains("!(");
        if is_usable && !texts.contains(&text) && texts.len() < COPIES {
            texts.push(text);
        }
    }
    let mut places: Vec<usize> = Vec::new();
    for statement in statements {
        places.extend(
            [body.span(statement.start, statement.end)].iter().flat_map(|it| [it.start, it.end]),
        );
    }
    // The beginning of each block that has statements or a value.
    for (open, token) in body.own().filter(|(_, it)| it.is("{")) {
        let is_block = matches!(body.before(open, 1), ")" | "else" | "=>" | "loop")
            || body.is_literal(open.wrapping_sub(1))
            || body.is_name(open.wrapping_sub(1));
        if is_block {
            places.push(token.span.end);
        }
    }
    places.sort_unstable();
    places.dedup();
    let mut left = INSERTIONS;
    for text in texts {
        for at in &places {
            if left == 0 {
                return;
            }
            left -= 1;
            let splice = Splice { span: ByteSpan::new(*at, *at), insert: format!(" {text} ") };
            let (from, to) = (String::new(), text.to_owned());
            let (operator, splices) = (Operator::Insertion, vec![splice]);
            found.push(Change { operator, splices, from, to, settles: false });
        }
    }
}
