//! The class of each error, also of those of the crates below.

use super::{Error, ExitKind};

impl Error {
    /// Class of the error.
    pub fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Project(error) => error.exit_kind(),
            Self::Ambiguous { .. }
            | Self::BadName { .. }
            | Self::BadText { .. }
            | Self::NoCommit
            | Self::Path(_)
            | Self::BadPlan { .. }
            | Self::NoRevision { .. }
            | Self::NoDependency { .. }
            | Self::Trace { .. }
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
            Self::NoEncoder { .. } | Self::NoModel => ExitKind::Environment,
            Self::Output(_) | Self::Machine { .. } => ExitKind::Internal,
            Self::Store(error) => store_kind(error),
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

fn store_kind(error: &store::StoreError) -> ExitKind {
    use store::StoreError as E;
    match error {
        E::Script { .. } | E::Refused { .. } => ExitKind::Input,
        E::TooLong { .. } | E::TooBig { .. } => ExitKind::No,
        E::NoEngine | E::Keep { .. } | E::Busy { .. } => ExitKind::Environment,
        _ => ExitKind::Internal,
    }
}
