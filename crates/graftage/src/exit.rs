use base::Hint;
use tools::ExitKind;

/// The documented exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Status {
    /// Done.
    Done = 0,
    /// The answer is no: not found, gate closed, fix not found.
    No = 1,
    /// Bad usage or input.
    Input = 2,
    /// The environment lacks something needed.
    Environment = 3,
    /// An internal fault.
    Internal = 4,
    /// Interrupted.
    Interrupted = 130,
}

/// A command that could not be carried out: what to say and which status to end with.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status: Status::Input, message: message.into(), hint: Some(hint.into()) }
    }
}

impl From<tools::Error> for Failure {
    fn from(error: tools::Error) -> Self {
        let status = match error.exit_kind() {
            ExitKind::No => Status::No,
            ExitKind::Input => Status::Input,
            ExitKind::Environment => Status::Environment,
            ExitKind::Internal => Status::Internal,
            ExitKind::Interrupted => Status::Interrupted,
        };
        Self { status, message: error.to_string(), hint: error.hint() }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        // A reader that went away (`graftage … | head`) is no fault of anybody.
        let status = match error.kind() {
            std::io::ErrorKind::BrokenPipe => Status::Done,
            _ => Status::Internal,
        };
        Self { status, message: format!("writing the answer failed: {error}"), hint: None }
    }
}
