use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Ctx;
use sandbox::{Job, Level, Limits, Mount, Network, Sandbox, View};
use serde::{Deserialize, Serialize};

use crate::{CargoError, HostEnv, rustup};

/// The programs of one toolchain, by real path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    /// The folder that holds `bin` and `lib`.
    pub sysroot: PathBuf,
    /// Never rustup's proxy.
    pub cargo: PathBuf,
    /// Never rustup's proxy.
    pub rustc: PathBuf,
    /// Where the component is there.
    pub cargo_clippy: Option<PathBuf>,
    /// Where the component is there.
    pub clippy_driver: Option<PathBuf>,
    /// Where the component is there.
    pub rustfmt: Option<PathBuf>,
    /// Where it is installed.
    pub nextest: Option<PathBuf>,
    /// `rustc -vV`'s first line.
    pub version: String,
    /// Why this one: `rust-toolchain.toml`, `the active toolchain`.
    pub chosen_by: String,
}

/// Finds the toolchain that cargo would use in `root`, by reading rustup's files and `PATH`;
/// nothing is installed. Its `rustc` is run once, in the sandbox, to see that it works.
///
/// # Errors
/// When a toolchain is asked for that is not there, when there is none at all, or when `rustc`
/// does not run.
pub fn locate_toolchain(
    ctx: &Ctx,
    sandbox: &Sandbox,
    host: &HostEnv,
    root: &Path,
) -> Result<Toolchain, CargoError> {
    let (sysroot, chosen_by) = chosen_sysroot(host, root)?;
    let program = |name: &str| {
        let path = sysroot.join("bin").join(name);
        path.is_file().then_some(path)
    };
    let missing = |name: &str| CargoError::Broken {
        program: sysroot.join("bin").join(name),
        reason: "the file is missing".to_owned(),
    };
    let cargo = program("cargo").ok_or_else(|| missing("cargo"))?;
    let rustc = program("rustc").ok_or_else(|| missing("rustc"))?;
    let version = version(ctx, sandbox, &sysroot, &rustc)?;
    Ok(Toolchain {
        cargo_clippy: program("cargo-clippy"),
        clippy_driver: program("clippy-driver"),
        rustfmt: program("rustfmt"),
        nextest: search_path(host, "cargo-nextest"),
        sysroot,
        cargo,
        rustc,
        version,
        chosen_by,
    })
}

/// The folder of the toolchain that cargo would use in `root`, and who chose it.
pub(crate) fn chosen_sysroot(host: &HostEnv, root: &Path) -> Result<(PathBuf, String), CargoError> {
    Ok(match rustup::choice(&host.rustup_home, root)? {
        Some(choice) => match rustup::sysroot(&host.rustup_home, &choice) {
            Some(sysroot) => (sysroot, choice.chosen_by),
            None if host.rustup_home.join("toolchains").is_dir() => {
                return Err(CargoError::ToolchainMissing {
                    name: match choice.toolchain {
                        rustup::Asked::Name(name) => name,
                        rustup::Asked::Folder(dir) => dir.display().to_string(),
                    },
                    chosen_by: choice.chosen_by,
                });
            }
            // Without rustup a toolchain file has no meaning: cargo from PATH ignores it too.
            None => (on_path(host)?, "PATH".to_owned()),
        },
        None => (on_path(host)?, "PATH".to_owned()),
    })
}

impl Toolchain {
    /// Whether it is Rust 1.`minor` or later; true where its version cannot be read.
    pub(crate) fn has_minor(&self, minor: u32) -> bool {
        let number = self.version.split(' ').nth(1).unwrap_or_default();
        let mut parts = number.split('.').map(|part| part.parse::<u32>().ok());
        match (parts.next().flatten(), parts.next().flatten()) {
            (Some(1), Some(own)) => own >= minor,
            _ => true,
        }
    }

    /// What shows the toolchain inside; nothing where the minimal system shows it already.
    pub(crate) fn mounts(&self) -> Vec<Mount> {
        let mut mounts = Vec::new();
        if !self.sysroot.starts_with("/usr") {
            mounts.push(read_only(&self.sysroot));
        }
        mounts
    }

    /// `bin` first, so that whoever calls `rustc` by name gets this one.
    pub(crate) fn path(&self) -> OsString {
        let mut path = self.sysroot.join("bin").into_os_string();
        path.push(":/usr/local/bin:/usr/bin:/bin");
        path
    }
}

pub(crate) fn read_only(path: &Path) -> Mount {
    Mount::ReadOnly { host: path.to_owned(), inside: path.to_owned() }
}

/// The sysroot of the first `cargo` on `PATH` that is no proxy of rustup.
fn on_path(host: &HostEnv) -> Result<PathBuf, CargoError> {
    std::env::split_paths(&host.path)
        .filter_map(|dir| dir.join("cargo").canonicalize().ok())
        .filter(|cargo| cargo.is_file() && cargo.file_stem().is_some_and(|stem| stem != "rustup"))
        .filter_map(|cargo| Some(cargo.parent()?.parent()?.to_owned()))
        .find(|sysroot| sysroot.join("bin/rustc").is_file())
        .ok_or_else(|| CargoError::NoToolchain { rustup_home: host.rustup_home.clone() })
}

fn search_path(host: &HostEnv, program: &str) -> Option<PathBuf> {
    std::env::split_paths(&host.path)
        .chain([host.cargo_home.join("bin")])
        .map(|dir| dir.join(program))
        .find(|path| path.is_file())
        .and_then(|path| path.canonicalize().ok())
}

fn version(
    ctx: &Ctx,
    sandbox: &Sandbox,
    sysroot: &Path,
    rustc: &Path,
) -> Result<String, CargoError> {
    let mut view = View::default();
    if !sysroot.starts_with("/usr") {
        view.mounts.push(read_only(sysroot));
    }
    let job = Job {
        program: rustc.to_owned(),
        args: vec!["-vV".into()],
        cwd: PathBuf::from("/"),
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        stdin: Vec::new(),
        view,
        limits: Limits {
            wall: Duration::from_secs(60),
            memory_bytes: Some(2 << 30),
            ..Limits::default()
        },
        network: Network::Off,
        require: Level::BestEffort,
    };
    let outcome = sandbox.run(ctx, &job, &mut |_, _| {})?;
    let text = String::from_utf8_lossy(&outcome.stdout);
    match text.lines().next() {
        Some(line) if outcome.exit_code == 0 && line.starts_with("rustc ") => Ok(line.to_owned()),
        _ => Err(CargoError::Broken {
            program: rustc.to_owned(),
            reason: format!(
                "`rustc -vV` ended with {}: {}",
                outcome.exit_code,
                String::from_utf8_lossy(&outcome.stderr).trim()
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        let of = |version: &str| Toolchain {
            sysroot: PathBuf::new(),
            cargo: PathBuf::new(),
            rustc: PathBuf::new(),
            cargo_clippy: None,
            clippy_driver: None,
            rustfmt: None,
            nextest: None,
            version: version.to_owned(),
            chosen_by: String::new(),
        };
        assert!(of("rustc 1.95.0 (59807616e 2026-04-14)").has_minor(74));
        assert!(!of("rustc 1.9.0 (abc)").has_minor(74));
        assert!(of("something else").has_minor(74));
    }
}
