//! [`ToolError`]: why a call of a tool gives no answer.

use base::Hint;
use code::CodeError;
use project::{ExitKind, ProjectError};
use record::RecordError;
use repo::RepoError;
use serde::Serialize;
use tool_schema::InputError;

use crate::{Error, ProposalError};

/// Why a call gives no answer, in a form that a model can act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}{reason}", field.as_ref().map(|field| format!("{field}: ")).unwrap_or_default())]
pub struct ToolError {
    /// Class.
    pub kind: ExitKind,
    /// Path of the field that is not valid, such as `edits[2].file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong.
    pub reason: String,
    /// What to do next.
    pub fix: String,
}

/// The fix of an error that has none.
const NO_FIX: &str = "repeating the same call gives the same error";

impl ToolError {
    /// An error that is not about one field.
    pub fn new(kind: ExitKind, reason: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { kind, field: None, reason: reason.into(), fix: fix.into() }
    }

    /// An error about one field of the input.
    pub fn field(
        field: impl Into<String>,
        reason: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { field: Some(field.into()), ..Self::new(ExitKind::Input, reason, fix) }
    }

    /// An error of another crate, with its class.
    pub fn of(kind: ExitKind, error: &(impl std::fmt::Display + Hint)) -> Self {
        let fix = match (error.hint(), kind) {
            (Some(hint), _) => hint,
            (None, ExitKind::Interrupted) => "call again if the answer is still needed".to_owned(),
            (None, _) => NO_FIX.to_owned(),
        };
        Self::new(kind, error.to_string(), fix)
    }
}

impl Hint for ToolError {
    fn hint(&self) -> Option<String> {
        Some(self.fix.clone())
    }
}

impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        match &error {
            Error::Proposal(ProposalError::Field { field, reason, fix }) => {
                Self::field(*field, reason, fix)
            }
            error => {
                let of = Self::of(error.exit_kind(), error);
                match tool_fix(error) {
                    Some(fix) => Self { fix: fix.to_owned(), ..of },
                    None => of,
                }
            }
        }
    }
}

/// The fix by tools, where that of the error names commands.
fn tool_fix(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::Proposal(ProposalError::Stale { .. }) => {
            "`reject` it, and stage the edit again on the present file"
        }
        Error::Proposal(ProposalError::NotVerified { .. }) => {
            "call `preflight` with its id first; `proposals` with its id shows what blocks it"
        }
        Error::Proposal(ProposalError::Conflict { .. }) => {
            "apply one of them, then stage the other again"
        }
        Error::Proposal(ProposalError::Nothing) => {
            "the files have that text already; `proposals` shows what is proposed"
        }
        Error::Proposal(ProposalError::Record(RecordError::NoProposal { .. })) => {
            "`proposals` lists the open ones"
        }
        Error::Proposal(ProposalError::Record(RecordError::ShortId { .. })) => {
            "pass the whole id, as `proposals` lists it"
        }
        Error::NotRenamed { .. } | Error::NotInlined { .. } | Error::NotReshaped { .. } => {
            "`show` and `graph` list the definition and where it is used"
        }
        Error::Project(ProjectError::Repo(RepoError::NoEntry { .. })) => {
            "leave out the id to undo the newest change"
        }
        _ => return None,
    })
}

impl From<ProjectError> for ToolError {
    fn from(error: ProjectError) -> Self {
        Error::from(error).into()
    }
}

impl From<CodeError> for ToolError {
    fn from(error: CodeError) -> Self {
        Error::from(error).into()
    }
}

impl From<InputError> for ToolError {
    fn from(error: InputError) -> Self {
        let field = if error.field.is_empty() { "input".to_owned() } else { error.field };
        Self::field(field, error.reason, error.fix)
    }
}

impl From<base::Cancelled> for ToolError {
    fn from(error: base::Cancelled) -> Self {
        Error::from(error).into()
    }
}
