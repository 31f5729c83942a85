//! Other operators, operands in the other order, and values that are one larger or smaller.

use edit::Splice;

use super::body::Body;
use super::{Change, Operator};

/// The operators that a binary operator is replaced with, the likeliest first.
fn others(operator: &str) -> Vec<(&'static str, Operator)> {
    use Operator::{Arithmetic, Assignment, Bit, Boolean, Boundary, Comparison};
    let near: &[(&'static str, Operator)] = match operator {
        "+" => &[("-", Arithmetic), ("*", Arithmetic)],
        "-" => &[("+", Arithmetic), ("/", Arithmetic)],
        "*" => &[("/", Arithmetic), ("+", Arithmetic)],
        "/" => &[("*", Arithmetic), ("%", Arithmetic)],
        "%" => &[("/", Arithmetic), ("*", Arithmetic)],
        "<" => &[("<=", Boundary)],
        "<=" => &[("<", Boundary)],
        ">" => &[(">=", Boundary)],
        ">=" => &[(">", Boundary)],
        "==" => &[("!=", Comparison)],
        "!=" => &[("==", Comparison)],
        "&&" => &[("||", Boolean)],
        "||" => &[("&&", Boolean)],
        ".." => &[("..=", Boundary)],
        "..=" => &[("..", Boundary)],
        "+=" => &[("-=", Assignment)],
        "-=" => &[("+=", Assignment)],
        _ => &[],
    };
    const COMPARISONS: &[&str] = &["<", "<=", ">", ">=", "==", "!="];
    const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^", "<<"];
    const ASSIGNMENTS: &[&str] = &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="];
    let families = [(COMPARISONS, Comparison), (ARITHMETIC, Bit), (ASSIGNMENTS, Assignment)];
    let mut found = near.to_vec();
    for (family, kind) in families.iter().filter(|(family, _)| family.contains(&operator)) {
        let is_new =
            |it: &&&'static str| **it != operator && !near.iter().any(|near| near.0 == **it);
        // An assignment of a value is seldom meant to be another one.
        let most = if operator == "=" { 3 } else { family.len() };
        found.extend(family.iter().filter(is_new).take(most).map(|it| (*it, *kind)));
    }
    found
}

pub(super) fn changes(body: &Body<'_>, found: &mut Vec<Change>) {
    for (idx, token) in body.own() {
        if token.is_solid() {
            continue;
        }
        if is_range(token.text) {
            if !body.ends_value(idx) && token.is("..") && !starts_value(body, idx + 1) {
                continue;
            }
            replaced(body, idx, found);
            bounds(body, idx, found);
            continue;
        }
        if token.is("-") && !body.ends_value(idx) {
            found.push(Change::new(Operator::Arithmetic, token.span, "-", ""));
            continue;
        }
        // Generics and closures have no space on both sides.
        let may_be_other = matches!(token.text, "<" | ">" | "|" | "=");
        if !body.ends_value(idx) || (may_be_other && !body.is_spaced(idx)) {
            continue;
        }
        if token.is(">") && body.at(idx + 1) == ">" || body.before(idx, 1) == ">" {
            continue;
        }
        if is_binding(body, idx) {
            continue;
        }
        replaced(body, idx, found);
        operands(body, idx, found);
    }
    shifts(body, found);
    values(body, found);
}

fn is_range(text: &str) -> bool {
    matches!(text, ".." | "..=")
}

fn starts_value(body: &Body<'_>, idx: usize) -> bool {
    body.is_name(idx) || body.is_literal(idx) || matches!(body.at(idx), "(" | "-" | "*" | "&")
}

/// `=` of a `let`, a constant, a parameter or an attribute.
fn is_binding(body: &Body<'_>, idx: usize) -> bool {
    if body.at(idx) != "=" {
        return false;
    }
    let mut at = idx;
    while let Some(before) = at.checked_sub(1) {
        match body.at(before) {
            ")" | "]" => at = body.partner(before).unwrap_or(before),
            "}" => at = body.partner(before).unwrap_or(before),
            ";" | "{" | "(" | "," => return false,
            "let" | "const" | "static" | "type" | "#" | "for" | "where" => return true,
            _ => at = before,
        }
    }
    false
}

fn replaced(body: &Body<'_>, idx: usize, found: &mut Vec<Change>) {
    let Some(token) = body.tokens.get(idx) else { return };
    for (other, operator) in others(token.text) {
        found.push(Change::new(operator, token.span, token.text, other));
    }
}

/// Operands in the other order, one of them alone, or one off by one.
fn operands(body: &Body<'_>, idx: usize, found: &mut Vec<Change>) {
    let (Some(start), Some(end)) = (body.operand_before(idx), body.operand_after(idx + 1)) else {
        return;
    };
    let (left, right) = (body.slice(start, idx), body.slice(idx + 1, end));
    let (left_span, right_span) = (body.span(start, idx), body.span(idx + 1, end));
    let operator = body.at(idx);
    let all = body.slice(start, end);
    if matches!(operator, "-" | "/" | "%" | "<<" | "<" | "<=" | ">" | ">=") && left != right {
        let splices = vec![
            Splice { span: left_span, insert: right.to_owned() },
            Splice { span: right_span, insert: left.to_owned() },
        ];
        let to = format!("{right} {operator} {left}");
        let (operator, from) = (Operator::Swap, all.to_owned());
        found.push(Change { operator, splices, from, to, settles: false });
    }
    if matches!(operator, "+" | "-" | "*" | "/" | "%" | "<<" | "&" | "|" | "^") {
        let kind = match (operator, right) {
            ("+" | "-", "1") => Operator::OffByOne,
            _ => Operator::Arithmetic,
        };
        found.push(Change::new(kind, body.span(start, end), all, left));
        found.push(Change::new(Operator::Arithmetic, body.span(start, end), all, right));
    }
    if matches!(operator, "<" | "<=" | ">" | ">=" | "==" | "!=") {
        for (span, text) in [(right_span, right), (left_span, left)] {
            one_off(span, text, found);
        }
    }
}

/// A value plus and minus one; literals are changed elsewhere.
fn one_off(span: base::ByteSpan, text: &str, found: &mut Vec<Change>) {
    let is_value = text.chars().next().is_some_and(|it| base::is_word(it) || it == '(');
    if !is_value || text.starts_with(|it: char| it.is_ascii_digit()) {
        return;
    }
    for to in ["+ 1", "- 1"] {
        found.push(Change::new(Operator::OffByOne, span, text, format!("{text} {to}")));
    }
}

/// The bounds of a range, one off.
fn bounds(body: &Body<'_>, idx: usize, found: &mut Vec<Change>) {
    if let Some(start) = body.operand_before(idx) {
        one_off(body.span(start, idx), body.slice(start, idx), found);
    }
    if let Some(end) = body.operand_after(idx + 1) {
        one_off(body.span(idx + 1, end), body.slice(idx + 1, end), found);
    }
}

/// `>>` and `>>=` are two and three tokens, and mixed operators of shifts.
fn shifts(body: &Body<'_>, found: &mut Vec<Change>) {
    for (idx, token) in body.own() {
        let next = body.tokens.get(idx + 1);
        let Some(next) = next.filter(|it| token.is(">") && it.span.start == token.span.end) else {
            continue;
        };
        let span = base::ByteSpan::new(token.span.start, next.span.end);
        let before = body.text.get(..span.start).and_then(|it| it.chars().next_back());
        if !before.is_some_and(char::is_whitespace) {
            continue;
        }
        match next.text {
            ">" => found.push(Change::new(Operator::Bit, span, ">>", "<<")),
            ">=" => found.push(Change::new(Operator::Assignment, span, ">>=", "<<=")),
            _ => {}
        }
    }
}

/// Values one off: indices, arguments, initial values, what is returned.
fn values(body: &Body<'_>, found: &mut Vec<Change>) {
    for (idx, token) in body.own() {
        let opens = match token.text {
            "[" => body.ends_value(idx),
            "(" => body.ends_value(idx) && body.before(idx, 1) != "Some",
            "=" | "+=" | "-=" => true,
            "return" => true,
            _ => false,
        };
        if !opens {
            continue;
        }
        let ranges = match token.text {
            "[" | "(" => body.elements(idx),
            _ => match body.operand_after(idx + 1) {
                Some(end) if matches!(body.at(end), ";" | "}") => vec![(idx + 1, end)],
                _ => Vec::new(),
            },
        };
        for (start, end) in ranges {
            // Of a sum or a range, each operand is changed.
            if body.operand_after(start) == Some(end) {
                one_off(body.span(start, end), body.slice(start, end), found);
            }
        }
    }
}
