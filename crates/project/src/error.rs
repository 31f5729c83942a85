//! The error of everything that a command needs first: project, settings, environment; with exit classes
//! and hints. The crates above wrap it in theirs.

mod hints;
mod kinds;

use serde::{Deserialize, Serialize};

use crate::SettingsError;

/// Why a project, a setting or a part of the environment cannot be used. Messages and hints of the crates
/// below are passed through.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// A setting has a bad name or value.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The user's tree, the journal or git failed.
    #[error(transparent)]
    Repo(#[from] repo::RepoError),
    /// A check failed to run.
    #[error(transparent)]
    Check(#[from] check::CheckError),
    /// The toolchain or cargo failed.
    #[error(transparent)]
    Cargo(#[from] build::CargoError),
    /// An edit request is not valid.
    #[error(transparent)]
    Edit(#[from] edit::EditError),
    /// The map could not be updated.
    #[error(transparent)]
    Ingest(#[from] ingest::IngestError),
    /// The configured model could not be loaded.
    #[error(transparent)]
    Model(#[from] model::ModelError),
    /// The language model cannot be used, or gave no answer.
    #[error(transparent)]
    Turn(#[from] model::language::TurnError),
    /// The directory is not part of a project.
    #[error(transparent)]
    Root(#[from] build::RootError),
    /// A file of ranking weights is not valid.
    #[error("`{path}` is not a valid weights file: {error}")]
    Weights {
        /// Path of the file.
        path: String,
        /// The parse error.
        error: search::WeightsError,
    },
    /// A directory outside the project cannot be added to `trust.paths`.
    #[error("cannot trust `{folder}`: {reason}")]
    Trust {
        /// The directory as given by the user.
        folder: String,
        /// The reason.
        reason: String,
    },
    /// A file or directory cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable {
        /// Path of the file or directory.
        path: String,
        /// Error message of the system.
        reason: String,
    },
    /// A file or directory cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    Unwritable {
        /// Path of the file or directory.
        path: String,
        /// Error message of the system.
        reason: String,
    },
    /// The user interrupted the command.
    #[error("interrupted")]
    Cancelled(#[from] base::Cancelled),
}

/// Class of an error; the command line maps it to an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitKind {
    /// Negative result: not found, or refused in the present state of the project.
    No,
    /// Usage or input is not valid.
    Input,
    /// The machine lacks a program, a permission or a resource.
    Environment,
    /// Bug in graftage.
    Internal,
    /// Interrupted by the user.
    Interrupted,
}

impl ProjectError {
    /// Whether the same request may succeed a moment later: something else wrote the tree or had a lock.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Check(check::CheckError::TreeMoves { .. }) => true,
            Self::Check(check::CheckError::Repo(error)) | Self::Repo(error) => {
                matches!(error, repo::RepoError::Busy { .. })
            }
            _ => false,
        }
    }
}
