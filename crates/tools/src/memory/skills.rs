//! The skill library: edits that are learned from accepted changes. A pattern is mined when a change that
//! fixes errors is written ([`Lesson`]); the second place in which it is proven makes it a skill. Until
//! then what it inserts counts as a guess. The record has one entry for each change that teaches it, so
//! that a change which is undone no longer counts.

use std::collections::BTreeMap;

use base::{ContentHash, Ctx, Diagnostic, Timestamp};
use check::{Ladder, Tests};
use edit::Overlay;
use memory::Episode;
use policy::Evidence;
use record::{Entry, Record, RunHistory, SkillRecord};
use repair::LearnedEdit;

use crate::proposals::undone;
use crate::settings::SkillStore;
use crate::{Error, Workspace};

/// Length of the id of a skill.
const ID_LENGTH: usize = 10;
/// Maximum number of skills that are used, those of most places first.
const MOST: usize = 200;

/// A learned edit with what the record has of it.
pub(super) struct Skill {
    pub(super) id: String,
    pub(super) edit: LearnedEdit,
    /// The changes that taught it.
    changes: Vec<String>,
    at: Timestamp,
}

impl Skill {
    /// It as it is found and listed.
    pub(super) fn episode(&self) -> Episode {
        let pattern = &self.edit.pattern;
        let is_proven = self.edit.places >= 2;
        Episode {
            id: self.id.clone(),
            command: "skill".to_owned(),
            outcome: if is_proven { "proven" } else { "seen once" }.to_owned(),
            errors: vec![format!("{}: {}", pattern.code, pattern.message)],
            by: self.changes.iter().map(|it| format!("change {it}")).collect(),
            rationale: pattern.describe(),
            candidates: self.edit.places,
            at: self.at,
            ..Episode::default()
        }
    }
}

/// The records with skills: that of the project and, by setting, that of the user.
pub(super) fn records(workspace: &Workspace) -> Vec<Record> {
    let mut records = vec![workspace.record()];
    if workspace.settings().memory_skills == SkillStore::User {
        records.push(workspace.user_record());
    }
    records
}

/// The edits that `fix` may propose: those that were learned and not forgotten.
///
/// # Errors
/// A record that cannot be read.
pub fn learned_edits(workspace: &Workspace) -> Result<Vec<LearnedEdit>, Error> {
    if workspace.settings().memory_skills == SkillStore::Off {
        return Ok(Vec::new());
    }
    let mut edits: Vec<LearnedEdit> = skills(workspace)?.into_iter().map(|it| it.edit).collect();
    edits.sort_by_key(|it| std::cmp::Reverse(it.places));
    edits.truncate(MOST);
    Ok(edits)
}

/// All skills that were not forgotten, by id.
pub(super) fn skills(workspace: &Workspace) -> Result<Vec<Skill>, Error> {
    let undone = undone(workspace)?;
    let mut found: BTreeMap<String, Skill> = BTreeMap::new();
    for record in records(workspace) {
        for of in taught(&record.run_history()?.0, &undone) {
            let read = || serde_json::from_slice(&record.texts().get(of.pattern).ok()?).ok();
            match found.get_mut(&of.id) {
                Some(skill) => {
                    skill.edit.places += of.places;
                    skill.edit.change.clone_from(&of.change);
                    skill.changes.push(of.change);
                    skill.at = skill.at.max(of.at);
                }
                None => {
                    let Some(pattern) = read() else { continue };
                    let edit =
                        LearnedEdit { pattern, places: of.places, change: of.change.clone() };
                    let skill =
                        Skill { id: of.id.clone(), edit, changes: vec![of.change], at: of.at };
                    found.insert(of.id, skill);
                }
            }
        }
    }
    Ok(found.into_values().collect())
}

/// The entries about skills that count: not forgotten, and of a change that was not undone.
fn taught(history: &RunHistory, undone: &[String]) -> Vec<SkillRecord> {
    let counts =
        |it: &&SkillRecord| !history.forgotten.contains(&it.id) && !undone.contains(&it.change);
    history.skills.iter().filter(counts).cloned().collect()
}

/// What a change may teach: the errors that it fixes, known before it is written.
pub(crate) struct Lesson {
    errors: Vec<Diagnostic>,
}

impl Lesson {
    /// The errors of the tree that a change fixes; none unless it fixes all of them. Costs a check of the
    /// tree, whose build is there already.
    pub(crate) fn before(
        ctx: &Ctx,
        workspace: &Workspace,
        evidence: &Evidence,
        ladder: &Ladder,
    ) -> Self {
        let none = Self { errors: Vec::new() };
        let fixes = evidence.errors_before.is_some_and(|it| it > 0) && evidence.errors_after == 0;
        if !fixes || workspace.settings().memory_skills == SkillStore::Off {
            return none;
        }
        let ladder = Ladder {
            tests: Tests::None,
            filter: None,
            clippy: false,
            format: false,
            analyzer: false,
            ..ladder.clone()
        };
        let checked =
            workspace.prover(ctx).and_then(|it| Ok(it.baseline(ctx, &ladder, &mut |_| {})?));
        // A change is written whether it teaches anything or not.
        checked.map_or(none, |it| Self { errors: it.diagnostics })
    }

    /// Adds what the written change teaches to the record.
    pub(crate) fn learn(&self, ctx: &Ctx, workspace: &Workspace, overlay: &Overlay, change: &str) {
        if self.errors.is_empty() {
            return;
        }
        let record = match workspace.settings().memory_skills {
            SkillStore::User => workspace.user_record(),
            SkillStore::Off | SkillStore::Project => workspace.record(),
        };
        for (pattern, places) in repair::mine(overlay, &self.errors) {
            let Ok(json) = serde_json::to_vec(&pattern) else { continue };
            let id = ContentHash::of(&json).to_string()[..ID_LENGTH].to_owned();
            // What cannot be recorded is not learned.
            let Ok(pattern) = record.texts().put(ctx, &json) else { continue };
            let change = change.to_owned();
            let skill = SkillRecord { id, pattern, places, change, at: ctx.now() };
            let _ = record.remember(ctx, &Entry::SkillMined(skill));
        }
    }
}
