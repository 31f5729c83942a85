//! `fix`, `finish` and `refactor` as tools: a verified change becomes a proposal, which `apply` writes.

mod refactor;

use base::Ctx;
use project::{FileAccess, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tools::{DiagnosticLines, Effect, ProposeRequest, Tool, ToolCard, ToolError, Toolbox};

pub(crate) use refactor::RefactorTool;
pub use refactor::{RefactorInput, RefactorOutput};

use crate::{
    Answers, FixOptions, FixOutcome, FixReport, FixResult, LeftRow, Question, ReasonerChoice, fix,
};

/// The time limit of a call in seconds, unless it sets another one.
const SECONDS: u64 = 120;
/// The most entries of each list of an answer.
const LISTED: usize = 10;

/// All tools: those of the crate `tools`, and the ones that run the loop.
pub fn toolbox() -> Toolbox {
    Toolbox::standard().with(FixTool).with(FinishTool).with(RefactorTool)
}

/// Repairs errors, or failing tests.
pub(crate) struct FixTool;

/// Input of `FixTool`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixInput {
    /// Only errors of this code, such as `E0308`.
    #[serde(default)]
    error: Option<String>,
    /// Part of a test's name: also repair its failure.
    #[serde(default)]
    test: Option<String>,
    /// Number of one of the `choices`.
    #[serde(default)]
    choose: Option<usize>,
    // A note of an answer with `questions` describes it, so that the list of tools stays small.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    answers: Answers,
    /// Time limit.
    #[serde(default)]
    max_seconds: Option<u64>,
}

/// Finishes an in-progress change: updates the remaining uses.
pub(crate) struct FinishTool;

/// Input of `FinishTool`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishInput {
    /// Commit before the change; else the last.
    #[serde(default)]
    base: Option<String>,
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    answers: Answers,
    /// Time limit.
    #[serde(default)]
    max_seconds: Option<u64>,
}

/// Output of `FixTool` and `FinishTool`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RepairOutput {
    /// `proven`, `draft`, `none`, or `clean`: nothing was wrong.
    outcome: String,
    /// Id for `apply`, if the repair is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal_id: Option<String>,
    /// Unified diff of the draft, or of the repair without lines of context; `proposals` has those.
    #[serde(skip_serializing_if = "String::is_empty")]
    diff: String,
    /// Why each change is made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rationale: Vec<String>,
    /// Intents of the in-progress change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "begun")]
    in_progress: Vec<String>,
    /// Diffs that all pass and mean different things; `fix` takes one by `choose`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    /// Questions that neither a rule nor a proof decides: the draft waits for `answers`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    questions: Vec<QuestionLine>,
    /// Places that the change has left behind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_behind: Vec<String>,
    /// The errors before; only their number, if the repair is proven.
    #[serde(flatten)]
    found: DiagnosticLines,
    /// Why there is no repair.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Notes, such as parts that were skipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl RepairOutput {
    fn of(report: FixReport, proposal_id: Option<String>) -> Self {
        let outcome = outcome(&report).to_owned();
        let mut notes = report.notes;
        notes.extend(how_to_answer(&report.questions));
        // Of what is proven, the caller needs what is written, not what was wrong.
        let (found, diff) = match proposal_id {
            Some(_) => (DiagnosticLines::counted(&report.errors), without_context(&report.diff)),
            None => (DiagnosticLines::of(&report.errors), report.diff),
        };
        Self {
            outcome,
            proposal_id,
            diff,
            rationale: report.rationale,
            in_progress: report.intents.iter().take(LISTED).map(|it| it.evidence.clone()).collect(),
            choices: report.choices.into_iter().take(LISTED).map(|it| it.diff).collect(),
            questions: QuestionLine::all(report.questions),
            left_behind: left_behind(&report.left_behind),
            found,
            reason: report.reason,
            notes,
        }
    }
}

/// A question, short.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct QuestionLine {
    /// Id for `answers`.
    id: String,
    /// The question.
    text: String,
    /// Places that the answer serves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<String>,
    /// Line of the first.
    #[serde(skip_serializing_if = "String::is_empty")]
    excerpt: String,
    /// Options, the likeliest first.
    options: Vec<String>,
}

impl QuestionLine {
    fn all(questions: Vec<Question>) -> Vec<Self> {
        questions.into_iter().map(Self::from).collect()
    }
}

/// A note on how questions are answered; `None` without one.
fn how_to_answer(questions: &[Question]) -> Option<String> {
    let id = &questions.first()?.id;
    Some(format!(
        "answer by `answers`: {{\"{id}\": \"1\"}}, the number of an option, or an expression"
    ))
}

impl From<Question> for QuestionLine {
    fn from(it: Question) -> Self {
        Self {
            id: it.id,
            text: it.text,
            places: it.places,
            excerpt: it.excerpt,
            options: it.options.into_iter().map(|it| it.text).collect(),
        }
    }
}

/// The places that a change has left behind, one line each; of more than are listed the number.
fn left_behind(rows: &[LeftRow]) -> Vec<String> {
    let line = |row: &LeftRow| {
        let state = match (row.edited, &row.unproven) {
            (true, Some(why)) => format!("; changed, unproven: {why}"),
            (true, None) => "; changed".to_owned(),
            (false, Some(why)) => format!("; {why}"),
            (false, None) => String::new(),
        };
        format!("{}:{}: {}{state}", row.path, row.line, row.what)
    };
    let mut found: Vec<String> = rows.iter().take(LISTED).map(line).collect();
    if rows.len() > LISTED {
        found.push(format!("{} more places", rows.len() - LISTED));
    }
    found
}

fn outcome(report: &FixReport) -> &'static str {
    match report.outcome {
        FixOutcome::Applied | FixOutcome::Proven => "proven",
        FixOutcome::Draft => "draft",
        FixOutcome::None | FixOutcome::Partial => "none",
        FixOutcome::Clean => "clean",
    }
}

/// A unified diff without its lines of context.
fn without_context(diff: &str) -> String {
    let is_context = |line: &str| line.is_empty() || line.starts_with(' ');
    let is_kept = |line: &&str| !is_context(line) && !line.starts_with("diff --git ");
    diff.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

impl Tool for FixTool {
    type Input = FixInput;
    type Output = RepairOutput;
    const CARD: ToolCard = ToolCard {
        name: "fix",
        title: "Repair errors",
        description: "Finds the smallest verified repair of compile errors, or of a failing test, and \
                      records it as a proposal. Try it before you write a repair.",
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
            answers: input.answers.into(),
            max_seconds: Some(input.max_seconds.unwrap_or(SECONDS)),
            ..FixOptions::default()
        };
        repair(ctx, workspace, &options, "fix")
    }
}

impl Tool for FinishTool {
    type Input = FinishInput;
    type Output = RepairOutput;
    const CARD: ToolCard = ToolCard {
        name: "finish",
        title: "Finish a change",
        description: "Finishes an in-progress change (rename, parameter, field, variant, type): \
                      updates the remaining uses, verified, as a proposal.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: FinishInput,
    ) -> Result<RepairOutput, ToolError> {
        let options = FixOptions {
            base: input.base,
            answers: input.answers.into(),
            max_seconds: Some(input.max_seconds.unwrap_or(SECONDS)),
            reasoners: ReasonerChoice::Intents,
            ..FixOptions::default()
        };
        repair(ctx, workspace, &options, "finish")
    }
}

/// Runs the loop, and records a verified repair as a proposal.
fn repair(
    ctx: &Ctx,
    workspace: &Workspace,
    options: &FixOptions,
    author: &str,
) -> Result<RepairOutput, ToolError> {
    let fixed = fix(ctx, workspace, options, &mut |_| {})?;
    let id = proposed(ctx, workspace, &fixed, author)?;
    Ok(RepairOutput::of(fixed.report, id))
}

/// Records a change as a proposal, if it is verified; its id.
fn proposed(
    ctx: &Ctx,
    workspace: &Workspace,
    fixed: &FixResult,
    author: &str,
) -> Result<Option<String>, ToolError> {
    let Some(accepted) = fixed.accepted.as_ref().filter(|_| !fixed.report.diff.is_empty()) else {
        return Ok(None);
    };
    let request = ProposeRequest {
        text: fixed.report.diff.clone(),
        task: String::new(),
        author: author.to_owned(),
        access: FileAccess::Agent,
    };
    let proposed = tools::propose(ctx, workspace, &request)?;
    let id = proposed.proposals.into_iter().next().map(|it| it.id);
    if let Some(id) = &id {
        tools::record_verified(ctx, workspace, id, accepted)?;
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_agent_can_ask_for_a_partial_change_or_a_stored_run() {
        for input in ["{\"partial\": true}", "{\"resume\": \"0123456789ab\"}"] {
            assert!(serde_json::from_str::<FixInput>(input).is_err(), "{input}");
            assert!(serde_json::from_str::<FinishInput>(input).is_err(), "{input}");
        }
    }

    #[test]
    fn a_diff_without_context_has_paths_places_and_changed_lines() {
        let diff = "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n@@ -1,3 +1,3 @@\n fn a() {\n-    b();\n+    \
                    c();\n }\n";
        let short = "--- a/a.rs\n+++ b/a.rs\n@@ -1,3 +1,3 @@\n-    b();\n+    c();\n";
        assert_eq!(without_context(diff), short);
    }
}
