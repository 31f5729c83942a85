//! The class of each error, also of those of the crates below.

use super::{Error, ExitKind};

impl Error {
    /// Class of the error.
    pub fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Project(error) => error.exit_kind(),
            Self::Code(error) => error.exit_kind(),
            Self::BadName { .. }
            | Self::BadText { .. }
            | Self::Path(_)
            | Self::BadPlan { .. }
            | Self::NoRevision { .. }
            | Self::NoDependency { .. }
            | Self::Trace { .. } => ExitKind::Input,
            Self::InMacroCall { .. }
            | Self::NoPlan { .. }
            | Self::NotRenamed { .. }
            | Self::NotMoved { .. }
            | Self::NotInlined { .. }
            | Self::NotReshaped { .. }
            | Self::Edition { .. }
            | Self::NoAnswer { .. }
            | Self::Upgrade { .. } => ExitKind::No,
            Self::Recorded { kind, .. } => *kind,
            Self::NoModel => ExitKind::Environment,
            Self::Machine { .. } => ExitKind::Internal,
            Self::Kept(error) => error.exit_kind(),
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
