//! Calls of a function that has become fallible in the input and bodies of macros that are not parsed:
//! statements, and the arms of `select!`, that do not use the value.

use base::ByteSpan;
use preserve::outline::{Outline, TokenKind};
use refactor::PlacedText;
use syntax::places::{Definition, DefinitionKind};

use super::fallible::calls;
use super::fallible_callers::Turned;
use super::receivers::{Called, Callee};
use super::unused_values::{UnusedCall, UnusedFate, unused_in};
use crate::arms::step;

impl Turned<'_, '_> {
    /// The calls in the bodies and arguments of macros that are not parsed.
    pub(super) fn in_macros(&self, text: &PlacedText, is_only: bool) -> Vec<UnusedCall> {
        let name = self.of.name.as_str();
        let is_macro = |it: &Definition| it.kind == DefinitionKind::Macro;
        let bodies = text.places.definitions.iter().filter(|it| is_macro(it)).map(|it| it.span);
        let bodies: Vec<ByteSpan> = bodies.collect();
        let outline = Outline::of(&text.text);
        // An argument that is an expression is parsed, and is no statement then.
        let is_read = |at: usize| {
            let mut parsed = calls(text, name).filter(|it| it.name_span.start == at);
            parsed.any(|it| unused_in(text, it).is_some())
        };
        let mut found = Vec::new();
        for (at, token) in outline.tokens.iter().enumerate().filter(|it| it.1.is(name)) {
            let start = token.span.start;
            let is_inside =
                || bodies.iter().any(|it| it.contains(token.span)) || is_in_macro(&outline, start);
            let Some(loss) = loss_at(&outline, at).filter(|_| !is_read(start) && is_inside())
            else {
                continue;
            };
            let receiver = receiver(&outline, at);
            let on = match outline.before(at, 1) {
                "." => Called::Method(&receiver),
                "::" => Called::Path(outline.before(at, 2)),
                _ => Called::Plain,
            };
            if self.is_certain(text, Callee { at: start, on }, is_only) {
                let fate = match loss {
                    Loss::Ignored(by) => UnusedFate::Ignored(by),
                    Loss::Unused => UnusedFate::Unproven(format!(
                        "a call of `{name}` in a macro, which loses its failure"
                    )),
                };
                found.push(UnusedCall { path: text.path.clone(), span: token.span, fate });
            }
        }
        found
    }
}

/// Way in which a call loses its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    /// As a statement, or in an arm that names its value `_` or `_a`.
    Unused,
    /// By `let _ =` or `_ =`, as written.
    Ignored(&'static str),
}

/// Way in which the call with its name at a token loses its value; `None` if it may not.
fn loss_at(outline: &Outline<'_>, at: usize) -> Option<Loss> {
    if outline.text(at + 1) != "(" {
        return None;
    }
    let mut end = step(outline, at + 1);
    while outline.text(end) == "." && matches!(outline.text(end + 1), "await" | "fuse") {
        end = step(outline, end + 1);
        if outline.text(end) == "(" {
            end = step(outline, end);
        }
    }
    let start = head(outline, at)?;
    let is_arm = match outline.text(end) {
        "=>" => true,
        "," => outline.text(end + 1) == "if",
        ";" => false,
        _ => return None,
    };
    match (outline.text(start), outline.text(start + 1), outline.text(start + 2)) {
        // In `select!` this is what an arm without a value must have.
        (name, "=", _) if is_arm => name.starts_with('_').then_some(Loss::Unused),
        _ if is_arm => None,
        ("let", "_", "=") => Some(Loss::Ignored("let _ =")),
        ("_", "=", _) => Some(Loss::Ignored("_ =")),
        _ => {
            let is_used =
                |it: usize| matches!(outline.text(it), "=" | "let" | "return" | "break" | "fn");
            (!(start..at).any(is_used)).then_some(Loss::Unused)
        }
    }
}

/// The first token of the statement or arm around a token; `None` in an array.
fn head(outline: &Outline<'_>, at: usize) -> Option<usize> {
    let mut from = at;
    while let Some(before) = from.checked_sub(1) {
        match outline.text(before) {
            "[" => return None,
            ";" | "{" | "}" | "," | "(" => break,
            ")" | "]" => {
                from = (0..before).rev().find(|it| outline.close.get(*it) == Some(&before))?;
            }
            _ => from = before,
        }
    }
    Some(from)
}

/// The names and dots before the method at a token: `self.a` of `self.a.b()`.
fn receiver(outline: &Outline<'_>, at: usize) -> String {
    let Some(dot) = at.checked_sub(1) else { return String::new() };
    let mut start = dot;
    let is_word = |it: usize| outline.tokens.get(it).is_some_and(|it| it.kind == TokenKind::Word);
    while outline.text(start) == "."
        && let Some(word) = start.checked_sub(1).filter(|it| is_word(*it))
    {
        start = if outline.before(word, 1) == "." { word - 1 } else { word };
    }
    (start..dot).map(|it| outline.text(it)).collect()
}

/// Whether a position is in the arguments of a macro call.
pub(super) fn is_in_macro(outline: &Outline<'_>, at: usize) -> bool {
    let start = |token: usize| outline.tokens.get(token).map(|it| it.span.start);
    let is_around = |open: &usize| {
        let close = outline.close[*open];
        close > *open
            && start(*open).is_some_and(|it| it < at)
            && start(close).is_none_or(|it| at < it)
    };
    let mut opens = (0..outline.tokens.len()).filter(is_around);
    opens.any(|it| outline.before(it, 1) == "!" && outline.before(it, 2).starts_with(base::is_word))
}
