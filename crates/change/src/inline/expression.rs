//! A call as the expression that the body is, or as its statements in one block.

use preserve::outline::{Token, TokenKind, tokens};

use super::block::{Code, lines, single};
use super::call::{Binding, Call, Context, SCALARS, ends_statement, local_type, typed, with_word};
use super::function::Function;
use super::lean::{has_guards, has_own_type, plain_type, tail};
use crate::project::spelled;

/// Whether the variable that gets the value has to declare the type of the function.
pub(super) fn needs_type(call: &Call<'_>, function: &Function, code: &Code) -> bool {
    let (Code::Expression(text) | Code::Block(text)) = code;
    let has_return = tokens(&function.body).iter().any(|it| it.is("return"));
    let has_own = has_own_type(function) && !has_return
        || single(&function.body).is_some() && is_typed(&function.body, function.output.as_deref());
    call.is_lean && !has_own && !text.contains("let result: ")
}

/// The code without a variable for the result; `None` if its type or the end of temporary values needs
/// one.
pub(super) fn lean(
    function: &Function,
    call: &Call<'_>,
    body: &str,
    bindings: &[Binding],
) -> Option<Code> {
    let has_return = tokens(body).iter().any(|it| it.is("return"));
    let shape = single(body).filter(|_| !has_return);
    let output = function.output.as_deref().map(|it| local_type(it, call));
    let is_certain = call.context != Context::Open
        || has_own_type(function) && !has_return
        || shape.is_some() && is_typed(body, function.output.as_deref());
    let ends = ends_statement(call);
    if output.is_some() && !is_certain || has_guards(tail(body)) && !ends {
        return None;
    }
    if let (Some(is_block), true) = (shape, bindings.is_empty()) {
        let text = lines(body, call.indent).trim().to_owned();
        return Some(if is_block { Code::Block(text) } else { Code::Expression(text) });
    }
    let is_guarded = |it: &Binding| has_guards(&it.value) && tokens(&it.value).len() > 1;
    if bindings.iter().any(|it| is_guarded(it) || it.name.is_empty()) {
        return None;
    }
    let indent = format!("{}    ", call.indent);
    let mut inner = variables(call, bindings, &indent)?;
    let text = match has_return {
        true => lines(&with_word(body, "return", &format!("break {}", call.label)), &indent),
        false => lines(body, &indent),
    };
    let is_open = !text.trim_end().ends_with([';', '}']) && !text.trim().is_empty();
    inner.push_str(&text);
    inner.push_str(if output.is_none() && is_open { ";" } else { "" });
    let label = if has_return { format!("{}: ", call.label) } else { String::new() };
    Some(Code::Block(format!("{label}{{\n{inner}\n{}}}", call.indent)))
}

/// The declarations of variables one by one, with the types that they need; `None` if a value names an
/// earlier one of them.
fn variables(call: &Call<'_>, bindings: &[Binding], indent: &str) -> Option<String> {
    let mut found = String::new();
    for (at, it) in bindings.iter().enumerate() {
        let words = tokens(&it.value);
        if bindings[..at].iter().any(|earlier| words.iter().any(|word| word.is(&earlier.name))) {
            return None;
        }
        let is_number =
            it.value.trim_start_matches('-').starts_with(|it: char| it.is_ascii_digit());
        let is_scalar = SCALARS.contains(&it.ty.as_str()) && !is_number;
        let is_same =
            (call.known)(&it.value).is_some_and(|own| plain_type(&own) == plain_type(&it.ty));
        let ty = if is_scalar || is_same { String::new() } else { typed(&it.ty) };
        found.push_str(&format!("{indent}let {}{ty} = {};\n", it.pattern, it.value));
    }
    Some(found)
}

/// Whether an expression alone has the type that the function declares.
pub(super) fn is_typed(body: &str, output: Option<&str>) -> bool {
    let Some(output) = output else { return true };
    let list = tokens(body);
    if SCALARS.contains(&output) {
        let is_open = |it: &Token<'_>| {
            it.kind == TokenKind::Literal
                && it.text.starts_with(|it: char| it.is_ascii_digit())
                && !SCALARS.iter().any(|ty| it.text.ends_with(ty))
        };
        return !list.iter().any(is_open) || output == "bool" && is_comparison(&list);
    }
    let head = tokens(output);
    match (head.as_slice(), list.as_slice()) {
        ([ty], [first, second, ..]) => {
            first.text == ty.text && matches!(second.text, "{" | "::" | "(")
        }
        _ => spelled(output) == "&'static str" && list.len() == 1 && body.trim().starts_with('"'),
    }
}

/// Whether the outermost operator gives a `bool` of operands that have one type.
fn is_comparison(list: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    let mut found = false;
    for token in list {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "==" | "!=" | "<=" | ">=" | "<" | ">" if depth == 0 => found = true,
            _ => {}
        }
    }
    found
}
