//! Cache of recent check rungs: a search checks many candidates, and the best one continues with its
//! tests without a second `cargo check`.

use base::{ContentHash, Diagnostic, SortedSet};
use policy::{Rung, RungName};

use crate::draft::Draft;
use crate::ladder_run::LadderRun;
use crate::prover::Prover;
use crate::{Ladder, Scope, Tests};

/// The number of cached check rungs.
const HELD: usize = 8;

/// The check rung of a candidate that passed.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    tree: ContentHash,
    patch_set: ContentHash,
    test_code: bool,
    more: Vec<Scope>,
    rung: Rung,
    compiled: Option<ContentHash>,
    diagnostics: Vec<Diagnostic>,
    protections: Vec<String>,
    notes: Vec<String>,
    rebuilt: SortedSet<String>,
}

impl Prover {
    /// Reuses the check rung of a recent candidate for a run that continues with tests. The tests
    /// compile everything again, so the verdict does not depend on the cache alone.
    pub(crate) fn take_held(
        &self,
        run: &mut LadderRun<'_>,
        ladder: &Ladder,
        tree: ContentHash,
    ) -> bool {
        if ladder.tests == Tests::None {
            return false;
        }
        let patch_set = run.draft.findings.patch_set;
        let known = base::lock(&self.known);
        let held = known.held.iter().find(|held| {
            held.tree == tree
                && held.patch_set == patch_set
                && (held.test_code || !ladder.test_code)
                && held.more == ladder.more
        });
        let Some(held) = held.cloned() else { return false };
        drop(known);
        run.take(held.diagnostics);
        let findings = &mut run.draft.findings;
        findings.protections = held.protections;
        findings.rungs.push(held.rung);
        findings.compiled = held.compiled;
        run.found.errors = Some(findings.errors_after);
        run.draft.rebuilt = held.rebuilt;
        held.notes.into_iter().for_each(|note| run.draft.note(note));
        true
    }

    pub(crate) fn hold(&self, draft: &Draft, ladder: &Ladder, tree: ContentHash) {
        let Some(rung) = draft.findings.rung(RungName::Check).cloned() else { return };
        let mut known = base::lock(&self.known);
        known.held.truncate(HELD - 1);
        known.held.push_front(Held {
            tree,
            patch_set: draft.findings.patch_set,
            test_code: ladder.test_code,
            more: ladder.more.clone(),
            rung,
            compiled: draft.findings.compiled,
            diagnostics: draft.diagnostics.clone(),
            protections: draft.findings.protections.clone(),
            notes: draft.findings.notes.clone(),
            rebuilt: draft.rebuilt.clone(),
        });
    }
}
