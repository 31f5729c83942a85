//! An answer of a model, read as untrusted data: bounded, and sorted into an edit, look-ups, or
//! neither.

use model::language::{MessagePart, StopReason, ToolCall, ToolSpec, Turn, unhidden};
use serde_json::{Value, json};

use super::prompt::cut;

/// Maximum size of an answer in bytes.
const MAX_ANSWER: usize = 256 << 10;
/// Maximum depth of the arguments of a tool.
const MAX_DEPTH: usize = 16;
/// Maximum number of tool calls of one answer that get a result of their own.
pub(super) const MAX_CALLS: usize = 8;
/// Maximum size of a rationale in bytes.
const MAX_RATIONALE: usize = 300;
/// The tool that proposes an edit.
pub(super) const PROPOSE: &str = "propose_edit";
/// Start of an answer that proposes none.
const NO_EDIT: &str = "NO EDIT:";

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// An edit, in a format that `edit` reads.
    Edit {
        /// The text of the edit.
        text: String,
        /// Why, in one line; may be empty.
        rationale: String,
        /// Id of the tool call; `None`: the edit is the text of the answer.
        call: Option<String>,
    },
    /// Tool calls other than an edit.
    Lookups,
    /// No edit, and why: the model or its provider declines.
    Declined(String),
    /// Nothing that can be read, and why.
    Unreadable(String),
}

/// Limit of an answer that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReplyLimit {
    /// Its size, the depth of its arguments, or parts that no model writes.
    #[error("the answer has more than {MAX_ANSWER} bytes, or is no answer of a model")]
    Size,
    /// The number of its tool calls.
    #[error("the answer has {0} tool calls, {MAX_CALLS} are allowed")]
    Calls(usize),
}

/// Reads an answer.
pub(super) fn read(turn: &Turn) -> Reply {
    if let Err(limit) = bounded(turn) {
        return Reply::Unreadable(limit.to_string());
    }
    if let Some(call) = turn.calls().find(|it| it.name == PROPOSE) {
        return proposal(call);
    }
    if turn.calls().next().is_some() {
        return Reply::Lookups;
    }
    let text = turn.text();
    if let Some(at) = text.find(NO_EDIT) {
        return Reply::Declined(one_line(&text[at + NO_EDIT.len()..]));
    }
    match turn.stop {
        StopReason::Refusal => Reply::Declined("the provider refused to answer".to_owned()),
        StopReason::MaxTokens => {
            Reply::Unreadable("the answer was cut at its limit of tokens".to_owned())
        }
        _ if text.trim().is_empty() => Reply::Unreadable("the answer is empty".to_owned()),
        _ => Reply::Edit { text, rationale: String::new(), call: None },
    }
}

fn proposal(call: &ToolCall) -> Reply {
    let text = |name: &str| call.input.get(name).and_then(Value::as_str);
    let edit = match text("edit") {
        Some(edit) => edit.to_owned(),
        // Typed edits instead of their text.
        None if call.input.get("edits").is_some_and(Value::is_array) => {
            json!({ "edits": call.input["edits"] }).to_string()
        }
        None => return Reply::Unreadable(format!("`{PROPOSE}` has no text `edit`")),
    };
    let rationale = one_line(text("rationale").unwrap_or_default());
    Reply::Edit { text: edit, rationale, call: Some(call.id.clone()) }
}

/// Whether an answer is small enough to be read and to be sent back.
pub(super) fn bounded(turn: &Turn) -> Result<(), ReplyLimit> {
    let mut left = MAX_ANSWER;
    for part in &turn.parts {
        let fits = match part {
            MessagePart::Text { text } => take(&mut left, text.len()),
            MessagePart::ToolCall(call) => {
                take(&mut left, call.name.len() + call.id.len())
                    && take_value(&mut left, &call.input, MAX_DEPTH)
            }
            MessagePart::ToolResult { .. } => false,
        };
        if !fits {
            return Err(ReplyLimit::Size);
        }
    }
    let calls = turn.calls().count();
    match calls > MAX_CALLS {
        true => Err(ReplyLimit::Calls(calls)),
        false => Ok(()),
    }
}

fn take(left: &mut usize, size: usize) -> bool {
    let fits = size <= *left;
    *left = left.saturating_sub(size);
    fits
}

fn take_value(left: &mut usize, value: &Value, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match value {
        Value::String(text) => take(left, text.len()),
        Value::Array(values) => {
            take(left, values.len()) && values.iter().all(|it| take_value(left, it, depth))
        }
        Value::Object(fields) => {
            fields.iter().all(|(name, it)| take(left, name.len()) && take_value(left, it, depth))
        }
        _ => take(left, 8),
    }
}

/// The first line of a text that a model wrote, cleaned and cut.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    cut(&unhidden(line), MAX_RATIONALE)
}

/// The tools that a model may call.
pub(super) fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    };
    vec![
        tool(
            PROPOSE,
            "Proposes the edit. It is compiled and tested before it is applied; if it fails, the \
             result of this call is the reason.",
            json!({
                "edit": { "type": "string", "description": "search/replace blocks" },
                "rationale": { "type": "string", "description": "why, in one sentence" },
            }),
            &["edit", "rationale"],
        ),
        tool(
            "search",
            "Finds items of the project by a description, a name or an error.",
            json!({ "query": { "type": "string" } }),
            &["query"],
        ),
        tool(
            "show",
            "Returns one item of the project: signature, documentation, code, callers.",
            json!({ "item": { "type": "string", "description": "end of its path, such as `Type::method`" } }),
            &["item"],
        ),
    ]
}
