//! Finds programs on a search path.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The programs with this name in the folders of a `PATH` value, in their order, as canonical paths:
/// a view shows a program, not a link to it. Relative folders, which would mean folders of a project,
/// are left out.
pub fn programs<'a>(path: &'a OsStr, name: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.filter_map(move |folder| program_in(&folder, name))
}

/// The program with this name in a folder, as a canonical path.
pub fn program_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let file = folder.join(name).canonicalize().ok()?;
    let meta = file.metadata().ok()?;
    (meta.is_file() && meta.permissions().mode() & 0o111 != 0).then_some(file)
}
