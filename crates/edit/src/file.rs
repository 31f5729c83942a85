use std::fmt;
use std::sync::Arc;

use base::{ContentHash, ProjectPath};

use crate::TextEdit;

/// One file at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    /// The whole text, its byte order mark and line endings included.
    pub text: Arc<str>,
    /// Whether the executable bits are set.
    pub executable: bool,
}

impl FileState {
    /// A file that nobody executes.
    pub fn plain(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), executable: false }
    }

    /// The byte hash, which is the lock.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.text.as_bytes())
    }
}

/// Why a file cannot be read as a text of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// It is a symbolic link, or lies behind one.
    Symlink,
    /// It is a folder or a device.
    NotAFile,
    /// The system refused.
    Io(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => f.write_str("its bytes are not UTF-8"),
            Self::Symlink => f.write_str("it is a symbolic link or lies behind one"),
            Self::NotAFile => f.write_str("it is no regular file"),
            Self::Io(error) => write!(f, "the system refused: {error}"),
        }
    }
}

/// The files that edits are made against; `repo` implements it over the disk, tests over a map.
pub trait Files {
    /// The file as it is now; `Ok(None)` where there is none.
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable>;
}

/// What happens to one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// What is at this path before; `None` where the change creates it.
    pub before: Option<FileState>,
    /// What is at this path afterwards; `None` where the change removes it.
    pub after: Option<FileState>,
    /// Where a created file came from. The old path then has a change of its own, without an
    /// `after`: whoever writes or hashes may ignore this field, it speaks to readers of diffs.
    pub renamed_from: Option<ProjectPath>,
    /// What happens to the text: from the old path's text for a rename, else from `before`'s (the
    /// empty text where there is none) to `after`'s.
    pub edit: TextEdit,
}

impl FileChange {
    /// The text before; empty where there is no file.
    pub fn before_text(&self) -> &str {
        self.before.as_ref().map_or("", |state| &state.text)
    }

    /// The text afterwards; empty where there is no file.
    pub fn after_text(&self) -> &str {
        self.after.as_ref().map_or("", |state| &state.text)
    }
}
