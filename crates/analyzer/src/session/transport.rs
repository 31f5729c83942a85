//! [`Transport`]: starts a language server and returns its pipes.

use std::any::Any;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use crate::AnalyzerError;

/// Starts a language server.
///
/// [`Sandboxed`](super::Sandboxed) runs rust-analyzer; a test scripts one.
pub trait Transport: Send + Sync {
    /// Starts a new server.
    ///
    /// # Errors
    /// When it cannot be started.
    fn connect(&self) -> Result<Pipes, AnalyzerError>;
}

/// Both directions of a running server.
pub struct Pipes {
    /// The server's input.
    pub to: Box<dyn Write + Send>,
    /// The server's output; ends when the server ends.
    pub from: Box<dyn Read + Send>,
    /// Ends the server when dropped.
    pub life: Box<dyn Any + Send + Sync>,
}

impl Pipes {
    /// Pipes over a socket to a server that is already running; the socket is shut down when `life` is
    /// dropped.
    ///
    /// # Errors
    /// When the descriptor cannot be duplicated.
    pub fn over(socket: UnixStream) -> io::Result<Self> {
        let to = Box::new(socket.try_clone()?);
        let life = Box::new(ShutdownOnDrop(socket.try_clone()?));
        Ok(Self { to, from: Box::new(socket), life })
    }
}

/// Shuts a socket down on drop.
struct ShutdownOnDrop(UnixStream);

impl Drop for ShutdownOnDrop {
    fn drop(&mut self) {
        // The peer may already have closed it.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

impl std::fmt::Debug for Pipes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pipes").finish_non_exhaustive()
    }
}
