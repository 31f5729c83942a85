//! Facts from the text around a call: the types of variables, and the source of its value's type.

use base::ByteSpan;
use preserve::outline::{Token, TokenKind};
use syntax::places::PartKind;

use super::block::Around;
use super::call::Context;
use super::function::{InlineFunction, may_have_closure};
use super::lean::variable_type;
use super::site::around;
use crate::rename::Source;
use crate::reshape::is_pure;
use crate::text::spelled;

/// Whether `?` in the body leaves the calling function as `?` after the call does: with the same type.
pub(super) fn leaves_alike(
    source: &Source,
    at: usize,
    around: Around<'_>,
    function: &InlineFunction,
) -> bool {
    let Some(caller) = source.places.function_at(at) else { return false };
    let ty = caller.parts.iter().find(|it| it.kind == PartKind::Type).and_then(|it| it.ty);
    let written = ty.map(|it| spelled(source.slice(it.start..it.end)));
    let before = caller.body.map_or("", |it| source.slice(it.start..at));
    around.after == "?"
        && written == function.output.as_deref().map(spelled)
        && !may_have_closure(before)
}

/// Whether a variable is a parameter with a reference type.
pub(super) fn is_reference(source: &Source, at: usize, name: &str) -> bool {
    let parts = source.places.function_at(at).into_iter().flat_map(|it| &it.parts);
    let is_own = |it: &&syntax::places::DefinitionPart| match it.kind {
        PartKind::Parameter => it.name == name,
        PartKind::Receiver => name == "self",
        _ => false,
    };
    let part = parts.filter(is_own).find(|_| is_pure(name));
    part.is_some_and(|it| {
        let written = it.ty.unwrap_or(it.span);
        source.slice(written.start..written.end).trim_start().starts_with('&')
    })
}

/// The type of a variable of the function around a position, if its text shows it.
pub(super) fn known_type(source: &Source, at: usize, name: &str) -> Option<String> {
    let function = source.places.function_at(at)?;
    let parameters = function.parts.iter().filter(|it| it.kind == PartKind::Parameter);
    let parameters: Vec<(String, String)> = parameters
        .filter_map(|it| Some((it.name.clone(), source.slice(it.ty?.start..it.ty?.end).to_owned())))
        .collect();
    let body = function.body.map_or("", |it| source.slice(it.start..it.end));
    variable_type(body, &parameters, name)
}

/// Source of the type of a call's value.
pub(super) fn context(
    source: &Source,
    list: &[Token<'_>],
    span: ByteSpan,
    function: &InlineFunction,
) -> Context {
    let first = list.partition_point(|it| it.span.start < span.start);
    let text =
        |back: usize| first.checked_sub(back).and_then(|it| list.get(it)).map_or("", |it| it.text);
    let around = around(list, span);
    let caller = source.places.function_at(span.start);
    let has_same_type = || {
        let ty = caller?.parts.iter().find(|it| it.kind == PartKind::Type)?.ty?;
        let own = function.output.as_deref().map(spelled)?;
        Some(spelled(source.slice(ty.start..ty.end)) == own)
    };
    let is_end = around.after == ";";
    if is_end && around.starts_statement() {
        return Context::Typed;
    }
    if is_end && around.before == "return" && has_same_type() == Some(true) {
        return Context::Typed;
    }
    let after = list.iter().find(|it| it.span.start >= span.end).map_or(0, |it| it.span.end);
    let is_last = caller.and_then(|it| it.body).is_some_and(|it| it.end == after);
    if is_last && around.starts_statement() && has_same_type() == Some(true) {
        return Context::Typed;
    }
    let is_variable = text(3) == "let" || text(3) == "mut" && text(4) == "let";
    if !is_end || text(1) != "=" {
        return Context::Open;
    }
    if is_variable && first.checked_sub(2).is_some_and(|it| list[it].kind == TokenKind::Word) {
        return Context::Variable(list[first - 2].span.end);
    }
    let statement =
        list[..first - 1].iter().rev().take_while(|it| !matches!(it.text, ";" | "{" | "}"));
    let statement: Vec<&str> = statement.map(|it| it.text).collect();
    let is_declared = statement.contains(&"let") && statement.contains(&":");
    if is_declared { Context::Typed } else { Context::Open }
}

/// A label that a text does not have.
pub(super) fn label(text: &str) -> String {
    let numbered = (2..).map(|it| format!("'inlined_{it}"));
    let all = std::iter::once("'inlined".to_owned()).chain(numbered);
    all.into_iter().find(|it| !text.contains(it.as_str())).unwrap_or_default()
}
