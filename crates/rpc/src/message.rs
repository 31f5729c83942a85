//! Messages as they are read.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::RpcError;

/// Longest id in bytes.
const LONGEST_ID: usize = 256;

/// The id of a request of the other side: a JSON string, number or `null`, as it was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RpcId(String);

impl RpcId {
    /// The id of an answer to what could not be read.
    pub(crate) fn null() -> Self {
        Self("null".to_owned())
    }

    /// The id as a JSON value, for a notification about its request.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or(Value::Null)
    }

    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }

    pub(crate) fn of_value(value: &Value) -> Self {
        Self(value.to_string())
    }

    fn of(raw: &RawValue) -> Result<Self, RpcError> {
        let text = raw.get();
        let is_number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        // A number that has no value, such as `1e999`, could not be read by who gets the answer.
        let is_readable = serde_json::from_str::<Value>(text).is_ok();
        let is_short = text.len() <= LONGEST_ID && is_readable;
        match is_short && (is_number || text.starts_with('"') || text == "null") {
            true => Ok(Self(text.to_owned())),
            false => Err(invalid("`id` is no short string, number or null")),
        }
    }
}

/// A message of the other side.
#[derive(Debug)]
pub(crate) enum Message {
    Request(RpcId, String, Value),
    Notification(String, Value),
    Answer(RpcId, Result<Value, RpcError>),
}

#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(default)]
    jsonrpc: Option<String>,
    /// `"id": null` is an id; only an absent one makes a notification.
    #[serde(default, borrow, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(default)]
    method: Option<Value>,
    #[serde(default)]
    params: Option<Value>,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

fn invalid(reason: &str) -> RpcError {
    RpcError::new(RpcError::INVALID, reason)
}

impl Message {
    /// Reads a line; the error has the id that its answer needs.
    pub(crate) fn read(line: &[u8]) -> Result<Self, (RpcId, RpcError)> {
        let unreadable = |reason: String| (RpcId::null(), RpcError::new(RpcError::PARSE, reason));
        let text = std::str::from_utf8(line).map_err(|_| unreadable("no UTF-8".to_owned()))?;
        let wire: Wire<'_> = match serde_json::from_str(text) {
            Ok(wire) if text.trim_start().starts_with('{') => wire,
            // An object of the wrong shape, or no object.
            Ok(_) => {
                return Err((
                    RpcId::null(),
                    invalid("the message is no request, notification or answer"),
                ));
            }
            Err(_) if serde_json::from_str::<Value>(text).is_ok() => {
                return Err((
                    RpcId::null(),
                    invalid("the message is no request, notification or answer"),
                ));
            }
            Err(error) => return Err(unreadable(error.to_string())),
        };
        let id = wire.id.map(RpcId::of).transpose().map_err(|error| (RpcId::null(), error))?;
        let refused = |reason: &str| (id.clone().unwrap_or_else(RpcId::null), invalid(reason));
        if wire.jsonrpc.as_deref() != Some("2.0") {
            return Err(refused("`jsonrpc` is not \"2.0\""));
        }
        match (wire.method, &id) {
            (Some(Value::String(method)), _) => {
                let params = wire.params.unwrap_or(Value::Null);
                if !matches!(params, Value::Null | Value::Object(_) | Value::Array(_)) {
                    return Err(refused("`params` is no object"));
                }
                Ok(match id {
                    Some(id) => Self::Request(id, method, params),
                    None => Self::Notification(method, params),
                })
            }
            (Some(_), _) => Err(refused("`method` is no string")),
            (None, Some(of)) => Ok(Self::Answer(
                of.clone(),
                match wire.error {
                    Some(error) => Err(RpcError::of_value(&error)),
                    None => Ok(wire.result.unwrap_or(Value::Null)),
                },
            )),
            (None, None) => Err(refused("the message has neither `method` nor `id`")),
        }
    }
}

/// A value that is there, also where it is `null`.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(input: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(input).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        match Message::read(line.as_bytes()) {
            Ok(Message::Request(id, method, params)) => {
                format!("{} {method} {params}", id.as_json())
            }
            Ok(Message::Notification(method, params)) => format!("- {method} {params}"),
            Ok(Message::Answer(id, Ok(value))) => format!("{} = {value}", id.as_json()),
            Ok(Message::Answer(id, Err(error))) => format!("{} ! {error}", id.as_json()),
            Err((id, error)) => format!("{} {} {error}", id.as_json(), error.code),
        }
    }

    #[test]
    fn messages_are_read_and_ids_kept_as_they_are() {
        let rows = [
            (r#"{"jsonrpc":"2.0","id":1.0,"method":"a"}"#, "1.0 a null"),
            (
                r#"{"jsonrpc":"2.0","id":"\u00e9","method":"a","params":{"x":1}}"#,
                r#""\u00e9" a {"x":1}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"a"}"#,
                "123456789012345678901234567890 a null",
            ),
            (r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, "null a null"),
            (r#"{"jsonrpc":"2.0","method":"a","params":[1]}"#, "- a [1]"),
            (r#"{"jsonrpc":"2.0","id":7,"result":null}"#, "7 = null"),
            (
                r#"{"jsonrpc":"2.0","id":7,"error":{"code":5,"message":"no\u001b["}}"#,
                "7 ! no\\u{1b}[",
            ),
            (
                r#"{"jsonrpc":"2.0","id":{},"method":"a"}"#,
                "null -32600 `id` is no short string, number or null",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1e999,"method":"a"}"#,
                "null -32600 `id` is no short string, number or null",
            ),
            (r#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, "1 -32600 `jsonrpc` is not \"2.0\""),
            (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, "1 -32600 `method` is no string"),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"a","params":"x"}"#,
                "1 -32600 `params` is no object",
            ),
            (r#"{"jsonrpc":"2.0"}"#, "null -32600 the message has neither `method` nor `id`"),
            ("[]", "null -32600 the message is no request, notification or answer"),
            ("7", "null -32600 the message is no request, notification or answer"),
        ];
        for (line, expected) in rows {
            assert_eq!(read(line), expected, "{line}");
        }
        assert!(read("{").starts_with("null -32700 "));
        assert!(read(&"[".repeat(100_000)).starts_with("null -32700 "));
        assert!(read("\u{fffd}").starts_with("null -32700 "));
    }
}
