//! Exit statuses, and the failure of a command.

use base::Hint;
use project::ExitKind;

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

impl From<ExitKind> for Status {
    fn from(kind: ExitKind) -> Self {
        match kind {
            ExitKind::No => Self::No,
            ExitKind::Input => Self::Input,
            ExitKind::Environment => Self::Environment,
            ExitKind::Internal => Self::Internal,
            ExitKind::Interrupted => Self::Interrupted,
        }
    }
}

impl From<project::ProjectError> for Failure {
    fn from(error: project::ProjectError) -> Self {
        tools::Error::from(error).into()
    }
}

impl From<code::CodeError> for Failure {
    fn from(error: code::CodeError) -> Self {
        tools::Error::from(error).into()
    }
}

impl From<tools::Error> for Failure {
    fn from(error: tools::Error) -> Self {
        let status = error.exit_kind().into();
        Self { status, message: error.to_string(), hint: error.hint() }
    }
}

impl From<tools::ToolError> for Failure {
    fn from(error: tools::ToolError) -> Self {
        Self { status: error.kind.into(), message: error.to_string(), hint: error.hint() }
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
