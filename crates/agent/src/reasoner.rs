//! The model that a task may ask, its limits, and the record of what was asked and answered.

use std::fmt;
use std::sync::Arc;

use model::language::{Account, LanguageModel};
use project::{OpenedModel, Settings, Surroundings};
use serde::{Deserialize, Serialize};

use crate::AgentError;

/// A language model with the limits of its use.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelReasoner {
    /// The model. What is sent to it has to be redacted and counted by its wrappers. `None` in a
    /// replay, which has only recorded answers.
    #[serde(skip)]
    pub model: Option<Arc<dyn LanguageModel>>,
    /// The account from which it is paid.
    #[serde(skip)]
    pub account: Option<Arc<Account>>,
    /// Name of the model.
    pub name: String,
    /// Limits of one task.
    pub limits: ReasonLimits,
}

impl ModelReasoner {
    /// A model without an account.
    pub fn new(model: Arc<dyn LanguageModel>, limits: ReasonLimits) -> Self {
        let name = model.name().to_owned();
        Self { model: Some(model), account: None, name, limits }
    }

    /// The model of the settings; `None` if none is configured.
    ///
    /// # Errors
    /// A missing key or an invalid setting.
    pub(crate) fn configured(
        settings: &Settings,
        surroundings: &Surroundings,
    ) -> Result<Option<Self>, AgentError> {
        let Some(opened) = project::language_model(settings, surroundings)? else {
            return Ok(None);
        };
        let of = &settings.model;
        let limits = ReasonLimits {
            rounds: of.rounds,
            context_tokens: of.context_tokens,
            review: of.review,
            answers: of.answers,
            ..ReasonLimits::default()
        };
        let OpenedModel { model, account, name } = opened;
        Ok(Some(Self { model: Some(model), account: Some(account), name, limits }))
    }
}

impl fmt::Debug for ModelReasoner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelReasoner")
            .field("name", &self.name)
            .field("limits", &self.limits)
            .finish()
    }
}

/// Limits of the conversation of one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonLimits {
    /// Maximum number of edits that are read, those that cannot be placed included.
    pub rounds: usize,
    /// Maximum number of tokens of one answer.
    pub max_tokens: u32,
    /// Maximum number of tokens of code and errors in the first prompt.
    pub context_tokens: usize,
    /// Whether a second conversation reviews a change that passed. It can only refuse.
    pub review: bool,
    /// Whether it answers questions that a change leaves open.
    #[serde(default)]
    pub answers: bool,
}

impl Default for ReasonLimits {
    fn default() -> Self {
        Self { rounds: 3, max_tokens: 8_192, context_tokens: 12_000, review: false, answers: false }
    }
}

/// One step of a conversation, for progress and reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelNote {
    /// Number of the edit that is asked for, from 1.
    pub round: usize,
    /// Kind of the step.
    pub kind: ModelNoteKind,
    /// The step in one line. Parts that a model wrote are cleaned of control characters.
    pub text: String,
}

/// Kind of a [`ModelNote`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelNoteKind {
    /// A request was sent.
    Asked,
    /// The model looked something up.
    Looked,
    /// An edit was read that keeps to the limits; it is proven next.
    Proposed,
    /// An answer was refused before a proof.
    Refused,
    /// A proposal failed its proof, and the model gets the reason.
    Failed,
    /// The conversation ended without an edit.
    Ended,
    /// The review of a change that passed.
    Reviewed,
}

impl ModelNoteKind {
    /// Its name in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Looked => "looked up",
            Self::Proposed => "proposed",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Ended => "ended",
            Self::Reviewed => "reviewed",
        }
    }
}
