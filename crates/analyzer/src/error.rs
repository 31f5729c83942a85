//! [`AnalyzerError`]: why rust-analyzer gave no result.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why rust-analyzer gave no result. Errors in the user's code are results, not one of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzerError {
    /// No usable rust-analyzer was found.
    #[error("rust-analyzer was not found{}", list(tried))]
    NotFound {
        /// Each program that was found with the reason why it was not used.
        tried: Vec<String>,
    },
    /// The program named by the setting cannot be used; no other is tried.
    #[error("`{path}` cannot be used as rust-analyzer: {reason}", path = path.display())]
    Unusable {
        /// The program.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The standard library's sources are missing. Without them half of all calls stay unresolved and
    /// rust-analyzer would try to install them.
    #[error("the sources of the standard library are missing for rust-analyzer {version}")]
    NoStdSources {
        /// The version of the rust-analyzer that was found.
        version: String,
    },
    /// rust-analyzer ended without writing an index.
    #[error("rust-analyzer wrote no index: {reason}")]
    NoIndex {
        /// How it ended, with the last line of its output.
        reason: String,
    },
    /// The index is truncated or corrupt.
    #[error("the index is damaged at byte {offset}: {reason}")]
    Damaged {
        /// The first byte that cannot be decoded.
        offset: u64,
        /// The decoder's error.
        reason: String,
    },
    /// The session has no running server. A later request may start one.
    #[error("rust-analyzer is not running: {reason}")]
    Down {
        /// The reason.
        reason: String,
    },
    /// A request was given up.
    #[error("rust-analyzer: `{method}` timed out after {} s", after.as_secs_f32())]
    TimedOut {
        /// The request.
        method: &'static str,
        /// The time limit.
        after: Duration,
    },
    /// The server answered a request with an error.
    #[error("rust-analyzer rejected `{method}` (error {code}): {reason}")]
    Refused {
        /// The request.
        method: &'static str,
        /// The protocol's error code.
        code: i64,
        /// The server's message.
        reason: String,
    },
    /// A file of graftage's own cannot be read or written.
    #[error("cannot {action} `{path}`", path = path.display())]
    Io {
        /// The operation as a verb: `write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The sandbox could not run rust-analyzer.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl AnalyzerError {
    /// An error constructor for `map_err`.
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
            Self::Unusable { .. } => Some(
                "set another path, or remove the setting to search for rust-analyzer".to_owned(),
            ),
            Self::NoIndex { .. } => Some(
                "check that `cargo check` can run the build scripts and that `Cargo.lock` exists"
                    .to_owned(),
            ),
            Self::Damaged { .. } => Some("run the command again to write a new index".to_owned()),
            Self::Io { .. } => Some(
                "check that the disk is not full and that you may write to the folder".to_owned(),
            ),
            Self::Down { .. } | Self::TimedOut { .. } => Some(
                "syntax-based results are still available; rust-analyzer is restarted later"
                    .to_owned(),
            ),
            Self::Refused { .. } | Self::Sandbox(_) | Self::Cancelled(_) => None,
        }
    }
}

/// The places where no program was, or what is wrong with those that were found.
fn list(tried: &[String]) -> String {
    match tried {
        [] => ", neither in the toolchain nor in `PATH`".to_owned(),
        tried => format!(": {}", tried.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_reported_with_the_places_that_were_searched() {
        let message = |tried: &[&str]| {
            let tried = tried.iter().map(|it| (*it).to_owned()).collect();
            AnalyzerError::NotFound { tried }.to_string()
        };
        assert_eq!(
            message(&[]),
            "rust-analyzer was not found, neither in the toolchain nor in `PATH`"
        );
        assert_eq!(message(&["PATH: it failed"]), "rust-analyzer was not found: PATH: it failed");
    }
}
