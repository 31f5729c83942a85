//! Reasoner: a lifetime that must outlive another.

use base::{Diagnostic, DiagnosticSpan};
use edit::Files;
use preserve::outline::{Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, insert, token_at};
use crate::{Fix, Reasoner};

/// For a lifetime that must outlive another: the bound `'a: 'b` where `'a` is declared, as the
/// compiler's notes ask for it without a suggestion.
pub(crate) struct LifetimeBounds;

/// Notes about the two lifetimes, the one that must live longer first.
const NOTES: &[(&str, &str)] = &[
    ("lifetime parameter instantiated with the lifetime `", "must outlive the lifetime `"),
    (
        "the referenced data is only valid for the lifetime `",
        "the pointer is valid for the lifetime `",
    ),
];

impl Reasoner for LifetimeBounds {
    fn name(&self) -> &'static str {
        "lifetime-bounds"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let mut proposals: Vec<Proposal> = advised(it, files);
            proposals.extend(noted(it, files));
            Some(proposals)
        })
    }
}

/// The bounds in the compiler's advice.
fn advised(diagnostic: &Diagnostic, files: &dyn Files) -> Vec<Proposal> {
    const ADVICE: &str = "consider adding the following bound: `";
    let helps = diagnostic.children.iter().filter_map(|it| it.message.strip_prefix(ADVICE));
    helps
        .filter_map(|help| {
            let (long, short) = help.strip_suffix('`')?.split_once(": ")?;
            let label = format!("lifetime `{long}` defined here");
            let declared =
                diagnostic.spans.iter().find(|it| it.label.as_deref() == Some(label.as_str()))?;
            bound(declared, long, short, files)
        })
        .collect()
}

/// The bound between the lifetimes of the two notes.
fn noted(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let note = |words: &str| {
        diagnostic.children.iter().find_map(|it| {
            let name = it.message.split_once(words)?.1.split('`').next()?;
            Some((it.spans.first()?, name))
        })
    };
    NOTES.iter().find_map(|(longer, shorter)| {
        let ((declared, long), (_, short)) = (note(longer)?, note(shorter)?);
        bound(declared, long, short, files)
    })
}

/// Adds `short` to the bounds of `long` at its declaration.
fn bound(
    declared: &DiagnosticSpan,
    long: &str,
    short: &str,
    files: &dyn Files,
) -> Option<Proposal> {
    let marked = Marked::of(declared, files)?;
    let outline = Outline::of(&marked.text);
    let token = token_at(&outline, marked.span.start);
    let is_declared = outline.tokens.get(token)?.kind == TokenKind::Lifetime
        && outline.text(token) == long
        && matches!(outline.before(token, 1), "<" | ",");
    if !is_declared || matches!(long, "'static" | "'_") || !short.starts_with('\'') {
        return None;
    }
    let splice = match outline.text(token + 1) {
        ":" => insert(outline.tokens[token + 1].span.end, &format!(" {short} +")),
        _ => insert(marked.span.end, &format!(": {short}")),
    };
    let rationale = format!("require that `{long}` outlives `{short}`");
    Some(marked.proposal(vec![splice], rationale))
}

#[cfg(test)]
mod tests {
    use crate::LifetimeBounds;
    use crate::fake::{FakeError, check};

    #[test]
    fn the_bound_of_the_advice_is_added() {
        let error = |declared: &str| {
            FakeError::new("", "lifetime may not live long enough")
                .at("{ «b» }")
                .label(declared, "lifetime `'b` defined here")
                .note("consider adding the following bound: `'b: 'a`", &[])
        };
        check(
            &LifetimeBounds,
            "fn f<'a, 'b>(a: &'a u8, b: &'b u8) -> &'a u8 { b }",
            &[error("<'a, «'b»>")],
            &["fn f<'a, 'b: 'a>(a: &'a u8, b: &'b u8) -> &'a u8 { b }"],
        );
        check(
            &LifetimeBounds,
            "fn f<'a, 'b: 'c, 'c>(a: &'a u8, b: &'b u8) -> &'a u8 { b }",
            &[error(" «'b»: 'c")],
            &["fn f<'a, 'b: 'a + 'c, 'c>(a: &'a u8, b: &'b u8) -> &'a u8 { b }"],
        );
    }

    #[test]
    fn the_lifetimes_of_two_notes_are_related() {
        let error = FakeError::new("E0491", "in type `&'a S<'b>`, reference has a longer lifetime")
            .at("«type O» =")
            .note("the pointer is valid for the lifetime `'a` as defined here", &[("<«'a»,", true)])
            .note(
                "but the referenced data is only valid for the lifetime `'b` as defined here",
                &[(", «'b»> T", true)],
            );
        check(
            &LifetimeBounds,
            "impl<'a, 'b> T<'a, 'b> for u8 { type O = &'a S<'b>; }",
            &[error],
            &["impl<'a, 'b: 'a> T<'a, 'b> for u8 { type O = &'a S<'b>; }"],
        );
    }

    #[test]
    fn an_anonymous_lifetime_gets_no_bound() {
        let error = FakeError::new("", "lifetime may not live long enough")
            .at("{ «b» }")
            .label("b: «&»u8", "lifetime `'1` defined here")
            .note("consider adding the following bound: `'1: 'a`", &[]);
        check(&LifetimeBounds, "fn f<'a>(b: &u8) -> &'a u8 { b }", &[error], &[]);
    }
}
