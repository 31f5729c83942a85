//! A function that goes into its calls: its parts, and what of it can be in no other function.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::{Outline, Token, TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, PartKind, places};

use super::closures::leaves_closure;
use super::fault::InlineFault;
use super::last_value::without_last_variable;
use crate::impl_head::{ImplHead, heads};
use crate::import_place::comments_start;
use crate::relocate::removals;
use crate::rename::Source;
use crate::text::spelled;

/// Attributes that mean nothing for the calls.
const HARMLESS: &[&str] = &[
    "inline",
    "must_use",
    "allow",
    "warn",
    "deny",
    "expect",
    "doc",
    "cold",
    "rustfmt",
    "clippy",
    "automatically_derived",
];

/// Words in a body that depend on the function around them, or define an item once.
const BOUND: &[(&str, &str)] = &[
    ("static", "a static: each copy would be another variable"),
    ("thread_local", "a thread-local variable: each copy would be another one"),
    ("macro_rules", "a macro"),
    ("fn", "a function of its own"),
    ("struct", "a type of its own"),
    ("enum", "a type of its own"),
    ("union", "a type of its own"),
    ("impl", "an impl"),
    ("mod", "a module"),
    ("trait", "a trait"),
];

/// Macros whose value is the place of their call.
const PLACE_MACROS: &[&str] = &["line", "column", "file", "module_path"];

/// How a method takes `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionReceiver {
    /// `&self`.
    Shared,
    /// `&mut self`.
    Unique,
    /// `self`.
    Value {
        /// `mut self`.
        is_mut: bool,
    },
}

/// One parameter as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub pattern: String,
    /// Its name; empty if its pattern is none.
    pub name: String,
    pub ty: String,
}

impl Parameter {
    pub(crate) fn is_mut(&self) -> bool {
        self.pattern.starts_with("mut ") || self.pattern.starts_with("ref ")
    }
}

/// A function by its parts, as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineFunction {
    /// `self`; `None`: it is no method.
    pub receiver: Option<FunctionReceiver>,
    /// Parameters without `self`.
    pub parameters: Vec<Parameter>,
    /// Its return type; `None` for `()`.
    pub output: Option<String>,
    /// Between the braces, without a variable that only has the last value.
    pub body: String,
    /// Its generic types, with their `impl Trait`s no longer among them.
    pub generics: Vec<String>,
}

impl InlineFunction {
    /// The function whose text, attributes included, this is.
    pub fn read(text: &str) -> Option<Self> {
        let all = places(text);
        let own = all.definitions.iter().find(|it| it.kind == DefinitionKind::Function)?;
        let slice = |span: ByteSpan| span.slice(text).unwrap_or("").trim().to_owned();
        let parts = |kind: PartKind| own.parts.iter().filter(move |it| it.kind == kind);
        let receiver = match parts(PartKind::Receiver).next() {
            None => None,
            Some(it) => Some(receiver(&slice(it.span))?),
        };
        let parameter = |it: &syntax::places::DefinitionPart| {
            let ty = it.ty?;
            let pattern = slice(ByteSpan::new(it.span.start, ty.start));
            let pattern = pattern.strip_suffix(':')?.trim().to_owned();
            Some(Parameter { pattern, name: it.name.clone(), ty: slice(ty) })
        };
        let parameters: Option<Vec<Parameter>> =
            parts(PartKind::Parameter).map(parameter).collect();
        let output = parts(PartKind::Type).find_map(|it| it.ty).map(slice);
        let body = own.body.map(slice)?;
        let body = body.strip_prefix('{')?.strip_suffix('}')?;
        let body = without_last_variable(body, output.as_deref());
        let generics = parts(PartKind::Generics).next().map(|it| slice(it.span));
        Some(Self {
            receiver,
            parameters: parameters?,
            output: output.filter(|it| spelled(it) != "()"),
            body,
            generics: generics.map_or_else(Vec::new, |it| generic_types(&it)),
        })
    }
}

fn receiver(written: &str) -> Option<FunctionReceiver> {
    let list = tokens(written);
    let words: Vec<&str> =
        list.iter().filter(|it| it.kind != TokenKind::Lifetime).map(|it| it.text).collect();
    match words.as_slice() {
        ["&", "self"] => Some(FunctionReceiver::Shared),
        ["&", "mut", "self"] => Some(FunctionReceiver::Unique),
        ["self"] => Some(FunctionReceiver::Value { is_mut: false }),
        ["mut", "self"] => Some(FunctionReceiver::Value { is_mut: true }),
        _ => None,
    }
}

/// The names of the types in `<T: Copy, 'a, const N: usize>`.
pub(super) fn generic_types(list: &str) -> Vec<String> {
    let inner = list.trim().trim_start_matches('<');
    let list = tokens(inner);
    let (mut depth, mut starts) = (0_i32, true);
    let mut found = Vec::new();
    for token in &list {
        if starts && token.kind == TokenKind::Word && token.text != "const" {
            found.push(token.text.to_owned());
        }
        starts = depth == 0 && (token.is(",") || starts && token.is("const"));
        match token.text {
            "<" | "(" | "[" | "{" => depth += 1,
            ">" | ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    found
}

/// The impl around a position.
pub(super) fn impl_at(text: &str, at: usize) -> Option<ImplHead<'_>> {
    let around = heads(text).into_iter();
    around.filter(|it| it.whole.start <= at && at < it.whole.end).min_by_key(|it| it.whole.len())
}

/// The removal of a definition with its comments, and with the impl in which it is alone.
pub(super) fn removal(source: &Source, definition: &Definition) -> Vec<Splice> {
    let text = &source.text;
    let with_comments =
        |span: ByteSpan| ByteSpan::new(comments_start(text, 0, span.start), span.end);
    let own = with_comments(definition.span);
    let around = emptied_impl(text, own).map(with_comments);
    removals(text, &[around.unwrap_or(own)])
}

/// The impl of a type, without attributes, that has nothing but the text of a span.
fn emptied_impl(text: &str, span: ByteSpan) -> Option<ByteSpan> {
    let head = impl_at(text, span.start).filter(|it| it.of_trait.is_none())?;
    let before = text.get(head.whole.start..span.start)?;
    let after = text.get(span.end..head.whole.end)?;
    let is_alone = before.trim_end().ends_with('{') && after.trim() == "}";
    let outer = text.get(..head.whole.start)?.trim_end();
    let is_plain = matches!(outer.chars().next_back(), None | Some('}' | ';' | '{'));
    (is_alone && is_plain).then_some(head.whole)
}

/// The generic types of an impl.
pub(super) fn impl_generics(head: &ImplHead<'_>) -> Vec<String> {
    let elements = head.generics.iter().map(|it| it.slice(head.text).unwrap_or(""));
    elements.flat_map(|it| generic_types(&format!("<{it}>"))).collect()
}

/// Whether an attribute of the definition gives it a meaning besides its uses.
pub(super) fn check_attributes(source: &Source, it: &Definition) -> Result<(), InlineFault> {
    let head = source.slice(it.span.start..it.name_span.start);
    let outline = Outline::of(head);
    for attribute in &outline.attributes {
        let name = outline.text(attribute.name);
        if !HARMLESS.contains(&name) {
            return Err(InlineFault::Attribute(name.to_owned()));
        }
    }
    Ok(())
}

/// Whether the body can be in another function.
pub(super) fn check(source: &Source, it: &Definition) -> Result<(), InlineFault> {
    let head = tokens(source.slice(it.span.start..it.name_span.start));
    let qualifier = head.iter().rev().skip_while(|it| it.is("fn")).map(|it| it.text);
    for word in qualifier.take(4) {
        if word == "async" {
            return Err(InlineFault::Async);
        }
        if word == "extern" {
            return Err(InlineFault::Extern);
        }
    }
    let text = source.slice(it.span.start..it.span.end);
    let function = InlineFunction::read(text);
    let function = function.ok_or(InlineFault::UnusualForm)?;
    if function.parameters.iter().any(|it| it.pattern.starts_with('#')) {
        return Err(InlineFault::ParameterAttribute);
    }
    let output = function.output.as_deref().unwrap_or("");
    if output == "!" || tokens(output).iter().any(|it| it.is("impl")) {
        return Err(InlineFault::ReturnType(output.to_owned()));
    }
    check_body(source, it, &function)
}

fn check_body(
    source: &Source,
    it: &Definition,
    function: &InlineFunction,
) -> Result<(), InlineFault> {
    let (list, name) = (tokens(&function.body), it.name.as_str());
    let start = it.body.map_or(0, |it| it.start + 1);
    let lines = base::LineIndex::new(&source.text);
    let line = |at: usize| lines.line_of(start + at);
    let text = |at: usize| list.get(at).map_or("", |it| it.text);
    for (at, token) in list.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", text);
        let next = text(at + 1);
        let place = line(token.span.start);
        if token.kind != TokenKind::Word || matches!(before, "." | "::") {
            continue;
        }
        let word = token.text.trim_start_matches("r#");
        let is_type = matches!(word, "fn" | "impl") && (next == "(" || before == "dyn");
        if let Some((_, what)) = BOUND.iter().find(|it| it.0 == word && !is_type)
            && (word != "union" || tokens_name(next))
        {
            return Err(InlineFault::BodyHas { line: place, what });
        }
        if next == "!" && PLACE_MACROS.contains(&word) {
            return Err(InlineFault::PlaceMacro { line: place, name: word.to_owned() });
        }
        let is_named = matches!(next, "(" | "::") || it.owner.is_empty() && names_itself(&list, at);
        if word == name && is_named {
            return Err(InlineFault::Recursive(place));
        }
    }
    let own = list.windows(3).find(|it| {
        matches!(it[0].text, "self" | "Self") && matches!(it[1].text, "." | "::") && it[2].is(name)
    });
    if let Some(own) = own {
        return Err(InlineFault::Recursive(line(own[2].span.start)));
    }
    if leaves_closure(&function.body) {
        return Err(InlineFault::LeavesClosure);
    }
    Ok(())
}

/// Whether a name is a value that is passed on: not bound, and no field.
fn names_itself(list: &[Token<'_>], at: usize) -> bool {
    let text = |at: Option<usize>| at.and_then(|it| list.get(it)).map_or("", |it| it.text);
    let is_bound = list.iter().enumerate().any(|(other, it)| {
        it.is(list[at].text)
            && matches!(
                text(other.checked_sub(1)),
                "let" | "mut" | "ref" | "for" | "|" | "@" | "Some" | "Ok"
            )
    });
    !is_bound
        && matches!(text(at.checked_sub(1)), "(" | "," | "=")
        && matches!(text(Some(at + 1)), ")" | "," | ";")
}

/// Whether code has the operator `?`.
pub(super) fn has_question(code: &str) -> bool {
    let list = tokens(code);
    let next = |at: usize| list.get(at + 1).map_or("", |it| it.text);
    list.iter().enumerate().any(|(at, it)| it.is("?") && next(at) != "Sized")
}

/// Whether code may have a closure or an `async` block.
pub(super) fn may_have_closure(code: &str) -> bool {
    tokens(code).iter().any(|it| matches!(it.text, "|" | "||" | "async" | "move"))
}

fn tokens_name(next: &str) -> bool {
    next.chars().next().is_some_and(|it| it.is_alphabetic() || it == '_')
}
