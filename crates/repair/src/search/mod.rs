//! The search over combinations of fixes. `plan.rs` decides which fixes of a text are combined,
//! `candidate.rs` makes the combinations and orders them (`Rank`), and [`Search::next`] takes the
//! first. The whole order:
//!
//! 1. All that the reasoners of [`crate::reasoners`] propose for the errors of one text, the most trusted
//!    reasoner first, is combined (`plan`), and the combinations wait in one queue.
//! 2. The lowest `Rank` is tried: sound ones before drafts, resolutions of a conflict before what continues
//!    one, remainders of a combination last; then what continues the text that came furthest; then the
//!    place in the plan. The last quarter of the attempts is for drafts.
//! 3. What does not build is a text to continue, the best [`SearchLimits::beam`] of a round.
//! 4. After one that passed (`Cost` orders those), a few that would be cheaper are still tried.
//! 5. With an empty queue, `late.rs` takes what comes from elsewhere: earlier changes, rust-analyzer, a model
//!    (`agent::sources`).

mod candidate;
mod late;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use base::{ContentHash, Diagnostic, SortedMap, SortedSet};
use edit::{Files, Overlay};
use preserve::Violation;

use crate::phase::{BuildProgress, Phase};
use crate::{AttemptOutcome, GuessedPlace, InProgress, Reasoner};
use candidate::{Candidate, Continuation, Rank, error_keys, places};

/// Limits of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Maximum number of attempts.
    pub attempts: usize,
    /// Maximum number of texts per round that are searched further.
    pub beam: usize,
    /// Maximum number of rounds, that is, of steps from the original text.
    pub rounds: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { attempts: 40, beam: 4, rounds: 6 }
    }
}

/// One combination of fixes to check.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Index in this search, from 0, in the order of [`Search::next`].
    pub id: usize,
    /// The change against the original tree.
    pub overlay: Overlay,
    /// The reasons, one line per fix.
    pub rationale: Vec<String>,
    /// Names of the reasoners whose fixes it consists of, each once, in the order of the fixes.
    pub rules: Vec<&'static str>,
    /// Whether it has placeholders or breaks preservation, so that it is a draft at best.
    pub draft: bool,
    /// Whether it is one of several changes that mean different things (`crate::Fix::is_choice`),
    /// and nothing else.
    pub choice: bool,
    /// What it removes, or adds without being allowed to.
    pub violations: Vec<Violation>,
    /// Whether it reverts the user's in-progress change: it is offered last and never applied.
    pub reverts: bool,
    /// The places where it guesses.
    pub guesses: Vec<GuessedPlace>,
}

/// Best-first search over combinations of fixes: take the next attempts, check them (in any order,
/// in parallel), record the outcomes.
///
/// The sequence of attempts depends only on the diagnostics, the files and the batch sizes, not on
/// the order in which the outcomes of a batch are recorded.
pub struct Search {
    reasoners: Vec<Box<dyn Reasoner>>,
    limits: SearchLimits,
    /// All combinations made so far, attempted or not.
    candidates: Vec<Candidate>,
    /// Candidates not yet attempted, best first.
    queue: SortedSet<Rank>,
    seen: SortedSet<ContentHash>,
    /// The attempts, by id.
    attempts: Vec<Attempted>,
    /// Progress of the texts searched further, per round, best first.
    grown: SortedMap<usize, Vec<BuildProgress>>,
    /// Combinations not yet queued, by the attempt whose text they continue.
    growth: SortedMap<usize, Growth>,
    /// Number of attempts since the first winner was known.
    after_winner: usize,
    /// Number of winners that were refused.
    refused: usize,
    /// Errors of the original tree, an input of the preservation rule.
    reported: Vec<Diagnostic>,
    /// Errors of the original tree, which a reasoner added later gets besides those in `best`.
    seeds: Vec<Diagnostic>,
    /// The best texts, best first.
    best: Vec<BestText>,
    /// The sound attempt that does not build and is nearest to it, with the errors that are left.
    closest: Option<(BuildProgress, usize, Vec<Diagnostic>)>,
    /// Whether a winner was withdrawn for errors of its test code.
    is_withdrawn: bool,
    /// The user's in-progress change.
    in_progress: InProgress,
}

/// Combinations that continue an attempt's text, until the next batch is made.
struct Growth {
    round: usize,
    progress: BuildProgress,
    candidates: Vec<Candidate>,
}

struct Attempted {
    candidate: usize,
    is_recorded: bool,
    won: bool,
}

/// One of the best texts that were searched further.
#[derive(Clone)]
struct BestText {
    progress: BuildProgress,
    attempt: usize,
    diagnostics: Vec<Diagnostic>,
}

/// Maximum number of cheaper candidates tried after the first sound winner.
const MAX_RIVALS: usize = 3;
/// Maximum number of texts passed to a reasoner that is added later.
const MAX_LATE_TEXTS: usize = 2;
/// Maximum number of refused winners after which the search continues.
const MAX_REFUSED: usize = 4;
/// Drafts get one attempt in so many, even if sound candidates remain.
const DRAFT_SHARE: usize = 4;

impl Search {
    /// Starts from a tree with these errors; the spans of `diagnostics` refer to `files`.
    #[cfg(test)]
    pub(crate) fn new(
        reasoners: Vec<Box<dyn Reasoner>>,
        limits: SearchLimits,
        diagnostics: &[Diagnostic],
        files: &dyn Files,
    ) -> Self {
        Self::finishing(InProgress::default(), reasoners, limits, diagnostics, files)
    }

    /// The same for a tree with an in-progress change: what follows from it is proposed first, and
    /// what reverts it last.
    pub fn finishing(
        in_progress: InProgress,
        mut reasoners: Vec<Box<dyn Reasoner>>,
        limits: SearchLimits,
        diagnostics: &[Diagnostic],
        files: &dyn Files,
    ) -> Self {
        reasoners.insert(0, Box::new(in_progress.clone()));
        let mut search = Self {
            reasoners,
            limits,
            candidates: Vec::new(),
            queue: SortedSet::new(),
            seen: SortedSet::new(),
            attempts: Vec::new(),
            grown: SortedMap::new(),
            growth: SortedMap::new(),
            after_winner: 0,
            refused: 0,
            reported: diagnostics.to_vec(),
            seeds: diagnostics.to_vec(),
            best: Vec::new(),
            closest: None,
            is_withdrawn: false,
            in_progress,
        };
        search.seen.insert(search.in_progress.overlay().patch_set());
        let first = search.combinations(None, diagnostics, files);
        search.enqueue(first);
        search
    }

    /// The next attempts to check, at most `n`; empty if the search is over or needs outcomes
    /// first.
    pub fn next(&mut self, n: usize) -> Vec<Attempt> {
        // In the order of the attempts, not of the outcomes.
        for (_, growth) in std::mem::take(&mut self.growth) {
            let rivals = self.grown.entry(growth.round).or_default();
            let place = rivals.partition_point(|other| *other >= growth.progress);
            if place < self.limits.beam {
                rivals.insert(place, growth.progress);
                self.enqueue(growth.candidates);
            }
        }
        let mut batch = Vec::new();
        while batch.len() < n && self.attempts.len() < self.limits.attempts {
            let Some(idx) = self.pick() else { break };
            if !self.examine(idx) {
                continue;
            }
            batch.push(self.begin_attempt(idx));
        }
        batch
    }

    /// Gives a candidate the id of the next attempt.
    fn begin_attempt(&mut self, idx: usize) -> Attempt {
        self.candidates[idx].attempt.id = self.attempts.len();
        self.attempts.push(Attempted { candidate: idx, is_recorded: false, won: false });
        self.candidates[idx].attempt.clone()
    }

    /// The attempt to check before the best winner is taken: what that has besides changes of causes. Empty if
    /// there is none, or if it was tried.
    pub fn next_lighter(&mut self) -> Vec<Attempt> {
        let is_lighter = self.winner().is_some_and(|winner| {
            let mut waiting = self.queue.iter().map(|it| &self.candidates[it.candidate]);
            waiting.any(|it| it.is_remainder && it.cost < winner.cost)
        });
        if is_lighter { self.next(1) } else { Vec::new() }
    }

    /// Records the outcome of attempt `id`; `files` is the original tree. Ignores an unknown id and
    /// a second outcome of the same attempt.
    pub fn record_check(&mut self, id: usize, outcome: AttemptOutcome, files: &dyn Files) {
        let Some(attempted) = self.attempts.get_mut(id).filter(|it| !it.is_recorded) else {
            return;
        };
        attempted.is_recorded = true;
        attempted.won = outcome.built && outcome.passed;
        if outcome.built {
            // It builds: either it wins, or its tests fail, and compiler errors cannot help any
            // more.
            return;
        }
        let candidate = &self.candidates[attempted.candidate];
        let progress = candidate.progress(&outcome.diagnostics);
        // Progress, or no more errors than before but other ones: a fix may reveal a missing
        // import. If none of them is left, any number: cargo stops at the first target that does not
        // build, so that the errors of integration tests appear once those of unit tests are gone. So is
        // the same error at places where there was none, and any in targets that the compiler did not
        // reach before.
        let keys = error_keys(&outcome.diagnostics);
        let mut now = places(&outcome.diagnostics).peekable();
        let is_elsewhere = progress.errors <= candidate.parent.errors
            && now.peek().is_some()
            && now.all(|it| !candidate.parent_places.contains(&it));
        let is_other = progress.phase >= candidate.parent.phase
            && (is_elsewhere || candidate.parent_errors.is_disjoint(&keys));
        let improved = progress > candidate.parent
            || is_other
            || candidate.is_in_other_targets(&outcome.diagnostics)
            || (progress.errors >= candidate.parent.errors
                && !candidate.parent_errors.is_subset(&keys));
        self.note_closest(id, progress, &outcome.diagnostics);
        if improved {
            self.grow(id, progress, &outcome.diagnostics, files);
        }
    }

    /// Withdraws winner `id`, in which a later rung found these errors (its test code does not
    /// build), and continues the search from its text.
    pub fn withdraw_winner(&mut self, id: usize, diagnostics: &[Diagnostic], files: &dyn Files) {
        let Some(attempted) = self.attempts.get_mut(id).filter(|it| it.won) else { return };
        attempted.won = false;
        self.after_winner = 0;
        let progress = self.candidates[attempted.candidate].progress(diagnostics);
        // Errors of test code are reported only where everything else builds: what did not build before
        // is not nearer for having fewer.
        if !self.is_withdrawn {
            self.is_withdrawn = true;
            self.closest = None;
        }
        self.note_closest(id, progress, diagnostics);
        self.grow(id, progress, diagnostics, files);
    }

    /// Keeps the sound attempt with the fewest errors left, the earliest of several.
    fn note_closest(&mut self, id: usize, progress: BuildProgress, left: &[Diagnostic]) {
        let is_sound = !self.candidates[self.attempts[id].candidate].attempt.draft;
        let is_closer = self
            .closest
            .as_ref()
            .is_none_or(|(of, rival, _)| (progress, Reverse(id)) > (*of, Reverse(*rival)));
        if is_sound && is_closer {
            self.closest = Some((progress, id, left.to_vec()));
        }
    }

    /// Winner `id` is none, since tests or gate refuse it: the search continues, at most four times.
    pub fn refuse_winner(&mut self, id: usize) {
        let Some(attempted) = self.attempts.get_mut(id).filter(|it| it.won) else { return };
        if self.refused < MAX_REFUSED {
            self.refused += 1;
            attempted.won = false;
            self.after_winner = 0;
        }
    }

    /// Makes winner `id` a draft, since no test covers what it guesses; the search continues for
    /// one that is none.
    pub fn demote_winner(&mut self, id: usize) {
        let Some(attempted) = self.attempts.get(id).filter(|it| it.won) else { return };
        self.candidates[attempted.candidate].demote();
        self.after_winner = 0;
    }

    /// Plans the combinations that continue a checked text.
    fn grow(
        &mut self,
        id: usize,
        progress: BuildProgress,
        diagnostics: &[Diagnostic],
        files: &dyn Files,
    ) {
        let from = self.attempts[id].candidate;
        let round = self.candidates[from].round + 1;
        if round >= self.limits.rounds || progress.phase == Phase::Built {
            return;
        }
        self.best.push(BestText { progress, attempt: id, diagnostics: diagnostics.to_vec() });
        self.best.sort_by_key(|it| (Reverse(it.progress), it.attempt));
        self.best.truncate(MAX_LATE_TEXTS);
        let candidates = self.combinations(Some((from, progress)), diagnostics, files);
        self.growth.insert(id, Growth { round, progress, candidates });
    }

    /// Winning attempts, best first: preserving before drafts, compiler suggestions before guesses,
    /// then by diff size, then by applicability.
    pub fn winners(&self) -> Vec<&Attempt> {
        let mut winners: Vec<&Candidate> = self
            .attempts
            .iter()
            .filter(|it| it.won)
            .map(|it| &self.candidates[it.candidate])
            .collect();
        winners.sort_by_key(|it| (it.cost, it.attempt.id));
        winners.into_iter().map(|it| &it.attempt).collect()
    }

    /// The attempt that does not build and is nearest to it, with the errors that are left; none that
    /// removes code or reverts the in-progress change.
    pub fn closest(&self) -> Option<(&Attempt, &[Diagnostic])> {
        let (_, id, left) = self.closest.as_ref()?;
        Some((&self.candidates[self.attempts[*id].candidate].attempt, left))
    }

    /// Whether that attempt guesses nothing and is nearer to building than the tree.
    pub fn is_nearer(&self) -> bool {
        self.closest.as_ref().is_some_and(|(progress, id, _)| {
            let candidate = &self.candidates[self.attempts[*id].candidate];
            *progress > BuildProgress::of(&self.reported) && candidate.attempt.guesses.is_empty()
        })
    }

    /// Number of attempts so far.
    pub fn attempts(&self) -> usize {
        self.attempts.len()
    }

    /// Takes the best candidate that is still worth an attempt out of the queue.
    fn pick(&mut self) -> Option<usize> {
        let choice = match self.winner() {
            None => self.without_winner(),
            // Whether another resolution passes decides whether this one may be applied.
            Some(winner) if winner.attempt.choice => {
                let other = |it: &&Rank| self.candidates[it.candidate].attempt.choice;
                self.queue.iter().find(other).copied()
            }
            Some(winner) if self.after_winner < MAX_RIVALS => {
                // A candidate that answers fewer errors is cheaper and seldom builds.
                let rival = |it: &Candidate| {
                    let answers_as_many = it.round <= winner.round && it.answers >= winner.answers;
                    it.cost < winner.cost
                        && (winner.cost.is_draft || answers_as_many || it.is_remainder)
                };
                self.queue.iter().find(|it| rival(&self.candidates[it.candidate])).copied()
            }
            Some(_) => None,
        }?;
        self.queue.remove(&choice);
        Some(choice.candidate)
    }

    /// Computes the candidate's violations when its turn has come (for all planned candidates that
    /// would be too expensive). Returns `false` if the candidate turns out to be a draft and goes
    /// back into the queue, after the sound ones.
    fn examine(&mut self, idx: usize) -> bool {
        let candidate = &mut self.candidates[idx];
        let is_surprise = candidate.examine(&self.reported, &self.in_progress);
        if is_surprise {
            self.queue.insert(candidate.rank(idx));
            return false;
        }
        if self.winner().is_some() {
            self.after_winner += 1;
        }
        true
    }

    fn winner(&self) -> Option<&Candidate> {
        self.attempts
            .iter()
            .filter(|it| it.won)
            .map(|it| &self.candidates[it.candidate])
            .min_by_key(|it| it.cost)
    }

    /// The best candidate as long as there is no winner, with a share of attempts for drafts.
    fn without_winner(&self) -> Option<Rank> {
        let kept_for_drafts = self.limits.attempts / DRAFT_SHARE;
        let sound_only = self.attempts.len() + kept_for_drafts < self.limits.attempts;
        let draft = self.queue.iter().find(|it| it.is_draft);
        match draft {
            Some(draft) if !sound_only => Some(*draft),
            _ => self.queue.first().copied(),
        }
    }

    fn enqueue(&mut self, candidates: Vec<Candidate>) {
        for candidate in candidates {
            if self.seen.insert(candidate.attempt.overlay.patch_set()) {
                let idx = self.candidates.len();
                self.queue.insert(candidate.rank(idx));
                self.candidates.push(candidate);
            }
        }
    }

    /// All combinations of the reasoners' fixes for `diagnostics` on top of `from`, which is so far from
    /// building.
    fn combinations(
        &self,
        from: Option<(usize, BuildProgress)>,
        diagnostics: &[Diagnostic],
        files: &dyn Files,
    ) -> Vec<Candidate> {
        let from = from.map(|(idx, progress)| (&self.candidates[idx], progress));
        Continuation::new(&self.reasoners, from, diagnostics, &self.in_progress, files).candidates()
    }
}
