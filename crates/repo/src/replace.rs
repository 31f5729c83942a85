//! The few system calls by which a file of the user is replaced: each is one atomic step.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::journal::{Step, Stored};
use crate::tree::{Found, is_executable};

/// Two names swap what they hold.
pub(crate) fn exchange(folder: &OwnedFd, temp: &str, name: &str) -> Result<(), Errno> {
    match rustix::fs::renameat_with(folder, temp, folder, name, RenameFlags::EXCHANGE) {
        // File systems that cannot exchange: the old file keeps a second name for the check.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            let spare = spare_name(temp);
            let _ = rustix::fs::unlinkat(folder, spare.as_str(), AtFlags::empty());
            rustix::fs::linkat(folder, name, folder, spare.as_str(), AtFlags::empty())?;
            rustix::fs::renameat(folder, temp, folder, name)?;
            rustix::fs::renameat(folder, spare.as_str(), folder, temp)
        }
        result => result,
    }
}

/// `from` becomes `to`, where nothing may be.
pub(crate) fn move_to_free(folder: &OwnedFd, from: &str, to: &str) -> Result<(), Errno> {
    match rustix::fs::renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            rustix::fs::linkat(folder, from, folder, to, AtFlags::empty())?;
            rustix::fs::unlinkat(folder, from, AtFlags::empty())
        }
        result => result,
    }
}

/// Writes a new file that has the rights of `like`, but for the executable bits.
pub(crate) fn write_new(
    folder: &OwnedFd,
    step: &Step,
    state: &Stored,
    like: Option<&Found>,
) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fresh = Mode::from_raw_mode(if state.executable { 0o777 } else { 0o666 });
    let mut file = File::from(rustix::fs::openat(folder, step.temp.as_str(), flags, fresh)?);
    file.write_all(state.text.as_bytes())?;
    let mode = state.mode.or_else(|| like.map(|like| with_executable(like.mode, state.executable)));
    if let Some(like) = like {
        copy_owner(&file, like);
        copy_attributes(folder, step.path.file_name(), &file);
    }
    if let Some(mode) = mode {
        rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
    }
    file.sync_all()
}

/// Whoever may read may run, or nobody may.
pub(crate) fn with_executable(mode: u32, executable: bool) -> u32 {
    match (is_executable(mode), executable) {
        (false, true) => mode | ((mode & 0o444) >> 2) | 0o100,
        (true, false) => mode & !0o111,
        _ => mode,
    }
}

/// Keeps owner and group where we may; an ordinary user may only choose among their groups.
fn copy_owner(file: &File, like: &Found) {
    let Ok(stat) = rustix::fs::fstat(file) else { return };
    if (stat.st_uid, stat.st_gid) == (like.uid, like.gid) {
        return;
    }
    let gid = rustix::fs::Gid::from_raw(like.gid);
    let uid = rustix::fs::Uid::from_raw(like.uid);
    if rustix::fs::fchown(file, Some(uid), Some(gid)).is_err() {
        let _ = rustix::fs::fchown(file, None, Some(gid));
    }
}

/// Keeps extended attributes (access lists among them) where the system lets us.
fn copy_attributes(folder: &OwnedFd, name: &str, to: &File) {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(from) = rustix::fs::openat(folder, name, flags, Mode::empty()) else { return };
    let mut names = vec![0; 16 << 10];
    let Ok(len) = rustix::fs::flistxattr(&from, &mut names[..]) else { return };
    for name in names[..len].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; 64 << 10];
        if let Ok(len) = rustix::fs::fgetxattr(&from, name, &mut value[..]) {
            let none = rustix::fs::XattrFlags::empty();
            let _ = rustix::fs::fsetxattr(to, name, &value[..len], none);
        }
    }
}

/// The second name that an old file has for a moment where names cannot be exchanged.
pub(crate) fn spare_name(temp: &str) -> String {
    format!("{temp}.old")
}
