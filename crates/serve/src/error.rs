//! [`ServeError`]: why a server cannot start or ended.

use std::net::SocketAddr;
use std::path::PathBuf;

use base::Hint;

/// Why a server cannot start, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is not on the loopback interface.
    #[error("`{0}` is not a loopback address")]
    NotLoopback(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on `{address}`: {reason}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        reason: std::io::Error,
    },
    /// The file of the token cannot be read or created, or others can read it.
    #[error("token file `{}`: {reason}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The runtime cannot start.
    #[error("cannot start the server: {0}")]
    Runtime(std::io::Error),
}

impl Hint for ServeError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::NotLoopback(_) => Some(
                "use 127.0.0.1 or [::1]; another machine reaches it through `ssh -L`".to_owned(),
            ),
            Self::Listen { .. } => Some("use port 0, which takes a free one".to_owned()),
            Self::TokenFile { .. } => Some(
                "use a file that only you can read (`chmod 600`) with at least 32 characters"
                    .to_owned(),
            ),
            Self::Runtime(_) => None,
        }
    }
}
