//! Settings of what is learned. A project may not make its lessons count in the user's other projects.

use super::keys::{SettingKey, set};

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

impl SkillStore {
    /// All variants with their names in settings files.
    const ALL: [(Self, &'static str); 3] =
        [(Self::Off, "off"), (Self::Project, "project"), (Self::User, "user")];

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, text)| text)
    }
}

/// The keys of these settings.
pub(super) const MEMORY_KEYS: &[SettingKey] = &[SettingKey {
    name: "memory.skills",
    help: "where edits that are learned from accepted changes are kept, for `fix` to propose",
    takes: "off, project or user",
    get: |s| s.memory_skills.text().to_owned(),
    set: |s, v| {
        let store = SkillStore::ALL.into_iter().find(|(_, text)| *text == v);
        set(&mut s.memory_skills, store.map(|(store, _)| store))
    },
    tightens: Some(|old, new| new.memory_skills <= old.memory_skills),
}];
