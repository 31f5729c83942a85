//! The error of a question about the code, with its class and its hint.

use base::Hint;
use project::{ExitKind, ProjectError};

/// Why a question about the code has no answer.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// Project, settings or environment cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// No item of the map has this name.
    #[error("no item named `{query}`")]
    NoItem {
        /// The name in the request.
        query: String,
        /// Similar canonical paths, best first.
        nearest: Vec<String>,
    },
    /// The path names a package outside the project.
    #[error(
        "`{query}` is in the package `{package}`, which is outside this project: the map does not have its items"
    )]
    OutsideItem {
        /// The name in the request.
        query: String,
        /// The package.
        package: String,
    },
    /// No item has this name, and files of the project are not in the map.
    #[error("no item named `{query}`; the map does not have {}", files.join(", "))]
    NotMapped {
        /// The name in the request.
        query: String,
        /// The files with the reasons.
        files: Vec<String>,
    },
    /// Several items have this name.
    #[error("`{query}` is ambiguous ({} matches)", candidates.len())]
    Ambiguous {
        /// The name in the request.
        query: String,
        /// The matching items, one line each.
        candidates: Vec<String>,
    },
    /// The repository has no commit to compare the tree with.
    #[error("the project has no git commit to compare with")]
    NoCommit,
    /// The encoder is not supported.
    #[error("no encoder named `{model}`")]
    NoEncoder {
        /// Name of the encoder.
        model: String,
    },
    /// A file that `graftage docs` did not write is in the output directory.
    #[error("`{path}` was not written by `graftage docs`, or was changed since")]
    InTheWay {
        /// Path of the file.
        path: String,
    },
    /// The output cannot be written.
    #[error("failed to write output: {0}")]
    Output(std::io::Error),
}

/// Errors of the crates below become errors of the project.
macro_rules! through_project {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for CodeError {
            fn from(error: $error) -> Self {
                Self::Project(error.into())
            }
        })*
    };
}

through_project!(base::Cancelled, ingest::IngestError, model::ModelError, repo::RepoError);

/// Maximum number of candidates in a hint.
const LISTED: usize = 20;

fn choices(candidates: &[String]) -> String {
    let mut text = "use a longer path, or the key or place of one of these:".to_owned();
    for candidate in candidates.iter().take(LISTED) {
        text.push_str("\n    ");
        text.push_str(candidate);
    }
    if candidates.len() > LISTED {
        text.push_str(&format!("\n    and {} more", candidates.len() - LISTED));
    }
    text
}

impl Hint for CodeError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Project(error) => return error.hint(),
            Self::Store(error) => return error.hint(),
            Self::Ambiguous { candidates, .. } => return Some(choices(candidates)),
            Self::NoItem { nearest, .. } if !nearest.is_empty() => {
                return Some(format!("similar names: {}", nearest.join(", ")));
            }
            Self::NoItem { .. } => {
                "use the canonical path of an item, the end of that path (`Type::method`), its key \
                 or its id; local variables and lifetimes are no items"
            }
            Self::NotMapped { .. } => {
                "an item of such a file is read and changed in the project that contains the link's \
                 target: pass its directory with `-C DIR`"
            }
            Self::OutsideItem { .. } => {
                "run it in the folder of that package (`-C DIR`), or, where one repository has both, in \
                 its root without a manifest; a dependency of a registry has no map"
            }
            Self::NoCommit => "pass an item or a diff, or make a commit first",
            Self::NoEncoder { .. } => {
                "this version has no encoders for `--ann-model`: omit the flag, or pass `none`"
            }
            Self::InTheWay { .. } => "move the file away, or choose another directory with `--out`",
            Self::Output(_) => return None,
        };
        Some(hint.to_owned())
    }
}

impl CodeError {
    /// Class of the error.
    pub fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Project(error) => error.exit_kind(),
            Self::Store(error) => store_kind(error),
            Self::Ambiguous { .. } | Self::NoCommit | Self::InTheWay { .. } => ExitKind::Input,
            Self::NoItem { .. } | Self::OutsideItem { .. } | Self::NotMapped { .. } => ExitKind::No,
            Self::NoEncoder { .. } => ExitKind::Environment,
            Self::Output(_) => ExitKind::Internal,
        }
    }
}

fn store_kind(error: &store::StoreError) -> ExitKind {
    use store::StoreError as E;
    match error {
        E::Script { .. } | E::Refused { .. } => ExitKind::Input,
        E::TooLong { .. } | E::TooBig { .. } => ExitKind::No,
        E::NoEngine | E::Keep { .. } | E::Busy { .. } => ExitKind::Environment,
        _ => ExitKind::Internal,
    }
}
