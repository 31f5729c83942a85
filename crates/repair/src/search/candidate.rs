//! Candidates of the search: combinations of fixes on top of one text.

use std::cmp::Reverse;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath, SortedMap, SortedSet, Timestamp};
use change::GuessKind;
use edit::{Files, Overlay, Side};
use preserve::{Rule, Violation, preservation};

use super::Attempt;
use crate::broken::demote_partial;
use crate::combine::{Overlaid, combine};
use crate::conflicts::{drops_a_side, resolves};
use crate::doubled::wraps_twice;
use crate::doubtful_import::doubtful_import;
use crate::failure::decision;
use crate::guessed::{GuessedPlace, guessed, moved};
use crate::import_conditions::{modules_of, split};
use crate::phase::{BuildProgress, errors};
use crate::plan::plan;
use crate::reach::approval_reason;
use crate::{Fix, InProgress, Reasoner};

/// Author of the overlays that the search makes.
const AUTHOR: &str = "graftage repair";
/// Name of the source of changes that no reasoner proposes.
const GIVEN: &str = "model";

/// One combination and its place in the search.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) attempt: Attempt,
    /// Number of texts between the original text and this one.
    pub(super) round: usize,
    /// Progress of the text that it continues.
    pub(super) parent: BuildProgress,
    /// Errors of that text.
    pub(super) parent_errors: SortedSet<String>,
    /// Where they are in this text.
    pub(super) parent_places: SortedSet<Place>,
    /// The targets that have these errors.
    pub(super) parent_targets: SortedSet<(String, Option<String>)>,
    /// Index among the plans of that text.
    ordinal: usize,
    /// Whether it is what another one has besides what the errors may come from, tried once that one passes.
    pub(super) is_remainder: bool,
    pub(super) cost: Cost,
    /// Number of that text's errors that its fixes answer.
    pub(super) answers: usize,
    /// Violations of suggestions that need approval.
    needs_approval: Vec<Violation>,
    /// Whether the violations of the whole combination are computed.
    is_examined: bool,
}

/// Order of the queue, lowest first: drafts last, resolutions of a conflict first, rests of combinations
/// last, then by the progress of the continued text (more crates reached, a later phase of the build, fewer
/// errors), then by the place in [`crate::plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) is_draft: bool,
    /// All resolutions of a conflict come before what continues one of them.
    after_resolutions: bool,
    /// Rests of combinations come after all others.
    is_remainder: bool,
    parent: Reverse<BuildProgress>,
    ordinal: usize,
    /// Index of the candidate.
    pub(super) candidate: usize,
}

/// Order of the winners, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// Whether it is a draft; before it is examined, whether one of its fixes alone would be.
    pub(super) is_draft: bool,
    reverts: bool,
    violations: usize,
    /// Whether it does more than finish the user's in-progress change.
    is_other: bool,
    /// Whether it depends on a guess of this crate; the compiler's suggestions come first, however
    /// long they are.
    is_guess: bool,
    /// Number of places with a guessed value or name.
    guesses: usize,
    /// Number of changed characters other than white space.
    size: usize,
    applicability: Applicability,
}

impl Candidate {
    pub(super) fn rank(&self, candidate: usize) -> Rank {
        let parent = Reverse(self.parent);
        let after_resolutions = !resolves(&self.attempt.rules);
        Rank {
            is_draft: self.cost.is_draft,
            after_resolutions,
            is_remainder: self.is_remainder,
            parent,
            ordinal: self.ordinal,
            candidate,
        }
    }

    /// Makes it a draft.
    pub(super) fn demote(&mut self) {
        self.attempt.draft = true;
        self.cost.is_draft = true;
    }

    /// Computes the violations, given the errors of the original tree. Returns whether it turns out
    /// to be a draft against expectation.
    pub(super) fn examine(&mut self, reported: &[Diagnostic], in_progress: &InProgress) -> bool {
        if self.is_examined {
            return false;
        }
        self.is_examined = true;
        let was_draft = self.cost.is_draft;
        let attempt = &mut self.attempt;
        let rest = in_progress.rest_of(&attempt.overlay);
        attempt.violations = broken_by_repair(&rest, reported, in_progress);
        attempt.violations.extend(self.needs_approval.iter().cloned());
        attempt.reverts = in_progress.is_reverted_by(&rest, reported);
        attempt.draft = !attempt.violations.is_empty()
            || attempt.reverts
            || fits_one_side(&attempt.rules, attempt.choice);
        self.cost.reverts = attempt.reverts;
        self.cost.violations = attempt.violations.len();
        self.cost.is_draft = attempt.draft;
        attempt.draft && !was_draft
    }

    /// Whether these errors are all in other targets than those of the text that it continues.
    pub(super) fn is_in_other_targets(&self, diagnostics: &[Diagnostic]) -> bool {
        let now = targets(diagnostics);
        !now.is_empty() && !self.parent_targets.is_empty() && self.parent_targets.is_disjoint(&now)
    }

    /// The same with another change, whose violations are not known yet, and other guesses.
    pub(super) fn answered(&self, overlay: Overlay, guesses: Vec<GuessedPlace>) -> Self {
        let (guessed, size) = (guessed_values(&guesses), size(&overlay));
        let cost = Cost { is_draft: false, guesses: guessed, size, ..self.cost };
        let attempt = Attempt { overlay, guesses, draft: false, ..self.attempt.clone() };
        Self { attempt, cost, is_examined: false, ..self.clone() }
    }

    /// How far it is from building where these errors are left.
    pub(super) fn progress(&self, diagnostics: &[Diagnostic]) -> BuildProgress {
        let further = u32::from(self.goes_beyond(diagnostics));
        BuildProgress::of(diagnostics).reached(self.parent.further + further)
    }

    /// Whether the build came to targets that it did not reach before. Errors in a library whose
    /// package it changes are rather its own fault, which hides those of before.
    fn goes_beyond(&self, diagnostics: &[Diagnostic]) -> bool {
        let changed: SortedSet<&str> =
            self.attempt.overlay.changes().map(|(path, _)| split(path).0).collect();
        let is_of_changed_library = |(path, _): Place| {
            let (package, folder) = split(&path);
            let is_program = folder != "src"
                || modules_of(package, &path).is_empty() && path.as_str().ends_with("/main.rs")
                || modules_of(package, &path).first() == Some(&"bin");
            changed.contains(package) && !is_program
        };
        self.is_in_other_targets(diagnostics) && !places(diagnostics).any(is_of_changed_library)
    }
}

impl Candidate {
    /// A change of the original tree, whose errors are `diagnostics`, that no fix of this crate makes.
    pub(super) fn given(
        overlay: Overlay,
        rationale: Vec<String>,
        diagnostics: &[Diagnostic],
    ) -> Self {
        Self {
            round: 0,
            parent: BuildProgress::of(diagnostics),
            parent_errors: error_keys(diagnostics),
            parent_places: places(diagnostics).collect(),
            parent_targets: targets(diagnostics),
            ordinal: 0,
            is_remainder: false,
            cost: Cost {
                is_draft: false,
                reverts: false,
                violations: 0,
                is_other: true,
                is_guess: true,
                guesses: 0,
                size: size(&overlay),
                applicability: Applicability::Unspecified,
            },
            answers: errors(diagnostics).count(),
            needs_approval: Vec::new(),
            is_examined: false,
            attempt: Attempt {
                id: 0,
                draft: false,
                choice: false,
                overlay,
                rationale,
                rules: vec![GIVEN],
                violations: Vec::new(),
                reverts: false,
                guesses: Vec::new(),
            },
        }
    }
}

/// The number of guesses that are no holes: these make a draft by themselves.
fn guessed_values(guesses: &[GuessedPlace]) -> usize {
    guesses.iter().filter(|it| it.kind != GuessKind::Hole).count()
}

/// A text and the fixes for its errors.
pub(super) struct Continuation<'a> {
    from: Option<&'a Candidate>,
    /// The change from the original tree to the text.
    below: Overlay,
    files: &'a dyn Files,
    diagnostics: &'a [Diagnostic],
    progress: BuildProgress,
    fixes: Vec<Fix>,
    /// Per fix, why it needs approval.
    needs_approval: Vec<Option<Violation>>,
    /// Per fix, whether it makes a draft by itself.
    is_draft: Vec<bool>,
}

impl<'a> Continuation<'a> {
    /// The fixes that the reasoners propose for `diagnostics`, the errors of the text of `from`, which
    /// is so far from building.
    pub(super) fn new(
        reasoners: &[Box<dyn Reasoner>],
        from: Option<(&'a Candidate, BuildProgress)>,
        diagnostics: &'a [Diagnostic],
        in_progress: &InProgress,
        files: &'a dyn Files,
    ) -> Self {
        let progress = from.map_or_else(|| BuildProgress::of(diagnostics), |(_, it)| it);
        let from = from.map(|(it, _)| it);
        let below = from.map_or_else(|| in_progress.overlay(), |it| &it.attempt.overlay).clone();
        let overlaid = Overlaid { base: files, overlay: &below };
        let mut fixes: Vec<Fix> =
            reasoners.iter().flat_map(|it| it.propose_on(diagnostics, &overlaid)).collect();
        demote_partial(&mut fixes, diagnostics, &overlaid);
        let needs_approval: Vec<Option<Violation>> = fixes
            .iter()
            .map(|fix| {
                approval_reason(fix, diagnostics.get(fix.seed)?, &overlaid)
                    .or_else(|| decision(fix, in_progress, &overlaid))
                    .or_else(|| doubtful_import(fix, &fixes, in_progress, &overlaid))
            })
            .collect();
        let breaks_preservation = |fix: &Fix| {
            !clearly_preserves(fix)
                && overlay_of(&[fix], &overlaid).is_none_or(|(overlay, _)| {
                    !broken_by_repair(&overlay, diagnostics, in_progress).is_empty()
                })
        };
        // Many errors have one repair, such as an import, and the rule reads whole files.
        let mut known: SortedMap<Vec<(&ProjectPath, ByteSpan, &str)>, bool> = SortedMap::new();
        let is_draft = fixes
            .iter()
            .zip(&needs_approval)
            .map(|(fix, reason)| {
                let edits = fix.splices.iter().map(|(path, it)| (path, it.span, &*it.insert));
                let breaks = || breaks_preservation(fix);
                reason.is_some() || *known.entry(edits.collect()).or_insert_with(breaks)
            })
            .collect();
        Self { from, below, files, diagnostics, progress, fixes, needs_approval, is_draft }
    }

    /// All combinations, in the order of the plan.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        plan(self.diagnostics, &self.fixes, &self.is_draft)
            .into_iter()
            .enumerate()
            .filter_map(|(ordinal, plan)| {
                let made = self.candidate(ordinal, &plan.fixes)?;
                Some(Candidate { is_remainder: plan.is_remainder, ..made })
            })
            .collect()
    }

    /// The fixes `members` on top of the text; `None` if they do not fit, change nothing, or wrap a value
    /// twice.
    fn candidate(&self, ordinal: usize, members: &[usize]) -> Option<Candidate> {
        let chosen: Vec<&Fix> = members.iter().map(|idx| &self.fixes[*idx]).collect();
        let overlaid = Overlaid { base: self.files, overlay: &self.below };
        let (step, used) = overlay_of(&chosen, &overlaid)?;
        let overlay = self.below.compose(&step).ok().filter(|it| !it.is_empty())?;
        if wraps_twice(&overlay) {
            return None;
        }
        let used: Vec<&Fix> = used.iter().map(|idx| chosen[*idx]).collect();
        let mut guesses = self.from.map_or_else(Vec::new, |it| moved(&it.attempt.guesses, &step));
        guesses.extend(guessed(&used, &step));
        let is_draft = members.iter().any(|idx| self.is_draft[*idx])
            || self.from.is_some_and(|it| it.attempt.draft);
        let applicability = used
            .iter()
            .map(|fix| fix.applicability)
            .chain(self.from.map(|it| it.cost.applicability))
            .max()
            .unwrap_or(Applicability::Unspecified);
        let rules = self.rules(&used);
        let has_choice = || {
            used.iter().any(|fix| fix.is_choice()) || self.from.is_some_and(|it| it.attempt.choice)
        };
        let is_choice = resolves(&rules) && has_choice();
        let is_draft = is_draft || fits_one_side(&rules, is_choice);
        let mut needs_approval = self.from.map_or_else(Vec::new, |it| it.needs_approval.clone());
        needs_approval.extend(members.iter().filter_map(|idx| self.needs_approval[*idx].clone()));
        Some(Candidate {
            round: self.from.map_or(0, |it| it.round + 1),
            parent: self.progress,
            parent_errors: error_keys(self.diagnostics),
            parent_places: places(self.diagnostics)
                .map(|(path, at)| {
                    let at = step.get(&path).map_or(at, |it| it.edit.map_pos(at, Side::After));
                    (path, at)
                })
                .collect(),
            parent_targets: targets(self.diagnostics),
            ordinal,
            is_remainder: false,
            cost: Cost {
                is_draft,
                reverts: false,
                violations: 0,
                is_other: used.iter().any(|it| it.reasoner != crate::in_progress::NAME)
                    || self.from.is_some_and(|it| it.cost.is_other),
                is_guess: applicability == Applicability::Unspecified,
                guesses: guessed_values(&guesses),
                size: size(&overlay),
                applicability,
            },
            answers: self.answers(&used),
            needs_approval,
            is_examined: false,
            attempt: Attempt {
                id: 0,
                draft: is_draft,
                choice: is_choice,
                overlay,
                rationale: self.rationale(&used),
                rules,
                violations: Vec::new(),
                reverts: false,
                guesses,
            },
        })
    }

    /// The reasons of the continued text and those of `used`, without repetition.
    fn rationale(&self, used: &[&Fix]) -> Vec<String> {
        let mut lines = self.from.map_or_else(Vec::new, |it| it.attempt.rationale.clone());
        for fix in used {
            let seed = self.diagnostics.get(fix.seed);
            let line = match seed.and_then(|seed| seed.code.as_ref()) {
                Some(code) => format!("{code}: {}", fix.rationale),
                None => fix.rationale.clone(),
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// The reasoners of the continued text and those of `used`, without repetition.
    fn rules(&self, used: &[&Fix]) -> Vec<&'static str> {
        let mut names = self.from.map_or_else(Vec::new, |it| it.attempt.rules.clone());
        for fix in used {
            if !names.contains(&fix.reasoner) {
                names.push(fix.reasoner);
            }
        }
        names
    }

    /// Number of errors for which a fix equal to one of `used` was proposed.
    fn answers(&self, used: &[&Fix]) -> usize {
        let equal = self.fixes.iter().filter(|fix| used.iter().any(|it| it.splices == fix.splices));
        equal.map(|fix| fix.seed).collect::<SortedSet<usize>>().len()
    }
}

/// The rules of preservation that a repair breaks; it may set dependencies as the code asks for.
fn broken_by_repair(
    change: &Overlay,
    errors: &[Diagnostic],
    in_progress: &InProgress,
) -> Vec<Violation> {
    let mut found = preservation(change, errors, in_progress.allowed()).violations;
    found.retain(|it| it.rule != Rule::DependencyChanged);
    found
}

/// The fixes as one overlay, with the indices of those included; `None` if they do not fit the
/// text.
fn overlay_of(fixes: &[&Fix], files: &dyn Files) -> Option<(Overlay, Vec<usize>)> {
    let (splices, used) = combine(fixes);
    let overlay = Overlay::from_splices(AUTHOR, Timestamp(0), files, &splices).ok()?;
    Some((overlay, used))
}

/// Whether the fix clearly adds only harmless text, so that the full rule can be skipped.
fn clearly_preserves(fix: &Fix) -> bool {
    const SUSPECT: &[&str] = &["//", "/*", "\"", "'", "!", "pub", "unsafe", "#", "{", "}", ";"];
    fix.splices.iter().all(|(_, splice)| {
        splice.span.is_empty() && !SUSPECT.iter().any(|it| splice.insert.contains(it))
    })
}

/// The errors by package, code and message, without their positions: cargo reports those of a package
/// once the packages that it depends on build.
pub(super) fn error_keys(diagnostics: &[Diagnostic]) -> SortedSet<String> {
    let key = |it: &Diagnostic| format!("{:?} {:?} {}", it.package, it.code, it.message);
    errors(diagnostics).map(|(_, it)| key(it)).collect()
}

/// Whether a change drops a side of a conflict and changes other code to fit, so that it takes the side
/// back in more places.
fn fits_one_side(rules: &[&'static str], is_choice: bool) -> bool {
    drops_a_side(rules) && !is_choice
}

/// Where an error begins.
pub(super) type Place = (ProjectPath, usize);

/// The places of the errors that are in the project.
pub(super) fn places(diagnostics: &[Diagnostic]) -> impl Iterator<Item = Place> {
    let primaries = errors(diagnostics).filter_map(|(_, it)| it.primary());
    primaries.filter_map(|it| Some((it.place.project()?.clone(), it.bytes.start)))
}

/// The targets that have errors, with their packages, where known: a program is compiled once the library
/// of its package builds.
pub(super) fn targets(diagnostics: &[Diagnostic]) -> SortedSet<(String, Option<String>)> {
    let target = |it: &Diagnostic| Some((it.package.clone()?, it.target.clone()));
    errors(diagnostics).filter_map(|(_, it)| target(it)).collect()
}

/// Size of a change: characters added or removed, without white space. `pub` counts extra, so that
/// `pub(crate)` comes first.
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
