//! Values that a repair stops using though they must be used, such as a `Result` that became a statement:
//! the failure is thrown away, and no test that passes shows that this is meant.

use base::{ByteSpan, Diagnostic, LineIndex, ProjectPath};
use check::Checked;
use edit::{FileChange, TextEdit};

use crate::GuessRow;
use crate::guesses::GuessNote;

/// The statements of a checked change whose value must be used and is not since the change, each a guess.
pub(crate) fn discarded(checked: &Checked) -> Vec<GuessRow> {
    let mut found: Vec<GuessRow> = Vec::new();
    for warning in unused_values(checked) {
        let Some(row) = touched(warning, checked) else { continue };
        if !found.contains(&row) {
            found.push(row);
        }
    }
    found
}

/// The warnings about values that must be used and are not.
pub(crate) fn unused_values(checked: &Checked) -> impl Iterator<Item = &Diagnostic> {
    checked.diagnostics.iter().filter(|it| it.code.as_deref() == Some("unused_must_use"))
}

/// Whether a guess is such a statement.
pub(crate) fn is_thrown_away(row: &GuessRow) -> bool {
    row.note == GuessNote::ThrownAway
}

/// The statement that a warning is about, if the change wrote in it or right after it.
fn touched(warning: &Diagnostic, checked: &Checked) -> Option<GuessRow> {
    let span = warning.user_span()?;
    let path = span.place.project()?;
    let change = checked.overlay.get(path)?;
    let text = change.after_text();
    let is_near = |it: &ByteSpan| it.start <= span.bytes.end + 1 && span.bytes.start <= it.end;
    written(change).iter().any(is_near).then(|| row(path, text, span.bytes))
}

fn row(path: &ProjectPath, text: &str, span: ByteSpan) -> GuessRow {
    GuessRow {
        file: path.to_string(),
        line: LineIndex::new(text).line_of(span.start),
        text: format!("{};", span.slice(text).unwrap_or("")),
        tested: false,
        note: GuessNote::ThrownAway,
    }
}

/// The spans of the new text that a change has written; empty ones where it only removed.
fn written(change: &FileChange) -> Vec<ByteSpan> {
    let before = change.before_text();
    let back = TextEdit::diff(before, change.after_text()).invert(before);
    back.map_or_else(Vec::new, |it| it.splices.iter().map(|it| it.span).collect())
}
