//! The user's tree through file descriptors: each name is resolved below the root, and no
//! symbolic link is followed anywhere on the way (`untrusted_fs`).

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use base::ProjectPath;
use edit::{FileState, Unreadable};
use untrusted_fs::{Dir, Fault};

/// The maximum size of a file in bytes: a larger one is not a text, but a hole or a device's output.
const LARGEST: u64 = 1 << 30;

/// An open project root.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    dir: Dir,
}

/// The content of a regular file.
pub(crate) use untrusted_fs::FileContents;

/// Whether the owner may execute the file, as in git.
pub(crate) fn is_executable(mode: u32) -> bool {
    mode & 0o100 != 0
}

impl Tree {
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        Ok(Self { root: root.to_owned(), dir: Dir::open(root)? })
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
        match self.dir.open_dir(path.map_or("", ProjectPath::as_str))? {
            Some(dir) => Ok(dir.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Reads a regular file; `Ok(None)` if it does not exist.
    pub(crate) fn read(&self, path: &ProjectPath) -> Result<Option<FileContents>, Unreadable> {
        self.dir.read(path.as_str(), LARGEST).map_err(unreadable)
    }

    /// Reads a regular file as text.
    pub(crate) fn read_text(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let Some(found) = self.read(path)? else { return Ok(None) };
        let executable = is_executable(found.mode);
        let text = String::from_utf8(found.bytes).map_err(|_| Unreadable::NotUtf8)?;
        Ok(Some(FileState { text: text.into(), executable }))
    }

    /// The permission bits of a folder; `None` if there is none. A link or a file in its
    /// place is an error.
    pub(crate) fn folder_mode(&self, path: &ProjectPath) -> io::Result<Option<u32>> {
        match self.dir.open_dir(path.as_str())? {
            Some(dir) => Ok(Some(rustix::fs::fstat(&dir)?.st_mode & 0o7777)),
            None => Ok(None),
        }
    }
}

/// Reads the regular file `path` below the folder `base`.
pub(crate) fn read_beneath(
    base: impl AsFd,
    path: &str,
) -> Result<Option<FileContents>, Unreadable> {
    let dir = base.as_fd().try_clone_to_owned().map_err(|err| Unreadable::Io(err.to_string()))?;
    Dir::from_fd(dir).read(path, LARGEST).map_err(unreadable)
}

fn unreadable(fault: Fault) -> Unreadable {
    match fault {
        Fault::Link | Fault::Outside => Unreadable::Symlink,
        Fault::NotAFile => Unreadable::NotAFile,
        other => Unreadable::Io(other.to_string()),
    }
}

/// The message for a file that cannot be read as text.
pub(crate) fn describe(why: &Unreadable) -> String {
    match why {
        Unreadable::NotUtf8 => "it is not UTF-8 text".to_owned(),
        Unreadable::Symlink => "it is a symbolic link, or is reached through one".to_owned(),
        Unreadable::NotAFile => "it is not a regular file".to_owned(),
        Unreadable::Closed { reason } => (*reason).to_owned(),
        Unreadable::Io(reason) => reason.clone(),
    }
}
