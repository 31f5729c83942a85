//! Reads single files: regular files of a limited size only.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::open::FILE;
use crate::{Dir, Fault};

/// Reads one file of a repository. Its parent folders are trusted, the file is not: it must be a
/// regular file of at most `limit` bytes and no link. `Ok(None)` if it does not exist.
///
/// # Errors
/// Where it is anything else, or cannot be read.
pub fn read_regular(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
    read_path(path, FILE | OFlags::NOFOLLOW, limit)
}

/// Opens one file as [`read_regular`], for a caller that reads it with its own limit.
///
/// # Errors
/// Where it is no regular file, or cannot be opened.
pub fn open_regular(path: &Path) -> Result<Option<File>, Fault> {
    let Some(fd) = open_path(path, FILE | OFlags::NOFOLLOW)? else { return Ok(None) };
    regular(&fd)?;
    Ok(Some(fd.into()))
}

/// Reads one file of the user's own configuration, which may be a link: a regular file of at most
/// `limit` bytes. `Ok(None)` if it does not exist.
///
/// # Errors
/// Where it is anything else, or cannot be read.
pub fn read_own(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
    read_path(path, FILE, limit)
}

/// Reads the source file `path` below `root`, of at most 64 MiB; `None` where there is no such
/// file, or it is a link, reached through one, not a regular file, or larger.
pub fn read_source(root: &Path, path: impl AsRef<Path>) -> Option<Vec<u8>> {
    const LARGEST: u64 = 64 << 20;
    let found = Dir::open(root).and_then(|root| root.read(path, LARGEST));
    found.ok().flatten().map(|found| found.bytes)
}

/// Whether a path leads, through links or not, to a pipe, a socket, or a device other than the empty one:
/// a program that reads it may wait or read for ever.
pub fn leads_to_special(path: &Path) -> bool {
    const NULL: (u32, u32) = (1, 3);
    let Ok(stat) = rustix::fs::stat(path) else { return false };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile | FileType::Directory => false,
        FileType::CharacterDevice => {
            (rustix::fs::major(stat.st_rdev), rustix::fs::minor(stat.st_rdev)) != NULL
        }
        _ => true,
    }
}

fn read_path(path: &Path, flags: OFlags, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
    let Some(fd) = open_path(path, flags)? else { return Ok(None) };
    read_open(fd, limit).map(|(bytes, _)| Some(bytes))
}

fn open_path(path: &Path, flags: OFlags) -> Result<Option<OwnedFd>, Fault> {
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(fd) => Ok(Some(fd)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(err) => Err(err.into()),
    }
}

/// Reads an open file to its end. The limit is also enforced while reading: a file can grow, and
/// some report no size.
pub(crate) fn read_open(fd: OwnedFd, limit: u64) -> Result<(Vec<u8>, Stat), Fault> {
    let stat = regular(&fd)?;
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    if size > limit {
        return Err(Fault::TooLarge { limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    File::from(fd).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Fault::TooLarge { limit });
    }
    Ok((bytes, stat))
}

/// The status of an open file; an error if it is not a regular one.
pub(crate) fn regular(fd: &OwnedFd) -> Result<Stat, Fault> {
    let stat = rustix::fs::fstat(fd)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(stat),
        _ => Err(Fault::NotAFile),
    }
}
