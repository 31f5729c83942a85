//! The errors of the sandbox, each with a hint.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Level;

/// The reason why a job was not run, or could not be followed to its end.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The job requires a level that this machine cannot meet.
    #[error("the sandbox level `{required:?}` cannot be met: {missing}")]
    LevelUnmet {
        /// The required level.
        required: Level,
        /// The missing layers, as a fragment.
        missing: String,
        /// The hint.
        hint: String,
    },
    /// The view needs a mount namespace, which this machine does not offer.
    #[error("the view needs namespaces: {what}")]
    NeedsNamespaces {
        /// The mount and the reason.
        what: String,
    },
    /// The kernel refuses an overlay over these folders.
    #[error("overlay refused at `{inside}`: {cause}", inside = inside.display())]
    OverlayRefused {
        /// The mount point in the view.
        inside: PathBuf,
        /// The error of the kernel.
        cause: String,
    },
    /// A mount cannot be made as requested.
    #[error("mount refused at `{inside}`: {cause}", inside = inside.display())]
    MountRefused {
        /// The mount point in the view.
        inside: PathBuf,
        /// The reason.
        cause: String,
    },
    /// The program does not exist or cannot be executed.
    #[error("cannot start `{program}`: {cause}", program = program.display())]
    Exec {
        /// The program as the job names it.
        program: PathBuf,
        /// The error of the kernel.
        cause: String,
    },
    /// The inner stage failed before the program started.
    #[error("sandbox set-up failed at {stage}: {cause}")]
    Setup {
        /// The step that failed.
        stage: SetupStep,
        /// The error of the kernel.
        cause: String,
    },
    /// The executable for the inner stage does not behave like one.
    #[error("`{inner}` is not the inner stage: {cause}", inner = inner.display())]
    Inner {
        /// The executable.
        inner: PathBuf,
        /// Its behaviour.
        cause: String,
    },
    /// The communication with the inner stage failed.
    #[error("sandbox: {doing}: {source}")]
    Io {
        /// The step that failed.
        doing: &'static str,
        /// The error of the system.
        source: std::io::Error,
    },
}

/// Step of the set-up before the program starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum SetupStep {
    /// The namespaces.
    #[error("namespaces")]
    Namespaces,
    /// The rules of Landlock.
    #[error("landlock")]
    Landlock,
    /// The filters of system calls.
    #[error("seccomp")]
    Seccomp,
    /// The control groups with the limits.
    #[error("joining a control group")]
    ControlGroup,
    /// A step on which no layer depends alone.
    #[error("{0}")]
    Other(Cow<'static, str>),
}

impl base::Hint for SandboxError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::LevelUnmet { hint, .. } => Some(hint.clone()),
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
