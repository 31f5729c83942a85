//! Imports of what is gone, and old imports of a name that is imported anew.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::{ByteSpan, Diagnostic, ProjectPath};
use preserve::outline::Outline;

use super::{Carried, Confidence, Errors, carried};
use crate::project::{Project, Text, quoted};
use crate::use_item::{without_import, without_imports};
use crate::{Intent, What};

/// A removed item: its name in the imports that the compiler cannot resolve.
pub(super) fn of_removed(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Carried>,
) {
    let What::Removed(of) = &intent.what else { return };
    if !of.owner.is_empty() {
        return;
    }
    let mut change = carried(intent.to_string(), Confidence::Certain);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        let is_it = marked.error.code.as_deref() == Some("E0432")
            && text.slice(marked.span).rsplit("::").next() == Some(of.name.as_str());
        if let Some(splice) = is_it.then(|| without_import(&text.text, marked.span)).flatten() {
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), splice));
        }
    }
    found.push(change);
}

/// Names that are imported twice since the difference: the imports that the base has go.
pub(super) fn doubled(project: &Project<'_>, errors: &Errors<'_>) -> Carried {
    let mut change = carried("a newer import or item has the name".to_owned(), Confidence::Certain);
    // By file, since one declaration may have several of them.
    let mut names: BTreeMap<ProjectPath, Vec<ByteSpan>> = BTreeMap::new();
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
    for (path, spans) in names {
        let Some(text) = project.text(&path) else { continue };
        let removed = without_imports(&text.text, spans);
        change.splices.extend(removed.into_iter().map(|it| (path.clone(), it)));
    }
    change
}

/// The imports of the name that the error reports as defined twice which the base has.
fn places_of_doubled(project: &Project<'_>, error: &Diagnostic) -> Vec<(Rc<Text>, ByteSpan)> {
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
fn places_of_unresolved(project: &Project<'_>, error: &Diagnostic) -> Vec<(Rc<Text>, ByteSpan)> {
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
fn is_in_base(project: &Project<'_>, text: &Text, span: ByteSpan) -> bool {
    let start = ByteSpan::new(span.start, span.start);
    let line = text.slice(text.lines_around(start)).trim_end_matches('\r');
    let base = project.difference.get(&text.path).and_then(|it| it.base.as_deref());
    base.is_none_or(|base| base.lines().any(|it| it == line))
}
