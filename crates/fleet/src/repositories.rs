//! [`repositories`]: the list of a fleet.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use base::{SortedMap, SortedSet};
use untrusted_fs::{Dir, EntryKind, read_regular};

use crate::FleetError;

/// Most repositories of a fleet.
const MOST: usize = 100_000;

/// Most bytes of a list.
const MOST_BYTES: u64 = 64 << 20;

/// A repository of a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// Its name, unique in the fleet: the end of its path that no other one has.
    pub name: String,
    /// Its root, as a canonical path.
    pub root: PathBuf,
}

/// Reads the repositories in a folder – each folder with a manifest directly in it – or those that a text file names,
/// one path in a line, relative to the file; lines that begin with `#` are comments. Sorted by name, each once.
///
/// # Errors
/// [`FleetError`]: the path cannot be read, or names no project.
pub fn repositories(path: &Path) -> Result<Vec<Repository>, FleetError> {
    let unreadable = |cause: &dyn std::fmt::Display| FleetError::Unreadable {
        path: path.display().to_string(),
        cause: cause.to_string(),
    };
    let path = path.canonicalize().map_err(|error| unreadable(&error))?;
    let roots = match read_regular(&path, MOST_BYTES) {
        Ok(Some(text)) => listed(&path, &String::from_utf8_lossy(&text))?,
        Ok(None) => return Err(unreadable(&"it is no text file and no folder")),
        Err(_) => in_folder(&path).map_err(|fault| unreadable(&fault))?,
    };
    if roots.is_empty() {
        return Err(FleetError::Empty(path.display().to_string()));
    }
    Ok(named(roots))
}

/// Projects directly in a folder; the folder itself, if it is one.
fn in_folder(path: &Path) -> Result<SortedSet<PathBuf>, untrusted_fs::Fault> {
    let folder = Dir::open(path)?;
    let entries = folder.entries(MOST)?;
    let folders = entries.iter().filter(|it| it.kind == EntryKind::Folder);
    let inner = folders.map(|it| path.join(&it.name)).filter(|it| is_project(it));
    let mut roots: SortedSet<PathBuf> = inner.collect();
    if roots.is_empty() && is_project(path) {
        roots.insert(path.to_owned());
    }
    Ok(roots)
}

fn is_project(path: &Path) -> bool {
    let kind = Dir::open(path).and_then(|folder| folder.kind("Cargo.toml"));
    matches!(kind, Ok(Some(EntryKind::File)))
}

/// Projects that a list names.
fn listed(list: &Path, text: &str) -> Result<SortedSet<PathBuf>, FleetError> {
    let base = list.parent().unwrap_or(Path::new("/"));
    let mut roots = SortedSet::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let root = base.join(line).canonicalize().ok().filter(|it| is_project(it));
        let root = root.ok_or_else(|| FleetError::NoProject {
            list: list.display().to_string(),
            line: index + 1,
            name: base::visible_line(line),
        })?;
        roots.insert(root);
    }
    Ok(roots)
}

/// Names of roots: as many of their last folders as tell them apart.
fn named(roots: SortedSet<PathBuf>) -> Vec<Repository> {
    let mut unnamed: Vec<PathBuf> = roots.into_iter().collect();
    let deepest = unnamed.iter().map(|it| it.iter().count()).max().unwrap_or(1);
    let mut all = Vec::with_capacity(unnamed.len());
    for folders in 1..=deepest {
        let mut number: SortedMap<String, usize> = SortedMap::new();
        for root in &unnamed {
            *number.entry(end(root, folders)).or_default() += 1;
        }
        let (own, shared): (Vec<_>, Vec<_>) = unnamed.into_iter().partition(|root| {
            folders == deepest || number.get(&end(root, folders)).is_some_and(|it| *it == 1)
        });
        all.extend(own.into_iter().map(|root| Repository { name: end(&root, folders), root }));
        unnamed = shared;
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// The last folders of a path, on one line.
fn end(root: &Path, folders: usize) -> String {
    let parts: Vec<&OsStr> = root.iter().filter(|it| *it != "/").collect();
    let last = &parts[parts.len().saturating_sub(folders)..];
    base::visible_line(&last.join(OsStr::new("/")).to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Vec<String> {
        let roots = paths.iter().map(PathBuf::from).collect();
        named(roots).into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn names_have_as_many_folders_as_tell_them_apart() {
        assert_eq!(names(&["/a/x", "/a/y"]), ["x", "y"]);
        assert_eq!(names(&["/a/x", "/b/x", "/b/y"]), ["a/x", "b/x", "y"]);
        assert_eq!(names(&["/x", "/a/x", "/b/a/x"]), ["a/x", "b/a/x", "x"]);
    }
}
