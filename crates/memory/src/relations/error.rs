//! [`RelationError`]: why a change of the graph, or its file, is refused.

use std::path::{Path, PathBuf};

use base::Hint;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum RelationError {
    /// The id is empty, too long, or has control characters.
    #[error("`{}` is not an id: {reason}", id.escape_debug())]
    Id {
        /// The id.
        id: String,
        /// The rule that it breaks.
        reason: &'static str,
    },
    /// There is a relation with this id already.
    #[error("there is a relation `{id}` already")]
    Duplicate {
        /// The id.
        id: String,
    },
    /// There is no relation with this id.
    #[error("there is no relation `{id}`")]
    NoRelation {
        /// The id.
        id: String,
    },
    /// A parent does not exist.
    #[error("there is no relation `{parent}`, which `{id}` has as a parent")]
    NoParent {
        /// The relation.
        id: String,
        /// The missing parent.
        parent: String,
    },
    /// A parent is named twice.
    #[error("`{id}` has the parent `{parent}` twice")]
    ParentTwice {
        /// The relation.
        id: String,
        /// The parent.
        parent: String,
    },
    /// The relation would be its own ancestor.
    #[error("with the parent `{parent}`, `{id}` would be its own ancestor")]
    Cycle {
        /// The relation.
        id: String,
        /// The parent that closes the cycle.
        parent: String,
    },
    /// More relations than can be counted.
    #[error("there are more than {limit} relations")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// The function of the configuration could not store the relations.
    #[error("the relations are changed, but not stored: {reason}")]
    Persist {
        /// The reason.
        reason: String,
    },
    /// The file of relations cannot be read or written.
    #[error("cannot access the relations in `{path}`: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// The file was written by a later version.
    #[error("`{path}` was written by a later version of graftage (format {version})")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
}

impl RelationError {
    pub(super) fn file(path: &Path, reason: impl ToString) -> Self {
        Self::File { path: path.to_owned(), reason: reason.to_string() }
    }
}

impl Hint for RelationError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Id { .. } => "use 1 to 256 bytes without control characters".to_owned(),
            Self::Duplicate { .. } => "update it, or choose another id".to_owned(),
            Self::NoParent { parent, .. } => format!("add `{parent}` first"),
            Self::ParentTwice { .. } => "name each parent once".to_owned(),
            Self::Cycle { .. } => "remove the parent that closes the cycle".to_owned(),
            Self::File { .. } => "check the directory's permissions and free space".to_owned(),
            Self::Version { .. } => "use the version of graftage that wrote it".to_owned(),
            Self::NoRelation { .. } | Self::TooMany { .. } | Self::Persist { .. } => return None,
        })
    }
}
