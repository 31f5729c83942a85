//! Opens paths below a descriptor without following links: by `openat2`, or one name at a time where
//! the kernel or a container does not offer it.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Flags to list a folder, or to reach its entries.
pub(crate) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Flags to read a file. NONBLOCK prevents a pipe from blocking, NOCTTY a terminal from becoming the
/// controlling one.
pub(crate) const FILE: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// The components of `path`; `XDEV` if it is absolute or contains `..`.
fn names(path: &Path) -> Result<Vec<&OsStr>, Errno> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => return Err(Errno::XDEV),
        }
    }
    Ok(names)
}

/// Opens `path` below `base` without following any link; the empty path is `base` itself.
#[cfg(target_os = "linux")]
pub(crate) fn open_beneath(base: impl AsFd, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    if names(path)?.is_empty() {
        return open_stepwise(base, path, flags);
    }
    // A link is refused wherever it is; with O_NOFOLLOW a last one would be "not a folder".
    let flags = flags.difference(OFlags::NOFOLLOW);
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    // EAGAIN: a folder on the path was renamed at the same moment.
    for _ in 0..64 {
        match rustix::fs::openat2(&base, path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            // Old kernels, and containers whose seccomp filter blocks openat2.
            Err(Errno::NOSYS | Errno::PERM) => return open_stepwise(base, path, flags),
            result => return result,
        }
    }
    Err(Errno::AGAIN)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn open_beneath(base: impl AsFd, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    open_stepwise(base, path, flags)
}

/// The same, one component at a time; each folder is pinned by its descriptor.
fn open_stepwise(base: impl AsFd, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let names = names(path)?;
    let Some((last, folders)) = names.split_last() else {
        return rustix::fs::openat(base, ".", flags, Mode::empty());
    };
    let mut folder: Option<OwnedFd> = None;
    for name in folders {
        folder = Some(match &folder {
            None => open_name(&base, name, FOLDER)?,
            Some(at) => open_name(at, name, FOLDER)?,
        });
    }
    match &folder {
        None => open_name(&base, last, flags | OFlags::NOFOLLOW),
        Some(at) => open_name(at, last, flags | OFlags::NOFOLLOW),
    }
}

/// Opens one name in a folder; a link is `LOOP`.
pub(crate) fn open_name(at: impl AsFd, name: &OsStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::{AtFlags, FileType};
    match rustix::fs::openat(&at, name, flags, Mode::empty()) {
        // With O_DIRECTORY and O_NOFOLLOW a link is reported as ENOTDIR.
        Err(Errno::NOTDIR) => {
            let stat = rustix::fs::statat(&at, name, AtFlags::SYMLINK_NOFOLLOW)?;
            let is_link = FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
            Err(if is_link { Errno::LOOP } else { Errno::NOTDIR })
        }
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stepwise_fallback_returns_what_openat2_returns() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("a")).unwrap();
        std::fs::write(dir.path().join("a/f"), "x").unwrap();
        std::os::unix::fs::symlink("a", dir.path().join("l")).unwrap();
        std::os::unix::fs::symlink("f", dir.path().join("a/k")).unwrap();
        let root = std::fs::File::open(dir.path()).unwrap();
        for flags in [FILE | OFlags::NOFOLLOW, FOLDER] {
            for path in ["a/f", "a", "l", "l/f", "a/k", "none", "a/none/x", "a/f/x", "..", ""] {
                let path = Path::new(path);
                let one = open_beneath(&root, path, flags).map(drop);
                let two = open_stepwise(&root, path, flags).map(drop);
                assert_eq!(one, two, "{} {flags:?}", path.display());
            }
        }
    }
}
