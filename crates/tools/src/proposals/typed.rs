//! The tools that a model calls, as functions from input to output: `stage_code_edit` and
//! `request_code_context`. Errors name the field and the fix.

use base::Ctx;
use code::{ContextAnswer, ContextRequest, CurrentMap, context};
use project::FileAccess;
use project::Workspace;
use project::recorded;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::error::ProposalError;
use super::propose::{ProposeRequest, StagedChange, stage};
use crate::Error;
use crate::lifecycle::request_args;

/// Input of `propose_edit`: edits, or a text.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplyCodeEditRequest {
    /// Each replaces an item, `{mode: "canonical", file, canon, node_type: "function", code}`, writes a
    /// file, `{mode: "file", file_path, text}`, or replaces bytes, `{mode: "splice", file_path,
    /// expected_file_hash, start_byte, end_byte, replacement}`.
    #[serde(default)]
    pub edits: Vec<Map<String, Value>>,
    /// Instead of `edits`: a unified diff, SEARCH/REPLACE blocks or whole files in fences.
    #[serde(default)]
    pub text: Option<String>,
    /// Confidence in `edits`, 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f64>,
    /// Task that they belong to.
    #[serde(default)]
    pub task: String,
}

impl ApplyCodeEditRequest {
    /// The request as a proposal of a model.
    fn of_model(&self) -> Result<ProposeRequest, Error> {
        let field = |field, reason: &str, fix: &str| {
            let (reason, fix) = (reason.to_owned(), fix.to_owned());
            Err(ProposalError::Field { field, reason, fix }.into())
        };
        let text = match (&self.text, self.edits.is_empty()) {
            (None, true) => return field("edits", "it is missing", "pass `edits` or `text`"),
            (Some(_), false) => {
                return field("text", "`edits` has edits, too", "pass one of the two");
            }
            (Some(_), true) if self.confidence.is_some() => {
                return field("confidence", "it belongs to `edits`", "leave it out");
            }
            (Some(text), true) => text.clone(),
            (None, false) => {
                let mut edits = json!({ "edits": self.edits });
                if let Some(confidence) = self.confidence {
                    edits["confidence"] = confidence.into();
                }
                edits.to_string()
            }
        };
        let (task, author) = (self.task.clone(), "model".to_owned());
        Ok(ProposeRequest { text, task, author, access: FileAccess::Agent })
    }
}

/// Stages edits as a proposal. If one of them is not valid, nothing is staged.
///
/// # Errors
/// As [`super::propose()`].
pub(crate) fn stage_code_edit(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ApplyCodeEditRequest,
) -> Result<StagedChange, Error> {
    let request = request.of_model()?;
    let args = request_args(&request.text, None);
    let staged = || stage(ctx, workspace, &request);
    recorded(ctx, workspace, "edit propose", args, staged, |it| json!({ "proposals": [it.id] }))
}

/// As [`stage_code_edit`], for tools that record their calls.
pub(crate) fn stage_code_edit_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ApplyCodeEditRequest,
) -> Result<StagedChange, Error> {
    stage(ctx, workspace, &request.of_model()?)
}

/// Input of [`request_code_context`].
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeContextRequest {
    /// Text of a task: an issue, an error, a request. Without it the item is the task.
    #[serde(default)]
    pub task: Option<String>,
    /// Only code near this item: an id, a key or a path.
    #[serde(default)]
    pub item: Option<String>,
    /// Maximum number of tokens.
    #[serde(default = "default_budget")]
    pub budget: usize,
}

fn default_budget() -> usize {
    4_000
}

/// The most tokens of a context.
const MAX_BUDGET: usize = 200_000;

/// Packs the code of a task, or around an item, into a token budget.
///
/// # Errors
/// Neither task nor item; a budget of none or too many tokens; an unknown item.
pub fn request_code_context(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &CodeContextRequest,
) -> Result<ContextAnswer, Error> {
    let field = |field, reason: String, fix: &str| {
        Error::from(ProposalError::Field { field, reason, fix: fix.to_owned() })
    };
    if request.budget == 0 || request.budget > MAX_BUDGET {
        let reason = format!("{} tokens cannot be packed", request.budget);
        return Err(field("budget", reason, &format!("pass 1 to {MAX_BUDGET}")));
    }
    let task = request.task.as_deref().map(str::trim).filter(|task| !task.is_empty());
    let mut packed = match (task, &request.item) {
        (None, None) => {
            return Err(field("task", "it is missing".to_owned(), "pass `task`, `item` or both"));
        }
        (Some(task), _) => ContextRequest::new(task, request.budget),
        (None, Some(item)) => {
            let canon = CurrentMap::open(ctx, workspace)?.one(item)?.canon();
            let task = canon.rsplit_once('/').map_or(canon.as_str(), |(_, path)| path);
            ContextRequest::new(task, request.budget)
        }
    };
    packed.focus.clone_from(&request.item);
    Ok(context(ctx, workspace, &packed)?)
}
