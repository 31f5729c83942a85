//! Reasoner: `?` in a constant function becomes a `match` that returns.

use base::Diagnostic;
use edit::{Files, Splice};

use crate::fix::{Proposal, guesses, text_of};
use crate::{Fix, Reasoner};

/// For `?` in a constant function, where it is not allowed: a `match` that returns as `?` does.
pub(crate) struct ConstTry;

impl Reasoner for ConstTry {
    fn name(&self) -> &'static str {
        "const-try"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposal(it, files))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let message = diagnostic.message.strip_prefix("`?` is not allowed on `")?;
    message.strip_suffix("` in constant functions")?;
    let (some, other) = match message.split(['<', ':']).next()? {
        "Option" => ("Some(value)", ("None", "None")),
        "Result" => ("Ok(value)", ("Err(error)", "Err(error)")),
        _ => return None,
    };
    // The place of `?` is that of its operand with it, in the text of the user.
    let span = diagnostic.primary()?;
    let path = span.place.project()?;
    let text = text_of(files, path)?;
    let value = span.bytes.slice(&text)?.strip_suffix('?')?.trim_end();
    let line = text.get(..span.bytes.start)?.rsplit('\n').next()?;
    let indent = &line[..line.len() - line.trim_start().len()];
    let (pattern, returned) = other;
    let insert = format!(
        "match {value} {{\n{indent}    {some} => value,\n{indent}    {pattern} => return \
         {returned},\n{indent}}}"
    );
    let rationale = "a `match` for `?`, which constant functions cannot use".to_owned();
    Some(vec![Proposal::new(path, Splice { span: span.bytes, insert }, rationale)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check};

    #[test]
    fn a_question_mark_in_a_constant_function_becomes_a_match() {
        let error = |of: &str| {
            let message = format!("`?` is not allowed on `{of}` in constant functions");
            FakeError::new("E0658", &message).at("= «half(n)?»;")
        };
        check(
            &ConstTry,
            "const fn f(n: u8) -> Option<u8> {\n    let h = half(n)?;\n    Some(h)\n}",
            &[error("Option<u8>"), error("Option<m::Half>")],
            &[
                "const fn f(n: u8) -> Option<u8> {\n    let h = match half(n) {\n        Some(value) => value,\n        None => return None,\n    };\n    Some(h)\n}",
            ],
        );
        check(
            &ConstTry,
            "fn f() { let h = half(n)?; }",
            &[error("Result<u8, E>")],
            &[
                "fn f() { let h = match half(n) {\n    Ok(value) => value,\n    Err(error) => return Err(error),\n}; }",
            ],
        );
        check(&ConstTry, "fn f() { let h = half(n)?; }", &[error("Poll<u8>")], &[]);
    }
}
