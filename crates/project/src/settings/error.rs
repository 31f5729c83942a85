//! Errors of settings, with hints.

use std::path::PathBuf;

use base::Hint;

/// Reasons why settings cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A file is not valid TOML.
    #[error("`{file}` is not valid TOML: {reason}")]
    Syntax {
        /// Path of the file.
        file: PathBuf,
        /// Error message of the parser, with the line.
        reason: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{file}`: {reason}")]
    Unreadable {
        /// Path of the file.
        file: PathBuf,
        /// Error message of the system.
        reason: String,
    },
    /// A policy is refused.
    #[error("the policy `{file}` is refused: {reason}")]
    Policy {
        /// Path of the file.
        file: PathBuf,
        /// Reason.
        reason: String,
    },
    /// No setting has this name.
    #[error("unknown setting `{key}` ({origin})")]
    UnknownKey {
        /// Name as written.
        key: String,
        /// Origin of the value.
        origin: String,
        /// Most similar name that exists.
        nearest: Option<&'static str>,
    },
    /// The value is not accepted.
    #[error("`{value}` is not a valid value of `{key}` ({origin})")]
    BadValue {
        /// Name of the setting.
        key: &'static str,
        /// Value as written.
        value: String,
        /// Origin of the value.
        origin: String,
        /// Accepted values.
        takes: &'static str,
    },
    /// A project's file sets less protection than the user.
    #[error(
        "the project's `graftage.toml` may not loosen `{key}`: it sets `{value}`, you have `{present}`"
    )]
    Loosens {
        /// Name of the setting.
        key: &'static str,
        /// Value as written.
        value: String,
        /// Present value.
        present: String,
    },
}

impl Hint for SettingsError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Syntax { .. } => "fix the syntax at that line".to_owned(),
            Self::Policy { .. } => {
                "correct the file; `graftage policy show` prints the shipped policy and its events"
                    .to_owned()
            }
            Self::Unreadable { .. } => "make the file readable, or remove it".to_owned(),
            Self::UnknownKey { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownKey { .. } => "`graftage config show` lists all settings".to_owned(),
            Self::BadValue { takes, .. } => format!("use {takes}"),
            Self::Loosens { key, .. } => {
                format!("set `{key}` in your own configuration file or on the command line")
            }
        })
    }
}
