//! [`Skill`]: what is known of a skill without its instructions.

use std::path::PathBuf;

use base::{ContentHash, ProjectPath, SortedMap};

use untrusted_fs::Dir;

use super::contents::{changes, copy_contents};
use super::{SkillContents, SkillError};

/// Where a skill comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkillScope {
    /// A folder of the project.
    Project,
    /// A folder of the user.
    User,
    /// A part of graftage.
    Shipped,
}

/// A skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// License.
    pub license: Option<String>,
    /// What it needs of its environment.
    pub compatibility: Option<String>,
    /// Further values, as text.
    pub metadata: SortedMap<String, String>,
    /// Tools that it asks for, as it writes them.
    pub allowed_tools: Vec<String>,
    /// Root of its source.
    pub root: PathBuf,
    /// Folder of the skill below that root.
    pub folder: ProjectPath,
    /// `SKILL.md` in that folder.
    pub file: ProjectPath,
    /// Hash of that file.
    pub hash: ContentHash,
    /// Where it comes from.
    pub scope: SkillScope,
    /// Whether it may be used: the user's own, or of a project that the user trusts.
    pub is_trusted: bool,
    /// The contents that the user trusts, where trust is bound to them.
    pub contents: Option<SkillContents>,
    /// What changed since the user trusted the skill; then it is not trusted.
    pub changed: Vec<String>,
    /// Files of the folder `scripts`.
    pub scripts: Vec<SkillFile>,
    /// Markdown files of the folder `references`.
    pub references: Vec<SkillFile>,
    /// Files of the folder `assets`.
    pub assets: Vec<SkillFile>,
    /// What the strict validation reports, and what was repaired while reading.
    pub warnings: Vec<String>,
}

impl Skill {
    /// Path of its `SKILL.md`.
    pub fn location(&self) -> PathBuf {
        self.folder.join_to(&self.root).join(self.file.as_str())
    }

    /// Whether it may be read and run.
    ///
    /// # Errors
    /// [`SkillError::Untrusted`], or [`SkillError::Changed`] with what changed.
    pub fn trusted(&self) -> Result<(), SkillError> {
        let name = self.name.clone();
        match (self.is_trusted, self.changed.is_empty()) {
            (true, _) => Ok(()),
            (false, true) => Err(SkillError::Untrusted { name }),
            (false, false) => Err(SkillError::Changed { name, changed: self.changed.clone() }),
        }
    }

    /// Copies its folder, open as `dir`, to an empty one. The copy has the contents that the user trusts, whatever
    /// happens to the folder meanwhile.
    ///
    /// # Errors
    /// Other contents, [`SkillError::Changed`]; or a folder that cannot be copied.
    pub fn copy(&self, dir: &Dir, to: &Dir) -> Result<(), SkillError> {
        let name = self.name.clone();
        let copied = copy_contents(dir, to).map_err(|fault| SkillError::File {
            name: name.clone(),
            path: self.folder.to_string(),
            reason: fault.to_string(),
        })?;
        match self.contents.as_ref().map(|trusted| changes(trusted, &copied)) {
            Some(changed) if !changed.is_empty() => Err(SkillError::Changed { name, changed }),
            _ => Ok(()),
        }
    }
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    /// Path in the skill's folder.
    pub path: ProjectPath,
    /// Text of a link to it.
    pub title: Option<String>,
    /// Whether its owner may execute it.
    pub is_executable: bool,
}
