//! Reasoner: references to fields of packed types.

use base::Diagnostic;
use edit::Files;
use preserve::outline::{Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, replace};
use crate::{Fix, Reasoner};

/// For a reference to a field of a packed type: a reference to a copy of the field, as the
/// compiler's help advises. A mutable one stays as it is, since it would write to the copy.
pub(crate) struct PackedFields;

impl Reasoner for PackedFields {
    fn name(&self) -> &'static str {
        "packed-fields"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| Some(vec![proposal(it, files)?]))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    diagnostic.code.as_deref().filter(|it| *it == "E0793")?;
    let marked = Marked::primary(diagnostic, files)?;
    let (sign, place) = match marked.slice().strip_prefix('&') {
        Some(place) => ("&", place.trim_start()),
        None => ("", marked.slice()),
    };
    let outline = Outline::of(place);
    let is_place = outline.tokens.iter().all(|it| {
        matches!(it.kind, TokenKind::Word | TokenKind::Literal) && !it.is("mut") && !it.is("raw")
            || it.is(".")
    });
    if !is_place || !place.contains('.') {
        return None;
    }
    let splice = replace(marked.span, &format!("{sign}{{ {place} }}"));
    let rationale = format!("copy `{place}`, to which no reference is possible");
    Some(marked.proposal(vec![splice], rationale))
}

#[cfg(test)]
mod tests {
    use crate::PackedFields;
    use crate::fake::{FakeError, check};

    #[test]
    fn the_field_is_copied() {
        let error = |at: &str| FakeError::new("E0793", "reference to field is unaligned").at(at);
        check(&PackedFields, "let a = &s.a.0;", &[error("«&s.a.0»")], &["let a = &{ s.a.0 };"]);
        check(
            &PackedFields,
            "println!(\"{}\", s.a);",
            &[error("«s.a»")],
            &["println!(\"{}\", { s.a });"],
        );
        check(&PackedFields, "let a = &mut s.a;", &[error("«&mut s.a»")], &[]);
        check(&PackedFields, "s.a.clear();", &[error("«s.a.clear()»")], &[]);
    }
}
