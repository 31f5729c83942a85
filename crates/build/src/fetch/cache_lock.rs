//! Cargo's own lock of its package cache, taken before the registry is written, so that a download
//! never collides with a cargo of the user. Start at [`CacheLock`].

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use base::Ctx;

use crate::CargoError;

/// Maximum time to wait for another cargo's download.
const PATIENCE: Duration = Duration::from_secs(300);
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(50);
/// `NFS_SUPER_MAGIC`: on NFS even a non-blocking `flock` can block forever, so cargo takes no lock
/// there, and neither does graftage.
const NFS: rustix::fs::FsWord = 0x6969;

/// cargo's lock of its package cache (`CacheLockMode::DownloadExclusive`): an exclusive `flock` of
/// `CARGO_HOME/.package-cache`. While it is held, no cargo of the user downloads or unpacks, and no
/// other graftage writes the registry. Released on drop.
#[derive(Debug)]
pub(super) struct CacheLock {
    _file: File,
}

impl CacheLock {
    /// Takes the lock; waits while another process has it.
    ///
    /// # Errors
    /// [`CargoError::Busy`] after five minutes; when the file cannot be opened; when the user
    /// cancels.
    pub(super) fn take(ctx: &Ctx, cargo_home: &Path) -> Result<Self, CargoError> {
        Self::take_within(ctx, cargo_home, PATIENCE)
    }

    fn take_within(ctx: &Ctx, cargo_home: &Path, patience: Duration) -> Result<Self, CargoError> {
        let path = cargo_home.join(".package-cache");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(CargoError::io("open", &path))?;
        if rustix::fs::fstatfs(&file).is_ok_and(|it| it.f_type == NFS) {
            return Ok(Self { _file: file });
        }
        let started = Instant::now();
        loop {
            ctx.check_cancelled()?;
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) if started.elapsed() < patience => {
                    ctx.progress("waiting for cargo's package cache", path.display().to_string());
                    std::thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(CargoError::Busy { path }),
                Err(TryLockError::Error(source)) if is_unsupported(&source) => {
                    return Ok(Self { _file: file });
                }
                Err(TryLockError::Error(source)) => {
                    return Err(CargoError::Io { action: "lock", path, source });
                }
            }
        }
    }
}

/// Whether the file system has no locks; cargo also continues without one.
fn is_unsupported(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::Unsupported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_another_cargo_has_is_waited_for_and_then_named() {
        let home = tempfile::tempdir().unwrap();
        let ctx = testkit::ctx();
        let cargo = File::create(home.path().join(".package-cache")).unwrap();
        cargo.lock().unwrap();
        let error = CacheLock::take_within(&ctx, home.path(), Duration::ZERO).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "another cargo holds the package cache `{}/.package-cache`",
                home.path().display()
            )
        );
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| CacheLock::take(&ctx, home.path()).is_ok());
            cargo.unlock().unwrap();
            assert!(waiting.join().unwrap());
        });
        let ours = CacheLock::take(&ctx, home.path()).unwrap();
        assert!(cargo.try_lock().is_err(), "the user's cargo waits for us");
        drop(ours);
        cargo.try_lock().unwrap();
    }
}
