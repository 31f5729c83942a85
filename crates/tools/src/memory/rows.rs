//! Rules, skills and episodes as rows for Datalog. Refreshed by content: the stamp of the rows covers the
//! texts of rules and skills and the end of the log.

use std::path::Path;

use base::{Ctx, Hasher, ProjectPath, SortedSet};
use code::CurrentMap;
use memory::{
    Episode, ReferenceTarget, RuleText, RuleTier, Rules, RulesOptions, SkillScope, SkillSource,
    Skills,
};
use project::Workspace;
use store::{EpisodeRow, MemoryRows, RuleReferenceRow, RuleRow, SkillReferenceRow, SkillRow};

use super::episodes::Remembered;
use super::skills::records;
use crate::Error;
use crate::guidance::rules_for_agents;

/// What the rows are made of.
pub(crate) struct MemorySources {
    rules: Option<Rules>,
    texts: Vec<RuleText>,
    skills: Option<Skills>,
}

impl MemorySources {
    /// Reads rules and skills; a folder that cannot be read has none.
    pub(crate) fn read(ctx: &Ctx, current: &CurrentMap<'_>) -> Self {
        let workspace = current.workspace();
        let root = workspace.project().root();
        let rules = rules_for_agents(ctx, workspace, root, RulesOptions::default()).ok();
        let texts = rules.as_ref().map(|it| rule_texts(it, current)).unwrap_or_default();
        let source = |root: &Path, scope, is_trusted| SkillSource {
            root: root.to_owned(),
            scope,
            is_trusted,
            contents: None,
        };
        let sources = vec![
            source(root, SkillScope::Project, false),
            source(workspace.home(), SkillScope::User, true),
        ];
        Self { rules, texts, skills: Skills::discover(ctx, sources).ok() }
    }

    /// Whether there is anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.skills.as_ref().is_none_or(|it| it.list().is_empty())
    }

    /// Adds all that the rows depend on.
    pub(crate) fn stamp(&self, workspace: &Workspace, stamp: &mut Hasher) -> Result<(), Error> {
        for text in &self.texts {
            stamp.field(text.path.as_str().as_bytes()).field(text.hash.as_bytes());
        }
        for skill in self.skills.iter().flat_map(Skills::list) {
            stamp.field(skill.location().to_string_lossy().as_bytes());
            stamp.field(skill.hash.as_bytes());
            skill.references.iter().for_each(|it| {
                stamp.field(it.path.as_str().as_bytes());
            });
        }
        for record in records(workspace) {
            stamp.field(record.memory_entries()?.end.as_bytes());
        }
        Ok(())
    }

    /// The rows.
    pub(crate) fn rows(&self, workspace: &Workspace) -> Result<MemoryRows, Error> {
        let remembered = Remembered::open(workspace)?;
        let skills: SortedSet<&String> = remembered.skills.iter().map(|it| &it.id).collect();
        let episodes = remembered.episodes();
        let row = |it: &Episode| episode_row(it, skills.contains(&it.id));
        Ok(MemoryRows {
            rules: self.texts.iter().map(|it| rule_row(workspace, it)).collect(),
            rule_references: self.rule_references(workspace),
            skills: self.skills.iter().flat_map(Skills::list).map(skill_row).collect(),
            skill_references: self.skills.iter().flat_map(skill_references).collect(),
            episodes: episodes.iter().map(row).collect(),
        })
    }

    fn rule_references(&self, workspace: &Workspace) -> Vec<RuleReferenceRow> {
        let row = |it: &memory::RuleReference| RuleReferenceRow {
            source_path: it.source.to_string(),
            ordinal: it.ordinal as u64,
            display_text: it.display_text.clone(),
            relative_path: it.relative_path.clone(),
            absolute_path: match &it.target {
                ReferenceTarget::Loaded(path) => {
                    Some(path.join_to(workspace.project().root()).display().to_string())
                }
                ReferenceTarget::Broken { .. } => None,
            },
            line_number: u64::from(it.line_number),
        };
        self.rules.iter().flat_map(|it| it.references()).map(row).collect()
    }
}

/// The rules of the root, what they link to, and those of the folders that the map has files in.
fn rule_texts(rules: &Rules, current: &CurrentMap<'_>) -> Vec<RuleText> {
    let linked = rules.references().iter().filter_map(|it| match &it.target {
        ReferenceTarget::Loaded(path) => rules.reference_content(path).ok(),
        ReferenceTarget::Broken { .. } => None,
    });
    let mut texts: Vec<RuleText> = rules.root_rules().into_iter().chain(linked).collect();
    let map = current.map();
    let paths = map.files().filter_map(|file| ProjectPath::new(file.path).ok());
    let folders: SortedSet<ProjectPath> = paths.filter_map(|it| it.parent()).collect();
    for folder in folders {
        let nested = rules.rules_for_path(&folder).rules.into_iter();
        texts.extend(nested.filter(|it| it.tier == RuleTier::Nested));
    }
    let mut seen = SortedSet::new();
    texts.retain(|it| seen.insert(it.path.clone()));
    texts
}

fn rule_row(workspace: &Workspace, text: &RuleText) -> RuleRow {
    let path = text.path.join_to(workspace.project().root());
    let modified = std::fs::symlink_metadata(path).and_then(|it| it.modified()).ok();
    let since = modified.and_then(|it| it.duration_since(std::time::UNIX_EPOCH).ok());
    RuleRow {
        path: text.path.to_string(),
        tier: match text.tier {
            RuleTier::Root => "root",
            RuleTier::Reference => "reference",
            RuleTier::Nested => "nested",
        },
        content_hash: text.hash.to_string(),
        content: text.content.clone(),
        mtime: since.and_then(|it| u64::try_from(it.as_micros()).ok()),
    }
}

fn skill_row(skill: &memory::Skill) -> SkillRow {
    SkillRow {
        name: skill.name.clone(),
        description: skill.description.clone(),
        scope: match skill.scope {
            SkillScope::Project => "project",
            SkillScope::User => "user",
            SkillScope::Shipped => "shipped",
        },
        is_trusted: skill.is_trusted,
        path: skill.location().display().to_string(),
        content_hash: skill.hash.to_string(),
    }
}

/// The references of each skill: of a trusted one also those that its text links to.
fn skill_references(skills: &Skills) -> Vec<SkillReferenceRow> {
    let of = |skill: &memory::Skill| {
        let files = skills.references(&skill.name).unwrap_or_else(|_| skill.references.clone());
        let row = |(ordinal, file): (u64, memory::SkillFile)| SkillReferenceRow {
            skill: skill.name.clone(),
            ordinal,
            path: file.path.to_string(),
            title: file.title,
        };
        (0..).zip(files).map(row).collect::<Vec<_>>()
    };
    skills.list().into_iter().flat_map(of).collect()
}

fn episode_row(episode: &Episode, is_skill: bool) -> EpisodeRow {
    EpisodeRow {
        id: episode.id.clone(),
        kind: if is_skill { "skill" } else { "episode" },
        command: episode.command.clone(),
        outcome: episode.outcome.clone(),
        title: episode.title().to_owned(),
        errors: episode.errors.clone(),
        by: episode.by.clone(),
        items: episode.items.iter().map(|it| format!("{}: {}", it.file, it.path)).collect(),
        files: episode.files.clone(),
        patch_set: episode.patch_set.map(|it| it.to_string()),
        change: episode.change.clone(),
        candidates: episode.candidates,
        tokens: episode.tokens,
        micro_dollars: episode.micro_dollars,
        wall_ms: episode.wall_ms,
        at: episode.at.0,
    }
}
