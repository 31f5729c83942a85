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
//! - only [`WarmTarget::begin`], under an exclusive lock of the operating system, hands out the warm
//!   directory writable; [`WarmTarget::candidate`] holds a shared lock while a candidate lives, so no
//!   lower layer changes under a mount;
//! - a fingerprint in the warm directory belongs to the contents in the manifest. If a build was
//!   killed or the tree changed while it ran, the manifest is marked, and the next baseline deletes
//!   every local fingerprint;
//! - whatever a candidate wrote is removed with it;
//! - what is in the directory was written by foreign code: it is read, covered and removed through
//!   descriptors without following links, within limits (`beneath`). Beyond a limit, or where the
//!   layout is not cargo's, nothing in it is used; a unit whose inputs cannot be compared is never
//!   fresh.

mod baseline;
mod candidate;
mod inputs;
mod invalidate;
mod lock;
mod manifest;
mod read_roots;
mod units;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use base::{ContentHash, Ctx, Hasher, ProjectPath};
use beneath::Dir;
use sandbox::Mount;

use crate::{CargoError, Toolchain, Workspace};

pub use baseline::BaselineTarget;
pub use candidate::CandidateTarget;

/// Path of the target directory inside every view; always the same, so that paths in it stay valid.
const INSIDE: &str = "/graftage/target";

/// Maximum number of directories kept per project.
const KEPT: usize = 3;

/// The target directory of one run: its path inside, and its mounts.
#[derive(Clone, Debug)]
pub struct TargetMount {
    /// `CARGO_TARGET_DIR`.
    pub inside: PathBuf,
    /// Mounts to add to the view.
    pub mounts: Vec<Mount>,
    /// `HOME` inside: empty and private.
    pub home: PathBuf,
    /// `TMPDIR` inside.
    pub tmp: PathBuf,
}

/// How a candidate sees the warm directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Through an overlay mount: nothing is copied. Needs mount namespaces.
    Mount,
    /// A private copy, mounted at the usual path if mount namespaces are available.
    Copy {
        /// Whether mount namespaces are available.
        mounts: bool,
    },
}

/// Identifies a warm directory; builds with different keys share nothing.
#[derive(Clone, Debug)]
pub struct WarmKey<'a> {
    /// Root of the project.
    pub root: &'a Path,
    /// Content of `Cargo.lock`, if it exists.
    pub lock: Option<&'a [u8]>,
    /// Toolchain with the compiler.
    pub toolchain: &'a Toolchain,
    /// Features and profile, in any unambiguous form.
    pub selection: &'a str,
}

impl WarmKey<'_> {
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
pub struct BuildSources<'a> {
    /// Root of the project on the host.
    pub root: &'a Path,
    /// Every file of the project that is not ignored, as the build will read it.
    pub files: &'a BTreeMap<ProjectPath, ContentHash>,
    /// Packages and their dependents; `None` if cargo cannot list them: then nothing local counts
    /// as fresh.
    pub workspace: Option<&'a Workspace>,
}

/// One warm target directory.
#[derive(Clone, Debug)]
pub struct WarmTarget {
    dir: PathBuf,
}

impl WarmTarget {
    /// The warm directory for `key` below `cache` (the project's cache folder); creates it if
    /// needed, and removes what killed processes left.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn open(cache: &Path, key: &WarmKey<'_>) -> Result<Self, CargoError> {
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

    /// What baseline builds have built of the manifest's tree: the values passed to
    /// [`BaselineTarget::finish`]. Empty if there is nothing or the directory is inconsistent.
    pub fn built(&self) -> Vec<String> {
        manifest::read(&self.dir).map(|manifest| manifest.built).unwrap_or_default()
    }

    /// Locks the directory for a baseline build of the tree; waits for candidates to end.
    ///
    /// # Errors
    /// When the directory cannot be locked or prepared.
    pub fn begin(
        &self,
        ctx: &Ctx,
        sources: BuildSources<'_>,
        isolation: Isolation,
    ) -> Result<BaselineTarget, CargoError> {
        baseline::begin(ctx, self, sources, isolation)
    }

    /// A throw-away target directory for one candidate; `sources` are the candidate's. Waits for a
    /// baseline build to end.
    ///
    /// # Errors
    /// When the directory cannot be locked or the folders cannot be created.
    pub fn candidate(
        &self,
        ctx: &Ctx,
        sources: BuildSources<'_>,
        isolation: Isolation,
    ) -> Result<CandidateTarget, CargoError> {
        candidate::new(ctx, self, sources, isolation)
    }

    /// Folder, for clean-up.
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
