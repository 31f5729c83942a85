//! The parse rung: a change must not add syntax errors to a file.

use base::{Diagnostic, DiagnosticSpan, ProjectPath, Severity};
use edit::Overlay;

/// The new syntax errors as diagnostics, in the overlay's coordinates; empty if the rung passes.
///
/// What nests deeper than the parser follows is left to the compiler.
pub(crate) fn new_errors(overlay: &Overlay) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (path, change) in overlay.changes() {
        let Some(after) = &change.after else { continue };
        if path.extension() != Some("rs") {
            continue;
        }
        let errors = syntax::parse(&after.text).parse_errors;
        if errors.is_empty() {
            continue;
        }
        let before = change
            .before
            .as_ref()
            .map_or(0, |before| syntax::parse(&before.text).parse_errors.len());
        if errors.len() > before && syntax::is_shallow(&after.text) {
            found.extend(errors.into_iter().map(|span| diagnostic(path, &after.text, span)));
        }
    }
    found
}

fn diagnostic(path: &ProjectPath, text: &str, span: base::ByteSpan) -> Diagnostic {
    Diagnostic {
        spans: vec![DiagnosticSpan::primary(path, text, span)],
        ..Diagnostic::new(Severity::Error, "syntax error")
    }
}

#[cfg(test)]
mod tests {
    use base::Timestamp;
    use edit::FileState;

    use super::*;

    fn errors(text: &str) -> usize {
        let path = ProjectPath::new("src/new.rs").unwrap();
        let after = FileState { text: text.into(), executable: false };
        let states = vec![(path, None, Some(after))];
        new_errors(&Overlay::from_states("test", Timestamp(0), states)).len()
    }

    #[test]
    fn what_nests_without_end_is_left_to_the_compiler() {
        for (open, close) in [("(", ")"), ("{", "}"), ("!", ""), ("&", ""), ("(\")\", ", ")")] {
            let (open, close) = (open.repeat(10_000), close.repeat(10_000));
            let text = format!("fn f() -> u8 {{ {open}1{close} }}\nfn g() {{ let = ; }}\n");
            assert_eq!(errors(&text), 0, "{}", &text[..20]);
        }
        assert_eq!(errors("fn g() { let = ; }\n"), 2);
    }
}
