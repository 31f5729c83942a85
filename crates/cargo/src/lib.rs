//! Runs cargo, rustc and clippy-driver – always through the sandbox – and reads what they say.
//!
//! Invariants: toolchain programs are called by their real paths (never through rustup's proxies,
//! `RUSTUP_AUTO_INSTALL=0` always); the registry is shared read-only; a target directory that a
//! candidate wrote is never used for another candidate or for the user (see [`warm`]).
//! Broken user code is data: a [`Report`] with diagnostics, never an error.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Ctx, Diagnostic};
use sandbox::{Level, Protections, Sandbox, View};
use serde::{Deserialize, Serialize};

/// What of the user's environment cargo needs; handed in by the surface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEnv { pub path: OsString, pub home: PathBuf, pub cargo_home: PathBuf, pub rustup_home: PathBuf }

/// The programs of one toolchain, by real path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    pub sysroot: PathBuf, pub cargo: PathBuf, pub rustc: PathBuf,
    pub cargo_clippy: Option<PathBuf>, pub clippy_driver: Option<PathBuf>, pub rustfmt: Option<PathBuf>,
    pub nextest: Option<PathBuf>,
    /// `rustc -vV`'s first line.
    pub version: String,
    /// Why this one: `rust-toolchain.toml`, `active toolchain`.
    pub chosen_by: String,
}

/// Everything a run needs that does not change between runs on one project.
#[derive(Clone, Debug)]
pub struct CargoEnv { pub sandbox: Sandbox, pub host: HostEnv, pub toolchain: Toolchain, pub require: Level, pub offline: bool, pub jobs: Option<u32> }

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb { Check, Clippy, Test, Build }

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Packages { Workspace, Default, Named(Vec<String>) }

/// One cargo command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub verb: Verb, pub packages: Packages,
    /// tests, benches, examples too (`--all-targets`)
    pub all_targets: bool,
    pub lib_only: bool,
    /// test name filter
    pub filter: Option<String>,
    pub features: Vec<String>, pub all_features: bool, pub no_default_features: bool,
    pub timeout: Duration,
    pub memory_bytes: Option<u64>,
}

/// What streams out while cargo runs.
#[derive(Clone, Debug)]
pub enum Event { Diagnostic(Diagnostic), Unit { package: String, target: String, fresh: bool }, Test { name: String, passed: bool }, Text(String) }

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport { pub passed: Vec<String>, pub failed: Vec<FailedTest>, pub ignored: usize, pub complete: bool }
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTest { pub name: String, pub output: String }

/// What cargo said.
#[derive(Clone, Debug)]
pub struct Report {
    /// The build finished (for tests: everything built; the tests may have failed).
    pub built: bool,
    /// De-duplicated (lib and test target say the same thing twice), errors first, stable order.
    pub diagnostics: Vec<Diagnostic>,
    pub tests: Option<TestReport>,
    /// A failure that is no diagnostic: manifest unreadable, resolver, missing dependency offline, linker.
    pub failure: Option<String>,
    pub timed_out: bool, pub cancelled: bool,
    pub duration: Duration, pub cpu: Option<Duration>,
    pub protections: Protections,
    /// Whether the run needed a `cargo fetch` first.
    pub fetched: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("cargo")]
pub struct CargoError {}

/// Finds the toolchain that cargo would use in `root` without letting anything be installed.
pub fn locate_toolchain(_ctx: &Ctx, _sandbox: &Sandbox, _host: &HostEnv, _root: &Path) -> Result<Toolchain, CargoError> { unimplemented!() }

/// The workspace around a manifest, from `cargo metadata` run in a view (it can write Cargo.lock there only).
pub fn workspace(_ctx: &Ctx, _env: &CargoEnv, _view: &View, _root: &Path) -> Result<Workspace, CargoError> { unimplemented!() }

/// Packages, targets, who depends on whom, path dependencies outside the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workspace { pub root: PathBuf, pub packages: Vec<Package>, pub outside: Vec<PathBuf> }
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package { pub name: String, pub version: String, pub edition: String, pub dir: PathBuf, pub depends_on: Vec<String>, pub has_build_script: bool, pub is_proc_macro: bool }

/// Runs one command in `view` (project, outside folders) with the target directory `target` mounted as told by [`warm`].
pub fn run(_ctx: &Ctx, _env: &CargoEnv, _view: &View, _root: &Path, _target: &warm::Target, _command: &Command, _on: &mut dyn FnMut(Event)) -> Result<Report, CargoError> { unimplemented!() }

/// Warm target directories: written by baseline builds only, shown copy-on-write to candidates.
pub mod warm {
    use super::*;
    /// One run's target directory: where it is inside, and the mounts that make it.
    #[derive(Clone, Debug)]
    pub struct Target { pub inside: PathBuf, pub mounts: Vec<sandbox::Mount> }
}
