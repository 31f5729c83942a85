//! The size of a tree, by descriptors.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, FileType};

use crate::open::{FOLDER, open_name};
use crate::{Dir, Fault};

/// Levels below which nothing is counted.
const DEEPEST: usize = 200;

impl Dir {
    /// The bytes of all files below this folder; links count as themselves. What cannot be read does
    /// not count.
    pub fn size_all(&self) -> u64 {
        self.sized(0).unwrap_or(0)
    }

    /// Whether the files below this folder have more bytes than this. What is too deep or cannot be read counts
    /// as more, so that nothing escapes a limit.
    pub fn is_larger_than(&self, bytes: u64) -> bool {
        self.sized(u64::MAX).is_none_or(|it| it > bytes)
    }

    fn sized(&self, unreadable: u64) -> Option<u64> {
        let top = self.reopen().map(OwnedFd::from).ok()?;
        size(&top, DEEPEST, unreadable).ok()
    }
}

/// `unreadable` is the size of a folder that cannot be read, or is too deep.
fn size(folder: &OwnedFd, levels: usize, unreadable: u64) -> Result<u64, Fault> {
    let mut sum: u64 = 0;
    for entry in rustix::fs::Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        // One that vanished has no size.
        let Ok(stat) = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            sum = sum.saturating_add(u64::try_from(stat.st_size).unwrap_or(0));
        } else if levels == 0 {
            sum = sum.saturating_add(unreadable);
        } else {
            let name = OsStr::from_bytes(name.to_bytes());
            let inner = match open_name(folder, name, FOLDER) {
                Err(rustix::io::Errno::NOENT) => Ok(0),
                inner => {
                    inner.map_err(Fault::from).and_then(|it| size(&it, levels - 1, unreadable))
                }
            };
            sum = sum.saturating_add(inner.unwrap_or(unreadable));
        }
    }
    Ok(sum)
}
