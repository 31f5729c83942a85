//! Throw-away folders, and the sweep that removes those of crashed processes.

use std::io::{Error, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::Dir;

/// A lock on a folder or control group: held as long as the process that made it lives, however
/// that process ends, and visible to every process that sees the folder. A process id would not be
/// enough: another container that shares the folder has its own ids.
#[derive(Debug)]
pub struct Claim {
    _locked: OwnedFd,
}

/// The result of an attempt to lock.
enum Tried {
    Locked(Claim),
    /// Another process holds it.
    Held,
    /// The file system has no locks.
    Unsupported,
}

fn try_lock(folder: &Path) -> Result<Tried, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::open(folder, flags, Mode::empty())?;
    Ok(match rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Tried::Locked(Claim { _locked: fd }),
        Err(Errno::WOULDBLOCK) => Tried::Held,
        Err(_) => Tried::Unsupported,
    })
}

/// Claims a folder that was just made. `None`: a sweep removed it as abandoned before it was locked,
/// and another name must be tried. On a file system without locks the folder is not locked, and no
/// sweep can claim it either.
pub fn claim(folder: &Path) -> Option<Option<Claim>> {
    let claim = match try_lock(folder) {
        Ok(Tried::Locked(claim)) => claim,
        Ok(Tried::Unsupported) => return Some(None),
        Ok(Tried::Held) | Err(_) => return None,
    };
    let inode = |meta: std::fs::Metadata| (meta.dev(), meta.ino());
    let locked = rustix::fs::fstat(&claim._locked).ok()?;
    let there = std::fs::symlink_metadata(folder).ok().map(inode)?;
    (there == (locked.st_dev, locked.st_ino)).then_some(Some(claim))
}

/// Claims a folder whose process has ended; `None` if it is in use or is not a folder.
pub fn claim_dead(folder: &Path) -> Option<Claim> {
    match try_lock(folder) {
        Ok(Tried::Locked(claim)) => Some(claim),
        _ => None,
    }
}

/// A private folder that is removed with its content when the value is dropped. It is claimed as
/// long as its process lives.
#[derive(Debug)]
pub struct ScratchFolder {
    path: PathBuf,
    _claim: Option<Claim>,
}

impl ScratchFolder {
    /// Makes a folder in `root` with the first name that is free.
    ///
    /// # Errors
    /// What the system reports, or that no name of a thousand is free.
    pub fn new(root: &Path, mut name: impl FnMut() -> String) -> std::io::Result<Self> {
        for _ in 0..1000 {
            let path = root.join(name());
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    if let Some(claim) = claim(&path) {
                        return Ok(Self { path, _claim: claim });
                    }
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::from(ErrorKind::AlreadyExists))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        remove_scratch(&self.path);
    }
}

/// Removes a folder even if a process removed permissions within it. A folder that cannot be removed
/// is left to the next sweep.
pub fn remove_scratch(folder: &Path) {
    if let (Some(all), Some(name)) = (folder.parent(), folder.file_name()) {
        let _ = Dir::open(all).and_then(|all| all.remove_all(name));
    }
}

/// Removes the folders in `root` that crashed processes left, if `is_ours` accepts their names;
/// `prepare` gets each of them before.
pub fn sweep(root: &Path, is_ours: impl Fn(&str) -> bool, prepare: impl Fn(&Path)) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(&is_ours)
            && let Some(_claim) = claim_dead(&entry.path())
        {
            prepare(&entry.path());
            remove_scratch(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_use_survives_a_sweep_and_a_dead_one_does_not() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a");
        std::fs::create_dir(&folder).unwrap();
        let held = claim(&folder).unwrap();
        assert!(held.is_some());
        sweep(root.path(), |_| true, |_| {});
        assert!(folder.is_dir());
        drop(held);
        sweep(root.path(), |_| true, |_| {});
        assert!(!folder.exists());
    }

    #[test]
    fn a_folder_that_was_replaced_before_it_was_locked_is_not_claimed() {
        let root = tempfile::tempdir().unwrap();
        assert!(claim(&root.path().join("gone")).is_none());
        let scratch = ScratchFolder::new(root.path(), || "a".to_owned()).unwrap();
        assert!(matches!(try_lock(scratch.path()), Ok(Tried::Held)));
    }

    #[test]
    fn what_has_another_name_and_what_a_link_names_stays() {
        let root = tempfile::tempdir().unwrap();
        let theirs = root.path().join("notes");
        std::fs::create_dir(&theirs).unwrap();
        let link = root.path().join("ours-1");
        std::os::unix::fs::symlink(&theirs, &link).unwrap();
        sweep(root.path(), |name| name.starts_with("ours-"), |_| {});
        assert!(theirs.is_dir() && link.is_symlink());
    }
}
