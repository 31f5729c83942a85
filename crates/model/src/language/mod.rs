//! Language models: one turn of a conversation, with tools, streamed, over HTTP.
//!
//! [`open`] makes a [`LanguageModel`] by the name of a provider: [`Anthropic`], [`OpenAi`] (also
//! local models behind a compatible server) or [`Scripted`] (prepared turns, for tests and recorded
//! sessions). Around it are `Redacting` (removes secrets from requests), [`Retried`] (sends again
//! after failures that pass) and [`Budgeted`] (reserves the worst case of each request).
//!
//! Invariants: a key is sent to the configured address alone, and is in no message. Answers are
//! bounded in size and time, and cancellation takes less than a second. A model's output is
//! untrusted data: it is parsed here and interpreted nowhere in this crate.

mod anthropic;
mod assembly;
mod budget;
mod error;
#[cfg(test)]
mod laws;
mod open;
mod openai;
mod options;
mod prices;
mod quoted;
mod redact;
mod redacting;
mod refusal;
mod retry;
mod scripted;
mod sse;
mod stream;
mod turn;

pub use anthropic::Anthropic;
pub use budget::{Account, Budget, Budgeted, Spend};
pub use error::TurnError;
pub use open::{LanguageOptions, open};
pub use openai::OpenAi;
pub use options::{ApiKey, ProviderOptions, TurnLimits};
pub use prices::{Price, PriceTable};
pub use quoted::{fence, refusal, unhidden};
pub use redact::{Redaction, SecretKind, redact};
pub use retry::{Retried, RetryPolicy};
pub use scripted::{ExpectedRequest, Scripted, ScriptedAnswer, ScriptedTurn};
pub use turn::{
    LanguageModel, Message, MessagePart, Role, StopReason, ToolCall, ToolSpec, Turn, TurnDelta,
    TurnRequest, Usage,
};
