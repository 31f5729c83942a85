//! Whether a run of the ladder compiled the change that it is evidence of. Sources, manifests and lock
//! file are read-only in its view; a build that has to write there gets a throw-away layer
//! ([`crate::place::Place::cargo`]), and the files that it wrote are compared with the candidate's.

use base::SortedSet;

use policy::RungName;

use crate::CheckError;
use crate::ladder_run::{LadderRun, Ran};
use crate::text::millis;

/// Maximum number of files that a message names.
const SHOWN: usize = 10;

impl LadderRun<'_> {
    /// Adds a rung that ran cargo. It fails where the files of the view are not those of the change.
    pub(crate) fn cargo_rung(
        &mut self,
        name: RungName,
        ran: Ran,
        mut detail: String,
    ) -> Result<Ran, CheckError> {
        let mut ran = ran;
        let found = self.place.shown.compare(&self.draft.overlay, self.place.tree)?;
        let findings = &mut self.draft.findings;
        let is_same = found.altered.is_empty() && found.patch_set == findings.patch_set;
        findings.compiled = is_same.then_some(found.patch_set);
        if !is_same {
            self.altered = true;
            ran.passed = false;
            detail.push_str("; what was compiled is not the change");
        }
        if !found.altered.is_empty() {
            self.draft.altered_by = Some(name);
            detail.push_str(&format!(": the build writes {}", named(&found.altered)));
        }
        let written: SortedSet<String> = found.altered.union(&found.made).cloned().collect();
        if !written.is_empty() {
            self.wrote = true;
            self.draft.note(format!("the build writes into the source tree: {}", named(&written)));
        }
        self.draft.rung(name, ran.passed, millis(ran.duration), detail);
        Ok(ran)
    }
}

fn named(files: &SortedSet<String>) -> String {
    let mut names: Vec<String> = files.iter().take(SHOWN).map(|it| format!("`{it}`")).collect();
    if files.len() > SHOWN {
        names.push(format!("{} more", files.len() - SHOWN));
    }
    names.join(", ")
}
