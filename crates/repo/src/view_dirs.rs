//! The folders of views: each belongs to a living process or is removed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use base::Ctx;
use rustix::fs::FlockOperation;

use crate::{git_files, sealed};

/// A view's own folder. It is locked as long as its process lives, however that process ends,
/// and removed on drop.
#[derive(Debug)]
pub(crate) struct ViewDir {
    path: PathBuf,
    _lock: File,
}

impl ViewDir {
    /// Makes `<cache>/overlay/<fresh name>`.
    pub(crate) fn make(ctx: &Ctx, cache: &Path) -> io::Result<Self> {
        let all = cache.join("overlay");
        sealed::make_private(&all)?;
        // While a process makes a view none may remove one: a new folder is not locked at once.
        let guard =
            File::options().create(true).truncate(false).write(true).open(all.join(".guard"))?;
        rustix::fs::flock(&guard, FlockOperation::LockShared)?;
        let path = loop {
            let path = all.join(ctx.fresh_name());
            match std::fs::create_dir(&path) {
                Ok(()) => break path,
                Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {}
                Err(err) => return Err(err),
            }
        };
        let lock = File::create(path.join("lock"))?;
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { path, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ViewDir {
    fn drop(&mut self) {
        // What is left after an error is removed by the next `open`.
        let _ = remove(&self.path);
    }
}

/// Removes the views whose processes have ended. Never fails: a folder that cannot be removed is kept.
pub(crate) fn remove_dead(cache: &Path) {
    let all = cache.join("overlay");
    let Ok(guard) = File::options().write(true).open(all.join(".guard")) else { return };
    if rustix::fs::flock(&guard, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    let Ok(listing) = std::fs::read_dir(&all) else { return };
    for entry in listing.flatten() {
        let path = entry.path();
        if !path.is_dir() {
            continue;
        }
        let is_dead = match File::options().write(true).open(path.join("lock")) {
            Ok(lock) => rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok(),
            // It died between making the folder and locking it, or while removing it.
            Err(err) => err.kind() == io::ErrorKind::NotFound,
        };
        if is_dead {
            let _ = remove(&path);
        }
    }
}

fn remove(path: &Path) -> io::Result<()> {
    git_files::forget_worktree(path);
    // Also folders that cannot be listed: an overlay's work folder has no permissions.
    match (path.parent(), path.file_name()) {
        (Some(all), Some(name)) => Ok(beneath::Dir::open(all)?.remove_all(name)?),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}
