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
        let top = self.reopen().map(OwnedFd::from);
        top.map_or(0, |top| size(&top, DEEPEST).unwrap_or(0))
    }
}

fn size(folder: &OwnedFd, levels: usize) -> Result<u64, Fault> {
    let mut sum: u64 = 0;
    for entry in rustix::fs::Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let Ok(stat) = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            sum = sum.saturating_add(u64::try_from(stat.st_size).unwrap_or(0));
        } else if levels > 0 {
            let name = OsStr::from_bytes(name.to_bytes());
            let inner = open_name(folder, name, FOLDER).map_err(Fault::from);
            sum = sum.saturating_add(inner.and_then(|it| size(&it, levels - 1)).unwrap_or(0));
        }
    }
    Ok(sum)
}
