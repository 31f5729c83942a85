use base::{Ctx, Severity};
use check::{Checked, Mapped, Tests};
use edit::Overlay;
use policy::Rung;
use serde::Serialize;

use crate::{Error, Workspace};

/// What to prove.
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// An edit request in any format; the tree as it stands when absent.
    pub edit: Option<String>,
    /// Which tests; the settings' choice when absent.
    pub tests: Option<Tests>,
    /// Run clippy too.
    pub clippy: bool,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct CheckResponse {
    /// Whether all rungs held; `format` is advice and does not count.
    pub passed: bool,
    /// The rungs, in order.
    pub rungs: Vec<RungRow>,
    /// Errors first.
    pub diagnostics: Vec<DiagnosticRow>,
    /// The tests, where they ran.
    pub tests: Option<TestRows>,
    /// A failure of cargo that is no diagnostic.
    pub failure: Option<String>,
    /// What the run was confined by.
    pub protections: Vec<String>,
    /// Deprecations and fuzzy placements of the edit; what was left out of the proof, and why.
    pub notes: Vec<String>,
    /// What was built, and what the project has besides that nothing looked at.
    pub coverage: policy::Coverage,
}

/// One rung of the ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RungRow {
    /// `parse`, `format`, `analyzer`, `check`, `clippy`, `affected_tests`, `all_tests`.
    pub name: String,
    /// Whether it held.
    pub passed: bool,
    /// Milliseconds.
    pub ms: u64,
    /// One line.
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
pub struct DiagnosticRow {
    /// The file, as the project names it.
    pub file: Option<String>,
    /// From 1; `None` where the line exists only in the change that was checked.
    pub line: Option<u32>,
    /// The line in the changed text, where `line` has none.
    pub changed_line: Option<u32>,
    /// `E0308`.
    pub code: Option<String>,
    /// How bad.
    pub severity: Severity,
    /// The headline.
    pub message: String,
    /// The item around it.
    pub item: Option<String>,
    /// The first help of the compiler.
    pub hint: Option<String>,
    /// The macro call whose expansion it is in.
    pub macro_call: Option<String>,
    /// As the compiler prints it.
    pub rendered: Option<String>,
}

impl From<&Mapped> for DiagnosticRow {
    fn from(mapped: &Mapped) -> Self {
        let diagnostic = &mapped.diagnostic;
        let help = diagnostic.children.iter().find(|child| child.severity == Severity::Help);
        let own = diagnostic.user_span();
        let own_file = own.and_then(|span| span.place.project()).map(ToString::to_string);
        let changed_line = own.filter(|_| own_file.is_some() && mapped.line.is_none());
        Self {
            file: mapped.file.clone().or(own_file),
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

/// The tests of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TestRows {
    /// How many passed.
    pub passed: usize,
    /// Which failed.
    pub failed: Vec<String>,
}

impl CheckResponse {
    /// The contract's view of a proof.
    pub fn of(checked: &Checked, mut notes: Vec<String>) -> Self {
        notes.extend(checked.evidence.notes.iter().cloned());
        Self {
            passed: checked.passed() && checked.failure.is_none() && !checked.timed_out,
            rungs: checked.evidence.rungs.iter().map(RungRow::from).collect(),
            diagnostics: checked.mapped.iter().map(DiagnosticRow::from).collect(),
            tests: checked.tests.as_ref().map(|tests| TestRows {
                passed: tests.passed.len(),
                failed: tests.failed.iter().map(|test| test.name.clone()).collect(),
            }),
            failure: checked.failure.clone(),
            protections: checked.evidence.protections.clone(),
            notes,
            coverage: checked.evidence.coverage.clone(),
        }
    }
}

/// Proves the tree, or an edit on top of it; writes nothing. `on` sees diagnostics as they come.
pub fn check_tree(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &CheckRequest,
    on: &mut dyn FnMut(&DiagnosticRow),
) -> Result<CheckResponse, Error> {
    let prover = workspace.prover(ctx)?;
    let mut ladder =
        workspace.ladder(request.tests.unwrap_or(workspace.settings().check_tests), None);
    ladder.clippy |= request.clippy;
    let mut stream = |mapped: &Mapped| on(&DiagnosticRow::from(mapped));
    let (checked, notes) = match &request.edit {
        None => (prover.baseline(ctx, &ladder, &mut stream)?, Vec::new()),
        Some(text) => {
            let (overlay, notes) = stage(ctx, workspace, text)?;
            (prover.prove(ctx, overlay, &ladder, &mut stream)?, notes)
        }
    };
    Ok(CheckResponse::of(&checked, notes))
}

/// Reads an edit request of any format against the project's files.
pub(crate) fn stage(
    ctx: &Ctx,
    workspace: &Workspace,
    text: &str,
) -> Result<(Overlay, Vec<String>), Error> {
    let project = workspace.project();
    let request = edit::parse_request(text, project.root())?;
    let staged = edit::stage(project, &request, "edit", ctx.now())?;
    Ok((staged.overlay, staged.notes))
}
