//! Lock file and manifests of a project as the host reads them: by descriptor, without links, within
//! limits. They decide before a download what it may contact. Start at [`ProjectFiles`].

use std::path::{Component, Path, PathBuf};

use base::{ContentHash, Hasher, SortedMap, SortedSet};
use toml::Table;
use untrusted_fs::{Dir, EntryKind, Fault};

use super::LOCK_BYTES;
use super::config::ReducedConfig;
use super::fault::{FileFault, LockFault, MembersFault};
use crate::CargoEnv;
use crate::outside::{MANIFEST_BYTES, each_dependency, workspace_members};

/// Maximum number of packages whose manifests are read.
const PACKAGES: usize = 2_000;
/// Maximum number of entries of a folder that a pattern for members covers.
const ENTRIES: usize = 10_000;
/// Maximum depth of `**` in a pattern for members.
const DEPTH: usize = 8;

/// Lock file and manifests of a project with changes on top, as the host reads them: the root's
/// manifest, and those that it names, directly or not, as members and path dependencies.
#[derive(Clone, Debug)]
pub struct ProjectFiles {
    /// `Cargo.lock`, if there is one; the error is why it cannot be read.
    pub(super) lock: Result<Option<String>, LockFault>,
    /// The valid manifests with their paths; cargo reports the others.
    pub(super) manifests: Vec<(PathBuf, Table)>,
    /// Why not all manifests could be read.
    pub(super) incomplete: Option<String>,
    hash: ContentHash,
}

impl ProjectFiles {
    /// Reads the files of the project at `root`.
    pub fn of_tree(root: &Path) -> Self {
        Self::with_changes(root, &SortedMap::new())
    }

    /// Reads the files of the project at `root`; `changed` has the texts of changed lock files and
    /// manifests by their path below the root, `None` for a deleted one.
    pub fn with_changes(root: &Path, changed: &SortedMap<PathBuf, Option<String>>) -> Self {
        let reading = Reading { root, dir: Dir::open(root).ok(), changed };
        let lock =
            reading.text(&root.join("Cargo.lock"), LOCK_BYTES).map_err(LockFault::Unreadable);
        let mut hasher = Hasher::new();
        match &lock {
            Ok(Some(lock)) => hasher.field(b"lock").field(lock.as_bytes()),
            Ok(None) => hasher.field(b"no lock"),
            Err(fault) => hasher.field(b"unreadable").field(fault.to_string().as_bytes()),
        };
        let mut files =
            Self { lock, manifests: Vec::new(), incomplete: None, hash: hasher.finish() };
        let mut queue = vec![root.to_owned()];
        // New members may match a pattern.
        queue.extend(
            changed
                .keys()
                .filter(|path| path.ends_with("Cargo.toml"))
                .filter_map(|path| Some(root.join(path.parent()?))),
        );
        let mut seen = SortedSet::new();
        while let Some(dir) = queue.pop() {
            if !seen.insert(dir.clone()) {
                continue;
            }
            if seen.len() > PACKAGES {
                files.incomplete = Some(format!("it has more than {PACKAGES} packages"));
                break;
            }
            let path = dir.join("Cargo.toml");
            let text = match reading.text(&path, MANIFEST_BYTES) {
                Ok(Some(text)) => text,
                Ok(None) => continue,
                Err(reason) => {
                    files.incomplete = Some(format!("`{}`: {reason}", path.display()));
                    continue;
                }
            };
            hasher.field(path.as_os_str().as_encoded_bytes()).field(text.as_bytes());
            let Ok(table) = text.parse::<Table>() else { continue };
            match reading.named(&dir, &table) {
                Ok(named) => queue.extend(named),
                Err(fault) => files.incomplete = Some(fault.to_string()),
            }
            files.manifests.push((path, table));
        }
        files.hash = hasher.finish();
        files
    }

    /// The text of the lock file, if it can be read.
    pub fn lock(&self) -> Option<&str> {
        self.lock.as_ref().ok()?.as_deref()
    }

    /// A key that is the same while the same packages of the same sources are needed.
    pub fn key(&self, env: &CargoEnv, root: &Path) -> ContentHash {
        let config = ReducedConfig::collect(root, &env.host, &env.trust);
        Hasher::new()
            .field(self.hash.as_bytes())
            .field(config.text().as_bytes())
            .field(env.toolchain.sysroot.as_os_str().as_encoded_bytes())
            .finish()
    }
}

struct Reading<'a> {
    root: &'a Path,
    /// The root; `None` if it cannot be opened.
    dir: Option<Dir>,
    changed: &'a SortedMap<PathBuf, Option<String>>,
}

impl Reading<'_> {
    /// The text of a file; the error is why it is refused.
    fn text(&self, path: &Path, limit: u64) -> Result<Option<String>, FileFault> {
        let found = match (path.strip_prefix(self.root), &self.dir) {
            (Ok(below), _) if self.changed.contains_key(below) => {
                return Ok(self.changed.get(below).cloned().flatten());
            }
            (Ok(below), Some(dir)) => dir.read(below, limit).map(|it| it.map(|it| it.bytes)),
            (Ok(_), None) => Ok(None),
            (Err(_), _) => untrusted_fs::read_regular(path, limit),
        };
        match found {
            Ok(None) => Ok(None),
            Ok(Some(bytes)) => String::from_utf8(bytes).map(Some).map_err(|_| FileFault::NotUtf8),
            Err(fault) => Err(fault.into()),
        }
    }

    /// The folders of the packages that a manifest names.
    fn named(&self, dir: &Path, manifest: &Table) -> Result<Vec<PathBuf>, MembersFault> {
        let mut found = Vec::new();
        each_dependency(manifest, &mut |_, dependency| {
            let path = dependency.get("path").and_then(toml::Value::as_str);
            found.extend(path.map(|path| base::normal_path(&dir.join(path))));
        });
        for member in workspace_members(manifest) {
            found.extend(matches(dir, member)?);
        }
        Ok(found)
    }
}

/// The folders that a pattern for members may match, and some more: every folder at its depth.
fn matches(dir: &Path, pattern: &str) -> Result<Vec<PathBuf>, MembersFault> {
    let is_glob = |part: &Component<'_>| {
        part.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[{".contains(byte))
    };
    let parts: Vec<Component<'_>> = Path::new(pattern).components().collect();
    let literal = parts.iter().take_while(|part| !is_glob(part)).count();
    let (fixed, free) = parts.split_at(literal);
    let first = base::normal_path(&dir.join(fixed.iter().collect::<PathBuf>()));
    let is_deep = free.iter().any(|part| part.as_os_str() == "**");
    let depth = if is_deep { free.len() + DEPTH } else { free.len() };
    let mut folders = vec![first];
    let mut level = folders.clone();
    for _ in 0..depth {
        let mut next = Vec::new();
        for folder in level {
            let entries = match Dir::open(&folder).and_then(|it| it.entries(ENTRIES)) {
                Ok(entries) => entries,
                Err(Fault::TooMany { .. }) => {
                    return Err(MembersFault::TooManyEntries(folder));
                }
                Err(_) => continue,
            };
            let is_folder = |kind| matches!(kind, EntryKind::Folder | EntryKind::Link);
            let inner = entries.into_iter().filter(|entry| is_folder(entry.kind));
            next.extend(inner.map(|entry| folder.join(entry.name)));
        }
        folders.extend(next.iter().cloned());
        if folders.len() > ENTRIES {
            return Err(MembersFault::TooManyFolders(pattern.to_owned()));
        }
        level = next;
    }
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The read manifests below the root.
    fn read(root: &Path, changed: &SortedMap<PathBuf, Option<String>>) -> Vec<String> {
        let files = ProjectFiles::with_changes(root, changed);
        assert_eq!(files.incomplete, None);
        let below = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
        let mut found: Vec<_> = files.manifests.iter().map(|(path, _)| below(path)).collect();
        found.sort();
        found
    }

    #[test]
    fn every_manifest_that_cargo_reads_is_found_also_in_hidden_folders_and_in_target() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(
            &root.join("Cargo.toml"),
            "[workspace]\nmembers = [\"crates/*\", \".hidden/a\", \"deep/**/x\"]\n[patch.crates-io]\np = \
             { path = \"target/p\" }\n[target.'cfg(unix)'.dev-dependencies]\nq = { path = \"q\" }",
        );
        for name in ["crates/a", ".hidden/a", "deep/1/2/x", "target/p", "q", "crates/a/not", "no"] {
            write(&root.join(name).join("Cargo.toml"), "[package]\nname = \"x\"");
        }
        let new = [(PathBuf::from("crates/new/Cargo.toml"), Some(String::new()))];
        assert_eq!(
            read(root, &new.into()),
            [
                ".hidden/a/Cargo.toml",
                "Cargo.toml",
                "crates/a/Cargo.toml",
                "crates/new/Cargo.toml",
                "deep/1/2/x/Cargo.toml",
                "q/Cargo.toml",
                "target/p/Cargo.toml"
            ]
        );
    }

    #[test]
    fn a_named_manifest_behind_a_link_is_not_read_and_not_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(&root.join("Cargo.toml"), "[dependencies]\na = { path = \"a\" }");
        write(&root.join("b/Cargo.toml"), "[package]\nname = \"a\"");
        std::os::unix::fs::symlink("b", root.join("a")).unwrap();
        let reason = ProjectFiles::of_tree(root).incomplete.unwrap();
        assert!(reason.contains("a/Cargo.toml`: it is a symbolic link"), "{reason}");
    }

    #[test]
    fn changes_on_top_are_read_instead_of_the_files() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(&root.join("Cargo.toml"), "[dependencies]\n");
        write(&root.join("Cargo.lock"), "version = 4");
        let changed = |name: &str, text: Option<&str>| -> SortedMap<PathBuf, Option<String>> {
            [(PathBuf::from(name), text.map(str::to_owned))].into()
        };
        let tree = ProjectFiles::of_tree(root);
        assert_eq!(tree.lock(), Some("version = 4"));
        let without = ProjectFiles::with_changes(root, &changed("Cargo.lock", None));
        assert_eq!(without.lock(), None);
        let other = ProjectFiles::with_changes(root, &changed("Cargo.toml", Some("[workspace]")));
        assert!(other.manifests.iter().any(|(_, table)| table.contains_key("workspace")));
        assert_ne!(tree.hash, without.hash);
        assert_ne!(tree.hash, other.hash);
        assert_eq!(tree.hash, ProjectFiles::of_tree(root).hash);
    }
}
