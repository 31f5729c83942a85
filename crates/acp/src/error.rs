//! [`AcpError`]: why a session cannot be started or kept.

/// Reason why a session cannot be started or kept, for the person who uses the editor.
#[derive(Debug, thiserror::Error)]
pub enum AcpError {
    /// The project of the directory cannot be opened.
    #[error("{message}{}", hint.as_ref().map(|it| format!("; {it}")).unwrap_or_default())]
    Project {
        /// The reason.
        message: String,
        /// The fix.
        hint: Option<String>,
    },
    /// The file of the session cannot be written.
    #[error("the session cannot be kept: {0}")]
    Store(String),
}
