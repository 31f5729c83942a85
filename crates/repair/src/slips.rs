//! Reasoner: typing errors with only one sensible correction, such as `f(mut x)` for `f(&mut x)`.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::fix::{Proposal, guesses, text_of};
use crate::{Fix, Reasoner};

/// Typing errors with only one sensible correction, for which the compiler has no suggestion.
pub struct Slips;

impl Reasoner for Slips {
    fn name(&self) -> &'static str {
        "slips"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposal(it, files))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let span = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let path = span.place.project()?;
    let text = text_of(files, path)?;
    let (splice, rationale) = correction(diagnostic, span.bytes, span.bytes.slice(&text)?)?;
    Some(vec![Proposal::new(path, splice, rationale.to_owned())])
}

/// The correction for `marked`, the text at `bytes`.
fn correction(
    diagnostic: &Diagnostic,
    bytes: ByteSpan,
    marked: &str,
) -> Option<(Splice, &'static str)> {
    let first = ByteSpan::new(bytes.start, bytes.start + 1);
    match diagnostic.code.as_deref() {
        // `f(mut x)`: in an expression, `mut` is the rest of `&mut`.
        None if marked == "mut"
            && diagnostic.message == "expected expression, found keyword `mut`" =>
        {
            let at = ByteSpan::new(bytes.start, bytes.start);
            Some((Splice { span: at, insert: "&".to_owned() }, "borrow mutably with `&mut`"))
        }
        // `*` on a value that is no reference; on an `Option` or `Result` a `?` is missing instead.
        Some("E0614")
            if marked.starts_with('*')
                && !["`Option<", "`Result<"].iter().any(|it| diagnostic.message.contains(it)) =>
        {
            let rationale = "remove `*`, the value is no reference";
            Some((Splice { span: first, insert: String::new() }, rationale))
        }
        _ => None,
    }
}
