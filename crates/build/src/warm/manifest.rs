//! The record beside a warm target directory: the inputs that it was built from. Without a valid
//! record nothing in the directory counts as fresh.

use std::fs;
use std::path::Path;

use base::{ContentHash, SortedMap, SortedSet};
use serde::{Deserialize, Serialize};
use untrusted_fs::Dir;

use super::changes::Besides;
use crate::CargoError;

const VERSION: u32 = 6;
/// File name, beside the target directory.
pub(super) const FILE: &str = "manifest.json";
const TEMPORARY: &str = "manifest.new";
/// Maximum size in bytes.
const LARGEST: u64 = 1 << 30;

/// The inputs from which a warm target directory was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    version: u32,
    /// What was built, as named by the caller.
    pub(super) built: Vec<String>,
    /// Files of the project, relative to its root. `None`: changed during the build, and so equal
    /// to nothing.
    pub(super) files: SortedMap<String, Option<ContentHash>>,
    /// Files of packages outside the project (absolute), and other entries that a unit read: ignored
    /// and generated ones. `None`: did not exist. With two slashes at its end: the names in a folder that are in no
    /// list.
    pub(super) extra: SortedMap<String, Option<ContentHash>>,
    /// The rights of entries that a unit learned of, as [`Dir::rights`]; not of those that changed during the build.
    pub(super) rights: SortedMap<String, [u64; 2]>,
    /// Entries of the project that the build did not see.
    pub(super) closed: SortedSet<String>,
}

impl Manifest {
    pub(super) fn new(
        built: Vec<String>,
        files: SortedMap<String, Option<ContentHash>>,
        besides: Besides,
        closed: SortedSet<String>,
    ) -> Self {
        let Besides { extra, rights } = besides;
        Self { version: VERSION, built, files, extra, rights, closed }
    }
}

/// `None` if it is missing, unreadable or of another version: then nothing in the directory counts
/// as fresh.
pub(super) fn read(dir: &Path) -> Option<Manifest> {
    let found = Dir::open(dir).ok()?.read(FILE, LARGEST).ok()??;
    let manifest: Manifest = serde_json::from_slice(&found.bytes).ok()?;
    (manifest.version == VERSION).then_some(manifest)
}

/// Writes it atomically.
pub(super) fn write(dir: &Path, manifest: &Manifest) -> Result<(), CargoError> {
    let path = dir.join(FILE);
    let temporary = dir.join(TEMPORARY);
    let write = || -> std::io::Result<()> {
        Dir::open(dir)?.write_new(TEMPORARY, &serde_json::to_vec(manifest)?)?;
        fs::File::open(&temporary)?.sync_all()?;
        fs::rename(&temporary, &path)
    };
    write().map_err(CargoError::io("write", &path))
}

/// Marks the directory as inconsistent until the next [`write()`].
pub(super) fn remove(dir: &Path) -> Result<(), CargoError> {
    let path = dir.join(FILE);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(CargoError::Io { action: "remove", path, source: error })
        }
        _ => Ok(()),
    }
}
