//! Items that the person has moved to another file: their paths, imports and visibilities, as one change
//! for all items with the same old and new file.

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet};
use refactor::quoted;
use refactor::{CrateRoot, ManualMove};
use syntax::places::Definition;

use super::{Confidence, Errors, Propagation, propagation};
use crate::manifest::crate_name;
use crate::project::{Project, has_word};
use crate::{Intent, What};

/// Folders of a package with a crate for each file.
const TARGETS: &[&str] = &["tests", "benches", "examples", "src/bin"];

/// The changes that moved items ask for.
pub(super) fn relocated(
    project: &Project<'_>,
    all: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Propagation> {
    let mut groups: SortedMap<(&ProjectPath, &ProjectPath), Vec<&Intent>> = SortedMap::new();
    for it in all {
        if let What::Moved { from, .. } = &it.what {
            groups.entry((from, &it.path)).or_default().push(it);
        }
    }
    let missed = missed(all, errors);
    if groups.is_empty() || errors.iter().next().is_none() {
        return Vec::new();
    }
    let files = project.every_text();
    let roots = roots(project, &files);
    let group = |((from, to), intents): ((&ProjectPath, &ProjectPath), Vec<&Intent>)| {
        let items = intents.iter().filter_map(|it| item(project, it)).collect();
        let manual =
            ManualMove { from: from.clone(), to: to.clone(), items, missed: missed.clone() };
        let found = manual.finish(&files, &roots)?;
        let mut change = propagation(reason(&intents, from), Confidence::Certain);
        let is_named = |message: &str| {
            manual.items.iter().any(|(name, _)| quoted(message).any(|it| has_word(it, name)))
        };
        for marked in errors.marked() {
            let inside =
                marked.path == to && found.pieces.iter().any(|it| it.contains(marked.span));
            let edited = found.splices.iter().any(|(path, it)| {
                path == marked.path && !it.span.is_empty() && marked.span.overlaps(it.span)
            });
            if inside || edited || is_named(&marked.error.message) {
                change.seeds.push(marked.seed);
            }
        }
        change.splices = found.splices;
        (!change.seeds.is_empty() && !change.splices.is_empty()).then_some(change)
    };
    groups.into_iter().filter_map(group).collect()
}

/// The moved items in one line.
fn reason(intents: &[&Intent], from: &ProjectPath) -> String {
    match intents {
        [one] => one.to_string(),
        all => {
            let names: Vec<String> =
                all.iter().map(|it| format!("`{}`", it.what.of().name)).collect();
            let to = all.first().map_or("", |it| it.path.as_str());
            format!("{} are in `{to}` now, were in `{from}`", names.join(", "))
        }
    }
}

/// The names of moved items that errors report, with the files of the errors.
fn missed(all: &[Intent], errors: &Errors<'_>) -> SortedSet<(ProjectPath, String)> {
    let moved = all.iter().filter(|it| matches!(it.what, What::Moved { .. }));
    let names: SortedSet<&str> = moved.map(|it| it.what.of().name.as_str()).collect();
    let mut found = SortedSet::new();
    for marked in errors.marked() {
        let own =
            names.iter().filter(|name| quoted(&marked.error.message).any(|it| has_word(it, name)));
        found.extend(own.map(|it| (marked.path.clone(), (*it).to_owned())));
    }
    found
}

/// Name and position of a moved item in its new file.
fn item(project: &Project<'_>, intent: &Intent) -> Option<(String, usize)> {
    let text = project.text(&intent.path)?;
    let of = intent.what.of();
    let is_it = |it: &&Definition| it.kind == of.kind && it.name == of.name && it.owner.is_empty();
    let it = text.places.definitions.iter().find(is_it)?;
    Some((it.name.clone(), it.name_span.start))
}

/// The crates of the project by the layout of packages, libraries first.
fn roots(project: &Project<'_>, files: &[(ProjectPath, Arc<str>)]) -> Vec<CrateRoot> {
    let mut found: Vec<CrateRoot> = Vec::new();
    let mut names: SortedMap<String, Option<String>> = SortedMap::new();
    for (path, _) in files {
        let Some((folder, inside)) = package_of(project, path, &mut names) else { continue };
        let Some(library) = names.get(&folder).cloned().flatten() else { continue };
        let stem = inside.trim_end_matches(".rs");
        let target = TARGETS.iter().find_map(|it| stem.strip_prefix(it)?.strip_prefix('/'));
        let target = target.map(|it| it.strip_suffix("/main").unwrap_or(it));
        let name = match (inside.as_str(), target) {
            ("src/lib.rs", _) => library,
            ("src/main.rs", _) => format!("{library}/main"),
            (_, Some(name)) if !name.contains('/') => name.to_owned(),
            _ => continue,
        };
        let is_library = inside == "src/lib.rs";
        found.push(CrateRoot { name, is_library, root: path.clone() });
    }
    found.sort_by_key(|it| !it.is_library);
    found
}

/// The folder of the package that a file is in, and the file below it.
fn package_of(
    project: &Project<'_>,
    path: &ProjectPath,
    names: &mut SortedMap<String, Option<String>>,
) -> Option<(String, String)> {
    let whole = path.as_str();
    let mut folder = whole.rsplit_once('/').map(|it| it.0);
    loop {
        let own = folder.map_or_else(String::new, |it| format!("{it}/"));
        let name = names.entry(own.clone()).or_insert_with(|| {
            let manifest = ProjectPath::new(&format!("{own}Cargo.toml")).ok()?;
            crate_name(&project.plain(&manifest)?)
        });
        if name.is_some() {
            let inside = whole.strip_prefix(own.as_str())?.to_owned();
            return Some((own, inside));
        }
        folder = folder?.rsplit_once('/').map(|it| it.0);
    }
}
