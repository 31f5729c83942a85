//! The hint to each error; those of the crates below are passed through.

use base::Hint;

use super::ProjectError;

impl Hint for ProjectError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Settings(error) => error.hint(),
            Self::Repo(error) => error.hint(),
            Self::Check(error) => error.hint(),
            Self::Cargo(error) => error.hint(),
            Self::Edit(error) => error.hint(),
            Self::Root(error) => error.hint(),
            Self::Ingest(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Turn(error) => error.hint(),
            Self::Weights { error, .. } => error.hint(),
            Self::Trust { .. } => Some(
                "pass an existing directory, and make sure that the user's configuration file (see \
                 `graftage doctor`) is valid TOML and writable"
                    .to_owned(),
            ),
            Self::Unreadable { .. } | Self::Unwritable { .. } => {
                Some("check the path and its permissions".to_owned())
            }
            Self::Cancelled(_) => None,
        }
    }
}
