//! Views by copy, for systems without mounts. Unchanged files keep their times, so that cargo's
//! fingerprints stay valid; nothing is hard-linked, because a process in the view may be let
//! write, and a hard link would be the user's file.

use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use base::Ctx;
use rayon::prelude::*;
use sandbox::{Mount, Sandbox, View};

use crate::error::RepoError;
use crate::plan::ancestors;
use crate::replace::with_executable;
use crate::tracked::Tracked;
use crate::view::Made;
use crate::view_request::{Request, can_mount, shown_at};
use crate::walk::is_rebuilt_or_git;

/// Copies the project and its path dependencies, the latter at the same relative path.
pub(crate) fn make(
    request: &Request<'_>,
    sandbox: &Sandbox,
    dir: &Path,
) -> Result<Made, RepoError> {
    let root = request.project.root();
    let common = common_ancestor(root, request.outside);
    let place = |original: &Path| match original.strip_prefix(&common) {
        Ok(below) if below.as_os_str().is_empty() => dir.join("tree"),
        Ok(below) => dir.join("tree").join(below),
        Err(_) => dir.join("tree"),
    };
    let copy = place(root);
    let shown = |original: &Path, copy: &Path| match can_mount(sandbox) {
        true => original.to_owned(),
        false => copy.to_owned(),
    };
    copy_tree(request, root, &copy, &shown(root, &copy))?;
    write_changes(request, &copy)?;
    let (mount, folder) = shown_at(sandbox, copy.clone(), root);
    let (mut mounts, mut folders) = (vec![mount], vec![folder]);
    for folder in request.outside {
        let copy = place(folder);
        copy_tree(request, folder, &copy, &shown(folder, &copy))?;
        // Without mounts a manifest that names the folder by an absolute path finds the
        // original, which then is read-only.
        if !can_mount(sandbox) {
            mounts.push(Mount::ReadOnly { host: folder.clone(), inside: folder.clone() });
        }
        let (mount, folder) = shown_at(sandbox, copy, folder);
        mounts.push(mount);
        folders.push(folder);
    }
    Ok(Made { view: View { mounts }, root: shown(root, &copy), folders })
}

fn common_ancestor(root: &Path, outside: &[PathBuf]) -> PathBuf {
    let mut common = root.to_owned();
    for folder in outside {
        while !folder.starts_with(&common) && common.pop() {}
    }
    common
}

/// One thing to copy.
enum Item {
    Folder(PathBuf),
    File(PathBuf),
    Link(PathBuf),
}

impl Item {
    /// Its path below the copied folder.
    fn path(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::File(path) | Self::Link(path) => path,
        }
    }
}

/// Copies everything but git folders and build output; ignored files are copied, because a
/// build may read them. `shown` is where the view shows the copy.
pub(crate) fn copy_tree(
    request: &Request<'_>,
    from: &Path,
    to: &Path,
    shown: &Path,
) -> Result<(), RepoError> {
    let fail = |path: &Path, err: &io::Error| RepoError::View {
        reason: format!("copying `{}`: {err}", path.display()),
    };
    let cache = request.project.cache_dir();
    let mut items = Vec::new();
    let tracked = Tracked::of(from);
    list(request.ctx, from, Path::new(""), (&cache, &tracked), &mut items)?;
    if from == request.project.root() {
        items.retain(|it| !base::is_within_any(it.path(), request.closed));
    }
    std::fs::create_dir_all(to).map_err(|err| fail(to, &err))?;
    for item in &items {
        if let Item::Folder(path) = item {
            match std::fs::create_dir(to.join(path)) {
                Err(err) if err.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(fail(path, &err));
                }
                _ => {}
            }
        }
    }
    request.ctx.check_cancelled()?;
    let clones = AtomicBool::new(true);
    items.par_iter().try_for_each(|item| match item {
        Item::Folder(_) => Ok(()),
        Item::File(path) => {
            copy_file(&from.join(path), &to.join(path), &clones).map_err(|err| fail(path, &err))
        }
        Item::Link(path) => {
            copy_link(from, &from.join(path), shown, &to.join(path)).map_err(|err| fail(path, &err))
        }
    })?;
    request.ctx.check_cancelled()?;
    // Innermost first, after the files: writing a file renews its folder's time.
    for item in items.iter().rev() {
        if let Item::Folder(path) = item {
            keep_folder(&from.join(path), &to.join(path)).map_err(|err| fail(path, &err))?;
        }
    }
    keep_folder(from, to).map_err(|err| fail(to, &err))
}

fn list(
    ctx: &Ctx,
    root: &Path,
    below: &Path,
    (cache, tracked): (&Path, &Tracked),
    items: &mut Vec<Item>,
) -> Result<(), RepoError> {
    ctx.check_cancelled()?;
    let folder = root.join(below);
    let fail = |err: io::Error| RepoError::Read { path: folder.clone(), reason: err.to_string() };
    for entry in std::fs::read_dir(&folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let kind = entry.file_type().map_err(fail)?;
        let path = below.join(entry.file_name());
        if kind.is_dir() {
            if is_rebuilt_or_git(root, tracked, &entry.path()) || cache.starts_with(entry.path()) {
                continue;
            }
            items.push(Item::Folder(path.clone()));
            list(ctx, root, &path, (cache, tracked), items)?;
        } else if kind.is_symlink() {
            items.push(Item::Link(path));
        } else if kind.is_file() && entry.file_name() != ".git" {
            items.push(Item::File(path));
        }
        // Sockets, pipes and devices are not sources.
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path, clones: &AtomicBool) -> io::Result<()> {
    let mut source = File::open(from)?;
    let meta = source.metadata()?;
    let mode = meta.mode() & 0o7777 | 0o600;
    let mut target = File::options().write(true).create(true).truncate(true).mode(mode).open(to)?;
    if !(clones.load(Ordering::Relaxed) && reflink(&source, &target, clones)) {
        if meta.len() <= SMALL {
            let mut bytes = Vec::with_capacity(SMALL as usize);
            source.read_to_end(&mut bytes)?;
            target.write_all(&bytes)?;
        } else {
            io::copy(&mut source, &mut target)?;
        }
    }
    if target.metadata()?.mode() & 0o7777 != mode {
        target.set_permissions(Permissions::from_mode(mode))?;
    }
    target.set_modified(meta.modified()?)
}

/// The size in bytes up to which a read and a write are cheaper than a copy by the kernel.
const SMALL: u64 = 256 << 10;

/// Lets the two files share their blocks until one is written; notes where that does not work.
#[cfg(target_os = "linux")]
fn reflink(source: &File, target: &File, clones: &AtomicBool) -> bool {
    let works = rustix::fs::ioctl_ficlone(target, source).is_ok();
    if !works {
        clones.store(false, Ordering::Relaxed);
    }
    works
}

#[cfg(not(target_os = "linux"))]
fn reflink(_: &File, _: &File, clones: &AtomicBool) -> bool {
    clones.store(false, Ordering::Relaxed);
    false
}

/// A link keeps its text; an absolute link into the project becomes a link into the copy. A link out
/// of the project has no target inside the view.
fn copy_link(from_root: &Path, from: &Path, shown: &Path, to: &Path) -> io::Result<()> {
    let target = std::fs::read_link(from)?;
    let target = match target.strip_prefix(from_root) {
        Ok(below) => shown.join(below),
        Err(_) => target,
    };
    match std::fs::remove_file(to) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
        _ => {}
    }
    std::os::unix::fs::symlink(target, to)
}

fn keep_folder(from: &Path, to: &Path) -> io::Result<()> {
    let meta = std::fs::metadata(from)?;
    let folder = File::open(to)?;
    folder.set_permissions(Permissions::from_mode(meta.mode() & 0o7777 | 0o700))?;
    folder.set_modified(meta.modified()?)
}

/// Writes the overlay's files over the copy, and the extra ones.
pub(crate) fn write_changes(request: &Request<'_>, copy: &Path) -> Result<(), RepoError> {
    for (path, change) in request.overlay.changes() {
        let fail = |err: io::Error| RepoError::View { reason: format!("`{path}`: {err}") };
        let target = path.join_to(copy);
        refuse_links(copy, &target).map_err(fail)?;
        let Some(state) = &change.after else {
            match std::fs::remove_file(&target) {
                Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(fail(err)),
                _ => {}
            }
            // Folders that the change empties are removed, as when it is applied.
            for folder in ancestors(path).iter().rev() {
                if std::fs::remove_dir(folder.join_to(copy)).is_err() {
                    break;
                }
            }
            continue;
        };
        write(&target, state.text.as_bytes(), state.executable).map_err(fail)?;
    }
    for (path, bytes) in request.extra {
        let target = path.join_to(copy);
        let written = refuse_links(copy, &target).and_then(|()| write(&target, bytes, false));
        written.map_err(|err| RepoError::View { reason: format!("`{path}`: {err}") })?;
    }
    Ok(())
}

fn write(target: &Path, bytes: &[u8], executable: bool) -> io::Result<()> {
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = File::create(target)?;
    file.write_all(bytes)?;
    let mode = with_executable(file.metadata()?.mode() & 0o7777, executable);
    file.set_permissions(Permissions::from_mode(mode))
}

/// A link in the copy may lead out of it: nothing is written through one.
fn refuse_links(copy: &Path, target: &Path) -> io::Result<()> {
    let mut at = target;
    while at != copy {
        if at.is_symlink() {
            return Err(io::Error::other("it is a symbolic link, or is reached through one"));
        }
        match at.parent() {
            Some(parent) => at = parent,
            None => break,
        }
    }
    Ok(())
}
