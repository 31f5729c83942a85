//! [`Skills`]: folders with a `SKILL.md`, as AgentSkills defines them, found in a project, in the user's
//! folders, and among those that graftage ships.
//!
//! Found leniently: what can be used is used, with warnings ([`validate_skill`] is strict). Only heads
//! are read for the list; bodies and references are read when they are asked for. Nothing is executed.
//! The skills of a project are text of strangers: as long as the user does not trust the project, they
//! are listed, not found and not read.

mod contents;
mod discover;
mod fault;
mod shipped;
mod skill;
mod validate;
mod yaml;

pub use contents::{SkillContents, skill_contents};
pub use discover::SkillSource;
pub use skill::{Skill, SkillFile, SkillScope};
pub use validate::validate_skill;
pub(crate) use yaml::Yaml;

use std::sync::Arc;

use base::{Ctx, Hint, ProjectPath};
use search::{Encoder, Passage, PassageHit, StaticTable, rank_passages};

use crate::markdown::{LinkOptions, extract_links};

/// Why a skill cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SkillError {
    /// There is no skill of that name.
    #[error("no skill `{name}`")]
    NoSkill {
        /// The name.
        name: String,
    },
    /// The skill comes from a project that the user does not trust.
    #[error("the skill `{name}` belongs to a project that you do not trust")]
    Untrusted {
        /// The name.
        name: String,
    },
    /// The skill is not the one that the user trusted.
    #[error("the skill `{name}` changed since you trusted it: {}", changed.join(", "))]
    Changed {
        /// The name.
        name: String,
        /// What changed.
        changed: Vec<String>,
    },
    /// A file of the skill is missing or was refused.
    #[error("`{path}` of the skill `{name}` cannot be used: {reason}")]
    File {
        /// The name.
        name: String,
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The user stopped the work.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl Hint for SkillError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::NoSkill { .. } => Some("`graftage skills list` lists the names".to_owned()),
            Self::Untrusted { .. } => Some(
                "read its SKILL.md, then trust the project: `graftage skills trust`".to_owned(),
            ),
            Self::Changed { .. } => Some(
                "read what changed, then trust the skills again: `graftage skills trust`"
                    .to_owned(),
            ),
            Self::File { .. } | Self::Cancelled(_) => None,
        }
    }
}

/// A skill that fits an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillHit {
    /// Name.
    pub name: String,
    /// Score and its parts.
    pub score: PassageHit,
}

/// A reference of a skill that fits an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillReferenceHit {
    /// File.
    pub file: SkillFile,
    /// Score and its parts.
    pub score: PassageHit,
}

/// A folder that has no usable skill, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedSkill {
    /// The `SKILL.md` or folder, for display.
    pub path: String,
    /// The reason.
    pub reason: String,
}

/// All skills that were found.
pub struct Skills {
    sources: Vec<SkillSource>,
    encoder: Arc<dyn Encoder>,
    skills: Vec<(Skill, Passage)>,
    skipped: Vec<SkippedSkill>,
}

impl Skills {
    /// Finds the skills of all sources. Of two with the same name, the one of the earlier source is used,
    /// and the other is reported in [`Skills::skipped`].
    ///
    /// # Errors
    /// Cancellation. A source that does not exist has no skills.
    pub fn discover(ctx: &Ctx, sources: Vec<SkillSource>) -> Result<Self, SkillError> {
        let encoder: Arc<dyn Encoder> = Arc::new(StaticTable::embedded());
        let mut skills = Self { sources, encoder, skills: Vec::new(), skipped: Vec::new() };
        skills.refresh(ctx)?;
        Ok(skills)
    }

    /// Finds them again; whether anything is different.
    ///
    /// # Errors
    /// Cancellation; then everything is as before.
    pub fn refresh(&mut self, ctx: &Ctx) -> Result<bool, SkillError> {
        let (found, skipped) = discover::discover(ctx, &self.sources)?;
        let is_same = skipped == self.skipped
            && found.len() == self.skills.len()
            && found.iter().zip(&self.skills).all(|(new, (old, _))| new == old);
        if !is_same {
            self.skipped = skipped;
            self.skills = found
                .into_iter()
                .map(|skill| {
                    let passage = Passage::new(&*self.encoder, &skill.name, &skill.description);
                    (skill, passage)
                })
                .collect();
        }
        Ok(!is_same)
    }

    /// All skills, by source and name.
    pub fn list(&self) -> Vec<&Skill> {
        self.skills.iter().map(|(skill, _)| skill).collect()
    }

    /// Folders without a usable skill, and skills that another one hides.
    pub fn skipped(&self) -> &[SkippedSkill] {
        &self.skipped
    }

    /// The skill of that name, also if it is not trusted.
    pub fn get(&self, name: &str) -> Option<&Skill> {
        self.skills.iter().find(|(skill, _)| skill.name == name).map(|(skill, _)| skill)
    }

    /// The trusted skills that fit an intent, best first, at most `limit`.
    pub fn search(&self, intent: &str, limit: usize) -> Vec<SkillHit> {
        let trusted: Vec<_> = self.skills.iter().filter(|(skill, _)| skill.is_trusted).collect();
        let passages: Vec<&Passage> = trusted.iter().map(|(_, passage)| passage).collect();
        let ranked = rank_passages(&*self.encoder, &passages, intent, limit);
        let hit = |score: PassageHit| SkillHit { name: trusted[score.index].0.name.clone(), score };
        ranked.into_iter().map(hit).collect()
    }

    /// The instructions of a trusted skill: the text below its head.
    ///
    /// # Errors
    /// A name without a skill, a skill that is not trusted, a file that has become unusable.
    pub fn body(&self, name: &str) -> Result<String, SkillError> {
        let skill = self.trusted(name)?;
        let text = self.read(skill, &skill.file)?;
        let unusable = |fault: fault::SkillFault| SkillError::File {
            name: name.to_owned(),
            path: skill.file.to_string(),
            reason: fault.to_string(),
        };
        let (_, body) = validate::split(&text).map_err(unusable)?;
        Ok(validate::trimmed(&body).to_owned())
    }

    /// The whole `SKILL.md` of a trusted skill, with its head.
    ///
    /// # Errors
    /// As [`Skills::body`].
    pub fn text(&self, name: &str) -> Result<String, SkillError> {
        let skill = self.trusted(name)?;
        self.read(skill, &skill.file)
    }

    /// The references of a trusted skill: the Markdown files of its folder `references`, and those that
    /// its instructions link to, with the texts of the links.
    ///
    /// # Errors
    /// As [`Skills::body`].
    pub fn references(&self, name: &str) -> Result<Vec<SkillFile>, SkillError> {
        let mut references = self.trusted(name)?.references.clone();
        let options = LinkOptions { extensions: vec!["md".to_owned()], ..LinkOptions::default() };
        for link in extract_links(&self.body(name)?, &options) {
            // Paths are relative to the skill's folder; what leaves it is no reference.
            let Ok(path) = ProjectPath::new(&link.relative_path) else { continue };
            match references.iter_mut().find(|it| it.path == path) {
                Some(file) if file.title.is_none() => file.title = Some(link.display_text),
                Some(_) => {}
                None => references.push(SkillFile {
                    path,
                    title: Some(link.display_text),
                    is_executable: false,
                }),
            }
        }
        Ok(references)
    }

    /// The text of a reference of a trusted skill.
    ///
    /// # Errors
    /// As [`Skills::body`], and a path that is no reference of the skill.
    pub fn reference_content(&self, name: &str, path: &ProjectPath) -> Result<String, SkillError> {
        let skill = self.trusted(name)?;
        if !self.references(name)?.iter().any(|it| it.path == *path) {
            let (name, path) = (name.to_owned(), path.to_string());
            let reason = "it is no reference of the skill".to_owned();
            return Err(SkillError::File { name, path, reason });
        }
        self.read(skill, path)
    }

    /// The references of a trusted skill that fit an intent, best first, at most `limit`.
    ///
    /// # Errors
    /// As [`Skills::body`]. References that cannot be read are left out.
    pub fn search_references(
        &self,
        name: &str,
        intent: &str,
        limit: usize,
    ) -> Result<Vec<SkillReferenceHit>, SkillError> {
        let skill = self.trusted(name)?;
        let mut found = Vec::new();
        for file in self.references(name)? {
            let Ok(text) = self.read(skill, &file.path) else { continue };
            let title = format!("{}\n{}", file.title.as_deref().unwrap_or_default(), file.path);
            found.push((file, Passage::new(&*self.encoder, &title, &text)));
        }
        let passages: Vec<&Passage> = found.iter().map(|(_, passage)| passage).collect();
        let ranked = rank_passages(&*self.encoder, &passages, intent, limit);
        let hit =
            |score: PassageHit| SkillReferenceHit { file: found[score.index].0.clone(), score };
        Ok(ranked.into_iter().map(hit).collect())
    }

    fn trusted(&self, name: &str) -> Result<&Skill, SkillError> {
        let no_skill = || SkillError::NoSkill { name: name.to_owned() };
        let skill = self.get(name).ok_or_else(no_skill)?;
        skill.trusted().map(|()| skill)
    }

    fn read(&self, skill: &Skill, path: &ProjectPath) -> Result<String, SkillError> {
        let read = discover::read_file(skill, path);
        read.map_err(|fault| SkillError::File {
            name: skill.name.clone(),
            path: path.to_string(),
            reason: fault.to_string(),
        })
    }
}
