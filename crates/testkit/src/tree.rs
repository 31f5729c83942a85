//! Digests of folder trees, with which tests show that nothing changed, or exactly one file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use base::ContentHash;

/// The state of a tree at one moment: names, kinds, content, modes and, if requested, times.
/// Two equal digests mean that nothing changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeDigest {
    /// The entries by relative path.
    pub entries: BTreeMap<String, TreeEntry>,
}

/// One entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// `file`, `folder`, `link` or `other`.
    pub kind: &'static str,
    /// The permission bits.
    pub mode: u32,
    /// The hash of the content, or of a link's target.
    pub hash: Option<ContentHash>,
    /// The modification time in nanoseconds, in digests with times.
    pub modified_ns: Option<i128>,
}

impl TreeDigest {
    /// Names, kinds, content and modes of everything below `root`; links are not followed.
    ///
    /// # Panics
    /// If something cannot be read.
    pub fn of(root: &Path) -> Self {
        let mut digest = Self::default();
        digest.walk(root, "", false);
        digest
    }

    /// The same with modification times.
    pub fn with_times(root: &Path) -> Self {
        let mut digest = Self::default();
        digest.walk(root, "", true);
        digest
    }

    /// The digest without `path` and everything below it.
    pub fn without(mut self, path: &str) -> Self {
        let below = format!("{path}/");
        self.entries.retain(|name, _| name != path && !name.starts_with(&below));
        self
    }

    /// The part of the digest below `path`.
    pub fn only(mut self, path: &str) -> Self {
        let below = format!("{path}/");
        self.entries.retain(|name, _| name.starts_with(&below));
        self
    }

    /// One line for each difference: `+` added, `-` removed, `~` changed. Empty if equal.
    pub fn differences(&self, after: &TreeDigest) -> String {
        let mut text = String::new();
        for (name, entry) in &self.entries {
            match after.entries.get(name) {
                None => _ = writeln!(text, "- {name}"),
                Some(other) if other != entry => {
                    _ = writeln!(text, "~ {name}: {entry:?} became {other:?}");
                }
                Some(_) => {}
            }
        }
        for name in after.entries.keys().filter(|name| !self.entries.contains_key(*name)) {
            _ = writeln!(text, "+ {name}");
        }
        text
    }

    /// Panics with the differences unless the two are equal.
    #[track_caller]
    pub fn assert_same(&self, after: &TreeDigest) {
        let differences = self.differences(after);
        assert!(differences.is_empty(), "the tree was touched:\n{differences}");
    }

    fn walk(&mut self, folder: &Path, prefix: &str, times: bool) {
        let entries = fs::read_dir(folder).unwrap_or_else(|err| panic!("{folder:?}: {err}"));
        for entry in entries {
            let path = entry.expect("folder entry").path();
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let name = format!("{prefix}{name}");
            let meta = path.symlink_metadata().unwrap_or_else(|err| panic!("{name}: {err}"));
            let (kind, hash) = if meta.is_symlink() {
                let target = fs::read_link(&path).expect("link");
                ("link", Some(ContentHash::of(target.as_os_str().as_bytes())))
            } else if meta.is_file() {
                let bytes = fs::read(&path).unwrap_or_else(|err| panic!("{name}: {err}"));
                ("file", Some(ContentHash::of(&bytes)))
            } else if meta.is_dir() {
                self.walk(&path, &format!("{name}/"), times);
                ("folder", None)
            } else {
                ("other", None)
            };
            let modified_ns = times
                .then(|| i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()));
            let mode = meta.mode() & 0o7777;
            self.entries.insert(name, TreeEntry { kind, mode, hash, modified_ns });
        }
    }
}

/// The Rust files below a folder, sorted, without those of builds and of git; links are followed.
///
/// # Panics
/// If a folder cannot be read.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).expect("a folder that can be read");
        for entry in entries {
            let path = entry.expect("an entry that can be read").path();
            if path.is_dir() {
                folders.extend(
                    Some(path).filter(|it| !it.ends_with("target") && !it.ends_with(".git")),
                );
            } else if path.extension().is_some_and(|it| it == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use crate::project;

    #[test]
    fn a_digest_sees_bytes_names_and_modes() {
        let project = project("//- /a\nx\n//- /b/c\ny\n");
        let before = project.digest();
        before.assert_same(&project.digest());
        project.write("a", "z\n");
        project.remove("b/c");
        project.write("d", "");
        let after = project.digest();
        let seen: Vec<String> = before
            .differences(&after)
            .lines()
            .map(|line| line.split(':').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(seen, ["~ a", "- b/c", "+ d"]);
        before.without("a").only("b").differences(&after.only("b")).lines().for_each(|line| {
            assert_eq!(line, "- b/c");
        });
    }
}
