//! The parts of a change that only a person may allow and that its paths do not show: keys of manifests
//! that decide how code is built, and build scripts that a manifest names. Computed from the overlay
//! itself when a proof begins, so that no caller can leave it out.

mod build_needs;
mod configuration;
mod inert;
mod links;
mod named;
mod reached;
mod run_by_cargo;

use base::{ProjectPath, SortedMap, SortedSet};
use edit::{FileState, Files, Overlay, Unreadable};
use policy::{Exception, ProtectedChange};
use preserve::ManifestPackage;

use links::{Followed, Links};
use run_by_cargo::RunByCargo;

/// What of the overlay is protected, ordered by file and key.
/// `names` are the files of the tree and `links` its links, with where they lead to.
pub(crate) fn changes<'n>(
    files: &dyn Files,
    (names, links): (impl Iterator<Item = &'n ProjectPath>, &SortedMap<ProjectPath, ProjectPath>),
    overlay: &'n Overlay,
) -> Vec<ProtectedChange> {
    let links = Links::of(links);
    let after = Changed { files, overlay };
    let changed = || overlay.changes().map(|it| it.0);
    let names: SortedSet<&ProjectPath> = names.chain(changed()).collect();
    let sides: [&dyn Files; 2] = [files, &after];
    let states = sides
        .map(|files| (Followed { files, links: &links }, RunByCargo::of(files, &links, &names)));
    let mut found = Vec::new();
    for (path, change) in overlay.changes() {
        if path.file_name().eq_ignore_ascii_case("Cargo.toml") {
            let from = change.renamed_from.as_ref().and_then(|it| overlay.get(it));
            let before = from.unwrap_or(change).before_text();
            manifest(path, before, change.after_text(), &mut found);
        }
        let known = found.len();
        found.extend(linked(&links, path));
        if policy::protected(path).is_none() {
            found.extend(inert::program_text(path, change));
            found.extend(build_script(&states, path));
            found.extend(included(&states, path));
            found.extend(program(&states, &links, path));
            if found.len() == known {
                found.extend(script(&states, &names, path));
            }
            if found.len() == known {
                found.extend(inert::not_inert(&names, path));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn manifest(path: &ProjectPath, before: &str, after: &str, found: &mut Vec<ProtectedChange>) {
    match preserve::changed_keys(before, after) {
        Ok(keys) => found.extend(keys.iter().filter_map(|it| {
            // A new package has to name one.
            if before.is_empty() && it.key.last().is_some_and(|it| it == "edition") {
                return None;
            }
            let row = policy::protected_key(&it.key, it.value.as_deref())?;
            Some(ProtectedChange {
                path: path.clone(),
                key: Some(it.key.join(".")),
                reason: row.reason.to_owned(),
                by_rules: row.except == Exception::OwnRules,
            })
        })),
        Err(fault) => found.push(ProtectedChange {
            path: path.clone(),
            key: None,
            reason: format!("a manifest that does not parse ({fault})"),
            by_rules: false,
        }),
    }
}

/// The file as what a link with a protected name leads to, or as a file in such a folder.
fn linked(links: &Links<'_>, path: &ProjectPath) -> Option<ProtectedChange> {
    let Some(names) = links.names_of(path) else {
        let reason = "what more links lead to than are looked at".to_owned();
        return Some(ProtectedChange { path: path.clone(), key: None, reason, by_rules: false });
    };
    names.iter().find_map(|link| {
        let is_manifest = link.file_name().eq_ignore_ascii_case("Cargo.toml");
        let row = policy::protected(link).map(|it| it.reason);
        let reason = row.or(is_manifest.then_some("the manifest of a package"))?;
        Some(ProtectedChange {
            path: path.clone(),
            key: None,
            reason: format!("what the link `{link}` leads to: {reason}"),
            by_rules: false,
        })
    })
}

/// The file as a part of a build script, before the change or after it.
fn build_script(states: &[State<'_>; 2], path: &ProjectPath) -> Option<ProtectedChange> {
    let is_rust = path.as_str().to_ascii_lowercase().ends_with(".rs");
    let is_part = states.iter().any(|(files, found)| {
        // A manifest that does not parse is reported for itself, and builds nothing.
        let own = ManifestPackage::of_file(files, path).ok().flatten();
        found.is_in_script(path) || is_rust && own.is_some_and(|it| it.is_build_script(path))
    });
    is_part.then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "part of a build script, which cargo runs during the build".to_owned(),
        by_rules: true,
    })
}

/// The file as one that a configuration of cargo includes, before the change or after it.
fn included(states: &[State<'_>; 2], path: &ProjectPath) -> Option<ProtectedChange> {
    states.iter().any(|(_, found)| found.is_included(path)).then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "included by a configuration of cargo: the compiler, its flags and wrappers"
            .to_owned(),
        by_rules: false,
    })
}

/// The file as a program that a configuration of cargo names, before the change or after it.
fn program(
    states: &[State<'_>; 2],
    links: &Links<'_>,
    path: &ProjectPath,
) -> Option<ProtectedChange> {
    let names = links.names_of(path).unwrap_or_default();
    let is_named = |it: &State<'_>| it.1.is_named(names.iter().chain([path]));
    states.iter().any(is_named).then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "named by a configuration of cargo: a program that a build runs, or what it reads"
            .to_owned(),
        by_rules: false,
    })
}

/// The file as one that a protected file names, before the change or after it.
fn script(
    states: &[State<'_>; 2],
    names: &SortedSet<&ProjectPath>,
    path: &ProjectPath,
) -> Option<ProtectedChange> {
    let by = states.iter().find_map(|(files, _)| named::by(files, names, path))?;
    let row = policy::protected(by)?;
    Some(ProtectedChange {
        path: path.clone(),
        key: None,
        reason: format!("named by `{by}`: {}", row.reason),
        by_rules: false,
    })
}

/// The files of one state of the tree, with those that cargo runs.
type State<'a> = (Followed<'a>, RunByCargo);

/// The files with the overlay on top.
struct Changed<'a> {
    files: &'a dyn Files,
    overlay: &'a Overlay,
}

impl Files for Changed<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        match self.overlay.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => self.files.read(path),
        }
    }
}

#[cfg(test)]
mod tests;
