//! Names and shapes of the protocol, version 1.0. Another version is another such file.
//!
//! Requests are read as the JSON form of protocol buffers: names of fields in either case, numbers and flags also
//! as texts (so parameters of an address are read by the same types), `null` as absent.

use base::Timestamp;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use crate::error::{A2aError, Refused};

/// The version of the protocol.
pub(crate) const VERSION: &str = "1.0";

/// Most parts of a message.
const MOST_PARTS: usize = 64;

/// Most bytes of a message.
const MOST_BYTES: usize = 256 << 10;

/// Longest id of a client, in bytes.
const LONGEST_ID: usize = 128;

/// State of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum A2aState {
    /// It waits for its turn.
    #[serde(rename = "TASK_STATE_SUBMITTED")]
    Submitted,
    /// It is worked on.
    #[serde(rename = "TASK_STATE_WORKING")]
    Working,
    /// It ended with a result.
    #[serde(rename = "TASK_STATE_COMPLETED")]
    Completed,
    /// It ended without a result.
    #[serde(rename = "TASK_STATE_FAILED")]
    Failed,
    /// It was ended by its client.
    #[serde(rename = "TASK_STATE_CANCELED")]
    Canceled,
    /// It waits for an answer of its client.
    #[serde(rename = "TASK_STATE_INPUT_REQUIRED")]
    InputRequired,
    /// It was not taken on.
    #[serde(rename = "TASK_STATE_REJECTED")]
    Rejected,
    /// It waits for credentials.
    #[serde(rename = "TASK_STATE_AUTH_REQUIRED")]
    AuthRequired,
}

impl A2aState {
    /// Whether the task has ended.
    pub(crate) fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled | Self::Rejected)
    }

    /// Whether nothing happens until its client does something.
    pub(crate) fn is_settled(self) -> bool {
        self.is_final() || matches!(self, Self::InputRequired | Self::AuthRequired)
    }

    /// The state of a name, with or without its prefix.
    fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase().replace('-', "_");
        let name = name.strip_prefix("TASK_STATE_").unwrap_or(&name);
        serde_json::from_value(Value::from(format!("TASK_STATE_{name}"))).ok()
    }
}

/// A part of a message or artifact: one of text, bytes, address and data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct A2aPart {
    /// A text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Bytes in base 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// Address of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Anything of its sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// Name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// Its media type.
    #[serde(alias = "media_type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
}

impl A2aPart {
    /// A text of a media type.
    pub fn text(text: impl Into<String>, media_type: &str) -> Self {
        Self { text: Some(text.into()), media_type: Some(media_type.to_owned()), ..Self::default() }
    }

    /// Data as JSON.
    pub fn data(data: Value) -> Self {
        Self {
            data: Some(data),
            media_type: Some("application/json".to_owned()),
            ..Self::default()
        }
    }

    fn contents(&self) -> usize {
        let texts = [&self.text, &self.raw, &self.url].into_iter().flatten().count();
        texts + usize::from(self.data.is_some())
    }
}

/// A message of the client or the agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct A2aMessage {
    /// Its id, made by its sender.
    #[serde(alias = "message_id")]
    pub message_id: String,
    /// The group of tasks that it belongs to.
    #[serde(alias = "context_id", skip_serializing_if = "Option::is_none")]
    pub context_id: Option<String>,
    /// The task that it belongs to.
    #[serde(alias = "task_id", skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// `ROLE_USER` or `ROLE_AGENT`.
    pub role: String,
    /// Its content.
    pub parts: Vec<A2aPart>,
    /// Anything of its sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// Extensions of the protocol that it uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Vec<String>>,
    /// Tasks that it refers to.
    #[serde(alias = "reference_task_ids", skip_serializing_if = "Option::is_none")]
    pub reference_task_ids: Option<Vec<String>>,
}

impl A2aMessage {
    /// The texts of its parts, one after the other.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|it| it.text.as_deref());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Its size in bytes, as JSON.
    pub(crate) fn size(&self) -> usize {
        serde_json::to_vec(self).map_or(usize::MAX, |it| it.len())
    }

    /// Checks a message of a client; `media_types` are those that its parts may have.
    pub(crate) fn check(&self, media_types: &[&str]) -> Result<(), A2aError> {
        let wrong = |text: &str| Err(A2aError::params(text));
        if self.message_id.is_empty() || self.message_id.len() > LONGEST_ID {
            return wrong("`message.messageId` is missing or too long");
        }
        if !matches!(self.role.as_str(), "ROLE_USER" | "ROLE_UNSPECIFIED") {
            return wrong("`message.role` is not `ROLE_USER`");
        }
        if self.parts.is_empty() || self.parts.len() > MOST_PARTS {
            return wrong("`message.parts` has no part, or more than 64");
        }
        if self.parts.iter().any(|it| it.contents() != 1) {
            return wrong("each of `message.parts` has one of `text`, `raw`, `url` and `data`");
        }
        if self.context_id.as_deref().is_some_and(|it| !is_id(it)) {
            return wrong("`message.contextId` is no id: letters, digits and `-._~`, at most 128");
        }
        if self.size() > MOST_BYTES {
            return wrong("`message` has more than 256 KiB");
        }
        for part in &self.parts {
            let own = if part.data.is_some() { "application/json" } else { "text/plain" };
            let given = part.media_type.as_deref().filter(|it| !it.is_empty()).unwrap_or(own);
            let name = given.split(';').next().unwrap_or_default().trim();
            let is_file = part.raw.is_some() || part.url.is_some();
            if is_file || !media_types.iter().any(|it| it.eq_ignore_ascii_case(name)) {
                let name = if is_file { "a file" } else { name };
                let message = format!(
                    "`message.parts`: {} is not read; send {}",
                    base::visible_line(name),
                    media_types.join(" or ")
                );
                return Err(A2aError::new(Refused::ContentType, message));
            }
        }
        Ok(())
    }
}

/// A result of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct A2aArtifact {
    /// Its id in the task.
    pub artifact_id: String,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Description, one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its content.
    pub parts: Vec<A2aPart>,
}

/// A webhook of a client, as it is kept and sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PushConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    #[serde(alias = "task_id", skip_serializing_if = "Option::is_none")]
    pub(crate) task_id: Option<String>,
    pub(crate) url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) authentication: Option<PushAuthentication>,
}

/// Credentials that a webhook requires.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PushAuthentication {
    pub(crate) scheme: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) credentials: Option<String>,
}

/// `SendMessage` and `SendStreamingMessage`.
#[derive(Debug, Deserialize)]
pub(crate) struct SendRequest {
    pub(crate) message: A2aMessage,
    pub(crate) configuration: Option<SendConfiguration>,
}

/// How a message is answered.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SendConfiguration {
    #[serde(alias = "task_push_notification_config")]
    pub(crate) task_push_notification_config: Option<PushConfig>,
    #[serde(alias = "history_length", deserialize_with = "number")]
    pub(crate) history_length: Option<i64>,
    #[serde(alias = "return_immediately", deserialize_with = "flag")]
    pub(crate) return_immediately: Option<bool>,
}

/// `GetTask`, `CancelTask` and `SubscribeToTask`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskRequest {
    pub(crate) id: String,
    #[serde(default, alias = "history_length", deserialize_with = "number")]
    pub(crate) history_length: Option<i64>,
}

/// `ListTasks`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ListRequest {
    #[serde(alias = "context_id")]
    pub(crate) context_id: Option<String>,
    pub(crate) status: Option<String>,
    #[serde(alias = "page_size", deserialize_with = "number")]
    pub(crate) page_size: Option<i64>,
    #[serde(alias = "page_token")]
    pub(crate) page_token: Option<String>,
    #[serde(alias = "history_length", deserialize_with = "number")]
    pub(crate) history_length: Option<i64>,
    #[serde(alias = "status_timestamp_after")]
    pub(crate) status_timestamp_after: Option<String>,
    #[serde(alias = "include_artifacts", deserialize_with = "flag")]
    pub(crate) include_artifacts: Option<bool>,
}

impl ListRequest {
    /// The state that is asked for.
    pub(crate) fn state(&self) -> Result<Option<A2aState>, A2aError> {
        match self.status.as_deref().filter(|it| !it.is_empty()) {
            None | Some("TASK_STATE_UNSPECIFIED") => Ok(None),
            Some(name) => match A2aState::of(name) {
                Some(state) => Ok(Some(state)),
                None => Err(A2aError::params("`status` is no state of a task")),
            },
        }
    }
}

/// A webhook, or those of a task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushRequest {
    #[serde(alias = "task_id")]
    pub(crate) task_id: String,
    #[serde(default)]
    pub(crate) id: Option<String>,
}

fn number<'de, D: Deserializer<'de>>(input: D) -> Result<Option<i64>, D::Error> {
    match Value::deserialize(input)? {
        Value::Null => Ok(None),
        Value::Number(number) => {
            number.as_i64().map(Some).ok_or_else(|| D::Error::custom("no whole number"))
        }
        Value::String(text) => text.parse().map(Some).map_err(D::Error::custom),
        _ => Err(D::Error::custom("no number")),
    }
}

fn flag<'de, D: Deserializer<'de>>(input: D) -> Result<Option<bool>, D::Error> {
    match Value::deserialize(input)? {
        Value::Null => Ok(None),
        Value::Bool(flag) => Ok(Some(flag)),
        Value::String(text) => text.parse().map(Some).map_err(D::Error::custom),
        _ => Err(D::Error::custom("neither true nor false")),
    }
}

/// Reads parameters; absent ones are an empty object.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, A2aError> {
    let params = if params.is_null() { json!({}) } else { params };
    serde_json::from_value(params).map_err(|error| {
        A2aError::params(format!("parameters: {}", base::visible_line(&error.to_string())))
    })
}

/// Checks a length of history.
pub(crate) fn history_length(asked: Option<i64>) -> Result<Option<usize>, A2aError> {
    let Some(asked) = asked else { return Ok(None) };
    let length = usize::try_from(asked);
    length.map(Some).map_err(|_| A2aError::params("`historyLength` is negative"))
}

/// Whether a text of a client may be an id.
pub(crate) fn is_id(text: &str) -> bool {
    let fits = |it: u8| it.is_ascii_alphanumeric() || b"-._~".contains(&it);
    (1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(fits)
}

/// A time with its milliseconds.
pub(crate) fn time(at: Timestamp) -> String {
    let seconds = at.rfc3339();
    format!("{}.{:03}Z", seconds.trim_end_matches('Z'), at.0 / 1_000 % 1_000)
}

/// Reads a time such as `2026-11-25T08:30:00.250Z`.
pub(crate) fn time_of(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_once(['T', 't'])?;
    let rest = rest.strip_suffix(['Z', 'z'])?;
    let (clock, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    let two = |text: &str, below: u64| {
        let number = text.parse::<u64>().ok().filter(|it| *it < below);
        number.filter(|_| text.len() == 2 && text.bytes().all(|it| it.is_ascii_digit()))
    };
    let mut parts = clock.split(':');
    let (hour, minute, second) =
        (two(parts.next()?, 24)?, two(parts.next()?, 60)?, two(parts.next()?, 61)?);
    let is_fraction =
        (1..=9).contains(&fraction.len()) && fraction.bytes().all(|it| it.is_ascii_digit());
    if parts.next().is_some() || !is_fraction {
        return None;
    }
    let micros: u64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    let day = Timestamp::of_date(date)?.0;
    let seconds = (hour * 60 + minute) * 60 + second;
    day.checked_add(seconds * 1_000_000 + micros).map(Timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(value: Value) -> Result<(), Refused> {
        let read: Result<SendRequest, _> = read(json!({ "message": value }));
        let read = read.map_err(|error| error.kind)?;
        read.message.check(&["text/plain", "application/json"]).map_err(|error| error.kind)
    }

    #[test]
    fn messages_are_checked() {
        let part = json!({ "text": "fix" });
        let good = json!({ "messageId": "1", "role": "ROLE_USER", "parts": [part] });
        assert_eq!(message(good.clone()), Ok(()));
        let with = |name: &str, value: Value| {
            let mut changed = good.clone();
            changed[name] = value;
            message(changed)
        };
        let params = Err(Refused::Params);
        assert_eq!(with("messageId", json!("")), params);
        assert_eq!(with("role", json!("ROLE_AGENT")), params);
        assert_eq!(with("parts", json!([])), params);
        assert_eq!(with("parts", json!(null)), params);
        assert_eq!(with("parts", json!([{}])), params);
        assert_eq!(with("parts", json!([{ "text": "a", "data": 1 }])), params);
        assert_eq!(with("parts", json!([{ "text": "a".repeat(MOST_BYTES + 1) }])), params);
        assert_eq!(with("contextId", json!("../x")), params);
        assert_eq!(with("taskId", json!(null)), Ok(()));
        assert_eq!(with("parts", json!([{ "data": { "answer": "yes" } }])), Ok(()));
        let media = Err(Refused::ContentType);
        assert_eq!(with("parts", json!([{ "text": "a", "mediaType": "image/png" }])), media);
        assert_eq!(with("parts", json!([{ "raw": "dGNr" }])), media);
        assert_eq!(with("parts", json!([{ "url": "http://127.0.0.1/" }])), media);
        assert!(
            read::<SendRequest>(json!({})).is_err() && read::<SendRequest>(json!(null)).is_err()
        );
        assert!(read::<SendRequest>(json!([])).is_err());
    }

    #[test]
    fn numbers_states_and_either_case_are_read() {
        let asked: ListRequest =
            read(json!({ "pageSize": "7", "history_length": 2, "includeArtifacts": "true" }))
                .unwrap();
        assert_eq!((asked.page_size, asked.history_length), (Some(7), Some(2)));
        assert_eq!(asked.include_artifacts, Some(true));
        for wrong in [json!({ "pageSize": "x" }), json!({ "pageSize": 1.5 }), json!([1])] {
            assert!(read::<ListRequest>(wrong).is_err());
        }
        assert_eq!(A2aState::of("working"), Some(A2aState::Working));
        assert_eq!(A2aState::of("TASK_STATE_INPUT_REQUIRED"), Some(A2aState::InputRequired));
        assert_eq!(A2aState::of("nothing"), None);
        assert_eq!(history_length(Some(-1)).unwrap_err().kind, Refused::Params);
    }

    #[test]
    fn times_are_read_as_they_are_written() {
        let at = Timestamp(1_700_000_000_123_000);
        assert_eq!(time(at), "2023-11-14T22:13:20.123Z");
        assert_eq!(time_of(&time(at)), Some(at));
        assert_eq!(time_of("2023-11-14T22:13:20Z"), Some(Timestamp(1_700_000_000_000_000)));
        for wrong in ["", "2023-11-14", "2023-11-14T22:13Z", "2023-11-14T22:13:20+01:00", "éTéZ"]
        {
            assert_eq!(time_of(wrong), None, "{wrong}");
        }
    }
}
