//! Copies a folder that may be hostile: by descriptors, within limits, without hard links.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;

use rustix::fs::{Mode, OFlags, RawMode, Timespec, Timestamps, UTIME_OMIT};

use crate::dir::create;
use crate::file::regular;
use crate::open::{FILE, open_name};
use crate::{Dir, EntryKind, Fault};

/// Limits of one copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyLimits {
    /// Entries of all folders together.
    pub entries: usize,
    /// Bytes of files, holes included.
    pub bytes: u64,
    /// Levels of nested folders.
    pub depth: usize,
}

struct OpenPair {
    from: Dir,
    to: Dir,
    folders: Vec<OsString>,
}

pub(crate) fn copy(from: &Dir, to: &Dir, limits: CopyLimits) -> Result<(), Fault> {
    let mut left = limits;
    let mut open = vec![pair(from.reopen()?, to.reopen()?, &mut left, limits)?];
    while let Some(last) = open.last_mut() {
        let Some(name) = last.folders.pop() else {
            open.pop();
            continue;
        };
        let Some(inner) = last.from.open_dir(&name)? else { continue };
        let target = last.to.make_dirs(&name)?;
        if open.len() > limits.depth {
            return Err(Fault::TooDeep { limit: limits.depth });
        }
        open.push(pair(inner, target, &mut left, limits)?);
    }
    Ok(())
}

/// Copies the entries of one folder except its folders, which are queued.
fn pair(from: Dir, to: Dir, left: &mut CopyLimits, limits: CopyLimits) -> Result<OpenPair, Fault> {
    let too_many = |_| Fault::TooMany { limit: limits.entries };
    let entries = match from.entries(left.entries) {
        Err(Fault::TooMany { limit }) => return Err(too_many(limit)),
        result => result?,
    };
    left.entries -= entries.len();
    let mut folders = Vec::new();
    for entry in entries {
        match entry.kind {
            EntryKind::Folder => folders.push(entry.name),
            EntryKind::Link => copy_link(&from, &to, &entry.name)?,
            EntryKind::File => copy_file(&from, &to, &entry.name, left, limits)?,
            EntryKind::Special => {}
        }
    }
    Ok(OpenPair { from, to, folders })
}

fn copy_link(from: &Dir, to: &Dir, name: &OsStr) -> Result<(), Fault> {
    let target = rustix::fs::readlinkat(from, name, Vec::new())?;
    Ok(rustix::fs::symlinkat(target, to, name)?)
}

fn copy_file(
    from: &Dir,
    to: &Dir,
    name: &OsStr,
    left: &mut CopyLimits,
    limits: CopyLimits,
) -> Result<(), Fault> {
    let fd = open_name(from, name, FILE | OFlags::NOFOLLOW)?;
    let stat = regular(&fd)?;
    let too_large = || Fault::TooLarge { limit: limits.bytes };
    if u64::try_from(stat.st_size).unwrap_or(0) > left.bytes {
        return Err(too_large());
    }
    let source = File::from(fd);
    let target = create(to, name, 0o600)?;
    let copied = match clone(&source, &target) {
        true => u64::try_from(stat.st_size).unwrap_or(0),
        false => copy_data(&source, &target, left.bytes)?,
    };
    left.bytes = left.bytes.checked_sub(copied).ok_or_else(too_large)?;
    rustix::fs::fchmod(&target, Mode::from_raw_mode(RawMode::from(stat.st_mode) & 0o777 | 0o600))?;
    let times = Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec {
            tv_sec: stat.st_mtime,
            tv_nsec: stat.st_mtime_nsec.cast_signed(),
        },
    };
    Ok(rustix::fs::futimens(&target, &times)?)
}

/// Copies what the file has on disk; its holes stay holes, so that a small file that claims to be
/// large costs nothing. Returns its size with the holes; stops behind `limit`.
#[cfg(target_os = "linux")]
fn copy_data(source: &File, target: &File, limit: u64) -> io::Result<u64> {
    use rustix::fs::{SeekFrom, seek};
    use rustix::io::Errno;
    let mut end = 0;
    loop {
        let start = match seek(source, SeekFrom::Data(end)) {
            Ok(start) => start,
            // Nothing but a hole is left.
            Err(Errno::NXIO) => break,
            Err(Errno::INVAL) if end == 0 => return copy_all(source, target, limit),
            Err(err) => return Err(err.into()),
        };
        if start > limit {
            return Ok(start);
        }
        let stop = seek(source, SeekFrom::Hole(start))?.min(limit.saturating_add(1));
        seek(source, SeekFrom::Start(start))?;
        seek(target, SeekFrom::Start(start))?;
        let copied = copy_all(source, target, stop.saturating_sub(start).saturating_sub(1))?;
        end = start + copied;
        // It was cut off meanwhile, or the limit is reached.
        if copied == 0 || end > limit {
            break;
        }
    }
    let size = source.metadata()?.len().max(end);
    if size <= limit {
        target.set_len(size)?;
    }
    Ok(size)
}

#[cfg(not(target_os = "linux"))]
fn copy_data(source: &File, target: &File, limit: u64) -> io::Result<u64> {
    copy_all(source, target, limit)
}

/// Copies at most one byte more than `limit`, within the kernel where the file systems allow it.
fn copy_all(source: &File, mut target: &File, limit: u64) -> io::Result<u64> {
    io::copy(&mut source.take(limit.saturating_add(1)), &mut target)
}

/// Shares the blocks of the two files copy-on-write (reflink); false where that is not supported.
#[cfg(target_os = "linux")]
fn clone(source: impl AsFd, target: impl AsFd) -> bool {
    rustix::fs::ioctl_ficlone(target, source).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn clone(_: impl AsFd, _: impl AsFd) -> bool {
    false
}
