//! [`TurnError`]: why a model gave no complete answer.

use base::{Cancelled, Hint};
use serde::{Deserialize, Serialize};

/// Why a turn has no complete answer. No message contains a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnError {
    /// The user stopped the work.
    #[error("interrupted")]
    Cancelled,
    /// The environment has no key for the provider.
    #[error("no key for the provider `{provider}`")]
    NoKey {
        /// Provider.
        provider: String,
        /// Environment variable with the key.
        variable: String,
    },
    /// The turn could exceed the budget; it was not sent.
    #[error("the budget is used up: {spent} of {most} {unit} spent, the turn may need {needed}")]
    Budget {
        /// `tokens` or `micro-dollars`.
        unit: String,
        /// Limit.
        most: u64,
        /// Amount spent and reserved.
        spent: u64,
        /// Amount that the turn may need.
        needed: u64,
    },
    /// The budget limits money, and the price of the model is unknown.
    #[error("no price for the model `{model}`, and the budget limits money")]
    NoPrice {
        /// Model.
        model: String,
    },
    /// The provider refused the request.
    #[error("the provider returned HTTP status {status}: {reason}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The provider's message, shortened.
        reason: String,
        /// Pause before the next request, as the provider asks for it.
        retry_after_ms: Option<u64>,
    },
    /// The provider cannot be reached: no request was answered.
    #[error("the provider cannot be reached: {reason}")]
    Unreachable {
        /// Message of the HTTP client.
        reason: String,
    },
    /// The answer took too long.
    #[error("the provider sent no {awaited} within {limit_ms} ms")]
    TimedOut {
        /// What is missing: `data` or `complete answer`.
        awaited: String,
        /// Limit in milliseconds.
        limit_ms: u64,
    },
    /// The answer is not in the provider's format.
    #[error("the provider's answer is malformed: {reason}")]
    Malformed {
        /// Reason.
        reason: String,
    },
    /// The answer is too large.
    #[error("the provider's answer has more than {limit} bytes")]
    TooLarge {
        /// Limit in bytes.
        limit: u64,
    },
    /// The answer was cut before its end.
    #[error("the provider's answer was cut: {reason}")]
    Interrupted {
        /// Reason.
        reason: String,
    },
    /// The settings of the provider are invalid.
    #[error("the language model cannot be used: {reason}")]
    Settings {
        /// Reason.
        reason: String,
        /// How to fix it.
        fix: String,
    },
    /// A prepared conversation has no matching turn.
    #[error("turn {turn} of the script: {reason}")]
    Script {
        /// Index of the turn, from 1.
        turn: usize,
        /// Reason.
        reason: String,
    },
}

impl From<Cancelled> for TurnError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl Hint for TurnError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Cancelled => return None,
            Self::NoKey { variable, .. } => {
                format!(
                    "set the environment variable `{variable}`; keys are read from nowhere else"
                )
            }
            Self::Budget { .. } => "raise the budget, or ask for a smaller change".to_owned(),
            Self::NoPrice { model } => {
                format!("add a price for `{model}` to your price table, or limit tokens instead")
            }
            Self::Refused { status: 401 | 403, .. } => {
                "check that the key is valid and may use this model".to_owned()
            }
            Self::Refused { status: 404, .. } => {
                "check the name of the model and the address".to_owned()
            }
            Self::Refused { status: 413, .. } => "ask for a smaller change".to_owned(),
            Self::Refused { status: 300..=399, .. } => {
                "give the final address: redirects are not followed".to_owned()
            }
            Self::Refused { status: 429 | 500.., .. } => {
                "the provider is overloaded or limits your rate: try later".to_owned()
            }
            Self::Refused { .. } => "check the settings of the model".to_owned(),
            Self::Unreachable { .. } => {
                "check the address of the provider and the network".to_owned()
            }
            Self::TimedOut { .. } => "try again, or raise the timeout".to_owned(),
            Self::Malformed { .. } => {
                "check that the address is that of the provider's API".to_owned()
            }
            Self::TooLarge { .. } => "ask for a smaller change".to_owned(),
            Self::Interrupted { .. } => "try again".to_owned(),
            Self::Settings { fix, .. } => fix.clone(),
            Self::Script { .. } => "record the conversation again".to_owned(),
        })
    }
}
