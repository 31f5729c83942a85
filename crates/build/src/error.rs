//! [`CargoError`]: why cargo could not run.

use std::io;
use std::path::PathBuf;

use crate::OutsideFolder;
use crate::rustup::SOURCES;

/// Why cargo could not run. Build errors of the user's code are results, not one of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CargoError {
    /// A toolchain file or an override names a toolchain that is not on this machine.
    #[error("toolchain `{name}` is not installed, but {chosen_by} asks for it")]
    ToolchainMissing {
        /// The requested name: `1.70`, `nightly-2026-01-01`.
        name: String,
        /// The source of the request: `rust-toolchain.toml`, the rustup override or default.
        chosen_by: String,
    },
    /// Neither rustup nor `PATH` has a Rust toolchain.
    #[error("no Rust toolchain was found: neither in `{rustup_home}` nor on PATH")]
    NoToolchain {
        /// rustup's home folder.
        rustup_home: PathBuf,
    },
    /// The toolchain file is invalid.
    #[error("toolchain file `{file}` cannot be read: {reason}")]
    ToolchainFile {
        /// Toolchain file.
        file: PathBuf,
        /// Reason.
        reason: String,
    },
    /// A file of the project chooses a toolchain that the project itself contains.
    #[error("`{file}` chooses the toolchain `{folder}`, which is inside the project")]
    ToolchainInside {
        /// Toolchain file.
        file: PathBuf,
        /// Folder that it names.
        folder: PathBuf,
    },
    /// The project reads folders outside of it that the user has not allowed.
    #[error("the project reads folders outside of it that are not trusted: {}", list(folders))]
    Untrusted {
        /// Each folder with the file that names it.
        folders: Vec<OutsideFolder>,
    },
    /// A program of the toolchain is missing or does not run.
    #[error("`{program}` does not run: {reason}")]
    Broken {
        /// Path of the program.
        program: PathBuf,
        /// Reason.
        reason: String,
    },
    /// Units of the project's builds cannot be confined: a path has a line break, or is no text; or, where there are no
    /// namespaces, the cache folder has a blank in its path.
    #[error("compilers and build scripts cannot be confined with the paths of this project and `{}`", folder.display())]
    Unconfinable {
        /// The folder for what confines them.
        folder: PathBuf,
    },
    /// `cargo metadata` fails for the project.
    #[error("cargo cannot read the project: {message}")]
    Manifest {
        /// Error message of cargo, without progress lines.
        message: String,
    },
    /// clippy is requested but the toolchain does not have it.
    #[error("toolchain `{toolchain}` has no clippy")]
    NoClippy {
        /// Version of the toolchain.
        toolchain: String,
    },
    /// Something in graftage's own folders cannot be read or written.
    #[error("cannot {action} `{path}`: {source}")]
    Io {
        /// Operation as a verb: `lock`, `write`.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// Error of the system.
        #[source]
        source: io::Error,
    },
    /// The disk that a build writes to is full.
    #[error("the build failed for lack of disk space: {sign}")]
    DiskFull {
        /// Message that shows it.
        sign: &'static str,
    },
    /// A downloaded file does not match the lock file.
    #[error("`{file}` of the source `{source_name}` was rejected: {reason}")]
    Download {
        /// File in the private registry.
        file: String,
        /// Registry source, as its folder is named.
        source_name: String,
        /// Difference.
        reason: String,
    },
    /// Another cargo process does not release the user's registry.
    #[error("another cargo holds the package cache `{path}`")]
    Busy {
        /// Lock file of cargo.
        path: PathBuf,
    },
    /// The sandbox could not run it.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// The user cancelled it.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl CargoError {
    /// An error constructor for `map_err`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| CargoError::Io { action, path, source }
    }

    /// An error constructor for `map_err`.
    pub(crate) fn fault(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(untrusted_fs::Fault) -> Self {
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

/// The flags that allow the folders, quoted for a shell.
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
            CargoError::ToolchainMissing { name, .. } => Some(format!(
                "run `rustup toolchain install {name}`; graftage never installs one. To use another: \
                 `RUSTUP_TOOLCHAIN=NAME graftage …` (the order is {SOURCES})"
            )),
            CargoError::NoToolchain { .. } => {
                Some("install Rust with rustup, or put `cargo` and `rustc` on PATH".to_owned())
            }
            CargoError::ToolchainFile { .. } => Some(
                "write `[toolchain]` with a `channel = \"…\"` line, or remove the file".to_owned(),
            ),
            CargoError::ToolchainInside { folder, .. } => Some(format!(
                "a project cannot contain its own compiler: link it yourself with `rustup toolchain \
                 link NAME {}` and write `channel = \"NAME\"`, or remove the file",
                quoted(folder)
            )),
            CargoError::Untrusted { folders } => Some(format!(
                "check what they contain, then allow each once with `{}`; builds can read all of a \
                 trusted folder",
                flags(folders)
            )),
            CargoError::Broken { .. } => Some(
                "run `rustup component list`, and reinstall the toolchain if it is damaged"
                    .to_owned(),
            ),
            CargoError::Unconfinable { .. } => Some(
                "move the project and the cache folder to paths of plain letters".to_owned(),
            ),
            CargoError::Manifest { .. } => {
                Some("run `cargo metadata` in the project to see the same message".to_owned())
            }
            CargoError::NoClippy { .. } => Some("run `rustup component add clippy`".to_owned()),
            CargoError::Io { .. } => {
                Some("check that the disk is not full and that you may write to the folder".to_owned())
            }
            CargoError::DiskFull { .. } => Some(
                "free space on the disk of the cache folder, which `graftage doctor` names, or set \
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
