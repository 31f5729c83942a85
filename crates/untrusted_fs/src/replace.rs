//! Files that are replaced as a whole, and lock files, in an open folder.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, RawMode};
use rustix::io::Errno;

use crate::dir::create;
use crate::file::regular;
use crate::open::open_name;
use crate::{Dir, Fault};

/// The prefix of unfinished files.
const UNFINISHED: &str = ".unfinished-";
/// How many names are tried for an unfinished file.
const NAMES: usize = 1000;
/// The number of entries among which unfinished files are looked for.
const SWEPT: usize = 10_000;

/// Flags to open a lock file; NONBLOCK because a pipe may have its name.
const LOCK: OFlags = OFlags::RDWR
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

impl Dir {
    /// Replaces the file `path` by `parts`, in one rename of a new file with a fresh name: readers see
    /// the old content or the new, nothing is written through a link or into a file with another hard
    /// link, and an entry that has the fresh name is left alone. The folder must exist. Not synced.
    ///
    /// # Errors
    /// Where a folder has that name, or the file cannot be written; `path` is as before.
    pub fn replace(
        &self,
        path: impl AsRef<Path>,
        parts: &[&[u8]],
        mode: RawMode,
    ) -> Result<(), Fault> {
        let missing = || Fault::from(Errno::NOENT);
        let (holder, name) = self.parent_of(path.as_ref())?.ok_or_else(missing)?;
        let (mut file, temporary) = holder.create_fresh(mode)?;
        let written = parts.iter().try_for_each(|part| file.write_all(part)).map_err(Fault::from);
        let replaced = written.and_then(|()| {
            match rustix::fs::renameat(&holder, &temporary, &holder, &name) {
                Err(Errno::ISDIR) => Err(Fault::NotAFile),
                result => Ok(result?),
            }
        });
        if replaced.is_err() {
            // What stays is swept later, or is a file that holds nothing secret.
            let _ = rustix::fs::unlinkat(&holder, &temporary, AtFlags::empty());
        }
        replaced
    }

    /// Creates a file without a name, which vanishes when it is closed.
    ///
    /// # Errors
    /// Where it cannot be created.
    pub fn create_unnamed(&self) -> Result<File, Fault> {
        let (file, name) = self.create_fresh(0o600)?;
        rustix::fs::unlinkat(self, &name, AtFlags::empty())?;
        Ok(file)
    }

    fn create_fresh(&self, mode: RawMode) -> Result<(File, String), Fault> {
        let process = rustix::process::getpid().as_raw_nonzero();
        for number in 0..NAMES {
            let name = format!("{UNFINISHED}{process}-{number}");
            match create(self, OsStr::new(&name), mode) {
                Err(Fault::Io(err)) if err.kind() == std::io::ErrorKind::AlreadyExists => {}
                created => {
                    let file = created?;
                    // For sweeps of others; where there are no locks, they may remove it.
                    let _ = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive);
                    return Ok((file, name));
                }
            }
        }
        Err(Fault::from(Errno::EXIST))
    }

    /// Removes the unfinished files of killed processes. Those of living ones are locked.
    pub fn sweep_unfinished(&self) {
        for entry in self.entries(SWEPT).unwrap_or_default() {
            let is_unfinished = entry.name.to_string_lossy().starts_with(UNFINISHED);
            if is_unfinished && !self.is_locked(&entry.name) {
                // A file that stays is harmless.
                let _ = self.remove_file(&entry.name);
            }
        }
    }

    fn is_locked(&self, name: &OsStr) -> bool {
        let file = open_name(self, name, LOCK).ok().filter(|fd| regular(fd).is_ok());
        let once = FlockOperation::NonBlockingLockExclusive;
        file.is_some_and(|file| rustix::fs::flock(&file, once).is_err())
    }

    /// Opens the lock file `name` in this folder, which is created if it is missing.
    ///
    /// # Errors
    /// Where it is not a regular file, or cannot be opened.
    pub fn open_lock(&self, name: &str) -> Result<File, Fault> {
        let flags = LOCK | OFlags::CREATE;
        let fd = rustix::fs::openat(self, name, flags, Mode::RUSR | Mode::WUSR)?;
        regular(&fd)?;
        Ok(fd.into())
    }

    /// Whether another process holds the lock file `name`, or this folder itself ([`crate::claim`]).
    pub fn is_in_use(&self, name: &str) -> bool {
        // A descriptor of its own, whose lock ends with it. Not every file system can lock a folder.
        let folder = self.open_dir("").ok().flatten();
        let is_claimed = folder.is_some_and(|folder| {
            let once = FlockOperation::NonBlockingLockExclusive;
            rustix::fs::flock(&folder, once) == Err(Errno::WOULDBLOCK)
        });
        is_claimed || self.is_locked(OsStr::new(name))
    }
}
