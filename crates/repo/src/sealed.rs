//! Files of the journal: one header line with version and hash, then JSON. A file that does
//! not match its hash is an error.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use base::ContentHash;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::RepoError;

const MAGIC: &str = "graftage-journal 1 ";
/// Size limit of a file in bytes.
const LARGEST: u64 = 4 << 30;

/// Writes `value` as `folder/name`: completely and durably, or not at all.
pub(crate) fn write<T: Serialize>(folder: &Path, name: &str, value: &T) -> Result<(), RepoError> {
    let path = folder.join(name);
    let keep = |reason: String| RepoError::Keep { path: path.clone(), reason };
    let json = serde_json::to_vec(value).map_err(|err| keep(err.to_string()))?;
    let mut bytes = format!("{MAGIC}{}\n", ContentHash::of(&json)).into_bytes();
    bytes.extend_from_slice(&json);
    write_bytes(folder, name, &bytes).map_err(|err| keep(err.to_string()))
}

/// Writes bytes the same way. The caller holds the write lock, so one temporary name suffices.
pub(crate) fn write_bytes(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let temp = folder.join("unfinished");
    let mut options = File::options();
    let mut file = options.create(true).truncate(true).write(true).mode(0o600).open(&temp)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&temp, folder.join(name))?;
    sync_folder(folder)
}

/// Makes a folder and its parents, readable by this user only: the journal contains the texts of
/// files that may be private.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    Ok(untrusted_fs::make_own(folder).map(drop)?)
}

/// Makes the names of a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Reads what [`write`] wrote; `Ok(None)` if there is no such file.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, RepoError> {
    let bytes = match untrusted_fs::read_regular(path, LARGEST) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(None),
        Err(fault) => {
            return Err(RepoError::Read { path: path.to_owned(), reason: fault.to_string() });
        }
    };
    let damaged =
        |reason: &str| RepoError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
    let header_len = bytes.iter().position(|byte| *byte == b'\n');
    let (header, json) = header_len
        .map(|at| (&bytes[..at], &bytes[at + 1..]))
        .ok_or_else(|| damaged("it has no header line"))?;
    let hash = std::str::from_utf8(header)
        .ok()
        .and_then(|header| header.strip_prefix(MAGIC))
        .and_then(ContentHash::parse)
        .ok_or_else(|| damaged("its header names no version that is known here"))?;
    if ContentHash::of(json) != hash {
        return Err(damaged("its content does not match its hash"));
    }
    serde_json::from_slice(json).map(Some).map_err(|err| damaged(&err.to_string()))
}
