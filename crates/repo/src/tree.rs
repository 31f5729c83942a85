//! The user's tree through file descriptors: each name is resolved below the root, and no
//! symbolic link is followed anywhere on the way.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use base::ProjectPath;
use edit::{FileState, Unreadable};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

/// An open project root.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    fd: OwnedFd,
}

/// A regular file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) bytes: Vec<u8>,
    /// The permission bits, set-id bits included.
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Found {
    pub(crate) fn executable(&self) -> bool {
        is_executable(self.mode)
    }
}

/// What the owner may run counts as executable, as git sees it.
pub(crate) fn is_executable(mode: u32) -> bool {
    mode & 0o100 != 0
}

impl Tree {
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(root, flags, Mode::empty())?;
        Ok(Self { root: root.to_owned(), fd })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder that holds `path`, opened for reading (so that it can be synced).
    pub(crate) fn parent(&self, path: &ProjectPath) -> io::Result<OwnedFd> {
        self.folder(path.parent().as_ref())
    }

    /// A folder; `None` is the root.
    pub(crate) fn folder(&self, path: Option<&ProjectPath>) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match path {
            None => Ok(self.fd.try_clone()?),
            Some(path) => Ok(open_beneath(&self.fd, path.as_str(), flags)?),
        }
    }

    /// Reads a regular file; `Ok(None)` where nothing has that name.
    pub(crate) fn read(&self, path: &ProjectPath) -> Result<Option<Found>, Unreadable> {
        read_beneath(&self.fd, path.as_str())
    }

    /// Reads a regular file as text.
    pub(crate) fn read_text(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let Some(found) = self.read(path)? else { return Ok(None) };
        let executable = found.executable();
        let text = String::from_utf8(found.bytes).map_err(|_| Unreadable::NotUtf8)?;
        Ok(Some(FileState { text: text.into(), executable }))
    }

    /// The permission bits of a folder; `None` where there is none. A link or a file in its
    /// place is an error.
    pub(crate) fn folder_mode(&self, path: &ProjectPath) -> io::Result<Option<u32>> {
        match self.folder(Some(path)) {
            Ok(fd) => Ok(Some(rustix::fs::fstat(&fd)?.st_mode & 0o7777)),
            Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(err) => Err(err),
        }
    }
}

/// Reads the regular file `path` below the folder `base`.
pub(crate) fn read_beneath(base: impl AsFd, path: &str) -> Result<Option<Found>, Unreadable> {
    // NONBLOCK keeps a FIFO that stands in the file's place from hanging us.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = match open_beneath(base, path, flags) {
        Ok(fd) => fd,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        Err(Errno::LOOP | Errno::XDEV) => return Err(Unreadable::Symlink),
        // A socket, or a device without a driver.
        Err(Errno::NXIO | Errno::NODEV) => return Err(Unreadable::NotAFile),
        Err(err) => return Err(Unreadable::Io(io::Error::from(err).to_string())),
    };
    let io = |err: io::Error| Unreadable::Io(err.to_string());
    let stat = rustix::fs::fstat(&fd).map_err(|err| io(err.into()))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(Unreadable::NotAFile);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.st_size).unwrap_or(0));
    File::from(fd).read_to_end(&mut bytes).map_err(io)?;
    Ok(Some(Found { bytes, mode: stat.st_mode & 0o7777, uid: stat.st_uid, gid: stat.st_gid }))
}

/// Opens `path` below `base` without following any link.
#[cfg(target_os = "linux")]
fn open_beneath(base: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    // The kernel answers EAGAIN when somebody renames folders at the same moment.
    for _ in 0..64 {
        match rustix::fs::openat2(&base, path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            // Old kernels, and containers whose filter knows no openat2.
            Err(Errno::NOSYS | Errno::PERM) => return open_stepwise(base, path, flags),
            result => return result,
        }
    }
    Err(Errno::AGAIN)
}

#[cfg(not(target_os = "linux"))]
fn open_beneath(base: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    open_stepwise(base, path, flags)
}

/// The same one name at a time; each folder is pinned by its descriptor before the next step.
fn open_stepwise(base: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = |at: &dyn Fn(&str, OFlags) -> Result<OwnedFd, Errno>, name: &str, flags| {
        match at(name, flags) {
            // O_DIRECTORY with O_NOFOLLOW calls a link "not a folder".
            Err(Errno::NOTDIR) if flags == step => Err(Errno::LOOP),
            result => result,
        }
    };
    let mut folder: Option<OwnedFd> = None;
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        if name.is_empty() || name == "." || name == ".." {
            return Err(Errno::XDEV);
        }
        let wanted = if names.peek().is_some() { step } else { flags | OFlags::NOFOLLOW };
        let fd = match &folder {
            None => open(&|n, f| rustix::fs::openat(&base, n, f, Mode::empty()), name, wanted)?,
            Some(at) => open(&|n, f| rustix::fs::openat(at, n, f, Mode::empty()), name, wanted)?,
        };
        folder = Some(fd);
    }
    folder.ok_or(Errno::NOENT)
}

/// What to say of a file that cannot be taken as text.
pub(crate) fn describe(why: &Unreadable) -> String {
    match why {
        Unreadable::NotUtf8 => "it is not UTF-8 text".to_owned(),
        Unreadable::Symlink => "it is, or lies behind, a symbolic link".to_owned(),
        Unreadable::NotAFile => "it is not a regular file".to_owned(),
        Unreadable::Io(reason) => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stepwise_way_answers_as_the_kernels_way() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("a")).unwrap();
        std::fs::write(dir.path().join("a/f"), "x").unwrap();
        std::os::unix::fs::symlink("a", dir.path().join("l")).unwrap();
        std::os::unix::fs::symlink("f", dir.path().join("a/k")).unwrap();
        let tree = Tree::open(dir.path()).unwrap();
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for path in ["a/f", "a", "l/f", "a/k", "none", "a/none/x"] {
            let one = open_beneath(&tree.fd, path, flags).map(drop);
            let two = open_stepwise(&tree.fd, path, flags).map(drop);
            assert_eq!(one, two, "{path}");
        }
    }
}
