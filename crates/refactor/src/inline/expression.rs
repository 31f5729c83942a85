//! A call as the expression that the body is, or as its statements in one block.

use preserve::outline::{Token, TokenKind, tokens};

use super::block::{Code, lines, single};
use super::call::{
    Binding, Call, Context, SCALARS, Style, Value, ends_statement, has_return, labelled,
    local_type, typed,
};
use super::function::InlineFunction;
use super::guards::has_guards;
use super::lean::{has_own_type, plain_type, tail};
use crate::text::spelled;

/// Whether the variable that gets the value has to declare the type of the function.
pub(super) fn needs_type(call: &Call<'_>, function: &InlineFunction, code: &Code) -> bool {
    let (Code::Expression(text) | Code::Block(text)) = code;
    let has_own = has_own_type(function) && !has_return(&function.body)
        || single(&function.body).is_some() && is_typed(&function.body, function.output.as_deref())
        || call.certain.values.contains(&Value::Result);
    call.style == Style::Lean && !has_own && !text.contains("let result: ")
}

/// The code without a variable for the result; `None` if its type or the end of temporary values needs
/// one.
pub(super) fn lean(
    function: &InlineFunction,
    call: &Call<'_>,
    body: &str,
    bindings: &[Binding],
) -> Option<Code> {
    let has_return = has_return(body);
    let shape = single(body).filter(|_| !has_return);
    let output = function.output.as_deref().map(|it| local_type(it, call));
    let is_certain = call.context != Context::Open
        || call.certain.values.contains(&Value::Result)
        || has_own_type(function) && !has_return
        || shape.is_some() && is_typed(body, function.output.as_deref());
    let ends = ends_statement(call);
    if output.is_some() && !is_certain || has_guards(tail(&function.body)) && !ends {
        return None;
    }
    if let (Some(is_block), true) = (shape, bindings.is_empty()) {
        let text = lines(body, call.indent).trim().to_owned();
        return Some(if is_block { Code::Block(text) } else { Code::Expression(text) });
    }
    let is_statement = output.is_none() && ends && call.around.starts_statement();
    if is_statement && bindings.is_empty() && !has_return && !binds(body) {
        let text = lines(body, call.indent);
        return Some(Code::Expression(text.trim().trim_end_matches(';').to_owned()));
    }
    let is_guarded = |it: &Binding| has_guards(&it.value) && tokens(&it.value).len() > 1;
    if bindings.iter().any(|it| is_guarded(it) || it.name.is_empty()) {
        return None;
    }
    let indent = format!("{}    ", call.indent);
    let mut inner = variables(call, bindings, &indent)?;
    let (label, body) = labelled(body, call.label);
    let text = lines(&body, &indent);
    let is_open = !text.trim_end().ends_with([';', '}']) && !text.trim().is_empty();
    inner.push_str(&text);
    inner.push_str(if output.is_none() && is_open { ";" } else { "" });
    Some(Code::Block(format!("{label}{{\n{inner}\n{}}}", call.indent)))
}

/// Whether statements of a body define names.
fn binds(body: &str) -> bool {
    tokens(body).iter().any(|it| matches!(it.text, "let" | "use" | "const" | "type" | "#"))
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
        let is_same = is_same || call.certain.values.contains(&it.of);
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
