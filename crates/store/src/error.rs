use std::path::PathBuf;
use std::time::Duration;

use base::{Hint, ItemId};

/// What this room answers.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why the store did not answer. Whatever is answered, nothing of the call was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// This build has no engine.
    #[error("this build has no Datalog store")]
    NoEngine,
    /// A file could not be kept.
    #[error("cannot keep `{path}`: {reason}")]
    Keep {
        /// Which.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// Another process did not let go.
    #[error("another process held `{path}` for {} s", waited.as_secs())]
    Busy {
        /// The lock file, or the database.
        path: PathBuf,
        /// How long we waited.
        waited: Duration,
    },
    /// The rows cannot be stored as they are.
    #[error("rows of `{relation}` cannot be stored: {reason}")]
    Rows {
        /// Of which relation.
        relation: &'static str,
        /// Why.
        reason: String,
    },
    /// There is no map to bring up to date.
    #[error("there is no map yet")]
    NoMap,
    /// The map is not in the state that the change was made against.
    #[error("the map is in state {found}, the change is of state {expected}")]
    Stale {
        /// The map's.
        found: u64,
        /// The change's.
        expected: u64,
    },
    /// The script is no Datalog, or asks for what is not there.
    #[error("the query does not hold: {reason}")]
    Script {
        /// What the engine said.
        reason: String,
        /// What it advises.
        advice: Option<String>,
    },
    /// The script asks for what no query may do.
    #[error("the query is refused: {reason}")]
    Refused {
        /// What stands in its way.
        reason: String,
    },
    /// The script took too long.
    #[error("the query ran longer than {} s", limit.as_secs_f64())]
    TooLong {
        /// What it was given.
        limit: Duration,
    },
    /// The script wanted too much memory.
    #[error("the query wanted more than {} MiB", limit >> 20)]
    TooBig {
        /// What it was given, in bytes.
        limit: usize,
    },
    /// The flip was asked for without a passed proof.
    #[error("no passed proof stands behind this change")]
    Unproven,
    /// The item has no future that could be approved or rejected.
    #[error("nothing is proposed for item {id}")]
    NothingProposed {
        /// Which.
        id: ItemId,
    },
    /// The item is not in the code graph.
    #[error("item {id} is not in the code graph")]
    UnknownItem {
        /// Which.
        id: ItemId,
    },
    /// An item that is there was to be created.
    #[error("item {id} exists already")]
    Exists {
        /// Which.
        id: ItemId,
    },
    /// A future that says nothing, or too much.
    #[error("the future of item {id} does not hold: {reason}")]
    Future {
        /// Which.
        id: ItemId,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An exported text could not be read back.
    #[error("line {line} of the export does not hold: {reason}")]
    Export {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The engine failed at something that is ours, not the script's.
    #[error("the database engine failed to {action}: {reason}")]
    Engine {
        /// What it was about to do.
        action: &'static str,
        /// What it said.
        reason: String,
    },
}

impl Hint for StoreError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoEngine => "build with `--features store`".to_owned(),
            Self::Keep { .. } => "look at the folder's permissions and free space".to_owned(),
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
            Self::Unproven => "run the pre-flight check first".to_owned(),
            Self::NothingProposed { .. } => "propose a future for it first".to_owned(),
            Self::UnknownItem { .. } => "bring its current code into the graph first".to_owned(),
            Self::Exists { .. } => "propose an edit of it instead".to_owned(),
            _ => return None,
        })
    }
}

/// Something that was wrong with a database and was mended by leaving it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The database.
    pub path: PathBuf,
    /// Where it lies now.
    pub moved_to: PathBuf,
    /// What was wrong with it.
    pub reason: String,
    /// Records that must last were in it: this is a loss until somebody looks at the moved file.
    pub is_loss: bool,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rest = if self.is_loss {
            "the records in it are out of reach; it was set aside as"
        } else {
            "it will be built again; the old one lies in"
        };
        let (path, moved) = (self.path.display(), self.moved_to.display());
        write!(f, "`{path}` cannot be trusted ({}): {rest} `{moved}`", self.reason)
    }
}
