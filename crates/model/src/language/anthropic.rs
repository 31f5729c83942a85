//! [`Anthropic`]: the Messages API (<https://docs.anthropic.com/en/api/messages>), streamed, with
//! tools. A schema is enforced by a tool whose arguments are the answer.

use base::Ctx;
use serde_json::{Value, json};

use super::assembly::Assembly;
use super::error::TurnError;
use super::options::{ApiKey, ProviderOptions};
use super::refusal;
use super::sse::SseEvent;
use super::stream::{self, Flow, StreamRequest};
use super::turn::{
    LanguageModel, Message, MessagePart, Role, StopReason, Turn, TurnDelta, TurnRequest, Usage,
};

/// Version of the API.
const VERSION: &str = "2023-06-01";
/// Name of the tool whose arguments are a structured answer.
const ANSWER: &str = "structured_answer";

/// A model behind Anthropic's Messages API. One request per turn: see [`super::Retried`].
#[derive(Debug)]
pub struct Anthropic {
    options: ProviderOptions,
    url: String,
}

impl Anthropic {
    /// Address of the provider.
    pub(crate) const URL: &'static str = "https://api.anthropic.com";

    /// Validates the address; sends nothing.
    ///
    /// # Errors
    /// The address is invalid, or there is no model.
    pub fn new(options: ProviderOptions) -> Result<Self, TurnError> {
        if options.model.is_empty() {
            return Err(TurnError::Settings {
                reason: "no model is chosen".to_owned(),
                fix: "give the name of a model of the provider".to_owned(),
            });
        }
        let url = options.endpoint("/messages")?;
        Ok(Self { options, url })
    }
}

impl LanguageModel for Anthropic {
    fn name(&self) -> &str {
        &self.options.model
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        let body = body_of(&self.options.model, request);
        let mut headers = vec![("anthropic-version", VERSION.to_owned())];
        if let Some(key) = &self.options.key {
            headers.push(("x-api-key", ApiKey::expose(key).to_owned()));
        }
        let stream_request = StreamRequest {
            url: &self.url,
            socket: self.options.socket.as_deref(),
            headers,
            key: self.options.key.as_ref(),
            body: body.to_string().into_bytes(),
            limits: &self.options.limits,
        };
        let mut assembly = Assembly::new(on);
        let mut is_complete = false;
        stream::events(ctx, stream_request, &mut |event| {
            let flow = accept(&mut assembly, &event)?;
            is_complete |= flow == Flow::Done;
            Ok(flow)
        })?;
        if !is_complete {
            return Err(TurnError::Interrupted { reason: "`message_stop` is missing".to_owned() });
        }
        let turn = assembly.finish(request)?;
        Ok(if request.schema.is_some() { with_answer_as_text(turn) } else { turn })
    }
}

/// The JSON body of a request.
fn body_of(model: &str, request: &TurnRequest) -> Value {
    let mut messages: Vec<Value> = request.messages.iter().filter_map(message_of).collect();
    // The provider caches the input up to these marks: the next turn repeats it.
    if let Some(part) = messages
        .last_mut()
        .and_then(|message| message["content"].as_array_mut())
        .and_then(|content| content.last_mut())
    {
        part["cache_control"] = json!({ "type": "ephemeral" });
    }
    let mut body = json!({
        "model": model,
        "max_tokens": request.max_tokens,
        "stream": true,
        "messages": messages,
    });
    if !request.system.is_empty() {
        body["system"] = json!([{
            "type": "text",
            "text": request.system,
            "cache_control": { "type": "ephemeral" },
        }]);
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    if !request.stop.is_empty() {
        body["stop_sequences"] = json!(request.stop);
    }
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "input_schema": tool.input_schema,
            })
        })
        .collect();
    if let Some(schema) = &request.schema {
        body["tool_choice"] = match tools.is_empty() {
            true => json!({ "type": "tool", "name": ANSWER }),
            false => json!({ "type": "any" }),
        };
        tools.push(json!({
            "name": ANSWER,
            "description": "Gives the final answer.",
            "input_schema": schema,
        }));
    }
    if !tools.is_empty() {
        body["tools"] = json!(tools);
    }
    body
}

/// A message; `None` where it is empty, which the provider refuses.
fn message_of(message: &Message) -> Option<Value> {
    let mut parts: Vec<&MessagePart> = message.parts.iter().collect();
    // The provider expects the results of tools before other parts.
    parts.sort_by_key(|part| !matches!(part, MessagePart::ToolResult { .. }));
    let content: Vec<Value> = parts.into_iter().filter_map(part_of).collect();
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    if content.is_empty() { None } else { Some(json!({ "role": role, "content": content })) }
}

fn part_of(part: &MessagePart) -> Option<Value> {
    Some(match part {
        MessagePart::Text { text } if text.trim().is_empty() => return None,
        MessagePart::Text { text } => json!({ "type": "text", "text": text }),
        MessagePart::ToolCall(call) => {
            let input = match &call.input {
                Value::Object(_) => call.input.clone(),
                // The provider accepts only objects.
                other => json!({ "malformed_arguments": other }),
            };
            json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
        }
        MessagePart::ToolResult { id, content, is_error } => json!({
            "type": "tool_result",
            "tool_use_id": id,
            "content": content,
            "is_error": is_error,
        }),
    })
}

/// Adds one event to the answer.
pub(super) fn accept(assembly: &mut Assembly<'_>, event: &SseEvent) -> Result<Flow, TurnError> {
    let data: Value = serde_json::from_str(&event.data)
        .map_err(|_| TurnError::Malformed { reason: "an event is not JSON".to_owned() })?;
    let index = data["index"].as_u64();
    match data["type"].as_str().unwrap_or(&event.name) {
        "message_start" => {
            assembly.model = text(&data["message"]["model"]).to_owned();
            assembly.used(usage_of(assembly.usage, &data["message"]["usage"]));
        }
        "content_block_start" => {
            let block = &data["content_block"];
            match block["type"].as_str() {
                Some("text") => assembly.text(index, text(&block["text"]))?,
                Some("tool_use") => {
                    let name = text(&block["name"]);
                    assembly.call(index.unwrap_or(0), text(&block["id"]), name, "")?;
                }
                // Thinking, and kinds that do not exist yet.
                _ => {}
            }
        }
        "content_block_delta" => {
            let delta = &data["delta"];
            match delta["type"].as_str() {
                Some("text_delta") => assembly.text(index, text(&delta["text"]))?,
                Some("input_json_delta") => {
                    let arguments = text(&delta["partial_json"]);
                    assembly.call(index.unwrap_or(0), "", "", arguments)?;
                }
                _ => {}
            }
        }
        "message_delta" => {
            if let Some(reason) = data["delta"]["stop_reason"].as_str() {
                assembly.stop = Some(stop_of(reason));
            }
            assembly.used(usage_of(assembly.usage, &data["usage"]));
        }
        "message_stop" => return Ok(Flow::Done),
        "error" => return Err(error_of(&data)),
        // `ping`, `content_block_stop`, and events that do not exist yet.
        _ => {}
    }
    Ok(Flow::More)
}

fn stop_of(reason: &str) -> StopReason {
    match reason {
        "end_turn" | "stop_sequence" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" | "model_context_window_exceeded" => StopReason::MaxTokens,
        "refusal" => StopReason::Refusal,
        other => StopReason::Other(refusal::shortened(other)),
    }
}

/// The usage so far with the counts of a later event, which are totals.
fn usage_of(so_far: Usage, usage: &Value) -> Usage {
    let count = |name: &str, before: u64| usage[name].as_u64().unwrap_or(before);
    Usage {
        input_tokens: count("input_tokens", so_far.input_tokens),
        output_tokens: count("output_tokens", so_far.output_tokens),
        cache_read_tokens: count("cache_read_input_tokens", so_far.cache_read_tokens),
        cache_write_tokens: count("cache_creation_input_tokens", so_far.cache_write_tokens),
    }
}

/// An error within the stream, with the status that the provider's documentation gives it.
fn error_of(data: &Value) -> TurnError {
    let status = match data["error"]["type"].as_str() {
        Some("authentication_error") => 401,
        Some("permission_error") => 403,
        Some("not_found_error") => 404,
        Some("request_too_large") => 413,
        Some("rate_limit_error") => 429,
        Some("api_error") => 500,
        Some("timeout_error") => 504,
        Some("overloaded_error") => 529,
        _ => 400,
    };
    TurnError::Refused { status, reason: refusal::message_in(data), retry_after_ms: None }
}

/// The turn with a call of the tool [`ANSWER`] replaced by its arguments as text.
fn with_answer_as_text(mut turn: Turn) -> Turn {
    let answer = turn.calls().find(|call| call.name == ANSWER).map(|call| match &call.input {
        Value::String(text) => text.clone(),
        input => input.to_string(),
    });
    if let Some(text) = answer {
        turn.parts = vec![MessagePart::Text { text }];
        if turn.stop == StopReason::ToolUse {
            turn.stop = StopReason::EndTurn;
        }
    }
    turn
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
