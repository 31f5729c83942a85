//! [`ProjectPath`], the normalised relative path that all crates use for files of a project. Text
//! only: whether a file exists, or is a symbolic link, is checked in `repo`.
use crate::SortedSet;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A path inside a project: relative, `/`-separated, without `.`, `..` or empty parts.
///
/// Invariant: joined to the project root, its text never leaves that root (`repo` checks symbolic
/// links, because it has access to the file system).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectPath(String);

/// Why a text is not a [`ProjectPath`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The path is empty after normalisation.
    #[error("path is empty")]
    Empty,
    /// The path is absolute and not below the project root.
    #[error("path `{0}` is outside the project")]
    Outside(String),
    /// The path has a `..` part.
    #[error("path `{0}` has a `..` part")]
    Parent(String),
    /// The path has a NUL byte or is not Unicode.
    #[error("path `{0}` has a character that is not allowed in a source path")]
    Character(String),
}

impl ProjectPath {
    /// Parses a relative path; `.` and repeated slashes are dropped, `..` is rejected.
    pub fn new(text: &str) -> Result<Self, PathError> {
        if text.contains('\0') {
            return Err(PathError::Character(text.replace('\0', "\\0")));
        }
        if text.starts_with('/') {
            return Err(PathError::Outside(text.to_owned()));
        }
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => return Err(PathError::Parent(text.to_owned())),
                part => parts.push(part),
            }
        }
        if parts.is_empty() { Err(PathError::Empty) } else { Ok(Self(parts.join("/"))) }
    }

    /// Parses a path that is relative to `root`, or absolute and below it.
    pub fn within(root: &Path, path: &Path) -> Result<Self, PathError> {
        let relative = if path.is_absolute() {
            path.strip_prefix(root).map_err(|_| PathError::Outside(path.display().to_string()))?
        } else {
            path
        };
        let mut parts = Vec::new();
        for component in relative.components() {
            match component {
                Component::Normal(part) => parts.push(
                    part.to_str()
                        .ok_or_else(|| PathError::Character(path.display().to_string()))?,
                ),
                Component::CurDir => {}
                Component::ParentDir => {
                    return Err(PathError::Parent(path.display().to_string()));
                }
                Component::RootDir | Component::Prefix(_) => {
                    return Err(PathError::Outside(path.display().to_string()));
                }
            }
        }
        Self::new(&parts.join("/"))
    }

    /// The normalised path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path joined to `root`, for the file system.
    pub fn join_to(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }

    /// The last part.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The text after the last dot of the file name; `None` without a dot.
    pub fn extension(&self) -> Option<&str> {
        self.file_name().rsplit_once('.').map(|(_, extension)| extension)
    }

    /// The parent directory; `None` for a path of one part.
    pub fn parent(&self) -> Option<ProjectPath> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// Whether it is `folder` or is below it.
    pub fn is_within(&self, folder: &ProjectPath) -> bool {
        self.0
            .strip_prefix(folder.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Whether a relative path is one of `folders`, or below one.
pub fn is_within_any(path: &Path, folders: &SortedSet<ProjectPath>) -> bool {
    let is_one = |it: &Path| {
        let it = it.to_str().and_then(|it| ProjectPath::new(it).ok());
        it.is_some_and(|it| folders.contains(&it))
    };
    !folders.is_empty() && path.ancestors().any(is_one)
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ProjectPath {
    type Error = PathError;

    fn try_from(text: String) -> Result<Self, PathError> {
        Self::new(&text)
    }
}

impl From<ProjectPath> for String {
    fn from(path: ProjectPath) -> String {
        path.0
    }
}

/// A path without `.` and `..`, by its letters: no link is resolved.
pub fn normal_path(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// The files in a dependency file of rustc, as it names them: it has a line `FILE:` for each, with blanks escaped.
pub fn dep_info_files(text: &str) -> impl Iterator<Item = PathBuf> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.strip_suffix(':'))
        .map(|path| path.replace("\\ ", " ").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_file_names_its_files_by_lines_of_their_own() {
        let text = "a.d: src/lib.rs a\\ b.txt\n\nsrc/lib.rs:\na\\ b.txt:\n\n# env-dep:X=1:\n";
        let files: Vec<_> = dep_info_files(text).collect();
        assert_eq!(files, [Path::new("src/lib.rs"), Path::new("a b.txt")]);
    }

    #[test]
    fn dots_and_repeated_slashes_are_dropped() {
        assert_eq!(ProjectPath::new("./src//a.rs").unwrap().as_str(), "src/a.rs");
    }

    #[test]
    fn parents_absolutes_and_empties_are_rejected() {
        assert_eq!(ProjectPath::new("a/../b"), Err(PathError::Parent("a/../b".into())));
        assert_eq!(ProjectPath::new("/etc/passwd"), Err(PathError::Outside("/etc/passwd".into())));
        assert_eq!(ProjectPath::new("./"), Err(PathError::Empty));
        assert_eq!(ProjectPath::new("a\0b"), Err(PathError::Character("a\\0b".into())));
    }

    #[test]
    fn an_absolute_path_below_the_root_is_accepted() {
        let root = Path::new("/p");
        assert_eq!(ProjectPath::within(root, Path::new("/p/a/b.rs")).unwrap().as_str(), "a/b.rs");
        assert!(ProjectPath::within(root, Path::new("/q/a.rs")).is_err());
        assert!(ProjectPath::within(root, Path::new("/p/../q")).is_err());
    }

    #[test]
    fn within_compares_whole_parts() {
        let path = ProjectPath::new("src/ab/c.rs").unwrap();
        assert!(path.is_within(&ProjectPath::new("src/ab").unwrap()));
        assert!(!path.is_within(&ProjectPath::new("src/a").unwrap()));
        let folders = SortedSet::from([ProjectPath::new("src/ab").unwrap()]);
        for (path, is_within) in [
            ("src/ab", true),
            ("src/ab/c/d", true),
            ("src/a", false),
            ("src", false),
            ("/src/ab", false),
        ] {
            assert_eq!(is_within_any(Path::new(path), &folders), is_within, "{path}");
        }
    }
}
