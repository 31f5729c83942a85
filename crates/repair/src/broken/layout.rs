//! How far the brackets of a text are from where people write them: a closing bracket at the
//! indentation of its opening one, deeper lines in between.

use preserve::outline::Token;

use super::lines::{Lines, closing_of, is_closing};

/// Maximum number of lines that count against one pair of brackets.
const MOST_LINES: usize = 6;

/// Penalty of a bracket without a partner.
const UNPAIRED: usize = 40;

/// The layout penalty of a text; 0 if every bracket is where rustfmt would put it.
pub(super) fn penalty(text: &Lines<'_>) -> usize {
    let mut open: Vec<usize> = Vec::new();
    let mut total = 0;
    // For each list around, the indentation of its first member.
    let mut members: Vec<Option<usize>> = vec![None];
    // The last pair: opening and closing bracket.
    let mut last = (0, 0);
    for token in 0..text.tokens.len() {
        let bracket = text.text_of(token);
        if begins_member(text, token) {
            let indent = text.indent(token);
            members.resize(open.len() + 1, None);
            if let Some(member) = members.last_mut() {
                total += if *member.get_or_insert(indent) == indent { 0 } else { 2 };
            }
        }
        members.truncate(open.len() + 1);
        total += spacing(text, token);
        if closing_of(bracket).is_some() {
            open.push(token);
        } else if is_closing(bracket) {
            let fits = |it: &usize| closing_of(text.text_of(*it)) == Some(bracket);
            match open.iter().rposition(fits) {
                Some(at) => {
                    total += UNPAIRED * (open.len() - at - 1) + of_pair(text, open[at], token);
                    total += usize::from(is_doubled(text, (open[at], token), last));
                    last = (open[at], token);
                    open.truncate(at);
                }
                None => total += UNPAIRED,
            }
        }
    }
    total + UNPAIRED * open.len()
}

/// 1 if the white space around a bracket is not as rustfmt writes it.
fn spacing(text: &Lines<'_>, token: usize) -> usize {
    let this = text.tokens[token];
    let next = text.tokens.get(token + 1).filter(|_| !text.is_last(token));
    let before = token.checked_sub(1).map(|it| text.tokens[it]).filter(|_| !text.is_first(token));
    let is_apart = |a: Token<'_>, b: Token<'_>| a.span.end < b.span.start;
    let follows = before.is_some_and(|it| is_apart(it, this));
    let is_wrong = match this.text {
        "(" | "[" => next.is_some_and(|it| is_apart(this, *it)),
        ")" | "]" => follows,
        "{" => before.is_some_and(|it| {
            !is_apart(it, this) && (it.is_solid() || matches!(it.text, ")" | "]" | ">"))
        }),
        _ => false,
    };
    usize::from(is_wrong)
}

/// Whether a member of a list – a statement, an argument, an item – begins a line here.
fn begins_member(text: &Lines<'_>, token: usize) -> bool {
    let before = token.checked_sub(1).map_or(";", |it| text.text_of(it));
    text.is_first(token)
        && matches!(before, ";" | "," | "{" | "}" | "(" | "[")
        && !is_closing(text.text_of(token))
        && !text.is_continuation(text.line_of[token])
}

fn of_pair(text: &Lines<'_>, open: usize, close: usize) -> usize {
    let is_block = text.text_of(open) == "{";
    let (first, last) = (text.line_of[open], text.line_of[close]);
    if first == last {
        return if is_block { inline_block(text, open, close) } else { 0 };
    }
    let (outer, inner) = (text.indent(open), text.indent(close));
    let is_leading = (text.lines[last].tokens.start..close).all(|it| is_closing(text.text_of(it)));
    let is_trailing = text.is_last(open);
    let mut total = 0;
    if is_block && !is_trailing {
        total += 4;
    }
    if is_leading {
        total += if inner == outer { 0 } else { 6 };
    } else {
        total += if is_block || is_trailing { 4 } else { 1 };
    }
    let shallow = (first + 1..last).filter(|line| text.lines[*line].indent <= outer);
    total + 3 * shallow.take(MOST_LINES).count()
}

/// Whether a pair of parentheses has nothing but another pair in it, which is no tuple.
fn is_doubled(text: &Lines<'_>, (open, close): (usize, usize), inner: (usize, usize)) -> bool {
    text.text_of(open) == "("
        && text.text_of(open + 1) == "("
        && inner == (open + 1, close - 1)
        && (open..close).all(|it| text.text_of(it) != ",")
}

/// `{ x }` on one line has spaces inside, `{}` has none.
fn inline_block(text: &Lines<'_>, open: usize, close: usize) -> usize {
    let before = |token: usize| text.tokens[token].span.start - text.tokens[token - 1].span.end;
    match close - open {
        1 => before(close).min(1),
        _ => usize::from(before(open + 1) == 0) + usize::from(before(close) == 0),
    }
}
