//! [`Dir`]: an open folder below which nothing is trusted. All reads, writes, listings and removals
//! go through its descriptor.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawMode};
use rustix::io::Errno;

use crate::file::read_open;
use crate::open::{FILE, FOLDER, open_beneath};
use crate::{CopyLimits, Fault, copy, remove};

/// An open folder with untrusted contents. Paths are relative to it and may contain no link and no
/// `..`.
#[derive(Debug)]
pub struct Dir {
    fd: OwnedFd,
}

/// The contents of a regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContents {
    /// The bytes, at most the limit of the read.
    pub bytes: Vec<u8>,
    /// The permission bits, set-id bits included.
    pub mode: u32,
    /// The owner.
    pub uid: u32,
    /// The group.
    pub gid: u32,
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    /// The name, without a path.
    pub name: OsString,
    /// Its type.
    pub kind: EntryKind,
}

/// The type of a directory entry; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

impl Dir {
    /// Opens a folder at a trusted path; links in that path are followed.
    ///
    /// # Errors
    /// Where there is no such folder, or it cannot be listed.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let flags = FOLDER.difference(OFlags::NOFOLLOW);
        Ok(Self { fd: rustix::fs::open(path, flags, Mode::empty())? })
    }

    /// Wraps the descriptor of an open folder.
    pub fn from_fd(fd: OwnedFd) -> Self {
        Self { fd }
    }

    /// Opens the folder `path` (empty: this one); `Ok(None)` if it does not exist.
    ///
    /// # Errors
    /// Where it is no folder, is reached through a link, or cannot be opened.
    pub fn open_dir(&self, path: impl AsRef<Path>) -> Result<Option<Self>, Fault> {
        match open_beneath(&self.fd, path.as_ref(), FOLDER) {
            Ok(fd) => Ok(Some(Self { fd })),
            Err(Errno::NOENT) => Ok(None),
            Err(err) => Err(err.into()),
        }
    }

    /// Opens the folder `path`; it and its missing parents are created.
    ///
    /// # Errors
    /// As [`Dir::open_dir`], and where one cannot be created.
    pub fn make_dirs(&self, path: impl AsRef<Path>) -> Result<Self, Fault> {
        let mut at = self.reopen()?;
        for name in path.as_ref().components() {
            match rustix::fs::mkdirat(&at.fd, name.as_os_str(), Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(err) => return Err(err.into()),
            }
            let missing = || Fault::from(Errno::NOENT);
            at = at.open_dir(name.as_os_str())?.ok_or_else(missing)?;
        }
        Ok(at)
    }

    /// Reads the regular file `path` of at most `limit` bytes; `Ok(None)` if it does not exist.
    ///
    /// # Errors
    /// Where it is not a regular file, larger, reached through a link, or cannot be read.
    pub fn read(&self, path: impl AsRef<Path>, limit: u64) -> Result<Option<FileContents>, Fault> {
        let fd = match open_beneath(&self.fd, path.as_ref(), FILE | OFlags::NOFOLLOW) {
            Ok(fd) => fd,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(err) => return Err(err.into()),
        };
        let (bytes, stat) = read_open(fd, limit)?;
        let mode = RawMode::from(stat.st_mode) & 0o7777;
        Ok(Some(FileContents { bytes, mode, uid: stat.st_uid, gid: stat.st_gid }))
    }

    /// Opens the regular file `path` for a caller that reads it in chunks with its own limit;
    /// `Ok(None)` if it does not exist.
    ///
    /// # Errors
    /// Where it is not a regular file, is reached through a link, or cannot be opened.
    pub fn open_file(&self, path: impl AsRef<Path>) -> Result<Option<File>, Fault> {
        let fd = match open_beneath(&self.fd, path.as_ref(), FILE | OFlags::NOFOLLOW) {
            Ok(fd) => fd,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(err) => return Err(err.into()),
        };
        crate::file::regular(&fd)?;
        Ok(Some(fd.into()))
    }

    /// The entries of this folder, sorted by name.
    ///
    /// # Errors
    /// Where there are more than `limit`, or they cannot be listed.
    pub fn entries(&self, limit: usize) -> Result<Vec<DirEntry>, Fault> {
        let mut entries = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            if entries.len() == limit {
                return Err(Fault::TooMany { limit });
            }
            let name = OsStr::from_bytes(name);
            let Some(kind) = kind_of(&self.fd, name, entry.file_type())? else { continue };
            entries.push(DirEntry { name: name.to_owned(), kind });
        }
        entries.sort();
        Ok(entries)
    }

    /// The type of `path`; `Ok(None)` if it does not exist.
    ///
    /// # Errors
    /// Where it is reached through a link, or the system refuses.
    pub fn kind(&self, path: impl AsRef<Path>) -> Result<Option<EntryKind>, Fault> {
        match self.parent_of(path.as_ref())? {
            Some((holder, name)) => kind_of(&holder.fd, &name, FileType::Unknown),
            None => Ok(None),
        }
    }

    /// The time at which the content or an attribute of the entry changed last (seconds and nanoseconds), which
    /// programs cannot choose; `None` if there is none. Links are not followed; an empty path is the folder itself.
    ///
    /// # Errors
    /// Where the path is outside, or cannot be looked at.
    pub fn changed_at(&self, path: impl AsRef<Path>) -> Result<Option<(i64, i64)>, Fault> {
        Ok(self.stat(path.as_ref())?.map(|it| (it.st_ctime, it.st_ctime_nsec as i64)))
    }

    fn stat(&self, path: &Path) -> Result<Option<rustix::fs::Stat>, Fault> {
        let found = match path.as_os_str().is_empty() {
            true => rustix::fs::fstat(&self.fd),
            false => {
                let Some((holder, name)) = self.parent_of(path)? else { return Ok(None) };
                rustix::fs::statat(&holder.fd, &name, AtFlags::SYMLINK_NOFOLLOW)
            }
        };
        match found {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(err) => Err(err.into()),
        }
    }

    /// Covers a name of the folders below an overlay's layer, which this folder is in, so that the overlay has no
    /// such entry. A name that is covered stays so. Every user may since Linux 5.8.
    ///
    /// # Errors
    /// Where the folder does not exist, or another entry has that name.
    pub fn white_out(&self, path: impl AsRef<Path>) -> Result<(), Fault> {
        let (holder, name) = self.parent_of(path.as_ref())?.ok_or(Fault::from(Errno::NOENT))?;
        let made =
            rustix::fs::mknodat(&holder.fd, &name, FileType::CharacterDevice, Mode::empty(), 0);
        match made {
            Err(Errno::EXIST) if self.kind(path)? == Some(EntryKind::Special) => Ok(()),
            made => Ok(made?),
        }
    }

    /// The permission bits of the entry, and of a file the number of its names in the upper half; `None` if there is
    /// none. Links are not followed; an empty path is the folder itself.
    ///
    /// # Errors
    /// Where the path is outside, or cannot be looked at.
    #[allow(clippy::useless_conversion, reason = "the number has 32 bits on some systems")]
    pub fn rights(&self, path: impl AsRef<Path>) -> Result<Option<[u64; 2]>, Fault> {
        Ok(self.stat(path.as_ref())?.map(|it| {
            let is_file = FileType::from_raw_mode(it.st_mode) == FileType::RegularFile;
            let names = if is_file { u64::from(it.st_nlink) } else { 0 };
            let owner = u64::from(it.st_uid) << 32 | u64::from(it.st_gid);
            [names << 32 | u64::from(it.st_mode & 0o7777), owner]
        }))
    }

    /// Creates a file and writes it. An existing entry of that name is unlinked first, so that nothing
    /// is written through a link or into a file with another hard link. The folder must exist.
    ///
    /// # Errors
    /// Where a folder has that name, or the file cannot be written.
    pub fn write_new(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Fault> {
        let missing = || Fault::from(Errno::NOENT);
        let (holder, name) = self.parent_of(path.as_ref())?.ok_or_else(missing)?;
        match rustix::fs::unlinkat(&holder.fd, &name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::ISDIR) => return Err(Fault::NotAFile),
            Err(err) => return Err(err.into()),
        }
        let mut file = create(&holder.fd, &name, 0o666)?;
        Ok(file.write_all(bytes)?)
    }

    /// Removes the file or link `path`; a missing path is no error.
    ///
    /// # Errors
    /// Where a folder has that name, or it cannot be removed.
    pub fn remove_file(&self, path: impl AsRef<Path>) -> Result<(), Fault> {
        self.unlink(path.as_ref(), AtFlags::empty())
    }

    /// Removes the empty folder `path`; a missing path is no error.
    ///
    /// # Errors
    /// Where it is not empty or no folder, or cannot be removed.
    pub fn remove_dir(&self, path: impl AsRef<Path>) -> Result<(), Fault> {
        self.unlink(path.as_ref(), AtFlags::REMOVEDIR)
    }

    fn unlink(&self, path: &Path, flags: AtFlags) -> Result<(), Fault> {
        let Some((holder, name)) = self.parent_of(path)? else { return Ok(()) };
        match rustix::fs::unlinkat(&holder.fd, &name, flags) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(Errno::ISDIR) => Err(Fault::NotAFile),
            Err(err) => Err(err.into()),
        }
    }

    /// Removes `path` and everything below it; a missing path is no error. Folders without
    /// permissions are made accessible through their descriptors. Links are removed, never followed,
    /// and mount points are not entered.
    ///
    /// # Errors
    /// Where something cannot be removed; other entries may be removed already.
    pub fn remove_all(&self, path: impl AsRef<Path>) -> Result<(), Fault> {
        match self.parent_of(path.as_ref())? {
            Some((holder, name)) => remove::remove(&holder.fd, &name),
            None => Ok(()),
        }
    }

    /// Copies the contents of this folder into `to`, which is empty: files with their permissions
    /// and times, links as links. Pipes, sockets and devices are left out, and so are set-id
    /// bits. Nothing is hard-linked: a process that writes the copy would write the original.
    ///
    /// # Errors
    /// Where a limit is exceeded, or something cannot be read or written.
    pub fn copy_all(&self, to: &Self, limits: CopyLimits) -> Result<(), Fault> {
        copy::copy(self, to, limits)
    }

    /// A second descriptor of this folder.
    ///
    /// # Errors
    /// Where the limit of open descriptors is reached.
    pub fn reopen(&self) -> Result<Self, Fault> {
        Ok(Self { fd: self.fd.try_clone()? })
    }

    /// The parent folder of `path` and its last name; `None` if that folder does not exist.
    pub(crate) fn parent_of(&self, path: &Path) -> Result<Option<(Self, OsString)>, Fault> {
        let Some(name) = path.file_name() else { return Err(Fault::Outside) };
        let holder = self.open_dir(path.parent().unwrap_or(Path::new("")))?;
        Ok(holder.map(|holder| (holder, name.to_owned())))
    }
}

impl AsFd for Dir {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl From<Dir> for OwnedFd {
    fn from(dir: Dir) -> Self {
        dir.fd
    }
}

/// The type of `name`. `listed` is the type from the listing, which not every file system reports.
/// `None` if the entry no longer exists.
pub(crate) fn kind_of(
    at: impl AsFd,
    name: &OsStr,
    listed: FileType,
) -> Result<Option<EntryKind>, Fault> {
    let found = match listed {
        FileType::Unknown => match rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => FileType::from_raw_mode(stat.st_mode),
            Err(Errno::NOENT) => return Ok(None),
            Err(err) => return Err(err.into()),
        },
        known => known,
    };
    Ok(Some(match found {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Special,
    }))
}

/// Creates a file that must not exist yet.
pub(crate) fn create(at: impl AsFd, name: &OsStr, mode: RawMode) -> Result<File, Fault> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(at, name, flags, Mode::from_raw_mode(mode))?.into())
}
