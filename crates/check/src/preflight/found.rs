//! Compares the errors that rust-analyzer reports before and after a candidate: by code, message
//! and position mapped through the overlay. Only new errors count against it.

use analyzer::session::{self, LspPosition};
use base::{ByteSpan, Diagnostic, DiagnosticSpan, LineIndex, ProjectPath, Severity, SubDiagnostic};
use edit::Overlay;

/// rust-analyzer reports E0282 (type annotations needed) for some expressions of correct code.
const UNTRUSTED: &str = "E0282";

/// An error that the server reports for a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) span: ByteSpan,
    code: String,
    message: String,
}

/// The comparison of a file before and after a candidate.
#[derive(Debug)]
pub(super) struct FileComparison {
    /// Errors that the tree does not have.
    pub(super) new: Vec<Found>,
    /// The number of errors of the tree that disappeared.
    pub(super) gone: usize,
}

/// The server's diagnostics that count as errors.
pub(super) fn found(text: &str, reported: Vec<session::LspDiagnostic>) -> Vec<Found> {
    let lines = LineIndex::new(text);
    let at = |position: LspPosition| {
        let line = lines.line_span(position.line.saturating_add(1));
        line.map_or(text.len(), |line| (line.start + position.column as usize).min(text.len()))
    };
    reported
        .into_iter()
        .filter(|it| it.severity == Severity::Error && it.code != UNTRUSTED)
        .map(|it| {
            let start = at(it.range.start);
            let span = ByteSpan::new(start, at(it.range.end).max(start));
            Found { span, code: it.code, message: it.message }
        })
        .collect()
}

/// Errors are equal if code, message and position in the user's text are equal. In rewritten lines, as
/// many as before count as old.
pub(super) fn compare(
    overlay: &Overlay,
    path: &ProjectPath,
    before: &[Found],
    now: Vec<Found>,
) -> FileComparison {
    let map = overlay.span_map(path);
    let in_base = |span: ByteSpan| match &map {
        Some(map) => map.span_to_base(span).exact(),
        None => Some(span),
    };
    let is_kept = |error: &Found| match &map {
        Some(map) => map.span_to_overlay(error.span).exact().is_some(),
        None => true,
    };
    let mut left: Vec<&Found> = before.iter().collect();
    let mut new = Vec::new();
    for error in now {
        let place = in_base(error.span).map(|span| span.start);
        // Errors in changed text cannot be matched by position.
        let same = left.iter().position(|it| {
            it.words() == error.words()
                && match place {
                    Some(start) => it.span.start == start,
                    None => !is_kept(it),
                }
        });
        match same {
            Some(same) => drop(left.swap_remove(same)),
            None => new.push(error),
        }
    }
    FileComparison { new, gone: left.len() }
}

impl Found {
    fn words(&self) -> (&String, &String) {
        (&self.code, &self.message)
    }
}

/// Converts it to a diagnostic of the proof.
pub(super) fn diagnostic(path: &ProjectPath, text: &str, error: &Found) -> Diagnostic {
    let span = DiagnosticSpan::primary(path, text, error.span);
    let code = Some(&error.code).filter(|code| code.starts_with('E'));
    let in_brackets = code.map_or(String::new(), |code| format!("[{code}]"));
    Diagnostic {
        code: code.cloned(),
        children: vec![SubDiagnostic::new(Severity::Note, REPORTED_BY)],
        rendered: Some(format!(
            "error{in_brackets}: {}\n --> {path}:{}:{}\n  = note: {REPORTED_BY}\n",
            error.message, span.start.line, span.start.col
        )),
        spans: vec![span],
        ..Diagnostic::new(Severity::Error, &error.message)
    }
}

/// Marks the message as rust-analyzer's, not the compiler's.
const REPORTED_BY: &str = "reported by rust-analyzer; cargo was not run";
