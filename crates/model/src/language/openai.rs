//! [`OpenAi`]: the chat completions API of OpenAI and of compatible servers (llama.cpp, vLLM,
//! Ollama and others), streamed, with tools. Local GGUF models run behind such a server.

use base::Ctx;
use serde_json::{Value, json};

use super::assembly::Assembly;
use super::error::TurnError;
use super::options::{ApiKey, ProviderOptions};
use super::refusal;
use super::sse::SseEvent;
use super::stream::{self, Flow, StreamRequest};
use super::turn::{
    LanguageModel, Message, MessagePart, Role, StopReason, ToolCall, Turn, TurnDelta, TurnRequest,
    Usage,
};
use crate::address;

/// Host whose API names the limit of tokens `max_completion_tokens`; others use the older name.
const HOST: &str = "api.openai.com";

/// A model behind the chat completions API. One request per turn: see [`super::Retried`].
#[derive(Debug)]
pub struct OpenAi {
    options: ProviderOptions,
    url: String,
}

impl OpenAi {
    /// Address of the provider.
    pub(crate) const URL: &'static str = "https://api.openai.com";

    /// Validates the address; sends nothing.
    ///
    /// # Errors
    /// The address is invalid.
    pub fn new(options: ProviderOptions) -> Result<Self, TurnError> {
        let url = options.endpoint("/chat/completions")?;
        Ok(Self { options, url })
    }

    /// The JSON body of a request.
    fn body_of(&self, request: &TurnRequest) -> Value {
        let mut body = json!({
            "messages": messages_of(request),
            "stream": true,
            "stream_options": { "include_usage": true },
        });
        if !self.options.model.is_empty() {
            body["model"] = json!(self.options.model);
        }
        let limit = match address::host_of(&self.url) == HOST {
            true => "max_completion_tokens",
            false => "max_tokens",
        };
        body[limit] = json!(request.max_tokens);
        if let Some(temperature) = request.temperature {
            body["temperature"] = json!(temperature);
        }
        if !request.stop.is_empty() {
            body["stop"] = json!(request.stop);
        }
        if !request.tools.is_empty() {
            let tools = request.tools.iter().map(|tool| {
                json!({
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.input_schema,
                    },
                })
            });
            body["tools"] = tools.collect();
        }
        if let Some(schema) = &request.schema {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": { "name": "answer", "schema": schema, "strict": is_strict(schema) },
            });
        }
        body
    }
}

impl LanguageModel for OpenAi {
    fn name(&self) -> &str {
        if self.options.model.is_empty() { &self.options.url } else { &self.options.model }
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        let key = self.options.key.as_ref();
        let bearer = |key: &ApiKey| ("authorization", format!("Bearer {}", key.expose()));
        let stream_request = StreamRequest {
            url: &self.url,
            socket: self.options.socket.as_deref(),
            headers: key.map(bearer).into_iter().collect(),
            key,
            body: self.body_of(request).to_string().into_bytes(),
            limits: &self.options.limits,
        };
        let mut assembly = Assembly::new(on);
        let mut is_done = false;
        let outcome = stream::events(ctx, stream_request, &mut |event| {
            let flow = accept(&mut assembly, &event)?;
            is_done |= flow == Flow::Done;
            Ok(flow)
        });
        match outcome {
            // The answer was complete; only the end mark or the usage is missing.
            Ok(()) | Err(TurnError::Interrupted { .. }) if is_done || assembly.stop.is_some() => {
                assembly.finish(request)
            }
            Ok(()) => Err(TurnError::Interrupted { reason: "`[DONE]` is missing".to_owned() }),
            Err(error) => Err(error),
        }
    }
}

fn messages_of(request: &TurnRequest) -> Vec<Value> {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    for message in &request.messages {
        match message.role {
            Role::User => add_user(message, &mut messages),
            Role::Assistant => add_assistant(message, &mut messages),
        }
    }
    messages
}

/// Results of tools are messages of their own, and follow the calls directly.
fn add_user(message: &Message, messages: &mut Vec<Value>) {
    for part in &message.parts {
        if let MessagePart::ToolResult { id, content, is_error } = part {
            let content = if *is_error { format!("error: {content}") } else { content.clone() };
            messages.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
        }
    }
    let text = text_of(message);
    if !text.is_empty() {
        messages.push(json!({ "role": "user", "content": text }));
    }
}

fn add_assistant(message: &Message, messages: &mut Vec<Value>) {
    let text = text_of(message);
    let calls: Vec<Value> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            MessagePart::ToolCall(call) => Some(call_of(call)),
            _ => None,
        })
        .collect();
    let content = if text.is_empty() { Value::Null } else { json!(text) };
    if calls.is_empty() {
        messages.push(json!({ "role": "assistant", "content": text }));
    } else {
        messages.push(json!({ "role": "assistant", "content": content, "tool_calls": calls }));
    }
}

fn call_of(call: &ToolCall) -> Value {
    let arguments = match &call.input {
        Value::Object(_) => call.input.to_string(),
        // Servers parse the arguments of earlier calls again.
        other => json!({ "malformed_arguments": other }).to_string(),
    };
    let function = json!({ "name": call.name, "arguments": arguments });
    json!({ "id": call.id, "type": "function", "function": function })
}

fn text_of(message: &Message) -> String {
    let texts: Vec<&str> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            MessagePart::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    texts.join("\n\n")
}

/// Whether the provider can enforce the schema: every object lists all fields as required and
/// allows no other.
fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let is_object = fields.get("type").is_some_and(|kind| kind == "object");
            let names = fields.get("properties").and_then(Value::as_object);
            let required = fields.get("required").and_then(Value::as_array);
            let all_required = names.is_none_or(|names| {
                names.keys().all(|name| required.is_some_and(|all| all.iter().any(|it| it == name)))
            });
            let closed = fields.get("additionalProperties") == Some(&Value::Bool(false));
            (!is_object || (closed && all_required)) && fields.values().all(is_strict)
        }
        Value::Array(values) => values.iter().all(is_strict),
        _ => true,
    }
}

/// Adds one event to the answer.
pub(super) fn accept(assembly: &mut Assembly<'_>, event: &SseEvent) -> Result<Flow, TurnError> {
    if event.data.trim() == "[DONE]" {
        return Ok(Flow::Done);
    }
    let data: Value = serde_json::from_str(&event.data)
        .map_err(|_| TurnError::Malformed { reason: "an event is not JSON".to_owned() })?;
    if !data["error"].is_null() {
        return Err(error_of(&data));
    }
    if let Some(model) = data["model"].as_str().filter(|_| assembly.model.is_empty()) {
        model.clone_into(&mut assembly.model);
    }
    if data["usage"].is_object() {
        assembly.used(usage_of(&data["usage"]));
    }
    let choices = data["choices"].as_array();
    let Some(choice) = choices.and_then(|all| all.iter().find(|it| is_first(it))) else {
        return Ok(Flow::More);
    };
    let delta = &choice["delta"];
    for text in ["content", "refusal"].map(|name| delta[name].as_str().unwrap_or_default()) {
        assembly.text(None, text)?;
    }
    for call in delta["tool_calls"].as_array().into_iter().flatten() {
        add_call(assembly, call)?;
    }
    if delta["refusal"].as_str().is_some_and(|text| !text.is_empty()) {
        assembly.stop = Some(StopReason::Refusal);
    } else if let Some(reason) = choice["finish_reason"].as_str()
        && assembly.stop != Some(StopReason::Refusal)
    {
        assembly.stop = Some(stop_of(reason));
    }
    Ok(Flow::More)
}

fn is_first(choice: &Value) -> bool {
    choice["index"].as_u64().unwrap_or(0) == 0
}

fn add_call(assembly: &mut Assembly<'_>, call: &Value) -> Result<(), TurnError> {
    let id = call["id"].as_str().unwrap_or_default();
    let function = &call["function"];
    let name = function["name"].as_str().unwrap_or_default();
    // Servers that send whole calls leave the index out: another id, or a name, starts a call.
    let index = call["index"].as_u64().unwrap_or_else(|| match assembly.last_call() {
        Some((last, index)) if name.is_empty() && (id.is_empty() || id == last) => index,
        Some((_, index)) => index.saturating_add(1),
        None => 0,
    });
    match &function["arguments"] {
        Value::String(arguments) => assembly.call(index, id, name, arguments),
        Value::Null => assembly.call(index, id, name, ""),
        // Some servers send the arguments as an object.
        arguments => assembly.call(index, id, name, &arguments.to_string()),
    }
}

fn stop_of(reason: &str) -> StopReason {
    match reason {
        "stop" => StopReason::EndTurn,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "length" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refusal,
        other => StopReason::Other(refusal::shortened(other)),
    }
}

fn usage_of(usage: &Value) -> Usage {
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let cached = count(&usage["prompt_tokens_details"]["cached_tokens"]);
    Usage {
        input_tokens: count(&usage["prompt_tokens"]).saturating_sub(cached),
        output_tokens: count(&usage["completion_tokens"]),
        cache_read_tokens: cached,
        cache_write_tokens: 0,
    }
}

/// An error within the stream.
fn error_of(data: &Value) -> TurnError {
    let code = &data["error"]["code"];
    let number = code.as_u64().or_else(|| code.as_str()?.parse().ok());
    let status = match data["error"]["type"].as_str() {
        Some("server_error") => 500,
        Some("rate_limit_exceeded" | "rate_limit_error") => 429,
        _ => number.and_then(|code| u16::try_from(code).ok()).unwrap_or(400),
    };
    TurnError::Refused { status, reason: refusal::message_in(data), retry_after_ms: None }
}
