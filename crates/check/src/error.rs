/// Why nothing can be said of a change. That it does not build is never one of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The tree cannot be read or shown.
    #[error(transparent)]
    Repo(#[from] repo::RepoError),
    /// cargo cannot be run.
    #[error(transparent)]
    Cargo(#[from] cargo::CargoError),
    /// The tree was written again and again while it was being checked.
    #[error("the tree changed while it was being checked, {attempts} times in a row: {example}")]
    TreeMoves {
        /// How often it was tried.
        attempts: usize,
        /// One of the files.
        example: String,
    },
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl base::Hint for CheckError {
    fn hint(&self) -> Option<String> {
        match self {
            CheckError::Repo(error) => error.hint(),
            CheckError::Cargo(error) => error.hint(),
            CheckError::TreeMoves { .. } => Some(
                "stop whatever writes into the project (a watcher, a build) and try again"
                    .to_owned(),
            ),
            CheckError::Cancelled(_) => None,
        }
    }
}
