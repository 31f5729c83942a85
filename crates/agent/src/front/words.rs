//! A run as text: its steps and its report as lines, for every front end.

use base::Severity;
use tools::ReportedDiagnostic;

use super::job::InquiryAnswer;
use crate::{FixEvent, FixOutcome, FixReport, Question, left_lines, same_guesses};

/// Most rows of a list.
const LISTED: usize = 20;

/// The weight of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// An ordinary line.
    Plain,
    /// A detail.
    Dim,
    /// Something that succeeded.
    Good,
    /// Something that failed.
    Bad,
    /// Something that a person has to look at.
    Warn,
}

/// A line for a reader. Its text is not safe for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedLine {
    /// Its weight.
    pub weight: Weight,
    /// Its text.
    pub text: String,
}

fn line(weight: Weight, text: impl Into<String>) -> WeightedLine {
    WeightedLine { weight, text: text.into() }
}

/// A diagnostic with its place, one line.
pub fn placed(found: &ReportedDiagnostic) -> String {
    match (&found.file, found.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", found.message),
        _ => found.message.clone(),
    }
}

/// A state of a search for a change.
pub fn step_lines(event: &FixEvent) -> Vec<WeightedLine> {
    let one = match event {
        FixEvent::Entered { step, detail } => {
            let step = format!("{step:?}").to_lowercase();
            line(Weight::Dim, format!("{step}: {detail}"))
        }
        FixEvent::InitialError { diagnostic } if diagnostic.severity == Severity::Error => {
            line(Weight::Bad, placed(diagnostic))
        }
        FixEvent::InProgress { intents } => {
            // A changed signature is listed by its parts, and nothing follows from a new item.
            let asks = |it: &&crate::IntentRow| !matches!(it.what.as_ref(), "signature" | "added");
            let shown = intents.iter().filter(asks).take(LISTED);
            let in_progress =
                |it: &crate::IntentRow| line(Weight::Dim, format!("in progress: {}", it.evidence));
            return shown.map(in_progress).collect();
        }
        FixEvent::Model { note } => line(Weight::Plain, format!("model: {}", note.text)),
        FixEvent::Checked { number, builds, errors, refused, .. } => {
            let verdict = match (builds, refused) {
                (true, Some(reason)) => format!("builds, refused: {reason}"),
                (true, None) => "builds".to_owned(),
                (false, _) => format!("{} left", base::counted(*errors, "error")),
            };
            line(Weight::Dim, format!("candidate {number}: {verdict}"))
        }
        _ => return Vec::new(),
    };
    vec![one]
}

/// How a search ended, and its details.
pub fn report_lines(report: &FixReport) -> Vec<WeightedLine> {
    let mut lines = vec![outcome(report)];
    lines.extend(report.reason.iter().map(|it| line(Weight::Warn, it)));
    let reasons = report.rationale.iter().take(LISTED);
    lines.extend(reasons.map(|it| line(Weight::Plain, format!("why {it}"))));
    let guesses = same_guesses(&report.guesses);
    let guesses = guesses.iter().take(LISTED);
    lines.extend(guesses.map(|it| line(Weight::Warn, format!("guess {it}"))));
    let left = left_lines(&report.left_behind, &report.rationale);
    lines.extend(left.iter().map(|it| line(Weight::Warn, it.to_string())));
    lines.extend(report.questions.iter().flat_map(|it| question_lines(it, report.is_resumable)));
    let refused = report.refused.iter().take(3);
    lines.extend(refused.map(|it| line(Weight::Dim, format!("refused: {}", it.reason))));
    lines.extend(report.notes.iter().map(|it| line(Weight::Dim, format!("note {it}"))));
    if let Some(evidence) = &report.evidence {
        lines.push(line(Weight::Plain, format!("proof {}", tools::proof_summary(evidence))));
        lines.extend(tools::not_checked(evidence).map(|it| line(Weight::Warn, it)));
    }
    if report.tokens > 0 {
        let text = format!("{} tokens, ${:.4}", report.tokens, report.cost);
        lines.push(line(Weight::Dim, text));
    }
    lines
}

/// A question with its options, and how the same command answers it.
fn question_lines(question: &Question, is_answered_by_command: bool) -> Vec<WeightedLine> {
    let places = question.places.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let mut lines = vec![line(Weight::Warn, format!("question: {}? ({places})", question.text))];
    for (nth, option) in question.options.iter().enumerate() {
        let text = format!("  {}. {} ({})", nth + 1, option.text, option.evidence);
        lines.push(line(Weight::Plain, text));
    }
    if is_answered_by_command {
        let value = if question.options.is_empty() { "EXPRESSION" } else { "1" };
        let text = format!("  the same command with --answer {}={value} answers", question.id);
        lines.push(line(Weight::Dim, text));
    }
    lines
}

fn outcome(report: &FixReport) -> WeightedLine {
    let tried = base::counted(report.candidates_tried, "candidate");
    match report.outcome {
        FixOutcome::Applied | FixOutcome::Proven => {
            line(Weight::Good, format!("verified after {tried}; nothing was written yet"))
        }
        FixOutcome::Draft if !report.choices.is_empty() => {
            let count = base::counted(report.choices.len(), "change");
            line(Weight::Warn, format!("undecided: {count} pass; choose one"))
        }
        FixOutcome::Draft => line(Weight::Warn, "draft: see the reason below"),
        FixOutcome::None | FixOutcome::Partial => line(Weight::Bad, "no change found"),
        FixOutcome::Clean if report.left_behind.is_empty() => {
            line(Weight::Good, "clean: cargo check finds no error")
        }
        FixOutcome::Clean => line(Weight::Warn, "builds, and places are left (below)"),
    }
}

/// An answer as text.
pub fn answer_text(answer: &InquiryAnswer) -> String {
    let mut lines: Vec<String> = Vec::new();
    match answer {
        InquiryAnswer::Hits(query, found) => {
            lines.push(format!("{} for {query}", base::counted(found.hits.len(), "hit")));
            for hit in &found.hits {
                let file = hit.file.as_deref().unwrap_or_default();
                let line = hit.start_line.unwrap_or_default();
                lines.push(format!(
                    "{}. {} `{}` {file}:{line}",
                    hit.rank,
                    hit.kind.as_str(),
                    hit.canon
                ));
            }
        }
        InquiryAnswer::Proposals(rows) => {
            lines.push(base::counted(rows.len(), "proposal"));
            lines.extend(rows.iter().map(|it| format!("{} {} {}", it.id, it.state, it.summary)));
        }
        InquiryAnswer::History(rows) => {
            lines.push(base::counted(rows.len(), "written change"));
            lines.extend(rows.iter().map(|(id, is_applied, summary)| {
                format!("{id} {} {summary}", if *is_applied { "applied" } else { "undone" })
            }));
        }
        InquiryAnswer::Text(title, rows) => {
            lines.push(title.clone());
            lines.extend(rows.iter().map(|it| it.text.clone()));
        }
    }
    lines.join("\n")
}
