//! Reasoner: changes the declared return type to that of the body.

use base::Diagnostic;
use edit::{Files, Splice};

use crate::conversions::quoted_after;
use crate::fix::{Proposal, guesses, text_of};
use crate::{Fix, Reasoner};

/// For a body whose value is not of the declared return type: changes the declared type to that of
/// the body. Right if the signature was forgotten in a change of the body; the check covers the
/// callers.
pub(crate) struct ReturnType;

impl Reasoner for ReturnType {
    fn name(&self) -> &'static str {
        "return-type"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposal(it, files))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    if diagnostic.code.as_deref() != Some("E0308") {
        return None;
    }
    let (declared, found) = declared_and_found(diagnostic)?;
    let path = declared.place.project()?;
    let text = text_of(files, path)?;
    let insert = fitting_type(declared.bytes.slice(&text)?, found)?;
    let rationale = format!("return `{insert}`, as the body does");
    Some(vec![Proposal::new(path, Splice { span: declared.bytes, insert }, rationale)])
}

/// The span of the declared return type, and the type found instead.
fn declared_and_found(diagnostic: &Diagnostic) -> Option<(&base::DiagnosticSpan, &str)> {
    let declared = diagnostic.spans.iter().find(|it| {
        it.expansion.is_none()
            && it.label.as_ref().is_some_and(|label| label.ends_with("because of return type"))
    })?;
    let label = diagnostic.primary()?.label.as_deref()?;
    Some((declared, quoted_after(label, "found")?))
}

/// The return type that fits `found`; `None` if the compiler does not print it in full.
fn fitting_type(declared: &str, found: &str) -> Option<String> {
    match found {
        "Option<_>" => Some(format!("Option<{declared}>")),
        _ if found.contains(['_', '{', '…']) || found.contains("...") || found == "()" => None,
        // References need lifetimes, which cannot be guessed here.
        _ if found.contains('&') || found.contains("impl ") => None,
        _ => Some(found.to_owned()).filter(|it| it != declared),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_type_follows_the_body_if_its_type_is_printed_in_full() {
        assert_eq!(fitting_type("u32", "usize").as_deref(), Some("usize"));
        assert_eq!(fitting_type("Vec<u8>", "Option<_>").as_deref(), Some("Option<Vec<u8>>"));
        assert_eq!(fitting_type("u32", "()"), None);
        assert_eq!(fitting_type("u32", "Result<_, E>"), None);
        assert_eq!(fitting_type("String", "&str"), None);
        assert_eq!(fitting_type("u32", "{closure@src/lib.rs:1:1}"), None);
    }
}
