//! The errors of this crate, with hints.

use std::io;
use std::path::PathBuf;

/// Why the map could not be updated; the previous map stays in use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The project's files cannot be listed.
    #[error(transparent)]
    Repo(repo::RepoError),
    /// The user cancelled the operation.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
    /// Another process holds the write lock of this project's map for too long.
    #[error("another process is writing the map: `{lock}` is still locked")]
    Busy {
        /// The lock file.
        lock: PathBuf,
    },
    /// A file or directory of graftage cannot be read or written.
    #[error("cannot {action} `{path}`")]
    Io {
        /// A verb: `lock`, `write`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// A file differs from the state that the map was built from.
    #[error("`{path}` changed since the map was built")]
    Changed {
        /// The path.
        path: String,
    },
    /// The database cannot be filled.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// The tree cannot be watched.
    #[error("cannot watch `{path}`: {reason}")]
    Watch {
        /// The directory.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// rust-analyzer failed; the map keeps its syntax-based edges.
    #[error(transparent)]
    Analyzer(analyzer::AnalyzerError),
    /// There is no toolchain for rust-analyzer.
    #[error(transparent)]
    Toolchain(build::CargoError),
    /// The embedding model failed.
    #[error("the encoder failed on the project's texts: {reason}")]
    Encoder {
        /// The model's error.
        reason: String,
    },
    /// The assembled rows are not a valid map: a bug in graftage.
    #[error("the assembled map is invalid: {reason}")]
    Rows {
        /// The violated invariant.
        reason: String,
    },
}

impl From<repo::RepoError> for IngestError {
    fn from(error: repo::RepoError) -> Self {
        match error {
            repo::RepoError::Cancelled(stop) => Self::Cancelled(stop),
            error => Self::Repo(error),
        }
    }
}

impl From<analyzer::AnalyzerError> for IngestError {
    fn from(error: analyzer::AnalyzerError) -> Self {
        match error {
            analyzer::AnalyzerError::Cancelled(stop) => Self::Cancelled(stop),
            error => Self::Analyzer(error),
        }
    }
}

impl From<build::CargoError> for IngestError {
    fn from(error: build::CargoError) -> Self {
        match error {
            build::CargoError::Cancelled(stop) => Self::Cancelled(stop),
            error => Self::Toolchain(error),
        }
    }
}

impl IngestError {
    /// For `map_err`: adds the action and the path.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}

impl base::Hint for IngestError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Repo(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Analyzer(error) => error.hint(),
            Self::Toolchain(error) => error.hint(),
            Self::Changed { .. } => Some("run `graftage index` again".to_owned()),
            Self::Busy { .. } => Some("wait for the other `graftage index`, or end it".to_owned()),
            Self::Io { .. } => Some(
                "graftage must be able to write its cache and state directories; \
                 set `GRAFTAGE_HOME` to move them"
                    .to_owned(),
            ),
            Self::Watch { .. } => Some(
                "the system limits the number of watched directories (`fs.inotify.max_user_watches`); \
                 run `graftage index` without `--watch`"
                    .to_owned(),
            ),
            Self::Encoder { .. } => Some("choose another `search.encoder`".to_owned()),
            Self::Rows { .. } => Some("`graftage index --full` rebuilds the map".to_owned()),
            Self::Cancelled(_) => None,
        }
    }
}
