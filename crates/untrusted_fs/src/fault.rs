//! [`Fault`]: why a file or folder was refused.

use std::io;

use rustix::io::Errno;

/// Why a file or folder is refused.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It is a symbolic link, or is reached through one.
    #[error("it is a symbolic link, or is reached through one")]
    Link,
    /// A folder, pipe, socket or device where a file is expected.
    #[error("it is not a regular file")]
    NotAFile,
    /// Not a folder where one is expected.
    #[error("it is not a folder")]
    NotAFolder,
    /// The path is absolute, or leaves the folder with `..`.
    #[error("its path leads out of the folder")]
    Outside,
    /// A mount point of another file system.
    #[error("another file system is mounted there")]
    OtherDevice,
    /// A folder of another user where one of ours is expected.
    #[error("it belongs to the user with the id {owner}")]
    NotOurs {
        /// The owner.
        owner: u32,
    },
    /// More bytes than the limit of the read or copy.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// More entries than the limit of the listing or copy.
    #[error("it has more than {limit} entries")]
    TooMany {
        /// The limit, in entries.
        limit: usize,
    },
    /// Folders nested deeper than the limit of the copy.
    #[error("its folders are nested deeper than {limit} levels")]
    TooDeep {
        /// The limit, in levels.
        limit: usize,
    },
    /// An error of the operating system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::LOOP => Self::Link,
            Errno::XDEV => Self::Outside,
            Errno::NOTDIR => Self::NotAFolder,
            // A socket, or a device without a driver.
            Errno::NXIO | Errno::NODEV => Self::NotAFile,
            other => Self::Io(other.into()),
        }
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Io(err) => err,
            Fault::NotAFolder => Self::new(io::ErrorKind::NotADirectory, fault),
            other => Self::other(other),
        }
    }
}

impl base::Hint for Fault {
    fn hint(&self) -> Option<String> {
        Some(
            match self {
                Self::Link => "put the file itself in place of the link",
                Self::NotAFile => "put a regular file in its place",
                Self::NotAFolder => "put a folder in its place",
                Self::Outside => "name something below the folder",
                Self::OtherDevice => "unmount it",
                Self::NotOurs { .. } => {
                    "remove it, or set `GRAFTAGE_HOME` to a folder that belongs to you"
                }
                Self::TooLarge { .. } | Self::TooMany { .. } | Self::TooDeep { .. } => {
                    "make it smaller, or remove it"
                }
                Self::Io(_) => "check its permissions and the disk",
            }
            .to_owned(),
        )
    }
}
