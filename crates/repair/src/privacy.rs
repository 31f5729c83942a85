//! Reasoner: makes a private item, method or field `pub(crate)`. Read it first as an example of a
//! rule.

use base::{ByteSpan, Diagnostic, DiagnosticSpan};
use edit::{Files, Splice};

use crate::fix::{Proposal, guesses, text_of};
use crate::marked::labelled;
use crate::{Fix, Reasoner};
use preserve::outline::{Element, ElementKind, Outline};

/// For a private item, method or field: makes it `pub(crate)`, or `pub` if a public interface or
/// re-export contains it. The compiler points at the declaration without a suggestion.
pub(crate) struct Privacy;

impl Reasoner for Privacy {
    fn name(&self) -> &'static str {
        "privacy"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposal(it, files))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let proposal = match diagnostic.code.as_deref()? {
        "E0603" | "E0624" => declared_at(diagnostic, files),
        "E0616" | "E0451" => private_field(diagnostic, files),
        "E0446" => {
            let span = labelled(diagnostic, "declared as ")?;
            at_span(span, files, "pub ")
        }
        "E0364" | "E0365" => exported(diagnostic, files),
        _ => None,
    };
    Some(vec![proposal?])
}

/// The visibility that is enough for uses in the crate.
const CRATE: &str = "pub(crate) ";

fn make_visible(
    span: &DiagnosticSpan,
    outline: &Outline<'_>,
    element: &Element,
    name: &str,
    word: &str,
) -> Option<Proposal> {
    let insert = word.to_owned();
    let splice = Splice { span: visibility(outline, element, word)?, insert };
    let rationale = match word {
        "pub " => format!("make the private `{name}` public"),
        _ => format!("make the private `{name}` visible in the crate"),
    };
    Some(Proposal::new(span.place.project()?, splice, rationale))
}

/// The declaration that the diagnostic points at.
fn declared_at(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let labelled = diagnostic.spans.iter().filter(|it| {
        !it.primary && it.label.as_ref().is_some_and(|label| label.contains("defined here"))
    });
    let noted = diagnostic
        .children
        .iter()
        .filter(|child| child.message.contains("is defined here"))
        .flat_map(|child| &child.spans);
    labelled.chain(noted).find_map(|span| at_span(span, files, CRATE))
}

/// The item that is re-exported, if only one in the file has its name.
fn exported(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let name = diagnostic.message.split('`').nth(1)?;
    let span = diagnostic.primary()?;
    let text = text_of(files, span.place.project()?)?;
    let outline = Outline::of(&text);
    let is_named =
        |it: &&Element| it.kind == ElementKind::Item && outline.text(outline.item_name(it)) == name;
    let mut named = outline.elements.iter().filter(is_named);
    let (element, None) = (named.next()?, named.next()) else { return None };
    make_visible(span, &outline, element, name, "pub ")
}

fn at_span(span: &DiagnosticSpan, files: &dyn Files, word: &str) -> Option<Proposal> {
    let text = text_of(files, span.place.project()?)?;
    let outline = Outline::of(&text);
    let element = outline
        .elements
        .iter()
        .filter(|it| {
            matches!(it.kind, ElementKind::Item | ElementKind::Import)
                && extent(&outline, it).contains(span.bytes)
        })
        .min_by_key(|it| it.end - it.start)?;
    make_visible(span, &outline, element, outline.text(outline.item_name(element)), word)
}

/// The field named in the message, if its struct is in the same file.
fn private_field(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let mut quoted = diagnostic.message.split('`').skip(1).step_by(2);
    let (field, owner) = (quoted.next()?, quoted.next()?);
    let owner = owner.rsplit("::").next()?.split('<').next()?;
    let span = diagnostic.primary()?;
    let text = text_of(files, span.place.project()?)?;
    let outline = Outline::of(&text);
    let owner = outline.elements.iter().find(|it| {
        let name = outline.item_name(it);
        it.kind == ElementKind::Item
            && outline.text(name) == owner
            && name.checked_sub(1).is_some_and(|at| matches!(outline.text(at), "struct" | "union"))
    })?;
    let element = outline.elements.iter().find(|it| {
        it.kind == ElementKind::Field
            && (owner.start..owner.end).contains(&it.start)
            && outline.text(it.head) == field
            && outline.text(it.head + 1) == ":"
    })?;
    make_visible(span, &outline, element, field, CRATE)
}

fn extent(outline: &Outline<'_>, element: &Element) -> ByteSpan {
    let start = outline.tokens.get(element.start).map_or(0, |it| it.span.start);
    let end = outline.tokens.get(element.end.saturating_sub(1)).map_or(start, |it| it.span.end);
    ByteSpan::new(start, end)
}

/// The span of the visibility to replace, or the empty span where it goes; `None` if the element has
/// this visibility or a wider one already.
fn visibility(outline: &Outline<'_>, element: &Element, word: &str) -> Option<ByteSpan> {
    let head = outline.tokens.get(element.head)?.span.start;
    let written = (element.start..element.head).find(|it| outline.text(*it) == "pub");
    match written {
        None => Some(ByteSpan::new(head, head)),
        Some(at)
            if outline.text(at + 1) == "("
                && (word == "pub " || outline.text(at + 2) != "crate") =>
        {
            Some(ByteSpan::new(outline.tokens.get(at)?.span.start, head))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check};

    fn error(code: &str, message: &str, at: &str) -> FakeError {
        FakeError::new(code, message)
            .at(at)
            .labelled("private")
            .label(at, "private method defined here")
    }

    #[test]
    fn a_private_method_becomes_visible_in_the_crate() {
        check(
            &Privacy,
            "impl S { #[inline] const fn f() {} }",
            &[error("E0624", "method `f` is private", "«const fn f()»")],
            &["impl S { #[inline] pub(crate) const fn f() {} }"],
        );
    }

    #[test]
    fn a_narrow_visibility_is_replaced() {
        check(
            &Privacy,
            "mod m { pub(self) fn f() {} }",
            &[error("E0603", "function `f` is private", "«pub(self) fn f()»")],
            &["mod m { pub(crate) fn f() {} }"],
        );
    }

    #[test]
    fn a_public_item_is_left_alone() {
        let error = error("E0603", "function `f` is private", "«pub fn f()»");
        check(&Privacy, "mod m { pub fn f() {} }", &[error], &[]);
    }

    #[test]
    fn what_a_public_interface_contains_becomes_public() {
        let error = FakeError::new("E0446", "private type `S` in public interface")
            .at("«type A» =")
            .label("«pub(crate) struct S»;", "`S` declared as crate-private");
        check(
            &Privacy,
            "pub(crate) struct S;\nimpl T for u8 { type A = S; }",
            &[error],
            &["pub struct S;\nimpl T for u8 { type A = S; }"],
        );
        let export = || {
            let message = "`m` is only public within the crate, and cannot be re-exported outside";
            FakeError::new("E0365", message).at("use «m as n»;")
        };
        check(
            &Privacy,
            "mod m {}\npub use m as n;",
            &[export()],
            &["pub mod m {}\npub use m as n;"],
        );
        check(&Privacy, "mod m {}\nfn m() {}\npub use m as n;", &[export()], &[]);
    }

    #[test]
    fn a_private_field_is_found_by_the_names_in_the_message() {
        let uses = "fn f(s: m::S<u8>) { s.b; T { b: 1 }; }";
        check(
            &Privacy,
            &format!("mod m {{ pub struct S<T> {{ a: u8, b: T }} }} {uses}"),
            &[error("E0616", "field `b` of struct `m::S` is private", "s.«b»;")],
            &[&format!("mod m {{ pub struct S<T> {{ a: u8, pub(crate) b: T }} }} {uses}")],
        );
    }
}
