//! The class of each error, also of those of the crates below.

use super::{ExitKind, ProjectError};

impl ProjectError {
    /// Class of the error.
    pub fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Settings(_)
            | Self::Edit(_)
            | Self::Root(_)
            | Self::Unreadable { .. }
            | Self::Weights { .. }
            | Self::Trust { .. } => ExitKind::Input,
            Self::Unwritable { .. } => ExitKind::Environment,
            Self::Turn(model::language::TurnError::Cancelled) | Self::Cancelled(_) => {
                ExitKind::Interrupted
            }
            Self::Turn(_) => ExitKind::Environment,
            Self::Model(error) => model_kind(error),
            Self::Ingest(error) => ingest_kind(error),
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
        | E::ChangedAround { .. }
        | E::CommittedSince { .. }
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
        E::Cancelled => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}

fn world_kind(error: &world::WorldError) -> ExitKind {
    use world::WorldError as E;
    match error {
        E::NotReady { .. } | E::TooMuch { .. } => ExitKind::No,
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}

fn check_kind(error: &check::CheckError) -> ExitKind {
    use check::CheckError as E;
    match error {
        E::World(error) => world_kind(error),
        E::Repo(error) => repo_kind(error),
        E::Cargo(error) => cargo_kind(error),
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}

fn cargo_kind(error: &build::CargoError) -> ExitKind {
    use build::CargoError as E;
    match error {
        E::ToolchainFile { .. } | E::ToolchainInside { .. } | E::Manifest { .. } => ExitKind::Input,
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}
