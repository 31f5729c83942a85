use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base::ContentHash;
use beneath::Dir;
use serde::{Deserialize, Serialize};

use crate::CargoError;

const VERSION: u32 = 1;
/// Beside the target directory.
pub(super) const FILE: &str = "manifest.json";
const TEMPORARY: &str = "manifest.new";
/// Bytes of it.
const LARGEST: u64 = 1 << 30;

/// What a warm target directory was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    version: u32,
    /// What was built, in the caller's words.
    pub(super) built: Vec<String>,
    /// The project's files, relative to its root. `None`: it changed while the build ran, and so
    /// equals nothing.
    pub(super) files: BTreeMap<String, Option<ContentHash>>,
    /// The files of packages outside the project (absolute), and whatever else a unit read that
    /// `files` does not hold: ignored and generated files. `None`: it was not there.
    pub(super) extra: BTreeMap<String, Option<ContentHash>>,
}

impl Manifest {
    pub(super) fn new(
        built: Vec<String>,
        files: BTreeMap<String, Option<ContentHash>>,
        extra: BTreeMap<String, Option<ContentHash>>,
    ) -> Self {
        Self { version: VERSION, built, files, extra }
    }
}

/// `None` where there is none, or an unreadable one, or one of another version: then nothing in
/// the directory may be taken for fresh.
pub(super) fn read(dir: &Path) -> Option<Manifest> {
    let found = Dir::open(dir).ok()?.read(FILE, LARGEST).ok()??;
    let manifest: Manifest = serde_json::from_slice(&found.bytes).ok()?;
    (manifest.version == VERSION).then_some(manifest)
}

/// Whole or not at all.
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

/// From now on the directory is doubtful, until the next [`write`].
pub(super) fn remove(dir: &Path) -> Result<(), CargoError> {
    let path = dir.join(FILE);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(CargoError::Io { action: "remove", path, source: error })
        }
        _ => Ok(()),
    }
}
