//! `search` and `context`: ranked items or files, and code packed into a token budget.
//!
//! Ranking itself is in the crate `search`; here are requests, results as JSON, and the inputs that
//! settings choose (encoder, reranker, git history). Start at [`Finder`].

mod cards;
mod context;
mod encoder;
mod exact;
mod finder;
mod focus;
mod parts;
mod past;
mod reranker;
mod update;

pub use cards::{FeatureCard, HitCard, StageCard, StepCard};
pub use context::{ContextAnswer, ContextRequest, SnippetCard};
pub use encoder::text_vectors;
pub use finder::{Finder, SearchAnswer, SearchRequest, SearchUnit};
pub(crate) use parts::{FinderParts, PartsMaker};
pub use update::{SearchReport, index_for_search, index_vectors, rebuild_index, retriever};

use std::time::Duration;

use base::Ctx;

use project::{RetrievedHits, Workspace, note_retrieval};

use crate::CodeError;

/// Ranks items or files for a query, and records the retrieval. Updates the map and the search index
/// first; in a workspace that is kept current, a background thread does, and the answer names the files
/// that it has not read yet.
///
/// # Errors
/// A map that cannot be updated, a focus without an item, or a model that cannot be loaded.
pub fn search(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &SearchRequest,
) -> Result<SearchAnswer, CodeError> {
    let answer = Finder::open_within(ctx, workspace, Duration::ZERO)?.search(ctx, request)?;
    let hits = RetrievedHits {
        tool: "search",
        query: &request.query,
        focus: request.focus.as_deref(),
        keys: answer.hits.iter().map(|hit| hit.key.as_str()).collect(),
        cached: answer.cached,
        took_us: answer.took_us,
    };
    note_retrieval(ctx, workspace, &hits);
    Ok(answer)
}

/// The time that `context` waits for the search index of files that were saved.
const PATIENCE: Duration = Duration::from_millis(500);

/// Packs the relevant code of a task into a token budget, and records the retrieval. In a workspace that
/// is kept current it waits for files that were saved, but not long, and names those that it is without.
///
/// # Errors
/// As [`search()`].
pub fn context(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ContextRequest,
) -> Result<ContextAnswer, CodeError> {
    let answer = Finder::open_within(ctx, workspace, PATIENCE)?.context(ctx, request)?;
    let hits = RetrievedHits {
        tool: "context",
        query: &request.task,
        focus: request.focus.as_deref(),
        keys: answer.snippets.iter().map(|it| it.hit.key.as_str()).collect(),
        cached: answer.cached,
        took_us: answer.took_us,
    };
    note_retrieval(ctx, workspace, &hits);
    Ok(answer)
}
