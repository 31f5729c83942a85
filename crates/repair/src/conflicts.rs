//! Merge conflicts: each file with one or both sides of its conflicts.

use std::sync::Arc;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath, SortedMap, SortedSet};
use edit::{Files, Splice};
use preserve::conflicts::{Conflict, Kept, Nearness, conflicts_since, resolved};
use preserve::whole_items;

use crate::fix::text_of;
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// Maximum number of conflicts in one file whose resolutions are mixed.
const MOST_MIXED: usize = 3;
/// Maximum number of resolutions of one file.
const MOST_RESOLUTIONS: usize = 24;

/// Resolutions of merge conflicts. Both sides as one come first, where their changes do not meet. Ours,
/// theirs, and both in either order mean different things, so such a resolution is applied only if no
/// other one passes ([`Fix::is_choice`]).
pub(crate) struct Conflicts {
    bases: SortedMap<ProjectPath, Arc<str>>,
}

impl Conflicts {
    /// Resolutions with the texts that both sides began with, of files with conflicts.
    pub(crate) fn new(bases: SortedMap<ProjectPath, Arc<str>>) -> Self {
        Self { bases }
    }
}

/// Name of the reasoner, for resolutions that drop lines of a side.
pub(crate) const NAME: &str = "conflicts";
/// Its name for those that keep both sides.
pub(crate) const BOTH: &str = "conflicts-both";
/// Its name for those that keep what both sides added at one place, ours first.
pub(crate) const ORDERED: &str = "conflicts-ordered";
/// Its name for those that join the sides, whose changes are apart from each other.
const JOINED: &str = "conflicts-merged";

impl Reasoner for Conflicts {
    fn name(&self) -> &'static str {
        NAME
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut by_file: SortedMap<&ProjectPath, Vec<usize>> = SortedMap::new();
        for (seed, error) in errors(diagnostics) {
            if let Some(path) = error.primary().and_then(|it| it.place.project()) {
                by_file.entry(path).or_default().push(seed);
            }
        }
        let mut fixes = Vec::new();
        for (path, seeds) in by_file {
            let Some(text) = text_of(files, path) else { continue };
            let found = conflicts_since(&text, self.bases.get(path).map(|it| &**it));
            let all = resolutions(&text, &found);
            for seed in seeds {
                fixes.extend(all.iter().map(|kept| fix(path, &text, &found, kept, seed)));
            }
        }
        fixes
    }
}

/// The resolutions of a file with different results: the same for each conflict first, then mixed
/// ones.
fn resolutions(text: &str, found: &[Conflict]) -> Vec<Vec<Kept>> {
    if found.is_empty() {
        return Vec::new();
    }
    let mut all = joined(found);
    all.extend(Kept::ALL.iter().map(|kept| vec![*kept; found.len()]));
    if (2..=MOST_MIXED).contains(&found.len()) {
        let mut mixed = mixed(found, |_| false);
        mixed.sort();
        all.extend(mixed);
    }
    // The order of items means nothing.
    let are_items = |side: &ByteSpan| whole_items(side.slice(text).unwrap_or("")).is_some();
    let has_order = |it: &Conflict| ![it.ours, it.theirs].iter().all(are_items);
    if !found.iter().any(has_order) {
        all.retain(|kept| !kept.contains(&Kept::TheirsThenOurs));
    }
    let mut known = SortedSet::new();
    all.retain(|kept| known.insert(resolved(text, found, kept)));
    all.truncate(MOST_RESOLUTIONS);
    all
}

/// The sides of each conflict as one where they can be, and the rest in every way.
fn joined(found: &[Conflict]) -> Vec<Vec<Kept>> {
    let open = found.iter().filter(|it| it.merged.is_none()).count();
    match open == found.len() || open > MOST_MIXED {
        true => Vec::new(),
        false => mixed(found, |it| it.merged.is_some()),
    }
}

/// Each way to keep one side or both of each conflict that is not joined.
fn mixed(found: &[Conflict], is_joined: impl Fn(&Conflict) -> bool) -> Vec<Vec<Kept>> {
    let mut mixed: Vec<Vec<Kept>> = vec![Vec::new()];
    for conflict in found {
        let ways: &[Kept] = match is_joined(conflict) {
            true => &[Kept::Merged],
            false => &[Kept::Ours, Kept::Theirs, Kept::OursThenTheirs],
        };
        let with = |kept: &Kept| {
            let kept = *kept;
            mixed.iter().map(move |it| [it.as_slice(), &[kept]].concat()).collect::<Vec<_>>()
        };
        mixed = ways.iter().flat_map(with).collect();
    }
    mixed
}

fn fix(path: &ProjectPath, text: &str, found: &[Conflict], kept: &[Kept], seed: usize) -> Fix {
    let splices = found.iter().zip(kept).flat_map(|(it, kept)| splices(text, it, *kept));
    Fix {
        splices: splices.map(|it| (path.clone(), it)).collect(),
        rationale: rationale(found, kept),
        applicability: match found.iter().zip(kept).all(|it| is_joined(it, Nearness::Apart)) {
            true => Applicability::MaybeIncorrect,
            false => Applicability::Unspecified,
        },
        reasoner: match found.iter().zip(kept).any(|it| drops(text, it)) {
            true => NAME,
            false if found.iter().zip(kept).any(|it| is_joined(it, Nearness::Ordered)) => ORDERED,
            false if found.iter().zip(kept).all(|it| is_joined(it, Nearness::Apart)) => JOINED,
            false => BOTH,
        },
        seed,
        guesses: Vec::new(),
    }
}

/// Whether a resolution joins sides whose changes are as near to each other.
fn is_joined((conflict, kept): (&Conflict, &Kept), nearness: Nearness) -> bool {
    *kept == Kept::Merged && conflict.merged.as_ref().is_some_and(|it| it.nearness == nearness)
}

/// Whether a resolution drops lines that the kept side does not have, or that the other side removed all.
fn drops(text: &str, (conflict, kept): (&Conflict, &Kept)) -> bool {
    let lines = |side: ByteSpan| {
        let lines = side.slice(text).unwrap_or("").lines().map(str::trim);
        lines.filter(|it| !it.is_empty()).collect::<SortedSet<_>>()
    };
    let (ours, theirs) = (lines(conflict.ours), lines(conflict.theirs));
    match kept {
        Kept::Ours => theirs.is_empty() || !theirs.is_subset(&ours),
        Kept::Theirs => ours.is_empty() || !ours.is_subset(&theirs),
        Kept::OursThenTheirs | Kept::TheirsThenOurs | Kept::Merged => false,
    }
}

/// Whether a repair by these reasoners drops lines of a side of a conflict.
pub fn drops_a_side<T: AsRef<str>>(rules: &[T]) -> bool {
    rules.iter().any(|it| it.as_ref() == NAME)
}

/// Whether a repair by these reasoners picks the order of what both sides of a conflict added.
pub fn orders_sides<T: AsRef<str>>(rules: &[T]) -> bool {
    rules.iter().any(|it| it.as_ref() == ORDERED)
}

/// Whether a repair does nothing but resolve conflicts.
pub(crate) fn resolves(rules: &[&str]) -> bool {
    !rules.is_empty() && rules.iter().all(|it| [NAME, BOTH, ORDERED, JOINED].contains(it))
}

/// The removals of markers and of what is not kept; one replacement if theirs comes first.
fn splices(text: &str, conflict: &Conflict, kept: Kept) -> Vec<Splice> {
    let (whole, ours, theirs) = (conflict.span, conflict.ours, conflict.theirs);
    let cut = |start: usize, end: usize| Splice {
        span: ByteSpan::new(start, end),
        insert: String::new(),
    };
    match kept {
        Kept::Ours => vec![cut(whole.start, ours.start), cut(ours.end, whole.end)],
        Kept::Theirs => vec![cut(whole.start, theirs.start), cut(theirs.end, whole.end)],
        Kept::OursThenTheirs => vec![
            cut(whole.start, ours.start),
            cut(ours.end, theirs.start),
            cut(theirs.end, whole.end),
        ],
        Kept::TheirsThenOurs | Kept::Merged => {
            vec![Splice { span: whole, insert: conflict.lines(text, kept) }]
        }
    }
}

/// `keep our side of the conflict`; of mixed resolutions each, in order.
fn rationale(found: &[Conflict], kept: &[Kept]) -> String {
    let side = |kept: Kept| match kept {
        Kept::Ours => "our side",
        Kept::Theirs => "their side",
        Kept::OursThenTheirs => "both sides, ours first,",
        Kept::TheirsThenOurs => "both sides, theirs first,",
        Kept::Merged => "what each side has changed",
    };
    let name = |side: &str, name: &str| {
        if name.is_empty() { String::new() } else { format!(" ({side}: `{name}`)") }
    };
    match (found, kept) {
        ([one], [kept]) => {
            let names = match kept {
                Kept::Ours => name("ours", &one.our_name),
                Kept::Theirs => name("theirs", &one.their_name),
                Kept::OursThenTheirs | Kept::TheirsThenOurs | Kept::Merged => String::new(),
            };
            format!("keep {} of the conflict{names}", side(*kept))
        }
        (_, [first, rest @ ..]) if rest.iter().all(|it| it == first) => {
            format!("keep {} of each conflict", side(*first))
        }
        _ => {
            let sides: Vec<&str> = kept.iter().map(|it| side(*it).trim_end_matches(',')).collect();
            format!("resolve the conflicts one by one: {}", sides.join("; "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_statements_is_a_choice_and_that_of_items_is_none() {
        let count = |ours: &str, theirs: &str| {
            let text = format!("<<<<<<< a\n{ours}=======\n{theirs}>>>>>>> b\n");
            resolutions(&text, &conflicts_since(&text, None)).len()
        };
        assert_eq!(count("use a;\nuse b;\n", "use c;\n"), 3);
        assert_eq!(count("#[a]\npub fn f() {}\n", "struct S;\n"), 3);
        assert_eq!(count("f();\n", "g();\n"), 4);
        assert_eq!(count("use a;\n", "macro_rules! m { () => {} }\n"), 4);
    }
}
