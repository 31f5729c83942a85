//! The skill library: edits that are learned from accepted changes. A pattern is mined when a change that
//! fixes errors is written (`lesson.rs`); the second place in which it is proven makes it a skill. Until
//! then what it inserts counts as a guess. The record has one entry for each change that teaches it, so
//! that a change which is undone no longer counts.

use base::{SortedMap, Timestamp};
use memory::Episode;
use project::SkillStore;
use project::Workspace;
use record::{Record, RunHistory, SkillRecord};
use repair::LearnedEdit;

use crate::Error;
use crate::proposals::undone;

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
    let mut found: SortedMap<String, Skill> = SortedMap::new();
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
