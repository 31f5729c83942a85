//! `propose_edit`, `proposals` and `reject`.

use base::Ctx;
use project::Workspace;
use project::closed_to_agents;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::diagnostics::RefusalLine;
use super::rows::page;
use super::staged::{StagedOutput, is_as_sent};
use super::{Effect, Tool, ToolCard, ToolError};
use crate::proposals::stage_code_edit;
use crate::{
    ApplyCodeEditRequest, ProposalCard, RejectRequest, list_proposals, policy_explain, reject,
};

/// Stages edits as a proposal.
pub(crate) struct ProposeEditTool;

/// Input of `ProposeEditTool`: an `ApplyCodeEditRequest`, and how much the answer has.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeEditInput {
    /// Each replaces an item, `{mode: "canonical", file, canon, node_type: "function", code}`, writes a
    /// file, `{mode: "file", file_path, text}`, or replaces bytes, `{mode: "splice", file_path,
    /// expected_file_hash, start_byte, end_byte, replacement}`.
    #[serde(default)]
    edits: Vec<Map<String, Value>>,
    /// Instead of `edits`: a unified diff, SEARCH/REPLACE blocks or whole files in fences.
    #[serde(default)]
    text: Option<String>,
    /// Confidence in `edits`, 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    confidence: Option<f64>,
    /// Task that they belong to.
    #[serde(default)]
    task: String,
    /// Also return the diff.
    #[serde(default)]
    diff: bool,
}

impl Tool for ProposeEditTool {
    type Input = ProposeEditInput;
    type Output = StagedOutput;
    const RECORDS_ITSELF: bool = true;
    const CARD: ToolCard = ToolCard {
        name: "propose_edit",
        title: "Propose an edit",
        description: "Stages edits as one proposal and returns its id, the changed lines and syntax \
                      problems. `apply` verifies and writes it. Use it instead of editing files.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ProposeEditInput,
    ) -> Result<StagedOutput, ToolError> {
        let ProposeEditInput { edits, text, confidence, task, diff } = input;
        let request = ApplyCodeEditRequest { edits, text, confidence, task };
        let staged = stage_code_edit(ctx, workspace, &request)?;
        Ok(match diff || !is_as_sent(&request, &staged.overlay) {
            true => StagedOutput::with_diff(staged),
            false => StagedOutput::of(staged),
        })
    }
}

/// Lists proposals, or shows one.
pub(crate) struct ProposalsTool;

/// Input of [`ProposalsTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProposalsInput {
    /// Only this one.
    #[serde(default)]
    #[schemars(length(min = record::ID_LENGTH))]
    id: Option<String>,
    /// Also applied and rejected ones.
    #[serde(default)]
    all: bool,
    /// Maximum number.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: usize,
    /// Number to skip.
    #[serde(default)]
    offset: usize,
}

fn twenty() -> usize {
    20
}

/// Output of [`ProposalsTool`] and [`RejectTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ProposalsOutput {
    /// Proposals, newest first.
    proposals: Vec<ProposalLine>,
    /// Offset of the next ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    /// Damage of the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// One proposal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct ProposalLine {
    /// Id.
    id: String,
    /// `proposed`, `proven`, `refused`, `stale`, `approved`, `applied`, `undone` or `rejected`.
    state: String,
    /// One line.
    summary: String,
    /// Why it was rejected, or its last write failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Id of its change for `undo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<String>,
    /// Unified diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    /// What blocks `apply`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked_by: Vec<RefusalLine>,
}

impl From<&ProposalCard> for ProposalLine {
    fn from(card: &ProposalCard) -> Self {
        Self {
            id: card.id.clone(),
            state: card.state.clone(),
            summary: card.summary.clone(),
            reason: card.reason.clone(),
            change: card.change.clone(),
            diff: None,
            blocked_by: Vec::new(),
        }
    }
}

impl Tool for ProposalsTool {
    type Input = ProposalsInput;
    type Output = ProposalsOutput;
    const CARD: ToolCard = ToolCard {
        name: "proposals",
        title: "List proposals",
        description: "Lists the open proposals; with `id` one, with its diff and what blocks it.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ProposalsInput,
    ) -> Result<ProposalsOutput, ToolError> {
        let Some(id) = &input.id else {
            let list = list_proposals(ctx, workspace, input.all)?;
            let (cards, next_offset) = page(list.proposals, input.offset, input.limit);
            let proposals = cards.iter().map(ProposalLine::from).collect();
            return Ok(ProposalsOutput { proposals, next_offset, notes: list.notes });
        };
        let why = policy_explain(ctx, workspace, Some(id))?;
        let list = list_proposals(ctx, workspace, true)?;
        let card = list.proposals.iter().find(|card| Some(&card.id) == why.proposal.as_ref());
        let line = |card: &ProposalCard| ProposalLine {
            // The user may have proposed a change of files that an agent may not read.
            diff: closed_of(ctx, workspace, card).is_none().then(|| card.diff.clone()),
            blocked_by: why.blocked_by.iter().cloned().map(RefusalLine::from).collect(),
            ..card.into()
        };
        let proposals = card.map(line).into_iter().collect();
        Ok(ProposalsOutput { proposals, next_offset: None, notes: why.notes })
    }
}

/// The first file of a proposal that an agent may not read.
pub(super) fn closed_of<'c>(
    ctx: &Ctx,
    workspace: &Workspace,
    card: &'c ProposalCard,
) -> Option<&'c str> {
    let is_closed = |text: &&String| {
        base::ProjectPath::new(text)
            .map_or(true, |path| closed_to_agents(ctx, workspace, &path).is_some())
    };
    card.files.iter().find(is_closed).map(String::as_str)
}

/// Rejects proposals.
pub(crate) struct RejectTool;

impl Tool for RejectTool {
    type Input = RejectRequest;
    type Output = ProposalsOutput;
    const RECORDS_ITSELF: bool = true;
    const CARD: ToolCard = ToolCard {
        name: "reject",
        title: "Reject proposals",
        description: "Rejects open proposals.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: RejectRequest,
    ) -> Result<ProposalsOutput, ToolError> {
        let rejected = reject(ctx, workspace, &input)?;
        let proposals = rejected.proposals.iter().map(ProposalLine::from).collect();
        Ok(ProposalsOutput { proposals, next_offset: None, notes: Vec::new() })
    }
}
