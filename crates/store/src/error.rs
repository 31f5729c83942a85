//! The errors of this crate, with hints.

use std::path::PathBuf;
use std::time::Duration;

use base::Hint;

/// The result type of this crate.
pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// Why a call failed. A failed call has written nothing.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// This build has no engine.
    #[error("this build has no Datalog store")]
    NoEngine,
    /// A file cannot be read or written.
    #[error("cannot access the database file `{path}`: {reason}")]
    Keep {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// Another process did not release a lock in time.
    #[error("another process held `{path}` for {} s", waited.as_secs())]
    Busy {
        /// The lock file, or the database.
        path: PathBuf,
        /// How long this process waited.
        waited: Duration,
    },
    /// The rows are invalid.
    #[error("rows of `{relation}` cannot be stored: {reason}")]
    Rows {
        /// The relation.
        relation: &'static str,
        /// The reason.
        reason: String,
    },
    /// There is no map to update.
    #[error("there is no map yet")]
    NoMap,
    /// The map is not in the state that the change was computed for.
    #[error("the map is in state {found}, but the change is for state {expected}")]
    Stale {
        /// The state of the map.
        found: u64,
        /// The state that the change was computed for.
        expected: u64,
    },
    /// The script is not valid Datalog, or uses unknown relations.
    #[error("invalid query: {reason}")]
    Script {
        /// The engine's message.
        reason: String,
        /// A hint.
        advice: Option<String>,
    },
    /// The script does something that no query may do.
    #[error("the query is not allowed: {reason}")]
    Refused {
        /// The reason.
        reason: String,
    },
    /// The script exceeded its time limit.
    #[error("the query ran longer than {} s", limit.as_secs_f64())]
    TooLong {
        /// The limit.
        limit: Duration,
    },
    /// The script exceeded its memory limit.
    #[error("the query used more than {} MiB", limit >> 20)]
    TooBig {
        /// The limit in bytes.
        limit: usize,
    },
    /// The engine failed during an operation of ours.
    #[error("the database engine failed to {action}: {reason}")]
    Engine {
        /// The operation.
        action: &'static str,
        /// The engine's message.
        reason: String,
    },
}

impl Hint for StoreError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoEngine => "build without `--no-default-features`".to_owned(),
            Self::Keep { .. } => "check the directory's permissions and free space".to_owned(),
            Self::Busy { .. } => "wait for the other graftage process, or end it".to_owned(),
            Self::Stale { .. } | Self::NoMap => "run `graftage index`".to_owned(),
            Self::Script { advice, .. } => return advice.clone(),
            Self::Refused { .. } => {
                "write one read-only query: rules, an entry rule `?[…]`, `:limit`, `:order`"
                    .to_owned()
            }
            Self::TooLong { .. } | Self::TooBig { .. } => {
                "bind keys inside the atom, put the rule with few rows first, add `:limit`"
                    .to_owned()
            }
            _ => return None,
        })
    }
}

/// A damaged database that was moved away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The database.
    pub path: PathBuf,
    /// Its new location.
    pub moved_to: PathBuf,
    /// The damage.
    pub reason: String,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (path, moved) = (self.path.display(), self.moved_to.display());
        write!(
            f,
            "`{path}` cannot be trusted ({}): it will be rebuilt; the old file was moved to `{moved}`",
            self.reason
        )
    }
}
