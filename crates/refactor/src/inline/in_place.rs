//! Arguments in place of the variables that the compiler's answers make unnecessary: a value of the same
//! type, evaluated once and in the same order, and dropped no later.

use preserve::outline::{Token, TokenKind, is_keyword, tokens};

use super::block::{is_atomic, single};
use super::call::{Binding, Call, SCALARS, Value};
use super::lean::{is_operand, is_passed, plain_type};
use crate::reshape::{is_captured, is_pure};

/// Macros whose arguments are expressions, evaluated once and in their order.
const ORDERED_MACROS: &[&str] =
    &["format", "vec", "println", "print", "eprintln", "eprint", "write", "writeln"];

/// The body with arguments in place of variables; the variables that it still needs stay in the list.
pub(super) fn in_place(body: &str, bindings: &mut Vec<Binding>, call: &Call<'_>) -> String {
    let mut body = body.to_owned();
    if let Some(at) = bindings.iter().position(|it| it.of == Value::Receiver)
        && let Some(now) = with_receiver(&body, &bindings[at], call)
    {
        body = now;
        bindings.remove(at);
    }
    if let Some(now) = with_arguments(&body, bindings, call) {
        body = now;
        bindings.clear();
    }
    body
}

/// The body with the place that the method is called on instead of `self`; `None` if that is no place,
/// or if `self` there means more than it.
fn with_receiver(body: &str, binding: &Binding, call: &Call<'_>) -> Option<String> {
    let place = binding.bare.as_str();
    let is_reference = call.certain.values.contains(&Value::Receiver);
    let is_place = is_pure(place) && is_atomic(place);
    let is_borrow = binding.ty.starts_with('&');
    if !is_place || !is_borrow || !(is_reference || call.certain.is_referent) {
        return None;
    }
    let list = tokens(body);
    if list.iter().any(|it| matches!(it.text, "|" | "||" | "move" | "async")) {
        // A closure would capture the place instead of the reference.
        return None;
    }
    let root = tokens(place).first().map_or("", |it| it.text);
    let text = |at: usize| list.get(at).map_or("", |it| it.text);
    let mut found = body.to_owned();
    for (at, token) in list.iter().enumerate().rev() {
        let before = at.checked_sub(1).map_or("", text);
        if token.kind == TokenKind::Literal
            && (is_captured(token.text, &binding.name) || is_captured(token.text, root))
        {
            return None;
        }
        if token.kind != TokenKind::Word || before == "." {
            continue;
        }
        if token.is(root) && root != binding.name {
            // The body may mean something else by it.
            return None;
        }
        if !token.is(&binding.name) {
            continue;
        }
        // `self.field`, also in front of a method of the field.
        let is_field = text(at + 1) == "." && text(at + 3) != "(" && text(at + 3) != "::";
        if !(is_field || is_reference && is_operand(&list, at)) {
            return None;
        }
        found.replace_range(token.span.start..token.span.end, place);
    }
    Some(found)
}

/// The body with all arguments in place of their variables; `None` if one of them cannot be there.
fn with_arguments(body: &str, bindings: &[Binding], call: &Call<'_>) -> Option<String> {
    let is_one = single(body.trim_end().trim_end_matches(';')) == Some(false);
    if bindings.is_empty() || !is_one {
        return None;
    }
    let list = tokens(body);
    // What may bind a name, evaluate a part later, more than once or not at all.
    let is_other = |it: &Token<'_>| {
        matches!(it.text, "|" | "||" | "&&" | "?")
            || it.kind == TokenKind::Word
                && is_keyword(it.text)
                && !matches!(
                    it.text,
                    "self" | "Self" | "crate" | "super" | "true" | "false" | "mut" | "as"
                )
    };
    let limit = list.iter().position(is_other).unwrap_or(list.len());
    let mut places = Vec::new();
    for binding in bindings {
        places.push((one_place(&list, binding, call)?, binding));
    }
    if places.iter().any(|it| it.0 > limit) {
        return None;
    }
    let is_ordered = places.windows(2).all(|it| it[0].0 < it[1].0);
    let is_early =
        |(at, binding): &(usize, &Binding)| is_pure(&binding.bare) || is_first(&list[..*at]);
    let has_effects = places.iter().any(|it| !is_pure(&it.1.bare));
    if has_effects && !(is_ordered && places.iter().all(is_early)) {
        return None;
    }
    places.sort_by_key(|it| it.0);
    let mut found = body.to_owned();
    for (at, binding) in places.into_iter().rev() {
        let text = match is_passed(&list, at) || is_atomic(&binding.bare) {
            true => binding.bare.clone(),
            false => format!("({})", binding.bare),
        };
        found.replace_range(list[at].span.start..list[at].span.end, &text);
    }
    Some(found)
}

/// The only place of a parameter in a body, where its argument means the same.
fn one_place(list: &[Token<'_>], binding: &Binding, call: &Call<'_>) -> Option<usize> {
    let is_plain = binding.of != Value::Receiver
        && !binding.name.is_empty()
        && binding.pattern == binding.name
        && !binding.bare.starts_with(['*'])
        && !binding.bare.starts_with("&mut");
    if !is_plain || !call.certain.values.contains(&binding.of) {
        return None;
    }
    let mut found = None;
    for (at, token) in list.iter().enumerate() {
        if token.kind == TokenKind::Literal && is_captured(token.text, &binding.name) {
            return None;
        }
        let is_it = token.kind == TokenKind::Word && token.is(&binding.name);
        if !is_it || at.checked_sub(1).is_some_and(|it| list[it].is(".")) {
            continue;
        }
        if found.is_some() || !is_operand(list, at) {
            return None;
        }
        found = Some(at);
    }
    let at = found?;
    let ty = plain_type(&binding.ty);
    let is_borrowed = ty.starts_with('&') && !ty.starts_with("&mut");
    // A value with a destructor is dropped where it is now, unless it is passed on.
    let around = macro_around(list, at);
    if around.is_some_and(|it| !ORDERED_MACROS.contains(&it)) {
        return None;
    }
    let is_moved = is_passed(list, at) && around.is_none();
    (SCALARS.contains(&ty.as_str()) || is_borrowed || is_moved).then_some(at)
}

/// Whether nothing is evaluated before the place but names and literals: no call or operation ends.
fn is_first(before: &[Token<'_>]) -> bool {
    let is_operator = |it: &&Token<'_>| {
        it.kind == TokenKind::Punctuation
            && !matches!(it.text, "::" | "(" | "," | "[" | "{" | ":" | "&" | "!" | ".")
    };
    let ends = before.iter().any(|it| matches!(it.text, ")" | "]" | "}"));
    !ends && before.iter().filter(is_operator).count() <= 1
}

/// The macro that has a token in its arguments.
fn macro_around<'t>(list: &[Token<'t>], at: usize) -> Option<&'t str> {
    let mut depth = 0_usize;
    for index in (2..at).rev() {
        match list[index].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" | "[" | "{" if list[index - 1].is("!") => return Some(list[index - 2].text),
            _ => {}
        }
    }
    None
}
