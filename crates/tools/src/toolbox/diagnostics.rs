//! Diagnostics, tests and refusals as tools answer them.

use base::Severity;
use policy::Refusal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::rows::location;
use crate::{BlockedBy, DiagnosticRow};

/// The most diagnostics of an answer.
const LISTED: usize = 30;

/// The most characters of a compiler's text.
const RENDERED: usize = 1_200;

/// Number of errors with the compiler's text, the first ones.
const WITH_TEXT: usize = 5;

/// One diagnostic.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DiagnosticLine {
    /// `error` or `warning`.
    pub severity: String,
    /// Code such as `E0308`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// File and line.
    pub at: String,
    /// Message.
    pub message: String,
    /// Canonical path of the item with the location.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// First help of the compiler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Text of the compiler, of the first errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rendered: Option<String>,
}

/// Diagnostics of a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct DiagnosticLines {
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// The first ones, errors first; of proposals errors only.
    pub diagnostics: Vec<DiagnosticLine>,
}

impl DiagnosticLines {
    /// The first errors of a check, and the numbers of errors and warnings. A tree may have had its warnings
    /// before; `check` lists them.
    pub fn of(rows: &[DiagnosticRow]) -> Self {
        let errors = rows.iter().filter(|row| row.severity == Severity::Error);
        Self { diagnostics: listed(errors), ..Self::counted(rows) }
    }

    /// The first diagnostics of a check, errors first, and their numbers.
    pub fn with_warnings(rows: &[DiagnosticRow]) -> Self {
        Self { diagnostics: listed(rows.iter()), ..Self::counted(rows) }
    }

    /// Only the numbers: of errors that a change has repaired.
    pub fn counted(rows: &[DiagnosticRow]) -> Self {
        let count = |severity| rows.iter().filter(|row| row.severity == severity).count();
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            diagnostics: Vec::new(),
        }
    }
}

/// The first diagnostics as lines.
fn listed<'a>(rows: impl Iterator<Item = &'a DiagnosticRow>) -> Vec<DiagnosticLine> {
    let line = |(index, row): (usize, &DiagnosticRow)| DiagnosticLine {
        severity: match row.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
            Severity::Help => "help",
        }
        .to_owned(),
        code: row.code.clone(),
        at: location(row.file.as_deref(), row.line.or(row.changed_line), None),
        message: row.message.clone(),
        item: row.item.clone(),
        hint: row.hint.clone(),
        rendered: row
            .rendered
            .as_ref()
            .filter(|_| index < WITH_TEXT && row.severity == Severity::Error)
            .map(|text| text.chars().take(RENDERED).collect()),
    };
    rows.take(LISTED).enumerate().map(line).collect()
}

/// One reason why the gate is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusalLine {
    /// Rule.
    pub rule: String,
    /// Reason.
    pub reason: String,
    /// What would satisfy the rule.
    pub hint: String,
}

impl From<Refusal> for RefusalLine {
    fn from(it: Refusal) -> Self {
        Self { rule: it.rule, reason: it.reason, hint: it.hint }
    }
}

impl From<BlockedBy> for RefusalLine {
    fn from(it: BlockedBy) -> Self {
        Self { rule: it.thread, reason: it.reason, hint: it.hint }
    }
}

/// The schema of an optional [`check::Tests`].
pub(crate) fn tests_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["none", "affected", "all"] })
}
