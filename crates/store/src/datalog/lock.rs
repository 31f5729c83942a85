//! File locks, shared and exclusive, with a limit on waiting.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::seal::split;
use crate::{Result, StoreError};

/// A lock of the operating system on a file that is never removed. It is released when dropped, and
/// when the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Whether others may hold the lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Shared.
    Shared,
    /// Exclusive.
    Exclusive,
}

/// Takes the lock, waiting at most `patience`.
pub(super) fn lock(path: &Path, share: Share, patience: Duration) -> Result<Lock> {
    let keep =
        |err: std::io::Error| StoreError::Keep { path: path.to_owned(), reason: err.to_string() };
    let (folder, name) = split(path);
    let file = untrusted_fs::make_own(folder).and_then(|folder| folder.open_lock(name));
    let file = file.map_err(|fault| keep(fault.into()))?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let taken = match share {
            Share::Shared => file.try_lock_shared(),
            Share::Exclusive => file.try_lock(),
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
