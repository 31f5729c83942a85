//! Why a unit of a build was not compiled or run.

use std::ffi::OsString;
use std::path::PathBuf;

use rustix::io::Errno;
use untrusted_fs::Fault;

use crate::inner::Failure;

/// Why the stage ended without a result of the program.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnitFault {
    /// The settings of the guard or a file of arguments.
    #[error("`{}` cannot be read: {why}", path.display())]
    Unreadable { path: PathBuf, why: UnreadableCause },
    /// The file in the place of a build script names none.
    #[error("the build script is missing")]
    NoBuildScript,
    /// cargo has not set the folder of the build script.
    #[error("`OUT_DIR` is not set")]
    NoOutDir,
    /// The folder of the build script has not the form that cargo gives it.
    #[error("`{}` is not a folder for build scripts", .0.display())]
    OutDir(PathBuf),
    /// The name of the crate with its hash is no file name.
    #[error("`{0}` is no name of a unit")]
    UnitName(String),
    /// A folder is not where the guard permits writing.
    #[error("`{}` is outside the target directory", .0.display())]
    Outside(PathBuf),
    /// A folder below the target directory.
    #[error("cannot make `{}`: {fault}", path.display())]
    Folder { path: PathBuf, fault: Fault },
    /// The private folder of the unit.
    #[error("cannot make a private folder: {0}")]
    PrivateFolder(Fault),
    /// The private folder was removed meanwhile.
    #[error("it is gone")]
    Gone,
    /// The folders from and to which files are moved.
    #[error("the folders of the unit: {0}")]
    Folders(Fault),
    /// The list of the unit's files.
    #[error("the files of the unit: {0}")]
    Files(Fault),
    /// One file of the unit.
    #[error("`{}` cannot be moved: {errno}", name.display())]
    Move { name: OsString, errno: Errno },
    /// The record of what the unit read.
    #[error("the record of the unit's files: {0}")]
    Record(Fault),
    /// The pipe of the standard error.
    #[error("a pipe: {0}")]
    Pipe(std::io::Error),
    /// The process of the program.
    #[error("fork: {0}")]
    Fork(std::io::Error),
    /// The process cannot be waited for.
    #[error("the process was lost")]
    Lost,
    /// The program does not start.
    #[error("cannot run `{}`: {error}", program.display())]
    Exec { program: OsString, error: std::io::Error },
    /// The process cannot be confined.
    #[error("{}", .0.cause)]
    Confine(Failure),
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnreadableCause {
    /// The system or a limit refuses it.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// There is no such file.
    #[error("it is missing")]
    Missing,
    /// It is not UTF-8.
    #[error(transparent)]
    Text(#[from] std::string::FromUtf8Error),
    /// It is not the text of a guard.
    #[error("it names no target directory")]
    NoTarget,
}
