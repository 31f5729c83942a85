//! The system calls that replace a file of the user: each is one atomic step.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::crash_points::{reached, renames_are_plain};
use crate::journal::{Step, Stored};
use crate::tree::{FileContents, is_executable};

/// Exchanges the contents of two names.
pub(crate) fn exchange(folder: &OwnedFd, temp: &str, name: &str) -> Result<(), Errno> {
    match rename_as(folder, temp, name, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            try_link(folder, temp)?;
            take_aside(folder, temp, name)?;
            reached();
            put_in_place(folder, temp, name)?;
            reached();
            rustix::fs::unlinkat(folder, temp, AtFlags::empty())?;
            reached();
            rustix::fs::renameat(folder, aside_name(temp), folder, temp)
        }
        result => result,
    }
}

/// Fails if the file system has no hard links either; then nothing is moved.
fn try_link(folder: &OwnedFd, temp: &str) -> Result<(), Errno> {
    let link = unfinished_name(temp);
    rustix::fs::linkat(folder, temp, folder, link.as_str(), AtFlags::empty())?;
    rustix::fs::unlinkat(folder, link.as_str(), AtFlags::empty())
}

/// The first half of an exchange on a file system without one: the present file gets the temporary
/// name. Renaming the new file over it would lose what another program saves between our check and
/// the rename; instead the name does not exist for a moment, and [`settle`] recovers from a kill.
fn take_aside(folder: &OwnedFd, temp: &str, name: &str) -> Result<(), Errno> {
    rustix::fs::renameat(folder, name, folder, aside_name(temp))
}

/// The second half: fails if another program has saved a file of that name in the meantime.
fn put_in_place(folder: &OwnedFd, temp: &str, name: &str) -> Result<(), Errno> {
    rustix::fs::linkat(folder, temp, folder, name, AtFlags::empty())
}

/// Completes an interrupted exchange on such a file system: with the old file back
/// under its name, or with the new one there and the old one under `temp`. A file that another
/// program has saved under the name stays there; the old one stays beside it, to be rescued.
pub(crate) fn settle(folder: &OwnedFd, temp: &str, name: &str) -> Result<(), Errno> {
    let aside = aside_name(temp);
    let inode = |name: &str| match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some((stat.st_dev, stat.st_ino))),
        Err(Errno::NOENT) => Ok(None),
        Err(err) => Err(err),
    };
    if inode(&aside)?.is_none() {
        return Ok(());
    }
    if inode(&aside)? == inode(name)? {
        return rustix::fs::unlinkat(folder, &*aside, AtFlags::empty());
    }
    match (inode(name)?, inode(temp)?) {
        (None, _) => move_to_free(folder, &aside, name),
        (Some(_), None) => rustix::fs::renameat(folder, &*aside, folder, temp),
        (Some(new), Some(ready)) if new == ready => {
            rustix::fs::unlinkat(folder, temp, AtFlags::empty())?;
            rustix::fs::renameat(folder, &*aside, folder, temp)
        }
        (Some(_), Some(_)) => Ok(()),
    }
}

/// A rename with a flag, which the crash tests can take away.
fn rename_as(folder: &OwnedFd, from: &str, to: &str, flag: RenameFlags) -> Result<(), Errno> {
    if renames_are_plain() {
        return Err(Errno::INVAL);
    }
    rustix::fs::renameat_with(folder, from, folder, to, flag)
}

/// Renames `from` to `to`, which must not exist.
pub(crate) fn move_to_free(folder: &OwnedFd, from: &str, to: &str) -> Result<(), Errno> {
    match rename_as(folder, from, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            rustix::fs::linkat(folder, from, folder, to, AtFlags::empty())?;
            rustix::fs::unlinkat(folder, from, AtFlags::empty())
        }
        result => result,
    }
}

/// Renames `name` to `temp`, one of our names, with its present content, so that the check of the
/// old content detects another program's save.
pub(crate) fn move_aside(folder: &OwnedFd, name: &str, temp: &str) -> Result<(), Errno> {
    match rename_as(folder, name, temp, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            rustix::fs::renameat(folder, name, folder, temp)
        }
        result => result,
    }
}

/// Writes a new file with the permissions of `like`, except the executable bits. It gets the step's
/// temporary name when it is complete: the content of that name is never a write that was cut
/// short, so a part of a text there is another program's work.
pub(crate) fn write_new(
    folder: &OwnedFd,
    step: &Step,
    state: &Stored,
    like: Option<&FileContents>,
) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fresh = Mode::from_raw_mode(if state.executable { 0o777 } else { 0o666 });
    let mut file =
        File::from(rustix::fs::openat(folder, unfinished_name(&step.temp), flags, fresh)?);
    file.write_all(state.text.as_bytes())?;
    let mode = state.mode.or_else(|| like.map(|like| with_executable(like.mode, state.executable)));
    if let Some(like) = like {
        copy_owner(&file, like);
        copy_attributes(folder, step.path.file_name(), &file);
    }
    if let Some(mode) = mode {
        rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
    }
    file.sync_all()?;
    Ok(rustix::fs::renameat(folder, unfinished_name(&step.temp), folder, step.temp.as_str())?)
}

/// Sets the executable bit for every class that may read, or clears it.
pub(crate) fn with_executable(mode: u32, executable: bool) -> u32 {
    match (is_executable(mode), executable) {
        (false, true) => mode | ((mode & 0o444) >> 2) | 0o100,
        (true, false) => mode & !0o111,
        _ => mode,
    }
}

/// Keeps owner and group if permitted; an ordinary user may only choose among their groups.
fn copy_owner(file: &File, like: &FileContents) {
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

/// Keeps extended attributes (access lists among them) if the system permits it.
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

/// The name beside a file under which the write protocol keeps the new, then the old content: `id` is
/// the change, `idx` the file's number in it.
pub(crate) fn temp_name(id: &str, idx: usize) -> String {
    format!(".graftage-{id}-{idx}.tmp")
}

/// Whether a name is one of those that the write protocol makes. Such a file belongs to a write that
/// is under way or was cut short, and is no part of the project.
pub(crate) fn is_temp_name(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(".graftage-") else { return false };
    let Some((middle, ending)) = rest.split_once(".tmp") else { return false };
    let Some((id, idx)) = middle.rsplit_once('-') else { return false };
    matches!(ending, "" | ".old" | ".part")
        && !id.is_empty()
        && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && !idx.is_empty()
        && idx.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of an old file for a moment where names cannot be exchanged.
pub(crate) fn aside_name(temp: &str) -> String {
    format!("{temp}.old")
}

/// The name of a new file until it is whole. No program but ours has a reason to open it.
pub(crate) fn unfinished_name(temp: &str) -> String {
    format!("{temp}.part")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_names_are_distinguished_from_all_others() {
        let temp = temp_name("0123456789ab", 12);
        for name in [temp.clone(), aside_name(&temp), unfinished_name(&temp)] {
            assert!(is_temp_name(&name), "{name}");
        }
        for name in [".graftage-x.tmp", ".graftage-0-.tmp", ".graftage-0-1.tmp.rs", "a-0-1.tmp"] {
            assert!(!is_temp_name(name), "{name}");
        }
    }

    /// A folder in which `f` holds the old text and `t` the new one.
    fn folder() -> (tempfile::TempDir, OwnedFd) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("f"), "old").unwrap();
        std::fs::write(dir.path().join("t"), "new").unwrap();
        let fd = rustix::fs::open(dir.path(), OFlags::DIRECTORY, Mode::empty()).unwrap();
        (dir, fd)
    }

    fn texts(dir: &tempfile::TempDir) -> Vec<String> {
        let listing = std::fs::read_dir(dir.path()).unwrap().flatten();
        let mut texts: Vec<String> = listing
            .map(|it| {
                let text = std::fs::read_to_string(it.path()).unwrap();
                format!("{} {text}", it.file_name().to_string_lossy())
            })
            .collect();
        texts.sort();
        texts
    }

    /// An editor's save: a new file takes the name.
    fn save(dir: &tempfile::TempDir, text: &str) {
        std::fs::write(dir.path().join("f~"), text).unwrap();
        std::fs::rename(dir.path().join("f~"), dir.path().join("f")).unwrap();
    }

    #[test]
    fn a_save_before_or_between_the_steps_is_not_lost() {
        let (dir, fd) = folder();
        save(&dir, "mine");
        take_aside(&fd, "t", "f").unwrap();
        put_in_place(&fd, "t", "f").unwrap();
        assert_eq!(texts(&dir), ["f new", "t new", "t.old mine"]);

        let (dir, fd) = folder();
        take_aside(&fd, "t", "f").unwrap();
        save(&dir, "mine");
        assert_eq!(put_in_place(&fd, "t", "f"), Err(Errno::EXIST));
        settle(&fd, "t", "f").unwrap();
        assert_eq!(texts(&dir), ["f mine", "t new", "t.old old"]);
    }

    #[test]
    fn an_exchange_that_was_cut_short_ends_on_one_side() {
        let (dir, fd) = folder();
        settle(&fd, "t", "f").unwrap();
        assert_eq!(texts(&dir), ["f old", "t new"]);
        take_aside(&fd, "t", "f").unwrap();
        settle(&fd, "t", "f").unwrap();
        assert_eq!(texts(&dir), ["f old", "t new"]);
        take_aside(&fd, "t", "f").unwrap();
        put_in_place(&fd, "t", "f").unwrap();
        settle(&fd, "t", "f").unwrap();
        assert_eq!(texts(&dir), ["f new", "t old"]);
    }
}
