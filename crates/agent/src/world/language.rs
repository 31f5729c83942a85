//! A language model whose answers are recorded, and what is looked up for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use base::{ContentHash, Ctx};
use model::language::{Account, LanguageModel, Turn, TurnDelta, TurnError, TurnRequest};
use serde::{Deserialize, Serialize};

use super::Tape;
use crate::reasoner::ModelReasoner;
use crate::trace::Question;

/// A model whose turns are recorded, or given from a record.
pub(crate) struct TapedModel {
    tape: Tape,
    name: String,
    /// `None`: only recorded turns.
    live: Option<Arc<dyn LanguageModel>>,
    account: Option<Arc<Account>>,
    /// Cost so far in micro-dollars.
    spent: AtomicU64,
}

/// A turn as a trace keeps it.
#[derive(Serialize, Deserialize)]
struct TurnRecord {
    answer: Result<Turn, TurnError>,
    /// Cost of the run so far in micro-dollars.
    spent: u64,
}

impl TapedModel {
    pub(super) fn new(tape: Tape, reasoner: &ModelReasoner, is_live: bool) -> Self {
        Self {
            tape,
            name: reasoner.name.clone(),
            live: reasoner.model.clone().filter(|_| is_live),
            account: reasoner.account.clone().filter(|_| is_live),
            spent: AtomicU64::new(0),
        }
    }

    /// Cost of the run in micro-dollars after the last turn.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }
}

impl LanguageModel for TapedModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        let text = serde_json::to_string(request)
            .map_err(|error| TurnError::Malformed { reason: error.to_string() })?;
        let question = Question::Turn { request: ContentHash::of(text.as_bytes()) };
        let was_asked = AtomicBool::new(false);
        let spent = || self.account.as_ref().map_or(0, |it| it.spend().micro_dollars);
        let live = self.live.as_ref().map(|model| {
            let was_asked = &was_asked;
            move || {
                was_asked.store(true, Ordering::Relaxed);
                match model.turn(ctx, request, on) {
                    // A run that was cancelled continues: nothing was learned.
                    Err(TurnError::Cancelled) => Err(base::Cancelled.into()),
                    answer => Ok(TurnRecord { answer, spent: spent() }),
                }
            }
        });
        let found = self.tape.ask(question, live).map_err(|error| match error {
            crate::AgentError::Project(project::ProjectError::Cancelled(_)) => TurnError::Cancelled,
            error => TurnError::Interrupted { reason: error.to_string() },
        })?;
        if let (false, Some(account), Ok(turn)) =
            (was_asked.load(Ordering::Relaxed), &self.account, &found.answer)
        {
            account.charge(&turn.model, &turn.usage);
        }
        self.spent.store(found.spent, Ordering::Relaxed);
        found.answer
    }
}
