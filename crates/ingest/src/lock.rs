//! The write lock of an index: one writer per project, across processes.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Ctx;
use rustix::fs::FlockOperation;

use crate::IngestError;

/// How long an update waits for another process that writes the map of the same project.
const PATIENCE: Duration = Duration::from_secs(120);

/// Name of the lock file.
const FILE: &str = "index.lock";

/// The right to write the map; the system frees it when the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Takes the lock if it is free.
pub(crate) fn lock_at_once(folder: &Path) -> Result<Lock, IngestError> {
    let (path, file) = open(folder)?;
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|err| IngestError::io("lock", &path)(err.into()))?;
    Ok(Lock { _file: file })
}

fn open(folder: &Path) -> Result<(PathBuf, File), IngestError> {
    let path = folder.join(FILE);
    let file = untrusted_fs::make_own(folder).and_then(|folder| folder.open_lock(FILE));
    let file = file.map_err(|err| IngestError::io("open", &path)(err.into()))?;
    Ok((path, file))
}

/// Takes the lock; it must be held for one update, not for the life of a process.
pub(crate) fn lock(ctx: &Ctx, folder: &Path) -> Result<Lock, IngestError> {
    let (path, file) = open(folder)?;
    let pause = Duration::from_millis(5);
    let mut waited = Duration::ZERO;
    loop {
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Lock { _file: file }),
            Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => {}
            Err(err) => return Err(IngestError::io("lock", &path)(err.into())),
        }
        ctx.check_cancelled()?;
        if waited >= PATIENCE {
            return Err(IngestError::Busy { lock: path });
        }
        std::thread::sleep(pause);
        waited += pause;
    }
}
