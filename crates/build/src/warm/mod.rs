//! Warm target directories: written by baseline builds only, shown copy-on-write to candidates.
//!
//! cargo decides by modification times whether a unit is fresh. Times are unreliable: an editor sets
//! them back, a clock jumps, files are swapped, two edits get the same time. So a manifest next to the
//! target directory has the content hash of every source that the target was built from. Each user
//! of the directory first compares the tree with the manifest, computes which units a difference can
//! affect (`invalidate.rs`), and takes their fingerprints and their output away: a baseline, which owns the
//! directory, deletes them; a candidate covers them in its own upper layer. cargo then has to build these
//! units, and until it has, none sees what another one left before. A wrong time can make cargo build too
//! much, never too little.
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
//!   descriptors without following links, within limits (`untrusted_fs`). Beyond a limit, or where the
//!   layout is not cargo's, nothing in it is used; a unit whose inputs cannot be compared is never
//!   fresh.

mod baseline;
mod candidate;
mod changes;
mod guard;
mod inputs;
mod invalidate;
mod learned;
mod lock;
mod manifest;
mod outputs;
mod read_roots;
mod units;

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use base::{ContentHash, Ctx, Hasher, ProjectPath, SortedMap, SortedSet};
use sandbox::Mount;
use untrusted_fs::Dir;

use crate::configuration::included_by;
use crate::process::CONFIGURATION;
use crate::{CargoError, CargoWorkspace, Toolchain};

pub use baseline::BaselineTarget;
pub use candidate::CandidateTarget;
pub use guard::UnitGuard;

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
    /// What confines single units; `None` for a target directory that no later build reads.
    pub guard: Option<UnitGuard>,
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
    /// Folder with the user's own configuration of cargo.
    pub cargo_home: &'a Path,
    /// Content of `Cargo.lock`, if it exists.
    pub lock: Option<&'a [u8]>,
    /// Toolchain with the compiler.
    pub toolchain: &'a Toolchain,
    /// Profile, and who reads what is built, in any unambiguous form.
    pub selection: &'a str,
    /// The program that confines single units ([`sandbox::Sandbox::unit_stage`]). Without it a build
    /// script or macro of the project could forge what a later build reads, so nothing local is
    /// fresh where the project has one.
    pub stage: Option<&'a Path>,
}

/// Maximum number of configuration files that are looked at.
const MOST_CONFIGURATION: usize = 1_000;
/// Maximum size of a configuration file of cargo.
const CONFIGURATION_BYTES: u64 = 16 << 20;

impl WarmKey<'_> {
    fn hash(&self) -> ContentHash {
        Hasher::new()
            .field(self.root.as_os_str().as_encoded_bytes())
            .field(self.lock.unwrap_or_default())
            .field(self.toolchain.version.as_bytes())
            .field(self.toolchain.sysroot.as_os_str().as_encoded_bytes())
            .field(self.selection.as_bytes())
            .field(self.stage.map_or(&b""[..], |it| it.as_os_str().as_encoded_bytes()))
            .field(&self.configuration())
            .finish()
    }

    /// The configuration of cargo in the project and above, the user's own, and what these include. It can name
    /// programs that take the place of compilers and linkers, and variables that build scripts read, and so decides
    /// whose work a directory has.
    fn configuration(&self) -> Vec<u8> {
        let named = self.root.ancestors().flat_map(|dir| CONFIGURATION.map(|it| dir.join(it)));
        let own = ["config.toml", "config"].map(|it| self.cargo_home.join(it));
        let mut queue: VecDeque<PathBuf> = named.chain(own).collect();
        let (mut bytes, mut seen) = (Vec::new(), SortedSet::new());
        while let Some(path) = queue.pop_front() {
            if seen.len() > MOST_CONFIGURATION || !seen.insert(path.clone()) {
                continue;
            }
            match untrusted_fs::read_own(&path, CONFIGURATION_BYTES) {
                Ok(None) => {}
                Ok(Some(text)) => {
                    bytes.extend_from_slice(ContentHash::of(&text).as_bytes());
                    let included = included_by(&String::from_utf8_lossy(&text));
                    let folder = path.parent().unwrap_or(self.root);
                    queue.extend(included.iter().map(|it| base::normal_path(&folder.join(it))));
                }
                Err(_) => bytes.push(0),
            }
        }
        bytes
    }
}

/// The sources of a build by content.
#[derive(Clone, Copy, Debug)]
pub struct BuildSources<'a> {
    /// Root of the project on the host.
    pub root: &'a Path,
    /// Every file of the project that is not ignored, as the build will read it.
    pub files: &'a SortedMap<ProjectPath, ContentHash>,
    /// Entries of the project that the build does not see.
    pub closed: &'a SortedSet<ProjectPath>,
    /// Packages and their dependents; `None` if cargo cannot list them: then nothing local counts
    /// as fresh.
    pub workspace: Option<&'a CargoWorkspace>,
}

/// One warm target directory.
#[derive(Clone, Debug)]
pub struct WarmTarget {
    dir: PathBuf,
    /// Folder inside every view with mounts for the target directory and what confines units. Always the same, so
    /// that paths in it stay valid; another one for each key, so that code cannot ask for it by a name that it has.
    inside: PathBuf,
    /// Whether units are confined.
    guarded: bool,
    /// Names of the toolchain's own libraries.
    libraries: SortedSet<String>,
}

impl WarmTarget {
    /// The warm directory for `key` below `cache` (the project's cache folder); creates it if
    /// needed, and removes what killed processes left.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn open(cache: &Path, key: &WarmKey<'_>) -> Result<Self, CargoError> {
        let warms = cache.join("warm");
        let name = key.hash().short();
        let dir = warms.join(&name);
        if !dir.is_dir() {
            delete_surplus(&warms);
        }
        let inside = Path::new("/").join(name);
        let libraries = key.toolchain.libraries();
        let warm = Self { dir, inside, guarded: key.stage.is_some(), libraries };
        for path in [warm.target(), warm.candidates()] {
            untrusted_fs::make_own(&path).map_err(CargoError::fault("create", path))?;
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

    fn open_target(&self) -> Result<invalidate::TargetDir, CargoError> {
        let (path, libraries) = (self.target(), self.libraries.clone());
        invalidate::TargetDir::open(path.clone(), self.inside(), libraries)
            .map_err(CargoError::fault("open", path))
    }

    /// The path of the target directory inside a view with mounts.
    fn inside(&self) -> PathBuf {
        self.inside.join("target")
    }

    fn candidates(&self) -> PathBuf {
        self.dir.join("candidates")
    }

    /// The confinement of a build in this directory; `own` is the folder of that build.
    fn guard(&self, own: &Path, sources: &BuildSources<'_>) -> Option<UnitGuard> {
        self.guarded.then(|| UnitGuard::new(own.join("guard"), self.inside.clone(), sources))
    }

    /// The units that must not count as fresh.
    fn plan(&self, target: &invalidate::TargetDir, sources: &BuildSources<'_>) -> invalidate::Plan {
        let runs_own = |it: &CargoWorkspace| {
            it.packages.iter().any(|package| package.has_build_script || package.is_proc_macro)
        };
        match sources.workspace {
            Some(workspace) if !self.guarded && runs_own(workspace) => invalidate::Plan::Everything,
            _ => invalidate::plan(target, sources, manifest::read(&self.dir).as_ref()),
        }
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
