//! Finds the file of a `mod x;`.

use crate::FileIdx;

/// The files by path: those of the workspace, and the standard library's declarations.
pub(super) struct Files<'w> {
    workspace: Vec<(&'w str, FileIdx)>,
    std: Vec<(&'w str, FileIdx)>,
}

impl<'w> Files<'w> {
    pub(super) fn new(
        mut workspace: Vec<(&'w str, FileIdx)>,
        mut std: Vec<(&'w str, FileIdx)>,
    ) -> Self {
        workspace.sort_unstable();
        std.sort_unstable();
        Self { workspace, std }
    }

    pub(super) fn find(&self, path: &str, is_std: bool) -> Option<FileIdx> {
        let files = if is_std { &self.std } else { &self.workspace };
        let at = files.binary_search_by_key(&path, |(path, _)| path).ok()?;
        files.get(at).map(|(_, file)| *file)
    }

    /// The file that `include!` names in a file of this path.
    pub(super) fn included(&self, by: &str, path: &str, is_std: bool) -> Option<FileIdx> {
        let folder = by.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.find(&join(folder, path)?, is_std)
    }

    /// The file of a module and the directories of its own modules, or the paths that were tried.
    pub(super) fn module(
        &self,
        folders: &Folders,
        name: &str,
        path: Option<&str>,
        is_std: bool,
    ) -> Result<(FileIdx, Folders), Vec<String>> {
        if let Some(path) = path {
            let Some(full) = join(&folders.file, path) else { return Err(vec![path.to_owned()]) };
            return match self.find(&full, is_std) {
                Some(file) => Ok((file, Folders::of_root(&full))),
                None => Err(vec![full]),
            };
        }
        let name = name.strip_prefix("r#").unwrap_or(name);
        let Some(own) = join(&folders.own, name) else { return Err(Vec::new()) };
        let flat = format!("{own}.rs");
        if let Some(file) = self.find(&flat, is_std) {
            return Ok((file, Folders { file: folders.own.clone(), own }));
        }
        let nested = format!("{own}/mod.rs");
        match self.find(&nested, is_std) {
            Some(file) => Ok((file, Folders { file: own.clone(), own })),
            None => Err(vec![flat, nested]),
        }
    }
}

/// The directories in which the modules of a file (or of an inline module in it) are searched.
#[derive(Clone, Debug)]
pub(super) struct Folders {
    /// The base of `#[path]`.
    file: String,
    /// The directory of `x.rs` and `x/mod.rs`.
    own: String,
}

impl Folders {
    /// The directories of a crate's root, a `mod.rs`, or a file named by `#[path]`.
    pub(super) fn of_root(path: &str) -> Self {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        Self { file: folder.to_owned(), own: folder.to_owned() }
    }

    /// The directories inside inline modules, given as names and `#[path]`s, outermost first.
    pub(super) fn inside<'a>(
        &self,
        inline: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Self {
        let mut it = self.clone();
        for (name, path) in inline {
            let joined = match path {
                Some(path) => join(&it.file, path),
                None => join(&it.own, name.strip_prefix("r#").unwrap_or(name)),
            };
            // A path that leaves the workspace contains no file of it.
            it.own = joined.unwrap_or_else(|| "\0".to_owned());
            it.file.clone_from(&it.own);
        }
        it
    }
}

/// Joins and normalizes two paths; `None` if the result is outside the workspace.
fn join(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The predicate of an inner `#![cfg(…)]`.
pub(super) fn inner_cfg(attribute: &str) -> Option<&str> {
    let inside = attribute.strip_prefix("#!")?.trim_start().strip_prefix('[')?.trim();
    let inside = inside.strip_suffix(']')?.trim().strip_prefix("cfg")?.trim();
    inside.strip_prefix('(')?.strip_suffix(')')
}

/// The predicate and the path of `#[cfg_attr(predicate, path = "…")]`.
pub(super) fn cfg_attr_path(attribute: &str) -> Option<(&str, &str)> {
    let inside = attribute.strip_prefix('#')?.trim_start().strip_prefix('[')?.trim();
    let inside = inside.strip_suffix(']')?.trim().strip_prefix("cfg_attr")?.trim();
    let inside = inside.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_usize;
    let comma = inside.char_indices().find_map(|(at, ch)| {
        match ch {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    let (predicate, rest) = inside.split_at(comma);
    let path = rest.trim_start_matches(',').trim().strip_prefix("path")?.trim_start();
    let path = path.strip_prefix('=')?.trim().strip_prefix('"')?;
    path.split_once('"').map(|(path, _)| (predicate, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised_and_cannot_leave_the_workspace() {
        assert_eq!(join("a/b", "../c/./d.rs").as_deref(), Some("a/c/d.rs"));
        assert_eq!(join("a", "../../x.rs"), None);
        assert_eq!(join("", "/etc/x.rs"), None);
    }

    #[test]
    fn attributes_that_decide_about_modules_are_read() {
        assert_eq!(inner_cfg("#![cfg(all(unix, windows))]"), Some("all(unix, windows)"));
        assert_eq!(inner_cfg("#![no_std]"), None);
        assert_eq!(inner_cfg("#![cfg_attr(a, b)]"), None);
        let attribute = "#[cfg_attr(all(unix, not(x)), path = \"unix.rs\")]";
        assert_eq!(cfg_attr_path(attribute), Some(("all(unix, not(x))", "unix.rs")));
        assert_eq!(cfg_attr_path("#[cfg_attr(docsrs, doc(cfg(unix)))]"), None);
    }
}
