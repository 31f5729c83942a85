//! The skills that graftage ships: the folders of `skills/` in its repository, as text in the program.

use std::path::PathBuf;

use base::{ContentHash, ProjectPath};

use super::discover::{SkillHead, lenient, skill};
use super::fault::SkillFault;
use super::{Skill, SkillFile, SkillScope, SkillSource};

/// A folder of a skill: its name, and its files by path, `SKILL.md` first.
type ShippedSkill = (&'static str, &'static [(&'static str, &'static str)]);

macro_rules! files {
    ($folder:literal: $($path:literal),+) => {
        ($folder, &[$(($path, include_str!(concat!("../../../../skills/", $folder, "/", $path)))),+])
    };
}

const SKILLS: [ShippedSkill; 5] = [
    files!("rust-analyzer-with-graftage": "SKILL.md"),
    files!("behavioural-threads": "SKILL.md", "references/thread-format.md"),
    files!("stories": "SKILL.md"),
    files!("composing-tools": "SKILL.md", "references/edit-formats.md"),
    files!("rust-standards": "SKILL.md"),
];

impl SkillSource {
    /// The skills that are part of graftage.
    pub fn shipped() -> Self {
        let (root, scope) = (PathBuf::from("graftage:"), SkillScope::Shipped);
        Self { root, scope, is_trusted: true, contents: None }
    }
}

/// The shipped skills, or for each that cannot be used its folder and the reason.
pub(super) fn shipped(
    source: &SkillSource,
) -> impl Iterator<Item = Result<Skill, (&'static str, SkillFault)>> {
    SKILLS
        .iter()
        .map(|(folder, files)| read(source, folder, files).map_err(|reason| (*folder, reason)))
}

fn read(source: &SkillSource, folder: &str, files: &[(&str, &str)]) -> Result<Skill, SkillFault> {
    let (file, bytes) = files.first().ok_or(SkillFault::NoFile)?;
    let (text, warnings) = lenient(bytes.as_bytes(), folder)?;
    let head = SkillHead {
        folder: ProjectPath::new(&format!("skills/{folder}"))?,
        file: ProjectPath::new(file)?,
        hash: ContentHash::of(bytes.as_bytes()),
        warnings,
    };
    let mut found = skill(source, head, &text);
    for (file, _) in files {
        let is_reference = file.starts_with("references/");
        let file = SkillFile { path: ProjectPath::new(file)?, title: None, is_executable: false };
        if is_reference {
            found.references.push(file);
        }
    }
    Ok(found)
}

/// The text of a file of a shipped skill.
pub(super) fn shipped_file(skill: &Skill, path: &ProjectPath) -> Result<String, SkillFault> {
    let files = SKILLS.iter().find(|(folder, _)| *folder == skill.folder.file_name());
    let mut files = files.map(|(_, files)| *files).unwrap_or_default().iter();
    let file = files.find(|(name, _)| *name == path.as_str());
    file.map(|(_, text)| (*text).to_owned()).ok_or(SkillFault::Missing)
}
