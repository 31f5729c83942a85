//! What an agent knows before it acts.
//!
//! - [`Relations`]: plans and other relations, a graph of nodes with several parents and no cycle.
//! - [`Rules`]: what a project asks of those who change it: `AGENTS.md`, what it links to, nested ones.
//! - [`Skills`]: folders with instructions, scripts and references, as AgentSkills defines them.
//! - [`Episodes`]: what was done in a project and what came of it.
//! - [`extract_links`]: the links of a Markdown text.
//!
//! Invariants: files of a project are untrusted and are read through `untrusted_fs`; a program's own files
//! are replaced as a whole or not at all; no clock and no randomness except through [`base::Ctx`]; the
//! same content gives the same answer. This crate starts no process and writes nothing but its own
//! files.

mod episodes;
mod markdown;
mod relations;
mod rules;
mod skills;

pub use episodes::{Episode, EpisodeHit, EpisodeItem, Episodes};
pub use markdown::{LinkOptions, MarkdownLink, extract_links, get_extension, is_external_link};
pub use relations::{
    DamagedFile, OnPersist, Relation, RelationContext, RelationError, RelationFile, RelationStatus,
    RelationUpdate, Relations, RelationsConfig, StoredRelations,
};
pub use rules::{
    ClosedRules, PathRules, ReferenceHit, ReferenceTarget, Refused, RuleChanges, RuleReference,
    RuleText, RuleTier, Rules, RulesError, RulesOptions, rule_links,
};
pub use skills::{
    Skill, SkillContents, SkillError, SkillFile, SkillHit, SkillReferenceHit, SkillScope,
    SkillSource, Skills, SkippedSkill, skill_contents, validate_skill,
};
