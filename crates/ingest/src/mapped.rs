//! Memory-mapped index files.

use std::io;
use std::path::Path;

use memmap2::Mmap;

use crate::sealed::split;

/// The bytes of a file after a header.
#[derive(Debug)]
pub(crate) struct Mapped {
    map: Mmap,
    from: usize,
}

impl Mapped {
    /// Maps a file of a folder of ours; its first `from` bytes are the header.
    #[allow(unsafe_code, reason = "mapping a file is unsafe by its nature; see SAFETY")]
    pub(crate) fn open(path: &Path, from: usize) -> io::Result<Self> {
        let (folder, name) = split(path);
        let folder = untrusted_fs::open_inner(folder)?;
        let file = folder.map_or(Ok(None), |folder| folder.open_file(name))?;
        let file = file.ok_or(io::ErrorKind::NotFound)?;
        // SAFETY: the bytes must not change while they are mapped. Index files are never written in
        // place: they are replaced by a rename, which leaves the mapped bytes unchanged. Another
        // program that writes into our directory can cause wrong results, as with any file;
        // everything read from the bytes is bounds-checked.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self { map, from })
    }

    /// The header.
    pub(crate) fn head(&self) -> &[u8] {
        self.map.get(..self.from).unwrap_or_default()
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        self.map.get(self.from..).unwrap_or_default()
    }
}
