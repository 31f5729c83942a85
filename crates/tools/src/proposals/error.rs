//! The errors about proposals.

use base::Hint;
use project::ExitKind;
use record::RecordError;

use crate::Error;

/// Why a proposal cannot be found, verified, approved or rejected.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// The record refuses it, or cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file is no longer what the proposal was made for.
    #[error("proposal {id} is stale: `{file}` changed since it was proposed")]
    Stale {
        /// The proposal.
        id: String,
        /// The file.
        file: String,
    },
    /// A file of a change under review is no longer what the change was made for.
    #[error("`{file}` changed since the change was made, which cannot be written any more")]
    Moved {
        /// The file.
        file: String,
    },
    /// A file of a written change has changed since, so that the change cannot be undone or applied again.
    #[error("`{file}` has changed since: {verb} of {id} would overwrite that")]
    Later {
        /// `undo` or `redo`.
        verb: &'static str,
        /// The change.
        id: String,
        /// The file.
        file: String,
        /// The newer change that left the file as it is; `None`: an edit outside of graftage.
        newer: Option<String>,
    },
    /// There is no passed verification.
    #[error("proposal {id} is {state}, and only what was verified can be approved")]
    NotVerified {
        /// The proposal.
        id: String,
        /// Its state.
        state: &'static str,
    },
    /// Two proposals change the same lines.
    #[error("proposals {first} and {second} cannot be combined: {reason}")]
    Conflict {
        /// The proposals before.
        first: String,
        /// The proposal that does not fit.
        second: String,
        /// The reason.
        reason: String,
    },
    /// Too many proposals wait for a decision.
    #[error("{most} proposals are open already")]
    TooMany {
        /// Most that are kept.
        most: usize,
    },
    /// A change that is too large to be kept.
    #[error("the texts of the change have {bytes} bytes, more than {most}")]
    TooLarge {
        /// Size of its texts, before and after.
        bytes: usize,
        /// Most bytes.
        most: usize,
    },
    /// A request changes nothing.
    #[error("the request changes nothing")]
    Nothing,
    /// A field of a request is wrong.
    #[error("{field}: {reason}")]
    Field {
        /// The field, as in JSON.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
        /// The fix.
        fix: String,
    },
}

impl ProposalError {
    pub(crate) fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Record(
                RecordError::NoProposal { .. }
                | RecordError::NoMemory { .. }
                | RecordError::Illegal { .. },
            )
            | Self::Stale { .. }
            | Self::Moved { .. }
            | Self::Later { .. }
            | Self::NotVerified { .. }
            | Self::Conflict { .. }
            | Self::TooMany { .. } => ExitKind::No,
            Self::Nothing
            | Self::TooLarge { .. }
            | Self::Field { .. }
            | Self::Record(RecordError::ShortId { .. }) => ExitKind::Input,
            Self::Record(RecordError::Cancelled(_)) => ExitKind::Interrupted,
            Self::Record(_) => ExitKind::Environment,
        }
    }
}

impl Hint for ProposalError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Record(error) => return error.hint(),
            Self::Stale { id, file } => format!(
                "stage it on the present `{file}`: `graftage edit propose --again {id}`, or reject it"
            ),
            Self::Moved { file } => format!("stage it again on the present `{file}`, or reject it"),
            Self::Later { newer: Some(newer), .. } => {
                format!("change {newer} is in the way: `graftage undo {newer}` first")
            }
            Self::Later { verb, id, newer: None, .. } => format!(
                "an edit outside of graftage is in the way: take it out and keep a copy, `graftage {verb} \
                 {id}`, then make it again"
            ),
            Self::NotVerified { id, .. } => format!(
                "`graftage edit preflight {id}` verifies it; `graftage policy explain {id}` shows \
                 what blocks it"
            ),
            Self::Conflict { .. } => {
                "approve one of them, then stage the other again: `graftage edit propose --again ID`"
                    .to_owned()
            }
            Self::TooMany { .. } => "approve or reject some of them: `graftage edit list`".to_owned(),
            Self::TooLarge { .. } => "propose it in several parts".to_owned(),
            Self::Nothing => "the files have that text already; `graftage edit list` shows what is \
                              proposed"
                .to_owned(),
            Self::Field { fix, .. } => fix.clone(),
        })
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Self {
        Self::Proposal(error.into())
    }
}
