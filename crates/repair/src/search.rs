use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use base::{Applicability, ContentHash, Diagnostic, Timestamp};
use edit::{Files, Overlay};

use crate::combine::{Overlaid, combine};
use crate::phase::{Phase, Standing, errors};
use crate::plan::plan;
use crate::reach::beyond;
use crate::{Fix, Judgement, Reasoner};
use preserve::{Violation, violations};

/// Who signs the overlays that this room makes.
const AUTHOR: &str = "graftage repair";

/// How far a search goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// At most so many proofs.
    pub attempts: usize,
    /// At most so many texts are grown from per round.
    pub beam: usize,
    /// A combination grows at most so often.
    pub rounds: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { attempts: 40, beam: 4, rounds: 6 }
    }
}

/// One combination to be proven.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Its number in this search, from 0, in the order in which attempts are given out.
    pub id: usize,
    /// The change, against the tree as it stands.
    pub overlay: Overlay,
    /// Why, one line a fix.
    pub rationale: Vec<String>,
    /// Holds placeholders or breaks preservation: can end as a draft only.
    pub draft: bool,
    /// What it takes away or smuggles in.
    pub violations: Vec<Violation>,
}

/// Best-first search over combinations of fixes: ask for the next attempts, prove them (in any
/// order, in parallel), report the judgements.
///
/// What it gives out depends only on the diagnostics, the files, and the sizes of the batches
/// asked for, not on the order in which the judgements of a batch come back.
pub struct Search {
    reasoners: Vec<Box<dyn Reasoner>>,
    limits: SearchLimits,
    /// Every combination ever made; an id is not yet an attempt's until it is given out.
    candidates: Vec<Candidate>,
    /// Not yet given out, best first.
    queue: BTreeSet<(Rank, usize)>,
    seen: BTreeSet<ContentHash>,
    /// Candidates given out, by attempt id.
    attempts: Vec<Attempted>,
    /// Standings of grown texts per round, best first.
    grown: BTreeMap<usize, Vec<Standing>>,
    /// Combinations that judgements brought, not yet queued: by the attempt they grew from.
    growth: BTreeMap<usize, Growth>,
    /// Attempts given out since the first winner was known.
    after_winner: usize,
    /// The errors of the tree, which the preservation rule is given.
    reported: Vec<Diagnostic>,
    /// The errors of the tree, and of the texts that stand best: what a reasoner that comes late
    /// is shown.
    seeds: Vec<Diagnostic>,
    best: Vec<(Standing, Reverse<usize>, Vec<Diagnostic>)>,
}

/// A combination before it is given out.
struct Candidate {
    attempt: Attempt,
    round: usize,
    /// The standing of the text it grew from.
    parent: Standing,
    parent_errors: BTreeSet<String>,
    /// Its place among the plans of that text.
    ordinal: usize,
    cost: Cost,
    /// How many errors of that text its fixes answer.
    answers: usize,
    /// Whether a fix in it breaks preservation by itself.
    expected_draft: bool,
    /// Suggestions in it that need a person.
    outside: Vec<Violation>,
    /// Whether its violations are known.
    examined: bool,
}

impl Candidate {
    fn rank(&self, idx: usize) -> Rank {
        (self.expected_draft, Reverse(self.parent), self.ordinal, idx)
    }
}

/// What a judged attempt may grow into.
struct Growth {
    round: usize,
    standing: Standing,
    candidates: Vec<Candidate>,
}

struct Attempted {
    candidate: usize,
    judged: bool,
    won: bool,
}

/// The lower, the sooner: drafts last, then by the text it grew from, then by plan.
type Rank = (bool, Reverse<Standing>, usize, usize);

/// What makes one winner better than another: the less, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    draft: bool,
    violations: usize,
    /// Whether it rests on a guess of ours: what the compiler vouches for comes first, however
    /// long it is.
    guessed: bool,
    /// Changed characters that are no white space.
    size: usize,
    applicability: Applicability,
}

/// After the first sound winner at most so many cheaper rivals are still tried.
const RIVALS: usize = 3;
/// So many grown texts are shown to a reasoner that comes late.
const SHOWN_LATE: usize = 2;
/// Drafts get at least this share of the attempts when sound candidates do not end.
const DRAFT_SHARE: usize = 4;

impl Search {
    /// A search from the tree as it stands: `diagnostics` are its errors in the coordinates of
    /// `files`.
    pub fn new(
        reasoners: Vec<Box<dyn Reasoner>>,
        limits: SearchLimits,
        diagnostics: &[Diagnostic],
        files: &dyn Files,
    ) -> Self {
        let mut search = Self {
            reasoners,
            limits,
            candidates: Vec::new(),
            queue: BTreeSet::new(),
            seen: BTreeSet::new(),
            attempts: Vec::new(),
            grown: BTreeMap::new(),
            growth: BTreeMap::new(),
            after_winner: 0,
            reported: diagnostics.to_vec(),
            seeds: diagnostics.to_vec(),
            best: Vec::new(),
        };
        search.seen.insert(Overlay::empty().patch_set());
        let first = search.combinations(None, diagnostics, files);
        search.enqueue(first);
        search
    }

    /// Up to `n` attempts to prove next; empty when the search is over, or when it must hear
    /// judgements first.
    pub fn next(&mut self, n: usize) -> Vec<Attempt> {
        // In the order of the attempts, whatever order the judgements came in.
        for (_, growth) in std::mem::take(&mut self.growth) {
            let rivals = self.grown.entry(growth.round).or_default();
            let place = rivals.partition_point(|other| *other >= growth.standing);
            if place < self.limits.beam {
                rivals.insert(place, growth.standing);
                self.enqueue(growth.candidates);
            }
        }
        let mut batch = Vec::new();
        while batch.len() < n && self.attempts.len() < self.limits.attempts {
            let Some(idx) = self.pick() else { break };
            if !self.examine(idx) {
                continue;
            }
            let id = self.attempts.len();
            self.candidates[idx].attempt.id = id;
            self.attempts.push(Attempted { candidate: idx, judged: false, won: false });
            batch.push(self.candidates[idx].attempt.clone());
        }
        batch
    }

    /// Takes the proof of attempt `id`; `files` are the files of the tree, without the attempt.
    /// An unknown id, or a second judgement of one attempt, changes nothing.
    pub fn record_check(&mut self, id: usize, judgement: Judgement, files: &dyn Files) {
        let Some(attempted) = self.attempts.get_mut(id).filter(|it| !it.judged) else { return };
        attempted.judged = true;
        attempted.won = judgement.built && judgement.passed;
        if judgement.built {
            // It builds: it wins, or its tests fail, and then no compiler knows better.
            return;
        }
        let candidate = &self.candidates[attempted.candidate];
        let standing = Standing::of(&judgement.diagnostics);
        // Farther, or as many errors at most and not the same: a mend may uncover a name to import.
        let improved = standing > candidate.parent
            || (standing.errors >= candidate.parent.errors
                && !candidate.parent_errors.is_subset(&keys(&judgement.diagnostics)));
        if improved {
            self.grow(id, standing, &judgement.diagnostics, files);
        }
    }

    /// A later rung of the proof found these errors in winner `id` – the code of its tests does
    /// not build. It wins no more, and the search goes on from its text.
    pub fn overturned(&mut self, id: usize, diagnostics: &[Diagnostic], files: &dyn Files) {
        let Some(attempted) = self.attempts.get_mut(id).filter(|it| it.won) else { return };
        attempted.won = false;
        self.after_winner = 0;
        self.grow(id, Standing::of(diagnostics), diagnostics, files);
    }

    /// Lets one more reasoner speak: of the tree as it stands, and of the texts that stand best so
    /// far. At most `attempts` more are given out. For one who is too dear to be asked before the
    /// others have failed.
    pub fn enlist(&mut self, reasoner: Box<dyn Reasoner>, attempts: usize, files: &dyn Files) {
        self.reasoners.push(reasoner);
        self.limits.attempts = self.attempts.len() + attempts;
        let seeds = std::mem::take(&mut self.seeds);
        let first = self.combinations(None, &seeds, files);
        self.enqueue(first);
        for (_, Reverse(id), diagnostics) in std::mem::take(&mut self.best) {
            let from = self.attempts[id].candidate;
            let grown = self.combinations(Some(from), &diagnostics, files);
            self.enqueue(grown);
        }
    }

    /// Plans the combinations that a judged text may grow into.
    fn grow(
        &mut self,
        id: usize,
        standing: Standing,
        diagnostics: &[Diagnostic],
        files: &dyn Files,
    ) {
        let from = self.attempts[id].candidate;
        let round = self.candidates[from].round + 1;
        if round >= self.limits.rounds || standing.phase == Phase::Built {
            return;
        }
        self.best.push((standing, Reverse(id), diagnostics.to_vec()));
        self.best.sort_by_key(|(standing, id, _)| Reverse((*standing, *id)));
        self.best.truncate(SHOWN_LATE);
        let candidates = self.combinations(Some(from), diagnostics, files);
        self.growth.insert(id, Growth { round, standing, candidates });
    }

    /// Proven attempts, best first: preserving before drafts, what the compiler vouches for before
    /// what is guessed, then the smallest diff, then the surest.
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

    /// How many attempts were given out.
    pub fn attempts(&self) -> usize {
        self.attempts.len()
    }

    /// The best candidate that is still worth a proof, taken out of the queue.
    fn pick(&mut self) -> Option<usize> {
        let choice = match self.winner() {
            None => self.without_winner(),
            Some(winner) if self.after_winner < RIVALS => {
                // One that answers fewer errors is cheaper and seldom holds.
                let rival = |it: &Candidate| {
                    it.cost < winner.cost
                        && (winner.cost.draft
                            || (it.round <= winner.round && it.answers >= winner.answers))
                };
                self.queue.iter().find(|(_, idx)| rival(&self.candidates[*idx])).copied()
            }
            Some(_) => None,
        }?;
        self.queue.remove(&choice);
        Some(choice.1)
    }

    /// Looks at what the candidate takes away, now that its turn has come (for all that are
    /// planned it would cost too much). One that turns out to be a draft goes back in the queue,
    /// behind those that are sound: then the answer is no.
    fn examine(&mut self, idx: usize) -> bool {
        let candidate = &mut self.candidates[idx];
        if !candidate.examined {
            candidate.examined = true;
            candidate.attempt.violations = violations(&candidate.attempt.overlay, &self.reported);
            candidate.attempt.violations.extend(candidate.outside.iter().cloned());
            candidate.cost.violations = candidate.attempt.violations.len();
            candidate.cost.draft = !candidate.attempt.violations.is_empty();
            candidate.attempt.draft = candidate.cost.draft;
            if candidate.cost.draft && !candidate.expected_draft {
                candidate.expected_draft = true;
                let rank = candidate.rank(idx);
                self.queue.insert((rank, idx));
                return false;
            }
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

    fn without_winner(&self) -> Option<(Rank, usize)> {
        let kept_for_drafts = self.limits.attempts / DRAFT_SHARE;
        let sound_only = self.attempts.len() + kept_for_drafts < self.limits.attempts;
        let draft = self.queue.iter().find(|(_, idx)| self.candidates[*idx].expected_draft);
        match draft {
            Some(draft) if !sound_only => Some(*draft),
            _ => self.queue.first().copied(),
        }
    }

    fn enqueue(&mut self, candidates: Vec<Candidate>) {
        for candidate in candidates {
            if self.seen.insert(candidate.attempt.overlay.patch_set()) {
                let idx = self.candidates.len();
                self.queue.insert((candidate.rank(idx), idx));
                self.candidates.push(candidate);
            }
        }
    }

    /// All combinations that the reasoners' fixes for `diagnostics` give on top of `from`.
    fn combinations(
        &self,
        from: Option<usize>,
        diagnostics: &[Diagnostic],
        files: &dyn Files,
    ) -> Vec<Candidate> {
        let from = from.map(|idx| &self.candidates[idx]);
        let below = from.map_or_else(Overlay::empty, |it| it.attempt.overlay.clone());
        let overlaid = Overlaid { base: files, overlay: &below };
        let fixes: Vec<Fix> =
            self.reasoners.iter().flat_map(|it| it.propose_on(diagnostics, &overlaid)).collect();
        // What one fix takes away by itself decides how early the plans that hold it come.
        let beyond: Vec<Option<Violation>> =
            fixes.iter().map(|fix| beyond(fix, diagnostics.get(fix.seed)?, &overlaid)).collect();
        let draft: Vec<bool> = fixes
            .iter()
            .zip(&beyond)
            .map(|(fix, beyond)| {
                beyond.is_some()
                    || !plainly_preserves(fix)
                        && overlay_of(&[fix], &overlaid).is_none_or(|(overlay, _)| {
                            !violations(&overlay, diagnostics).is_empty()
                        })
            })
            .collect();
        let parent = Standing::of(diagnostics);
        let parent_errors = keys(diagnostics);
        let mut candidates = Vec::new();
        for (ordinal, members) in plan(diagnostics, &fixes, &draft).into_iter().enumerate() {
            let chosen: Vec<&Fix> = members.iter().map(|idx| &fixes[*idx]).collect();
            let mut outside = from.map_or_else(Vec::new, |it| it.outside.clone());
            outside.extend(members.iter().filter_map(|idx| beyond[*idx].clone()));
            let Some((step, used)) = overlay_of(&chosen, &overlaid) else { continue };
            let Ok(overlay) = below.compose(&step) else { continue };
            if overlay.is_empty() {
                continue;
            }
            let expected_draft =
                members.iter().any(|idx| draft[*idx]) || from.is_some_and(|it| it.attempt.draft);
            let mut rationale = from.map_or_else(Vec::new, |it| it.attempt.rationale.clone());
            for idx in &used {
                let fix = chosen[*idx];
                let line = match diagnostics.get(fix.seed).and_then(|seed| seed.code.as_ref()) {
                    Some(code) => format!("{code}: {}", fix.rationale),
                    None => fix.rationale.clone(),
                };
                if !rationale.contains(&line) {
                    rationale.push(line);
                }
            }
            let applicability = used
                .iter()
                .map(|idx| chosen[*idx].applicability)
                .chain(from.map(|it| it.cost.applicability))
                .max()
                .unwrap_or(Applicability::Unspecified);
            let cost = Cost {
                draft: expected_draft,
                violations: 0,
                guessed: applicability == Applicability::Unspecified,
                size: size(&overlay),
                applicability,
            };
            let attempt = Attempt {
                id: 0,
                draft: expected_draft,
                overlay,
                rationale,
                violations: Vec::new(),
            };
            let answers: BTreeSet<usize> = fixes
                .iter()
                .filter(|fix| used.iter().any(|idx| chosen[*idx].splices == fix.splices))
                .map(|fix| fix.seed)
                .collect();
            candidates.push(Candidate {
                answers: answers.len(),
                attempt,
                round: from.map_or(0, |it| it.round + 1),
                parent,
                parent_errors: parent_errors.clone(),
                ordinal,
                cost,
                expected_draft,
                outside,
                examined: false,
            });
        }
        candidates
    }
}

/// The fixes as one overlay, and which of them went in; `None` where the text does not take them.
fn overlay_of(fixes: &[&Fix], files: &dyn Files) -> Option<(Overlay, Vec<usize>)> {
    let (splices, used) = combine(fixes);
    let overlay = Overlay::from_splices(AUTHOR, Timestamp(0), files, &splices).ok()?;
    Some((overlay, used))
}

/// Whether a look at the fix is enough to know that it only adds, and adds nothing forbidden.
fn plainly_preserves(fix: &Fix) -> bool {
    const SUSPECT: &[&str] = &["//", "/*", "\"", "'", "!", "pub", "unsafe", "#", "{", "}", ";"];
    fix.splices.iter().all(|(_, splice)| {
        splice.span.is_empty() && !SUSPECT.iter().any(|it| splice.insert.contains(it))
    })
}

/// The errors as what they say, without their places.
fn keys(diagnostics: &[Diagnostic]) -> BTreeSet<String> {
    errors(diagnostics).map(|(_, it)| format!("{:?} {}", it.code, it.message)).collect()
}

/// How much changes: characters that come or go and are no white space. Opening an item to the
/// whole world counts as more than opening it to the crate.
fn size(overlay: &Overlay) -> usize {
    let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    overlay
        .changes()
        .map(|(_, change)| {
            let before = change.before.as_ref().map_or("", |state| &state.text);
            change
                .edit
                .splices
                .iter()
                .map(|splice| {
                    let wide = if splice.insert.trim() == "pub" { 16 } else { 0 };
                    solid(splice.span.slice(before).unwrap_or("")) + solid(&splice.insert) + wide
                })
                .sum::<usize>()
        })
        .sum()
}
