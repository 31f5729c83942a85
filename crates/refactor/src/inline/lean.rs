//! A call as the expression that its body is, without variables that only rename something: which
//! arguments can take the place of their parameter, and where the body's type needs no declaration.
//!
//! Everything here must not change a meaning silently: where a literal could get another type, a value
//! be dropped at another time or a method of another type be meant, the answer is no, and `call.rs`
//! binds the arguments with their types.

use preserve::outline::{Token, TokenKind, is_keyword, tokens};

use super::block::is_atomic;
use super::call::{Call, SCALARS, local_type};
use super::callee::call_of;
use super::function::{InlineFunction, Parameter};
use crate::reshape::{is_captured, is_pure};
use crate::text::spelled;

/// Operators whose operands and result have one type.
const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^"];

/// Operators whose operands have one type.
const COMPARISONS: &[&str] = &["==", "!=", "<=", ">=", "<", ">"];

/// The body with an argument of the call in place of its parameter; `None` if it needs a variable.
pub(super) fn substituted(
    body: &str,
    parameter: &Parameter,
    argument: &str,
    call: &Call<'_>,
) -> Option<String> {
    let argument = argument.trim();
    let is_simple = !parameter.is_mut() && !parameter.name.is_empty() && is_pure(argument);
    if !is_simple || argument.starts_with('*') || argument.starts_with("&mut") {
        return None;
    }
    let words = tokens(argument);
    let first = words.iter().find(|it| it.kind == TokenKind::Word).map_or("", |it| it.text);
    let list = tokens(body);
    let mut place = None;
    for (at, token) in list.iter().enumerate() {
        if token.kind == TokenKind::Literal
            && (is_captured(token.text, &parameter.name)
                || !first.is_empty() && is_captured(token.text, first))
        {
            return None;
        }
        let before = at.checked_sub(1).map_or("", |it| list[it].text);
        if token.kind != TokenKind::Word || before == "." {
            continue;
        }
        if token.is(&parameter.name) {
            if place.is_some() || !is_operand(&list, at) {
                return None;
            }
            place = Some(at);
        } else if token.is(first) && !matches!(first, "true" | "false" | "crate" | "Self") {
            return None;
        }
    }
    let at = place?;
    if list.iter().any(|it| it.is("|") || it.is("||") || it.is("move")) {
        // A closure may outlive the call.
        return None;
    }
    let insert = operand(&list, at, parameter, argument, call)?;
    let span = list[at].span;
    Some(format!("{}{insert}{}", &body[..span.start], &body[span.end..]))
}

/// Whether a word is a value, and not a name that is bound or that begins a path.
pub(super) fn is_operand(list: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |it| list[it].text);
    let next = list.get(at + 1).map_or("", |it| it.text);
    let binds =
        matches!(before, "let" | "mut" | "ref" | "|" | "for" | "::" | "@" | "{" | "&" | "&&")
            && !(before == "{"
                && matches!(next, "}" | "." | "+" | "-" | "*" | "/" | "<" | ">" | "==" | "!="));
    let is_name =
        matches!(next, ":" | "::" | "!" | "@" | "=" | "=>" | "+=" | "-=" | "*=" | "/=" | "(");
    let is_listed = before == "," && matches!(next, "," | "}" | "|");
    !(binds || is_name || is_listed)
}

/// The argument as it is written in place of the parameter; `None` if its type is not certainly that of
/// the parameter.
fn operand(
    list: &[Token<'_>],
    at: usize,
    parameter: &Parameter,
    argument: &str,
    call: &Call<'_>,
) -> Option<String> {
    let ty = plain_type(&parameter.ty);
    let number = argument.strip_prefix('-').unwrap_or(argument).trim();
    let is_number = number.starts_with(|it: char| it.is_ascii_digit());
    let text = if is_number {
        let is_numeric = SCALARS.contains(&ty.as_str()) && !matches!(ty.as_str(), "bool" | "char");
        let has_suffix = SCALARS.iter().any(|it| number.ends_with(it)) && !number.starts_with("0x");
        if local_type(&parameter.ty, call) == "_" {
            // A variable would have no type either.
            return is_passed(list, at).then(|| argument.to_owned());
        }
        if !is_numeric {
            return None;
        }
        match has_suffix || is_anchored(list, at) || is_given(list, at, &ty, call) {
            true => argument.to_owned(),
            false if number.contains(['x', '.', 'e']) => return None,
            false => format!("{argument}{ty}"),
        }
    } else if SCALARS.contains(&ty.as_str()) || ty == "&str" && is_text(argument) {
        argument.to_owned()
    } else {
        let is_reference = ty.starts_with('&') && !ty.starts_with("&mut");
        let own = (call.known)(argument)?;
        if !is_reference || plain_type(&own) != ty {
            return None;
        }
        argument.to_owned()
    };
    Some(if is_passed(list, at) || is_atomic(&text) { text } else { format!("({text})") })
}

/// Whether nothing but the value is at its place.
pub(super) fn is_passed(list: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |it| list[it].text);
    let next = list.get(at + 1).map_or("", |it| it.text);
    matches!(before, "" | "(" | "," | "=" | "{" | ";" | "return" | "=>" | "[")
        && matches!(next, "" | ")" | "," | ";" | "}" | "]")
}

/// Whether the function that a body calls gives its argument the type.
fn is_given(list: &[Token<'_>], at: usize, ty: &str, call: &Call<'_>) -> bool {
    let found = call_of(list, at).and_then(|(path, index)| (call.parameter)(&path, index));
    found.is_some_and(|it| it == ty)
}

/// Whether a string literal is the whole text.
fn is_text(argument: &str) -> bool {
    argument.starts_with('"') && tokens(argument).len() == 1
}

/// Whether the other operand of an operator gives a number its type.
fn is_anchored(list: &[Token<'_>], at: usize) -> bool {
    let text = |at: Option<usize>| at.and_then(|it| list.get(it)).map_or("", |it| it.text);
    let is_operator = |it: &str| ARITHMETIC.contains(&it) || COMPARISONS.contains(&it);
    // The place that a value is assigned to has a type, a new variable has not.
    let statement = list[..at].iter().rposition(|it| matches!(it.text, ";" | "{" | "}"));
    let first = statement.map_or(0, |it| it + 1);
    let is_assigned = matches!(text(at.checked_sub(1)), "=" | "+=" | "-=" | "*=" | "/=")
        && text(Some(first)) != "let";
    let is_name = |at: Option<usize>| {
        at.and_then(|it| list.get(it))
            .is_some_and(|it| it.kind == TokenKind::Word && (!is_keyword(it.text) || it.is("self")))
    };
    let before = at.checked_sub(1);
    let left = is_operator(text(before)) && is_name(at.checked_sub(2));
    let right = is_operator(text(Some(at + 1))) && is_name(Some(at + 2));
    // `x - 1` and `1 - x`, but not `-1`.
    left || right || is_assigned
}

/// A type without lifetimes, in one spelling.
pub(super) fn plain_type(ty: &str) -> String {
    let list = tokens(ty);
    let kept = list.iter().filter(|it| it.kind != TokenKind::Lifetime).map(|it| it.text);
    let mut found = String::new();
    for text in kept {
        let glues = found.ends_with(|it: char| it.is_alphanumeric() || it == '_')
            && text.starts_with(|it: char| it.is_alphanumeric() || it == '_');
        found.push_str(if glues { " " } else { "" });
        found.push_str(text);
    }
    found
}

/// Whether the value of a function's body has the type that it declares, also where no declaration gives
/// it that type.
pub(super) fn has_own_type(function: &InlineFunction) -> bool {
    let Some(output) = &function.output else { return true };
    let output = plain_type(output);
    let tail = tail(&function.body);
    let list = tokens(tail);
    let ty_of = |name: &str| {
        let own = function.parameters.iter().find(|it| it.name == name);
        own.map(|it| plain_type(&it.ty))
    };
    if let [one] = list.as_slice()
        && ty_of(one.text).is_some_and(|it| it == output)
    {
        return !shadows(&function.body, one.text);
    }
    match output.as_str() {
        "bool" => is_truth(&list),
        ty if SCALARS.contains(&ty) => {
            let named = |it: &Token<'_>| ty_of(it.text).is_some_and(|it| it == output);
            is_sum_of(&list, &|it| named(it) && !shadows(&function.body, it.text))
        }
        _ => false,
    }
}

/// Whether a body binds a name again.
fn shadows(body: &str, name: &str) -> bool {
    let list = tokens(body);
    (1..list.len()).any(|at| {
        list[at].is(name)
            && matches!(
                list[at - 1].text,
                "let" | "mut" | "ref" | "|" | "for" | "(" | "," | "{" | "@"
            )
            && matches!(list.get(at + 1).map_or("", |it| it.text), "=" | ":" | "|" | "in" | "@")
    })
}

/// The last expression of a body, as text.
pub(super) fn tail(body: &str) -> &str {
    let list = tokens(body);
    let (mut depth, mut start) = (0_usize, 0);
    let mut first = list.first();
    for (at, token) in list.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let next = list.get(at + 1);
        let is_block = depth == 0 && token.is("}") && first.is_some_and(begins_block);
        let ends = token.is(";") || is_block && next.is_some_and(begins_statement);
        if depth == 0 && ends {
            start = token.span.end;
            first = next;
        }
    }
    body[start..].trim()
}

/// Whether a statement that begins with the token ends with its block.
fn begins_block(token: &Token<'_>) -> bool {
    matches!(token.text, "if" | "match" | "for" | "while" | "loop" | "unsafe" | "{")
        || token.kind == TokenKind::Lifetime
}

/// Whether the token after a block begins another statement.
fn begins_statement(token: &Token<'_>) -> bool {
    token.kind != TokenKind::Punctuation && !matches!(token.text, "else" | "as")
}

/// Whether an expression is a `bool` by its operators or as a literal.
fn is_truth(list: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    let mut found = list.first().is_some_and(|it| it.is("!"));
    found |= list.len() == 1 && matches!(list[0].text, "true" | "false");
    for token in list {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "&&" | "||" if depth == 0 => found = true,
            it if depth == 0 && COMPARISONS.contains(&it) => found = true,
            "if" | "match" if depth == 0 => return false,
            _ => {}
        }
    }
    found
}

/// Whether an expression is a chain of arithmetic with an operand of the certain type.
fn is_sum_of(list: &[Token<'_>], is_certain: &dyn Fn(&Token<'_>) -> bool) -> bool {
    let mut depth = 0_usize;
    let mut found = false;
    for (at, token) in list.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |it| list[it].text);
        let next = list.get(at + 1).map_or("", |it| it.text);
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "{" | "if" | "match" | "as" | "<<" | ">>" | "=" | "&&" | "||" | "?" => return false,
            it if COMPARISONS.contains(&it) => return false,
            _ if is_certain(token) => {
                let joins = |it: &str| it.is_empty() || ARITHMETIC.contains(&it);
                found |= joins(before) && joins(next);
            }
            _ => {}
        }
    }
    found
}

/// The types of variables of the caller that its text shows: parameters, declared variables, and those
/// that begin as a string.
pub(super) fn variable_type(
    function: &str,
    parameters: &[(String, String)],
    name: &str,
) -> Option<String> {
    let (reference, name) = match name.strip_prefix('&') {
        Some(rest) => ("&", rest.trim()),
        None => ("", name),
    };
    let list = tokens(function);
    let bound: Vec<usize> = (1..list.len())
        .filter(|at| {
            list[*at].is(name)
                && matches!(list[at - 1].text, "let" | "mut" | "ref" | "|" | "for" | "@")
        })
        .collect();
    let own = match bound.as_slice() {
        [] => parameters.iter().find(|it| it.0 == name).map(|it| it.1.clone()),
        [at] if !parameters.iter().any(|it| it.0 == name) => declared(&list, *at, function),
        _ => None,
    };
    own.map(|it| format!("{reference}{it}"))
}

/// The type of a variable by its declaration.
fn declared(list: &[Token<'_>], at: usize, text: &str) -> Option<String> {
    let next = |ahead: usize| list.get(at + ahead).map_or("", |it| it.text);
    match next(1) {
        ":" => {
            let end = list[at..].iter().position(|it| it.is("=") || it.is(";"))? + at;
            text.get(list.get(at + 2)?.span.start..list[end - 1].span.end).map(spelled)
        }
        "=" => {
            let is_string = next(2) == "String"
                && next(3) == "::"
                && matches!(next(4), "from" | "new" | "with_capacity")
                && closes(list, at + 5)
                || next(2) == "format" && next(3) == "!" && closes(list, at + 4)
                || next(2).starts_with('"')
                    && next(3) == "."
                    && matches!(next(4), "to_string" | "to_owned")
                    && closes(list, at + 5);
            is_string.then(|| "String".to_owned())
        }
        _ => None,
    }
}

/// Whether the bracket at a token closes at the end of the statement.
fn closes(list: &[Token<'_>], open: usize) -> bool {
    let mut depth = 0_usize;
    for (at, token) in list.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return list.get(at + 1).is_some_and(|it| it.is(";"));
        }
    }
    false
}
