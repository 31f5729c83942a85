//! Errors of requests.

use serde_json::{Value, json};

/// An error as an answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RpcError {
    /// Number of its kind.
    pub code: i64,
    /// Description, one line.
    pub message: String,
}

impl RpcError {
    /// A line that is not JSON.
    pub(crate) const PARSE: i64 = -32_700;
    /// JSON that is no request.
    pub const INVALID: i64 = -32_600;
    /// A method that there is not.
    pub const METHOD: i64 = -32_601;
    /// Parameters that do not fit the method.
    pub(crate) const PARAMS: i64 = -32_602;
    /// A failure of the answering side.
    pub const INTERNAL: i64 = -32_603;
    /// A limit of the connection that is exceeded.
    pub const LIMIT: i64 = -32_000;

    /// An error of a kind.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Parameters that do not fit.
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(Self::PARAMS, message)
    }

    pub(crate) fn to_value(&self) -> Value {
        json!({ "code": self.code, "message": base::visible(&self.message) })
    }

    /// The error in an answer of the other side; its text is untrusted.
    pub(crate) fn of_value(value: &Value) -> Self {
        let message = value.get("message").and_then(Value::as_str).unwrap_or("an error");
        let code = value.get("code").and_then(Value::as_i64).unwrap_or(Self::INTERNAL);
        Self::new(code, base::visible_line(message))
    }
}

/// Reason why a request to the other side has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RpcFault {
    /// The other side answered with an error.
    #[error(transparent)]
    Refused(#[from] RpcError),
    /// There was no answer in time.
    #[error("no answer within {0} ms")]
    Late(u128),
    /// The caller gave up.
    #[error("cancelled")]
    Stopped,
    /// The connection has ended.
    #[error("the connection has ended")]
    Closed,
}
