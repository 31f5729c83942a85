use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{Result, StoreError};

/// A lock of the operating system on a file that is never removed. Dropping it lets go, and so does
/// the end of the process, whatever it dies of.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Who else may hold the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Others who share it too.
    Others,
    /// Nobody.
    Nobody,
}

/// Takes the lock, waiting at most `patience`.
pub(super) fn lock(path: &Path, share: Share, patience: Duration) -> Result<Lock> {
    let keep =
        |err: std::io::Error| StoreError::Keep { path: path.to_owned(), reason: err.to_string() };
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).write(true).read(true).open(path);
    let file = file.map_err(keep)?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let taken = match share {
            Share::Others => file.try_lock_shared(),
            Share::Nobody => file.try_lock(),
        };
        match taken {
            Ok(()) => return Ok(Lock { _file: file }),
            Err(TryLockError::Error(err)) => return Err(keep(err)),
            Err(TryLockError::WouldBlock) if start.elapsed() >= patience => {
                return Err(StoreError::Busy { path: path.to_owned(), waited: patience });
            }
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
    }
}
