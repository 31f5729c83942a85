//! Warm target directories: written by baseline builds only, shown copy-on-write to candidates.
//!
//! cargo decides by modification times whether a unit is fresh. Times are unreliable: an editor sets
//! them back, a clock jumps, files are swapped, two edits get the same time. So a manifest next to the
//! target directory has the content hash of every source that the target was built from. Each user
//! of the directory first compares the tree with the manifest, computes which units a difference can
//! affect (`invalidate.rs`), and invalidates their fingerprints: a baseline, which owns the directory,
//! deletes them; a candidate covers them with unusable ones in its own upper layer. cargo then has to
//! build these units. A wrong time can make cargo build too much, never too little.
//!
//! Invariants:
//! - only [`Warm::begin`], under an exclusive lock of the operating system, hands out the warm
//!   directory writable; [`Warm::candidate`] holds a shared lock while a candidate lives, so no
//!   lower layer changes under a mount;
//! - a fingerprint in the warm directory belongs to the contents in the manifest. If a build was
//!   killed or the tree changed while it ran, the manifest is marked, and the next baseline deletes
//!   every local fingerprint;
//! - whatever a candidate wrote is removed with it;
//! - what is in the directory was written by foreign code: it is read, covered and removed through
//!   descriptors without following links, within limits (`beneath`). Beyond a limit, or where the
//!   layout is not cargo's, nothing in it is used; a unit whose inputs cannot be compared is never
//!   fresh.

mod candidate;
mod inputs;
mod invalidate;
mod lock;
mod manifest;
mod read_roots;
mod units;
mod writing;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use base::{ContentHash, Ctx, Hasher, ProjectPath};
use beneath::Dir;
use sandbox::Mount;

use crate::{CargoError, Toolchain, Workspace};

pub use candidate::Candidate;
pub use writing::Writing;

/// Where the target directory is inside every view: one place, so that paths in it stay true.
const INSIDE: &str = "/graftage/target";

/// Directories kept for one project.
const KEPT: usize = 3;

/// One run's target directory: where it is inside, and the mounts that make it.
#[derive(Clone, Debug)]
pub struct Target {
    /// `CARGO_TARGET_DIR`.
    pub inside: PathBuf,
    /// What makes it, to be added to the view.
    pub mounts: Vec<Mount>,
    /// `HOME` inside: empty and private.
    pub home: PathBuf,
    /// `TMPDIR` inside.
    pub tmp: PathBuf,
}

/// How a candidate sees the warm directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Through an overlay mount: nothing is copied. Needs mount namespaces.
    Mount,
    /// A private copy, mounted at the usual path if mount namespaces are available.
    Copy {
        /// Whether there are mount namespaces.
        mounts: bool,
    },
}

/// What a warm directory is for: two builds that differ in one of these share nothing.
#[derive(Clone, Debug)]
pub struct Key<'a> {
    /// The project's root.
    pub root: &'a Path,
    /// The bytes of `Cargo.lock`, where there is one.
    pub lock: Option<&'a [u8]>,
    /// Whose compiler.
    pub toolchain: &'a Toolchain,
    /// Features and profile, in whatever words.
    pub selection: &'a str,
}

impl Key<'_> {
    fn hash(&self) -> ContentHash {
        Hasher::new()
            .field(self.root.as_os_str().as_encoded_bytes())
            .field(self.lock.unwrap_or_default())
            .field(self.toolchain.version.as_bytes())
            .field(self.toolchain.sysroot.as_os_str().as_encoded_bytes())
            .field(self.selection.as_bytes())
            .finish()
    }
}

/// The sources of a build by content.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The project's root on the host.
    pub root: &'a Path,
    /// Every file of the project that is not ignored, as the build will see it.
    pub files: &'a BTreeMap<ProjectPath, ContentHash>,
    /// Packages and who depends on whom; `None` where cargo cannot say: then nothing local is
    /// taken for fresh.
    pub workspace: Option<&'a Workspace>,
}

/// One warm target directory.
#[derive(Clone, Debug)]
pub struct Warm {
    dir: PathBuf,
}

impl Warm {
    /// The warm directory for `key` below `cache` (the project's own cache folder); made where it
    /// is not there yet. Sweeps up what killed processes left.
    ///
    /// # Errors
    /// Where the folder cannot be made.
    pub fn open(cache: &Path, key: &Key<'_>) -> Result<Self, CargoError> {
        let warms = cache.join("warm");
        let dir = warms.join(key.hash().short());
        if !dir.is_dir() {
            delete_surplus(&warms);
        }
        let warm = Self { dir };
        for path in [warm.target(), warm.candidates()] {
            fs::create_dir_all(&path).map_err(CargoError::io("create", path))?;
        }
        // If the directory is in use, the next baseline sweeps instead.
        if let Ok(lock) = warm.lock_file()
            && lock.try_lock().is_ok()
        {
            candidate::sweep(&warm.candidates());
        }
        Ok(warm)
    }

    /// What baseline builds have built here and is true of the manifest's tree: the words that
    /// were handed to [`Writing::finish`]. Empty where there is nothing, or where it is doubtful.
    pub fn built(&self) -> Vec<String> {
        manifest::read(&self.dir).map(|manifest| manifest.built).unwrap_or_default()
    }

    /// Locks the directory for a baseline build of the tree; waits for candidates to end.
    ///
    /// # Errors
    /// When the directory cannot be locked or prepared.
    pub fn begin(&self, ctx: &Ctx, sources: Sources<'_>, way: Way) -> Result<Writing, CargoError> {
        writing::begin(ctx, self, sources, way)
    }

    /// A throw-away target directory for one candidate; `sources` are the candidate's. Waits for a
    /// baseline build to end.
    ///
    /// # Errors
    /// When the directory cannot be locked or the folders cannot be created.
    pub fn candidate(
        &self,
        ctx: &Ctx,
        sources: Sources<'_>,
        way: Way,
    ) -> Result<Candidate, CargoError> {
        candidate::new(ctx, self, sources, way)
    }

    /// Its folder, for clean-up.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn target(&self) -> PathBuf {
        self.dir.join("target")
    }

    fn candidates(&self) -> PathBuf {
        self.dir.join("candidates")
    }

    /// The lock that guards `target` and the manifest.
    fn lock_file(&self) -> Result<File, CargoError> {
        lock::open(&self.dir.join("lock"))
    }
}

/// Deletes the least recently built directories that are not in use, before a new one is created.
/// Each new `Cargo.lock` needs one, and each is as large as a `target/`.
fn delete_surplus(warms: &Path) {
    let mut dirs: Vec<_> = fs::read_dir(warms)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| {
            let built = fs::metadata(entry.path().join(manifest::FILE)).ok();
            (built.and_then(|it| it.modified().ok()), entry.path())
        })
        .collect();
    dirs.sort();
    let surplus = (dirs.len() + 1).saturating_sub(KEPT);
    for (_, dir) in dirs.into_iter().take(surplus) {
        let Ok(lock) = lock::open(&dir.join("lock")) else { continue };
        if lock.try_lock().is_ok()
            && let Some(name) = dir.file_name()
        {
            // Best effort: a remaining folder only takes disk space.
            let _ = Dir::open(warms).and_then(|warms| warms.remove_all(name));
        }
    }
}

#[cfg(test)]
mod tests;
