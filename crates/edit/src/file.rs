//! [`FileState`], [`FileChange`] and the trait [`Files`]: a file before and after a change.

use std::fmt;
use std::sync::Arc;

use base::{ContentHash, ProjectPath};

use crate::TextEdit;

/// The content and mode of one file at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    /// Text, with byte order mark and line endings.
    pub text: Arc<str>,
    /// Whether the executable bits are set.
    pub executable: bool,
}

impl FileState {
    /// A file without executable bits.
    pub fn from_text(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), executable: false }
    }

    /// The hash of the text's bytes, by which edits lock the file.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.text.as_bytes())
    }
}

/// Why a file cannot be read as text of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// It is a symbolic link, or is below one.
    Symlink,
    /// It is a directory or a device.
    NotAFile,
    /// The caller may not open it.
    Closed {
        /// Reason, as the end of a sentence.
        reason: &'static str,
    },
    /// The system call failed.
    Io(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => f.write_str("its bytes are not UTF-8"),
            Self::Symlink => f.write_str("it is a symbolic link or is below one"),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::Closed { reason } => f.write_str(reason),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

/// Read access to the files that edits apply to; implemented by `repo` for the disk.
pub trait Files {
    /// The current state of the file; `Ok(None)` where it does not exist.
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable>;
}

/// The change of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// State before; `None` where the change creates the file.
    pub before: Option<FileState>,
    /// State after; `None` where the change removes the file.
    pub after: Option<FileState>,
    /// Old path of a renamed file. The old path has a change of its own, without an `after`:
    /// writing and hashing can ignore this field, it is for diffs.
    pub renamed_from: Option<ProjectPath>,
    /// Edit of the text: from the text at the old path for a rename, else from `before` (empty
    /// where there is none), to `after`.
    pub edit: TextEdit,
}

impl FileChange {
    /// The text before; empty where the file does not exist.
    pub fn before_text(&self) -> &str {
        self.before.as_ref().map_or("", |state| &state.text)
    }

    /// The text after; empty where the file does not exist.
    pub fn after_text(&self) -> &str {
        self.after.as_ref().map_or("", |state| &state.text)
    }
}
