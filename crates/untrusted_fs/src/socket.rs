//! Connections to sockets that foreign code may have made.

use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};

/// Connects to a socket of the file system. A link in its place is not followed: it could lead to a socket that
/// who made it may not reach.
///
/// # Errors
/// There is no socket at the path, or no program listens.
pub fn connect(path: &Path) -> io::Result<UnixStream> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::open(path, flags, Mode::empty())?;
    if FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode) != FileType::Socket {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no socket"));
    }
    UnixStream::connect(format!("/proc/self/fd/{}", fd.as_raw_fd()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_socket_is_reached_and_a_link_to_it_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let (socket, link) = (dir.path().join("s"), dir.path().join("l"));
        let listener = UnixListener::bind(&socket).unwrap();
        std::os::unix::fs::symlink(&socket, &link).unwrap();
        connect(&socket).unwrap();
        listener.accept().unwrap();
        assert!(connect(&link).unwrap_err().to_string().contains("no socket"));
        assert!(connect(dir.path()).is_err());
        assert!(connect(&dir.path().join("none")).is_err());
    }
}
