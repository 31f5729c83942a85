use base::Hint;

use crate::SettingsError;

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
    /// There is no Rust project here.
    #[error("no `Cargo.toml` in `{0}` or above it")]
    NoProject(String),
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
            Self::Settings(_) | Self::Edit(_) | Self::NoProject(_) | Self::Unreadable { .. } => {
                ExitKind::Input
            }
            Self::Cancelled(_) => ExitKind::Interrupted,
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
        E::ToolchainFile { .. } | E::Manifest { .. } => ExitKind::Input,
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
            Self::Unreadable { .. } => Some("check the path and its permissions".to_owned()),
            Self::Cancelled(_) => None,
        }
    }
}
