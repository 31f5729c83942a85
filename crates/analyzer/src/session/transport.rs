use std::any::Any;
use std::io::{Read, Write};

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

impl std::fmt::Debug for Pipes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pipes").finish_non_exhaustive()
    }
}
