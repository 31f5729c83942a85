//! [`CheckError`]: why there is no verdict.

/// Why a change could not be checked. A change that does not build is a verdict, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The tree cannot be read or shown.
    #[error(transparent)]
    Repo(#[from] repo::RepoError),
    /// cargo cannot be run.
    #[error(transparent)]
    Cargo(#[from] build::CargoError),
    /// Stories cannot be played.
    #[error(transparent)]
    World(#[from] world::WorldError),
    /// The tree changed during every attempt.
    #[error("the tree changed while it was being checked, {attempts} times in a row: {example}")]
    TreeMoves {
        /// The number of attempts.
        attempts: usize,
        /// One of the changed files.
        example: String,
    },
    /// The project may be a member of another workspace by now.
    #[error(
        "a `Cargo.toml` above the project was written since it was opened, and may make it a part of another workspace"
    )]
    RootMoves,
    /// The user cancelled.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl base::Hint for CheckError {
    fn hint(&self) -> Option<String> {
        match self {
            CheckError::Repo(error) => error.hint(),
            CheckError::Cargo(error) => error.hint(),
            CheckError::World(error) => error.hint(),
            CheckError::TreeMoves { .. } => Some(
                "stop whatever writes into the project (a watcher, a build) and try again"
                    .to_owned(),
            ),
            CheckError::RootMoves => Some("start the command, or the server, again".to_owned()),
            CheckError::Cancelled(_) => None,
        }
    }
}
