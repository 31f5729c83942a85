//! Names and shapes of version 1 of the protocol. All other files use only what is here.

use std::path::PathBuf;

use rpc::RpcError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The version that is spoken.
pub(crate) const VERSION: u64 = 1;

/// Most bytes of the text of a prompt.
const MOST_TEXT: usize = 256 << 10;

/// Reads parameters.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, RpcError> {
    serde_json::from_value(params).map_err(|error| RpcError::params(error.to_string()))
}

/// Parameters of `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize {
    #[serde(default)]
    pub(crate) client_capabilities: ClientCapabilities,
}

/// Abilities of the client. What it does not name, it is not asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClientCapabilities {
    pub(crate) fs: FileCapabilities,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct FileCapabilities {
    pub(crate) read_text_file: bool,
    pub(crate) write_text_file: bool,
}

/// Parameters of `session/new`.
#[derive(Debug, Deserialize)]
pub(crate) struct NewSession {
    pub(crate) cwd: PathBuf,
}

/// Parameters of `session/load` and `session/resume`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OldSession {
    pub(crate) session_id: String,
    pub(crate) cwd: PathBuf,
}

/// Parameters of `session/list`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ListSessions {
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) cursor: Option<String>,
}

/// Parameters that name a session alone.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfSession {
    pub(crate) session_id: String,
}

/// Parameters of `session/set_mode`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetMode {
    pub(crate) session_id: String,
    pub(crate) mode_id: String,
}

/// Parameters of `session/set_config_option`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetOption {
    pub(crate) session_id: String,
    pub(crate) config_id: String,
    pub(crate) value: Value,
}

/// Parameters of `session/prompt`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Prompt {
    pub(crate) session_id: String,
    pub(crate) prompt: Vec<Value>,
}

/// The text of a prompt, and the addresses of the files that it names. Parts of other kinds are an error: they
/// were not advertised.
pub(crate) fn prompt_text(blocks: &[Value]) -> Result<(String, Vec<String>), RpcError> {
    let mut texts: Vec<String> = Vec::new();
    let mut files = Vec::new();
    for block in blocks {
        let text = |value: &Value, field: &str| {
            let found = value.get(field).and_then(Value::as_str).map(str::to_owned);
            found.ok_or_else(|| RpcError::params(format!("a part of the prompt has no `{field}`")))
        };
        match block.get("type").and_then(Value::as_str) {
            Some("text") => texts.push(text(block, "text")?),
            Some("resource_link") => files.push(text(block, "uri")?),
            Some("resource") => {
                let resource = block.get("resource").unwrap_or(&Value::Null);
                files.push(text(resource, "uri")?);
            }
            other => {
                let kind = base::visible_line(other.unwrap_or("without a type"));
                return Err(RpcError::params(format!("parts `{kind}` of a prompt are not read")));
            }
        }
    }
    let text = texts.join("\n").trim().to_owned();
    if text.len() > MOST_TEXT {
        return Err(RpcError::params("a prompt has more than 256 KiB of text: name files instead"));
    }
    Ok((text, files))
}

/// The ways in which a session treats changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AcpMode {
    /// Nothing is changed, and nothing is searched for that would.
    Ask,
    /// A change is kept as a proposal.
    Propose,
    /// A verified change is written after the person agreed.
    Apply,
}

impl AcpMode {
    pub(crate) const ALL: [Self; 3] = [Self::Ask, Self::Propose, Self::Apply];

    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Propose => "propose",
            Self::Apply => "apply",
        }
    }

    fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Ask => ("Ask", "search and read; nothing is changed"),
            Self::Propose => ("Propose", "verified changes are kept as proposals"),
            Self::Apply => ("Apply", "verified changes are written after you agree to each"),
        }
    }

    pub(crate) fn of(id: &str) -> Result<Self, RpcError> {
        let found = Self::ALL.into_iter().find(|it| it.id() == id);
        found.ok_or_else(|| {
            RpcError::params(format!("there is no mode `{}`", base::visible_line(id)))
        })
    }
}

/// The answer to `initialize`.
pub(crate) fn initialized(version: &str) -> Value {
    json!({
        "protocolVersion": VERSION,
        "agentCapabilities": {
            "loadSession": true,
            "promptCapabilities": { "image": false, "audio": false, "embeddedContext": true },
            "mcpCapabilities": { "http": false, "sse": false },
            "sessionCapabilities": { "list": {}, "delete": {}, "resume": {}, "close": {} },
        },
        "authMethods": [],
        "agentInfo": { "name": "graftage", "title": "graftage", "version": version },
    })
}

/// Modes, and the same as an option, since older clients read only one of them.
pub(crate) fn session_state(mode: AcpMode) -> Value {
    let row = |it: AcpMode| {
        let (name, description) = it.text();
        json!({ "id": it.id(), "name": name, "description": description })
    };
    json!({
        "modes": {
            "currentModeId": mode.id(),
            "availableModes": AcpMode::ALL.map(row),
        },
        "configOptions": config_options(mode),
    })
}

/// The name of the one option.
pub(crate) const MODE_OPTION: &str = "mode";

pub(crate) fn config_options(mode: AcpMode) -> Value {
    let row = |it: AcpMode| {
        let (name, description) = it.text();
        json!({ "value": it.id(), "name": name, "description": description })
    };
    json!([{
        "id": MODE_OPTION,
        "name": "Mode",
        "category": "mode",
        "type": "select",
        "currentValue": mode.id(),
        "options": AcpMode::ALL.map(row),
    }])
}

/// The slash commands: name, description, and a hint where they take words.
const COMMANDS: [(&str, &str, Option<&str>); 14] = [
    ("fix", "repair what does not build", None),
    ("finish", "complete the change that you have started", None),
    (
        "refactor",
        "change a definition and all its uses",
        Some("rename ITEM NAME, move, inline, add-parameter …"),
    ),
    (
        "upgrade",
        "another version of a dependency, or another edition",
        Some("PACKAGE[@VERSION], or --edition YEAR"),
    ),
    ("task", "several steps, by rules or a language model", Some("1. … 2. …, or --resume PLAN")),
    ("search", "find items and files by words", Some("QUERY")),
    ("context", "pack the code of a task for a model", Some("TASK [--budget TOKENS]")),
    ("callers", "who calls an item", Some("ITEM")),
    ("impact", "what a change of an item may affect", Some("ITEM")),
    ("path", "how one item reaches another", Some("FROM TO")),
    ("proposals", "changes that wait", None),
    ("open", "review a proposal", Some("ID")),
    ("undo", "undo a written change", Some("[ID]")),
    ("policy", "what opens the gate", Some("[explain ID]")),
];

/// Updates of a session.
pub(crate) mod update {
    use super::*;

    pub(crate) fn user(text: &str) -> Value {
        json!({ "sessionUpdate": "user_message_chunk", "content": { "type": "text", "text": text } })
    }

    pub(crate) fn message(text: &str) -> Value {
        let text = base::visible(text);
        json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } })
    }

    pub(crate) fn thought(text: &str) -> Value {
        let text = base::visible(text);
        json!({ "sessionUpdate": "agent_thought_chunk", "content": { "type": "text", "text": text } })
    }

    pub(crate) fn commands() -> Value {
        let rows = COMMANDS.iter().map(|(name, description, hint)| {
            let input = hint.map(|hint| json!({ "hint": hint }));
            let mut row = json!({ "name": name, "description": description });
            if let Some(input) = input {
                row["input"] = input;
            }
            row
        });
        json!({
            "sessionUpdate": "available_commands_update",
            "availableCommands": rows.collect::<Vec<_>>(),
        })
    }

    pub(crate) fn mode(mode: AcpMode) -> Value {
        json!({ "sessionUpdate": "current_mode_update", "currentModeId": mode.id() })
    }

    pub(crate) fn usage(used: u64, size: u64, cost: f64) -> Value {
        json!({
            "sessionUpdate": "usage_update",
            "used": used,
            "size": size,
            "cost": { "amount": cost, "currency": "USD" },
        })
    }

    /// Entries of a plan: text, and how far each is.
    pub(crate) fn plan(entries: &[(String, PlanStatus)]) -> Value {
        let rows = entries.iter().map(|(content, status)| {
            let content = base::visible_line(content);
            json!({ "content": content, "priority": "medium", "status": status.name() })
        });
        json!({ "sessionUpdate": "plan", "entries": rows.collect::<Vec<_>>() })
    }

    pub(crate) fn tool_call(id: &str, title: &str, kind: ToolKind) -> Value {
        json!({
            "sessionUpdate": "tool_call",
            "toolCallId": id,
            "title": base::visible_line(title),
            "kind": kind.name(),
            "status": ToolStatus::InProgress.name(),
        })
    }

    /// A change of a call: only the given fields change.
    pub(crate) fn tool_call_update(id: &str, fields: &ToolFields) -> Value {
        let mut value = fields.to_value(id);
        value["sessionUpdate"] = "tool_call_update".into();
        value
    }
}

/// How far an entry of a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlanStatus {
    Pending,
    InProgress,
    Completed,
}

impl PlanStatus {
    fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }
}

/// The kind of a call, by which editors choose a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolKind {
    Edit,
    Search,
    Execute,
}

impl ToolKind {
    fn name(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Search => "search",
            Self::Execute => "execute",
        }
    }
}

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolStatus {
    Pending,
    InProgress,
    Completed,
    Failed,
}

impl ToolStatus {
    fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// Fields of a call that are new.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolFields {
    pub(crate) title: Option<String>,
    pub(crate) kind: Option<ToolKind>,
    pub(crate) status: Option<ToolStatus>,
    pub(crate) diffs: Vec<FileDiff>,
    /// Text below the diffs.
    pub(crate) text: Option<String>,
    /// Files with lines from 1.
    pub(crate) locations: Vec<(PathBuf, u32)>,
}

/// A file before and after a change.
#[derive(Clone, Debug)]
pub(crate) struct FileDiff {
    /// Absolute path.
    pub(crate) path: PathBuf,
    pub(crate) old: Option<String>,
    pub(crate) new: String,
}

impl ToolFields {
    pub(crate) fn status(status: ToolStatus) -> Self {
        Self { status: Some(status), ..Self::default() }
    }

    pub(crate) fn to_value(&self, id: &str) -> Value {
        let mut value = json!({ "toolCallId": id });
        if let Some(title) = &self.title {
            value["title"] = base::visible_line(title).into();
        }
        if let Some(kind) = self.kind {
            value["kind"] = kind.name().into();
        }
        if let Some(status) = self.status {
            value["status"] = status.name().into();
        }
        let diffs = self.diffs.iter().map(
            |it| json!({ "type": "diff", "path": it.path, "oldText": it.old, "newText": it.new }),
        );
        let text = self
            .text
            .iter()
            .map(|it| json!({ "type": "content", "content": { "type": "text", "text": it } }));
        let content: Vec<Value> = diffs.chain(text).collect();
        if !content.is_empty() {
            value["content"] = content.into();
        }
        if !self.locations.is_empty() {
            let rows =
                self.locations.iter().map(|(path, line)| json!({ "path": path, "line": line }));
            value["locations"] = rows.collect::<Vec<_>>().into();
        }
        value
    }
}

/// An option of a question.
#[derive(Clone, Debug)]
pub(crate) struct PermissionChoice {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
}

/// The four options of a question about a write.
pub(crate) fn write_choices() -> Vec<PermissionChoice> {
    let row = |id: &str, name: &str, kind| PermissionChoice {
        id: id.to_owned(),
        name: name.to_owned(),
        kind,
    };
    vec![
        row("allow_once", "Write this change", "allow_once"),
        row("allow_always", "Write it, and all of this session whose tests pass", "allow_always"),
        row("reject_once", "Do not write it", "reject_once"),
        row("reject_always", "Do not write it, and only propose from now on", "reject_always"),
    ]
}

/// Parameters of `session/request_permission`.
pub(crate) fn permission(session: &str, call: &Value, choices: &[PermissionChoice]) -> Value {
    let rows = choices
        .iter()
        .map(|it| json!({ "optionId": it.id, "name": it.name, "kind": it.kind }))
        .collect::<Vec<_>>();
    json!({ "sessionId": session, "toolCall": call, "options": rows })
}

/// The answer to a question: the chosen option; `None`: the prompt was cancelled.
pub(crate) fn chosen(answer: &Value) -> Result<Option<String>, RpcError> {
    let outcome = answer.get("outcome").unwrap_or(&Value::Null);
    match outcome.get("outcome").and_then(Value::as_str) {
        Some("cancelled") => Ok(None),
        Some("selected") => match outcome.get("optionId").and_then(Value::as_str) {
            Some(id) => Ok(Some(id.to_owned())),
            None => Err(RpcError::params("the answer names no option")),
        },
        _ => Err(RpcError::params("the answer has no outcome")),
    }
}

/// How a prompt ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    EndTurn,
    Cancelled,
}

impl StopReason {
    pub(crate) fn answer(self) -> Value {
        let name = match self {
            Self::EndTurn => "end_turn",
            Self::Cancelled => "cancelled",
        };
        json!({ "stopReason": name })
    }
}

/// The path of a `file:` address or an absolute path; `None` for anything else.
pub(crate) fn path_of(address: &str) -> Option<PathBuf> {
    let text = match address.strip_prefix("file://") {
        Some(rest) => decoded(rest.strip_prefix("localhost").unwrap_or(rest))?,
        None => address.to_owned(),
    };
    let path = PathBuf::from(text.split(['#', '?']).next().unwrap_or_default());
    path.is_absolute().then_some(path)
}

/// A text without percent signs of an address; `None` if they are no UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digit = |at: usize| tail.get(at).and_then(|it| char::from(*it).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).ok()?);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths() {
        let path = |it: &str| path_of(it).map(|it| it.display().to_string());
        assert_eq!(path("file:///a/b%20c/%C3%BC.rs#L3").as_deref(), Some("/a/b c/ü.rs"));
        assert_eq!(path("/a/b.rs").as_deref(), Some("/a/b.rs"));
        assert_eq!(path("b.rs"), None);
        assert_eq!(path("https://a/b"), None);
        assert_eq!(path("file:///%FF"), None);
    }

    #[test]
    fn prompts_have_texts_and_files() {
        let blocks = json!([
            { "type": "text", "text": "fix" },
            { "type": "resource_link", "uri": "file:///a.rs", "name": "a" },
            { "type": "resource", "resource": { "uri": "file:///b.rs", "text": "x" } },
        ]);
        let blocks = blocks.as_array().unwrap();
        let (text, files) = prompt_text(blocks).unwrap();
        assert_eq!((text.as_str(), files.len()), ("fix", 2));
        for wrong in [json!({ "type": "image" }), json!({}), json!({ "type": "text" }), json!(1)] {
            assert!(prompt_text(std::slice::from_ref(&wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn answers_to_questions_are_read() {
        let selected = json!({ "outcome": { "outcome": "selected", "optionId": "x" } });
        assert_eq!(chosen(&selected).unwrap().as_deref(), Some("x"));
        assert_eq!(chosen(&json!({ "outcome": { "outcome": "cancelled" } })).unwrap(), None);
        for wrong in [
            json!(null),
            json!({ "outcome": "selected" }),
            json!({ "outcome": { "outcome": "selected" } }),
        ] {
            assert!(chosen(&wrong).is_err(), "{wrong}");
        }
    }
}
