use base::Hint;

use crate::SettingsError;

/// How many candidates a hint lists.
const LISTED: usize = 20;

/// What went wrong below a tool. Wording comes from the rooms; the surface adds only the status.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The user's tree, journal or git.
    #[error(transparent)]
    Repo(#[from] repo::RepoError),
    /// The proof.
    #[error(transparent)]
    Check(#[from] check::CheckError),
    /// Toolchain or cargo.
    #[error(transparent)]
    Cargo(#[from] cargo::CargoError),
    /// An edit request.
    #[error(transparent)]
    Edit(#[from] edit::EditError),
    /// The map could not be brought up to date.
    #[error(transparent)]
    Ingest(#[from] ingest::IngestError),
    /// A model that was chosen.
    #[error(transparent)]
    Model(#[from] model::ModelError),
    /// The database.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// Nothing in the map has this name.
    #[error("nothing is called `{query}`")]
    NoItem {
        /// What was asked for.
        query: String,
        /// The nearest canonical paths.
        nearest: Vec<String>,
    },
    /// Several items have this name.
    #[error("`{query}` could be {} items", candidates.len())]
    Ambiguous {
        /// What was asked for.
        query: String,
        /// What it could be, in words.
        candidates: Vec<String>,
    },
    /// There is no commit to compare the tree with.
    #[error("the project has no git commit to compare with")]
    NoCommit,
    /// No encoder of this name.
    #[error("there is no encoder `{model}`")]
    NoEncoder {
        /// Its name.
        model: String,
    },
    /// A file of weights is none.
    #[error("`{path}`: {error}")]
    Weights {
        /// Which.
        path: String,
        /// Why not.
        error: search::WeightsError,
    },
    /// Something that is not ours stands where a page would go.
    #[error("`{path}` was not made by `graftage docs`, or was changed since")]
    InTheWay {
        /// What.
        path: String,
    },
    /// A file or folder cannot be written.
    #[error("`{path}` cannot be written: {reason}")]
    Unwritable {
        /// Which.
        path: String,
        /// The system's word.
        reason: String,
    },
    /// A folder outside the project cannot be allowed.
    #[error("`{folder}` cannot be trusted: {reason}")]
    Trust {
        /// As it was named.
        folder: String,
        /// Why not.
        reason: String,
    },
    /// Whoever takes the answer takes no more.
    #[error("the answer cannot be handed over: {0}")]
    Handover(std::io::Error),
    /// There is no Rust project here.
    #[error("no `Cargo.toml` in `{0}` or above it")]
    NoProject(String),
    /// What was named as the project is no folder.
    #[error("`{0}` is no folder")]
    NoFolder(String),
    /// A folder or file that was named is not there.
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable {
        /// Which.
        path: String,
        /// The system's word.
        reason: String,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Cancelled(#[from] base::Cancelled),
}

/// Which exit status an error has; the numbers are chosen at the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// The answer is no: not found, refused by the state of things.
    No,
    /// Bad usage or input.
    Input,
    /// The machine lacks something.
    Environment,
    /// Our own fault.
    Internal,
    /// The user's wish.
    Interrupted,
}

impl Error {
    /// Which exit status it has.
    pub fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Settings(_)
            | Self::Edit(_)
            | Self::NoProject(_)
            | Self::NoFolder(_)
            | Self::Unreadable { .. }
            | Self::Ambiguous { .. }
            | Self::NoCommit
            | Self::Weights { .. }
            | Self::Trust { .. }
            | Self::InTheWay { .. } => ExitKind::Input,
            Self::NoItem { .. } => ExitKind::No,
            Self::NoEncoder { .. } | Self::Unwritable { .. } => ExitKind::Environment,
            Self::Handover(_) => ExitKind::Internal,
            Self::Cancelled(_) => ExitKind::Interrupted,
            Self::Model(error) => model_kind(error),
            Self::Ingest(error) => ingest_kind(error),
            Self::Store(error) => store_kind(error),
            Self::Repo(error) => repo_kind(error),
            Self::Check(error) => check_kind(error),
            Self::Cargo(error) => cargo_kind(error),
        }
    }
}

fn repo_kind(error: &repo::RepoError) -> ExitKind {
    use repo::RepoError as E;
    match error {
        E::Root { .. } | E::Message(_) | E::NoGit { .. } | E::GitFolder { .. } | E::Empty => {
            ExitKind::Input
        }
        E::Changed { .. }
        | E::NoEntry { .. }
        | E::Nothing { .. }
        | E::Already { .. }
        | E::GitState { .. }
        | E::Uncommitted { .. }
        | E::Hook { .. }
        | E::Moved { .. }
        | E::Reverted { .. } => ExitKind::No,
        E::Permit { .. } => ExitKind::Internal,
        E::Cancelled(_) => ExitKind::Interrupted,
        E::Read { .. }
        | E::Write { .. }
        | E::Keep { .. }
        | E::Busy { .. }
        | E::Damaged { .. }
        | E::Recovery { .. }
        | E::View { .. }
        | E::GitMissing
        | E::Git { .. }
        | E::Sandbox(_) => ExitKind::Environment,
    }
}

fn ingest_kind(error: &ingest::IngestError) -> ExitKind {
    use ingest::IngestError as E;
    match error {
        E::Repo(error) => repo_kind(error),
        E::Cancelled(_) => ExitKind::Interrupted,
        E::Rows { .. } => ExitKind::Internal,
        _ => ExitKind::Environment,
    }
}

fn model_kind(error: &model::ModelError) -> ExitKind {
    use model::ModelError as E;
    match error {
        E::Unknown { .. } | E::Manifest { .. } | E::Address { .. } => ExitKind::Input,
        E::Unreadable { .. } | E::Hash { .. } | E::Unusable { .. } | E::NotBuilt { .. } => {
            ExitKind::Environment
        }
    }
}

fn store_kind(error: &store::StoreError) -> ExitKind {
    use store::StoreError as E;
    match error {
        E::Script { .. } | E::Refused { .. } => ExitKind::Input,
        E::TooLong { .. } | E::TooBig { .. } => ExitKind::No,
        E::NoEngine | E::Keep { .. } | E::Busy { .. } => ExitKind::Environment,
        _ => ExitKind::Internal,
    }
}

fn check_kind(error: &check::CheckError) -> ExitKind {
    use check::CheckError as E;
    match error {
        E::Repo(error) => repo_kind(error),
        E::Cargo(error) => cargo_kind(error),
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}

fn cargo_kind(error: &cargo::CargoError) -> ExitKind {
    use cargo::CargoError as E;
    match error {
        E::ToolchainFile { .. } | E::ToolchainInside { .. } | E::Manifest { .. } => ExitKind::Input,
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}

impl Hint for Error {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Settings(error) => error.hint(),
            Self::Repo(error) => error.hint(),
            Self::Check(error) => error.hint(),
            Self::Cargo(error) => error.hint(),
            Self::Edit(error) => error.hint(),
            Self::NoProject(_) => {
                Some("name the project's folder with `-C DIR`, or run inside it".to_owned())
            }
            Self::Trust { .. } => Some(
                "name an existing folder, and see that the user's configuration, which \
                 `graftage config show` names, is TOML and can be written"
                    .to_owned(),
            ),
            Self::NoFolder(_) => Some("name the folder that it lies in with `-C DIR`".to_owned()),
            Self::Unreadable { .. } | Self::Unwritable { .. } => {
                Some("check the path and its permissions".to_owned())
            }
            Self::Ingest(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::NoItem { nearest, .. } if nearest.is_empty() => Some(
                "name an item by its canonical path, its key, its id, or the end of its path \
                 (`Type::method`)"
                    .to_owned(),
            ),
            Self::NoItem { nearest, .. } => Some(format!("near to it: {}", nearest.join(", "))),
            Self::Ambiguous { candidates, .. } => {
                let mut text = "name one of them by more of its path, or by its key:".to_owned();
                for candidate in candidates.iter().take(LISTED) {
                    text.push_str("\n    ");
                    text.push_str(candidate);
                }
                if candidates.len() > LISTED {
                    text.push_str(&format!("\n    and {} more", candidates.len() - LISTED));
                }
                Some(text)
            }
            Self::Weights { error, .. } => error.hint(),
            Self::NoCommit => Some("name an item or a diff, or commit first".to_owned()),
            Self::NoEncoder { .. } => {
                Some("this build has no encoders yet: leave `--ann-model` out".to_owned())
            }
            Self::InTheWay { .. } => {
                Some("move it away, or name another folder with `--out`".to_owned())
            }
            Self::Handover(_) | Self::Cancelled(_) => None,
        }
    }
}
