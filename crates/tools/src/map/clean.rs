use std::fs::File;
use std::path::{Path, PathBuf};

use base::Ctx;
use serde::Serialize;

use crate::{Error, Workspace};

/// What was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cleaned {
    /// How many bytes are free again.
    pub freed_bytes: u64,
    /// The folders that were emptied.
    pub removed: Vec<PathBuf>,
    /// The folders that another process is using: they stay.
    pub kept: Vec<PathBuf>,
}

/// Removes what can be rebuilt: the map, warm target directories, what views left behind. What
/// must survive – journal and records – stays.
pub fn clean(ctx: &Ctx, workspace: &Workspace) -> Result<Cleaned, Error> {
    let index = workspace.index(ctx)?;
    let mut cleaned = Cleaned { freed_bytes: 0, removed: Vec::new(), kept: Vec::new() };
    let mut folders = vec![workspace.project().cache_dir(), index.folder().to_owned()];
    folders.dedup_by(|inner, outer| inner.starts_with(outer));
    for folder in folders {
        ctx.check_cancelled()?;
        if !folder.is_dir() {
            continue;
        }
        let size = size_of(&folder);
        let kept = cleaned.kept.len();
        remove(&folder, &mut cleaned.kept).map_err(|error| Error::Unwritable {
            path: folder.display().to_string(),
            reason: error.to_string(),
        })?;
        cleaned.freed_bytes += size.saturating_sub(size_of(&folder));
        if cleaned.kept.len() == kept {
            // The folder of all projects in a target directory goes with the last of them; one
            // that still holds something refuses.
            let _ = folder.parent().map(std::fs::remove_dir);
        }
        cleaned.removed.push(folder);
    }
    Ok(cleaned)
}

/// Removes a folder but for those below it whose lock somebody holds.
fn remove(folder: &Path, kept: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if is_locked(folder) {
        kept.push(folder.to_owned());
        return Ok(());
    }
    let before = kept.len();
    open_up(folder)?;
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

/// Whether a living process holds the folder's lock: views and warm targets have one each.
fn is_locked(folder: &Path) -> bool {
    match File::options().write(true).open(folder.join("lock")) {
        Ok(lock) => lock.try_lock().is_err(),
        Err(_) => false,
    }
}

/// What a sandboxed process wrote may have lost its permissions (an overlay's work folder has
/// none at all).
fn open_up(folder: &Path) -> std::io::Result<()> {
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
    fn a_folder_in_use_stays_and_the_rest_goes() {
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
