//! The trait [`LanguageModel`] and its data: a request with the whole conversation, and the turn
//! that a model answers with. All types are plain data with serde, so that a run can record them.

use base::Ctx;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::TurnError;

/// One request: the whole conversation so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnRequest {
    /// Instructions of the system.
    pub system: String,
    /// Messages, oldest first; the last is the user's.
    pub messages: Vec<Message>,
    /// Tools that the model may call.
    #[serde(default)]
    pub tools: Vec<ToolSpec>,
    /// Maximum number of tokens of the answer.
    pub max_tokens: u32,
    /// Sampling temperature; `None`: the provider's default.
    #[serde(default)]
    pub temperature: Option<f32>,
    /// Texts at the first of which the answer ends, without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// JSON Schema of the answer; the answer is then one text part with a JSON value.
    #[serde(default)]
    pub schema: Option<Value>,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Author.
    pub role: Role,
    /// Parts in their order.
    pub parts: Vec<MessagePart>,
}

/// Author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The program, with tasks and tool results.
    User,
    /// The model.
    Assistant,
}

/// Part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MessagePart {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// Call of a tool, by the model.
    ToolCall(ToolCall),
    /// Result of a tool call, by the program.
    ToolResult {
        /// Id of the call.
        id: String,
        /// Result as text.
        content: String,
        /// Whether the call failed.
        is_error: bool,
    },
}

/// A model's call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Id, unique in the conversation.
    pub id: String,
    /// Name of the tool, as the model wrote it.
    pub name: String,
    /// Arguments: untrusted, not validated against the tool's schema. An object; or a string with
    /// what the model wrote, where that is not a JSON object.
    pub input: Value,
}

/// Description of a tool for a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name: letters, digits, `_` and `-`.
    pub name: String,
    /// What the tool does and when to call it.
    pub description: String,
    /// JSON Schema of the arguments: an object.
    pub input_schema: Value,
}

/// A model's answer to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Texts and tool calls in their order.
    pub parts: Vec<MessagePart>,
    /// Why the answer ends.
    pub stop: StopReason,
    /// Tokens used.
    #[serde(default)]
    pub usage: Usage,
    /// Name of the model, as the provider reports it.
    #[serde(default)]
    pub model: String,
}

/// Why an answer ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It is complete.
    EndTurn,
    /// The model waits for the results of its tool calls.
    ToolUse,
    /// The limit on tokens cut it.
    MaxTokens,
    /// The model or its provider refused to answer.
    Refusal,
    /// Another reason, by the provider's name.
    Other(String),
}

/// Tokens used by a turn. The four counts are disjoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input, without what was read from or written to a cache.
    pub input_tokens: u64,
    /// Output.
    pub output_tokens: u64,
    /// Input read from the provider's cache.
    pub cache_read_tokens: u64,
    /// Input written to the provider's cache.
    pub cache_write_tokens: u64,
}

/// Progress of a turn, for display. The [`Turn`] alone is the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnDelta {
    /// More text.
    Text(String),
    /// The model started to write a tool call.
    ToolCallStarted {
        /// Name of the tool.
        name: String,
    },
    /// More of the arguments of the tool call that was started last: a piece of JSON.
    Arguments(String),
    /// Tokens used so far.
    Usage(Usage),
    /// The request failed and is sent again after a pause.
    Retrying {
        /// Length of the pause in milliseconds.
        after_ms: u64,
        /// Reason.
        reason: String,
    },
}

/// A language model that answers one request at a time.
pub trait LanguageModel: Send + Sync {
    /// Name for messages and records.
    fn name(&self) -> &str;

    /// Sends `request` and waits for the whole answer; reports progress to `on`. Returns within one
    /// second after the user cancelled.
    ///
    /// # Errors
    /// No complete answer: see [`TurnError`].
    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError>;
}

impl<M: LanguageModel + ?Sized> LanguageModel for Box<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        (**self).turn(ctx, request, on)
    }
}

impl TurnRequest {
    /// All texts of the request that a user, a tool or a model wrote, in their order.
    pub fn texts(&self) -> Vec<&str> {
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        let texts = parts.filter_map(|part| match part {
            MessagePart::Text { text } => Some(text.as_str()),
            MessagePart::ToolResult { content, .. } => Some(content.as_str()),
            MessagePart::ToolCall(_) => None,
        });
        std::iter::once(self.system.as_str()).chain(texts).collect()
    }
}

impl Turn {
    /// All text of the answer.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            MessagePart::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The tool calls in their order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            MessagePart::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

impl Usage {
    /// All tokens of input.
    pub(crate) fn input(&self) -> u64 {
        let cached = self.cache_read_tokens.saturating_add(self.cache_write_tokens);
        self.input_tokens.saturating_add(cached)
    }

    /// All tokens, of input and output.
    pub fn total(&self) -> u64 {
        self.input().saturating_add(self.output_tokens)
    }
}
