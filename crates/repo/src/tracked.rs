//! [`Tracked`]: the names in git's index, read as the untrusted file that it is. What git tracks is a part of
//! the project, whatever its folder looks like.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use untrusted_fs::Dir;

use crate::git_files;

/// Largest index of git that is read, in bytes.
const LARGEST_INDEX: u64 = 256 << 20;
/// Bytes of an entry before its flags.
const FIXED: usize = 60;

/// The tracked names of the repository around a folder; read once they are asked for.
pub(crate) struct Tracked {
    root: PathBuf,
    names: OnceCell<Option<Vec<Vec<u8>>>>,
}

impl Tracked {
    pub(crate) fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), names: OnceCell::new() }
    }

    /// Whether git tracks a file below the folder, given by its path from the root. Unknown counts as no.
    pub(crate) fn has_below(&self, folder: &str) -> bool {
        let Some(names) = self.names.get_or_init(|| names_around(&self.root)) else { return false };
        let prefix = [folder.as_bytes(), b"/"].concat();
        // The order of an index is that of bytes.
        let at = names.partition_point(|it| *it < prefix);
        names.get(at).is_some_and(|it| it.starts_with(&prefix))
    }
}

/// The tracked names below `root`, sorted, by their paths from it.
fn names_around(root: &Path) -> Option<Vec<Vec<u8>>> {
    use std::os::unix::ffi::OsStrExt;
    let repository = git_files::find(root)?;
    let below = root.strip_prefix(&repository.top).ok()?.as_os_str().as_bytes();
    let names = index_of(&Dir::open(&repository.git_dir).ok()?)??;
    if below.is_empty() {
        return Some(names);
    }
    let prefix = [below, b"/"].concat();
    let own = names.iter().filter_map(|it| it.strip_prefix(prefix.as_slice()));
    Some(own.map(<[u8]>::to_vec).collect())
}

/// The names in the index of a git folder; `None` without an index, `Some(None)` where not all can be read.
pub(crate) fn index_of(git_dir: &Dir) -> Option<Option<Vec<Vec<u8>>>> {
    match git_dir.read("index", LARGEST_INDEX) {
        Ok(found) => found.map(|it| index_names(&it.bytes)),
        Err(_) => Some(None),
    }
}

/// The names of an index (gitformat-index, versions 2 to 4), in its order. `None` of what is no index, and of one
/// that has names elsewhere (a split one) or folders in place of their files (a sparse one).
fn index_names(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let version = number(4).filter(|it| bytes.starts_with(b"DIRC") && matches!(it, 2..=4))?;
    let (count, mut at) = (number(8)?, 12);
    let mut names: Vec<Vec<u8>> = Vec::new();
    for _ in 0..count {
        let flags = bytes.get(at + FIXED..at + FIXED + 2)?;
        let is_extended = version > 2 && flags[0] & 0x40 != 0;
        let mut start = at + FIXED + if is_extended { 4 } else { 2 };
        let mut name = Vec::new();
        if version == 4 {
            let (dropped, length) = offset(bytes.get(start..)?)?;
            let before = names.last().map_or(&b""[..], Vec::as_slice);
            name.extend_from_slice(&before[..before.len().checked_sub(dropped)?]);
            start += length;
        }
        let length = bytes.get(start..)?.iter().position(|it| *it == 0)?;
        name.extend_from_slice(&bytes[start..start + length]);
        names.push(name);
        // Padded with 1 to 8 zeros, but in version 4.
        at = match version {
            4 => start + length + 1,
            _ => at + (start + length - at) / 8 * 8 + 8,
        };
    }
    has_only_optional(bytes.get(at..)?).then_some(names)
}

/// A number of bytes to drop (as in a pack's offset), and its own length.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = usize::from(bytes.first()? & 0x7f);
    let mut length = 1;
    while bytes[length - 1] & 0x80 != 0 {
        value = value.checked_add(1)?.checked_mul(128)? | usize::from(bytes.get(length)? & 0x7f);
        length += 1;
    }
    Some((value, length))
}

/// Whether all extensions before the checksum may be passed over: those that begin with a capital letter.
fn has_only_optional(mut rest: &[u8]) -> bool {
    /// Lengths of a checksum.
    const SUMS: [usize; 2] = [20, 32];
    while !SUMS.contains(&rest.len()) {
        let Some((head, after)) = rest.split_at_checked(8) else { return false };
        let size = u32::from_be_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let Some(next) = after.get(size..).filter(|_| head[0].is_ascii_uppercase()) else {
            return false;
        };
        rest = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_tracks_is_known_in_every_version_of_its_index() {
        for version in ["2", "4"] {
            let dir = tempfile::tempdir().unwrap();
            let at = dir.path();
            for file in ["target/a.txt", "target-x/b", "s/src/lib.rs", "s/target/c.rs", "z"] {
                std::fs::create_dir_all(at.join(file).parent().unwrap()).unwrap();
                std::fs::write(at.join(file), file).unwrap();
            }
            let git = testkit::TestGit::init(at);
            git.run(&["config", "index.version", version]);
            git.run(&["add", "s", "z", "target-x"]);
            let tracked = Tracked::of(at);
            assert!(!tracked.has_below("target") && tracked.has_below("s/target"), "{version}");
            assert!(Tracked::of(&at.join("s")).has_below("target"), "{version}");
            git.run(&["add", "-f", "target"]);
            assert!(Tracked::of(at).has_below("target"), "{version}");
            // One that has its names elsewhere.
            git.run(&["update-index", "--split-index"]);
            assert_eq!(index_of(&Dir::open(&at.join(".git")).unwrap()), Some(None), "{version}");
        }
    }
}
