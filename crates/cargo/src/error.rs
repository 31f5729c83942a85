use std::io;
use std::path::PathBuf;

use crate::OutsideFolder;

/// Why cargo could not be run at all. That the user's code does not build is never one of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CargoError {
    /// A toolchain file or an override names a toolchain that is not on this machine.
    #[error("toolchain `{name}` is not installed, but {chosen_by} asks for it")]
    ToolchainMissing {
        /// As it was asked for: `1.70`, `nightly-2026-01-01`.
        name: String,
        /// Who asked: `rust-toolchain.toml`, the rustup override or default.
        chosen_by: String,
    },
    /// Neither rustup nor `PATH` has a Rust toolchain.
    #[error("no Rust toolchain was found: neither in `{rustup_home}` nor on PATH")]
    NoToolchain {
        /// Where rustup would keep them.
        rustup_home: PathBuf,
    },
    /// The toolchain file cannot be understood.
    #[error("toolchain file `{file}` cannot be read: {reason}")]
    ToolchainFile {
        /// Which.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file of the project chooses a toolchain that the project itself contains.
    #[error("`{file}` chooses the toolchain `{folder}`, which is inside the project")]
    ToolchainInside {
        /// The toolchain file.
        file: PathBuf,
        /// The folder that it names.
        folder: PathBuf,
    },
    /// The project reads folders outside of it that the user has not allowed.
    #[error("the project reads folders outside of it that are not trusted: {}", list(folders))]
    Untrusted {
        /// Each with the file that names it.
        folders: Vec<OutsideFolder>,
    },
    /// A program of the toolchain is missing or does not run.
    #[error("`{program}` does not run: {reason}")]
    Broken {
        /// Which.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// `cargo metadata` refuses the project.
    #[error("cargo cannot read the project: {message}")]
    Manifest {
        /// What cargo said, without its progress lines.
        message: String,
    },
    /// clippy was asked for and the toolchain has none.
    #[error("toolchain `{toolchain}` has no clippy")]
    NoClippy {
        /// Which.
        toolchain: String,
    },
    /// Something in graftage's own folders cannot be read or written.
    #[error("cannot {action} `{path}`: {source}")]
    Io {
        /// A verb: `lock`, `write`.
        action: &'static str,
        /// What.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// The disk that a build writes to is full.
    #[error("the build cannot go on: {sign}")]
    DiskFull {
        /// What the tools said.
        sign: &'static str,
    },
    /// What a download brought is not what the lock file names.
    #[error("`{file}` of the source `{source_name}` was not taken over: {reason}")]
    Download {
        /// In the private registry.
        file: String,
        /// The registry's folder.
        source_name: String,
        /// How it differs.
        reason: String,
    },
    /// Another cargo does not let go of the user's registry.
    #[error("another cargo holds the package cache `{path}`")]
    Busy {
        /// cargo's lock.
        path: PathBuf,
    },
    /// The sandbox refused to run it.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl CargoError {
    /// For `map_err`: what was done with which path.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| CargoError::Io { action, path, source }
    }

    /// For `map_err`: what was done with which path.
    pub(crate) fn fault(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(beneath::Fault) -> Self {
        let path = path.into();
        move |fault| CargoError::Io { action, path, source: fault.into() }
    }
}

fn list(folders: &[OutsideFolder]) -> String {
    let one = |it: &OutsideFolder| {
        format!("`{}` (named by `{}`)", it.folder.display(), it.named_by.display())
    };
    folders.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The flags that allow each of the folders, as a shell reads them.
fn flags(folders: &[OutsideFolder]) -> String {
    let one = |it: &OutsideFolder| format!("--trust-path {}", quoted(&it.folder));
    folders.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn quoted(path: &std::path::Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,".contains(c);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

impl base::Hint for CargoError {
    fn hint(&self) -> Option<String> {
        match self {
            CargoError::ToolchainMissing { name, .. } => {
                Some(format!("run `rustup toolchain install {name}`; graftage never installs one"))
            }
            CargoError::NoToolchain { .. } => {
                Some("install Rust with rustup, or put `cargo` and `rustc` on PATH".to_owned())
            }
            CargoError::ToolchainFile { .. } => Some(
                "write `[toolchain]` with a `channel = \"…\"` line, or remove the file".to_owned(),
            ),
            CargoError::ToolchainInside { folder, .. } => Some(format!(
                "a project cannot bring its own compiler: link it yourself with `rustup toolchain \
                 link NAME {}` and write `channel = \"NAME\"`, or remove the file",
                quoted(folder)
            )),
            CargoError::Untrusted { folders } => Some(format!(
                "look at what they hold, then allow each once with `{}`; builds can read all of a \
                 trusted folder",
                flags(folders)
            )),
            CargoError::Broken { .. } => Some(
                "run `rustup component list`, and reinstall the toolchain if it is damaged"
                    .to_owned(),
            ),
            CargoError::Manifest { .. } => {
                Some("run `cargo metadata` in the project to see the same message".to_owned())
            }
            CargoError::NoClippy { .. } => Some("run `rustup component add clippy`".to_owned()),
            CargoError::Io { .. } => {
                Some("see that the disk is not full and the folder is yours to write".to_owned())
            }
            CargoError::DiskFull { .. } => Some(
                "make room on the disk of the cache folder, which `graftage doctor` names, or set \
                 GRAFTAGE_HOME to a folder on another disk; nothing was changed"
                    .to_owned(),
            ),
            CargoError::Download { .. } => Some(
                "nothing of it is in your registry; compare `Cargo.lock` with the registry, or run \
                 `cargo fetch` in the project"
                    .to_owned(),
            ),
            CargoError::Busy { .. } => {
                Some("wait for the other cargo to end, or end it, and try again".to_owned())
            }
            CargoError::Sandbox(_) | CargoError::Cancelled(_) => None,
        }
    }
}
