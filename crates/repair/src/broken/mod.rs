//! Repairs of texts that do not parse: brackets that do not pair (`regions`, `brackets`,
//! `placement`, `layout`), and separators, operators and keywords that are missing or mistyped
//! (`near`). Every candidate is parsed; those that leave the fewest errors come first, and of these
//! the one with the most common layout.

mod brackets;
mod layout;
mod lines;
mod near;
mod placement;
mod regions;
#[cfg(test)]
mod tests;

use base::{Applicability, ByteSpan, Diagnostic, LineIndex, ProjectPath, SortedMap, SortedSet};
use edit::{Files, Splice};

use crate::fix::text_of;
use crate::phase::{Phase, errors, phase_of};
use crate::{Fix, Reasoner};
use brackets::repairs;
use lines::Lines;
use regions::{Region, outermost, regions};

/// Maximum number of changes proposed for one file.
const MOST_FIXES: usize = 16;
/// Maximum number of regions of one file that are repaired together.
const MOST_REGIONS: usize = 6;
/// Maximum number of changes of one region that go on to the search.
const MOST_PER_REGION: usize = 8;
/// Maximum number of errors of one file by which places are found.
const MOST_ERRORS: usize = 4;

/// Missing and extra brackets, separators and keywords, wherever the text does not parse.
pub(crate) struct BrokenSyntax;

impl Reasoner for BrokenSyntax {
    fn name(&self) -> &'static str {
        "syntax"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut by_file: SortedMap<&ProjectPath, Vec<(usize, &Diagnostic)>> = SortedMap::new();
        for (seed, error) in errors(diagnostics) {
            let is_syntax = phase_of(std::slice::from_ref(error)) == Phase::Parse;
            if let Some(path) = error.primary().and_then(|it| it.place.project())
                && is_syntax
            {
                by_file.entry(path).or_default().push((seed, error));
            }
        }
        let mut fixes = Vec::new();
        for (path, errors) in by_file {
            let Some(text) = text_of(files, path) else { continue };
            let changes = changes_of(&text, &errors);
            // One fault has several errors: the same fix answers each of them.
            for (seed, _) in errors {
                fixes.extend(changes.iter().map(|change| change.fix(self, path, seed)));
            }
        }
        fixes
    }
}

/// Marks suggestions of others for syntax errors as guesses where they leave syntax errors and a
/// change of [`BrokenSyntax`] leaves none: they are made for the first error, not for its cause.
pub(crate) fn demote_partial(fixes: &mut [Fix], diagnostics: &[Diagnostic], files: &dyn Files) {
    let name = BrokenSyntax.name();
    let is_clean =
        |it: &Fix| it.reasoner == name && it.applicability == Applicability::MaybeIncorrect;
    let answered: SortedSet<usize> =
        fixes.iter().filter(|it| is_clean(it)).map(|it| it.seed).collect();
    for fix in fixes.iter_mut().filter(|it| it.reasoner != name && answered.contains(&it.seed)) {
        let Some(path) = fix.splices.first().map(|(path, _)| path) else { continue };
        let is_syntax = diagnostics
            .get(fix.seed)
            .is_some_and(|it| phase_of(std::slice::from_ref(it)) == Phase::Parse);
        let Some(text) = text_of(files, path).filter(|_| is_syntax) else { continue };
        let splices: Vec<Splice> = fix
            .splices
            .iter()
            .filter(|(it, _)| it == path)
            .map(|(_, splice)| splice.clone())
            .collect();
        if errors_after(&text, ByteSpan::new(0, text.len()), &splices) > 0 {
            fix.applicability = Applicability::Unspecified;
        }
    }
}

/// A change of one file after which it has fewer syntax errors.
#[derive(Clone, Debug)]
struct Change {
    splices: Vec<Splice>,
    why: String,
    /// Whether it leaves no syntax error.
    is_clean: bool,
}

impl Change {
    fn fix(&self, reasoner: &dyn Reasoner, path: &ProjectPath, seed: usize) -> Fix {
        Fix {
            splices: self.splices.iter().map(|it| (path.clone(), it.clone())).collect(),
            rationale: self.why.clone(),
            applicability: if self.is_clean {
                Applicability::MaybeIncorrect
            } else {
                Applicability::Unspecified
            },
            reasoner: reasoner.name(),
            seed,
            guesses: Vec::new(),
        }
    }
}

fn changes_of(text: &str, errors: &[(usize, &Diagnostic)]) -> Vec<Change> {
    if preserve::conflicts::has_conflicts(text) {
        return Vec::new();
    }
    let lines = Lines::of(text);
    let broken = regions(&lines);
    if broken.is_empty() {
        let known: Vec<&Diagnostic> = errors.iter().map(|(_, it)| *it).take(MOST_ERRORS).collect();
        return near::changes(&lines, &known);
    }
    let per_region: Vec<Vec<Change>> = broken
        .iter()
        .take(MOST_REGIONS)
        .map(|it| of_region(&lines, it))
        .filter(|it| !it.is_empty())
        .collect();
    combinations(&per_region)
}

/// The changes of one region that leave the fewest syntax errors in the item around it.
fn of_region(text: &Lines<'_>, region: &Region) -> Vec<Change> {
    let around = outermost(text, region.tokens.start);
    let index = LineIndex::new(text.text);
    let mut ranked: Vec<(usize, usize, Change)> = repairs(text, region)
        .into_iter()
        .map(|repair| {
            let left = errors_after(text.text, around, &repair.splices);
            let line = repair.splices.first().map_or(1, |it| index.line_of(it.span.start));
            let why = format!("{} (line {line})", repair.why);
            let change = Change { splices: repair.splices, why, is_clean: left == 0 };
            (left, repair.cost, change)
        })
        .collect();
    ranked.sort_by_key(|it| (it.0, it.1));
    ranked.into_iter().take(MOST_PER_REGION).map(|(_, _, change)| change).collect()
}

/// Number of syntax errors in this part of the text with these changes.
fn errors_after(text: &str, part: ByteSpan, splices: &[Splice]) -> usize {
    let mut after = part.slice(text).unwrap_or("").to_owned();
    for splice in splices.iter().rev() {
        let Some(start) = splice.span.start.checked_sub(part.start) else { continue };
        let end = start + (splice.span.end - splice.span.start);
        if after.get(start..end).is_some() {
            after.replace_range(start..end, &splice.insert);
        }
    }
    syntax::grammar_errors(&after).len()
}

/// The best change of each region together, then with one other change of one region.
fn combinations(regions: &[Vec<Change>]) -> Vec<Change> {
    let joined = |other: Option<(usize, usize)>| {
        let mut all = Change { splices: Vec::new(), why: String::new(), is_clean: true };
        for (idx, changes) in regions.iter().enumerate() {
            let nth = other.filter(|(region, _)| *region == idx).map_or(0, |(_, nth)| nth);
            let change = &changes[nth];
            all.splices.extend(change.splices.iter().cloned());
            all.is_clean &= change.is_clean;
            let comma = if all.why.is_empty() { "" } else { ", " };
            all.why = format!("{}{comma}{}", all.why, change.why);
        }
        all
    };
    if regions.is_empty() {
        return Vec::new();
    }
    let mut found = vec![joined(None)];
    for nth in 1..MOST_PER_REGION {
        let of_nth = (0..regions.len()).filter(|it| nth < regions[*it].len());
        found.extend(of_nth.map(|region| joined(Some((region, nth)))));
    }
    found.truncate(MOST_FIXES);
    found
}
