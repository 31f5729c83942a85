//! Imports of what is gone, and old imports of a name that is imported anew.

use std::rc::Rc;

use base::{ByteSpan, Diagnostic, ProjectPath, SortedMap, SortedSet};
use edit::Splice;
use preserve::outline::Outline;
use refactor::{PlacedText, quoted};
use refactor::{without_import, without_imports};
use syntax::places::DefinitionKind;

use super::lost_modules::has_file;
use super::{Confidence, Errors, Propagation, propagation};
use crate::project::Project;
use crate::{Intent, What};

/// Removed items: their names in the imports that the compiler cannot resolve, all of them in one
/// change, since one declaration may have several.
pub(super) fn of_removed(
    project: &Project<'_>,
    all: &[Intent],
    errors: &Errors<'_>,
) -> Option<Propagation> {
    let mut reasons: SortedSet<String> = SortedSet::new();
    let mut change = propagation(String::new(), Confidence::Certain);
    let mut names: SortedMap<ProjectPath, Vec<ByteSpan>> = SortedMap::new();
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        if marked.error.code.as_deref() != Some("E0432") {
            continue;
        }
        let name = text.slice(marked.span).rsplit("::").next().unwrap_or("");
        let is_it = |it: &&Intent| is_gone(project, it, name);
        let Some(intent) = all.iter().find(is_it) else { continue };
        if without_import(&text.text, marked.span).is_some() {
            reasons.insert(intent.to_string());
            change.seeds.push(marked.seed);
            names.entry(text.path.clone()).or_default().push(marked.span);
        }
    }
    change.reason = reasons.into_iter().collect::<Vec<_>>().join(", ");
    change.splices = without(project, names);
    (!change.seeds.is_empty()).then_some(change)
}

/// Whether an intent is the removal of an item of that name: of a module only if its file is gone too.
fn is_gone(project: &Project<'_>, intent: &Intent, name: &str) -> bool {
    let What::Removed(of) = &intent.what else { return false };
    let is_it = of.owner.is_empty() && of.name == name;
    is_it && !(of.kind == DefinitionKind::Module && has_file(project, &intent.path, name))
}

/// The removals of names from imports, by file.
fn without(
    project: &Project<'_>,
    names: SortedMap<ProjectPath, Vec<ByteSpan>>,
) -> Vec<(ProjectPath, Splice)> {
    let mut found = Vec::new();
    for (path, spans) in names {
        let Some(text) = project.text(&path) else { continue };
        let removed = without_imports(&text.text, spans);
        found.extend(removed.into_iter().map(|it| (path.clone(), it)));
    }
    found
}

/// Names that are imported twice since the difference: the imports that the base has go.
pub(super) fn doubled(project: &Project<'_>, errors: &Errors<'_>) -> Propagation {
    let mut change =
        propagation("a newer import or item has the name".to_owned(), Confidence::Certain);
    // By file, since one declaration may have several of them.
    let mut names: SortedMap<ProjectPath, Vec<ByteSpan>> = SortedMap::new();
    for (seed, error) in errors.iter() {
        let places = match error.code.as_deref() {
            Some("E0252" | "E0255") => places_of_doubled(project, error),
            Some("E0432") => places_of_unresolved(project, error),
            _ => continue,
        };
        if let [(text, span)] = places.as_slice() {
            change.seeds.push(seed);
            names.entry(text.path.clone()).or_default().push(*span);
        }
    }
    change.splices = without(project, names);
    change
}

/// The imports of the name that the error reports as defined twice which the base has.
fn places_of_doubled(project: &Project<'_>, error: &Diagnostic) -> Vec<(Rc<PlacedText>, ByteSpan)> {
    let Some(name) = quoted(&error.message).next() else { return Vec::new() };
    let places = error.spans.iter().filter_map(|it| {
        let text = project.text(it.place.project()?)?;
        Some((text, it.bytes))
    });
    places
        .filter(|(text, span)| {
            text.slice(*span).ends_with(name) && is_in_base(project, text, *span)
        })
        .collect()
}

/// The unresolved imports of a name for which the file has another, newer import.
fn places_of_unresolved(
    project: &Project<'_>,
    error: &Diagnostic,
) -> Vec<(Rc<PlacedText>, ByteSpan)> {
    let primary = error.spans.iter().filter(|it| it.primary);
    let places = primary.filter_map(|it| Some((project.text(it.place.project()?)?, it.bytes)));
    places
        .filter(|(text, span)| {
            let name = preserve::last_name(text.slice(*span)).to_owned();
            let imports = preserve::imports(&Outline::of(&text.text));
            let same = imports.keys().filter(|it| preserve::last_name(it) == name);
            same.count() > 1 && is_in_base(project, text, *span)
        })
        .collect()
}

/// Whether the base has the line of a span.
fn is_in_base(project: &Project<'_>, text: &PlacedText, span: ByteSpan) -> bool {
    let start = ByteSpan::new(span.start, span.start);
    let line = text.slice(text.lines_around(start)).trim_end_matches('\r');
    let base = project.difference.get(&text.path).and_then(|it| it.base.as_deref());
    base.is_none_or(|base| base.lines().any(|it| it == line))
}
