//! Seals: the hash of a database's bytes, in a file beside it.

use std::fs::File;
use std::path::Path;

use base::ContentHash;
use serde::{Deserialize, Serialize};

use crate::{Result, StoreError};

/// The seal of a database; a small file beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Seal {
    /// A writer is active, or was killed: SQLite's own check must be run.
    Open {
        /// See [`FORMAT`].
        format: u32,
    },
    /// The file's bytes have one of these hashes; there are two while a file is replaced.
    Sealed {
        /// See [`FORMAT`].
        format: u32,
        /// Hashes of all bytes.
        hashes: Vec<ContentHash>,
    },
}

/// The format of seals and relations; databases of another format are not read.
pub(super) const FORMAT: u32 = 1;

/// Size limit of a seal in bytes.
const LARGEST: u64 = 1 << 20;

impl Seal {
    pub(super) fn open() -> Self {
        Self::Open { format: FORMAT }
    }

    pub(super) fn sealed(hashes: Vec<ContentHash>) -> Self {
        Self::Sealed { format: FORMAT, hashes }
    }

    /// The seal and its bytes; `None` if it is missing or invalid.
    pub(super) fn read(path: &Path) -> Option<(Self, Vec<u8>)> {
        let bytes = untrusted_fs::read_regular(path, LARGEST).ok()??;
        let seal: Self = serde_json::from_slice(&bytes).ok()?;
        let (Self::Open { format } | Self::Sealed { format, .. }) = &seal;
        (*format == FORMAT).then_some((seal, bytes))
    }

    /// Writes the seal atomically, and returns its bytes.
    pub(super) fn write(&self, path: &Path) -> Result<Vec<u8>> {
        let keep = |reason: String| StoreError::Keep { path: path.to_owned(), reason };
        let bytes = serde_json::to_vec(self).map_err(|err| keep(err.to_string()))?;
        replace(path, &bytes).map_err(|fault| keep(fault.to_string()))?;
        Ok(bytes)
    }
}

/// Replaces a file in a folder of ours, readable by this user only.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> std::result::Result<(), untrusted_fs::Fault> {
    let (folder, name) = split(path);
    untrusted_fs::make_own(folder)?.replace(name, &[bytes], 0o600)
}

/// The folder and the name of a file.
pub(super) fn split(path: &Path) -> (&Path, &str) {
    let name = path.file_name().and_then(|name| name.to_str());
    (path.parent().unwrap_or(Path::new(".")), name.unwrap_or_default())
}

/// The hash of a file's bytes.
pub(super) fn hash_of(path: &Path) -> Result<ContentHash> {
    let keep = |reason: String| StoreError::Keep { path: path.to_owned(), reason };
    let mut hasher = blake3::Hasher::new();
    let file = untrusted_fs::open_regular(path).map_err(|fault| keep(fault.to_string()))?;
    let file = file.ok_or_else(|| keep("there is no such file".to_owned()))?;
    hasher.update_reader(file).map_err(|err| keep(err.to_string()))?;
    ContentHash::parse(&hasher.finalize().to_hex()).ok_or_else(|| keep("no hash".to_owned()))
}

/// Flushes a rename in the directory of `path` to disk.
pub(super) fn flush_folder(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|err| StoreError::Keep { path: folder.to_owned(), reason: err.to_string() })
}
