//! [`A2aError`]: why a request is refused, as both bindings report it; [`PushError`]: why a webhook is.

use serde_json::{Value, json};

/// Kind of a refusal, with its names in both bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The task, or what belongs to it, does not exist.
    TaskNotFound,
    /// The task has ended, or is being written.
    TaskNotCancelable,
    /// The state of the task does not allow it.
    UnsupportedOperation,
    /// The form of the request or of a part is not read.
    ContentType,
    /// The version of the protocol is not served.
    Version,
    /// The body is no JSON.
    Json,
    /// The body is no request.
    Request,
    /// There is no such method or address.
    Method,
    /// A parameter is missing or wrong.
    Params,
    /// A limit is reached.
    Busy,
    /// The server cannot do its part.
    Internal,
}

impl Refused {
    /// Code of JSON-RPC, status of HTTP, status of the error model, reason.
    fn names(self) -> (i32, u16, &'static str, Option<&'static str>) {
        match self {
            Self::TaskNotFound => (-32_001, 404, "NOT_FOUND", Some("TASK_NOT_FOUND")),
            Self::TaskNotCancelable => {
                (-32_002, 409, "FAILED_PRECONDITION", Some("TASK_NOT_CANCELABLE"))
            }
            Self::UnsupportedOperation => {
                (-32_004, 400, "UNIMPLEMENTED", Some("UNSUPPORTED_OPERATION"))
            }
            Self::ContentType => {
                (-32_005, 415, "INVALID_ARGUMENT", Some("CONTENT_TYPE_NOT_SUPPORTED"))
            }
            Self::Version => (-32_009, 400, "UNIMPLEMENTED", Some("VERSION_NOT_SUPPORTED")),
            Self::Json => (-32_700, 400, "INVALID_ARGUMENT", None),
            Self::Request => (-32_600, 400, "INVALID_ARGUMENT", None),
            Self::Method => (-32_601, 404, "NOT_FOUND", None),
            Self::Params => (-32_602, 400, "INVALID_ARGUMENT", None),
            Self::Busy => (-32_000, 429, "RESOURCE_EXHAUSTED", None),
            Self::Internal => (-32_603, 500, "INTERNAL", None),
        }
    }
}

/// Reason why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct A2aError {
    pub(crate) kind: Refused,
    pub(crate) message: String,
}

impl A2aError {
    pub(crate) fn new(kind: Refused, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(Refused::Params, message)
    }

    /// The status of HTTP.
    pub(crate) fn status(&self) -> u16 {
        self.kind.names().1
    }

    /// The error object of JSON-RPC.
    pub(crate) fn to_rpc(&self) -> Value {
        let (code, _, _, reason) = self.kind.names();
        let mut error = json!({ "code": code, "message": self.message });
        if let Some(reason) = reason {
            error["data"] = json!([info(reason)]);
        }
        error
    }

    /// The body of an error over HTTP.
    pub(crate) fn to_rest(&self) -> Value {
        let (_, code, status, reason) = self.kind.names();
        let mut error = json!({ "code": code, "status": status, "message": self.message });
        if let Some(reason) = reason {
            error["details"] = json!([info(reason)]);
        }
        json!({ "error": error })
    }
}

fn info(reason: &str) -> Value {
    json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "a2a-protocol.org",
    })
}

/// Reason why a webhook is refused, or was not reached.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PushError {
    /// The address is none that is sent to.
    #[error("`url` {0}")]
    Url(&'static str),
    /// The address is not public.
    #[error("`{0}` is on this machine or an internal network: use a public address")]
    Internal(String),
    /// The name has no address.
    #[error("`{0}` is not found")]
    Unknown(String),
    /// The connection would have to be encrypted.
    #[error("`{0}`: this build sends `http://` only")]
    Secure(String),
    /// It did not take the event.
    #[error("`{0}`: {1}")]
    Failed(String, std::io::Error),
}

impl From<PushError> for A2aError {
    fn from(error: PushError) -> Self {
        Self::params(error.to_string())
    }
}

/// Reason why a task is not on the disk.
#[derive(Debug, thiserror::Error)]
#[error("the task is not kept: {0}")]
pub(crate) struct NotKept(pub(crate) String);
