//! Finds the folders outside a project that its manifests name as path dependencies, and divides
//! them into trusted and others. Reads manifests only, and runs nothing. Start at
//! [`outside_paths`].

use std::fs;
use std::path::{Path, PathBuf};

use crate::configured::ConfiguredFolders;
use crate::{CargoError, Trust};
use base::SortedMap;

/// Maximum size of a manifest, a configuration file or a toolchain file, in bytes.
pub(crate) const MANIFEST_BYTES: u64 = 4 << 20;
/// Maximum number of packages that are followed.
const PACKAGES: usize = 1_000;

/// A folder outside a project that one of its manifests names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutsideFolder {
    /// Folder, absolute, without `.` and `..`.
    pub folder: PathBuf,
    /// File that names it: a `Cargo.toml` or a toolchain file.
    pub named_by: PathBuf,
}

/// The folders outside a project that its manifests name as path dependencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutsideFolders {
    /// Trusted folders, sorted. A view must have them, or cargo cannot read the project; it has the
    /// whole folder, read-only or copy-on-write.
    pub shown: Vec<PathBuf>,
    /// The other folders, sorted, which no view has.
    pub left_out: Vec<OutsideFolder>,
}

impl OutsideFolders {
    /// The folders that a view needs, if the user trusts all of them.
    ///
    /// # Errors
    /// [`CargoError::Untrusted`] names each folder that the user has not allowed.
    pub fn complete(self) -> Result<Vec<PathBuf>, CargoError> {
        match self.left_out.is_empty() {
            true => Ok(self.shown),
            false => Err(CargoError::Untrusted { folders: self.left_out }),
        }
    }
}

/// The folders outside `root` that the project's manifests name as path dependencies, and those
/// that they name in turn. Leaves out folders without a `Cargo.toml` and those above `root`. Only
/// reads manifests (regular files of at most 4 MiB, no links) and runs nothing; skips a manifest
/// that cannot be read, since cargo will report it.
pub fn outside_paths(root: &Path, trust: &Trust) -> OutsideFolders {
    outside_paths_of(root, members(root), trust)
}

/// As [`outside_paths`], for a caller that has listed the project's folders with a manifest.
pub fn outside_paths_of(root: &Path, packages: Vec<PathBuf>, trust: &Trust) -> OutsideFolders {
    let mut found = SortedMap::new();
    let mut seen = base::SortedSet::new();
    let mut queue = vec![root.to_owned()];
    queue.extend(packages);
    while let Some(dir) = queue.pop() {
        if seen.len() >= PACKAGES || !seen.insert(dir.clone()) {
            continue;
        }
        let Some(manifest) = read_manifest(&dir) else { continue };
        let mut paths = Vec::new();
        dependency_paths(&manifest, &mut paths);
        for target in existing(&dir, paths) {
            if !target.starts_with(root) && !root.starts_with(&target) {
                found.entry(target.clone()).or_insert_with(|| dir.join("Cargo.toml"));
            }
            queue.push(target);
        }
    }
    let mut outside = OutsideFolders::default();
    for (folder, named_by) in found {
        if trust.covers(&folder) {
            outside.shown.push(folder);
        } else {
            outside.left_out.push(OutsideFolder { folder, named_by });
        }
    }
    outside
}

/// The folders in `[patch]` and `[replace]` of the root's manifest and those of cargo's configuration, which no
/// package names by path.
pub(crate) fn patches(root: &Path) -> Vec<PathBuf> {
    let mut found = existing(root, patched_paths(&read_manifest(root).unwrap_or_default()));
    let configured = ConfiguredFolders::of(root).unwrap_or_default().packages;
    found.extend(configured.into_iter().filter(|it| it.join("Cargo.toml").is_file()));
    found
}

/// The paths in `[patch]` and `[replace]` of a manifest.
pub(crate) fn patched_paths(manifest: &toml::Table) -> Vec<String> {
    let mut paths = Vec::new();
    for key in ["patch", "replace"] {
        if let Some(inner) = manifest.get(key) {
            let alone = toml::Table::from_iter([(key.to_owned(), inner.clone())]);
            dependency_paths(&alone, &mut paths);
        }
    }
    paths
}

fn existing(dir: &Path, paths: Vec<String>) -> Vec<PathBuf> {
    let targets = paths.into_iter().map(|path| base::normal_path(&dir.join(path)));
    targets.filter(|target| target.join("Cargo.toml").is_file()).collect()
}

/// Every folder below `root` with a manifest, except in hidden folders and build outputs.
fn members(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut queue = vec![(root.to_owned(), 0)];
    while let Some((dir, depth)) = queue.pop() {
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let skipped = name == "target" || name.to_string_lossy().starts_with('.');
            if is_dir && !skipped && depth < 8 && found.len() < PACKAGES {
                queue.push((entry.path(), depth + 1));
            } else if name == "Cargo.toml" {
                found.push(dir.clone());
            }
        }
    }
    found
}

pub(crate) fn read_manifest(dir: &Path) -> Option<toml::Table> {
    let bytes = untrusted_fs::read_regular(&dir.join("Cargo.toml"), MANIFEST_BYTES).ok()??;
    std::str::from_utf8(&bytes).ok()?.parse().ok()
}

/// The `path` of every dependency, and the members outside of the root.
fn dependency_paths(table: &toml::Table, paths: &mut Vec<String>) {
    each_dependency(table, &mut |_, dependency| paths.extend(path_of(dependency)));
    // A member may be outside of the root; globs there are left to cargo.
    let outside = workspace_members(table).filter(|path| path.starts_with(".."));
    paths.extend(outside.map(str::to_owned));
}

/// The `members` of a manifest's workspace.
pub(crate) fn workspace_members(manifest: &toml::Table) -> impl Iterator<Item = &str> {
    let members = manifest.get("workspace").and_then(|it| it.get("members")?.as_array());
    members.into_iter().flatten().filter_map(toml::Value::as_str)
}

/// Calls `on` with name and value of every dependency: plain, dev, build, per target, workspace,
/// patch, replace.
pub(crate) fn each_dependency<'t>(
    table: &'t toml::Table,
    on: &mut dyn FnMut(&'t str, &'t toml::Value),
) {
    for (key, value) in table {
        let Some(inner) = value.as_table() else { continue };
        match key.as_str() {
            "dependencies" | "dev-dependencies" | "build-dependencies" | "replace"
            | "dev_dependencies" | "build_dependencies" => {
                inner.iter().for_each(|(name, dependency)| on(name, dependency));
            }
            "patch" => {
                for source in inner.values().filter_map(toml::Value::as_table) {
                    source.iter().for_each(|(name, dependency)| on(name, dependency));
                }
            }
            "target" => {
                for target in inner.values().filter_map(toml::Value::as_table) {
                    each_dependency(target, on);
                }
            }
            "workspace" => each_dependency(inner, on),
            _ => {}
        }
    }
}

fn path_of(dependency: &toml::Value) -> Option<String> {
    dependency.as_table()?.get("path")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn path_dependencies_outside_are_followed_and_those_inside_are_not_listed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("ws");
        let at = |name: &str| dir.path().join(name).display().to_string();
        write(
            &root.join("Cargo.toml"),
            "[workspace]\nmembers = [\"a\"]\n[workspace.dependencies]\nw = { path = \"../w\" }",
        );
        write(
            &root.join("a/Cargo.toml"),
            "[package]\nname = \"a\"\n[target.'cfg(unix)'.dependencies]\nx = { path = \"../../x\" }\nin = { path = \"../b\" }\n[dependencies.gone]\npath = \"/nowhere/at/all\"",
        );
        write(&root.join("b/Cargo.toml"), "[package]\nname = \"in\"");
        write(
            &dir.path().join("x/Cargo.toml"),
            "[package]\nname = \"x\"\n[dev-dependencies]\ny = { path = \"../y/./z/..\" }",
        );
        write(&dir.path().join("y/Cargo.toml"), "broken [");
        write(&dir.path().join("w/Cargo.toml"), "[package]\nname = \"w\"");
        let names = ["w", "x", "y"].map(|name| dir.path().join(name));
        let trust = Trust::new([dir.path()]);
        assert_eq!(outside_paths(&root, &trust).complete().unwrap(), names);
        let found = outside_paths(&root, &Trust::new([dir.path().join("x")]));
        assert_eq!(found.shown, [dir.path().join("x")]);
        let refused = found.complete().unwrap_err();
        let named = |name: &str, by: &str| format!("`{}` (named by `{}`)", at(name), at(by));
        assert_eq!(
            refused.to_string(),
            format!(
                "the project reads folders outside of it that are not trusted: {}, {}",
                named("w", "ws/Cargo.toml"),
                named("y", "x/Cargo.toml")
            )
        );
        assert_eq!(
            base::Hint::hint(&refused).unwrap(),
            format!(
                "check what they contain, then allow each once with \
                 `--trust-path {} --trust-path {}`; builds can read all of a trusted folder",
                at("w"),
                at("y")
            )
        );
    }

    #[test]
    fn a_folder_that_holds_the_project_is_never_shown() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("ws");
        write(&root.join("Cargo.toml"), "[dependencies]\nup = { path = \"..\" }");
        write(&dir.path().join("Cargo.toml"), "[package]\nname = \"up\"");
        assert_eq!(outside_paths(&root, &Trust::new([dir.path()])), OutsideFolders::default());
    }
}
