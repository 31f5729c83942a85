//! How a bracket is written at a position: after the token before it, before the token after it, or
//! on a line of its own.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::TokenKind;

use super::lines::{Lines, closing_of, is_closing};
use super::regions::Region;

/// One change of one bracket.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) splice: Splice,
    /// How unusual it looks, beside the layout of the lines.
    pub(super) cost: usize,
    /// Description of the change.
    pub(super) why: String,
}

/// Cost of a form that common style avoids.
const UNUSUAL: usize = 1;
/// Cost of a form that is hardly ever meant.
const ODD: usize = 3;

fn placed(at: usize, insert: String, bracket: &str, cost: usize) -> Placed {
    let why = format!("insert the missing `{bracket}`");
    Placed { splice: Splice { span: ByteSpan::new(at, at), insert }, cost, why }
}

/// The forms of a closing bracket before token `gap`.
pub(super) fn closing_forms(
    text: &Lines<'_>,
    region: &Region,
    gap: usize,
    close: &str,
) -> Vec<Placed> {
    let Some(before) = gap.checked_sub(1).and_then(|it| text.tokens.get(it)) else {
        return Vec::new();
    };
    let end = text.tokens.get(gap).map_or(text.text.len(), |it| it.span.start);
    let white = text.text.get(before.span.end..end).unwrap_or("");
    let next = text.text_of(gap);
    let mut forms = vec![inline(close, before.span.end, white, before.text, next)];
    let Some(newline) = white.find('\n') else { return forms };
    let indent = innermost(text, region, gap, close).map_or(0, |open| text.indent(open));
    let is_tail = matches!(next, ";" | "," | "." | "?" | ")" | "]" | "else" | "=>" | "->" | "=");
    let mut alone = own_line(close, before.span.end, white, newline, indent);
    alone.cost = if is_tail && text.indent(gap) == indent { ODD } else { 0 };
    forms.push(alone);
    // Before the first token of a line.
    if gap < text.tokens.len() && gap < region.tokens.end {
        let blank = text.blank(gap);
        let (at, tail) = if blank > indent {
            (end - blank + indent, "")
        } else {
            (end, if next == "else" { " " } else { "" })
        };
        let cost = if is_tail { 0 } else { ODD };
        forms.push(placed(at, format!("{close}{tail}"), close, cost));
    }
    forms
}

/// After the token before it, on the same line.
fn inline(close: &str, end: usize, white: &str, before: &str, next: &str) -> Placed {
    let blanks = white.len() - white.trim_start_matches(' ').len();
    let is_usual = white.contains('\n')
        || matches!(next, ";" | "," | "." | "?" | ")" | "]" | "}" | ":" | ">" | "")
        || blanks > 0 && matches!(next, "{" | "=>" | "->" | "else" | "=");
    let mut cost = if is_usual { 0 } else { UNUSUAL };
    if close != "}" {
        let at = if matches!(before, "," | "=" | "+" | "-" | "&&" | "||") { ODD } else { 0 };
        return placed(end, close.to_owned(), close, cost + at);
    }
    if before != "{" && blanks == 0 {
        cost += UNUSUAL;
    }
    match blanks {
        _ if before == "{" => placed(end, "}".to_owned(), close, cost),
        0 => placed(end, " }".to_owned(), close, cost),
        1 if matches!(next, ";" | "," | "." | "?" | ")" | "]") => {
            placed(end + 1, "}".to_owned(), close, cost)
        }
        1 => placed(end, " }".to_owned(), close, cost),
        _ => placed(end + 1, "}".to_owned(), close, cost),
    }
}

/// On a line of its own: one that has only the white space for it, else a new one.
fn own_line(close: &str, end: usize, white: &str, newline: usize, indent: usize) -> Placed {
    let mut at = end + newline + 1;
    for line in white[newline + 1..].split_inclusive('\n') {
        let blank = line.trim_end_matches(['\n', '\r']);
        if line.ends_with('\n')
            && !blank.is_empty()
            && blank.len() == indent
            && blank.trim().is_empty()
        {
            return placed(at + indent, close.to_owned(), close, 0);
        }
        at += line.len();
    }
    let line_end = if white[..newline].ends_with('\r') { newline - 1 } else { newline };
    let ending = &white[line_end..=newline];
    placed(end + line_end, format!("{ending}{}{close}", " ".repeat(indent)), close, 0)
}

/// The innermost bracket that is open before token `gap` and that `close` would close.
fn innermost(text: &Lines<'_>, region: &Region, gap: usize, close: &str) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    for token in region.tokens.start..gap {
        let bracket = text.text_of(token);
        if closing_of(bracket).is_some() {
            open.push(token);
        } else if is_closing(bracket) {
            let fits = |it: &usize| closing_of(text.text_of(*it)) == Some(bracket);
            if let Some(at) = open.iter().rposition(fits) {
                open.truncate(at);
            }
        }
    }
    open.into_iter().rev().find(|it| closing_of(text.text_of(*it)) == Some(close))
}

/// The forms of an opening bracket before token `gap`.
pub(super) fn opening_forms(text: &Lines<'_>, gap: usize, open: &str) -> Vec<Placed> {
    let Some(before) = gap.checked_sub(1).and_then(|it| text.tokens.get(it)) else {
        return Vec::new();
    };
    let Some(next) = text.tokens.get(gap) else { return Vec::new() };
    let white = text.text.get(before.span.end..next.span.start).unwrap_or("");
    let end = before.span.end;
    if open == "{" {
        let is_spaced = white.starts_with(' ');
        let insert = if is_spaced { "{" } else { " {" };
        let is_bare = matches!(before.text, ";" | "{" | "}" | ",") || is_closing(next.text);
        let cost = match white.contains('\n') || is_spaced {
            _ if is_bare => ODD,
            true => 0,
            false => UNUSUAL,
        };
        return vec![placed(end + usize::from(is_spaced), insert.to_owned(), open, cost)];
    }
    let is_name = before.kind == TokenKind::Word && !is_operator_word(before.text)
        || matches!(before.text, "!" | ">");
    let is_after_bracket = matches!(before.text, "(" | "[" | "{");
    let line = text.line_of[gap];
    let is_like_line_before =
        text.is_first(gap) && line > 0 && text.text_of(text.lines[line - 1].tokens.start) == open;
    let cost = match (is_name, white.is_empty()) {
        _ if is_like_line_before => 0,
        _ if matches!(next.text, "(" | "::") || matches!(before.text, "::" | ".") => ODD,
        (true, true) if open == "(" && !text.is_called(before.text) => UNUSUAL,
        (true, true) => 0,
        _ if open == "[" => 0,
        (true, false) => UNUSUAL,
        (false, _) if is_after_bracket => ODD,
        (false, _) => 2 * UNUSUAL,
    };
    let at = if is_name && white.is_empty() { end } else { next.span.start };
    vec![placed(at, open.to_owned(), open, cost)]
}

/// Words after which an expression follows, so that `(` after them calls nothing.
fn is_operator_word(word: &str) -> bool {
    matches!(
        word,
        "if" | "in"
            | "match"
            | "return"
            | "while"
            | "let"
            | "mut"
            | "else"
            | "as"
            | "for"
            | "where"
    )
}

/// `nameargument)` as `name(argument)`, where both halves are words of the file.
pub(super) fn split_words(text: &Lines<'_>, token: usize) -> Vec<Placed> {
    let Some(word) = text.tokens.get(token).filter(|it| it.kind == TokenKind::Word) else {
        return Vec::new();
    };
    let is_known =
        |half: &str| text.tokens.iter().any(|it| it.kind != TokenKind::Punctuation && it.is(half));
    let cuts = word.text.char_indices().skip(1).map(|(at, _)| at);
    cuts.filter(|at| {
        let (left, right) = word.text.split_at(*at);
        !is_operator_word(left) && is_known(left) && is_known(right)
    })
    .map(|at| {
        let cost = if text.is_called(&word.text[..at]) { 0 } else { UNUSUAL };
        placed(word.span.start + at, "(".to_owned(), "(", cost)
    })
    .collect()
}

/// The removal of a bracket, with its line if nothing else is on it.
pub(super) fn removal(text: &Lines<'_>, token: usize) -> Placed {
    let bracket = text.tokens[token];
    let is_alone = text.is_first(token) && text.is_last(token);
    let start = text.text[..bracket.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text.text[bracket.span.end..].find('\n').map(|at| bracket.span.end + at + 1);
    let span = match end {
        Some(end)
            if is_alone
                && text.text[start..bracket.span.start].trim().is_empty()
                && text.text[bracket.span.end..end].trim().is_empty() =>
        {
            ByteSpan::new(start, end)
        }
        _ => bracket.span,
    };
    let is_doubled =
        [token.wrapping_sub(1), token + 1].iter().any(|it| text.text_of(*it) == bracket.text);
    Placed {
        splice: Splice { span, insert: String::new() },
        cost: if is_doubled { 0 } else { UNUSUAL },
        why: format!("remove the extra `{}`", bracket.text),
    }
}
