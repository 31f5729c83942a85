use std::path::{Path, PathBuf};

use base::Hint;

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file does not say what it should.
    #[error("{}: {what}", path.display())]
    Content {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A pinned crate may not be trained on.
    #[error("crate `{name}` is pinned and excluded: {why}")]
    Excluded {
        /// The crate.
        name: String,
        /// By which rule.
        why: String,
    },
    /// A pinned crate is not free enough.
    #[error("crate `{name}` is pinned and its licence is not permissive: `{licence}`")]
    Licence {
        /// The crate.
        name: String,
        /// What its manifest says.
        licence: String,
    },
    /// A pinned crate is not the one that the lock files name.
    #[error("crate `{name}` is pinned at `{checksum}`, which no lock file names")]
    Unlocked {
        /// The crate.
        name: String,
        /// What its pin says.
        checksum: String,
    },
    /// The sources of a pinned crate are not there.
    #[error("no sources of crate `{0}`")]
    Missing(String),
    /// There are too few pairs to learn from.
    #[error("{0} pairs are too few to learn from")]
    TooFew(usize),
    /// The table cannot be written.
    #[error(transparent)]
    Table(#[from] search::TableError),
}

impl TrainError {
    pub(crate) fn file(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), source }
    }

    pub(crate) fn content(path: &Path, what: impl ToString) -> Self {
        Self::Content { path: path.to_owned(), what: what.to_string() }
    }
}

impl Hint for TrainError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Excluded { .. } | Self::Licence { .. } | Self::Unlocked { .. } => {
                Some("make the list anew with `graftage-train pin`".to_owned())
            }
            Self::Missing(_) => Some("fetch them with `cargo xtask train-encoder`".to_owned()),
            _ => None,
        }
    }
}
