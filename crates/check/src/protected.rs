//! The parts of a change that only a person may allow and that its paths do not show: keys of manifests
//! that decide how code is built, build scripts that a manifest names, and files that others run or obey.
//! Computed from the overlay itself when a proof begins, so that no caller can leave it out.

mod agents;
mod build_needs;
mod built;
mod configuration;
mod inert;
pub(crate) mod links;
mod named;
mod reached;
mod run_by_cargo;
mod words;

use std::cell::OnceCell;

use base::{ProjectPath, SortedSet};
use edit::{FileChange, FileState, Files, Overlay, Unreadable};
use policy::{Exception, ProtectedChange, Tree};
use preserve::ManifestPackage;

use build_needs::is_manifest;
use links::{Followed, Links};
use named::Named;
use run_by_cargo::RunByCargo;

/// The parts of an overlay on a tree that are protected, ordered by file and key.
pub(crate) fn changes(files: &dyn Files, tree: &Tree, overlay: &Overlay) -> Vec<ProtectedChange> {
    if overlay.changes().next().is_none() {
        return Vec::new();
    }
    let links = Links::of(tree.links());
    let after = Changed { files, overlay };
    let changed = || overlay.changes().map(|it| it.0);
    let names: SortedSet<&ProjectPath> = tree.files().keys().chain(changed()).collect();
    let sides: [&dyn Files; 2] = [files, &after];
    // cargo builds what git ignores as well.
    let configurations = [".cargo/config.toml", ".cargo/config"].map(ProjectPath::new);
    let mut of_cargo = names.clone();
    of_cargo.extend(tree.ignored().keys().chain(configurations.iter().flatten()));
    let by_cargo = |files| RunByCargo::of(files, &links, &of_cargo, tree.outside());
    let states = sides.map(|files| (Followed { files, links: &links }, by_cargo(files)));
    let named = NamedFiles {
        states: &states,
        of: &|state| Named::of(state, &links, (&names, tree.outside())),
        changes_names: &|before| {
            overlay.changes().any(|(path, change)| {
                let is_refused = || refused(&states, &links, (path, change)).next().is_some();
                let is_other = || inert::not_inert(&names, path).is_some();
                before.reads(path) || is_manifest(path) || is_refused() || is_other()
            })
        },
        before: OnceCell::new(),
        after: OnceCell::new(),
    };
    let mut found = Vec::new();
    for (path, change) in overlay.changes() {
        if is_manifest(path) {
            let from = change.renamed_from.as_ref().and_then(|it| overlay.get(it));
            let before = from.unwrap_or(change).before_text();
            manifest(path, before, change.after_text(), &mut found);
            found.extend(built(&states, &names, path));
        }
        let known = found.len();
        found.extend(linked(&links, path));
        if policy::protected(path).is_none() {
            found.extend(refused(&states, &links, (path, change)));
            if found.len() == known {
                found.extend(named.reason(path).map(|reason| whole_file(path, reason)));
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

/// The file as one that is refused for what it is, before the change or after it: a program, or a part of a build.
fn refused<'a>(
    states: &'a [State<'_>; 2],
    links: &'a Links<'_>,
    (path, change): (&'a ProjectPath, &'a FileChange),
) -> impl Iterator<Item = ProtectedChange> {
    let found = [
        inert::program_text(path, change),
        build_script(states, path),
        included(states, path),
        program(states, links, path),
    ];
    found.into_iter().flatten()
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

/// The manifest as one that makes the build run code of packages that it did not run before.
fn built(
    states: &[State<'_>; 2],
    names: &SortedSet<&ProjectPath>,
    path: &ProjectPath,
) -> Option<ProtectedChange> {
    let [before, after] = states;
    let known = built::with_own_code(&before.0, names, path);
    let now = built::with_own_code(&after.0, names, path);
    // Its own script is reported by the key that names it, or as one that is new.
    let added = now.iter().find(|it| !known.contains(*it) && **it != path.parent())?;
    let folder = added.as_ref().map_or(".", |it| it.as_str());
    let reason = format!(
        "what makes the build run the build script or the procedural macros of `{folder}`, which it did not run \
         before"
    );
    Some(whole_file(path, reason))
}

/// The file as what a link with a protected name leads to, or as a file in such a folder.
fn linked(links: &Links<'_>, path: &ProjectPath) -> Option<ProtectedChange> {
    let Some(names) = links.names_of(path) else {
        let reason = "what more links lead to than are looked at".to_owned();
        return Some(ProtectedChange { path: path.clone(), key: None, reason, by_rules: false });
    };
    names.iter().find_map(|link| {
        let row = policy::protected(link).map(|it| it.reason);
        let reason = row.or(is_manifest(link).then_some("the manifest of a package"))?;
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

fn whole_file(path: &ProjectPath, reason: String) -> ProtectedChange {
    ProtectedChange { path: path.clone(), key: None, reason, by_rules: false }
}

/// The files that others name, before the change and after it; found when the first is looked for.
struct NamedFiles<'a, 'f> {
    states: &'a [State<'f>; 2],
    of: &'a dyn Fn(&State<'f>) -> Named,
    /// Whether the change may alter which files are named.
    changes_names: &'a dyn Fn(&Named) -> bool,
    before: OnceCell<Named>,
    after: OnceCell<Option<Named>>,
}

impl NamedFiles<'_, '_> {
    fn reason(&self, path: &ProjectPath) -> Option<String> {
        let [before, after] = self.states;
        let named = self.before.get_or_init(|| (self.of)(before));
        named.reason(path).or_else(|| {
            let of_after = || (self.changes_names)(named).then(|| (self.of)(after));
            self.after.get_or_init(of_after).as_ref()?.reason(path)
        })
    }
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
