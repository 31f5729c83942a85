//! Keeps a workspace beyond a command: what decides about it besides the manifests, configuration and names of
//! sources in its tree. Start at [`workspace_surroundings`].

use std::path::Path;

use base::{ContentHash, Hasher};
use untrusted_fs::{Dir, EntryKind};

use crate::CargoWorkspace;
use crate::configured::ConfiguredFolders;
use crate::outside::{self, MANIFEST_BYTES, read_manifest};

/// Maximum number of entries of a folder in which cargo looks for members.
const MOST_MEMBERS: usize = 10_000;

/// A hash of the manifests above `root`: cargo searches one that has the project as a member. One that cannot be read
/// counts as such.
pub fn manifests_above(root: &Path) -> ContentHash {
    let mut hasher = Hasher::new();
    for folder in root.ancestors().skip(1) {
        match untrusted_fs::read_regular(&folder.join("Cargo.toml"), MANIFEST_BYTES) {
            Ok(manifest) => add(&mut hasher, manifest.as_deref()),
            Err(fault) => _ = hasher.field(b"unread").field(fault.to_string().as_bytes()),
        }
    }
    hasher.finish()
}

/// A hash of the manifests above `root`, and of the folders in which cargo looks for members. `None` where more decides:
/// patterns of another form than `folder/*`, replaced packages, links, what cannot be read below `root`.
pub fn workspace_surroundings(root: &Path) -> Option<ContentHash> {
    let mut hasher = Hasher::new();
    hasher.field(manifests_above(root).as_bytes());
    let manifest = read_manifest(root)?;
    if replaces_packages(root, &manifest)? {
        return None;
    }
    for pattern in outside::workspace_members(&manifest) {
        match pattern.strip_suffix("/*") {
            Some(folder) if !has_wildcard(folder) => add_members(&mut hasher, root, folder)?,
            None if !has_wildcard(pattern) => {}
            _ => return None,
        }
    }
    Some(hasher.finish())
}

/// Whether packages of others may be replaced by local ones in a build of `root`: by `[patch]`, `[replace]` or `paths`
/// of cargo's configuration, or where that cannot be read.
pub fn has_replaced_packages(root: &Path) -> bool {
    read_manifest(root).and_then(|it| replaces_packages(root, &it)).unwrap_or(true)
}

fn replaces_packages(root: &Path, manifest: &toml::Table) -> Option<bool> {
    let is_patched = !outside::patched_paths(manifest).is_empty();
    Some(is_patched || !ConfiguredFolders::of(root)?.packages.is_empty())
}

fn has_wildcard(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// Adds the entries of a folder with their manifests, whether git knows them or not.
fn add_members(hasher: &mut Hasher, root: &Path, folder: &str) -> Option<()> {
    let Some(folder) = Dir::open(root).ok()?.open_dir(folder).ok()? else { return Some(()) };
    let entries = folder.entries(MOST_MEMBERS).ok()?;
    for entry in &entries {
        let manifest = match entry.kind {
            EntryKind::Folder => {
                let inner = folder.open_dir(&entry.name).ok()??;
                inner.read("Cargo.toml", MANIFEST_BYTES).ok()?.map(|it| it.bytes)
            }
            EntryKind::File => continue,
            _ => return None,
        };
        hasher.field(entry.name.as_encoded_bytes());
        add(hasher, manifest.as_deref());
    }
    Some(())
}

fn add(hasher: &mut Hasher, manifest: Option<&[u8]>) {
    hasher.field(&[u8::from(manifest.is_some())]).field(manifest.unwrap_or_default());
}

impl CargoWorkspace {
    /// Whether cargo read nothing but manifests of members below `root`, which has the workspace's, and each of
    /// these is one of the tree; `has` takes its folder.
    pub fn is_of_tree(&self, root: &Path, has: impl Fn(&Path) -> bool) -> bool {
        let is_member = |dir: &Path| self.packages.iter().any(|it| it.member && it.dir == dir);
        let dependencies = self.manifests.iter().flat_map(|it| &it.dependencies);
        let mut paths = dependencies.filter_map(|it| it.path.as_deref());
        self.root == root
            && self.outside.is_empty()
            && self.packages.iter().all(|it| it.member && it.dir.starts_with(root) && has(&it.dir))
            && paths.all(is_member)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::Package;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn manifests_above_and_folders_of_members_decide() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("p");
        write(&root.join("Cargo.toml"), "[workspace]\nmembers = [\"a\", \"crates/*\"]\n");
        let hash = || workspace_surroundings(&root);
        let mut last = hash();
        assert!(last.is_some());
        write(&root.join("crates/notes.md"), "");
        assert_eq!(hash(), last);
        for (path, text) in [
            ("../Cargo.toml", "[workspace]\nmembers = [\"p\"]\n"),
            ("crates/x/src/lib.rs", ""),
            ("crates/x/Cargo.toml", "[package]\nname = \"x\"\n"),
            ("crates/x/Cargo.toml", "[package]\nname = \"y\"\n"),
            ("crates/y/Cargo.toml", "[package]\nname = \"x\"\n"),
        ] {
            write(&root.join(path), text);
            let now = hash();
            assert!(now.is_some() && now != last, "{path}: {text}");
            last = now;
        }
        write(&root.join("src/lib.rs"), "");
        write(&root.join("a/Cargo.toml"), "[package]\nname = \"a\"\n");
        assert_eq!(hash(), last);
    }

    #[test]
    fn what_else_decides_leaves_it_unknown() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("p");
        for manifest in [
            "[workspace]\nmembers = [\"crates/*/x\"]\n",
            "[workspace]\nmembers = [\"crates/a?\"]\n",
            "[workspace]\n[patch.crates-io]\nx = { path = \"x\" }\n",
            "[package]\nname = \"p\"\n[replace]\n\"x:1.0.0\" = { path = \"gone\" }\n",
            "broken [",
        ] {
            write(&root.join("Cargo.toml"), manifest);
            assert_eq!(workspace_surroundings(&root), None, "{manifest}");
        }
        write(&root.join("Cargo.toml"), "[workspace]\nmembers = [\"crates/*\"]\n");
        assert!(workspace_surroundings(&root).is_some());
        write(&root.join(".cargo/config.toml"), "paths = [\"x\"]\n");
        assert_eq!(workspace_surroundings(&root), None);
        write(&root.join(".cargo/config.toml"), "");
        fs::create_dir(root.join("crates")).unwrap();
        std::os::unix::fs::symlink("/", root.join("crates/x")).unwrap();
        assert_eq!(workspace_surroundings(&root), None);
    }

    #[test]
    fn packages_of_the_tree_alone_are_kept() {
        let package = |dir: &str, member| Package { dir: dir.into(), member, ..Package::default() };
        let dependency = |path: &str| crate::Manifest {
            dependencies: vec![crate::ManifestDependency {
                path: Some(path.into()),
                ..crate::ManifestDependency::default()
            }],
            ..crate::Manifest::default()
        };
        let whole = CargoWorkspace {
            root: "/p".into(),
            packages: vec![package("/p", true), package("/p/a", true)],
            outside: Vec::new(),
            manifests: vec![dependency("/p/a")],
        };
        let is_kept = |it: &CargoWorkspace| {
            it.is_of_tree(Path::new("/p"), |dir| dir != Path::new("/p/unknown"))
        };
        assert!(is_kept(&whole));
        let with = |change: &dyn Fn(&mut CargoWorkspace)| {
            let mut other = whole.clone();
            change(&mut other);
            is_kept(&other)
        };
        assert!(!with(&|it| it.root = "/".into()));
        assert!(!with(&|it| it.outside.push("/x".into())));
        assert!(!with(&|it| it.packages.push(package("/p/b", false))));
        assert!(!with(&|it| it.packages.push(package("/x", true))));
        assert!(!with(&|it| it.packages.push(package("/p/unknown", true))));
        assert!(!with(&|it| it.manifests.push(dependency("/p/gone"))));
    }
}
