//! Files of ours that can be made again: magic, kind, version, length and checksum before the
//! content, so that anything but what was written whole is noticed.

use std::io::Write;
use std::path::Path;

use crate::IngestError;

const MAGIC: &[u8; 8] = b"graftage";
/// Magic, kind, version, length, blake3 of the content.
const HEADER: usize = 8 + 4 + 4 + 8 + 32;

/// One sort of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) kind: [u8; 4],
    /// Grows with every change of what the bytes mean, also of what was put into them.
    pub(crate) version: u32,
}

/// What became of reading a file.
#[derive(Debug)]
pub(crate) enum Kept {
    /// Whole.
    Content(Vec<u8>),
    /// There is none.
    None,
    /// It cannot be used, and why.
    Damaged(String),
}

/// The content with its header before it.
pub(crate) fn seal(format: Format, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + content.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&format.kind);
    bytes.extend_from_slice(&format.version.to_le_bytes());
    bytes.extend_from_slice(&(content.len() as u64).to_le_bytes());
    bytes.extend_from_slice(blake3::hash(content).as_bytes());
    bytes.extend_from_slice(content);
    bytes
}

/// The content, if it is whole and of this format.
pub(crate) fn unseal(format: Format, mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let header = bytes.get(..HEADER).ok_or("it is cut short")?;
    if &header[..8] != MAGIC || header[8..12] != format.kind {
        return Err("it is no such file".to_owned());
    }
    if header[12..16] != format.version.to_le_bytes() {
        return Err("it is of another version".to_owned());
    }
    let content = &bytes[HEADER..];
    if header[16..24] != (content.len() as u64).to_le_bytes() {
        return Err("its length is not what it says".to_owned());
    }
    if header[24..HEADER] != *blake3::hash(content).as_bytes() {
        return Err("its checksum does not hold".to_owned());
    }
    bytes.drain(..HEADER);
    Ok(bytes)
}

/// Reads a file; that it cannot be read counts as damage, because it is made again then.
pub(crate) fn read(format: Format, path: &Path) -> Kept {
    match std::fs::read(path) {
        Ok(bytes) => match unseal(format, bytes) {
            Ok(content) => Kept::Content(content),
            Err(reason) => Kept::Damaged(reason),
        },
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => Kept::None,
        Err(err) => Kept::Damaged(err.to_string()),
    }
}

/// Puts `parts` in the place of `path` in one rename. There is no fsync: what a power cut tears is
/// noticed by its checksum, and made again.
pub(crate) fn replace(path: &Path, parts: &[&[u8]]) -> Result<(), IngestError> {
    let io = |action| IngestError::io(action, path);
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file =
        tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder).map_err(io("write"))?;
    for part in parts {
        file.write_all(part).map_err(io("write"))?;
    }
    file.persist(path).map_err(|err| io("replace")(err.error))?;
    Ok(())
}

/// How names of unfinished files begin.
const TEMPORARY: &str = ".unfinished-";

/// Removes what killed processes left unfinished; only under the writer's lock.
pub(crate) fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            // One that stays is in nobody's way.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { kind: *b"test", version: 3 };

    #[test]
    fn what_was_sealed_comes_back() {
        assert_eq!(unseal(FORMAT, seal(FORMAT, b"content")), Ok(b"content".to_vec()));
        assert_eq!(unseal(FORMAT, seal(FORMAT, b"")), Ok(Vec::new()));
    }

    #[test]
    fn any_flipped_bit_and_any_cut_is_noticed() {
        let whole = seal(FORMAT, b"content");
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                assert!(unseal(FORMAT, bytes).is_err(), "byte {at}, bit {bit}");
            }
            assert!(unseal(FORMAT, whole[..at].to_vec()).is_err(), "cut at {at}");
        }
        let mut longer = whole;
        longer.push(0);
        assert!(unseal(FORMAT, longer).is_err());
    }

    #[test]
    fn another_version_or_kind_is_refused() {
        let older = seal(Format { version: 2, ..FORMAT }, b"content");
        assert_eq!(unseal(FORMAT, older), Err("it is of another version".to_owned()));
        let other = seal(Format { kind: *b"othr", ..FORMAT }, b"content");
        assert_eq!(unseal(FORMAT, other), Err("it is no such file".to_owned()));
    }
}
