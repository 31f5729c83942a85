//! Finds the toolchain of a project on first use. Its key shows without a process whether an
//! earlier result is still valid. Start at [`ToolchainProbe`].

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{ContentHash, Ctx, Hasher};
use sandbox::{Level, Mount, Sandbox, Stream, View};

use crate::process::{self, LocalNetwork, Process, ProcessKind};
use crate::toolchain::{chosen_sysroot, locate_toolchain, read_only};
use crate::{CargoEnv, CargoError, HostEnv, Trust, run};

/// Finds the toolchain of a project lazily: [`ToolchainProbe::key`] shows without starting a process whether a
/// cached result is still valid.
#[derive(Clone, Debug)]
pub struct ToolchainProbe {
    /// Starts the processes.
    pub sandbox: Sandbox,
    /// The user's environment.
    pub host: HostEnv,
    /// The sandbox level without which nothing runs.
    pub require: Level,
    /// Folders outside the project that builds may read.
    pub trust: Trust,
    /// Graftage's cache folder.
    pub cache: PathBuf,
}

impl ToolchainProbe {
    /// A key that changes with the selected toolchain. Reads a few files and starts no process.
    ///
    /// # Errors
    /// When the requested toolchain is not installed.
    pub fn key(&self, root: &Path) -> Result<ContentHash, CargoError> {
        let sysroot = chosen_sysroot(&self.host, root, &self.trust)?.sysroot;
        let mut hasher = Hasher::new();
        hasher.field(sysroot.as_os_str().as_encoded_bytes());
        // An update replaces files in place: the name of the compiler's library contains a hash,
        // and rustup lists the installed components.
        let mut names: Vec<_> = std::fs::read_dir(sysroot.join("lib"))
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name()))
            .filter(|name| name.as_encoded_bytes().starts_with(b"librustc_driver"))
            .collect();
        names.sort();
        for name in &names {
            hasher.field(name.as_encoded_bytes());
        }
        for name in ["bin/rustc", "bin/cargo"] {
            let len = std::fs::metadata(sysroot.join(name)).map_or(0, |meta| meta.len());
            hasher.field(&len.to_le_bytes());
        }
        let list = sysroot.join("lib/rustlib/multirust-channel-manifest.toml");
        hasher.field(&std::fs::metadata(list).map_or(0, |meta| meta.len()).to_le_bytes());
        Ok(hasher.finish())
    }

    /// The environment for runs with the toolchain that cargo would use in `root`.
    ///
    /// # Errors
    /// See [`locate_toolchain`].
    pub fn env(&self, ctx: &Ctx, root: &Path) -> Result<CargoEnv, CargoError> {
        Ok(CargoEnv {
            toolchain: locate_toolchain(
                ctx,
                &self.sandbox,
                &self.host,
                root,
                &self.trust,
                self.require,
            )?,
            sandbox: self.sandbox.clone(),
            host: self.host.clone(),
            require: self.require,
            trust: self.trust.clone(),
            cache: self.cache.clone(),
            offline: true,
            jobs: None,
        })
    }
}

/// The lines of `rustc --print cfg` for this host, sorted.
///
/// # Errors
/// When rustc does not run.
pub fn host_cfg(ctx: &Ctx, env: &CargoEnv) -> Result<Vec<String>, CargoError> {
    let program = env.toolchain.rustc.clone();
    let mut lines = Vec::new();
    let process = Process {
        program: program.clone(),
        args: vec!["--print".into(), "cfg".into()],
        cwd: PathBuf::from("/"),
        timeout: Duration::from_secs(60),
        memory_bytes: Some(2 << 30),
        network: LocalNetwork::Nothing,
        stdin: Vec::new(),
        variables: Vec::new(),
        kind: ProcessKind::Any,
    };
    let outcome = process::run(ctx, env, &View::default(), None, process, &mut |stream, line| {
        if stream == Stream::Stdout {
            lines.push(String::from_utf8_lossy(line).trim().to_owned());
        }
    })?;
    if outcome.cancelled {
        return Err(CargoError::Cancelled(base::Cancelled));
    }
    if outcome.exit_code != 0 || lines.is_empty() {
        let reason = run::failure_text(&outcome.stderr);
        return Err(CargoError::Broken { program, reason });
    }
    lines.retain(|line| !line.is_empty());
    lines.sort();
    Ok(lines)
}

/// A read-only view of the project as it is, with the path dependencies around it that the user
/// trusts.
pub fn view_of(root: &Path, trust: &Trust) -> View {
    let mut mounts = vec![read_only(root)];
    mounts.extend(crate::outside_paths(root, trust).shown.iter().map(|path| read_only(path)));
    // A nested folder must be mounted after its parent.
    mounts.sort_by_key(|mount: &Mount| mount.inside().components().count());
    View { mounts }
}
