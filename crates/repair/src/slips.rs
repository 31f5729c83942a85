//! Reasoner: typing errors with only one sensible correction, such as `f(mut x)` for `f(&mut x)`.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::conversions::{quoted_after, wraps};
use crate::fix::{Proposal, guesses, text_of};
use crate::{Fix, Reasoner};

/// Typing errors with only one sensible correction, for which the compiler has no suggestion.
pub(crate) struct Slips;

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
        // `const A: u8 = return 1;`: outside of a function, the value is all that there is.
        Some("E0572") if marked.starts_with("return ") => {
            let keyword = ByteSpan::new(bytes.start, bytes.start + "return ".len());
            let rationale = "remove `return`, outside of a function";
            Some((Splice { span: keyword, insert: String::new() }, rationale))
        }
        // `f()?;` without its end, before a tuple: a semicolon alone would throw the failure away.
        Some("E0618") if is_fallible(&diagnostic.message) => {
            let all = diagnostic.children.iter().flat_map(|it| &it.replacements);
            let end = all.map(|it| (it.bytes, it.text.as_str())).find(|it| it.1 == ";")?.0;
            let insert = "?;".to_owned();
            Some((
                Splice { span: end, insert },
                "pass the failure on with `?`, and end the statement",
            ))
        }
        // `unsafe impl S {}`: only the impl of a trait can be unsafe.
        Some("E0197") => {
            let label = "unsafe because of this";
            let marks = |it: &&base::DiagnosticSpan| it.label.as_deref() == Some(label);
            let keyword = diagnostic.spans.iter().find(marks)?.bytes;
            let span = ByteSpan::new(keyword.start, keyword.end + 1);
            let rationale = "remove `unsafe`, the impl has no trait";
            Some((Splice { span, insert: String::new() }, rationale))
        }
        _ => None,
    }
}

/// Whether a message is about a value that may be a failure.
fn is_fallible(message: &str) -> bool {
    quoted_after(message, "found").is_some_and(|it| it.contains('<') && wraps(it))
}

#[cfg(test)]
mod tests {
    use crate::Slips;
    use crate::fake::{FakeError, check};

    #[test]
    fn a_return_outside_of_a_function_is_its_value() {
        let error =
            |at: &str| FakeError::new("E0572", "return statement outside of function body").at(at);
        check(
            &Slips,
            "static A: u8 = return 1 + 2;",
            &[error("«return 1 + 2»")],
            &["static A: u8 = 1 + 2;"],
        );
        check(&Slips, "static A: () = return;", &[error("«return»")], &[]);
    }

    #[test]
    fn an_impl_without_a_trait_is_not_unsafe() {
        let error = FakeError::new("E0197", "inherent impls cannot be unsafe")
            .at("impl «S» {")
            .label("«unsafe» impl", "unsafe because of this");
        check(&Slips, "unsafe impl S { }", &[error], &["impl S { }"]);
    }

    #[test]
    fn a_lost_end_of_a_fallible_statement_passes_on() {
        let error = |found: &str| {
            FakeError::new("E0618", &format!("expected function, found `{found}`"))
                .at("«f(a)\n    (b, c)»")
                .help("consider using a semicolon here", "f(a)«»", ";")
        };
        let text = "fn g() -> Result<(u8, u8), E> {\n    f(a)\n    (b, c)\n}";
        let fixed = text.replace("f(a)\n", "f(a)?;\n");
        check(&Slips, text, &[error("Result<(), E>")], &[&fixed]);
        check(&Slips, text, &[error("()")], &[]);
    }
}
