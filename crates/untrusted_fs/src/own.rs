//! Folders of the program's own: readable by this user only, opened by descriptor. [`make_own`] is the
//! one way to make one.

use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, RawMode};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::open::FOLDER;
use crate::{Dir, Fault};

/// Permissions of others, which a folder of ours never has.
const OTHERS: RawMode = 0o077;

/// Opens a folder of the program's own; it and its missing parents are made with mode 700. It may not be
/// a link; the folders that the user chose, above it, may be. A folder that others may read or write is
/// closed to them.
///
/// # Errors
/// Where it cannot be made or closed, is a link, or belongs to another user.
pub fn make_own(path: &Path) -> Result<Dir, Fault> {
    make_private(path)?;
    let dir = open_unlinked(path)?;
    close(&dir)?;
    Ok(dir)
}

/// As [`make_own`], for a folder whose path the user chose (`GRAFTAGE_HOME`, `XDG_CACHE_HOME`): it may be a
/// link.
///
/// # Errors
/// As [`make_own`], except for links.
pub fn make_chosen(path: &Path) -> Result<Dir, Fault> {
    make_private(path)?;
    let dir = Dir::open(path)?;
    close(&dir)?;
    Ok(dir)
}

/// Makes a folder that the user named, and its missing parents, with mode 700; one that exists keeps its
/// permissions.
///
/// # Errors
/// Where it cannot be made.
pub fn make_private(path: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens a folder if it exists, as [`make_chosen`]: it may be a link.
///
/// # Errors
/// As [`make_chosen`].
pub fn open_own(path: &Path) -> Result<Option<Dir>, Fault> {
    let dir = match Dir::open(path) {
        Err(Fault::Io(err)) if err.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    close(&dir)?;
    Ok(Some(dir))
}

/// Opens a folder of the program's own if it exists, as [`make_own`]: it may not be a link.
///
/// # Errors
/// As [`make_own`].
pub fn open_inner(path: &Path) -> Result<Option<Dir>, Fault> {
    let dir = match open_unlinked(path) {
        Err(Fault::Io(err)) if err.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    close(&dir)?;
    Ok(Some(dir))
}

/// Opens a folder that is no link itself.
fn open_unlinked(path: &Path) -> Result<Dir, Fault> {
    // With a slash at its end, the last link would be followed.
    let path: PathBuf = path.components().collect();
    match rustix::fs::open(&path, FOLDER, Mode::empty()) {
        Ok(fd) => Ok(Dir::from_fd(fd)),
        // With O_DIRECTORY, a link is no folder.
        Err(Errno::NOTDIR) if path.is_symlink() => Err(Fault::Link),
        Err(err) => Err(err.into()),
    }
}

/// Refuses a folder of another user, and takes the permissions of others away.
fn close(dir: &Dir) -> Result<(), Fault> {
    let stat = rustix::fs::fstat(dir)?;
    let own = geteuid();
    if stat.st_uid != own.as_raw() {
        // The superuser works for others, whose folders stay as they are.
        return if own.is_root() { Ok(()) } else { Err(Fault::NotOurs { owner: stat.st_uid }) };
    }
    let mode = RawMode::from(stat.st_mode) & 0o7777;
    if mode & OTHERS != 0 {
        rustix::fs::fchmod(dir, Mode::from_raw_mode(mode & !OTHERS))?;
    }
    Ok(())
}

impl Dir {
    /// Whether this folder belongs to the user of this process.
    pub fn is_own(&self) -> bool {
        rustix::fs::fstat(self).is_ok_and(|stat| stat.st_uid == geteuid().as_raw())
    }

    /// Whether this is the folder at `path`, whose links are followed.
    pub fn is_same(&self, path: &Path) -> bool {
        match (rustix::fs::fstat(self), rustix::fs::stat(path)) {
            (Ok(own), Ok(other)) => (own.st_dev, own.st_ino) == (other.st_dev, other.st_ino),
            _ => false,
        }
    }
}
