//! [`FleetError`].

use base::Hint;

/// Reason why a fleet cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FleetError {
    /// The list of repositories cannot be read.
    #[error("cannot read `{path}`: {cause}")]
    Unreadable {
        /// The file or folder.
        path: String,
        /// Cause.
        cause: String,
    },
    /// There is no repository.
    #[error("`{0}` names no Rust project")]
    Empty(String),
    /// A line of the list is no folder with a manifest.
    #[error("`{list}` line {line}: `{name}` is no folder with a `Cargo.toml`")]
    NoProject {
        /// The list.
        list: String,
        /// Line, from 1.
        line: usize,
        /// Its text.
        name: String,
    },
    /// The folder of results is that of another task.
    #[error("`{folder}` has results of `{task}`")]
    OtherTask {
        /// The folder.
        folder: String,
        /// The task.
        task: String,
    },
    /// Another run uses the folder of results.
    #[error("another run uses `{0}`")]
    InUse(String),
    /// The folder of results cannot be written.
    #[error("cannot write to `{path}`: {cause}")]
    Unwritable {
        /// The folder or file.
        path: String,
        /// Cause.
        cause: String,
    },
    /// The folder has no results.
    #[error("`{0}` has no results of a fleet")]
    NoResults(String),
    /// The user stopped; the results until then are kept.
    #[error("interrupted: the same command continues")]
    Interrupted,
}

impl Hint for FleetError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Unreadable { .. } => {
                "pass a folder of projects, or a text file with the path of one in each line"
                    .to_owned()
            }
            Self::Empty(_) => "each folder in it that has a `Cargo.toml` is one".to_owned(),
            Self::NoProject { .. } => "correct the line, or begin it with `#`".to_owned(),
            Self::OtherTask { .. } => "name another folder with `--out DIR`".to_owned(),
            Self::InUse(_) => "wait for it, or name another folder with `--out DIR`".to_owned(),
            Self::Unwritable { .. } => "name a folder of yours with `--out DIR`".to_owned(),
            Self::NoResults(_) => "name the folder that `fleet run --out DIR` wrote".to_owned(),
            Self::Interrupted => return None,
        })
    }
}
