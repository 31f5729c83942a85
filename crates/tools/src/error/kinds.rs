//! The class of each error, also of those of the crates below.

use super::{Error, ExitKind};

impl Error {
    /// Class of the error.
    pub fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Settings(_)
            | Self::Edit(_)
            | Self::Root(_)
            | Self::Unreadable { .. }
            | Self::Ambiguous { .. }
            | Self::BadName { .. }
            | Self::BadText { .. }
            | Self::NoCommit
            | Self::Path(_)
            | Self::BadPlan { .. }
            | Self::NoRevision { .. }
            | Self::NoDependency { .. }
            | Self::Weights { .. }
            | Self::Trace { .. }
            | Self::Trust { .. }
            | Self::InTheWay { .. } => ExitKind::Input,
            Self::NoItem { .. }
            | Self::OutsideItem { .. }
            | Self::NotMapped { .. }
            | Self::InMacroCall { .. }
            | Self::NoPlan { .. }
            | Self::NotRenamed { .. }
            | Self::NotMoved { .. }
            | Self::NotInlined { .. }
            | Self::NotReshaped { .. }
            | Self::Edition { .. }
            | Self::NoAnswer { .. }
            | Self::Upgrade { .. } => ExitKind::No,
            Self::Recorded { kind, .. } => *kind,
            Self::NoEncoder { .. } | Self::Unwritable { .. } | Self::NoModel => {
                ExitKind::Environment
            }
            Self::Turn(model::language::TurnError::Cancelled) => ExitKind::Interrupted,
            Self::Turn(_) => ExitKind::Environment,
            Self::Output(_) | Self::Machine { .. } => ExitKind::Internal,
            Self::Cancelled(_) => ExitKind::Interrupted,
            Self::Model(error) => model_kind(error),
            Self::Ingest(error) => ingest_kind(error),
            Self::Store(error) => store_kind(error),
            Self::Repo(error) => repo_kind(error),
            Self::Check(error) => check_kind(error),
            Self::Cargo(error) => cargo_kind(error),
            Self::Consent(_) => ExitKind::No,
            Self::Proposal(error) => error.exit_kind(),
            Self::Rules(error) => rules_kind(error),
            Self::Skill(error) => skill_kind(error),
            Self::Relation(error) => relation_kind(error),
        }
    }
}

fn rules_kind(error: &memory::RulesError) -> ExitKind {
    use memory::RulesError as E;
    match error {
        E::Root { .. } => ExitKind::Environment,
        E::NoReference { .. } | E::Unusable { .. } => ExitKind::No,
        E::Cancelled(_) => ExitKind::Interrupted,
    }
}

fn skill_kind(error: &memory::SkillError) -> ExitKind {
    use memory::SkillError as E;
    match error {
        E::NoSkill { .. } | E::Untrusted { .. } | E::Changed { .. } | E::File { .. } => {
            ExitKind::No
        }
        E::Cancelled(_) => ExitKind::Interrupted,
    }
}

fn relation_kind(error: &memory::RelationError) -> ExitKind {
    use memory::RelationError as E;
    match error {
        E::NoRelation { .. } | E::NoParent { .. } => ExitKind::No,
        E::Persist { .. } | E::File { .. } | E::Version { .. } => ExitKind::Environment,
        _ => ExitKind::Input,
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

fn cargo_kind(error: &build::CargoError) -> ExitKind {
    use build::CargoError as E;
    match error {
        E::ToolchainFile { .. } | E::ToolchainInside { .. } | E::Manifest { .. } => ExitKind::Input,
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}
