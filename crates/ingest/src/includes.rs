//! Files that `include!` puts into a module and that are no Rust files by name: they are read like
//! Rust files. Opened below the root of the tree, without links.

use base::{Ctx, ProjectPath, SortedSet};
use untrusted_fs::Dir;

use crate::IngestError;
use crate::read::{FileBytes, read_all};

/// The maximum nesting of included files, and of their number.
const MAX_ROUNDS: usize = 8;
const MAX_FILES: usize = 4_096;

/// Whether a file is listed by its name.
pub(crate) fn is_rust(path: &ProjectPath) -> bool {
    path.extension() == Some("rs")
}

/// Adds the included files to `files`, which are sorted by path.
pub(crate) fn add_included(
    ctx: &Ctx,
    root: &Dir,
    files: &mut Vec<FileBytes>,
) -> Result<(), IngestError> {
    let mut known: SortedSet<ProjectPath> = SortedSet::new();
    let mut new: Vec<ProjectPath> = files.iter().flat_map(included_by).collect();
    for _ in 0..MAX_ROUNDS {
        new.retain(|path| known.insert(path.clone()));
        new.truncate(MAX_FILES.saturating_sub(known.len() - new.len()));
        if new.is_empty() {
            break;
        }
        let read = read_all(ctx, root, &new)?;
        new = read.iter().flat_map(included_by).collect();
        files.extend(read);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

/// The files that a text includes and that have no name of a Rust file.
fn included_by(file: &FileBytes) -> Vec<ProjectPath> {
    let Some(text) = file.text.as_deref().ok().filter(|text| text.contains("include!")) else {
        return Vec::new();
    };
    included_in(&file.path, &syntax::read(text), text)
}

/// The same for a text that was read.
pub(crate) fn included_in(
    path: &ProjectPath,
    facts: &syntax::facts::FileFacts,
    text: &str,
) -> Vec<ProjectPath> {
    let folder = path.parent();
    let beside = |path: &str| match &folder {
        Some(folder) => normal(folder.as_str(), path),
        None => normal("", path),
    };
    let paths = syntax::included_paths(facts, text);
    let paths = paths.into_iter().filter_map(beside);
    paths.filter(|path| !is_rust(path)).collect()
}

/// A path relative to a folder, without `.` and `..`; `None` where it leaves the tree.
fn normal(folder: &str, path: &str) -> Option<ProjectPath> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    ProjectPath::new(&parts.join("/")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_are_inside_the_tree() {
        let path = |folder, path| normal(folder, path).map(|it| it.to_string());
        assert_eq!(path("src/a", "../more.in").as_deref(), Some("src/more.in"));
        assert_eq!(path("src", "../../more.in"), None);
        assert_eq!(path("src", "/etc/passwd"), None);
    }
}
