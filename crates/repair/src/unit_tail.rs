//! Reasoner: ends a body with `Ok(())`.

use base::Diagnostic;
use edit::Files;
use preserve::outline::Outline;

use crate::conversions::quoted_after;
use crate::fix::{Proposal, guesses, text_of};
use crate::marked::{indent_at, insert, is_written, labelled, token_at};
use crate::{Fix, Reasoner};

/// For a function that returns `Result<(), E>` and whose body ends without a value: ends it with `Ok(())`. The
/// compiler suggests it behind a loop or a condition, and nothing behind a statement.
pub(crate) struct UnitTail;

impl Reasoner for UnitTail {
    fn name(&self) -> &'static str {
        "unit-tail"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| Some(vec![proposal(it, files)?]))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    labelled(diagnostic, "implicitly returns `()`")?;
    let declared = diagnostic.primary().filter(|it| is_written(it))?;
    let label = declared.label.as_deref()?;
    let is_unit = quoted_after(label, "expected")?.starts_with("Result<(), ")
        && quoted_after(label, "found") == Some("()");
    if diagnostic.code.as_deref() != Some("E0308") || !is_unit {
        return None;
    }
    let path = declared.place.project()?;
    let text = text_of(files, path)?;
    let outline = Outline::of(&text);
    let behind = token_at(&outline, declared.bytes.end);
    let open = (behind..outline.tokens.len()).find(|at| outline.text(*at) == "{")?;
    let close = *outline.close.get(open)?;
    let last = outline.tokens.get(close.checked_sub(1)?)?.span;
    let brace = outline.tokens.get(close)?.span.start;
    let between = text.get(last.end..brace)?;
    let is_empty = close == open + 1;
    let value = match between.contains('\n') {
        false if between.is_empty() => return Some(at(path, insert(brace, " Ok(()) "))),
        false => return Some(at(path, insert(brace, "Ok(()) "))),
        true if is_empty => format!("{}    Ok(())\n", indent_at(&text, last.start)),
        true => format!("{}Ok(())\n", indent_at(&text, last.start)),
    };
    // Before the line of the brace, behind comments that end the body.
    let line = text.get(..brace)?.rfind('\n')? + 1;
    Some(at(path, insert(line, &value)))
}

fn at(path: &base::ProjectPath, splice: edit::Splice) -> Proposal {
    Proposal::new(path, splice, "end the body with `Ok(())`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check};

    fn ends(text: &str, expected: &str, result: &[&str]) {
        let error = FakeError::new("E0308", "mismatched types")
            .at("-> «R<()>»")
            .labelled(&format!("expected `{expected}`, found `()`"))
            .label(
                "fn «f»",
                "implicitly returns `()` as its body has no tail or `return` expression",
            );
        check(&UnitTail, text, &[error], result);
    }

    #[test]
    fn a_body_without_a_value_ends_with_ok() {
        ends(
            "fn f() -> R<()> {\n    g()?;\n}\n",
            "Result<(), Error>",
            &["fn f() -> R<()> {\n    g()?;\n    Ok(())\n}\n"],
        );
        ends(
            "impl S {\n\tfn f() -> R<()>\n\twhere\n\t\tS: T,\n\t{\n\t\tg(\n\t\t\t1,\n\t\t)?;\n\t\t// Done.\n\t}\n}\n",
            "Result<(), std::fmt::Error>",
            &[
                "impl S {\n\tfn f() -> R<()>\n\twhere\n\t\tS: T,\n\t{\n\t\tg(\n\t\t\t1,\n\t\t)?;\n\t\t// Done.\n\t\tOk(())\n\t}\n}\n",
            ],
        );
        ends(
            "fn f() -> R<()> { g()?; }\n",
            "Result<(), E>",
            &["fn f() -> R<()> { g()?; Ok(()) }\n"],
        );
        ends("fn f() -> R<()> {}\n", "Result<(), E>", &["fn f() -> R<()> { Ok(()) }\n"]);
        ends("fn f() -> R<()> {\n}\n", "Result<(), E>", &["fn f() -> R<()> {\n    Ok(())\n}\n"]);
    }

    #[test]
    fn a_value_that_is_not_known_is_not_made_up() {
        ends("fn f() -> R<()> {\n    g()?;\n}\n", "Result<u8, Error>", &[]);
        ends("fn f() -> R<()> {\n    g()?;\n}\n", "Option<()>", &[]);
    }
}
