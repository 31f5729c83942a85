//! [`RunHistory`], the finished runs and what was forgotten: a pure fold of the log.

use std::collections::BTreeSet;

use base::ContentHash;

use crate::{AppliedRun, Entry, Numbered, RunRecord};

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
    /// Ids of what was forgotten.
    pub forgotten: BTreeSet<String>,
}

impl RunHistory {
    /// The state after these entries; entries about anything else are left out.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Numbered<Entry>>) -> Self {
        let mut all = Self::default();
        for Numbered { entry, .. } in entries {
            match entry {
                Entry::Run(run) => all.runs.push(PastRun { run: run.clone(), applied: None }),
                Entry::RunApplied(applied) => {
                    if let Some(of) = all.runs.iter_mut().rfind(|it| it.run.id == applied.run) {
                        of.applied = Some(applied.clone());
                    }
                }
                Entry::Forgotten { ids, .. } => all.forgotten.extend(ids.iter().cloned()),
                _ => {}
            }
        }
        all
    }

    /// The texts that runs name which were not forgotten.
    pub fn texts(&self) -> impl Iterator<Item = ContentHash> {
        let kept = self.runs.iter().filter(|it| !self.forgotten.contains(&it.run.id));
        kept.filter_map(|it| it.run.detail)
    }
}
