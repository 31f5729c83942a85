use base::{Applicability, ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::{Fix, Reasoner};

/// Slips of the pen that have one reading only, and that the parser reports without a mend.
pub struct Slips;

impl Reasoner for Slips {
    fn name(&self) -> &'static str {
        "slips"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        diagnostics
            .iter()
            .enumerate()
            .filter(|(_, it)| it.is_error() && it.code.is_none())
            .filter_map(|(seed, diagnostic)| {
                // `f(mut x)`: in an expression, `mut` is what is left of `&mut`.
                let mutable = diagnostic.message == "expected expression, found keyword `mut`";
                let span = diagnostic.primary().filter(|it| mutable && it.expansion.is_none())?;
                let path = span.place.project()?;
                let text = files.read(path).ok().flatten()?.text;
                let at = ByteSpan::new(span.bytes.start, span.bytes.start);
                (span.bytes.slice(&text)? == "mut").then(|| Fix {
                    splices: vec![(path.clone(), Splice { span: at, insert: "&".to_owned() })],
                    rationale: "borrow mutably with `&mut`".to_owned(),
                    applicability: Applicability::Unspecified,
                    reasoner: self.name(),
                    seed,
                })
            })
            .collect()
    }
}
