//! Reasoner: conversions whose target type is not known.

use base::{Diagnostic, DiagnosticSpan, SubDiagnostic};
use edit::Files;

use crate::fix::{Proposal, guesses, text_of};
use crate::marked::{Marked, replace};
use crate::{Fix, Reasoner};

/// For a conversion whose target is not known: the compiler's suggestion `<S as Into<T>>::into(s)`
/// with the type that the notes name for `T`: that of the impl in this code base, or that of the
/// other operand.
pub(crate) struct InferredInto;

/// Placeholder of the suggestion.
const OPEN: &str = "<T>>::";

impl Reasoner for InferredInto {
    fn name(&self) -> &'static str {
        "inferred-into"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            it.code.as_deref().filter(|it| matches!(*it, "E0283" | "E0284"))?;
            let help = it
                .children
                .iter()
                .find(|it| it.replacements.iter().any(|it| it.text.contains(OPEN)))?;
            let types = operand(it).into_iter().chain(implemented(it, files));
            Some(types.filter_map(|of| filled(it, help, &of, files)).collect())
        })
    }
}

/// The suggestion with this type.
fn filled(
    diagnostic: &Diagnostic,
    help: &SubDiagnostic,
    of: &str,
    files: &dyn Files,
) -> Option<Proposal> {
    let marked = Marked::primary(diagnostic, files)?;
    let mut splices = Vec::new();
    for part in &help.replacements {
        if part.place.project() != Some(marked.path) || part.from_expansion {
            return None;
        }
        part.bytes.slice(&marked.text)?;
        splices.push(replace(part.bytes, &part.text.replacen(OPEN, &format!("<{of}>>::"), 1)));
    }
    Some(marked.proposal(splices, format!("convert to `{of}`")))
}

/// The type of the other operand: `u64` of ``cannot satisfy `<u64 as Add<_>>::Output == u64` ``.
fn operand(diagnostic: &Diagnostic) -> Option<String> {
    let note = diagnostic
        .children
        .iter()
        .find_map(|it| it.message.strip_prefix("cannot satisfy `<")?.split_once(" as "))?;
    let is_operator = note.1.contains("<_>>::Output");
    (is_operator && !note.0.contains('_')).then(|| note.0.to_owned())
}

/// The types of the impls that the notes mark: `u8` of `impl Into<u8> for S`.
fn implemented(diagnostic: &Diagnostic, files: &dyn Files) -> Vec<String> {
    let argument = |span: &DiagnosticSpan| {
        let text = text_of(files, span.place.project()?)?;
        let (head, _) = span.bytes.slice(&text)?.rsplit_once(" for ")?;
        let (_, of) = head.strip_suffix('>')?.split_once('<')?;
        let of = of.trim();
        // Not the parameters of the impl.
        (head.starts_with("impl ") && !of.is_empty()).then(|| of.to_owned())
    };
    diagnostic.children.iter().flat_map(|it| &it.spans).filter_map(argument).collect()
}

#[cfg(test)]
mod tests {
    use crate::InferredInto;
    use crate::fake::{FakeError, check};

    #[test]
    fn the_other_operand_has_the_type() {
        let error = FakeError::new("E0284", "type annotations needed")
            .at("n.«into»()")
            .note("cannot satisfy `<u64 as Mul<_>>::Output == u64`", &[])
            .help("try", "d * «n.into()»", "<u32 as Into<T>>::into(n)");
        check(
            &InferredInto,
            "let p = d * n.into();",
            &[error],
            &["let p = d * <u32 as Into<u64>>::into(n);"],
        );
    }

    #[test]
    fn the_impl_names_the_type() {
        let error = FakeError::new("E0283", "type annotations needed")
            .at("s.«into»()")
            .note(
                "multiple `impl`s satisfying `S: Into<_>` found",
                &[("«impl Into<u16> for S»", true)],
            )
            .help("try", "= «s.into()»", "<S as Into<T>>::into(s)");
        check(
            &InferredInto,
            "impl Into<u16> for S { }\nlet p = s.into() + 1;",
            &[error],
            &["impl Into<u16> for S { }\nlet p = <S as Into<u16>>::into(s) + 1;"],
        );
    }

    #[test]
    fn without_a_type_nothing_is_proposed() {
        let error = FakeError::new("E0283", "type annotations needed").at("s.«into»()").help(
            "try",
            "= «s.into()»",
            "<S as Into<T>>::into(s)",
        );
        check(&InferredInto, "let p = s.into();", &[error], &[]);
    }
}
