//! Why a file of rules cannot be used.

use base::PathError;
use untrusted_fs::Fault;

/// Reason why a linked file is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RuleFault {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The caller may not open the file.
    #[error("{0}")]
    Closed(String),
    /// There is no such file.
    #[error("it is missing")]
    Missing,
    /// The file is not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// The link leaves the project.
    #[error("it is outside the project")]
    Outside,
    /// The link is no path of a project.
    #[error(transparent)]
    Path(#[from] PathError),
    /// More files are linked than the limit.
    #[error("more than {0} files are linked")]
    TooMany(usize),
}

impl From<Fault> for RuleFault {
    fn from(fault: Fault) -> Self {
        Self::Unreadable(fault.to_string())
    }
}
