//! Runs cargo, rustc and clippy-driver, always through the sandbox, and parses their output.
//!
//! Invariants: toolchain programs are called by their real paths, never through rustup's proxies,
//! and nothing is ever installed; a toolchain inside the project is refused; no process that may run
//! foreign code has the network or can write the user's registry – downloads are a step of their own
//! ([`fetch`](fn@fetch)); folders outside the project are read by the user's [`Trust`] alone; a target
//! directory that a candidate wrote is never used for another candidate or for the user (see
//! [`warm`]). Broken user code is data: a [`CargoReport`] with
//! diagnostics, never an error.
//!
//! A run takes a view that shows the project, adds what cargo needs to it – toolchain, registry,
//! target directory – and starts one process or a few:
//!
//! ```text
//! locate_toolchain ─▶ CargoEnv ─▶ workspace ─▶ warm::Warm ─▶ run ─▶ Report
//! ```

mod budget;
mod collected;
mod command;
mod configuration;
mod configured;
mod coverage;
mod discovery;
mod error;
mod fetch;
mod inputs;
mod libtest;
mod manifests;
mod message;
mod nextest;
mod outside;
mod probe;
mod process;
mod releases;
mod report;
mod resolved;
mod run;
mod rustup;
mod surroundings;
mod toolchain;
mod trial;
mod trust;
mod view_file;
pub mod warm;
mod workspace;

use std::ffi::OsString;
use std::path::PathBuf;

use sandbox::{Level, Sandbox};
use serde::{Deserialize, Serialize};

pub use command::{Command, Packages, Verb};
pub use configuration::{ShownConfiguration, included_by, own_mounts, words_of};
pub use coverage::LinesByFile;
pub use discovery::{RootError, find_root, find_sources, lists_member};
pub use error::CargoError;
pub use fetch::{
    Fetched, FreshView, Prepared, ProjectFiles, fetch, names_sources, package_folders, prepare,
};
pub use inputs::inputs;
pub use manifests::{DependencyKind, Manifest, ManifestDependency, Manifests, Target, manifests};
pub use message::{CargoMessage, read_message};
pub use outside::{OutsideFolder, OutsideFolders, outside_paths, outside_paths_of};
pub use probe::{ToolchainProbe, host_cfg, view_of};
pub use releases::{ListedRelease, UnknownReleases, newest_release, releases};
pub use report::{CargoEvent, CargoReport, FailedTest, TestReport};
pub use resolved::{DependencyResolution, Download, Reach, Resolved, ResolvedPackage, resolve};
pub use run::{TestBinary, TestTarget, format_text, run};
pub use surroundings::{has_replaced_packages, manifests_above, workspace_surroundings};
pub use toolchain::{Toolchain, explanation, locate_toolchain};
pub use trial::{CANDIDATE_VARIABLE, TestBench, TrialFlags, TrialResult, TrialRun};
pub use trust::Trust;
pub use workspace::{CargoWorkspace, Package, workspace};

/// The parts of the user's environment that cargo needs. The caller passes them in, because a library
/// reads no environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEnv {
    /// `PATH`, searched for a toolchain without rustup and for `cargo-nextest`.
    pub path: OsString,
    /// The home folder; cargo never sees it.
    pub home: PathBuf,
    /// `CARGO_HOME` or `~/.cargo`.
    pub cargo_home: PathBuf,
    /// `RUSTUP_HOME` or `~/.rustup`.
    pub rustup_home: PathBuf,
    /// `RUSTUP_TOOLCHAIN`, which `cargo +NAME` sets too: the user's choice of a toolchain, with
    /// priority over all others.
    pub toolchain: Option<String>,
}

/// Everything a run needs that does not change between runs on one project.
#[derive(Clone, Debug)]
pub struct CargoEnv {
    /// Starts the processes.
    pub sandbox: Sandbox,
    /// The user's environment.
    pub host: HostEnv,
    /// The toolchain to run.
    pub toolchain: Toolchain,
    /// The sandbox level without which nothing runs.
    pub require: Level,
    /// Folders outside the project that builds may read, and addresses that downloads may contact.
    pub trust: Trust,
    /// Graftage's cache folder, which receives downloads before they are moved to the registry.
    pub cache: PathBuf,
    /// Whether missing dependencies are never downloaded.
    pub offline: bool,
    /// Parallel build jobs; `None`: cargo's default.
    pub jobs: Option<u32>,
}
