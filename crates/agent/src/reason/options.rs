//! The model that a task may ask, its limits, and the record of what was asked and answered.

use std::fmt;
use std::sync::Arc;

use base::Ctx;
use model::language::{LanguageModel, Turn, TurnDelta, TurnError, TurnRequest};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A language model with the limits of its use.
#[derive(Clone)]
pub struct ModelReasoner {
    /// The model. What is sent to it has to be redacted and counted by its wrappers.
    pub model: Arc<dyn LanguageModel>,
    /// Limits of one task.
    pub limits: ReasonLimits,
}

impl fmt::Debug for ModelReasoner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelReasoner")
            .field("model", &self.model.name())
            .field("limits", &self.limits)
            .finish()
    }
}

/// A [`ModelReasoner`] as a trace keeps it.
#[derive(Serialize, Deserialize)]
struct ReasonerRecord {
    model: String,
    limits: ReasonLimits,
}

impl Serialize for ModelReasoner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let model = self.model.name().to_owned();
        ReasonerRecord { model, limits: self.limits.clone() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ModelReasoner {
    /// A model that only has the name: its turns are in the trace.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ReasonerRecord { model, limits } = ReasonerRecord::deserialize(deserializer)?;
        Ok(Self { model: Arc::new(NameOnly { name: model }), limits })
    }
}

/// The name of a model that cannot be asked.
struct NameOnly {
    name: String,
}

impl LanguageModel for NameOnly {
    fn name(&self) -> &str {
        &self.name
    }

    fn turn(
        &self,
        _: &Ctx,
        _: &TurnRequest,
        _: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        Err(TurnError::Malformed { reason: "a recorded model answers from its trace".to_owned() })
    }
}

/// Limits of the conversation of one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonLimits {
    /// Maximum number of edits that are read, those that cannot be placed included.
    pub rounds: usize,
    /// Maximum number of tokens of one answer.
    pub max_tokens: u32,
    /// Maximum number of tokens of code and errors in the first prompt.
    pub context_tokens: usize,
    /// Whether a second conversation reviews a change that passed. It can only refuse.
    pub review: bool,
}

impl Default for ReasonLimits {
    fn default() -> Self {
        Self { rounds: 3, max_tokens: 8_192, context_tokens: 12_000, review: false }
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
