//! Why the packages of a project cannot be resolved or downloaded.

use std::path::PathBuf;

use untrusted_fs::Fault;

/// Reason why a `Cargo.lock` is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LockFault {
    /// The file cannot be read.
    #[error("`Cargo.lock` cannot be read: {0}")]
    Unreadable(FileFault),
    /// The text is no TOML.
    #[error("`Cargo.lock` is not valid TOML: {0}")]
    Toml(String),
    /// More packages than the limit.
    #[error("`Cargo.lock` names more than {0} packages")]
    TooMany(usize),
    /// A package without a name or a version.
    #[error("`Cargo.lock` has a package without a name or a version")]
    NoName,
    /// A name that could lead to another folder.
    #[error("`Cargo.lock` names the package {0:?}, which is no package name")]
    PackageName(String),
    /// A version that could lead to another folder.
    #[error("`Cargo.lock` names {name} {version:?}, which is no version")]
    Version { name: String, version: String },
    /// A checksum of another form.
    #[error("`Cargo.lock` has the checksum {0:?}, which is no SHA-256")]
    Checksum(String),
}

/// Reason why a file of the project is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FileFault {
    /// It is not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// The system or a limit refuses it.
    #[error("{0}")]
    Refused(String),
}

impl From<Fault> for FileFault {
    fn from(fault: Fault) -> Self {
        Self::Refused(fault.to_string())
    }
}

/// Reason why the members of a workspace are not all read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MembersFault {
    /// A folder with more entries than the limit.
    #[error("`{}` has too many entries", .0.display())]
    TooManyEntries(PathBuf),
    /// A pattern for more folders than the limit.
    #[error("the members {0:?} are too many folders")]
    TooManyFolders(String),
}

/// Reason why an entry of the index is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexFault {
    /// The format is another one.
    #[error("it has another format than this version of graftage reads")]
    Format,
    /// The bytes are no entry.
    #[error("it is damaged")]
    Damaged,
    /// The entry is one of another package or version.
    #[error("it lists {name} {version}")]
    Other {
        /// Name.
        name: String,
        /// Version.
        version: String,
    },
    /// The checksum is not the one of the lock file.
    #[error("it gives {release} the SHA-256 {sum}, and `Cargo.lock` has {}", wanted.join(", "))]
    Checksum {
        /// Name and version.
        release: String,
        /// The checksum of the entry.
        sum: String,
        /// The checksums of the lock file.
        wanted: Vec<String>,
    },
}

/// Reason why packages are missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum DownloadFault {
    /// The lock file is not used.
    #[error(transparent)]
    Lock(#[from] LockFault),
    /// The configuration forbids the network.
    #[error("the configuration of cargo has `net.offline = true`")]
    Offline,
    /// Addresses or git repositories that graftage does not use.
    #[error("{0}")]
    Addresses(String),
    /// The time was over.
    #[error("the time was over{notes}")]
    TimedOut { notes: String },
    /// cargo failed.
    #[error("{message}{notes}")]
    Cargo { message: String, notes: String },
}

impl DownloadFault {
    /// Whether an earlier step without the network failed in the same way.
    pub(super) fn is_as(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Cargo { message, .. }, Self::Cargo { message: known, .. }) => {
                !known.is_empty() && message.starts_with(known)
            }
            _ => self == before,
        }
    }
}
