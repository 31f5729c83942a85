use analyzer::session::{self, Position, Severity};
use base::{
    ByteSpan, Diagnostic, DiagnosticFile, DiagnosticSpan, LineIndex, ProjectPath, SubDiagnostic,
};
use edit::Overlay;

/// Without any error in the code rust-analyzer says of some expressions that it cannot tell their
/// type.
const UNTRUSTED: &str = "E0282";

/// An error that the server finds in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) span: ByteSpan,
    code: String,
    message: String,
}

/// What a candidate makes of a file.
#[derive(Debug)]
pub(super) struct Judged {
    /// Errors that the tree has not.
    pub(super) new: Vec<Found>,
    /// How many errors of the tree are no more.
    pub(super) gone: usize,
}

/// The errors that count among what the server said.
pub(super) fn found(text: &str, said: Vec<session::Diagnostic>) -> Vec<Found> {
    let lines = LineIndex::new(text);
    let at = |position: Position| {
        let line = lines.line_span(position.line.saturating_add(1));
        line.map_or(text.len(), |line| (line.start + position.column as usize).min(text.len()))
    };
    said.into_iter()
        .filter(|it| it.severity == Severity::Error && it.code != UNTRUSTED)
        .map(|it| {
            let start = at(it.range.start);
            let span = ByteSpan::new(start, at(it.range.end).max(start));
            Found { span, code: it.code, message: it.message }
        })
        .collect()
}

/// Errors are the same where they say the same at the same place of the user's text. Of those in
/// lines that were written anew, as many as before are old.
pub(super) fn compare(
    overlay: &Overlay,
    path: &ProjectPath,
    before: &[Found],
    now: Vec<Found>,
) -> Judged {
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
        // Those whose own text changed cannot be told by their place.
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
    Judged { new, gone: left.len() }
}

impl Found {
    fn words(&self) -> (&String, &String) {
        (&self.code, &self.message)
    }
}

/// As a proof has it.
pub(super) fn diagnostic(path: &ProjectPath, text: &str, error: &Found) -> Diagnostic {
    let lines = LineIndex::new(text);
    let start = lines.line_col(text, error.span.start);
    let code = Some(&error.code).filter(|code| code.starts_with('E'));
    let named = code.map_or(String::new(), |code| format!("[{code}]"));
    Diagnostic {
        severity: base::Severity::Error,
        code: code.cloned(),
        message: error.message.clone(),
        spans: vec![DiagnosticSpan {
            place: DiagnosticFile::Project(path.clone()),
            bytes: error.span,
            start,
            end: lines.line_col(text, error.span.end),
            primary: true,
            label: None,
            expansion: None,
        }],
        children: vec![SubDiagnostic {
            severity: base::Severity::Note,
            message: SAID_BY.to_owned(),
            spans: Vec::new(),
            replacements: Vec::new(),
        }],
        rendered: Some(format!(
            "error{named}: {}\n --> {path}:{}:{}\n  = note: {SAID_BY}\n",
            error.message, start.line, start.col
        )),
        package: None,
        target: None,
    }
}

/// So that nobody takes it for the compiler's word.
const SAID_BY: &str = "said by rust-analyzer; cargo was not asked";
