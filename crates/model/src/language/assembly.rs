//! Assembly of a turn from the fragments of a stream: texts, tool calls whose arguments arrive in
//! parts, usage. Everything is untrusted; sizes are bounded by the limit of the stream.

use base::SortedSet;

use serde_json::{Map, Value};

use super::error::TurnError;
use super::turn::{MessagePart, StopReason, ToolCall, Turn, TurnDelta, TurnRequest, Usage};

/// Maximum number of parts of an answer.
const MAX_PARTS: usize = 256;

/// The parts of an answer so far.
pub(super) struct Assembly<'a> {
    on: &'a mut dyn FnMut(&TurnDelta),
    blocks: Vec<Block>,
    /// Tokens used, as far as reported.
    pub(super) usage: Usage,
    /// Name of the model, as the provider reports it.
    pub(super) model: String,
    /// Why the answer ends, once reported.
    pub(super) stop: Option<StopReason>,
}

/// A part and its index in the provider's format.
struct Block {
    index: Option<u64>,
    content: Content,
}

enum Content {
    Text(String),
    Call(Call),
}

#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    is_reported: bool,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(on: &'a mut dyn FnMut(&TurnDelta)) -> Self {
        Self { on, blocks: Vec::new(), usage: Usage::default(), model: String::new(), stop: None }
    }

    /// Adds text to the block `index`; without index, to the last block if that is a text.
    pub(super) fn text(&mut self, index: Option<u64>, text: &str) -> Result<(), TurnError> {
        if text.is_empty() {
            return Ok(());
        }
        let at = match index {
            Some(_) => self.blocks.iter().rposition(|block| block.index == index),
            None => self.blocks.len().checked_sub(1),
        };
        match at.and_then(|at| self.blocks.get_mut(at)).map(|block| &mut block.content) {
            Some(Content::Text(so_far)) => so_far.push_str(text),
            Some(Content::Call(_)) if index.is_some() => {
                return Err(malformed("text in a tool call"));
            }
            _ => self.add(Block { index, content: Content::Text(text.to_owned()) })?,
        }
        (self.on)(&TurnDelta::Text(text.to_owned()));
        Ok(())
    }

    /// Adds to the tool call `index`, and creates it where it is new; each fragment may be empty.
    pub(super) fn call(
        &mut self,
        index: u64,
        id: &str,
        name: &str,
        arguments: &str,
    ) -> Result<(), TurnError> {
        let is_this =
            |block: &Block| block.index == Some(index) && matches!(block.content, Content::Call(_));
        if !self.blocks.iter().any(is_this) {
            self.add(Block { index: Some(index), content: Content::Call(Call::default()) })?;
        }
        let call = self.blocks.iter_mut().rev().find_map(|block| match &mut block.content {
            Content::Call(call) if block.index == Some(index) => Some(call),
            _ => None,
        });
        let Some(call) = call else { return Ok(()) };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        call.arguments.push_str(arguments);
        if call.name.is_empty() {
            return Ok(());
        }
        let mut more = arguments;
        if !call.is_reported {
            call.is_reported = true;
            (self.on)(&TurnDelta::ToolCallStarted { name: call.name.clone() });
            more = &call.arguments;
        }
        if !more.is_empty() {
            (self.on)(&TurnDelta::Arguments(more.to_owned()));
        }
        Ok(())
    }

    /// Id and index of the last tool call.
    pub(super) fn last_call(&self) -> Option<(&str, u64)> {
        self.blocks.iter().rev().find_map(|block| match &block.content {
            Content::Call(call) => Some((call.id.as_str(), block.index?)),
            Content::Text(_) => None,
        })
    }

    /// Replaces the usage, and reports it.
    pub(super) fn used(&mut self, usage: Usage) {
        if usage != self.usage {
            self.usage = usage;
            (self.on)(&TurnDelta::Usage(usage));
        }
    }

    fn add(&mut self, block: Block) -> Result<(), TurnError> {
        if self.blocks.len() >= MAX_PARTS {
            return Err(malformed(&format!("more than {MAX_PARTS} parts")));
        }
        self.blocks.push(block);
        Ok(())
    }

    /// The turn. Calls without id, or with the id of another, get one that `request` does not use.
    pub(super) fn finish(self, request: &TurnRequest) -> Result<Turn, TurnError> {
        let mut used = ids_of(request);
        let mut parts = Vec::new();
        for (at, block) in self.blocks.into_iter().enumerate() {
            let call = match block.content {
                Content::Text(text) => {
                    parts.push(MessagePart::Text { text });
                    continue;
                }
                Content::Call(call) => call,
            };
            if call.name.is_empty() {
                return Err(malformed("a tool call without a name"));
            }
            let id = if call.id.is_empty() || used.contains(&call.id) {
                format!("call_{}_{at}", request.messages.len())
            } else {
                call.id
            };
            used.insert(id.clone());
            let input = input_of(call.arguments);
            parts.push(MessagePart::ToolCall(ToolCall { id, name: call.name, input }));
        }
        let has_calls = parts.iter().any(|part| matches!(part, MessagePart::ToolCall(_)));
        let stop = match self.stop {
            // Some servers report the end of the turn although they wait for results.
            Some(StopReason::EndTurn) | None if has_calls => StopReason::ToolUse,
            Some(StopReason::ToolUse) | None if !has_calls => StopReason::EndTurn,
            stop => stop.unwrap_or(StopReason::EndTurn),
        };
        Ok(Turn { parts, stop, usage: self.usage, model: self.model })
    }
}

/// The arguments of a call: an object, or the text itself where it is not one. No text is no
/// arguments.
fn input_of(arguments: String) -> Value {
    if arguments.trim().is_empty() {
        return Value::Object(Map::new());
    }
    match serde_json::from_str(&arguments) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        _ => Value::String(arguments),
    }
}

fn ids_of(request: &TurnRequest) -> SortedSet<String> {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    let ids = parts.filter_map(|part| match part {
        MessagePart::ToolCall(call) => Some(call.id.clone()),
        _ => None,
    });
    ids.collect()
}

fn malformed(reason: &str) -> TurnError {
    TurnError::Malformed { reason: reason.to_owned() }
}
