use std::path::PathBuf;

use crate::Level;

/// Why a job was not run, or could not be followed to its end.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The job asks for a level that this machine does not offer.
    #[error("the sandbox level `{required:?}` cannot be met: {missing}")]
    LevelUnmet {
        /// What the job demanded.
        required: Level,
        /// What is missing, as a fragment.
        missing: String,
        /// What to do about it.
        mend: String,
    },
    /// The view needs a mount namespace, which this machine does not offer.
    #[error("the view needs namespaces: {what}")]
    NeedsNamespaces {
        /// Which mount, and why.
        what: String,
    },
    /// The kernel refuses an overlay over these folders.
    #[error("overlay refused at `{inside}`: {cause}", inside = inside.display())]
    OverlayRefused {
        /// Where it was to stand.
        inside: PathBuf,
        /// The kernel's answer.
        cause: String,
    },
    /// A mount cannot be made as it was asked for.
    #[error("mount refused at `{inside}`: {cause}", inside = inside.display())]
    MountRefused {
        /// Where it was to stand.
        inside: PathBuf,
        /// Why.
        cause: String,
    },
    /// The program is not there, or is none.
    #[error("cannot start `{program}`: {cause}", program = program.display())]
    Exec {
        /// As the job named it.
        program: PathBuf,
        /// The kernel's answer.
        cause: String,
    },
    /// The inner stage failed before the program started.
    #[error("sandbox set-up failed at {stage}: {cause}")]
    Setup {
        /// What was being done.
        stage: String,
        /// The kernel's answer.
        cause: String,
    },
    /// The inner stage's executable does not behave as one.
    #[error("`{inner}` is not the inner stage: {cause}", inner = inner.display())]
    Inner {
        /// The executable.
        inner: PathBuf,
        /// What happened.
        cause: String,
    },
    /// Talking to the inner stage failed.
    #[error("sandbox: {doing}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The system's answer.
        source: std::io::Error,
    },
}

impl SandboxError {
    /// Whether the same work may be done with copied files instead of mounts.
    pub fn wants_copies(&self) -> bool {
        matches!(self, Self::NeedsNamespaces { .. } | Self::OverlayRefused { .. })
    }
}

impl base::Hint for SandboxError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::LevelUnmet { mend, .. } => Some(mend.clone()),
            Self::NeedsNamespaces { .. } | Self::OverlayRefused { .. } => {
                Some("use a copy of the files instead of an overlay".to_owned())
            }
            Self::MountRefused { .. } => {
                Some("make the folder first, or mount it elsewhere".to_owned())
            }
            Self::Exec { .. } => {
                Some("name a program that the view shows, by absolute path".to_owned())
            }
            Self::Setup { .. } => Some("run `graftage doctor` to see which layers work".to_owned()),
            Self::Inner { .. } => {
                Some("hand in an executable whose `main` calls `inner_main_if_asked`".to_owned())
            }
            Self::Io { .. } => None,
        }
    }
}
