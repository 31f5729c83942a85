//! Removes a tree of any depth through descriptors, without recursion and without entering mounts.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::Fault;
use crate::dir::{EntryKind, kind_of};
use crate::open::{FOLDER, open_name};

/// The number of folders open at once. Deeper folders are moved up first, so that a tree of any
/// depth is removed with few descriptors and without recursion.
const OPEN_FOLDERS: usize = 64;

struct OpenFolder {
    fd: OwnedFd,
    name: OsString,
}

/// Removes `name` in the folder `at`.
pub(crate) fn remove(at: &OwnedFd, name: &OsStr) -> Result<(), Fault> {
    match kind_of(at, name, FileType::Unknown)? {
        None => return Ok(()),
        Some(EntryKind::Folder) => {}
        Some(_) => return unlink(at, name, AtFlags::empty()),
    }
    let device = rustix::fs::fstat(at)?.st_dev;
    let top = open_removable(at, name, device)?;
    let mut open = vec![OpenFolder { fd: top, name: name.to_owned() }];
    let mut moved: u64 = 0;
    while let Some(folder) = open.last() {
        let Some(inner) = first_folder(&folder.fd)? else {
            let done = open.pop().map(|done| done.name).unwrap_or_default();
            let holder = open.last().map_or(at, |folder| &folder.fd);
            unlink(holder, &done, AtFlags::REMOVEDIR)?;
            continue;
        };
        let fd = open_removable(&folder.fd, &inner, device)?;
        if open.len() < OPEN_FOLDERS {
            open.push(OpenFolder { fd, name: inner });
        } else {
            move_up(&folder.fd, &inner, &open[0].fd, &mut moved)?;
        }
    }
    Ok(())
}

/// Unlinks everything except folders and returns the name of a remaining folder, if any.
fn first_folder(fd: &OwnedFd) -> Result<Option<OsString>, Fault> {
    for entry in rustix::fs::Dir::read_from(fd)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name == b"." || name == b".." {
            continue;
        }
        let name = OsStr::from_bytes(name);
        match kind_of(fd, name, entry.file_type())? {
            Some(EntryKind::Folder) => return Ok(Some(name.to_owned())),
            Some(_) => unlink(fd, name, AtFlags::empty())?,
            None => {}
        }
    }
    Ok(None)
}

fn unlink(at: &OwnedFd, name: &OsStr, flags: AtFlags) -> Result<(), Fault> {
    match rustix::fs::unlinkat(at, name, flags) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(err) => Err(Fault::Io(err.into())),
    }
}

/// Opens a folder with permission to remove its entries, restoring permissions if needed.
fn open_removable(at: &OwnedFd, name: &OsStr, device: u64) -> Result<OwnedFd, Fault> {
    let fd = match open_name(at, name, FOLDER) {
        Ok(fd) => fd,
        Err(Errno::ACCESS) => open_up(at, name)?,
        Err(err) => return Err(err.into()),
    };
    let stat = rustix::fs::fstat(&fd)?;
    if stat.st_dev != device {
        return Err(Fault::OtherDevice);
    }
    if stat.st_mode & 0o700 != 0o700 {
        rustix::fs::fchmod(&fd, Mode::RWXU)?;
    }
    Ok(fd)
}

/// Makes an unreadable folder accessible. `fchmod` needs a readable descriptor, so the folder is pinned
/// by an `O_PATH` descriptor and changed through `/proc/self/fd`.
#[cfg(target_os = "linux")]
fn open_up(at: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Fault> {
    use std::os::fd::AsRawFd;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let pinned = open_name(at, name, flags)?;
    rustix::fs::chmod(format!("/proc/self/fd/{}", pinned.as_raw_fd()), Mode::RWXU)?;
    Ok(rustix::fs::openat(&pinned, ".", FOLDER, Mode::empty())?)
}

#[cfg(not(target_os = "linux"))]
fn open_up(at: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Fault> {
    rustix::fs::chmodat(at, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(open_name(at, name, FOLDER)?)
}

/// Moves a deeply nested folder into the topmost one, under an unused name.
fn move_up(from: &OwnedFd, name: &OsStr, top: &OwnedFd, moved: &mut u64) -> Result<(), Fault> {
    loop {
        *moved += 1;
        match rustix::fs::renameat(from, name, top, format!("moved-{moved}")) {
            // The name is taken; an empty folder of that name would be replaced.
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
            result => return Ok(result?),
        }
    }
}
