//! Certainty that a call, as written, is one of a function of the project: by the path before its name,
//! or by the type of its receiver.

use base::{ByteSpan, has_word};
use preserve::outline::tokens;
use refactor::{PlacedText, words};
use syntax::places::{Definition, DefinitionKind, DefinitionPart, PartKind, Use, UseKind};

use super::fallible_callers::Turned;

/// Receiver of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called<'t> {
    /// A function without a path before its name.
    Plain,
    /// The last name of the path before its name.
    Path(&'t str),
    /// The receiver of a method, as written.
    Method(&'t str),
}

/// A call as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Callee<'t> {
    /// Start of the call or of its name.
    pub(super) at: usize,
    /// Text before the name.
    pub(super) on: Called<'t>,
}

impl<'t> Callee<'t> {
    /// A call that was parsed.
    pub(super) fn of(text: &'t PlacedText, call: &'t Use) -> Self {
        let before = text.slice(ByteSpan::new(call.span.start, call.name_span.start)).trim_end();
        let on = match call.kind {
            UseKind::MethodCall => Called::Method(before.trim_end_matches('.').trim_end()),
            _ if call.qualifier.is_empty() => Called::Plain,
            _ => Called::Path(&call.qualifier),
        };
        Self { at: call.span.start, on }
    }
}

impl Turned<'_, '_> {
    /// Whether the text shows that a call is one of the function; `is_only`: no other function of the
    /// project has its name.
    pub(super) fn is_certain(&self, text: &PlacedText, callee: Callee<'_>, is_only: bool) -> bool {
        let owner = self.of.owner.as_str();
        let caller = text.function_at(callee.at);
        let is_own = caller.is_some_and(|it| it.owner == owner);
        match callee.on {
            _ if owner.is_empty() => is_only && !matches!(callee.on, Called::Method(_)),
            Called::Plain => false,
            Called::Path(path) => path == owner || path == "Self" && is_own,
            Called::Method("self") => is_own,
            // A method of one word may be that of another type.
            Called::Method(_) if is_only && words(&self.of.name).len() > 1 => true,
            Called::Method(receiver) => match receiver.rsplit_once('.') {
                Some((of, field)) => {
                    let own = caller.filter(|_| of.trim() == "self").map(|it| it.owner.as_str());
                    self.is_field(field.trim(), own)
                }
                None => caller.is_some_and(|it| self.is_variable(text, it, receiver, callee.at)),
            },
        }
    }

    /// Whether all fields of that name have the type of the function; `own`: those of this type alone.
    fn is_field(&self, name: &str, own: Option<&str>) -> bool {
        let texts = self.project.with_word(name);
        let is_it = |it: &&Definition| {
            let is_own = own.is_none_or(|own| own == it.owner);
            it.kind == DefinitionKind::Field && it.name == name && is_own
        };
        let mut types = texts.iter().flat_map(|text| {
            let fields = text.places.definitions.iter().filter(is_it);
            fields.map(|it| it.parts.iter().any(|part| self.has_owner(text, part)))
        });
        let mut types = types.by_ref().peekable();
        types.peek().is_some() && types.all(|it| it)
    }

    /// Whether the variable that a name means at a position of a function has its type: by the last
    /// `let` before, else as a parameter.
    fn is_variable(&self, text: &PlacedText, caller: &Definition, name: &str, at: usize) -> bool {
        let owner = self.of.owner.as_str();
        let before = caller.body.map_or("", |it| text.slice(ByteSpan::new(it.start, at)));
        let list = tokens(before);
        let text_at = |at: usize| list.get(at).map_or("", |it| it.text);
        let bound = |at: &usize| {
            let name_at = at + 1 + usize::from(text_at(at + 1) == "mut");
            (text_at(*at) == "let" && text_at(name_at) == name).then_some(name_at)
        };
        let Some(bound) = (0..list.len()).rev().find_map(|it| bound(&it)) else {
            let mut parts = caller.parts.iter().filter(|it| it.kind == PartKind::Parameter);
            return parts.any(|it| it.name == name && self.has_owner(text, it));
        };
        let is_named = |from: usize, until: &str| {
            (from..list.len()).take_while(|it| text_at(*it) != until).any(|it| text_at(it) == owner)
        };
        match text_at(bound + 1) {
            ":" => is_named(bound + 2, "="),
            // `let a = Owner::new()` or `Owner { … }`.
            "=" => text_at(bound + 2) == owner && matches!(text_at(bound + 3), "::" | "{"),
            _ => false,
        }
    }

    /// Whether the type of a part has the type of the function.
    fn has_owner(&self, text: &PlacedText, part: &DefinitionPart) -> bool {
        part.ty.is_some_and(|it| has_word(text.slice(it), &self.of.owner))
    }
}
