use std::io;

use rustix::io::Errno;

/// Why a file or folder is not taken as it was found.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It is a symbolic link, or is reached through one.
    #[error("it is, or lies behind, a symbolic link")]
    Link,
    /// A folder, a pipe, a socket or a device is where a file is expected.
    #[error("it is not a regular file")]
    NotAFile,
    /// Something else is where a folder is expected.
    #[error("it is not a folder")]
    NotAFolder,
    /// The path is absolute, or climbs with `..`.
    #[error("its path leads out of the folder")]
    Outside,
    /// It belongs to another file system.
    #[error("another file system is mounted there")]
    OtherDevice,
    /// More bytes than are read or copied.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// More names than are listed or copied.
    #[error("it has more than {limit} entries")]
    TooMany {
        /// The limit, in names.
        limit: usize,
    },
    /// Folders within folders beyond what is copied.
    #[error("its folders are nested deeper than {limit} levels")]
    TooDeep {
        /// The limit, in levels.
        limit: usize,
    },
    /// The system refused.
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
                Self::TooLarge { .. } | Self::TooMany { .. } | Self::TooDeep { .. } => {
                    "make it smaller, or remove it"
                }
                Self::Io(_) => "see that it can be read and written",
            }
            .to_owned(),
        )
    }
}
