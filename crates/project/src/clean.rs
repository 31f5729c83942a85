//! `clean`: removes caches, by descriptors: nothing that a link names.

mod former;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use base::Ctx;
use repo::Project;
use serde::Serialize;
use untrusted_fs::{Dir, EntryKind, Fault};

use crate::{ProjectError, Workspace};

/// Result of [`clean`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CleanSummary {
    /// Freed space in bytes.
    pub freed_bytes: u64,
    /// Removed directories.
    pub removed: Vec<PathBuf>,
    /// Directories that another process uses; they were not removed.
    pub kept: Vec<PathBuf>,
}

/// Removes data that can be rebuilt: the map, warm target directories, leftovers of views, and what
/// former versions kept in cargo's target directory. Keeps the journal and records.
///
/// # Errors
/// [`ProjectError::Unwritable`] if a directory cannot be removed.
pub fn clean(ctx: &Ctx, workspace: &Workspace) -> Result<CleanSummary, ProjectError> {
    ctx.check_cancelled()?;
    clean_project(workspace.project())
}

fn clean_project(project: &Project) -> Result<CleanSummary, ProjectError> {
    let mut summary = CleanSummary { freed_bytes: 0, removed: Vec::new(), kept: Vec::new() };
    let path = project.cache_dir();
    let failed = |path: &Path, fault: Fault| ProjectError::Unwritable {
        path: path.display().to_string(),
        reason: fault.to_string(),
    };
    let name = path.file_name().unwrap_or_default();
    if let Some(all) =
        untrusted_fs::open_own(&project.dirs().cache).map_err(|it| failed(&path, it))?
        && all.kind(name).map_err(|it| failed(&path, it))?.is_some()
    {
        let size = || all.open_dir(name).ok().flatten().map_or(0, |folder| folder.size_all());
        let before = size();
        remove(&all, name, &path, &mut summary.kept).map_err(|it| failed(&path, it))?;
        summary.freed_bytes += before.saturating_sub(size());
        summary.removed.push(path);
    }
    if let Some((path, bytes)) = former::remove(project).map_err(|it| failed(project.root(), it))? {
        summary.freed_bytes += bytes;
        summary.removed.push(path);
    }
    Ok(summary)
}

/// File in a project's cache folder with the path of the project.
const MARKER: &str = "project";
/// Size limit of that file in bytes.
const MARKER_BYTES: u64 = 64 << 10;
/// Most cache folders that are removed at once.
const MAX_FORGOTTEN: usize = 16;
/// Most entries of a folder of ours.
const MAX_ENTRIES: usize = 1 << 20;

/// Marks the cache folder of a project that is opened for the first time, and removes those of
/// projects that no longer exist: temporary clones would fill the disk. Nothing depends on its
/// success: what cannot be written or removed stays.
pub(crate) fn forget_vanished(project: &Project) {
    let Ok(own) = untrusted_fs::make_own(&project.cache_dir()) else { return };
    if !matches!(own.kind(MARKER), Ok(None)) {
        return;
    }
    let root = project.root().as_os_str().as_encoded_bytes();
    if own.replace(MARKER, &[root], 0o600).is_err() {
        return;
    }
    let cache = &project.dirs().cache;
    let Ok(Some(all)) = untrusted_fs::open_own(cache) else { return };
    let others = all.entries(MAX_ENTRIES).unwrap_or_default();
    let vanished =
        others.iter().filter(|it| it.kind == EntryKind::Folder && is_vanished(&all, &it.name));
    for folder in vanished.take(MAX_FORGOTTEN) {
        let _ = remove(&all, &folder.name, &cache.join(&folder.name), &mut Vec::new());
    }
}

/// Whether it is the cache folder of a project whose folder is gone.
fn is_vanished(all: &Dir, name: &OsStr) -> bool {
    let root = all.read(Path::new(name).join(MARKER), MARKER_BYTES).ok().flatten();
    let root = root.and_then(|found| String::from_utf8(found.bytes).ok());
    root.is_some_and(|it| matches!(Path::new(&it).try_exists(), Ok(false)))
}

/// Removes a project's cache folder except what another process uses: views and warm targets have a
/// lock each, two levels down. Below these everything may be the work of a hostile process, so no name
/// there is taken for a lock.
fn remove(all: &Dir, name: &OsStr, path: &Path, kept: &mut Vec<PathBuf>) -> Result<(), Fault> {
    let before = kept.len();
    let Some(folder) = folder(all, name)? else { return all.remove_all(name) };
    for group in folder.entries(MAX_ENTRIES)? {
        remove_group(&folder, &group.name, &path.join(&group.name), kept)?;
    }
    if kept.len() == before { all.remove_dir(name) } else { Ok(()) }
}

fn remove_group(at: &Dir, name: &OsStr, path: &Path, kept: &mut Vec<PathBuf>) -> Result<(), Fault> {
    let Some(group) = folder(at, name)? else { return at.remove_all(name) };
    let before = kept.len();
    for entry in group.entries(MAX_ENTRIES)? {
        if folder(&group, &entry.name)?.is_some_and(|it| it.is_in_use("lock")) {
            kept.push(path.join(&entry.name));
        } else {
            group.remove_all(&entry.name)?;
        }
    }
    if kept.len() == before { at.remove_dir(name) } else { Ok(()) }
}

/// The folder `name`; `None` for a file, a link or a folder without permissions.
fn folder(at: &Dir, name: &OsStr) -> Result<Option<Dir>, Fault> {
    match at.open_dir(name) {
        Err(Fault::Io(err)) if err.kind() == std::io::ErrorKind::PermissionDenied => Ok(None),
        Err(Fault::Link | Fault::NotAFolder | Fault::NotAFile) => Ok(None),
        result => result,
    }
}
