//! Replaces one call of a function by its body, with arguments bound so that they are evaluated as
//! before. `block.rs` writes the result, `plan.rs` collects all calls.

use preserve::outline::{Token, TokenKind, tokens};

use super::block::{Around, Code, is_atomic};
use super::expression::lean;
use super::fault::InlineFault;
use super::function::{FunctionReceiver, InlineFunction, Parameter};
use super::in_place::in_place;
use super::question::{Certain, question};
use super::with_types::with_types;
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
    pub(super) style: Style,
    /// The values that need no declaration, by the compiler.
    pub(super) certain: &'a Certain,
    /// Source of the type of the call's value.
    pub(super) context: Context,
    /// The types of the caller's variables that its text shows.
    pub(super) known: &'a dyn Fn(&str) -> Option<String>,
    /// The type of a parameter of the function that a path names.
    pub(super) parameter: &'a dyn Fn(&[&str], usize) -> Option<String>,
}

/// The variables that a call is replaced with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Those that are needed.
    Lean,
    /// One for every argument and for the result, with its type.
    Typed,
    /// The same, with questions about their types: the number of the call.
    Asked(usize),
}

/// A value of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// Operand of the method.
    Receiver,
    /// The argument of a parameter, from 0 without `self`.
    Argument(usize),
    /// Value of the call.
    Result,
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
    /// The argument itself, without the `&` that a method call adds.
    pub(super) bare: String,
    pub(super) of: Value,
}

/// The code that replaces a call.
pub(super) struct Replaced {
    pub(super) code: Code,
    /// Whether it has a variable for an argument or the result.
    pub(super) has_variables: bool,
}

/// The code that replaces the call.
pub(super) fn inlined(function: &InlineFunction, call: &Call<'_>) -> Result<Replaced, InlineFault> {
    let expected = function.parameters.len();
    if call.arguments.len() != expected {
        let has = call.arguments.len();
        return Err(InlineFault::ArgumentCount { has, wanted: expected });
    }
    let mut body = function.body.clone();
    if !call.foreign.is_empty() {
        generic_body(&body, &call.foreign)?;
    }
    if let Some(own) = &call.own {
        body = with_word(&body, "Self", own);
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
            if call.style == Style::Lean { lean() } else { None }
        });
        if let Some(now) = now.filter(|_| is_alone()) {
            body = now;
            continue;
        }
        bindings.push(binding((at, parameter), argument, call));
    }
    if call.style == Style::Lean {
        body = in_place(&body, &mut bindings, call);
    }
    Ok(rendered(function, call, &body, &bindings))
}

/// Whether a body means the same for a certain type as for any type.
fn generic_body(body: &str, foreign: &[String]) -> Result<(), InlineFault> {
    let list = tokens(body);
    if let Some(name) = list.iter().find(|it| foreign.iter().any(|name| it.is(name))) {
        return Err(InlineFault::NamesGeneric(name.text.to_owned()));
    }
    let is_method = |it: &[Token<'_>]| {
        it[0].is(".") && it[1].kind == TokenKind::Word && matches!(it[2].text, "(" | "::")
    };
    match list.windows(3).find(|it| is_method(it)) {
        Some(found) => Err(InlineFault::GenericMethod(found[1].text.to_owned())),
        None => Ok(()),
    }
}

/// A name that a text does not have.
pub(super) fn fresh(name: &str, text: &str) -> String {
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
fn with_self(body: &str, name: &str) -> Result<String, InlineFault> {
    let list = tokens(body);
    if list.iter().any(|it| it.kind == TokenKind::Literal && is_captured(it.text, "self")) {
        return Err(InlineFault::SelfInFormat);
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
    kind: FunctionReceiver,
    receiver: &str,
    name: &str,
    call: &Call<'_>,
) -> Result<Binding, InlineFault> {
    let own = call.own.clone().unwrap_or_else(|| "Self".to_owned());
    let operand = match is_atomic(receiver) {
        true => receiver.to_owned(),
        false => format!("({receiver})"),
    };
    // A method that takes `self` copies what a reference leads to.
    let is_copied = matches!(kind, FunctionReceiver::Value { .. }) && call.is_reference;
    let copied = if is_copied && !call.is_path { "*" } else { "" };
    let (pattern, ty, value) = match kind {
        FunctionReceiver::Shared if call.is_path => {
            (name.to_owned(), format!("&{own}"), receiver.to_owned())
        }
        FunctionReceiver::Unique if call.is_path => {
            (name.to_owned(), format!("&mut {own}"), receiver.to_owned())
        }
        FunctionReceiver::Shared => (name.to_owned(), format!("&{own}"), format!("&{operand}")),
        FunctionReceiver::Unique => {
            let star = if call.is_reference { "*" } else { "" };
            (name.to_owned(), format!("&mut {own}"), format!("&mut {star}{operand}"))
        }
        FunctionReceiver::Value { is_mut } => {
            let prefix = if is_mut { "mut " } else { "" };
            (format!("{prefix}{name}"), own, format!("{copied}{receiver}"))
        }
    };
    let bare = format!("{copied}{receiver}");
    Ok(Binding { pattern, name: name.to_owned(), ty, value, bare, of: Value::Receiver })
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

fn binding((at, parameter): (usize, &Parameter), argument: &str, call: &Call<'_>) -> Binding {
    let name = parameter.name.clone();
    let pattern = match parameter.pattern.as_str() {
        // A parameter without name lives as long as the others.
        "_" => "_unused".to_owned(),
        pattern => pattern.to_owned(),
    };
    Binding {
        pattern,
        name,
        ty: local_type(&parameter.ty, call),
        value: argument.to_owned(),
        bare: argument.to_owned(),
        of: Value::Argument(at),
    }
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

fn rendered(
    function: &InlineFunction,
    call: &Call<'_>,
    body: &str,
    bindings: &[Binding],
) -> Replaced {
    let output = function.output.as_deref().map(|it| local_type(it, call));
    let (code, has_variables) = match call.style {
        Style::Asked(number) => (question(number, call, (body, bindings), output.as_deref()), true),
        Style::Lean => match lean(function, call, body, bindings) {
            Some(code) => (code, !bindings.is_empty()),
            None => (with_types(function, call, body, bindings), true),
        },
        Style::Typed => (with_types(function, call, body, bindings), true),
    };
    Replaced { code, has_variables }
}

/// Whether a body returns early.
pub(super) fn has_return(body: &str) -> bool {
    tokens(body).iter().any(|it| it.is("return"))
}

/// A body in a block of its own: the label that its early returns need, and the body that leaves it.
pub(super) fn labelled(body: &str, label: &str) -> (String, String) {
    match has_return(body) {
        true => (format!("{label}: "), with_word(body, "return", &format!("break {label}"))),
        false => (String::new(), body.to_owned()),
    }
}

/// `: Type`; nothing for `_`.
pub(super) fn typed(ty: &str) -> String {
    if ty == "_" { String::new() } else { format!(": {ty}") }
}

/// Whether the call is a whole statement or initialiser, after which temporary values end.
pub(super) fn ends_statement(call: &Call<'_>) -> bool {
    call.around.after == ";" && (call.around.starts_statement() || call.around.before == "=")
}
