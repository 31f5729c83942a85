//! Search and packed context: the right code first, with its reasons.

mod bring_up;
mod cards;
mod context;
mod encoder;
mod finder;
mod focus;
mod past;
mod reranker;
mod texts;

pub use bring_up::{SearchReport, index_for_search, index_vectors, retriever};
pub use cards::{FeatureCard, HitCard, StageCard, StepCard};
pub use context::{ContextAnswer, ContextRequest, SnippetCard};
pub use finder::{By, Finder, SearchAnswer, SearchRequest};

use base::Ctx;

use crate::{Error, Workspace};

/// Ranks items or files by what a text asks for; the map and its search index are brought up to
/// date first.
pub fn search(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &SearchRequest,
) -> Result<SearchAnswer, Error> {
    Finder::open(ctx, workspace)?.search(ctx, request)
}

/// Packs what a task needs to know into a token budget.
pub fn context(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ContextRequest,
) -> Result<ContextAnswer, Error> {
    Finder::open(ctx, workspace)?.context(ctx, request)
}
