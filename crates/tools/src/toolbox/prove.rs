//! `check` and `preflight`.

use base::Ctx;
use check::Tests;
use project::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::diagnostics::{DiagnosticLines, RefusalLine, refusal_lines, tests_schema};
use super::{Effect, Tool, ToolCard, ToolError};
use crate::{CheckRequest, CheckResponse, PreflightRequest, check_tree, preflight_check};

/// The most failed tests of an answer.
const LISTED: usize = 30;
/// The most lines of a failed test's output.
const OUTPUT_LINES: usize = 12;

/// Checks the tree, or an edit on top of it.
pub(crate) struct CheckTool;

/// Input of [`CheckTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckInput {
    /// A diff or SEARCH/REPLACE blocks to check on top of the tree.
    #[serde(default)]
    edit: Option<String>,
    /// Tests to run.
    #[serde(default)]
    #[schemars(schema_with = "tests_schema")]
    tests: Option<Tests>,
    /// Run clippy, too.
    #[serde(default)]
    clippy: bool,
}

/// Output of [`CheckTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct CheckOutput {
    /// Whether everything passed.
    passed: bool,
    /// Steps: `check: passed`.
    rungs: Vec<String>,
    #[serde(flatten)]
    found: DiagnosticLines,
    /// Passed tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_passed: Option<usize>,
    /// Failed tests, with output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests_failed: Vec<String>,
    /// Failure of cargo, no diagnostic.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Parts that were not checked, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl From<CheckResponse> for CheckOutput {
    fn from(it: CheckResponse) -> Self {
        let rung = |rung: &crate::RungRow| {
            let state = if rung.passed { "passed" } else { "failed" };
            format!("{}: {state}", rung.name)
        };
        // The name in the first line.
        let explained = |tests: &crate::TestRows| -> Vec<String> {
            let of = |name: &String| {
                let reason = tests.reason(name, OUTPUT_LINES);
                std::iter::once(name.as_str()).chain(reason).collect::<Vec<_>>().join("\n")
            };
            tests.failed.iter().take(LISTED).map(of).collect()
        };
        Self {
            passed: it.passed,
            rungs: it.rungs.iter().map(rung).collect(),
            found: DiagnosticLines::with_warnings(&it.diagnostics),
            tests_passed: it.tests.as_ref().map(|tests| tests.passed),
            tests_failed: it.tests.as_ref().map(explained).unwrap_or_default(),
            failure: it.failure,
            notes: it.notes,
        }
    }
}

impl Tool for CheckTool {
    type Input = CheckInput;
    type Output = CheckOutput;
    const RECORDS_ITSELF: bool = true;
    const CARD: ToolCard = ToolCard {
        name: "check",
        title: "Check the project",
        description: "Builds the project in the sandbox and returns errors with items and hints.",
        effect: Effect::Runs,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: CheckInput,
    ) -> Result<CheckOutput, ToolError> {
        let request = CheckRequest { edit: input.edit, tests: input.tests, clippy: input.clippy };
        Ok(check_tree(ctx, workspace, &request, &mut |_| {})?.into())
    }
}

/// Verifies proposals.
pub(crate) struct PreflightTool;

/// Output of [`PreflightTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PreflightOutput {
    /// Whether `apply` would write them.
    ready: bool,
    /// Whether the changed tree builds.
    compile_ok: bool,
    /// Whether the tests are as good as before; absent: none ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_ok: Option<bool>,
    /// What blocks `apply`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked_by: Vec<RefusalLine>,
    #[serde(flatten)]
    found: DiagnosticLines,
    /// Damage of the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Tool for PreflightTool {
    type Input = PreflightRequest;
    type Output = PreflightOutput;
    const RECORDS_ITSELF: bool = true;
    const CARD: ToolCard = ToolCard {
        name: "preflight",
        title: "Verify proposals",
        description: "Builds and tests proposals together in the sandbox, and returns what blocks \
                      them.",
        effect: Effect::Runs,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: PreflightRequest,
    ) -> Result<PreflightOutput, ToolError> {
        let it = preflight_check(ctx, workspace, &input, &mut |_| {})?;
        Ok(PreflightOutput {
            ready: it.refusals.is_empty(),
            compile_ok: it.compile_ok,
            test_ok: it.test_ok,
            blocked_by: refusal_lines(it.refusals),
            found: DiagnosticLines::of(&it.diagnostics),
            notes: it.notes,
        })
    }
}
