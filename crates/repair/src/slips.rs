use base::{Applicability, ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::{Fix, Reasoner};

/// Slips of the pen that have one reading only, and that the compiler reports without a mend.
pub struct Slips;

impl Reasoner for Slips {
    fn name(&self) -> &'static str {
        "slips"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        diagnostics
            .iter()
            .enumerate()
            .filter(|(_, it)| it.is_error())
            .filter_map(|(seed, diagnostic)| {
                let span = diagnostic.primary().filter(|it| it.expansion.is_none())?;
                let path = span.place.project()?;
                let text = files.read(path).ok().flatten()?.text;
                let (splice, rationale) = mend(diagnostic, span.bytes, span.bytes.slice(&text)?)?;
                Some(Fix {
                    splices: vec![(path.clone(), splice)],
                    rationale: rationale.to_owned(),
                    applicability: Applicability::Unspecified,
                    reasoner: self.name(),
                    seed,
                })
            })
            .collect()
    }
}

/// What to write where `marked`, at `bytes`, is what the compiler dislikes.
fn mend(diagnostic: &Diagnostic, bytes: ByteSpan, marked: &str) -> Option<(Splice, &'static str)> {
    let first = ByteSpan::new(bytes.start, bytes.start + 1);
    match diagnostic.code.as_deref() {
        // `f(mut x)`: in an expression, `mut` is what is left of `&mut`.
        None if marked == "mut"
            && diagnostic.message == "expected expression, found keyword `mut`" =>
        {
            let at = ByteSpan::new(bytes.start, bytes.start);
            Some((Splice { span: at, insert: "&".to_owned() }, "borrow mutably with `&mut`"))
        }
        // What is no reference is there already; of what may be absent it is the question mark
        // that is missing.
        Some("E0614")
            if marked.starts_with('*')
                && !["`Option<", "`Result<"].iter().any(|it| diagnostic.message.contains(it)) =>
        {
            let rationale = "it is no reference: leave out `*`";
            Some((Splice { span: first, insert: String::new() }, rationale))
        }
        _ => None,
    }
}
