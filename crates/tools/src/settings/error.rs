use std::path::PathBuf;

use base::Hint;

/// Why settings were not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The file is no TOML.
    #[error("`{file}` is not valid TOML: {reason}")]
    Syntax {
        /// Which.
        file: PathBuf,
        /// The parser's word, with the line.
        reason: String,
    },
    /// The file cannot be read.
    #[error("`{file}` cannot be read: {reason}")]
    Unreadable {
        /// Which.
        file: PathBuf,
        /// The system's word.
        reason: String,
    },
    /// There is no such setting.
    #[error("unknown setting `{key}` ({origin})")]
    UnknownKey {
        /// As written.
        key: String,
        /// Where.
        origin: String,
        /// The nearest that exists.
        nearest: Option<&'static str>,
    },
    /// The value does not fit.
    #[error("setting `{key}` does not take `{value}` ({origin})")]
    BadValue {
        /// Which.
        key: &'static str,
        /// As written.
        value: String,
        /// Where.
        origin: String,
        /// What it takes.
        takes: &'static str,
    },
    /// A project's file asks for less protection than the user set.
    #[error(
        "the project's file may only tighten `{key}`: it has `{value}`, the user's is `{present}`"
    )]
    Loosens {
        /// Which.
        key: &'static str,
        /// As written.
        value: String,
        /// What holds.
        present: String,
    },
}

impl Hint for SettingsError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Syntax { .. } => "mend the line named above".to_owned(),
            Self::Unreadable { .. } => "make it readable, or remove it".to_owned(),
            Self::UnknownKey { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownKey { .. } => "`graftage config show` lists them all".to_owned(),
            Self::BadValue { takes, .. } => format!("it takes {takes}"),
            Self::Loosens { key, .. } => {
                format!("set `{key}` in your own configuration file or on the command line")
            }
        })
    }
}
