//! `fix` and `finish` as tools for models. A repair that was verified becomes a proposal, which `apply`
//! writes: a tool that searches writes nothing.

use base::Ctx;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tools::{Effect, ProposeRequest, Tool, ToolCard, ToolError, Toolbox, Workspace, propose};

use crate::{FixOptions, FixOutcome, FixReport, ReasonerChoice, fix};

/// The tools of [`Toolbox::standard`], and those of this crate.
pub fn toolbox() -> Toolbox {
    Toolbox::standard().with(FixTool).with(FinishTool)
}

/// Searches for a repair of the errors of the tree.
pub struct FixTool;

/// Input of [`FixTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixInput {
    /// Only errors of this code, such as `E0308`.
    #[serde(default)]
    error: Option<String>,
    /// Only errors and failures of the tests with this in their name.
    #[serde(default)]
    test: Option<String>,
    /// Of several answers that all pass, the one to take, from 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    choose: Option<usize>,
    /// Time limit of the search.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3600))]
    max_seconds: Option<u64>,
}

/// Completes what the user has begun.
pub struct FinishTool;

/// Input of [`FinishTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishInput {
    /// Commit to compare with; without it the last one.
    #[serde(default)]
    base: Option<String>,
    /// Time limit of the search.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3600))]
    max_seconds: Option<u64>,
}

/// Output of [`FixTool`] and [`FinishTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RepairOutput {
    /// `proven`: verified and staged; `draft`: shown, a person has to complete it; `none`; `clean`: there
    /// is nothing to repair.
    outcome: String,
    /// Id of the proposal, for `apply`.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal_id: Option<String>,
    /// Unified diff.
    #[serde(skip_serializing_if = "String::is_empty")]
    diff: String,
    /// One line per change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rationale: Vec<String>,
    /// Number of errors before.
    errors: usize,
    /// What the user has begun.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    begun: Vec<String>,
    /// Diffs that all pass and mean different things; `choose` takes one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    /// Why there is no repair.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Tool for FixTool {
    type Input = FixInput;
    type Output = RepairOutput;
    const CARD: ToolCard = ToolCard {
        name: "fix",
        title: "Repair errors",
        description: "Finds the smallest repair of the compile errors that cargo verifies, by rules, \
                      without a model. Stages it; `apply` writes it. Try it before you repair by \
                      hand.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: FixInput,
    ) -> Result<RepairOutput, ToolError> {
        let options = FixOptions {
            error: input.error,
            test: input.test,
            choose: input.choose,
            max_seconds: input.max_seconds,
            ..FixOptions::default()
        };
        staged(ctx, workspace, &options, "fix")
    }
}

impl Tool for FinishTool {
    type Input = FinishInput;
    type Output = RepairOutput;
    const CARD: ToolCard = ToolCard {
        name: "finish",
        title: "Complete a change",
        description: "Carries a change that was begun in the tree (a renamed item, a new field or \
                      parameter) to every place that follows from it. Stages it; `apply` writes it.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: FinishInput,
    ) -> Result<RepairOutput, ToolError> {
        let options = FixOptions {
            base: Some(input.base.unwrap_or_else(|| "HEAD".to_owned())),
            max_seconds: input.max_seconds,
            reasoners: ReasonerChoice::Intents,
            ..FixOptions::default()
        };
        staged(ctx, workspace, &options, "finish")
    }
}

/// Searches, and stages what was verified.
fn staged(
    ctx: &Ctx,
    workspace: &Workspace,
    options: &FixOptions,
    author: &str,
) -> Result<RepairOutput, ToolError> {
    let report = fix(ctx, workspace, options, &mut |_| {})?.report;
    let mut proposal_id = None;
    if report.outcome == FixOutcome::Proven {
        let request = ProposeRequest {
            text: report.diff.clone(),
            author: author.to_owned(),
            ..ProposeRequest::default()
        };
        let proposed = propose(ctx, workspace, &request)?;
        proposal_id = proposed.proposals.into_iter().next().map(|card| card.id);
    }
    Ok(RepairOutput { proposal_id, ..output(report) })
}

fn output(report: FixReport) -> RepairOutput {
    let outcome = match report.outcome {
        FixOutcome::Applied => "applied",
        FixOutcome::Proven => "proven",
        FixOutcome::Draft => "draft",
        FixOutcome::None => "none",
        FixOutcome::Clean => "clean",
    };
    RepairOutput {
        outcome: outcome.to_owned(),
        proposal_id: None,
        diff: report.diff,
        rationale: report.rationale,
        errors: report.errors.len(),
        begun: report.intents.into_iter().map(|intent| intent.evidence).collect(),
        choices: report.choices.into_iter().map(|choice| choice.diff).collect(),
        reason: report.reason,
        notes: report.notes,
    }
}
