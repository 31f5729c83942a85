//! [`WorldError`]: why nothing could be learned from a world. A page that is wrong is no error.

use std::time::Duration;

/// Reason why stories could not be played.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// No browser is installed.
    #[error("no browser: none of {} is in the path", searched.join(", "))]
    NoBrowser {
        /// Names of programs.
        searched: Vec<&'static str>,
    },
    /// The sandbox refuses the browser.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// The machine cannot give an app and the browser a network of their own.
    #[error("an app cannot be served: the machine has no network namespaces")]
    NoNetwork,
    /// The socket to the browser cannot be made.
    #[error("the socket to the browser: {0}")]
    Socket(std::io::Error),
    /// The browser has ended.
    #[error("the browser ended: {reason}")]
    Ended {
        /// The end of its output.
        reason: String,
    },
    /// The browser does not answer.
    #[error("the browser did not answer `{method}` within {} ms", limit.as_millis())]
    Silent {
        /// The call.
        method: &'static str,
        /// The limit.
        limit: Duration,
    },
    /// The browser refuses a call.
    #[error("the browser refuses `{method}`: {message}")]
    Refused {
        /// The call.
        method: &'static str,
        /// Its message.
        message: String,
    },
    /// No page can be made for a story.
    #[error("{now}; before, a page that was made ahead: {ahead}")]
    NoPage {
        /// Reason for the page that was made for the story.
        now: Box<WorldError>,
        /// Reason for the one that was made ahead of it.
        ahead: Box<WorldError>,
    },
    /// A limit on what the browser sends.
    #[error("the page sends more than {most} {what}")]
    TooMuch {
        /// The unit.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// The app did not become ready.
    #[error("the app was not ready within {} ms: {last}", limit.as_millis())]
    NotReady {
        /// The limit.
        limit: Duration,
        /// The last answer.
        last: String,
    },
    /// The user stopped the run.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl base::Hint for WorldError {
    fn hint(&self) -> Option<String> {
        let text = match self {
            Self::NoBrowser { .. } => "install Chromium: `apt-get install chromium-headless-shell`",
            Self::Sandbox(error) => return error.hint(),
            Self::NoNetwork => "allow user namespaces, or play stories on files",
            Self::NotReady { .. } => {
                "let the app listen on 127.0.0.1 and the port in `$PORT`, or name its `port`"
            }
            _ => return None,
        };
        Some(text.to_owned())
    }
}
