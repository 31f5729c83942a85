//! `check`: runs the proof ladder on the tree or on an edit.

use base::{Ctx, Severity, SortedMap};
use check::{Checked, MappedDiagnostic, Tests};
use policy::Rung;
use project::Workspace;
use project::recorded;
use project::stage;
use serde::Serialize;
use serde_json::json;

use crate::Error;
use crate::lifecycle::request_args;

/// Input of [`check_tree`].
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// An edit request in any format; `None`: the tree without changes.
    pub edit: Option<String>,
    /// Tests to run; `None`: the setting `check.tests`.
    pub tests: Option<Tests>,
    /// Whether to run clippy.
    pub clippy: bool,
}

/// Result of [`check_tree`], as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct CheckResponse {
    /// Whether all rungs passed; the `format` rung is advisory and does not count.
    pub passed: bool,
    /// The rungs, in order.
    pub rungs: Vec<RungRow>,
    /// Diagnostics, errors first.
    pub diagnostics: Vec<ReportedDiagnostic>,
    /// Test results; `None`: no tests ran.
    pub tests: Option<TestRows>,
    /// Failure of cargo that is not a diagnostic.
    pub failure: Option<String>,
    /// Sandbox layers of the run.
    pub protections: Vec<String>,
    /// Notes: deprecated formats and fuzzy matches of the edit, skipped parts of the check with reasons.
    pub notes: Vec<String>,
    /// Parts of the project that were built, and parts that were not checked.
    pub coverage: policy::ProofCoverage,
}

/// One rung of the ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RungRow {
    /// Name: `parse`, `format`, `analyzer`, `check`, `clippy`, `affected_tests`, `all_tests`.
    pub name: String,
    /// Whether the rung passed.
    pub passed: bool,
    /// Duration in milliseconds.
    pub ms: u64,
    /// Description, one line.
    pub detail: String,
}

impl From<&Rung> for RungRow {
    fn from(rung: &Rung) -> Self {
        let name = serde_json::to_value(rung.name).ok();
        let name = name.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
        Self {
            name: name.to_owned(),
            passed: rung.passed,
            ms: rung.ms,
            detail: rung.detail.clone(),
        }
    }
}

/// One diagnostic in the user's coordinates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportedDiagnostic {
    /// File, relative to the project.
    pub file: Option<String>,
    /// Line in the tree, from 1; `None` if the line exists only in the checked change.
    pub line: Option<u32>,
    /// Line in the changed text, from 1, if `line` is `None`.
    pub changed_line: Option<u32>,
    /// Error code such as `E0308`.
    pub code: Option<String>,
    /// Severity.
    pub severity: Severity,
    /// Message, without location.
    pub message: String,
    /// Canonical path of the enclosing item.
    pub item: Option<String>,
    /// First help message of the compiler.
    pub hint: Option<String>,
    /// Macro call whose expansion contains the location.
    pub macro_call: Option<String>,
    /// Text as the compiler prints it.
    pub rendered: Option<String>,
}

impl ReportedDiagnostic {
    /// A failure of cargo without a location.
    pub(crate) fn of_failure(message: String) -> Self {
        Self {
            file: None,
            line: None,
            changed_line: None,
            code: None,
            severity: Severity::Error,
            message,
            item: None,
            hint: None,
            macro_call: None,
            rendered: None,
        }
    }
}

impl From<&MappedDiagnostic> for ReportedDiagnostic {
    fn from(mapped: &MappedDiagnostic) -> Self {
        let diagnostic = &mapped.diagnostic;
        let help = diagnostic.children.iter().find(|child| child.severity == Severity::Help);
        let user_span = diagnostic.user_span();
        let user_file = user_span.and_then(|span| span.place.project()).map(ToString::to_string);
        let changed_line = user_span.filter(|_| user_file.is_some() && mapped.line.is_none());
        Self {
            file: mapped.file.clone().or(user_file),
            line: mapped.line,
            changed_line: changed_line.map(|span| span.start.line),
            code: diagnostic.code.clone(),
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            item: mapped.item.clone(),
            hint: help.map(|help| help.message.clone()),
            macro_call: mapped.macro_call.clone(),
            rendered: diagnostic.rendered.clone(),
        }
    }
}

/// Test results of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TestRows {
    /// Number of passed tests.
    pub passed: usize,
    /// Names of the failed tests.
    pub failed: Vec<String>,
    /// Output of the failed tests that have one, by name.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub outputs: SortedMap<String, String>,
}

impl TestRows {
    /// The lines of a failed test's output that explain it: no backtrace, and none that is empty.
    pub fn reason(&self, name: &str, lines: usize) -> Vec<&str> {
        let output = self.outputs.get(name).map_or("", String::as_str);
        let is_noise =
            |it: &&str| it.trim().is_empty() || it.starts_with("note: run with `RUST_BACK");
        let is_reason = |it: &&str| !it.starts_with("stack backtrace:");
        output.lines().take_while(is_reason).filter(|it| !is_noise(it)).take(lines).collect()
    }
}

impl CheckResponse {
    /// Plays the stories of the tree, as one more rung.
    fn add_stories(&mut self, ctx: &Ctx, prover: &check::Prover) -> Result<(), Error> {
        let found = prover.stories(ctx)?;
        let (passed, detail) = match found.problems.first() {
            Some(problem) => (false, problem.to_string()),
            None => {
                let played = prover.play_stories(ctx, &found, &check::StoryChoice::default())?;
                (played.passed(), played.detail())
            }
        };
        // The time is in no report of stories.
        self.rungs.push(RungRow { name: "stories".to_owned(), passed, ms: 0, detail });
        self.passed &= passed;
        Ok(())
    }

    /// The response for a finished check.
    pub(crate) fn of(checked: &Checked, mut notes: Vec<String>) -> Self {
        notes.extend(checked.evidence.notes.iter().cloned());
        Self {
            passed: checked.passed() && checked.failure.is_none() && !checked.timed_out,
            rungs: checked.evidence.rungs.iter().map(RungRow::from).collect(),
            diagnostics: checked.mapped.iter().map(ReportedDiagnostic::from).collect(),
            tests: checked.tests.as_ref().map(|tests| TestRows {
                passed: tests.passed.len(),
                failed: tests.failed.iter().map(|test| test.name.clone()).collect(),
                outputs: (tests.failed.iter().filter(|test| !test.output.is_empty()))
                    .map(|test| (test.name.clone(), test.output.clone()))
                    .collect(),
            }),
            failure: checked.failure.clone(),
            protections: checked.evidence.protections.clone(),
            notes,
            coverage: checked.evidence.coverage.clone(),
        }
    }
}

/// Checks the tree, or an edit on top of it; writes nothing. `on` receives the diagnostics while the
/// check runs.
///
/// # Errors
/// A request that is not valid, or a check that cannot run. Compile errors are no error.
pub fn check_tree(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &CheckRequest,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<CheckResponse, Error> {
    let args = request_args(request.edit.as_deref().unwrap_or_default(), request.tests);
    recorded(
        ctx,
        workspace,
        "check",
        args,
        || check_tree_unrecorded(ctx, workspace, request, on),
        |it| json!({ "passed": it.passed, "diagnostics": it.diagnostics.len() }),
    )
}

fn check_tree_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &CheckRequest,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<CheckResponse, Error> {
    let prover = workspace.prover(ctx)?;
    let mut ladder =
        workspace.ladder(request.tests.unwrap_or(workspace.settings().check_tests), None);
    ladder.clippy |= request.clippy;
    let mut stream = |mapped: &MappedDiagnostic| on(&ReportedDiagnostic::from(mapped));
    let (checked, notes) = match &request.edit {
        None => {
            let checked = prover.baseline(ctx, &ladder, &mut stream)?;
            let mut response = CheckResponse::of(&checked, Vec::new());
            if ladder.stories && response.passed {
                response.add_stories(ctx, prover)?;
            }
            return Ok(response);
        }
        Some(text) => {
            let (overlay, notes) = stage(ctx, workspace, text)?;
            (prover.prove(ctx, overlay, &ladder, &mut stream)?, notes)
        }
    };
    Ok(CheckResponse::of(&checked, notes))
}
