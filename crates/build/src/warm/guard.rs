//! The confinement of single units of a build: the compiler wrapper of `sandbox`, which also notes what a unit
//! reads, and the packages that are compiled without incremental data: those that load a macro of the project.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sandbox::Mount;

use super::BuildSources;
use super::read_roots::outside_dirs;
use crate::{CargoEnv, CargoError};

/// The confinement of the units of one build.
#[derive(Clone, Debug)]
pub struct UnitGuard {
    /// The folder on the host for the wrapper.
    folder: PathBuf,
    /// The folder inside a view with mounts. Its paths are in cargo's record of the compiler, and in the files that
    /// take the place of build scripts.
    inside: PathBuf,
    /// Folders in which is noted what a unit reads.
    roots: Vec<PathBuf>,
    /// Packages without incremental data.
    cold: Vec<String>,
}

/// A wrapper that is in place.
pub(crate) struct GuardMounts {
    pub(crate) mounts: Vec<Mount>,
    /// `RUSTC_WRAPPER`.
    pub(crate) wrapper: OsString,
}

impl UnitGuard {
    pub(super) fn new(folder: PathBuf, inside: PathBuf, sources: &BuildSources<'_>) -> Self {
        let (mut roots, mut cold) = (vec![sources.root.to_owned()], Vec::new());
        if let Some(workspace) = sources.workspace {
            roots.extend(outside_dirs(sources.root, workspace).map(Path::to_owned));
            cold = workspace.loads_own_macros();
        }
        Self { folder, inside, roots, cold }
    }

    /// Writes the wrapper for a target directory at `target` inside; `None` where units cannot be
    /// confined.
    pub(crate) fn prepare(
        &self,
        env: &CargoEnv,
        target: &Path,
    ) -> Result<Option<GuardMounts>, CargoError> {
        let (Some(program), Some(stages)) = (env.sandbox.unit_stage(), self.stages(env)) else {
            return Ok(None);
        };
        let has_mounts = env.sandbox.capabilities().namespaces.works;
        let file = self.folder.join("rustc");
        let wrapper = if has_mounts { self.inside.join("rustc") } else { file.clone() };
        let (launcher, stage) = (&stages.0, &stages.1);
        let text = sandbox::unit_wrapper((launcher, stage), target, &self.roots, &self.cold);
        // Without it nothing that a unit leaves could be believed.
        let text = text.ok_or_else(|| CargoError::Unconfinable { folder: self.folder.clone() })?;
        self.write("rustc", text.as_bytes())?;
        self.write("launch", sandbox::LAUNCHER)?;
        let shown = |host: &Path, inside: &Path| Mount::ReadOnly {
            host: host.to_owned(),
            inside: inside.to_owned(),
        };
        let launched = shown(&self.folder.join("launch"), launcher);
        let mounts = vec![shown(program, stage), launched, shown(&file, &wrapper)];
        Ok(Some(GuardMounts { mounts, wrapper: wrapper.into() }))
    }

    /// The launcher and the sandbox's own program as a build sees them; `None` where units cannot be confined.
    pub(crate) fn stages(&self, env: &CargoEnv) -> Option<(PathBuf, PathBuf)> {
        let program = env.sandbox.unit_stage()?;
        Some(match env.sandbox.capabilities().namespaces.works {
            true => (self.inside.join("launch"), self.inside.join("stage")),
            false => (self.folder.join("launch"), program.to_owned()),
        })
    }

    /// Writes the file if it differs: cargo asks a compiler anew whose wrapper is newer.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CargoError> {
        let failed = |fault| CargoError::fault("write", self.folder.join(name))(fault);
        let folder = untrusted_fs::make_own(&self.folder).map_err(failed)?;
        let found = folder.read(name, 1 << 20).map_err(failed)?;
        if found.is_some_and(|found| found.bytes == bytes) {
            return Ok(());
        }
        // A running build keeps the file that it has.
        folder.replace(name, &[bytes], 0o700).map_err(failed)
    }
}
