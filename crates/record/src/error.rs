//! The errors of this crate, with hints, and the damage that readers report.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{ContentHash, Hint};

/// The result type of this crate.
pub(crate) type Result<T> = std::result::Result<T, RecordError>;

/// Why a call failed. A failed call has recorded nothing.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file of the record cannot be read or written.
    #[error("cannot access the record `{path}`: {reason}")]
    Keep {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// Another process did not release the lock in time.
    #[error("another process held `{path}` for {} s", waited.as_secs_f32())]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// How long this process waited.
        waited: Duration,
    },
    /// An entry does not fit in a line, or the log is at its limit.
    #[error("{what} of {size} bytes exceeds the limit of {limit} for `{path}`")]
    TooLarge {
        /// The log or blob folder.
        path: PathBuf,
        /// What is too large.
        what: &'static str,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The log was written by a later version.
    #[error("`{path}` was written by a later version of graftage (line format {version})")]
    Version {
        /// The log.
        path: PathBuf,
        /// The version of its lines.
        version: u64,
    },
    /// An entry cannot be written as JSON.
    #[error("an entry cannot be recorded: {reason}")]
    Entry {
        /// The reason.
        reason: String,
    },
    /// A text of the record is missing or is not what its name, a hash, promises.
    #[error("the recorded text {hash} in `{path}` is {fault}")]
    Blob {
        /// The hash that was asked for.
        hash: ContentHash,
        /// The file.
        path: PathBuf,
        /// `missing` or `damaged`.
        fault: &'static str,
    },
    /// No proposal has the id, or several have.
    #[error("{} proposal {}`{id}`", if *.is_ambiguous { "more than one" } else { "no" },
        if *.is_ambiguous { "id begins with " } else { "has the id " })]
    NoProposal {
        /// The id that was asked for.
        id: String,
        /// Whether several proposals have ids that begin with it.
        is_ambiguous: bool,
        /// The newest proposals that can be meant.
        candidates: Vec<String>,
    },
    /// The beginning of an id is too short to name it.
    #[error("`{id}` has fewer than the {} characters that name an id", base::SHORTEST_ID)]
    ShortId {
        /// The id that was asked for.
        id: String,
    },
    /// No memory has the id, or several have.
    #[error("{} memory {}`{id}`", if *.is_ambiguous { "more than one" } else { "no" },
        if *.is_ambiguous { "has an id that begins with " } else { "has the id " })]
    NoMemory {
        /// The id that was asked for.
        id: String,
        /// Whether several have ids that begin with it.
        is_ambiguous: bool,
        /// The ids that can be meant.
        candidates: Vec<String>,
    },
    /// An entry does not fit the state of a proposal.
    #[error("{reason}")]
    Illegal {
        /// The reason, with the proposal's id.
        reason: String,
    },
    /// The user stopped the work.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl RecordError {
    pub(crate) fn keep(path: &Path, reason: impl ToString) -> Self {
        Self::Keep { path: path.to_owned(), reason: reason.to_string() }
    }
}

impl Hint for RecordError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Keep { .. } => "check the directory's permissions and free space".to_owned(),
            Self::Busy { .. } => "wait for the other graftage process, or end it".to_owned(),
            Self::Version { .. } => "use the version of graftage that wrote it".to_owned(),
            Self::Blob { .. } => "propose the edit again; its recorded text is lost".to_owned(),
            Self::NoProposal { candidates, .. } if candidates.is_empty() => {
                "no proposal is open; `graftage edit propose FILE` makes one".to_owned()
            }
            Self::NoProposal { candidates, .. } => format!("use one of {}", candidates.join(", ")),
            Self::NoMemory { candidates, .. } if candidates.is_empty() => {
                "`graftage memory search` shows the ids".to_owned()
            }
            Self::NoMemory { candidates, .. } => format!("use one of {}", candidates.join(", ")),
            Self::ShortId { .. } => format!(
                "pass at least {} characters of an id that `graftage edit list` or `graftage \
                 memory search` prints",
                base::SHORTEST_ID
            ),
            Self::Illegal { .. } => "`graftage edit list --all` shows all proposals".to_owned(),
            _ => return None,
        })
    }
}

/// Damage that was found in a log. Nothing of the damaged part is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogTrouble {
    /// The log.
    pub path: PathBuf,
    /// The first line that is not used, from 1.
    pub line: u64,
    /// The damage.
    pub reason: String,
    /// Where the damaged file was moved; `None` as long as no writer has opened the log.
    pub moved_to: Option<PathBuf>,
}

impl std::fmt::Display for LogTrouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (path, line, reason) = (self.path.display(), self.line, &self.reason);
        write!(f, "`{path}` is damaged from line {line} on ({reason}); that part is not used")?;
        match &self.moved_to {
            Some(moved) => write!(f, "; the damaged file was moved to `{}`", moved.display()),
            None => Ok(()),
        }
    }
}
