//! The parse rung: a change must not add syntax errors to a file.

use base::{Diagnostic, DiagnosticFile, DiagnosticSpan, LineIndex, ProjectPath, Severity};
use edit::Overlay;

/// The new syntax errors as diagnostics, in the overlay's coordinates; empty if the rung passes.
///
/// The tolerant parser does not cover the whole language, so it rejects nothing by itself: a second
/// parser must agree that the text is broken.
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
        if errors.len() > before && !is_plain_syntax(&after.text) {
            found.extend(errors.into_iter().map(|span| diagnostic(path, &after.text, span)));
        }
    }
    found
}

fn is_plain_syntax(text: &str) -> bool {
    // Deep nesting would overflow the stack of the second parser; there the compiler decides.
    !syntax::is_shallow(text) || syn::parse_file(text).is_ok()
}

fn diagnostic(path: &ProjectPath, text: &str, span: base::ByteSpan) -> Diagnostic {
    let index = LineIndex::new(text);
    Diagnostic {
        severity: Severity::Error,
        code: None,
        message: "syntax error".to_owned(),
        spans: vec![DiagnosticSpan {
            place: DiagnosticFile::Project(path.clone()),
            bytes: span,
            start: index.line_col(text, span.start),
            end: index.line_col(text, span.end),
            primary: true,
            label: None,
            expansion: None,
        }],
        children: Vec::new(),
        rendered: None,
        package: None,
        target: None,
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
        assert_eq!(errors("fn g() { let = ; }\n"), 1);
    }
}
