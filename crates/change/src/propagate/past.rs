//! Rewrites that recent commits have made, for the places that still have the old code.
//!
//! The examples are weaker than those of the user's own difference: no change of this file is more
//! than a [`Confidence::Guess`], the reason names the commit, and a rewrite of which the commits have
//! one place only marks what it inserts as a [`crate::Guess`], so that it is a draft unless a test depends on
//! it. Where the commits contradict each other, nothing is proposed: the same old code was changed in
//! two ways, or a later commit changed it back.

use base::{Diagnostic, SortedMap};
use edit::Files;

use super::example::{Example, Learned, Origin, fitting, generalised, places_of};
use super::substitutions::{Counts, counts, replaced};
use super::{Confidence, Errors, Propagation, order, propagation};
use crate::Difference;
use crate::changed::Changed;
use crate::project::Project;

/// Most changed places of one commit that are compared with each other.
const MAX_PAIRS: usize = 120;

/// What one commit of the project has changed.
#[derive(Clone, Debug)]
pub struct PastDifference {
    /// The commit for a message: its short id and subject, without control characters.
    pub commit: String,
    /// Its files before and after.
    pub difference: Difference,
}

/// The changes that recent commits (the last one first) have made elsewhere and that answer some of
/// `errors`, whose spans refer to `files`; those of later commits first.
pub fn propagate_from_history(
    past: &[PastDifference],
    errors: &[Diagnostic],
    files: &dyn Files,
) -> Vec<Propagation> {
    let errors = Errors::of(errors);
    if errors.iter().next().is_none() || past.is_empty() {
        return Vec::new();
    }
    let none = Difference::default();
    let project = Project::new(&none, errors.all, files);
    let changed: Vec<Vec<Changed<'_>>> =
        past.iter().map(|it| Changed::of(&it.difference)).collect();
    let examples = fitting(&project, &errors, rewrites(past, &changed));
    let names = names(past, &changed);
    let mut found = replaced(&project, &errors, &examples, &names.counts, &|old, new, count| {
        let times = base::counted(count, "place");
        let commit = names.commit(old, new);
        let reason = format!("`{old}` was changed to `{new}` in {times} by commit {commit}");
        propagation(reason, Confidence::Guess)
    });
    found.extend(examples);
    order(&mut found);
    found
}

/// The rewrites that no other place of the commits contradicts.
fn rewrites(past: &[PastDifference], changed: &[Vec<Changed<'_>>]) -> Vec<Learned> {
    let examples: Vec<Vec<Example<'_>>> =
        changed.iter().map(|it| places_of(it, MAX_PAIRS)).collect();
    let by_commit: Vec<Vec<Learned>> = examples.iter().map(|it| generalised(it)).collect();
    let mut later: Vec<(String, String)> = Vec::new();
    let mut found: Vec<Learned> = Vec::new();
    for (commit, list) in past.iter().zip(by_commit) {
        let keys: Vec<(String, String)> = list.iter().map(|it| it.rewrite.key()).collect();
        for (mut learned, (old, new)) in list.into_iter().zip(&keys) {
            let is_back = later.iter().any(|it| it.0 == *new && it.1 == *old);
            let mut all = examples.iter().flatten();
            if !is_back && !all.any(|it| learned.rewrite.contradicts(&it.0)) {
                learned.origin = Origin::Commit(commit.commit.clone());
                found.push(learned);
            }
        }
        later.extend(keys);
    }
    found
}

/// The names that the commits replaced by one other name.
struct PastNames<'a> {
    counts: Counts,
    /// The last commit that replaced the first name by the second.
    commits: SortedMap<(String, String), &'a str>,
}

impl PastNames<'_> {
    fn commit(&self, old: &str, new: &str) -> &str {
        self.commits.get(&(old.to_owned(), new.to_owned())).copied().unwrap_or_default()
    }
}

fn names<'a>(past: &'a [PastDifference], changed: &[Vec<Changed<'_>>]) -> PastNames<'a> {
    let mut all: Counts = Counts::new();
    let mut commits: SortedMap<(String, String), &'a str> = SortedMap::new();
    for (commit, changed) in past.iter().zip(changed) {
        for ((old, role), choices) in counts(changed) {
            for (new, count) in choices {
                // A later commit changed it back.
                if commits.contains_key(&(new.clone(), old.clone())) {
                    continue;
                }
                commits.entry((old.clone(), new.clone())).or_insert(&commit.commit);
                let known: &mut SortedMap<String, usize> =
                    all.entry((old.clone(), role)).or_default();
                *known.entry(new).or_default() += count;
            }
        }
    }
    all.retain(|_, choices| choices.len() == 1);
    PastNames { counts: all, commits }
}
