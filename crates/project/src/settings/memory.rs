//! Settings of what is learned. A project may not make its lessons count in the user's other projects.

/// Where edits that are learned from accepted changes are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkillStore {
    /// None is learned or used.
    Off,
    /// With the project, for it alone.
    #[default]
    Project,
    /// With the user, for all projects that have this setting; those of the project are used too.
    User,
}
