//! Temporary values of an expression that do something when they end, such as the guard of a lock.
//! Start at [`has_guards`].

use preserve::outline::{Token, TokenKind, is_keyword, tokens};

use super::block::has_temporaries;

/// Methods and functions of the standard library whose results do nothing when they are dropped.
const PLAIN_CALLS: &str = "Err Ok Some abs all and_then any as_bytes as_deref as_mut as_ref as_slice as_str bytes \
    chain char_indices chars checked_add checked_sub chunks clone cloned cmp collect concat \
    contains contains_key copied count ends_with enumerate eq filter filter_map find \
    find_map first flat_map flatten fold from get into into_iter is_empty is_err is_none \
    is_ok is_some iter iter_mut join keys last len lines map map_err max min new next nth \
    ok ok_or ok_or_else or or_else parse partial_cmp position pow replace rev rfind \
    rposition saturating_add saturating_sub skip split split_at split_once split_whitespace \
    starts_with strip_prefix strip_suffix sum take to_lowercase to_owned to_string \
    to_uppercase to_vec trim trim_end trim_start unwrap unwrap_or unwrap_or_default \
    unwrap_or_else values windows wrapping_add wrapping_sub zip";

/// Macros whose values do nothing when they are dropped.
const PLAIN_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "format",
    "matches",
    "panic",
    "unreachable",
    "vec",
];

/// Whether temporary values of an expression may do something when they end.
pub(super) fn has_guards(expression: &str) -> bool {
    let list = tokens(expression);
    let is_plain = |at: usize| {
        let name = list[at - 1].text;
        let is_macro = list[at - 1].is("!");
        match is_macro {
            true => at > 1 && PLAIN_MACROS.contains(&list[at - 2].text),
            false => PLAIN_CALLS.split_whitespace().any(|it| it == name),
        }
    };
    let mut calls = (1..list.len()).filter(|at| is_call(&list, *at));
    has_temporaries(expression) && !calls.all(|at| is_plain(at) || is_moved(&list, at))
}

/// Whether the bracket at a token is that of a call.
fn is_call(list: &[Token<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|it| &list[it]) else { return false };
    list[at].is("(")
        && (before.kind == TokenKind::Word && !is_keyword(before.text)
            || before.is("!")
            || before.is(")"))
}

/// Whether the value of the call with this bracket is the value of the expression, or an argument of
/// such a call: it is moved and no temporary value.
fn is_moved(list: &[Token<'_>], at: usize) -> bool {
    let Some(close) = closing(list, at) else { return false };
    let start = start_of(list, at);
    match (start.checked_sub(1), list.get(close + 1).map(|it| it.text)) {
        (None, None) => true,
        (Some(before), Some("," | ")")) if matches!(list[before].text, "(" | ",") => {
            // The arguments of a macro are borrowed by some.
            opening(list, start).is_some_and(|open| {
                is_call(list, open) && !list[open - 1].is("!") && is_moved(list, open)
            })
        }
        _ => false,
    }
}

/// The first token of the path or chain of methods that ends with the call at a bracket.
fn start_of(list: &[Token<'_>], at: usize) -> usize {
    let mut start = at;
    while let Some(before) = start.checked_sub(1) {
        match &list[before] {
            it if it.is(")") || it.is("]") => match opening(list, before) {
                Some(open) => start = open,
                None => break,
            },
            it if matches!(it.text, "." | "::" | "?" | "!") => start = before,
            it if it.kind != TokenKind::Punctuation && !is_prefix(it) => start = before,
            _ => break,
        }
    }
    start
}

/// Whether a word comes before an operand and is no part of it.
fn is_prefix(token: &Token<'_>) -> bool {
    is_keyword(token.text) && !matches!(token.text, "self" | "Self" | "crate" | "super" | "await")
}

/// The bracket that closes the one at a token.
fn closing(list: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in list.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The bracket that is open before a token, or that the one at it closes.
fn opening(list: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for before in (0..at).rev() {
        match list[before].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth == 0 => return Some(before),
            "(" | "[" | "{" => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_moved_is_no_temporary() {
        for plain in [
            "size(s.as_bytes()[i])",
            "a::size(s.as_bytes()[i])",
            "self.size(s.as_bytes()[i])",
            "outer(size(s.as_bytes()[i]), b)",
            "Some(size(&s.trim()[i..]))",
        ] {
            assert!(!has_guards(plain), "{plain}");
        }
        for guarded in [
            "c.borrow().len()",
            "size(c.borrow().len())",
            "size(&lock(a))",
            "*lock(a.b())",
            "size(s.as_bytes()[i]) == 1",
            "-size(s.as_bytes()[i])",
            "format!(\"{}\", lock(a.b()[i]))",
            "Some(lock(a)).as_ref().unwrap().len()",
            "size(s.as_bytes()[i]).0",
        ] {
            assert!(has_guards(guarded), "{guarded}");
        }
    }
}
