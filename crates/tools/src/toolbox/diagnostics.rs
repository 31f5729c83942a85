//! Diagnostics, tests and refusals as tools answer them.

use base::Severity;
use policy::{NamedPermission, Refusal};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::rows::location;
use crate::{BlockedBy, ReportedDiagnostic};

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
    pub fn of(rows: &[ReportedDiagnostic]) -> Self {
        let errors = rows.iter().filter(|row| row.severity == Severity::Error);
        Self { diagnostics: listed(errors), ..Self::counted(rows) }
    }

    /// The first diagnostics of a check, errors first, and their numbers.
    pub(crate) fn with_warnings(rows: &[ReportedDiagnostic]) -> Self {
        Self { diagnostics: listed(rows.iter()), ..Self::counted(rows) }
    }

    /// Only the numbers: of errors that a change has repaired.
    pub fn counted(rows: &[ReportedDiagnostic]) -> Self {
        let count = |severity| rows.iter().filter(|row| row.severity == severity).count();
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            diagnostics: Vec::new(),
        }
    }
}

/// The first diagnostics as lines.
fn listed<'a>(rows: impl Iterator<Item = &'a ReportedDiagnostic>) -> Vec<DiagnosticLine> {
    let line = |(index, row): (usize, &ReportedDiagnostic)| DiagnosticLine {
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
            .map(|text| condensed(text).chars().take(RENDERED).collect()),
    };
    rows.take(LISTED).enumerate().map(line).collect()
}

/// The compiler's text without what a model has already, or cannot use: the first place, which the line of
/// the diagnostic has; lines that are only a margin; places inside the standard library.
fn condensed(text: &str) -> String {
    let mut kept = String::new();
    let mut has_place = false;
    for line in text.lines() {
        let bare = line.trim_start();
        let is_place = bare.starts_with("--> ") || bare.starts_with("::: ");
        let is_first = is_place && !has_place;
        has_place |= is_place;
        let is_margin = bare == "|";
        let is_inside = is_place && bare[4..].starts_with("/rustc/")
            || bare == "= note: in this macro invocation"
            || bare.starts_with("= note: this error originates in the macro");
        if !(is_first || is_margin || is_inside) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// One reason why the gate is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct RefusalLine {
    /// Rule.
    pub rule: String,
    /// Reason.
    pub reason: String,
    /// What would satisfy the rule.
    pub hint: String,
}

impl From<Refusal> for RefusalLine {
    fn from(it: Refusal) -> Self {
        Self { rule: it.rule, reason: it.reason, hint: by_person(it.hint, it.permission.as_ref()) }
    }
}

impl From<BlockedBy> for RefusalLine {
    fn from(it: BlockedBy) -> Self {
        Self {
            rule: it.thread,
            reason: it.reason,
            hint: by_person(it.hint, it.permission.as_ref()),
        }
    }
}

/// Why the gate is closed. Of a change that does not build, that its tests did not run is left out.
pub(crate) fn refusal_lines(refusals: Vec<Refusal>) -> Vec<RefusalLine> {
    let builds = !refusals.iter().any(|it| it.rule == "compile");
    let kept = refusals.into_iter().filter(|it| builds || it.rule != "tests");
    kept.map(RefusalLine::from).collect()
}

/// A hint for a model, which has no flags: only a person may permit what the gate refuses.
fn by_person(hint: String, permission: Option<&NamedPermission>) -> String {
    match permission {
        Some(it) => it.hint("ask the user to run `graftage edit approve ID --allow"),
        None => hint,
    }
}

/// The schema of an optional [`check::Tests`].
pub(crate) fn tests_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["none", "affected", "all"] })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_text_of_the_compiler_has_no_margins_and_no_places_of_the_standard_library() {
        let text = "error[E0277]: cannot multiply `i128` by `i64`\n    --> src/a.rs:7:38\n     |\n\
                    7    |         x * mult\n     |           ^ no implementation\n     |\n     = help: the trait \
                    `Mul<i64>` is not implemented\nhelp: the following other types implement it\n    --> \
                    /rustc/59/library/core/arith.rs:346:8\n     |\n     = note: `i128` implements `Mul`\n    ::: \
                    /rustc/59/library/core/arith.rs:361:0\n     |\n     = note: in this macro invocation\nnote: \
                    defined here\n    --> src/b.rs:1:1\n     |\n1    | struct A;\n     | ^^^^^^^^\n";
        expect![[r#"
            error[E0277]: cannot multiply `i128` by `i64`
            7    |         x * mult
                 |           ^ no implementation
                 = help: the trait `Mul<i64>` is not implemented
            help: the following other types implement it
                 = note: `i128` implements `Mul`
            note: defined here
                --> src/b.rs:1:1
            1    | struct A;
                 | ^^^^^^^^
        "#]]
        .assert_eq(&condensed(text));
    }
}
