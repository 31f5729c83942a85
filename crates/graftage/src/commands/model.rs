//! What a language model was asked and answered, for people.

use std::fmt::Write as _;

use agent::{FixReport, ModelNote, ModelNoteKind};

use crate::output::{self, BOLD, DIM, WARN, paint};

/// One step of a conversation.
pub(crate) fn line(note: &ModelNote) -> String {
    let style = match note.kind {
        ModelNoteKind::Refused | ModelNoteKind::Failed | ModelNoteKind::Ended => WARN,
        _ => DIM,
    };
    let word = paint(style, note.kind.word());
    format!("  model round {}: {word} {}", note.round, output::safe(&note.text))
}

/// The use of a model in a report: its steps where they were not shown while it ran, and its cost.
pub(crate) fn summary(report: &FixReport) -> String {
    let mut text = String::new();
    if report.model.is_empty() {
        return text;
    }
    let count = |kind| report.model.iter().filter(|it| it.kind == kind).count();
    let _ = writeln!(
        text,
        "  {} {}, {} proposed, {} refused before a proof; {} tokens, ${:.4}",
        paint(BOLD, "model"),
        base::counted(count(ModelNoteKind::Asked), "request"),
        count(ModelNoteKind::Proposed),
        count(ModelNoteKind::Refused),
        report.tokens,
        report.cost,
    );
    text
}
