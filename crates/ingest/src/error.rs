use std::io;
use std::path::PathBuf;

/// Why the map could not be brought up to date; the former one stays in service.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The project's files cannot be listed.
    #[error(transparent)]
    Repo(repo::RepoError),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
    /// Another process brings the map of this project up to date and does not end.
    #[error("the map is being written by another process: `{lock}` stayed locked")]
    Busy {
        /// The lock file.
        lock: PathBuf,
    },
    /// Something in graftage's own folders cannot be read or written.
    #[error("cannot {action} `{path}`")]
    Io {
        /// A verb: `lock`, `write`.
        action: &'static str,
        /// What.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// A file is not what the map is of.
    #[error("`{path}` changed since the map was made")]
    Changed {
        /// Which.
        path: String,
    },
    /// The database cannot be filled.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// The tree cannot be watched.
    #[error("cannot watch `{path}`: {reason}")]
    Watch {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// rust-analyzer could not be asked; what syntax tells goes on being answered.
    #[error(transparent)]
    Analyzer(analyzer::AnalyzerError),
    /// There is no toolchain that rust-analyzer could work with.
    #[error(transparent)]
    Toolchain(cargo::CargoError),
    /// The model that makes vectors failed.
    #[error("the encoder cannot read the project's texts: {reason}")]
    Encoder {
        /// What it says.
        reason: String,
    },
    /// The rows that were made do not make a map: a defect of ours.
    #[error("the map that was made cannot be read back: {reason}")]
    Rows {
        /// What does not hold.
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

impl From<cargo::CargoError> for IngestError {
    fn from(error: cargo::CargoError) -> Self {
        match error {
            cargo::CargoError::Cancelled(stop) => Self::Cancelled(stop),
            error => Self::Toolchain(error),
        }
    }
}

impl IngestError {
    /// For `map_err`: what was done with which path.
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
                "graftage needs to write its folders below the cache and state directories; \
                 `GRAFTAGE_HOME` moves them"
                    .to_owned(),
            ),
            Self::Watch { .. } => Some(
                "the system limits how many folders are watched (`fs.inotify.max_user_watches`); \
                 `graftage index` without `--watch` works without"
                    .to_owned(),
            ),
            Self::Encoder { .. } => Some("choose another `search.encoder`".to_owned()),
            Self::Rows { .. } => Some("`graftage index --full` rebuilds the map".to_owned()),
            Self::Cancelled(_) => None,
        }
    }
}
