//! The local packages that a build script depends on: their sources run during the build, too.

use base::{ProjectPath, SortedSet};
use edit::Files;
use preserve::{TomlData, TomlText, normal};

/// The folder of a package; `None`: the root of the project.
pub(super) type PackageFolder = Option<ProjectPath>;

/// Tables of a manifest with what its build script needs.
const OF_SCRIPT: &[&str] = &["build-dependencies"];
/// Those with what its library needs.
const OF_LIBRARY: &[&str] = &["build-dependencies", "dependencies"];
/// Those with what its tests need, too.
pub(super) const OF_TESTS: &[&str] = &["build-dependencies", "dependencies", "dev-dependencies"];

/// Whether a file is a manifest, also where case does not count.
pub(super) fn is_manifest(path: &ProjectPath) -> bool {
    path.file_name().eq_ignore_ascii_case("Cargo.toml")
}

/// The manifests among some files.
pub(super) fn manifests<'n>(
    names: &SortedSet<&'n ProjectPath>,
) -> impl Iterator<Item = &'n ProjectPath> {
    names.iter().copied().filter(|it| is_manifest(it))
}

/// The folders of the packages that the build script of a manifest depends on, directly or not.
pub(super) fn folders(
    files: &dyn Files,
    names: &SortedSet<&ProjectPath>,
    manifest: &ProjectPath,
) -> SortedSet<PackageFolder> {
    let mut found = SortedSet::new();
    let mut queue = vec![(manifest.clone(), OF_SCRIPT)];
    while let Some((manifest, tables)) = queue.pop() {
        let Some(state) = files.read(&manifest).ok().flatten() else { continue };
        for folder in needed(files, names, (&manifest, &state.text), tables) {
            let inner = in_folder(&folder, "Cargo.toml");
            // The package itself holds its own script.
            if inner.as_ref().is_some_and(|it| *it != manifest) && found.insert(folder) {
                queue.extend(inner.map(|it| (it, OF_LIBRARY)));
            }
        }
    }
    found
}

/// The roots of the code that a package in this folder is for others: its library.
pub(super) fn roots(files: &dyn Files, folder: &PackageFolder) -> Vec<ProjectPath> {
    let manifest = in_folder(folder, "Cargo.toml").and_then(|it| files.read(&it).ok().flatten());
    let keys = manifest.map(|it| TomlText::of_broken(&it.text));
    let named = keys.as_ref().and_then(|it| it.text(&["lib", "path"]));
    [Some("src/lib.rs"), named]
        .into_iter()
        .flatten()
        .filter_map(|it| in_folder(folder, it))
        .collect()
}

/// The folders of the local packages that a manifest names in tables with these names.
pub(super) fn needed(
    files: &dyn Files,
    names: &SortedSet<&ProjectPath>,
    (manifest, text): (&ProjectPath, &str),
    tables: &[&str],
) -> Vec<PackageFolder> {
    let keys = TomlText::of_broken(text);
    let mut found = Vec::new();
    for (key, value) in keys.iter() {
        let parts = key.parts();
        let [.., table, name, last] = parts else { continue };
        let table = table.replace('_', "-");
        if !tables.contains(&table.as_str()) || parts.first().is_some_and(|it| it == "workspace") {
            continue;
        }
        match (last.as_str(), &value.data) {
            ("path", TomlData::Text(path)) => found.extend(below(manifest, path)),
            ("workspace", _) => found.extend(inherited(files, names, name)),
            _ => {}
        }
    }
    found
}

/// The folders that the manifests of workspaces give a dependency of this name.
fn inherited(files: &dyn Files, names: &SortedSet<&ProjectPath>, name: &str) -> Vec<PackageFolder> {
    let folder = |manifest: &&ProjectPath| {
        let text = files.read(manifest).ok().flatten()?.text;
        if !text.contains("workspace") {
            return None;
        }
        let keys = TomlText::of_broken(&text);
        below(manifest, keys.text(&["workspace", "dependencies", name, "path"])?)
    };
    manifests(names).filter_map(|it| folder(&it)).collect()
}

fn below(manifest: &ProjectPath, path: &str) -> Option<PackageFolder> {
    let inner = in_folder(&manifest.parent(), &format!("{path}/Cargo.toml"))?;
    Some(inner.parent())
}

pub(super) fn in_folder(folder: &PackageFolder, path: &str) -> Option<ProjectPath> {
    match folder {
        Some(folder) => normal(&format!("{folder}/{path}")),
        None => normal(path),
    }
}
