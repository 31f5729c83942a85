//! Sources of packages in the user's registry. They are untrusted: read by descriptor, with limits.

use std::path::Path;
use std::sync::Arc;

use base::{SortedMap, SortedSet};
use build::{Resolved, ResolvedPackage};
use change::{CrateSource, Release};
use untrusted_fs::{Dir, EntryKind};

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
/// Folders that are not of the library: those whose code uses it, and the others.
const OTHERS: [&str; 5] = ["tests", "examples", "benches", "target", "fuzz"];
/// The number of the first of [`OTHERS`] that use the library.
const USERS: usize = 3;

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
        crates: SortedMap::new(),
        features: package.features.clone(),
        enabled: package.enabled.clone(),
        changelog: String::new(),
        uses: SortedMap::new(),
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
    found.uses = uses(registry, package);
    found.crates.contains_key(&found.name).then_some(found)
}

/// Whether a text re-exports something of a crate.
fn re_exports(text: &str, name: &str) -> bool {
    text.contains(&format!("pub use {name}"))
        || text.contains(&format!("pub use ::{name}"))
        || text.contains(&format!("pub extern crate {name}"))
}

/// Whether a package shows one of these crates to its users: re-exports it, or has an `impl` of a
/// trait or for a type of it.
pub(super) fn shows_one(registry: &Path, package: &ResolvedPackage, names: &[&str]) -> bool {
    source(registry, package).is_some_and(|source| {
        let shows =
            |text: &str| names.iter().any(|it| re_exports(text, it) || implements(text, it));
        source.files.values().any(|text| shows(text))
    })
}

/// Whether a package, or one that it re-exports, defines a function, macro or type of one of these names.
pub(super) fn defines_one(release: &Release, names: &SortedSet<String>) -> bool {
    const KINDS: [&str; 6] = ["fn", "struct", "enum", "type", "union", "macro_rules!"];
    let is_definition = |text: &str, at: usize| {
        let head = text.get(..at).unwrap_or("").trim_end();
        KINDS.iter().any(|it| head.ends_with(it))
    };
    let defines =
        |text: &str, name: &str| base::word_places(text, name).any(|at| is_definition(text, at));
    let mut files = release.crates.values().flat_map(|it| it.files.values());
    files.any(|text| names.iter().any(|it| defines(text, it)))
}

/// Whether a text has an `impl` for a type or of a trait of a crate.
fn implements(text: &str, name: &str) -> bool {
    let path = format!("{name}::");
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let imports = text.split("\nuse ").skip(1).filter_map(|it| {
        let end = it.find(';')?;
        it[..end].trim_start_matches("::").strip_prefix(&path)
    });
    let words = imports.flat_map(|it| it.split(|it: char| !is_word(it)));
    let names: SortedSet<&str> = words.filter(|it| it.starts_with(char::is_uppercase)).collect();
    text.lines().filter(|it| it.starts_with("impl")).any(|line| {
        line.contains(&path) || line.split(|it: char| !is_word(it)).any(|it| names.contains(it))
    })
}

fn source(registry: &Path, package: &ResolvedPackage) -> Option<CrateSource> {
    let (_, root) = package.library.as_ref()?;
    let root = root.strip_prefix(&package.dir).ok()?.to_str()?.to_owned();
    if !is_in(registry, &package.dir) {
        return None;
    }
    let mut found = CrateSource { root, files: SortedMap::new() };
    let mut left = CRATE_BYTES;
    read_folder(&Dir::open(&package.dir).ok()?, "", 0, &mut left, &mut found);
    found.files.contains_key(&found.root).then_some(found)
}

/// The texts of a package beside its library that use it.
fn uses(registry: &Path, package: &ResolvedPackage) -> SortedMap<String, Arc<str>> {
    let mut found = CrateSource::default();
    let Some(dir) = is_in(registry, &package.dir).then(|| Dir::open(&package.dir)) else {
        return found.files;
    };
    let Ok(dir) = dir else { return found.files };
    let mut left = CRATE_BYTES;
    for name in &OTHERS[..USERS] {
        if let Ok(Some(inner)) = dir.open_dir(name) {
            read_folder(&inner, name, 1, &mut left, &mut found);
        }
    }
    for entry in dir.entries(MAX_ENTRIES).unwrap_or_default() {
        let Some(name) = entry.name.to_str().filter(|it| it.ends_with(".md")) else { continue };
        if entry.kind == EntryKind::File
            && let Ok(Some(file)) = dir.read(name, LOG_BYTES)
        {
            found.files.insert(name.to_owned(), String::from_utf8_lossy(&file.bytes).into());
        }
    }
    found.files
}

fn read_folder(dir: &Dir, path: &str, depth: usize, left: &mut usize, found: &mut CrateSource) {
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
    let names: SortedSet<_> = entries.into_iter().filter(|it| it.kind == EntryKind::File).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impl_with_an_imported_or_a_full_name_shows_the_crate() {
        let is_shown = |text: &str| implements(text, "left");
        assert!(is_shown(
            "//! A.\nuse left::style::{Color, Style};\nimpl From<Color> for Mine {}\n"
        ));
        assert!(is_shown("impl left::Read for Mine {}\n"));
        assert!(!is_shown("\nuse left::Color;\nimpl Mine {\n    fn f(it: Color) {}\n}\n"));
        assert!(!is_shown("\nuse right::Color;\nimpl From<Color> for Mine {}\n"));
    }
}
