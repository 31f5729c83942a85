//! Responses that are no answer: error statuses, pages of proxies, failed connections. Their texts
//! are untrusted: shortened, without control characters and without secrets.

use std::io::ErrorKind;
use std::time::UNIX_EPOCH;

use base::Timestamp;
use serde_json::Value;

use super::error::TurnError;
use super::options::ApiKey;
use super::redact::redact;

/// Maximum number of bytes that are read of a body.
pub(super) const MAX_BODY: usize = 64 << 10;
/// Maximum length of a message in bytes.
const MAX_MESSAGE: usize = 300;

/// Status and headers of a response, as far as they are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// HTTP status.
    pub(super) status: u16,
    /// `content-type`.
    pub(super) content_type: String,
    /// `retry-after`: seconds or a date.
    pub(super) retry_after: Option<String>,
    /// `retry-after-ms`: milliseconds.
    pub(super) retry_after_ms: Option<String>,
}

impl Head {
    pub(super) fn of<B>(response: &ureq::http::Response<B>) -> Self {
        let header = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        Self {
            status: response.status().as_u16(),
            content_type: header("content-type").unwrap_or_default(),
            retry_after: header("retry-after"),
            retry_after_ms: header("retry-after-ms"),
        }
    }

    /// Whether the body is a stream of events. Some local servers send no content type.
    pub(super) fn is_event_stream(&self) -> bool {
        let kind = self.content_type.split(';').next().unwrap_or_default().trim();
        kind.is_empty() || kind.eq_ignore_ascii_case("text/event-stream")
    }

    /// The pause that the provider asks for, in milliseconds.
    fn pause(&self, now: Timestamp) -> Option<u64> {
        if let Some(ms) = self.retry_after_ms.as_ref().and_then(|text| text.trim().parse().ok()) {
            return Some(ms);
        }
        let text = self.retry_after.as_ref()?.trim();
        if let Ok(seconds) = text.parse::<u64>() {
            return Some(seconds.saturating_mul(1000));
        }
        let then = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(then.as_secs().saturating_mul(1000).saturating_sub(now.0 / 1000))
    }
}

/// The error of a response with an error status.
pub(super) fn error_of(head: &Head, body: &[u8], now: Timestamp) -> TurnError {
    TurnError::Refused {
        status: head.status,
        reason: message_of(body),
        retry_after_ms: head.pause(now),
    }
}

/// The error of a response with status 200 that is no stream of events.
pub(super) fn not_a_stream(head: &Head, body: &[u8]) -> TurnError {
    let kind = shortened(&head.content_type);
    let reason =
        format!("content type `{kind}` instead of `text/event-stream`: {}", message_of(body));
    TurnError::Malformed { reason }
}

/// The message in the body of an error response.
fn message_of(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if text.is_empty() {
        return "no message".to_owned();
    }
    if text.starts_with('<') {
        return "an HTML page".to_owned();
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value) => message_in(&value),
        Err(_) => shortened(text),
    }
}

/// The message in a JSON error: `{"error": {"type", "message"}}` and its variants.
pub(super) fn message_in(value: &Value) -> String {
    let error = value.get("error").unwrap_or(value);
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    let message = text("message").or_else(|| text("detail")).or_else(|| error.as_str());
    let message = message.map_or_else(|| error.to_string(), str::to_owned);
    match text("type").or_else(|| text("code")) {
        Some(kind) => shortened(&format!("{kind}: {message}")),
        None => shortened(&message),
    }
}

/// A text of a provider for a message: one line, short, without secrets.
pub(super) fn shortened(text: &str) -> String {
    let line: String = text
        .chars()
        .take(4 * MAX_MESSAGE)
        .map(|ch| if ch.is_control() { ' ' } else { ch })
        .collect();
    let (line, _) = redact(line.trim());
    match line.len() > MAX_MESSAGE {
        true => format!("{}…", &line[..line.floor_char_boundary(MAX_MESSAGE)]),
        false => line,
    }
}

/// The same error without the key, which a server may repeat in its message.
pub(super) fn without_key(mut error: TurnError, key: Option<&ApiKey>) -> TurnError {
    let Some(key) = key.map(ApiKey::expose) else { return error };
    if let TurnError::Refused { reason, .. }
    | TurnError::Malformed { reason }
    | TurnError::Unreachable { reason }
    | TurnError::Interrupted { reason } = &mut error
        && reason.contains(key)
    {
        *reason = reason.replace(key, "[redacted:key]");
    }
    error
}

/// The error of a request without response.
pub(super) fn failed_request(error: &ureq::Error) -> TurnError {
    // Its message would repeat the address.
    let reason = match error {
        ureq::Error::BadUri(_) => "the address is invalid".to_owned(),
        error => shortened(&error.to_string()),
    };
    match error {
        ureq::Error::LargeResponseHeader(..) | ureq::Error::Protocol(_) => {
            TurnError::Malformed { reason }
        }
        // The request was sent, at least in part.
        ureq::Error::Io(io)
            if matches!(
                io.kind(),
                ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
            ) =>
        {
            TurnError::Interrupted { reason }
        }
        _ => TurnError::Unreachable { reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_seconds_milliseconds_or_a_date() {
        // 2026-01-01 00:00 UTC.
        let now = Timestamp(1_767_225_600_000_000);
        let pause = |retry_after: &str, ms: Option<&str>| {
            let head = Head {
                retry_after: Some(retry_after.to_owned()),
                retry_after_ms: ms.map(str::to_owned),
                ..Head::default()
            };
            head.pause(now)
        };
        assert_eq!(pause("2", None), Some(2000));
        assert_eq!(pause(" 0 ", None), Some(0));
        assert_eq!(pause("2", Some("150")), Some(150));
        assert_eq!(pause("Thu, 01 Jan 2026 00:00:07 GMT", None), Some(7000));
        assert_eq!(pause("Wed, 31 Dec 2025 23:00:00 GMT", None), Some(0));
        assert_eq!(pause("18446744073709551615", None), Some(u64::MAX));
        for text in ["", "soon", "-1", "1.5", "99999999999999999999"] {
            assert_eq!(pause(text, None), None, "{text}");
        }
    }

    #[test]
    fn messages_are_short_lines_from_every_known_format() {
        let both =
            br#"{"type":"error","error":{"type":"overloaded_error","message":"Over\nloaded"}}"#;
        assert_eq!(message_of(both), "overloaded_error: Over loaded");
        assert_eq!(message_of(br#"{"error":"no model"}"#), "no model");
        assert_eq!(message_of(br#"{"detail":"Not Found"}"#), "Not Found");
        assert_eq!(message_of(b"<html><body>502</body></html>"), "an HTML page");
        assert_eq!(message_of(b"  "), "no message");
        assert_eq!(message_of(&[0xff, b'x']), "\u{fffd}x");
        assert!(message_of("ü".repeat(5000).as_bytes()).len() < MAX_MESSAGE + 8);
    }

    #[test]
    fn a_key_that_the_provider_repeats_is_not_in_the_message() {
        let key = format!("sk-ant-api03-{}", "aB3dE5gH7jK9mN1pQ".repeat(3));
        let message =
            message_of(format!(r#"{{"error":{{"message":"bad key {key}"}}}}"#).as_bytes());
        assert!(!message.contains(&key) && message.contains("bad key"), "{message}");
    }
}
