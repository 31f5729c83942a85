//! [`RunHistory`], the finished runs and what was forgotten: a pure fold of the log.

use base::{ContentHash, SortedSet};

use crate::{AppliedRun, Numbered, RecordEntry, RunRecord, SkillRecord};

/// A finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRun {
    /// The run.
    pub run: RunRecord,
    /// Its change, if it was written.
    pub applied: Option<AppliedRun>,
}

/// The finished runs of a project, oldest first, and what was forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunHistory {
    /// All runs; those that were forgotten keep their numbers, which `stats` sums up.
    pub runs: Vec<PastRun>,
    /// What was learned, once for each change from which it was.
    pub skills: Vec<SkillRecord>,
    /// Ids of what was forgotten.
    pub forgotten: SortedSet<String>,
}

impl RunHistory {
    /// The state after these entries; entries about anything else are left out.
    pub(crate) fn of<'a>(entries: impl IntoIterator<Item = &'a Numbered<RecordEntry>>) -> Self {
        let mut all = Self::default();
        for Numbered { entry, .. } in entries {
            match entry {
                RecordEntry::Run(run) => all.runs.push(PastRun { run: run.clone(), applied: None }),
                RecordEntry::RunApplied(applied) => {
                    if let Some(of) = all.runs.iter_mut().rfind(|it| it.run.id == applied.run) {
                        of.applied = Some(applied.clone());
                    }
                }
                RecordEntry::SkillMined(skill) => {
                    // A skill that is learned again is no longer forgotten; what was known of it is.
                    if all.forgotten.remove(&skill.id) {
                        all.skills.retain(|it| it.id != skill.id);
                    }
                    all.skills.push(skill.clone());
                }
                RecordEntry::Forgotten { ids, .. } => all.forgotten.extend(ids.iter().cloned()),
                _ => {}
            }
        }
        all
    }

    /// The texts that runs and skills name which were not forgotten.
    pub fn texts(&self) -> impl Iterator<Item = ContentHash> {
        let is_kept = |id: &String| !self.forgotten.contains(id);
        let runs = self.runs.iter().filter(move |it| is_kept(&it.run.id));
        let skills = self.skills.iter().filter(move |it| is_kept(&it.id));
        runs.flat_map(|it| it.run.texts()).chain(skills.map(|it| it.pattern))
    }

    /// The texts that forgotten runs and skills name.
    pub fn forgotten_texts(&self) -> impl Iterator<Item = ContentHash> {
        let is_gone = |id: &String| self.forgotten.contains(id);
        let runs = self.runs.iter().filter(move |it| is_gone(&it.run.id));
        let skills = self.skills.iter().filter(move |it| is_gone(&it.id));
        runs.flat_map(|it| it.run.texts()).chain(skills.map(|it| it.pattern))
    }
}
