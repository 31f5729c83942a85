use std::any::Any;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use crate::AnalyzerError;

/// Starts a language server.
///
/// [`Sandboxed`](super::Sandboxed) runs rust-analyzer; a test scripts one.
pub trait Transport: Send + Sync {
    /// Starts one more.
    ///
    /// # Errors
    /// When it cannot be started.
    fn connect(&self) -> Result<Pipes, AnalyzerError>;
}

/// Both directions of a running server.
pub struct Pipes {
    /// What it reads.
    pub to: Box<dyn Write + Send>,
    /// What it writes; ends with it.
    pub from: Box<dyn Read + Send>,
    /// Dropped when the server is no longer wanted, which ends it.
    pub life: Box<dyn Any + Send + Sync>,
}

impl Pipes {
    /// Over one socket, at whose other end somebody else's server sits; it is shut down when the
    /// server is no longer wanted.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn over(socket: UnixStream) -> io::Result<Self> {
        let to = Box::new(socket.try_clone()?);
        let life = Box::new(Open(socket.try_clone()?));
        Ok(Self { to, from: Box::new(socket), life })
    }
}

/// A socket that nobody can use any more when this is gone.
struct Open(UnixStream);

impl Drop for Open {
    fn drop(&mut self) {
        // The other end may have gone first.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

impl std::fmt::Debug for Pipes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pipes").finish_non_exhaustive()
    }
}
