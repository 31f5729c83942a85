use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why rust-analyzer could not be asked. What it finds in the user's code is never one of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzerError {
    /// It is nowhere.
    #[error("rust-analyzer was not found: {}", tried.join("; "))]
    NotFound {
        /// Where it was looked for, and what was there.
        tried: Vec<String>,
    },
    /// It was named by a setting and cannot be used; others are not taken in its place.
    #[error("`{path}` cannot be used as rust-analyzer: {reason}", path = path.display())]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Without them half of all calls stay unresolved, and rust-analyzer would fetch them itself.
    #[error("the sources of the standard library are missing for rust-analyzer {version}")]
    NoStdSources {
        /// Of the rust-analyzer that was found.
        version: String,
    },
    /// It ended without an index.
    #[error("rust-analyzer made no index: {reason}")]
    NoIndex {
        /// How it ended, and its last words.
        reason: String,
    },
    /// The index that it made breaks off.
    #[error("the index is damaged at byte {offset}: {reason}")]
    Damaged {
        /// Where.
        offset: u64,
        /// Why.
        reason: String,
    },
    /// The live session has no server now; it is started again later, where it ended.
    #[error("rust-analyzer does not answer: {reason}")]
    Down {
        /// Why.
        reason: String,
    },
    /// A question was given up.
    #[error("rust-analyzer left `{method}` without an answer for {} s", after.as_secs_f32())]
    TimedOut {
        /// Which.
        method: &'static str,
        /// The limit.
        after: Duration,
    },
    /// The server says no.
    #[error("rust-analyzer refused `{method}` ({code}): {reason}")]
    Refused {
        /// Which.
        method: &'static str,
        /// The protocol's number.
        code: i64,
        /// Its words.
        reason: String,
    },
    /// A file of ours cannot be read or written.
    #[error("cannot {action} `{path}`", path = path.display())]
    Io {
        /// A verb: `write`.
        action: &'static str,
        /// What.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// The sandbox refused to run it.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl AnalyzerError {
    /// For `map_err`: what was done with which path.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}

impl base::Hint for AnalyzerError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound { .. } | Self::NoStdSources { .. } => {
                Some("run `rustup component add rust-analyzer rust-src`".to_owned())
            }
            Self::Unusable { .. } => {
                Some("name another file, or none, so that it is looked for".to_owned())
            }
            Self::NoIndex { .. } => Some(
                "see that `cargo check` gets past build scripts, and that a `Cargo.lock` is there"
                    .to_owned(),
            ),
            Self::Damaged { .. } => Some("let it be made again".to_owned()),
            Self::Io { .. } => {
                Some("see that the disk is not full and the folder is yours to write".to_owned())
            }
            Self::Down { .. } | Self::TimedOut { .. } => Some(
                "what the syntax tells goes on being answered; rust-analyzer is started again later"
                    .to_owned(),
            ),
            Self::Refused { .. } | Self::Sandbox(_) | Self::Cancelled(_) => None,
        }
    }
}
