//! A file of the index, mapped into memory.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a file from some place on.
#[derive(Debug)]
pub(crate) struct Mapped {
    map: Mmap,
    from: usize,
}

impl Mapped {
    /// Maps a file; its first `from` bytes are not shown.
    #[allow(unsafe_code, reason = "mapping a file is unsafe by its nature; see SAFETY")]
    pub(crate) fn open(path: &Path, from: usize) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the bytes must not change while they are mapped. Files of the index are never
        // written in place: they are replaced by a rename, which leaves the mapped ones as they
        // are. Whoever else writes into our own folder can make answers wrong, as with any file;
        // all that is read from the bytes is checked against bounds.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self { map, from })
    }

    /// What stands before.
    pub(crate) fn head(&self) -> &[u8] {
        self.map.get(..self.from).unwrap_or_default()
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        self.map.get(self.from..).unwrap_or_default()
    }
}
