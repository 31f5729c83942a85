//! [`DaemonError`].

use rpc::RpcFault;

/// Reason why a daemon does not run, or does not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DaemonError {
    /// The path of the socket is longer than the system takes.
    #[error("the path of the socket `{path}` has more than {most} bytes")]
    LongPath {
        /// Path.
        path: String,
        /// Most bytes.
        most: usize,
    },
    /// Another daemon has the socket.
    #[error("a daemon runs already at `{path}`")]
    Runs {
        /// Path.
        path: String,
    },
    /// The socket cannot be made or used.
    #[error("the socket `{path}` cannot be used: {cause}")]
    Socket {
        /// Path.
        path: String,
        /// Cause.
        cause: String,
    },
    /// A request has no answer.
    #[error("the daemon did not answer: {0}")]
    NoAnswer(RpcFault),
    /// The daemon refused a request.
    #[error("{0}")]
    Refused(String),
}

impl base::Hint for DaemonError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::LongPath { .. } => "set `SOCKET_PATH` to a shorter one".to_owned(),
            Self::Runs { .. } => {
                "`graftage dobby status` shows it, `graftage dobby shutdown` ends it".to_owned()
            }
            Self::Socket { .. } => "set `SOCKET_PATH` to a path in a folder of yours".to_owned(),
            Self::NoAnswer(_) | Self::Refused(_) => return None,
        })
    }
}
