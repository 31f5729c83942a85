//! The texts that a model gets. Everything that comes from the project or from a program that ran is
//! data between two marks ([`fence`]).

use model::language::fence;
use tools::ReportedDiagnostic;

/// Instructions for repairs and tasks.
pub(crate) const SYSTEM: &str = include_str!("system.txt");
/// Instructions for the review of a change.
pub(super) const REVIEW: &str = include_str!("review.txt");
/// Instructions for an answer to a question.
pub(crate) const ANSWER: &str = include_str!("answer.txt");
/// Instructions for a plan.
pub(crate) const PLAN: &str = include_str!("plan.txt");

/// Maximum number of errors in one message; the others are counted.
const MAX_ERRORS: usize = 12;
/// Maximum number of bytes of one error.
const MAX_ERROR: usize = 2_000;

/// The first message of a conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prompt {
    /// What is to be done, in the words of graftage or of the user.
    pub(crate) task: String,
    /// Errors of the tree.
    pub(crate) errors: Vec<ReportedDiagnostic>,
    /// The items that call those with errors, one line each.
    pub(crate) callers: Vec<String>,
    /// Files that may change: path and text.
    pub(crate) files: Vec<(String, String)>,
    /// Packed context.
    pub(crate) context: String,
}

impl Prompt {
    /// The message.
    pub(crate) fn text(&self) -> String {
        let mut text = fence("task", &self.task);
        if !self.errors.is_empty() {
            text.push_str(&fence("errors", &errors(&self.errors)));
        }
        if !self.callers.is_empty() {
            text.push_str(&fence("callers", &self.callers.join("\n")));
        }
        for (path, code) in &self.files {
            text.push_str(&fence(&format!("file {path}"), code));
        }
        if !self.context.is_empty() {
            text.push_str(&fence("context", &self.context));
        }
        text
    }
}

/// The errors as text: place, item, message, hint.
pub(crate) fn errors(rows: &[ReportedDiagnostic]) -> String {
    let mut lines = Vec::new();
    for row in rows.iter().take(MAX_ERRORS) {
        let mut text = match (&row.file, row.line.or(row.changed_line)) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        };
        if row.line.is_none() && row.changed_line.is_some() {
            text.push_str("(line of the edited text) ");
        }
        if let Some(code) = &row.code {
            text.push_str(&format!("error[{code}]: "));
        }
        text.push_str(row.message.trim_end());
        if let Some(item) = &row.item {
            text.push_str(&format!("\n  in item: {item}"));
        }
        if let Some(hint) = &row.hint {
            text.push_str(&format!("\n  help: {hint}"));
        }
        if let Some(rendered) = &row.rendered {
            let quoted: Vec<String> =
                rendered.trim_end().lines().skip(1).map(|it| format!("  | {it}")).collect();
            text.push('\n');
            text.push_str(&quoted.join("\n"));
        }
        lines.push(cut(&text, MAX_ERROR));
    }
    if rows.len() > MAX_ERRORS {
        lines.push(format!("… and {} more errors", rows.len() - MAX_ERRORS));
    }
    lines.join("\n")
}

/// The reason by which a review refuses; `None` if it accepts. An answer that is neither refuses.
pub(super) fn refusal(answer: &str) -> Option<String> {
    model::language::refusal(answer).map(|reason| format!("review: {reason}"))
}

/// At most `most` bytes of the text.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.len() <= most {
        true => text.to_owned(),
        false => format!("{} […]", &text[..text.floor_char_boundary(most)]),
    }
}
