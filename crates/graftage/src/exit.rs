//! Exit statuses, and the failure of a command.

use base::Hint;
use tools::ExitKind;

/// The documented exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Status {
    /// Success.
    Done = 0,
    /// Negative result: not found, refused by the gate, no repair.
    No = 1,
    /// Usage or input is not valid.
    Input = 2,
    /// The environment lacks a program, a permission or a resource.
    Environment = 3,
    /// A bug in graftage.
    Internal = 4,
    /// Interrupted by the user.
    Interrupted = 130,
}

/// A failed command: error message, hint and exit status.
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
        let status = status(error.exit_kind());
        Self { status, message: error.to_string(), hint: error.hint() }
    }
}

fn status(kind: ExitKind) -> Status {
    match kind {
        ExitKind::No => Status::No,
        ExitKind::Input => Status::Input,
        ExitKind::Environment => Status::Environment,
        ExitKind::Internal => Status::Internal,
        ExitKind::Interrupted => Status::Interrupted,
    }
}

impl From<tools::ToolError> for Failure {
    fn from(error: tools::ToolError) -> Self {
        let hint = Some(error.fix.clone());
        Self { status: status(error.kind), message: error.to_string(), hint }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        // A closed pipe (`graftage … | head`) is not an error.
        let status = match error.kind() {
            std::io::ErrorKind::BrokenPipe => Status::Done,
            _ => Status::Internal,
        };
        Self { status, message: format!("failed to write output: {error}"), hint: None }
    }
}
