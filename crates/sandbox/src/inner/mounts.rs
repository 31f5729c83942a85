//! The new root: everything is opened first, in the host's tree, as detached mounts; then the
//! root is attached, the parts are moved to their mount points, and the host's tree is detached.
//! No path of the host is resolved after the first part, no path of the job ever crosses a symlink.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags,
    OpenTreeFlags, UnmountFlags, fsconfig_create, fsconfig_set_flag, fsconfig_set_string, fsmount,
    fsopen, mount_change, move_mount, open_tree, unmount,
};

use super::Failure;
use crate::sys;
use crate::wire::{Part, Stage};

/// The root holds mount points and a few small files.
const ROOT_BYTES: u64 = 16 << 20;

/// Builds the root out of `parts` and enters it.
pub(super) fn enter_new_root(parts: &[Part], degraded: &mut Vec<String>) -> Result<(), Failure> {
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)
        .map_err(Failure::other("making the mounts private"))?;
    let mut opened = Vec::with_capacity(parts.len());
    for part in parts {
        opened.push(open_part(part, degraded)?);
    }
    let root = tmpfs(ROOT_BYTES, 0o755).map_err(Failure::other("the root"))?;
    // Any folder can be the mount point: from here on nothing is looked up in the host's tree.
    move_mount(root.as_fd(), "", CWD, "/usr", MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
        .map_err(Failure::other("attaching the root"))?;
    for (part, tree) in parts.iter().zip(opened) {
        place(root.as_fd(), part, tree)?;
    }
    sys::set_mount_attributes(root.as_fd(), libc::MOUNT_ATTR_RDONLY, false)
        .map_err(Failure::other("making the root read-only"))?;
    rustix::process::fchdir(root.as_fd()).map_err(Failure::other("entering the root"))?;
    rustix::process::pivot_root(".", ".").map_err(Failure::other("changing the root"))?;
    unmount(".", UnmountFlags::DETACH).map_err(Failure::other("detaching the host's tree"))?;
    rustix::process::chdir("/").map_err(Failure::other("entering the root"))?;
    Ok(())
}

/// The part as a detached mount; `None` if it is made in place or not available.
fn open_part(part: &Part, degraded: &mut Vec<String>) -> Result<Option<OwnedFd>, Failure> {
    match part {
        Part::Folder { .. } | Part::Symlink { .. } | Part::File { .. } => Ok(None),
        Part::Bind { from, to, writable, device } => {
            bind(from, *writable, *device).map(Some).map_err(|error| {
                Failure::new(Stage::Mount(to.clone()), format!("{}: {error}", from.display()))
            })
        }
        Part::Overlay { lowers, upper, to } => overlay(lowers, upper.as_ref())
            .map(Some)
            .map_err(|error| Failure::new(Stage::Overlay(to.clone()), error)),
        Part::Tmpfs { to, bytes, mode } => tmpfs(*bytes, *mode)
            .map(Some)
            .map_err(|error| Failure::new(Stage::Mount(to.clone()), error)),
        // A hidden path may be a file: then the null device is mounted over it with `nodev`.
        Part::Hidden { to } => bind(OsStr::new("/dev/null"), false, false)
            .map(Some)
            .map_err(|error| Failure::new(Stage::Mount(to.clone()), error)),
        Part::Proc { .. } => match proc() {
            Ok(tree) => Ok(Some(tree)),
            // Inside containers that mask parts of /proc the kernel refuses a new one.
            Err(error) => {
                degraded.push(format!("no /proc inside: {error}"));
                Ok(None)
            }
        },
    }
}

fn bind(from: &OsStr, writable: bool, device: bool) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, from, flags)?;
    let mut attributes = libc::MOUNT_ATTR_NOSUID;
    if !device {
        attributes |= libc::MOUNT_ATTR_NODEV;
    }
    if !writable {
        attributes |= libc::MOUNT_ATTR_RDONLY;
    }
    sys::set_mount_attributes(tree.as_fd(), attributes, true)?;
    Ok(tree)
}

fn tmpfs(bytes: u64, mode: u32) -> rustix::io::Result<OwnedFd> {
    let context = fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_set_string(context.as_fd(), "size", bytes.to_string())?;
    fsconfig_set_string(context.as_fd(), "mode", format!("{mode:o}"))?;
    fsconfig_create(context.as_fd())?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)
}

/// Read-only: a job that runs as the host's root could else write the kernel's settings.
fn proc() -> rustix::io::Result<OwnedFd> {
    let context = fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_create(context.as_fd())?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC
        | MountAttrFlags::MOUNT_ATTR_RDONLY;
    fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)
}

fn overlay(
    lowers: &[OsString],
    upper: Option<&(OsString, OsString)>,
) -> rustix::io::Result<OwnedFd> {
    let context = fsopen("overlay", FsOpenFlags::FSOPEN_CLOEXEC)?;
    // By descriptor: names with colons or commas, or longer than 255 bytes, are not accepted.
    let open = |path: &OsString| {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open(path, flags, Mode::empty())
    };
    let shown = |folder: &OwnedFd| format!("/proc/self/fd/{}", folder.as_raw_fd());
    let lowers = lowers.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let joined = lowers.iter().map(shown).collect::<Vec<_>>().join(":");
    fsconfig_set_string(context.as_fd(), "lowerdir", joined)?;
    if let Some((folder, work)) = upper {
        let (folder, work) = (open(folder)?, open(work)?);
        for (key, folder) in [("upperdir", &folder), ("workdir", &work)] {
            fsconfig_set_string(context.as_fd(), key, shown(folder))?;
        }
        // Else each copy into the layer waits for the disk. No layer outlives a failure of the machine, so
        // the mark that forbids another mount of it can go.
        fsconfig_set_flag(context.as_fd(), "volatile")?;
        match rustix::fs::unlinkat(&work, "work/incompat/volatile", AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(error),
        }
    }
    fsconfig_set_flag(context.as_fd(), "userxattr")?;
    fsconfig_create(context.as_fd())?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)
}

fn place(root: BorrowedFd<'_>, part: &Part, tree: Option<OwnedFd>) -> Result<(), Failure> {
    let (Part::Folder { to }
    | Part::Symlink { to, .. }
    | Part::File { to, .. }
    | Part::Bind { to, .. }
    | Part::Overlay { to, .. }
    | Part::Tmpfs { to, .. }
    | Part::Hidden { to }
    | Part::Proc { to }) = part;
    put(root, Path::new(to), part, tree).map_err(|error| {
        let cause = match error {
            Errno::LOOP => "a symlink is in the way".to_owned(),
            Errno::ROFS => "the place is missing in a read-only mount".to_owned(),
            other => io::Error::from(other).to_string(),
        };
        Failure::new(Stage::Mount(to.clone()), cause)
    })
}

fn put(
    root: BorrowedFd<'_>,
    to: &Path,
    part: &Part,
    tree: Option<OwnedFd>,
) -> rustix::io::Result<()> {
    let Some(name) = to.file_name() else { return Err(Errno::INVAL) };
    let parent = folder(root, to.parent().unwrap_or(Path::new("/")))?;
    match part {
        Part::Symlink { target, .. } => rustix::fs::symlinkat(target, parent.as_fd(), name)?,
        Part::File { content, .. } => {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let file = rustix::fs::openat(parent.as_fd(), name, flags, Mode::from(0o644))?;
            rustix::io::write(file.as_fd(), content.as_bytes())?;
        }
        Part::Bind { .. } => {
            let Some(tree) = tree else { return Err(Errno::INVAL) };
            let kind = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&tree)?.st_mode);
            if kind == rustix::fs::FileType::Directory {
                return attach(&tree, &folder(root, to)?);
            }
            let target = match look_up(parent.as_fd(), Path::new(name), OFlags::empty()) {
                Err(Errno::NOENT) => {
                    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
                    rustix::fs::openat(parent.as_fd(), name, flags, Mode::from(0o644))?;
                    look_up(parent.as_fd(), Path::new(name), OFlags::empty())?
                }
                found => found?,
            };
            attach(&tree, &target)?;
        }
        Part::Hidden { .. } => {
            let target = look_up(parent.as_fd(), Path::new(name), OFlags::empty());
            let Ok(target) = target else { return Ok(()) };
            let kind = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&target)?.st_mode);
            let cover = match (kind, tree) {
                (rustix::fs::FileType::Directory, _) => {
                    let cover = tmpfs(4096, 0)?;
                    sys::set_mount_attributes(cover.as_fd(), libc::MOUNT_ATTR_RDONLY, false)
                        .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
                    cover
                }
                (_, Some(null)) => null,
                (_, None) => return Err(Errno::INVAL),
            };
            attach(&cover, &target)?;
        }
        Part::Folder { .. } | Part::Overlay { .. } | Part::Tmpfs { .. } | Part::Proc { .. } => {
            let target = folder(root, to)?;
            if let Some(tree) = tree {
                attach(&tree, &target)?;
            }
        }
    }
    Ok(())
}

fn attach(tree: &OwnedFd, target: &OwnedFd) -> rustix::io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    move_mount(tree.as_fd(), "", target.as_fd(), "", flags)
}

/// Opens a folder of the new root and creates missing parents.
fn folder(root: BorrowedFd<'_>, path: &Path) -> rustix::io::Result<OwnedFd> {
    let mut relative = std::path::PathBuf::new();
    for component in path.components() {
        match component {
            Component::RootDir | Component::CurDir => {}
            Component::Normal(name) => relative.push(name),
            Component::ParentDir | Component::Prefix(_) => return Err(Errno::INVAL),
        }
    }
    if relative.as_os_str().is_empty() {
        return look_up(root, Path::new("."), OFlags::DIRECTORY);
    }
    match look_up(root, &relative, OFlags::DIRECTORY) {
        Err(Errno::NOENT) => {}
        found => return found,
    }
    let mut at = look_up(root, Path::new("."), OFlags::DIRECTORY)?;
    for name in relative.components() {
        let name = Path::new(name.as_os_str());
        at = match look_up(at.as_fd(), name, OFlags::DIRECTORY) {
            Err(Errno::NOENT) => {
                rustix::fs::mkdirat(at.as_fd(), name, Mode::from(0o755))?;
                look_up(at.as_fd(), name, OFlags::DIRECTORY)?
            }
            found => found?,
        };
    }
    Ok(at)
}

fn look_up(root: BorrowedFd<'_>, path: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(root, path, flags | OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), how)
}
