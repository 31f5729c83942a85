//! Sealed files: magic number, kind, version, length and checksum before the content, so that every
//! incomplete or damaged file is detected. For files that can be rebuilt.

use std::ffi::OsStr;
use std::path::Path;

use crate::IngestError;

const MAGIC: &[u8; 8] = b"graftage";
/// Magic, kind, version, length, blake3 of the content.
const HEADER: usize = 8 + 4 + 4 + 8 + 32;
/// Size limit of a file in bytes.
const LARGEST: u64 = 4 << 30;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) kind: [u8; 4],
    /// Must grow with every change of the content or its meaning.
    pub(crate) version: u32,
}

/// The result of reading a file.
#[derive(Debug)]
pub(crate) enum SealedFile {
    /// The intact content.
    Content(Vec<u8>),
    /// There is no file.
    Missing,
    /// It cannot be used, for this reason.
    Damaged(SealedFault),
}

/// Why a file of ours is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SealedFault {
    /// It has no whole header.
    #[error("it is truncated")]
    Truncated,
    /// It is of another kind.
    #[error("it is not a graftage file of this kind")]
    Kind,
    /// It is of another version.
    #[error("it has another version")]
    Version,
    /// The content is longer or shorter than the header states.
    #[error("its length does not match its header")]
    Length,
    /// The content is not what was written.
    #[error("its checksum is wrong")]
    Checksum,
    /// The system or a limit refuses it.
    #[error("{0}")]
    Unreadable(String),
    /// The content is no value of its type.
    #[error(transparent)]
    Rows(#[from] postcard::Error),
    /// The content cannot be decompressed.
    #[error("{0}")]
    Compression(String),
    /// The decompressed content would be too long.
    #[error("its length is wrong")]
    TooLong,
    /// The content ends before one of its parts.
    #[error("it is shorter than its header states")]
    Short,
}

/// The content with its header.
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

/// The content, if it is intact and in this format.
pub(crate) fn unseal(format: Format, mut bytes: Vec<u8>) -> Result<Vec<u8>, SealedFault> {
    let header = bytes.get(..HEADER).ok_or(SealedFault::Truncated)?;
    if &header[..8] != MAGIC || header[8..12] != format.kind {
        return Err(SealedFault::Kind);
    }
    if header[12..16] != format.version.to_le_bytes() {
        return Err(SealedFault::Version);
    }
    let content = &bytes[HEADER..];
    if header[16..24] != (content.len() as u64).to_le_bytes() {
        return Err(SealedFault::Length);
    }
    if header[24..HEADER] != *blake3::hash(content).as_bytes() {
        return Err(SealedFault::Checksum);
    }
    bytes.drain(..HEADER);
    Ok(bytes)
}

/// Reads a file of a folder of ours; a file that cannot be read counts as damaged, because it will be
/// rebuilt.
pub(crate) fn read(format: Format, path: &Path) -> SealedFile {
    let (folder, name) = split(path);
    let read = untrusted_fs::open_inner(folder).and_then(|folder| match folder {
        Some(folder) => folder.read(name, LARGEST),
        None => Ok(None),
    });
    match read {
        Ok(Some(found)) => match unseal(format, found.bytes) {
            Ok(content) => SealedFile::Content(content),
            Err(reason) => SealedFile::Damaged(reason),
        },
        Ok(None) => SealedFile::Missing,
        Err(fault) => SealedFile::Damaged(SealedFault::Unreadable(fault.to_string())),
    }
}

/// Replaces `path` by `parts` in one rename; its folder is made if it is missing. Without fsync: a file
/// torn by a power failure is detected by its checksum and rebuilt.
pub(crate) fn replace(path: &Path, parts: &[&[u8]]) -> Result<(), IngestError> {
    let (folder, name) = split(path);
    let made = untrusted_fs::make_own(folder);
    let folder = made.map_err(|err| IngestError::io("create", folder)(err.into()))?;
    let replaced = folder.replace(name, parts, 0o600);
    replaced.map_err(|err| IngestError::io("write", path)(err.into()))
}

/// The folder and the name of a file.
pub(crate) fn split(path: &Path) -> (&Path, &OsStr) {
    (path.parent().unwrap_or(Path::new("/")), path.file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { kind: *b"test", version: 3 };

    #[test]
    fn sealed_content_is_read_back() {
        assert_eq!(unseal(FORMAT, seal(FORMAT, b"content")), Ok(b"content".to_vec()));
        assert_eq!(unseal(FORMAT, seal(FORMAT, b"")), Ok(Vec::new()));
    }

    #[test]
    fn any_flipped_bit_and_any_truncation_is_detected() {
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
        assert_eq!(unseal(FORMAT, older), Err(SealedFault::Version));
        let other = seal(Format { kind: *b"othr", ..FORMAT }, b"content");
        assert_eq!(unseal(FORMAT, other), Err(SealedFault::Kind));
    }
}
