//! Reasoner: generic parameters whose name is taken, reserved or declared twice.

use base::Diagnostic;
use edit::{Files, Splice};
use preserve::outline::{Element, ElementKind, Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{
    Marked, element_around, generics, labelled, replace, token_at, without_member,
};
use crate::signature::separated;
use crate::{Fix, Reasoner};

/// For a generic parameter with a name that is taken: one that shadows that of an outer item gets
/// another name, in its item only; so does one with a reserved name (`'static`, `'_`). A lifetime
/// that is declared twice in one list is declared once, since its uses mean the same.
pub(crate) struct GenericNames;

impl Reasoner for GenericNames {
    fn name(&self) -> &'static str {
        "generic-names"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let marked = Marked::primary(it, files)?;
            let outline = Outline::of(&marked.text);
            let proposal = match it.code.as_deref()? {
                "E0403" | "E0496" => taken(it, &marked, &outline),
                "E0262" | "E0637" => reserved(&marked, &outline),
                _ => None,
            };
            Some(vec![proposal?])
        })
    }
}

/// A name that an outer item, or the same list, declares already.
fn taken(diagnostic: &Diagnostic, marked: &Marked<'_>, outline: &Outline<'_>) -> Option<Proposal> {
    let first = labelled(diagnostic, "first declared here")
        .or_else(|| labelled(diagnostic, "first use of"))
        .filter(|it| it.place.project() == Some(marked.path))?;
    let token = token_at(outline, marked.span.start);
    let list = list_of(outline, token)?;
    let first = token_at(outline, first.bytes.start);
    if (list.0..list.1).contains(&first) {
        return twice(marked, outline, list, token);
    }
    let inner = element_around(outline, ElementKind::Item, token)?;
    let outer = element_around(outline, ElementKind::Item, first)?;
    let is_inside = outer.start < inner.start && inner.end <= outer.end;
    if !is_inside {
        return None;
    }
    let fresh = fresh(outline, outer, token)?;
    Some(rename(marked, outline, inner.start..inner.end, token, &fresh))
}

/// Declares a lifetime only once.
fn twice(
    marked: &Marked<'_>,
    outline: &Outline<'_>,
    list: (usize, usize),
    token: usize,
) -> Option<Proposal> {
    let parts = separated(outline, list.0 + 1, list.1);
    let nth = parts.iter().position(|(start, end)| *start == token && *end == token + 1)?;
    if outline.tokens[token].kind != TokenKind::Lifetime {
        return None;
    }
    let span = without_member(outline, list, nth, false)?;
    let rationale = format!("declare `{}` once", marked.slice());
    Some(marked.proposal(vec![replace(span, "")], rationale))
}

/// A reserved name in a list of generic parameters.
fn reserved(marked: &Marked<'_>, outline: &Outline<'_>) -> Option<Proposal> {
    let name = marked.slice();
    let token = token_at(outline, marked.span.start);
    let list = list_of(outline, token)?;
    if !matches!(name, "'static" | "'_") || !is_parameter(outline, list, token) {
        return None;
    }
    let item = element_around(outline, ElementKind::Item, token)?;
    let fresh = fresh(outline, item, token)?;
    // The head only: in the body the name has its usual meaning.
    let is_end = |at: &usize| matches!(outline.text(*at), "{" | ";");
    let end = (list.1..item.end).find(is_end).unwrap_or(item.end);
    Some(rename(marked, outline, list.0..end, token, &fresh))
}

fn is_parameter(outline: &Outline<'_>, list: (usize, usize), token: usize) -> bool {
    separated(outline, list.0 + 1, list.1).iter().any(|(start, _)| *start == token)
}

/// The generic parameters of the item whose list contains the token.
fn list_of(outline: &Outline<'_>, token: usize) -> Option<(usize, usize)> {
    let item = element_around(outline, ElementKind::Item, token)?;
    let name = match outline.text(item.head) {
        "impl" => item.head,
        _ => outline.item_name(item),
    };
    generics(outline, name + 1).filter(|(open, close)| (*open..*close).contains(&token))
}

/// A name of the same kind that occurs nowhere in the item.
fn fresh(outline: &Outline<'_>, item: &Element, token: usize) -> Option<String> {
    let is_free =
        |name: &String| !outline.tokens[item.start..item.end].iter().any(|it| it.is(name));
    match outline.tokens.get(token)?.kind {
        TokenKind::Lifetime => ('a'..='z').map(|it| format!("'{it}")).find(is_free),
        TokenKind::Word => ('T'..='Z').map(String::from).find(is_free),
        _ => None,
    }
}

fn rename(
    marked: &Marked<'_>,
    outline: &Outline<'_>,
    range: std::ops::Range<usize>,
    token: usize,
    fresh: &str,
) -> Proposal {
    let name = outline.text(token);
    let splices: Vec<Splice> = outline.tokens[range]
        .iter()
        .filter(|it| it.is(name))
        .map(|it| replace(it.span, fresh))
        .collect();
    marked.proposal(splices, format!("name the generic parameter `{fresh}` instead of `{name}`"))
}

#[cfg(test)]
mod tests {
    use crate::GenericNames;
    use crate::fake::{FakeError, check};

    #[test]
    fn a_shadowing_parameter_is_renamed_in_its_method() {
        let error = FakeError::new("E0496", "lifetime name `'a` shadows")
            .at("fn f<«'a»>(x")
            .label("impl<«'a»>", "first declared here");
        check(
            &GenericNames,
            "impl<'a> S<'a> {\n    fn f<'a>(x: &'a u8) -> &'a u8 { x }\n    fn g(&self) -> &'a u8 {}\n}",
            &[error],
            &[
                "impl<'a> S<'a> {\n    fn f<'b>(x: &'b u8) -> &'b u8 { x }\n    fn g(&self) -> &'a u8 {}\n}",
            ],
        );
        let error = FakeError::new("E0403", "the name `T` is already used")
            .at("fn g<«T»: X")
            .label("trait R<«T»>", "first use of `T`");
        check(
            &GenericNames,
            "trait R<T> { fn f() -> T; fn g<T: X>(t: Vec<T>); }",
            &[error],
            &["trait R<T> { fn f() -> T; fn g<U: X>(t: Vec<U>); }"],
        );
    }

    #[test]
    fn a_lifetime_of_one_list_is_declared_once_and_a_type_is_not() {
        let error = |first: &str, at: &str| {
            FakeError::new("E0403", "already used").at(at).label(first, "first use of it")
        };
        check(
            &GenericNames,
            "fn f<'a, 'b, 'a>(x: &'a u8, y: &'a u8) {}",
            &[error("f<«'a»,", ", «'a»>(")],
            &["fn f<'a, 'b>(x: &'a u8, y: &'a u8) {}"],
        );
        check(&GenericNames, "fn f<T, T>(x: T, y: T) {}", &[error("f<«T»,", ", «T»>(")], &[]);
    }

    #[test]
    fn a_reserved_name_is_replaced_in_the_head() {
        let error = |code: &str, at: &str| FakeError::new(code, "reserved").at(at);
        check(
            &GenericNames,
            "fn f<'static>(x: &'static str) { let y: &'static str = \"\"; }",
            &[error("E0262", "<«'static»>")],
            &["fn f<'a>(x: &'a str) { let y: &'static str = \"\"; }"],
        );
        check(
            &GenericNames,
            "fn f<'_, 'a>(x: &'_ str) -> &'_ str { x }",
            &[error("E0637", "<«'_»,")],
            &["fn f<'b, 'a>(x: &'b str) -> &'b str { x }"],
        );
        // A use, not a declaration.
        check(&GenericNames, "fn f<T: A<'_>>(t: T) {}", &[error("E0637", "A<«'_»>")], &[]);
    }
}
