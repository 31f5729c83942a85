//! Locks between baselines and candidates.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;

use base::Ctx;

use crate::CargoError;

pub(super) fn open(path: &Path) -> Result<File, CargoError> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .read(true)
        .open(path)
        .map_err(CargoError::io("open", path))
}

/// Waits for a lock until the user cancels.
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
                ctx.check_cancelled()?;
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::Error(source)) => {
                return Err(CargoError::Io { action: "lock", path: path.to_owned(), source });
            }
        }
    }
}
