//! Folders: locks, hashes of what lies in them, copies that keep times, removal of what a
//! sandboxed process left.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{ContentHash, Ctx};

use crate::CargoError;

pub(super) fn open_lock(path: &Path) -> Result<File, CargoError> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .read(true)
        .open(path)
        .map_err(CargoError::io("open", path))
}

/// Waits for a lock as long as nobody asks to stop.
pub(super) fn wait_for(
    ctx: &Ctx,
    lock: &File,
    path: &Path,
    shared: bool,
) -> Result<(), CargoError> {
    loop {
        let result = if shared { lock.try_lock_shared() } else { lock.try_lock() };
        match result {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => {
                ctx.alive()?;
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::Error(source)) => {
                return Err(CargoError::Io { action: "lock", path: path.to_owned(), source });
            }
        }
    }
}

/// The hash of one file's bytes; `None` where there is no such file.
pub(super) fn hash_file(path: &Path) -> Option<ContentHash> {
    fs::read(path).ok().map(|bytes| ContentHash::of(&bytes))
}

/// Every file below `dir` by content, build outputs and `.git` passed over. What cannot be read
/// is passed over too: it was not read by a build either.
pub(super) fn hash_folder(dir: &Path, found: &mut BTreeMap<PathBuf, ContentHash>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if entry.file_name() != ".git" && !is_target(&path) {
                hash_folder(&path, found);
            }
        } else if let Some(hash) = hash_file(&path) {
            found.insert(path, hash);
        }
    }
}

/// cargo marks its target directories.
fn is_target(dir: &Path) -> bool {
    dir.join("CACHEDIR.TAG").is_file()
}

/// Copies a folder with the times of its files, which cargo compares with each other. Never by
/// hard link: whoever runs in the copy could write through it.
pub(super) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_folder(&source, &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_file() {
            // `fs::copy` shares blocks where the file system can.
            fs::copy(&source, &target)?;
            let metadata = entry.metadata()?;
            let times = FileTimes::new().set_modified(metadata.modified()?);
            File::options().write(true).open(&target)?.set_times(times)?;
        }
    }
    Ok(())
}

/// Removes a folder that a sandboxed process wrote: folders may have lost their permissions.
pub(super) fn remove(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(dir)?;
            fs::remove_dir_all(dir)
        }
        other => other,
    }
}

fn open_up(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}
