//! Replaces one call of a function by its body, with arguments bound so that they are evaluated as
//! before. `block.rs` writes the result, `plan.rs` collects all calls.

use preserve::outline::{Token, TokenKind, tokens};

use super::block::{Around, Code, has_temporaries, is_atomic, lines, single};
use super::expression::{is_typed, lean};
use super::function::{Function, Parameter, Receiver};
use crate::reshape::{is_captured, is_pure};

/// Types to which nothing is coerced, and whose values have no destructor.
pub(super) const SCALARS: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "u128", "usize",
];

/// A call with what is known about its place.
pub(super) struct Call<'a> {
    /// `self` as written; `None` where the function has none.
    pub(super) receiver: Option<String>,
    /// Whether the receiver is an argument: `Type::method(&value)`.
    pub(super) is_path: bool,
    /// Whether the receiver is the caller's own `self` with a type on which the body works too.
    pub(super) is_own_self: bool,
    /// Whether the receiver is a variable that is a reference already.
    pub(super) is_reference: bool,
    /// The arguments in their order, without `self`.
    pub(super) arguments: Vec<String>,
    /// Generic types that have another meaning, or none, at the call.
    pub(super) foreign: Vec<String>,
    /// What `Self` is, if it is not the same at the call.
    pub(super) own: Option<String>,
    pub(super) around: Around<'a>,
    /// The blanks before the line of the call.
    pub(super) indent: &'a str,
    /// A label that the file does not have.
    pub(super) label: &'a str,
    /// Whether the code may do without variables and types that are not needed.
    pub(super) is_lean: bool,
    /// Source of the type of the call's value.
    pub(super) context: Context,
    /// The types of the caller's variables that its text shows.
    pub(super) known: &'a dyn Fn(&str) -> Option<String>,
    /// The type of a parameter of the function that a path names.
    pub(super) parameter: &'a dyn Fn(&[&str], usize) -> Option<String>,
}

/// Source of the type of a call's value, besides the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Nothing that is known.
    Open,
    /// A declaration, a function with the same type, or nothing needs one.
    Typed,
    /// A variable without a type, which can be declared: the end of its name.
    Variable(usize),
}

/// A variable of the block.
pub(super) struct Binding {
    pub(super) pattern: String,
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) value: String,
}

/// The code that replaces the call.
pub(super) fn inlined(function: &Function, call: &Call<'_>) -> Result<Code, String> {
    let expected = function.parameters.len();
    if call.arguments.len() != expected {
        let has = base::counted(call.arguments.len(), "argument");
        return Err(format!("the call has {has} instead of {expected}"));
    }
    let mut body = function.body.clone();
    if !call.foreign.is_empty() {
        generic_body(&body, &call.foreign)?;
    }
    let mut bindings = Vec::new();
    if let (Some(kind), Some(receiver)) = (function.receiver, &call.receiver)
        && !call.is_own_self
    {
        let name = fresh("this", &body);
        body = with_self(&body, &name)?;
        bindings.push(receiver_binding(kind, receiver, &name, call)?);
    }
    let texts: Vec<&str> =
        call.receiver.iter().chain(&call.arguments).map(String::as_str).collect();
    for (at, parameter) in function.parameters.iter().enumerate() {
        let argument = &call.arguments[at];
        let own = at + texts.len() - call.arguments.len();
        // A literal is the same anywhere.
        let is_literal = tokens(argument).iter().all(|it| it.kind == TokenKind::Literal);
        let is_alone = || {
            let others = texts.iter().enumerate().filter(|(at, _)| *at != own);
            is_literal || !others.flat_map(|it| tokens(it.1)).any(|it| it.is(argument))
        };
        let now = substituted(&body, parameter, argument).or_else(|| {
            let lean = || super::lean::substituted(&body, parameter, argument, call);
            if call.is_lean { lean() } else { None }
        });
        if let Some(now) = now.filter(|_| is_alone()) {
            body = now;
            continue;
        }
        bindings.push(binding(parameter, argument, call));
    }
    if let Some(own) = &call.own {
        body = with_word(&body, "Self", own);
    }
    Ok(rendered(function, call, &body, &bindings))
}

/// Whether a body means the same for a certain type as for any type.
fn generic_body(body: &str, foreign: &[String]) -> Result<(), String> {
    let list = tokens(body);
    if let Some(name) = list.iter().find(|it| foreign.iter().any(|name| it.is(name))) {
        return Err(format!("its body names the generic type `{}`", name.text));
    }
    let is_method = |it: &[Token<'_>]| {
        it[0].is(".") && it[1].kind == TokenKind::Word && matches!(it[2].text, "(" | "::")
    };
    match list.windows(3).find(|it| is_method(it)) {
        Some(found) => Err(format!(
            "it is generic, and `.{}()` may mean another method for a certain type",
            found[1].text
        )),
        None => Ok(()),
    }
}

/// A name that a text does not have.
fn fresh(name: &str, text: &str) -> String {
    let list = tokens(text);
    let is_free = |it: &String| {
        !list.iter().any(|token| {
            token.is(it) || token.kind == TokenKind::Literal && is_captured(token.text, it)
        })
    };
    let numbered = (2..).map(|it| format!("{name}_{it}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

/// The body with another name for `self`.
fn with_self(body: &str, name: &str) -> Result<String, String> {
    let list = tokens(body);
    if list.iter().any(|it| it.kind == TokenKind::Literal && is_captured(it.text, "self")) {
        return Err("its body has `self` in a format string".to_owned());
    }
    Ok(with_word(body, "self", name))
}

pub(super) fn with_word(body: &str, word: &str, insert: &str) -> String {
    let list = tokens(body);
    let mut found = body.to_owned();
    for (at, token) in list.iter().enumerate().rev() {
        let is_path = word == "self" && list.get(at + 1).is_some_and(|it| it.is("::"));
        if token.kind == TokenKind::Word && token.is(word) && !is_path {
            found.replace_range(token.span.start..token.span.end, insert);
        }
    }
    found
}

fn receiver_binding(
    kind: Receiver,
    receiver: &str,
    name: &str,
    call: &Call<'_>,
) -> Result<Binding, String> {
    let own = call.own.clone().unwrap_or_else(|| "Self".to_owned());
    let operand = match is_atomic(receiver) {
        true => receiver.to_owned(),
        false => format!("({receiver})"),
    };
    let (pattern, ty, value) = match kind {
        Receiver::Shared if call.is_path => {
            (name.to_owned(), format!("&{own}"), receiver.to_owned())
        }
        Receiver::Unique if call.is_path => {
            (name.to_owned(), format!("&mut {own}"), receiver.to_owned())
        }
        Receiver::Shared => (name.to_owned(), format!("&{own}"), format!("&{operand}")),
        Receiver::Unique => {
            let star = if call.is_reference { "*" } else { "" };
            (name.to_owned(), format!("&mut {own}"), format!("&mut {star}{operand}"))
        }
        Receiver::Value { is_mut } => {
            let prefix = if is_mut { "mut " } else { "" };
            (format!("{prefix}{name}"), own, receiver.to_owned())
        }
    };
    Ok(Binding { pattern, name: name.to_owned(), ty, value })
}

/// The body with a number or character of the caller in place of a parameter; `None` if it needs a
/// variable.
fn substituted(body: &str, parameter: &Parameter, argument: &str) -> Option<String> {
    let is_scalar = SCALARS.contains(&parameter.ty.as_str());
    if !is_scalar || parameter.is_mut() || parameter.name.is_empty() || !is_pure(argument) {
        return None;
    }
    let argument_tokens = tokens(argument);
    let [only] = argument_tokens.as_slice() else { return None };
    let is_variable = only.kind == TokenKind::Word;
    let list = tokens(body);
    if argument == parameter.name {
        // The same name: it must not be assigned or borrowed, which the type forbids without `mut`.
        return Some(body.to_owned());
    }
    if !is_variable && !matches!(argument, "true" | "false") {
        return None;
    }
    let mut found = body.to_owned();
    for (at, token) in list.iter().enumerate().rev() {
        if token.kind == TokenKind::Literal
            && (is_captured(token.text, &parameter.name) || is_captured(token.text, argument))
        {
            return None;
        }
        if token.kind != TokenKind::Word {
            continue;
        }
        if token.is(argument) && is_variable && !matches!(argument, "true" | "false") {
            return None;
        }
        if !token.is(&parameter.name) {
            continue;
        }
        let before = at.checked_sub(1).map_or("", |it| list[it].text);
        let next = list.get(at + 1).map_or("", |it| it.text);
        if before == "." {
            continue;
        }
        let binds =
            matches!(before, "let" | "mut" | "ref" | "|" | "for" | "::" | "@" | "{" | "&" | "&&");
        let is_name = matches!(next, ":" | "::" | "!" | "@" | "=" | "}" | "=>");
        if binds || is_name || before == "," && matches!(next, "," | "}" | "|") {
            return None;
        }
        found.replace_range(token.span.start..token.span.end, argument);
    }
    Some(found)
}

fn binding(parameter: &Parameter, argument: &str, call: &Call<'_>) -> Binding {
    let name = parameter.name.clone();
    let pattern = match parameter.pattern.as_str() {
        // A parameter without name lives as long as the others.
        "_" => "_unused".to_owned(),
        pattern => pattern.to_owned(),
    };
    Binding { pattern, name, ty: local_type(&parameter.ty, call), value: argument.to_owned() }
}

/// A type as the calling function can write it; `_` if it cannot.
pub(super) fn local_type(ty: &str, call: &Call<'_>) -> String {
    let list = tokens(ty);
    if list.iter().any(|it| it.is("impl")) {
        return "_".to_owned();
    }
    let mut found = ty.to_owned();
    for token in list.iter().rev() {
        let insert = match token.text {
            "Self" => call.own.as_deref(),
            "'static" => None,
            name if call.foreign.iter().any(|it| it == name) => Some("_"),
            _ if token.kind == TokenKind::Lifetime => Some("'_"),
            _ => None,
        };
        if let Some(insert) = insert {
            found.replace_range(token.span.start..token.span.end, insert);
        }
    }
    found.replace("&'_ ", "&")
}

fn rendered(function: &Function, call: &Call<'_>, body: &str, bindings: &[Binding]) -> Code {
    let has_return = tokens(body).iter().any(|it| it.is("return"));
    let output = function.output.as_deref().map(|it| local_type(it, call));
    let shape = single(body).filter(|_| !has_return);
    if let Some(code) = lean(function, call, body, bindings).filter(|_| call.is_lean) {
        return code;
    }
    if let (Some(is_block), true) = (shape, bindings.is_empty())
        && is_typed(body, function.output.as_deref())
        && (!has_temporaries(body.trim()) || ends_statement(call))
    {
        let text = lines(body, call.indent).trim().to_owned();
        return if is_block { Code::Block(text) } else { Code::Expression(text) };
    }
    let by_match =
        bindings.iter().any(|it| has_temporaries(&it.value) && tokens(&it.value).len() > 1);
    let by_match = by_match && bindings.iter().all(|it| !it.name.is_empty());
    let outer = match by_match {
        true => format!("{}    ", call.indent),
        false => call.indent.to_owned(),
    };
    let indent = format!("{outer}    ");
    let mut inner = String::new();
    let list = |of: fn(&Binding) -> &String| -> String {
        let all: Vec<&str> = bindings.iter().map(|it| of(it).as_str()).collect();
        match all.as_slice() {
            [one] => (*one).to_owned(),
            all => format!("({})", all.join(", ")),
        }
    };
    let (names, values) = (list(|it| &it.name), list(|it| &it.value));
    if by_match {
        for it in bindings {
            let (pattern, ty) = (&it.pattern, typed(&it.ty));
            inner.push_str(&format!("{indent}let {pattern}{ty} = {};\n", it.name));
        }
    } else if !bindings.is_empty() {
        let is_open = bindings.iter().all(|it| it.ty == "_");
        let ty = if is_open { String::new() } else { typed(&list(|it| &it.ty)) };
        inner.push_str(&format!("{indent}let {}{ty} = {values};\n", list(|it| &it.pattern)));
    }
    inner.push_str(&statements(body, shape, has_return, output.as_deref(), &indent, call));
    let block = format!("{{\n{inner}\n{outer}}}");
    Code::Block(match by_match {
        false => block,
        true => format!("match {values} {{\n{outer}{names} => {block}\n{}}}", call.indent),
    })
}

/// `: Type`; nothing for `_`.
pub(super) fn typed(ty: &str) -> String {
    if ty == "_" { String::new() } else { format!(": {ty}") }
}

/// The body as the last statements of a block.
fn statements(
    body: &str,
    shape: Option<bool>,
    has_return: bool,
    output: Option<&str>,
    indent: &str,
    call: &Call<'_>,
) -> String {
    let deeper = format!("{indent}    ");
    let label = call.label;
    let body = match has_return {
        true => with_word(body, "return", &format!("break {label}")),
        false => body.to_owned(),
    };
    let prefix = if has_return { format!("{label}: ") } else { String::new() };
    match (output, shape) {
        (None, _) if !has_return => {
            let text = lines(&body, indent);
            let is_open = !text.trim_end().ends_with([';', '}']) && !text.trim().is_empty();
            format!("{text}{}", if is_open { ";" } else { "" })
        }
        (None, _) => format!("{indent}{prefix}{{\n{}\n{indent}}}", lines(&body, &deeper)),
        (Some(ty), Some(_)) => {
            let text = lines(&body, indent);
            let result = fresh("result", "");
            format!("{indent}let {result}: {ty} = {};\n{indent}{result}", text.trim())
        }
        (Some(ty), None) => {
            let text = lines(&body, &deeper);
            format!("{indent}let result: {ty} = {prefix}{{\n{text}\n{indent}}};\n{indent}result")
        }
    }
}

/// Whether the call is a whole statement or initialiser, after which temporary values end.
pub(super) fn ends_statement(call: &Call<'_>) -> bool {
    call.around.after == ";" && (call.around.starts_statement() || call.around.before == "=")
}
