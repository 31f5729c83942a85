//! `search`, `context` and `show`.

use base::Ctx;
use code::{SearchRequest, SearchUnit, search, show};
use project::{FileAccess, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rows::{ItemLine, page};
use super::{Effect, Tool, ToolCard, ToolError};
use crate::{CodeContextRequest, request_code_context};

/// Ranks items or files for a query.
pub(crate) struct SearchTool;

/// Input of [`SearchTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchInput {
    /// Description, name, error text, stack trace or diff.
    #[schemars(length(min = 1))]
    query: String,
    /// Maximum number of results.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
    /// Results to skip.
    #[serde(default)]
    #[schemars(range(max = 500))]
    offset: usize,
    /// Only near this file, directory or item.
    #[serde(default)]
    near: Option<String>,
    /// Rank files instead of items.
    #[serde(default)]
    files: bool,
    /// Add the first lines of each result.
    #[serde(default)]
    preview: bool,
}

fn ten() -> usize {
    10
}

/// Output of [`SearchTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct SearchOutput {
    /// Results, best first.
    hits: Vec<SearchHit>,
    /// Offset of the next results, if there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    /// Why a ranking stage is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<String>,
    /// Files saved a moment ago, not searched yet; `.`: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pending: Vec<String>,
}

/// One result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct SearchHit {
    #[serde(flatten)]
    line: ItemLine,
    /// First lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<String>,
}

impl Tool for SearchTool {
    type Input = SearchInput;
    type Output = SearchOutput;
    const CARD: ToolCard = ToolCard {
        name: "search",
        title: "Search code",
        description: "Finds items (functions, types, …) of the project by meaning, name or error \
                      text. Use it first when you do not know where something is.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: SearchInput,
    ) -> Result<SearchOutput, ToolError> {
        let wanted = input.offset.saturating_add(input.limit);
        let request = SearchRequest {
            by: if input.files { SearchUnit::File } else { SearchUnit::Item },
            focus: input.near,
            preview: input.preview,
            // One more shows whether there is a next page.
            ..SearchRequest::new(input.query, wanted.saturating_add(1))
        };
        let answer = search(ctx, workspace, &request)?;
        let (hits, next_offset) = page(answer.hits, input.offset, input.limit);
        let hit =
            |card: &code::HitCard| SearchHit { line: card.into(), preview: card.preview.clone() };
        let hits = hits.iter().map(hit).collect();
        let (degraded, pending) = (answer.degraded, answer.pending);
        Ok(SearchOutput { hits, next_offset, degraded, pending })
    }
}

/// Packs the code of a task, or around an item.
pub(crate) struct ContextTool;

/// Output of [`ContextTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ContextOutput {
    /// Code, each part with its location and the reason why it is here.
    text: String,
    /// Tokens of the text, at most.
    tokens: usize,
    /// Why a ranking stage is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<String>,
    /// Files saved a moment ago, not in the text; `.`: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pending: Vec<String>,
}

impl Tool for ContextTool {
    type Input = CodeContextRequest;
    type Output = ContextOutput;
    const CARD: ToolCard = ToolCard {
        name: "context",
        title: "Pack context",
        description: "Returns the code that matters for a task or around an item, packed into a \
                      token budget: definitions, callers, tests. Use it before an edit instead of \
                      reading whole files.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: CodeContextRequest,
    ) -> Result<ContextOutput, ToolError> {
        let answer = request_code_context(ctx, workspace, &input)?;
        let (text, tokens, degraded) = (answer.text, answer.tokens, answer.degraded);
        Ok(ContextOutput { text, tokens, degraded, pending: answer.pending })
    }
}

/// Shows one item.
pub(crate) struct ShowTool;

/// Input of [`ShowTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShowInput {
    /// Canonical path, or its end: `Type::method`.
    item: String,
}

/// Output of [`ShowTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShowOutput {
    #[serde(flatten)]
    line: ItemLine,
    /// Documentation, if the code does not contain it.
    #[serde(skip_serializing_if = "String::is_empty")]
    docs: String,
    /// Source text.
    code: String,
    /// Parent item.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    /// Members.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    members: Vec<ItemLine>,
}

impl Tool for ShowTool {
    type Input = ShowInput;
    type Output = ShowOutput;
    const CARD: ToolCard = ToolCard {
        name: "show",
        title: "Show an item",
        description: "Returns one item: signature, documentation, code and members.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ShowInput,
    ) -> Result<ShowOutput, ToolError> {
        let answer = show(ctx, workspace, &input.item, FileAccess::Agent)?;
        let line = answer.items.first().map(ItemLine::from).ok_or_else(|| {
            ToolError::field("item", format!("`{}` is not found", input.item), "use `search`")
        })?;
        let in_code = answer.docs.lines().all(|line| answer.code.contains(line));
        Ok(ShowOutput {
            line,
            docs: if in_code { String::new() } else { answer.docs },
            code: answer.code,
            parent: answer.parent.map(|card| card.canon),
            members: answer.members.iter().map(ItemLine::from).collect(),
        })
    }
}
