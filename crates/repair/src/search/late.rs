//! Candidates that are added once the others have failed: those of an expensive reasoner, and changes
//! that come from outside of this crate, such as those of a model.

use base::Diagnostic;
use edit::{Files, Overlay};

use super::{Attempt, Candidate, Search};
use crate::{GuessedPlace, Reasoner};

impl Search {
    /// Adds a reasoner that is too expensive to be called before the others failed. It gets the
    /// original tree and the best texts so far; at most `attempts` more attempts follow.
    pub fn add_reasoner(
        &mut self,
        reasoner: Box<dyn Reasoner>,
        attempts: usize,
        files: &dyn Files,
    ) {
        self.reasoners.push(reasoner);
        self.limits.attempts = self.attempts.len() + attempts;
        // A later one gets the same texts; what was tried is not tried again.
        let first = self.combinations(None, &self.seeds, files);
        self.enqueue(first);
        for best in self.best.clone() {
            let from = self.attempts[best.attempt].candidate;
            let grown = self.combinations(Some((from, best.progress)), &best.diagnostics, files);
            self.enqueue(grown);
        }
    }

    /// Adds one change of the original tree, above the in-progress change: the next attempt. It and
    /// what reasoners propose on top of it get at most `attempts` more attempts, and candidates that
    /// were left are dropped. `false` if it was tried before, or does not apply after the in-progress
    /// change.
    pub fn add_change(
        &mut self,
        change: &Overlay,
        rationale: Vec<String>,
        attempts: usize,
    ) -> bool {
        let Ok(overlay) = self.in_progress.overlay().compose(change) else { return false };
        if !self.seen.insert(overlay.patch_set()) {
            return false;
        }
        self.limits.attempts = self.attempts.len() + attempts;
        self.queue.clear();
        self.growth.clear();
        let candidate = Candidate::given(overlay, rationale, &self.reported);
        let idx = self.candidates.len();
        self.queue.insert(candidate.rank(idx));
        self.candidates.push(candidate);
        true
    }

    /// Adds attempt `id` as it is with answers to what it leaves open: with this change, and these guesses that are
    /// left. `None` if that changes nothing. Where the same text was tried as a guess, it is tried again.
    pub fn add_answered(
        &mut self,
        id: usize,
        overlay: Overlay,
        guesses: Vec<GuessedPlace>,
    ) -> Option<Attempt> {
        let of = self.attempts.get(id)?.candidate;
        if self.candidates[of].attempt.overlay.patch_set() == overlay.patch_set()
            && self.candidates[of].attempt.guesses == guesses
        {
            return None;
        }
        let mut candidate = self.candidates[of].answered(overlay, guesses);
        candidate.examine(&self.reported, &self.in_progress);
        let idx = self.candidates.len();
        self.candidates.push(candidate);
        Some(self.begin_attempt(idx))
    }

    /// The errors of the tree that the search starts from.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.reported
    }
}
