//! What a run with a language model learns: turns, and what the map answers for prompts.

use std::path::PathBuf;
use std::sync::Arc;

use base::{ContentHash, Ctx, Hasher};
use model::language::{LanguageModel, Turn, TurnDelta, TurnError, TurnRequest};
use tools::{ContextRequest, ItemCard, WalkRequest};

use super::{Tape, World};
use crate::AgentError;
use crate::reason::{Lookup, MapLookup};
use crate::trace::Question;

/// A language model whose turns are recorded.
pub(crate) struct TapedModel {
    tape: Tape,
    model: Arc<dyn LanguageModel>,
    /// Whether it may be asked: not in a replay.
    is_live: bool,
}

impl World<'_> {
    /// The model, with its turns recorded.
    pub(crate) fn model(&self, model: &Arc<dyn LanguageModel>) -> TapedModel {
        TapedModel {
            tape: self.tape.clone(),
            model: Arc::clone(model),
            is_live: self.live.is_some(),
        }
    }

    /// The root of the project.
    pub(crate) fn root(&self) -> Result<PathBuf, AgentError> {
        self.ask(Question::Root, |workspace| Ok(workspace.project().root().to_path_buf()))
    }

    /// Packed context.
    pub(crate) fn context(&self, request: &ContextRequest) -> Result<String, AgentError> {
        let text = format!("{request:?}");
        let question = Question::Context { request: ContentHash::of(text.as_bytes()) };
        self.ask(question, |workspace| Ok(tools::context(self.ctx, workspace, request)?.text))
    }

    /// The items that call an item.
    pub(crate) fn callers(&self, request: &WalkRequest) -> Result<Vec<ItemCard>, AgentError> {
        let question = Question::Callers { item: request.item.clone() };
        self.ask(question, |it| Ok(tools::callers(self.ctx, it, request)?.items))
    }

    fn look_up(
        &self,
        kind: &str,
        text: &str,
        live: impl FnOnce(MapLookup<'_>) -> Result<String, String>,
    ) -> Result<String, String> {
        let question = Question::LookUp { kind: kind.to_owned(), text: text.to_owned() };
        let found =
            self.ask(question, |workspace| Ok(live(MapLookup { ctx: self.ctx, workspace })));
        found.unwrap_or_else(|error| Err(error.to_string()))
    }
}

impl Lookup for World<'_> {
    fn search(&self, query: &str) -> Result<String, String> {
        self.look_up("search", query, |it| it.search(query))
    }

    fn show(&self, item: &str) -> Result<String, String> {
        self.look_up("show", item, |it| it.show(item))
    }
}

impl LanguageModel for TapedModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        let text = serde_json::to_vec(request).unwrap_or_default();
        let request_hash = Hasher::new().field(self.name().as_bytes()).field(&text).finish();
        let question = Question::Turn { request: request_hash };
        let live = self.is_live.then_some(|| {
            let turn = self.model.turn(ctx, request, on);
            // An interrupt is no answer.
            if turn == Err(TurnError::Cancelled) { Err(base::Cancelled.into()) } else { Ok(turn) }
        });
        let answer: Result<Result<Turn, TurnError>, AgentError> = self.tape.ask(question, live);
        answer.unwrap_or_else(|error| match error {
            AgentError::Cancelled(_) => Err(TurnError::Cancelled),
            error => Err(TurnError::Malformed { reason: error.to_string() }),
        })
    }
}
