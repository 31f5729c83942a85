//! Private folders on the host, and the sweep that removes those of crashed processes.

use std::io::{Error, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

/// The prefix of the names of all folders and control groups of this crate.
const PREFIX: &str = "graftage-sandbox-";

/// A name that is unique in this process; another container may use the same one.
pub(crate) fn fresh_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{number}", std::process::id())
}

/// A lock on a folder or control group: held as long as the process that made it lives, however
/// that process ends, and visible to every process that sees the folder. A process id would not be
/// enough: another container that shares the folder has its own ids.
#[derive(Debug)]
pub(crate) struct Claim {
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
pub(crate) fn claim(folder: &Path) -> Option<Option<Claim>> {
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

/// Claims a folder whose process has ended; `None` if it is not a folder of ours, or is in use.
pub(crate) fn claim_dead(folder: &Path) -> Option<Claim> {
    let name = folder.file_name()?.to_str()?.strip_prefix(PREFIX)?;
    name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-').then_some(())?;
    match try_lock(folder) {
        Ok(Tried::Locked(claim)) => Some(claim),
        _ => None,
    }
}

/// A private folder on the host, removed when the value is dropped.
#[derive(Debug)]
pub(crate) struct ScratchFolder {
    path: PathBuf,
    _claim: Option<Claim>,
}

impl ScratchFolder {
    pub(crate) fn new(root: &Path) -> std::io::Result<Self> {
        // A folder of this name that exists is not ours: the next number is tried.
        for _ in 0..1000 {
            let path = root.join(fresh_name());
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

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes a folder even if the job removed permissions within it.
pub(crate) fn remove(folder: &Path) {
    // A folder that cannot be removed is left to the next sweep.
    if let (Some(all), Some(name)) = (folder.parent(), folder.file_name()) {
        let _ = beneath::Dir::open(all).and_then(|all| all.remove_all(name));
    }
}

/// Removes the folders that crashed processes left in `root`.
pub(crate) fn sweep(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        if let Some(_claim) = claim_dead(&entry.path()) {
            remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_use_survives_a_sweep_that_does_not_know_its_process() {
        let root = tempfile::tempdir().unwrap();
        // As in another container: the number names no process here.
        let folder = root.path().join(format!("{PREFIX}4194304999-0"));
        std::fs::create_dir(&folder).unwrap();
        let held = claim(&folder).unwrap();
        assert!(held.is_some());
        sweep(root.path());
        assert!(folder.is_dir());
        drop(held);
        sweep(root.path());
        assert!(!folder.exists());
    }

    #[test]
    fn a_dead_folder_goes_though_its_number_names_a_living_process() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(format!("{PREFIX}{}-77", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        sweep(root.path());
        assert!(!folder.exists());
    }

    #[test]
    fn a_folder_that_was_replaced_before_it_was_locked_is_not_claimed() {
        let root = tempfile::tempdir().unwrap();
        assert!(claim(&root.path().join("gone")).is_none());
        let scratch = ScratchFolder::new(root.path()).unwrap();
        assert!(matches!(try_lock(scratch.path()), Ok(Tried::Held)));
    }

    #[test]
    fn what_another_program_left_and_what_a_link_names_stays() {
        let root = tempfile::tempdir().unwrap();
        let theirs = root.path().join("graftage-sandbox-notes");
        std::fs::create_dir(&theirs).unwrap();
        let link = root.path().join(format!("{PREFIX}1-1"));
        std::os::unix::fs::symlink(&theirs, &link).unwrap();
        sweep(root.path());
        assert!(theirs.is_dir() && link.is_symlink());
    }
}
