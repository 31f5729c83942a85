//! [`OwnSocket`]: the socket of a daemon in a folder that only its user can enter.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use super::DaemonError;

/// Longest path of a socket in bytes, as the system sets it.
const LONGEST: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// A socket that listens. Its file is removed with this value.
pub(super) struct OwnSocket {
    pub(super) listener: UnixListener,
    path: PathBuf,
    /// Held as long as the daemon runs: who has it may replace the file.
    _lock: File,
}

impl OwnSocket {
    /// Listens at a path. A file that a daemon left when it was killed is replaced, since the lock beside it is free.
    ///
    /// # Errors
    /// A path that is too long, a folder of another user, another daemon, a file that is no socket.
    pub(super) fn bind(path: &Path) -> Result<Self, DaemonError> {
        let shown = || path.display().to_string();
        let failed = |cause: String| DaemonError::Socket { path: shown(), cause };
        if path.as_os_str().len() > LONGEST {
            return Err(DaemonError::LongPath { path: shown(), most: LONGEST });
        }
        let folder = path.parent().ok_or_else(|| failed("it has no folder".to_owned()))?;
        untrusted_fs::make_own(folder).map_err(|fault| failed(fault.to_string()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let lock = folder.join(format!("{name}.lock"));
        let lock = open_lock(&lock).map_err(|error| failed(error.to_string()))?;
        if lock.try_lock().is_err() {
            return Err(DaemonError::Runs { path: shown() });
        }
        match path.symlink_metadata() {
            Ok(found) if found.file_type().is_socket() => {
                std::fs::remove_file(path).map_err(|error| failed(error.to_string()))?;
            }
            Ok(_) => return Err(failed("a file that is no socket is there".to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error.to_string())),
        }
        let listener = UnixListener::bind(path).map_err(|error| failed(error.to_string()))?;
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(path, private).map_err(|error| failed(error.to_string()))?;
        Ok(Self { listener, path: path.to_owned(), _lock: lock })
    }
}

impl Drop for OwnSocket {
    fn drop(&mut self) {
        // What cannot be removed is replaced by the next daemon.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn open_lock(path: &Path) -> std::io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags =
        OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    let found = file.metadata()?;
    match found.is_file() && found.uid() == rustix::process::geteuid().as_raw() {
        true => Ok(file),
        false => Err(std::io::Error::other("the lock is no file of this user")),
    }
}

/// Whether the other end of a connection is a process of the same user.
pub(super) fn is_own(stream: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.is_ok_and(|it| it.uid == rustix::process::geteuid())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_private_and_one_that_is_left_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run/dobby.sock");
        let first = OwnSocket::bind(&path).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(path.parent().unwrap()), mode(&path)), (0o700, 0o600));
        assert!(matches!(OwnSocket::bind(&path), Err(DaemonError::Runs { .. })));
        let (ours, _theirs) = UnixStream::pair().unwrap();
        assert!(is_own(&ours));
        drop(first);
        assert!(!path.exists());
        // A daemon that was killed leaves its file.
        drop(UnixListener::bind(&path).unwrap());
        drop(OwnSocket::bind(&path).unwrap());
        std::fs::write(&path, "a").unwrap();
        let error = OwnSocket::bind(&path).err().unwrap().to_string();
        assert!(error.contains("no socket"), "{error}");
        let long = dir.path().join("x".repeat(120));
        assert!(matches!(OwnSocket::bind(&long), Err(DaemonError::LongPath { .. })));
    }
}
