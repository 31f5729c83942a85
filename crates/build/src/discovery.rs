//! Finds the root directory of the workspace that a directory belongs to.

use std::path::{Path, PathBuf};

use globset::GlobBuilder;

/// Size limit of a manifest in bytes.
const MANIFEST_BYTES: u64 = 16 << 20;
/// Most entries of a folder of sources.
const MAX_ENTRIES: usize = 1 << 20;

/// Why a directory is not part of a project.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// Neither the directory nor its ancestors have a manifest.
    #[error("no `Cargo.toml` in `{}` or its parent directories", .0.display())]
    NoManifest(PathBuf),
    /// The directory has none, but directories below it have.
    #[error(
        "no `Cargo.toml` in `{}` or its parent directories; below it are: {}",
        .dir.display(), .roots.join(", ")
    )]
    Several {
        /// The directory.
        dir: PathBuf,
        /// The projects below it, relative, the first of them.
        roots: Vec<String>,
    },
    /// The path is not a directory.
    #[error("`{}` is not a directory", .0.display())]
    NotDirectory(PathBuf),
    /// The directory or a manifest cannot be read.
    #[error("cannot read `{}`: {reason}", path.display())]
    Unreadable {
        /// The directory or manifest.
        path: PathBuf,
        /// Error message of the system.
        reason: String,
    },
}

impl base::Hint for RootError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoManifest(_) => {
                "run inside a cargo project, or pass its directory with `-C DIR`"
            }
            Self::Several { roots, .. } => {
                let first = roots.first().map_or("DIR", |root| root);
                return Some(format!(
                    "choose one: `-C {first}`; commands that only read the code (`callers`, `show`, \
                     `impact`, `search`) cover all of them from the root of the repository"
                ));
            }
            Self::NotDirectory(_) => "pass a directory with `-C DIR`",
            Self::Unreadable { .. } => "check the path and its permissions",
        };
        Some(hint.to_owned())
    }
}

/// The root directory of the workspace that contains `dir`: that of the nearest manifest, or of a
/// workspace manifest above that lists it as a member.
///
/// # Errors
/// See [`RootError`].
pub fn find_root(dir: &Path) -> Result<PathBuf, RootError> {
    let unreadable =
        |path: &Path, reason: String| RootError::Unreadable { path: path.to_owned(), reason };
    let start = dir.canonicalize().map_err(|error| unreadable(dir, error.to_string()))?;
    if !start.is_dir() {
        return Err(RootError::NotDirectory(dir.to_owned()));
    }
    let mut nearest = None;
    for folder in start.ancestors() {
        let manifest = folder.join("Cargo.toml");
        let bytes = match untrusted_fs::read_regular(&manifest, MANIFEST_BYTES) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => continue,
            Err(_) if nearest.is_some() => break,
            Err(fault) => return Err(unreadable(&manifest, fault.to_string())),
        };
        match (&nearest, &workspace_of(bytes)) {
            (None, Some(_)) => return Ok(folder.to_path_buf()),
            (None, None) => nearest = Some(folder.to_path_buf()),
            (Some(member), Some(workspace)) if has_member(folder, workspace, member) => {
                return Ok(folder.to_path_buf());
            }
            (Some(_), _) => {}
        }
    }
    nearest.ok_or_else(|| match projects_below(&start) {
        roots if roots.is_empty() => RootError::NoManifest(start),
        roots => RootError::Several { dir: start, roots },
    })
}

/// The projects in the directories below one, relative to it, sorted: bounded in number and depth.
/// Hidden directories and build outputs are left out, and no link is followed.
fn projects_below(dir: &Path) -> Vec<String> {
    const DEEPEST: usize = 4;
    const LISTED: usize = 12;
    const VISITED: usize = 2_000;
    let Ok(root) = untrusted_fs::Dir::open(dir) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = std::collections::VecDeque::from([(String::new(), 0)]);
    let mut visited = 0;
    while let Some((folder, depth)) = open.pop_front() {
        visited += 1;
        if visited > VISITED {
            break;
        }
        let entries = root.open_dir(&folder).ok().flatten().map(|it| it.entries(MAX_ENTRIES));
        let Some(Ok(entries)) = entries else { continue };
        let names = entries.iter().filter_map(|it| it.name.to_str());
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        let is_project = depth > 0 && names.contains(&"Cargo.toml");
        if is_project && find_root(&dir.join(&folder)).is_ok_and(|it| it == dir.join(&folder)) {
            found.push(folder.clone());
        }
        for name in names {
            if depth < DEEPEST && !name.starts_with('.') && name != "target" {
                let path =
                    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
                open.push_back((path, depth + 1));
            }
        }
    }
    found.sort();
    found.truncate(LISTED);
    found
}

/// The table `workspace` of a manifest. One that is not valid TOML still marks a project; cargo
/// reports its errors.
fn workspace_of(manifest: Vec<u8>) -> Option<toml::Value> {
    let text = String::from_utf8(manifest).ok()?;
    // Only an escape can write the key in another way. Parsing takes much of a short command.
    if !text.contains("workspace") && !text.contains('\\') {
        return None;
    }
    text.parse::<toml::Table>().ok()?.remove("workspace")
}

/// The root directory for the map: as [`find_root`], or without a manifest `dir` itself if it or its
/// `src` directory contains Rust files, which are mapped as one crate, or if it is in a git repository
/// and has projects below it, which are mapped together.
///
/// # Errors
/// As [`find_root`].
pub fn find_sources(dir: &Path) -> Result<PathBuf, RootError> {
    let error = match find_root(dir) {
        Err(error @ (RootError::NoManifest(_) | RootError::Several { .. })) => error,
        found => return found,
    };
    let Ok(folder) = dir.canonicalize() else { return Err(error) };
    let is_in_repository =
        || folder.ancestors().any(|it| it.join(".git").symlink_metadata().is_ok());
    if matches!(error, RootError::Several { .. }) && is_in_repository() {
        return Ok(folder);
    }
    let Ok(root) = untrusted_fs::Dir::open(&folder) else { return Err(error) };
    let has_rust = |folder: &str| {
        let entries = root.open_dir(folder).ok().flatten().map(|it| it.entries(MAX_ENTRIES));
        let mut entries = entries.and_then(Result::ok).into_iter().flatten();
        entries.any(|entry| Path::new(&entry.name).extension().is_some_and(|it| it == "rs"))
    };
    let is_source = has_rust("") || has_rust("src");
    if is_source { Ok(folder) } else { Err(error) }
}

/// Whether the workspace at `root` lists `member` and does not exclude it.
fn has_member(root: &Path, workspace: &toml::Value, member: &Path) -> bool {
    let Ok(relative) = member.strip_prefix(root) else { return false };
    let list = |name: &str| {
        let values = workspace.get(name).and_then(toml::Value::as_array);
        values.into_iter().flatten().filter_map(toml::Value::as_str).collect::<Vec<_>>()
    };
    lists_member(&list("members"), &list("exclude"), relative)
}

/// Whether a workspace with these `members` and `exclude` lists the package in `folder`, a path in its own folder.
pub fn lists_member(members: &[&str], exclude: &[&str], folder: &Path) -> bool {
    let is_listed = |pattern: &&str| {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        glob.is_ok_and(|glob| glob.compile_matcher().is_match(folder))
    };
    !exclude.iter().any(|it| folder.starts_with(it)) && members.iter().any(is_listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    #[test]
    fn a_member_belongs_to_the_workspace_that_lists_it() {
        let dir = tree(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/out\"]\n"),
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", ""),
            ("crates/out/Cargo.toml", "[package]\nname = \"out\"\n"),
            ("lone/Cargo.toml", "[package]\nname = \"lone\"\n"),
        ]);
        let root = dir.path().canonicalize().unwrap();
        assert_eq!(find_root(&root.join("crates/a/src")).unwrap(), root);
        assert_eq!(find_root(&root.join("crates/out")).unwrap(), root.join("crates/out"));
        assert_eq!(find_root(&root.join("lone")).unwrap(), root.join("lone"));
    }

    #[test]
    fn an_escaped_key_is_read() {
        let dir = tree(&[
            ("Cargo.toml", "[\"\\u0077orkspace\"]\nmembers = [\"a\"]\n"),
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        ]);
        let root = dir.path().canonicalize().unwrap();
        assert_eq!(find_root(&root.join("a")).unwrap(), root);
    }

    #[test]
    fn a_directory_without_a_manifest_is_refused_with_a_hint() {
        let dir = tree(&[("src/lib.rs", "")]);
        let error = find_root(dir.path()).unwrap_err();
        assert!(error.to_string().starts_with("no `Cargo.toml` in `"), "{error}");
        assert_eq!(
            base::Hint::hint(&error).unwrap(),
            "run inside a cargo project, or pass its directory with `-C DIR`"
        );
    }

    #[test]
    fn a_directory_of_sources_without_a_manifest_can_be_mapped() {
        let dir = tree(&[("src/lib.rs", ""), ("docs/a.md", "")]);
        let root = dir.path().canonicalize().unwrap();
        assert_eq!(find_sources(&root).unwrap(), root);
        assert_eq!(find_sources(&root.join("src")).unwrap(), root.join("src"));
        assert!(matches!(find_sources(&root.join("docs")), Err(RootError::NoManifest(_))));
    }

    #[test]
    fn projects_below_a_directory_are_listed_and_mapped_together_in_a_repository() {
        let dir = tree(&[
            ("one/Cargo.toml", "[workspace]\nmembers = [\"app\"]\n"),
            ("one/app/Cargo.toml", "[package]\nname = \"app\"\n"),
            ("two/lone/Cargo.toml", "[package]\nname = \"lone\"\n"),
            ("target/x/Cargo.toml", "[package]\nname = \"x\"\n"),
        ]);
        let root = dir.path().canonicalize().unwrap();
        let error = find_root(&root).unwrap_err();
        assert!(error.to_string().ends_with("below it are: one, two/lone"), "{error}");
        assert!(base::Hint::hint(&error).unwrap().starts_with("choose one: `-C one`"));
        assert!(find_sources(&root).is_err());
        std::fs::create_dir(root.join(".git")).unwrap();
        assert_eq!(find_sources(&root).unwrap(), root);
    }

    #[test]
    fn a_broken_manifest_is_still_a_project() {
        let dir = tree(&[("Cargo.toml", "[package\nname = ")]);
        assert_eq!(find_root(dir.path()).unwrap(), dir.path().canonicalize().unwrap());
    }
}
