//! Sources of packages in the user's registry. They are untrusted: read by descriptor, with limits.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use beneath::{Dir, EntryKind};
use cargo::{Resolved, ResolvedPackage};
use change::{CrateSource, Release};

use super::is_in;

/// Most crates of one release: the package, and those that it re-exports.
const MAX_CRATES: usize = 6;
/// Most files of one crate.
const MAX_FILES: usize = 4_000;
/// Most entries of one folder.
const MAX_ENTRIES: usize = 4_000;
/// Most folders below each other.
const MAX_DEPTH: usize = 16;
/// Largest source file, in bytes.
const FILE_BYTES: u64 = 2 << 20;
/// Largest crate, in bytes.
const CRATE_BYTES: usize = 32 << 20;
/// Largest change log, in bytes.
const LOG_BYTES: u64 = 2 << 20;

/// One version with the crates that it re-exports; `None` if it has no library in the registry.
pub(super) fn release(
    registry: &Path,
    resolved: &Resolved,
    package: &ResolvedPackage,
) -> Option<Release> {
    let (name, _) = package.library.as_ref()?;
    let mut found = Release {
        version: package.version.clone(),
        name: name.clone(),
        crates: BTreeMap::new(),
        features: package.features.clone(),
        enabled: package.enabled.clone(),
        changelog: String::new(),
    };
    let mut queue = vec![(name.clone(), package)];
    while let Some((name, package)) = queue.pop() {
        if found.crates.len() >= MAX_CRATES || found.crates.contains_key(&name) {
            continue;
        }
        let Some(source) = source(registry, package) else { continue };
        for (dependency, idx) in &package.dependencies {
            let is_shown = source.files.values().any(|text| re_exports(text, dependency));
            if let Some(package) = resolved.packages.get(*idx).filter(|_| is_shown) {
                queue.push((dependency.clone(), package));
            }
        }
        found.changelog.push_str(&changelog(registry, package));
        found.crates.insert(name, source);
    }
    found.crates.contains_key(&found.name).then_some(found)
}

/// Whether a text re-exports something of a crate.
fn re_exports(text: &str, name: &str) -> bool {
    text.contains(&format!("pub use {name}"))
        || text.contains(&format!("pub use ::{name}"))
        || text.contains(&format!("pub extern crate {name}"))
}

/// Whether a package re-exports one of these crates.
pub(super) fn re_exports_one(registry: &Path, package: &ResolvedPackage, names: &[&str]) -> bool {
    source(registry, package).is_some_and(|source| {
        source.files.values().any(|text| names.iter().any(|name| re_exports(text, name)))
    })
}

fn source(registry: &Path, package: &ResolvedPackage) -> Option<CrateSource> {
    let (_, root) = package.library.as_ref()?;
    let root = root.strip_prefix(&package.dir).ok()?.to_str()?.to_owned();
    if !is_in(registry, &package.dir) {
        return None;
    }
    let mut found = CrateSource { root, files: BTreeMap::new() };
    let mut left = CRATE_BYTES;
    read_folder(&Dir::open(&package.dir).ok()?, "", 0, &mut left, &mut found);
    found.files.contains_key(&found.root).then_some(found)
}

fn read_folder(dir: &Dir, path: &str, depth: usize, left: &mut usize, found: &mut CrateSource) {
    const OTHERS: [&str; 5] = ["tests", "benches", "examples", "target", "fuzz"];
    let Ok(entries) = dir.entries(MAX_ENTRIES) else { return };
    for entry in entries {
        let Some(name) = entry.name.to_str() else { continue };
        let below = match path {
            "" => name.to_owned(),
            _ => format!("{path}/{name}"),
        };
        match entry.kind {
            EntryKind::Folder if depth < MAX_DEPTH && !(depth == 0 && OTHERS.contains(&name)) => {
                if let Ok(Some(inner)) = dir.open_dir(name) {
                    read_folder(&inner, &below, depth + 1, left, found);
                }
            }
            EntryKind::File if name.ends_with(".rs") && found.files.len() < MAX_FILES => {
                let Ok(Some(file)) = dir.read(name, FILE_BYTES) else { continue };
                let Ok(text) = String::from_utf8(file.bytes) else { continue };
                let Some(rest) = left.checked_sub(text.len()) else { return };
                *left = rest;
                found.files.insert(below, text.into());
            }
            _ => {}
        }
    }
}

/// The change logs and guides of a package.
fn changelog(registry: &Path, package: &ResolvedPackage) -> String {
    const NAMES: [&str; 7] =
        ["changelog", "changes", "history", "releases", "news", "upgrading", "migrat"];
    if !is_in(registry, &package.dir) {
        return String::new();
    }
    let Ok(dir) = Dir::open(&package.dir) else { return String::new() };
    let entries = dir.entries(MAX_ENTRIES).unwrap_or_default();
    let names: BTreeSet<_> = entries.into_iter().filter(|it| it.kind == EntryKind::File).collect();
    let mut found = String::new();
    for name in names.iter().filter_map(|it| it.name.to_str()) {
        let lower = name.to_lowercase();
        let is_text = [".md", ".txt", ".rst", ".org"].iter().any(|it| lower.ends_with(it))
            || !lower.contains('.');
        if is_text
            && NAMES.iter().any(|it| lower.starts_with(it))
            && let Ok(Some(file)) = dir.read(name, LOG_BYTES)
        {
            found.push_str(&String::from_utf8_lossy(&file.bytes));
            found.push_str("\n\n");
        }
    }
    found
}
