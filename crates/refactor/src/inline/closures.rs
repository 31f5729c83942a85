//! Closures in a function's body, from its tokens: whether what leaves the function is within one.

use preserve::outline::{Token, TokenKind, tokens};

/// Words after which an expression begins.
const BEFORE_EXPRESSION: &[&str] =
    &["break", "else", "if", "in", "match", "move", "return", "static", "while", "yield"];

/// Whether a `return` or `?` of the body may leave a closure or an `async` block instead of the function.
/// A leading `|` of a pattern counts as a closure up to the end of its arm.
pub(super) fn leaves_closure(body: &str) -> bool {
    let list = tokens(body);
    if list.iter().any(|it| it.is("async")) {
        return leaves(&list);
    }
    (0..list.len()).filter(|at| starts(&list, *at)).any(|at| {
        let inside = &list[body_start(&list, at).min(list.len())..];
        leaves(&inside[..expression_end(inside)])
    })
}

/// Whether code has a `return` or the operator `?`.
fn leaves(list: &[Token<'_>]) -> bool {
    list.iter().enumerate().any(|(at, it)| {
        let is_bound = list.get(at + 1).is_some_and(|next| next.is("Sized"));
        it.is("return") || it.is("?") && !is_bound
    })
}

/// Whether the token begins a closure: `|` or `||` where no value is before it.
fn starts(list: &[Token<'_>], at: usize) -> bool {
    if !matches!(list[at].text, "|" | "||") {
        return false;
    }
    let Some(before) = at.checked_sub(1).and_then(|it| list.get(it)) else { return true };
    match before.kind {
        TokenKind::Word => BEFORE_EXPRESSION.contains(&before.text),
        _ => matches!(
            before.text,
            "(" | "[" | "{" | "}" | "," | ";" | "=" | "=>" | ":" | "&" | "&&" | "||" | "!" | "*"
        ),
    }
}

/// The first token after the parameters.
fn body_start(list: &[Token<'_>], at: usize) -> usize {
    if list[at].is("||") {
        return after_type(list, at + 1);
    }
    let mut depth = 0_usize;
    let end = list[at + 1..].iter().position(|it| {
        match it.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && it.is("|")
    });
    // Without an end it is no closure that is understood: all that follows counts.
    let Some(end) = end.map(|it| at + it + 2) else { return at + 1 };
    after_type(list, end)
}

/// The block of a body below the type that it returns, in which a comma ends nothing.
fn after_type(list: &[Token<'_>], at: usize) -> usize {
    if !list.get(at).is_some_and(|it| it.is("->")) {
        return at;
    }
    let is_constant = |it: usize| matches!(list[it - 1].text, "<" | ",");
    (at + 1..list.len()).find(|it| list[*it].is("{") && !is_constant(*it)).unwrap_or(at)
}

/// Number of tokens of the expression at the begin of a list.
fn expression_end(list: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    let end = list.iter().position(|it| match it.text {
        "(" | "[" | "{" => {
            depth += 1;
            false
        }
        ")" | "]" | "}" if depth > 0 => {
            depth -= 1;
            false
        }
        ")" | "]" | "}" | "," | ";" => depth == 0,
        _ => false,
    });
    end.unwrap_or(list.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leaves_a_closure_counts() {
        for body in [
            "{ if p.exists() { return Ok(p); } let p = p.strip().unwrap_or(p); env().map(|it| it.join(p)) }",
            "{ let a = read()?; list.iter().map(|it| it + 1).sum() }",
            "{ let a = b | c?; return a || b; }",
            "{ f(|a, (b, c)| { a + b }, read()?) }",
            "{ match x { Some(1 | 2) => return 1, _ => {} } }",
            "{ let g = |x: u8| -> u8 { x }; g(read()?) }",
        ] {
            assert!(!leaves_closure(body), "{body}");
        }
        for body in [
            "{ list.iter().map(|it| it.read()?).sum() }",
            "{ let g = || { if a { return 1; } 2 }; g() }",
            "{ let g = move |a, b| match a { 1 => return 2, _ => b }; g(1, 2) }",
            "{ f(&|it: u8| -> Option<u8> { Some(it?) }) }",
            "{ async { read()? } }",
            "{ f(|a| |b| g(b)?) }",
            "{ f(|a| -> HashMap<u8, u8> { g(a)? }, 1) }",
            "{ f(|| -> Map<{ 1 }, u8> { g()? }) }",
        ] {
            assert!(leaves_closure(body), "{body}");
        }
    }
}
