//! `clean`: removes caches.

use std::fs::File;
use std::path::{Path, PathBuf};

use base::Ctx;
use repo::Project;
use serde::Serialize;

use crate::{Error, Workspace};

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

/// Removes data that can be rebuilt: the map, warm target directories, leftovers of views. Keeps the
/// journal and records.
///
/// # Errors
/// [`Error::Unwritable`] if a directory cannot be removed.
pub fn clean(ctx: &Ctx, workspace: &Workspace) -> Result<CleanSummary, Error> {
    let index = workspace.index(ctx)?;
    let mut summary = CleanSummary { freed_bytes: 0, removed: Vec::new(), kept: Vec::new() };
    let mut folders = vec![workspace.project().cache_dir(), index.folder().to_owned()];
    folders.dedup_by(|inner, outer| inner.starts_with(outer));
    for folder in folders {
        ctx.check_cancelled()?;
        if !folder.is_dir() {
            continue;
        }
        let size = size_of(&folder);
        let kept = summary.kept.len();
        remove(&folder, &mut summary.kept).map_err(|error| Error::Unwritable {
            path: folder.display().to_string(),
            reason: error.to_string(),
        })?;
        summary.freed_bytes += size.saturating_sub(size_of(&folder));
        if summary.kept.len() == kept {
            // The parent directory of all projects in a target directory is removed with the last
            // project; this fails as long as it is not empty.
            let _ = folder.parent().map(std::fs::remove_dir);
        }
        summary.removed.push(folder);
    }
    Ok(summary)
}

/// File in a project's cache folder with the path of the project.
const MARKER: &str = "project";
/// Most cache folders that are removed at once.
const MAX_FORGOTTEN: usize = 16;

/// Marks the cache folder of a project that is opened for the first time, and removes those of
/// projects that no longer exist: temporary clones would fill the disk. Nothing depends on its
/// success: what cannot be written or removed stays.
pub(crate) fn forget_vanished(project: &Project) {
    let own = project.cache_dir();
    let marker = own.join(MARKER);
    if marker.exists() {
        return;
    }
    let is_marked = std::fs::create_dir_all(&own).is_ok()
        && std::fs::write(&marker, project.root().as_os_str().as_encoded_bytes()).is_ok();
    let others = is_marked.then(|| std::fs::read_dir(&project.dirs().cache).ok()).flatten();
    let vanished =
        others.into_iter().flatten().flatten().map(|it| it.path()).filter(|it| is_vanished(it));
    for folder in vanished.take(MAX_FORGOTTEN) {
        let _ = remove(&folder, &mut Vec::new());
    }
}

/// Whether it is the cache folder of a project whose folder is gone.
fn is_vanished(folder: &Path) -> bool {
    let root = std::fs::read_to_string(folder.join(MARKER));
    root.is_ok_and(|it| matches!(Path::new(&it).try_exists(), Ok(false)))
}

/// Removes a directory except subdirectories whose lock another process holds.
fn remove(folder: &Path, kept: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if is_locked(folder) {
        kept.push(folder.to_owned());
        return Ok(());
    }
    let before = kept.len();
    make_accessible(folder)?;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        // A link is removed, never followed.
        match path.symlink_metadata() {
            Ok(meta) if meta.is_dir() => remove(&path, kept)?,
            Ok(_) => std::fs::remove_file(&path)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    if kept.len() == before { std::fs::remove_dir(folder) } else { Ok(()) }
}

/// Whether a process holds the lock of the directory: views and warm targets have one each.
fn is_locked(folder: &Path) -> bool {
    match File::options().write(true).open(folder.join("lock")) {
        Ok(lock) => lock.try_lock().is_err(),
        Err(_) => false,
    }
}

/// Restores the owner's permissions: a sandboxed process may have removed them, and the work
/// directory of an overlay has none.
fn make_accessible(folder: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if std::fs::metadata(folder)?.permissions().mode() & 0o700 != 0o700 {
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}

fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => size_of(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_of_a_vanished_project_goes_with_the_next_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let ctx = testkit::FakeHost::new().ctx();
        let dirs =
            || repo::Dirs { cache: dir.path().join("cache"), state: dir.path().join("state") };
        let open = |name: &str| {
            std::fs::create_dir_all(dir.path().join(name)).unwrap();
            Project::open(&ctx, &dir.path().join(name), dirs()).unwrap()
        };
        let (gone, kept) = (open("gone"), open("kept"));
        forget_vanished(&gone);
        forget_vanished(&kept);
        let unmarked = dir.path().join("cache/downloads");
        std::fs::create_dir_all(&unmarked).unwrap();
        std::fs::remove_dir(dir.path().join("gone")).unwrap();
        forget_vanished(&kept);
        assert!(gone.cache_dir().exists());
        forget_vanished(&open("new"));
        assert!(!gone.cache_dir().exists() && kept.cache_dir().exists() && unmarked.exists());
    }

    #[test]
    fn a_directory_in_use_is_kept_and_the_rest_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("cache");
        for name in ["warm/a", "warm/b"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
            std::fs::write(root.join(name).join("lock"), "").unwrap();
            std::fs::write(root.join(name).join("data"), "1234").unwrap();
        }
        let lock = File::options().write(true).open(root.join("warm/a/lock")).unwrap();
        lock.lock().unwrap();
        let mut kept = Vec::new();
        remove(&root, &mut kept).unwrap();
        assert_eq!(kept, [root.join("warm/a")]);
        assert!(root.join("warm/a/data").exists() && !root.join("warm/b").exists());
        drop(lock);
        remove(&root, &mut Vec::new()).unwrap();
        assert!(!root.exists());
    }
}
