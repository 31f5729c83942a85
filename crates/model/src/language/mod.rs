//! Language models: one turn of a conversation, with tools.
//!
//! [`LanguageModel`] is the trait; [`Scripted`] plays prepared turns. A model's output is untrusted
//! data: it is parsed and bounded here, and interpreted nowhere in this crate.

mod error;
mod scripted;
mod turn;

pub use error::TurnError;
pub use scripted::{Expectation, Scripted, ScriptedAnswer, ScriptedTurn};
pub use turn::{
    LanguageModel, Message, Part, Role, StopReason, ToolCall, ToolSpec, Turn, TurnDelta,
    TurnRequest, Usage,
};
