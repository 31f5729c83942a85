//! Downloads: the only code of this crate that gives a process the network, and the only one that
//! writes the user's registry.
//!
//! Invariants:
//! - What has the network is the cargo of a toolchain that the user installed, and nothing that the
//!   project names: it starts in `/`, where it finds no configuration, with a private `CARGO_HOME`
//!   that holds the reduced one (see `config.rs`); compiler and wrappers are set in its environment;
//!   no credential is shown to it. `cargo fetch` compiles nothing and runs no build script.
//! - It uses a view in which nothing has run ([`FreshView`]), before any foreign code runs; what a
//!   process of the project prints or writes starts and changes no download.
//! - Git repositories, and addresses that only the project names and the user has not allowed, are
//!   refused before a process has the network (`addresses.rs`).
//! - It writes the private folder and the throw-away view of the project, nothing else. A
//!   `Cargo.lock` that it makes stays in that view, and is returned.
//! - From the private folder only `.crate` files and index entries are moved whose SHA-256 is in
//!   the lock file (`take_over.rs`), under cargo's own package cache lock.
//! - Sources are unpacked by the same cargo, offline, with `registry/src/<source>` of the sources in
//!   question writable and the rest of the registry read-only.
//! - A git dependency has no SHA-256 that it could be held against, so none is downloaded: where
//!   the user's cargo has no checkout, the download is refused by name.
//!
//! Without mount namespaces the same holds by Landlock: private folders are at their own paths, and
//! what they show of the user's registry are links into it.

mod addresses;
mod cache_lock;
mod config;
mod download;
pub(crate) mod fault;
mod home;
pub(crate) mod index_entry;
pub(crate) mod lock_file;
mod package_folders;
mod project_files;
mod take_over;

use std::path::Path;
use std::time::Duration;

use base::Ctx;
use sandbox::View;

use self::download::Download;
use self::fault::LockFault;
use self::lock_file::LockFile;
use crate::{CargoEnv, CargoError, CargoReport};

pub use self::package_folders::{names_sources, package_folders};
pub use self::project_files::ProjectFiles;

/// Maximum size of a lock file, in bytes.
const LOCK_BYTES: u64 = 16 << 20;
/// Maximum size of one file that a download writes.
const FILE_BYTES: u64 = 1 << 30;
/// Maximum size kept of cargo's output, for error messages.
const OUTPUT_BYTES: usize = 256 << 10;

/// A view of a project in which no process has run, and what the host has read of the project. A
/// download uses it up: a view in which foreign code ran may contain other manifests.
#[derive(Debug)]
pub struct FreshView<'a> {
    view: &'a View,
    root: &'a Path,
    files: &'a ProjectFiles,
    all_features: bool,
    all_platforms: bool,
}

impl<'a> FreshView<'a> {
    /// The view with the project's root inside it. No process may have run in it, and cargo must be
    /// able to write `Cargo.lock`. `files` are those that the view shows.
    pub fn new(view: &'a View, root: &'a Path, files: &'a ProjectFiles) -> Self {
        Self { view, root, files, all_features: false, all_platforms: false }
    }

    /// Sets whether the packages of all features are needed, and those of platforms other than the
    /// host.
    #[must_use]
    pub fn needing(mut self, all_features: bool, all_platforms: bool) -> Self {
        (self.all_features, self.all_platforms) = (all_features, all_platforms);
        self
    }

    /// Whether the packages of all features are needed, and those of all platforms.
    pub(crate) fn needs(&self) -> (bool, bool) {
        (self.all_features, self.all_platforms)
    }

    /// View, root and files.
    pub(crate) fn parts(&self) -> (&'a View, &'a Path, &'a ProjectFiles) {
        (self.view, self.root, self.files)
    }

    /// The lock file of the project; the error is why it is invalid.
    fn parsed_lock(&self) -> Result<Option<LockFile>, LockFault> {
        self.files.lock.clone()?.map(|text| LockFile::parse(&text)).transpose()
    }
}

/// The packages of a project before anything of it is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// The lock file that cargo made, where the project has none or one that does not fit its
    /// manifests. Views of the proof show it; it is part of no change.
    pub lock: Option<String>,
    /// Whether the project has no `Cargo.lock`, so that versions of its dependencies were chosen for
    /// this proof alone.
    pub chose_versions: bool,
    /// Number of new packages in the user's registry.
    pub downloaded: usize,
    /// Whether all packages are there.
    pub complete: bool,
    /// Why packages could not be downloaded.
    pub failure: Option<String>,
}

impl Prepared {
    /// Adds to the report of a build what the preparation found.
    pub fn add_to(&self, report: &mut CargoReport) {
        report.fetched = self.downloaded > 0;
        report.chose_versions = self.chose_versions;
        if let (Some(reason), false, Some(failure)) =
            (&self.failure, report.built, &mut report.failure)
        {
            failure.push_str("\n\nthe dependencies could not be downloaded: ");
            failure.push_str(reason);
        }
    }
}

/// The result of a download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// All packages are in the user's registry, unpacked.
    Complete {
        /// Number of new `.crate` files.
        packages: usize,
        /// Whether the project has no `Cargo.lock`, so that versions were chosen for this view
        /// alone.
        chose_versions: bool,
    },
    /// It failed, because of the project or the network.
    Failed {
        /// Message of cargo, or what was rejected.
        reason: String,
    },
}

/// Chooses the versions of the package's dependencies and makes sure that their sources are in the
/// user's registry, before anything of the project runs. Cargo resolves without the network first;
/// only if that fails, and the environment is not offline, it downloads. Failure is part of the
/// result: a build then reports what is missing.
///
/// # Errors
/// As [`fetch()`].
pub fn prepare(
    ctx: &Ctx,
    env: &CargoEnv,
    fresh: FreshView<'_>,
    timeout: Duration,
) -> Result<Prepared, CargoError> {
    ctx.check_cancelled()?;
    if let Err(fault) = fresh.parsed_lock() {
        return Ok(Prepared { failure: Some(fault.to_string()), ..Prepared::default() });
    }
    let download = Download::new(ctx, env, &fresh, timeout)?;
    let missing = match download.resolve()? {
        Ok(done) => return Ok(prepared(&fresh, done)),
        Err(missing) => missing,
    };
    if env.offline {
        return Ok(Prepared::default());
    }
    Ok(match download.run()? {
        Ok(done) => prepared(&fresh, done),
        // The project itself is wrong, as the build will report.
        Err(fault) if fault.is_as(&missing) => Prepared::default(),
        Err(fault) => Prepared { failure: Some(fault.to_string()), ..Prepared::default() },
    })
}

fn prepared(fresh: &FreshView<'_>, done: download::Done) -> Prepared {
    let before = fresh.files.lock();
    let names_packages = |text: &str| {
        LockFile::parse(text).is_ok_and(|it| !it.releases.is_empty() || !it.git.is_empty())
    };
    Prepared {
        chose_versions: before.is_none() && done.lock.as_deref().is_some_and(names_packages),
        lock: done.lock.filter(|lock| before != Some(lock)),
        downloaded: done.packages,
        complete: true,
        failure: None,
    }
}

/// Downloads the sources of all dependencies of the package in `fresh` to the user's registry.
/// Builds nothing, and runs no code of theirs or of the project; see the invariants of the module.
///
/// # Errors
/// [`CargoError::Download`] when a downloaded file does not match the lock file;
/// [`CargoError::Busy`] when another cargo does not release the registry; when the sandbox fails or
/// folders cannot be written.
pub fn fetch(
    ctx: &Ctx,
    env: &CargoEnv,
    fresh: FreshView<'_>,
    timeout: Duration,
) -> Result<Fetched, CargoError> {
    ctx.check_cancelled()?;
    let chose_versions = fresh.files.lock().is_none();
    Ok(match Download::new(ctx, env, &fresh, timeout)?.run()? {
        Ok(done) => Fetched::Complete { packages: done.packages, chose_versions },
        Err(fault) => Fetched::Failed { reason: fault.to_string() },
    })
}

/// As [`prepare`], for newer versions than those of the registry: downloads first of all.
///
/// # Errors
/// As [`fetch()`].
pub(crate) fn prepare_anew(
    ctx: &Ctx,
    env: &CargoEnv,
    fresh: &FreshView<'_>,
    timeout: Duration,
) -> Result<Prepared, CargoError> {
    ctx.check_cancelled()?;
    Ok(match Download::new(ctx, env, fresh, timeout)?.run()? {
        Ok(done) => prepared(fresh, done),
        Err(fault) => Prepared { failure: Some(fault.to_string()), ..Prepared::default() },
    })
}
