//! Rewrites that a dependency shows by how it uses its own interface in both versions.
//!
//! Its tests may have changed for other reasons too: a rewrite replaces a name of the old version and
//! adds no literal, and what only one example shows is a [`crate::Guess`].

use base::{SortedMap, SortedSet};

use preserve::outline::{Token, TokenKind, tokens};
use refactor::quoted;

use super::example::{Example, Learned, Origin, fitting, generalised, places_of};
use super::substitutions::{Counts, counts, replaced};
use super::trees::Tree;
use super::{Confidence, Errors, Propagation, propagation};
use crate::changed::Changed;
use crate::library::Library;
use crate::project::Project;

/// Most changed places of one dependency.
const MAX_PLACES: usize = 20_000;
/// Most of them that are compared with each other.
const MAX_PAIRS: usize = 160;
/// Most lines around an error whose names are looked for.
const LINES: usize = 3;

/// The rewrites of each dependency's own uses that fit the place of an error.
pub(super) fn usage(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut found = Vec::new();
    if project.difference.libraries().is_empty() {
        return found;
    }
    let missed = missed(project, errors);
    for library in project.difference.libraries() {
        let names: SortedSet<&str> =
            missed.iter().map(String::as_str).filter(|it| library.had_name(it)).collect();
        let is_near = |text: &str| names.iter().any(|name| text.contains(name));
        let near = library.usages().iter().filter(|it| is_near(&it.0));
        let changed: Vec<Changed<'_>> = near.map(|it| Changed::between(&it.0, &it.1)).collect();
        let mut places = places_of(&changed, MAX_PLACES);
        places.retain(|(pair, _)| {
            has_name(&pair.old, &names) && !has_new_literal(&pair.old, &pair.new)
        });
        places.truncate(MAX_PAIRS);
        let examples = fitting(project, errors, rewrites(library, &places));
        found.extend(renamed(project, errors, library, &changed, &examples));
        found.extend(examples);
    }
    found
}

/// The words in the messages of the errors and on the lines that they mark.
fn missed(project: &Project<'_>, errors: &Errors<'_>) -> SortedSet<String> {
    let mut found = SortedSet::new();
    let mut add = |text: &str| {
        let words = tokens(text).into_iter().filter(|it| it.kind == TokenKind::Word);
        found.extend(words.map(|it| it.text.to_owned()));
    };
    for marked in errors.marked() {
        quoted(&marked.error.message).for_each(&mut add);
        let Some(text) = project.text(marked.path) else { continue };
        let lines = text.slice(text.lines_around(marked.span));
        if lines.lines().count() <= LINES {
            add(lines);
        }
    }
    found
}

/// The rewrites that more places show than contradict.
fn rewrites(library: &Library, places: &[Example<'_>]) -> Vec<Learned> {
    let mut found = generalised(places);
    found.retain(|it| {
        let others = places.iter().filter(|(pair, _)| it.rewrite.contradicts(pair)).count();
        it.count > others && it.rewrite.names().iter().any(|name| library.had_name(name))
    });
    for learned in &mut found {
        learned.origin = Origin::Library(library.package.clone());
    }
    found
}

/// Names of the old version that its uses replace by one of the new version.
fn renamed(
    project: &Project<'_>,
    errors: &Errors<'_>,
    library: &Library,
    changed: &[Changed<'_>],
    longer: &[Propagation],
) -> Vec<Propagation> {
    let mut all: Counts = counts(changed);
    all.retain(|(old, _), choices| {
        choices.retain(|new, _| library.has_name(new));
        let most = choices.values().copied().max().unwrap_or(0);
        choices.retain(|_, count| *count == most);
        library.had_name(old) && choices.len() == 1
    });
    replaced(project, errors, longer, &all, &|old, new, count| {
        let places = base::counted(count, "own example");
        let confidence = if count > 1 { Confidence::Likely } else { Confidence::Guess };
        propagation(format!("`{old}` is `{new}` in {places} of `{}`", library.package), confidence)
    })
}

fn each_token<'t>(trees: &[Tree<'t>], with: &mut dyn FnMut(&Token<'t>)) {
    for tree in trees {
        match tree {
            Tree::Leaf(it) => with(it),
            Tree::Group(it) => each_token(&it.inner, with),
        }
    }
}

fn has_name(trees: &[Tree<'_>], names: &SortedSet<&str>) -> bool {
    let mut found = false;
    each_token(trees, &mut |it| found |= names.contains(it.text));
    found
}

/// Whether the new code has a number or text that the old one does not have.
fn has_new_literal(old: &[Tree<'_>], new: &[Tree<'_>]) -> bool {
    let literals = |trees: &[Tree<'_>]| {
        let mut found: SortedMap<String, usize> = SortedMap::new();
        each_token(trees, &mut |it| {
            if it.kind == TokenKind::Literal {
                *found.entry(it.text.to_owned()).or_default() += 1;
            }
        });
        found
    };
    let old = literals(old);
    literals(new).keys().any(|it| !old.contains_key(it))
}
