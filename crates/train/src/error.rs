//! [`TrainError`]: why extraction, training or evaluation failed.

use std::path::{Path, PathBuf};

use base::Hint;

/// Why extraction, training or evaluation failed.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file has invalid content.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A pinned crate may not be trained on.
    #[error("pinned crate `{name}` must not be trained on: {reason}")]
    Excluded {
        /// The crate.
        name: String,
        /// The rule that excludes it.
        reason: String,
    },
    /// A pinned crate has no permissive licence.
    #[error("the licence of pinned crate `{name}` is not permissive: `{licence}`")]
    Licence {
        /// The crate.
        name: String,
        /// The licence field of its manifest.
        licence: String,
    },
    /// No lock file contains the pinned version with the pinned checksum.
    #[error("pinned crate `{name}` with checksum `{checksum}` is in no lock file")]
    Unlocked {
        /// The crate.
        name: String,
        /// The checksum of the pin.
        checksum: String,
    },
    /// The sources of a pinned crate are missing.
    #[error("the sources of crate `{0}` are missing")]
    Missing(String),
    /// There are too few pairs to train on.
    #[error("{0} pairs are too few to train on")]
    TooFew(usize),
    /// The table cannot be encoded or opened.
    #[error(transparent)]
    Table(#[from] search::TableError),
}

impl TrainError {
    pub(crate) fn file(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), source }
    }

    pub(crate) fn content(path: &Path, problem: impl ToString) -> Self {
        Self::Content { path: path.to_owned(), problem: problem.to_string() }
    }
}

impl Hint for TrainError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Excluded { .. } | Self::Licence { .. } | Self::Unlocked { .. } => {
                Some("rewrite the list of pins with `graftage-train pin`".to_owned())
            }
            Self::Missing(_) => Some("fetch them with `cargo xtask train-encoder`".to_owned()),
            _ => None,
        }
    }
}
