//! What a process that runs tests sees and may write: the view and the target directory of the build,
//! with a layer on top that is removed when the process has ended. Start at [`run_in_layer`].
//!
//! Invariants:
//! - nothing that such a process writes is in a folder that a later build, run or proof reads; `HOME`
//!   and `TMPDIR` are empty at the start;
//! - where overlays can be mounted nothing is copied; where they cannot, the process gets a copy, mounted
//!   at the same path. Without mount namespaces the folder of the build is put aside and a copy is at
//!   its place while the process runs ([`Aside`]). A folder that is put aside when this program is
//!   killed is put back before the next build ([`put_back`]);
//! - times and permissions are those of the original, so that cargo builds nothing again.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sandbox::{Mount, Outcome, SandboxError, Stream, Upper, View};
use untrusted_fs::{CopyLimits, Dir, ScratchFolder};

use super::Run;
use crate::process::{self, Process};
use crate::warm::TargetMount;
use crate::{CargoEnv, CargoError};

/// Limits for a copy of one folder; beyond them no tests are run.
const COPY: CopyLimits = CopyLimits { entries: 2_000_000, bytes: 200 << 30, depth: 128 };
/// Name of the folder below the cache with the layers of running tests.
const FOLDER: &str = "test-runs";
/// End of the name of a folder that is put aside.
const ASIDE: &str = ".aside";

/// How the writes of a process are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Overlay,
    /// A copy that is mounted at the path of the original.
    Copy,
    /// A copy at the place of the original.
    Place,
}

/// Runs a process that runs foreign code after the build; what it writes is removed with its layer.
pub(super) fn run_in_layer(
    run: &Run<'_>,
    process: &Process,
    on_line: &mut dyn FnMut(Stream, &[u8]),
) -> Result<(Outcome, Way), CargoError> {
    let way = match run.env.sandbox.capabilities().namespaces.works {
        true => Way::Overlay,
        false => Way::Place,
    };
    let once = |way: Way, on_line: &mut dyn FnMut(Stream, &[u8])| {
        let layer = Layer::new(run, way)?;
        let (view, target) = (&layer.view, &layer.target);
        let outcome = process::run(run.ctx, run.env, view, Some(target), process.clone(), on_line);
        layer.end()?;
        Ok((outcome?, way))
    };
    match once(way, on_line) {
        // Not every file system can hold a layer. Nothing ran yet.
        Err(CargoError::Sandbox(SandboxError::OverlayRefused { .. })) => once(Way::Copy, on_line),
        result => result,
    }
}

/// The view and the target directory of one process.
struct Layer {
    view: View,
    target: TargetMount,
    /// Folders to put back.
    aside: Vec<Aside>,
    /// Removed with everything that the process wrote.
    _scratch: ScratchFolder,
}

impl Layer {
    fn new(run: &Run<'_>, way: Way) -> Result<Self, CargoError> {
        let scratch = scratch(run)?;
        let mut maker =
            Maker { env: run.env, way, scratch: scratch.path(), made: 0, aside: Vec::new() };
        let mut mounts = Vec::new();
        for mount in &run.view.mounts {
            mounts.push(maker.cover(mount)?);
        }
        let view = View { mounts };
        let target = maker.target(run.target)?;
        Ok(Self { view, target, aside: maker.aside, _scratch: scratch })
    }

    /// Puts back what was put aside.
    fn end(self) -> Result<(), CargoError> {
        self.aside.into_iter().try_for_each(Aside::end)
    }
}

/// A new folder for layers.
fn scratch(run: &Run<'_>) -> Result<ScratchFolder, CargoError> {
    let all = run.env.cache.join(FOLDER);
    untrusted_fs::make_own(&all).map_err(CargoError::fault("create", &all))?;
    let is_ours = |name: &str| name.len() == 32 && name.bytes().all(|it| it.is_ascii_hexdigit());
    untrusted_fs::sweep(&all, is_ours, |_| {});
    ScratchFolder::new(&all, || run.ctx.fresh_name()).map_err(CargoError::io("create", &all))
}

/// Makes the layers of one process.
struct Maker<'a> {
    env: &'a CargoEnv,
    way: Way,
    scratch: &'a Path,
    made: usize,
    aside: Vec<Aside>,
}

impl Maker<'_> {
    /// The same folder with a layer of its own.
    fn cover(&mut self, mount: &Mount) -> Result<Mount, CargoError> {
        let lowers = match mount {
            Mount::Writable { host, .. } | Mount::ReadOnly { host, .. } => vec![host.clone()],
            Mount::Overlay { lowers, upper, .. } => {
                upper.iter().map(|it| &it.folder).chain(lowers).cloned().collect()
            }
            Mount::Sockets { .. } | Mount::Scratch { .. } | Mount::Hidden { .. } => {
                return Ok(mount.clone());
            }
        };
        let Some(top) = lowers.first() else { return Ok(mount.clone()) };
        let is_read_only = matches!(mount, Mount::ReadOnly { .. });
        // A file cannot have a layer, nor can a read-only folder around the layers.
        if !top.is_dir() || (is_read_only && self.scratch.starts_with(top)) {
            let (host, inside) = (top.clone(), mount.inside().to_owned());
            return Ok(Mount::ReadOnly { host, inside });
        }
        match self.way {
            Way::Overlay => self.overlay(lowers.clone(), mount.inside()),
            Way::Copy => self.copy(&lowers, mount.inside()),
            Way::Place if top.starts_with(&self.env.cache) => self.place(top),
            // One of the user's own folders.
            Way::Place => Ok(mount.clone()),
        }
    }

    fn next(&mut self) -> Result<PathBuf, CargoError> {
        self.made += 1;
        let folder = self.scratch.join(self.made.to_string());
        fs::create_dir(&folder).map_err(CargoError::io("create", &folder))?;
        Ok(folder)
    }

    fn overlay(&mut self, lowers: Vec<PathBuf>, inside: &Path) -> Result<Mount, CargoError> {
        let own = self.next()?;
        let (folder, work) = (own.join("upper"), own.join("work"));
        for path in [&folder, &work] {
            fs::create_dir(path).map_err(CargoError::io("create", path))?;
        }
        if let Some(top) = lowers.first() {
            keep_folder(top, &folder)?;
        }
        let upper = Some(Upper { folder, work });
        Ok(Mount::Overlay { lowers, upper, inside: inside.to_owned() })
    }

    fn copy(&mut self, lowers: &[PathBuf], inside: &Path) -> Result<Mount, CargoError> {
        let [from] = lowers else {
            // Where there are overlays there can be one more.
            return self.overlay(lowers.to_vec(), inside);
        };
        let to = self.next()?;
        copy(from, &to)?;
        Ok(Mount::Writable { host: to, inside: inside.to_owned() })
    }

    fn place(&mut self, host: &Path) -> Result<Mount, CargoError> {
        self.aside.push(Aside::begin(host)?);
        Ok(Mount::Writable { host: host.to_owned(), inside: host.to_owned() })
    }

    /// The target directory, with an empty `HOME` and `TMPDIR`.
    fn target(&mut self, target: &TargetMount) -> Result<TargetMount, CargoError> {
        let mut made = TargetMount { mounts: Vec::new(), ..target.clone() };
        for mount in &target.mounts {
            let inside = mount.inside();
            if target.inside.starts_with(inside) {
                made.mounts.push(self.cover(mount)?);
                continue;
            }
            let host = self.next()?;
            // The paths stay those of the build, which may have read `HOME`.
            let inside = match self.way {
                Way::Overlay | Way::Copy => inside.to_owned(),
                Way::Place => host.clone(),
            };
            for folder in [&mut made.home, &mut made.tmp] {
                if let Ok(below) = folder.strip_prefix(mount.inside()) {
                    let own = host.join(below);
                    fs::create_dir_all(&own).map_err(CargoError::io("create", &own))?;
                    *folder = inside.join(below);
                }
            }
            made.mounts.push(Mount::Writable { host, inside });
        }
        Ok(made)
    }
}

/// A folder that is put aside while a copy is at its place.
struct Aside {
    host: PathBuf,
    is_aside: bool,
}

impl Aside {
    fn begin(host: &Path) -> Result<Self, CargoError> {
        let mut own = Self { host: host.to_owned(), is_aside: false };
        let aside = aside_of(host);
        fs::rename(host, &aside).map_err(CargoError::io("put aside", host))?;
        own.is_aside = true;
        fs::create_dir(host).map_err(CargoError::io("create", host))?;
        copy(&aside, host)?;
        Ok(own)
    }

    fn end(mut self) -> Result<(), CargoError> {
        self.is_aside = false;
        put_back(&self.host)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.is_aside {
            // Else the next build does it.
            let _ = put_back(&self.host);
        }
    }
}

fn aside_of(host: &Path) -> PathBuf {
    let mut name = host.file_name().unwrap_or_default().to_owned();
    name.push(ASIDE);
    host.with_file_name(name)
}

/// Puts a folder back that is aside: what is at its place was written by tests.
pub(crate) fn put_back(host: &Path) -> Result<(), CargoError> {
    let aside = aside_of(host);
    if !aside.is_dir() {
        return Ok(());
    }
    if let (Some(all), Some(name)) = (host.parent(), host.file_name()) {
        let all = Dir::open(all).map_err(CargoError::fault("open", all))?;
        all.remove_all(name).map_err(CargoError::fault("remove", host))?;
    }
    fs::rename(&aside, host).map_err(CargoError::io("put back", host))
}

fn copy(from: &Path, to: &Path) -> Result<(), CargoError> {
    let open = |path: &Path| Dir::open(path).map_err(CargoError::fault("open", path));
    open(from)?.copy_all(&open(to)?, COPY).map_err(CargoError::fault("copy", from))?;
    keep_folder(from, to)
}

/// Gives `to` the permissions and the time of `from`.
fn keep_folder(from: &Path, to: &Path) -> Result<(), CargoError> {
    let keep = || -> std::io::Result<()> {
        let meta = fs::metadata(from)?;
        let mode = fs::Permissions::from_mode(meta.mode() & 0o777 | 0o700);
        fs::set_permissions(to, mode)?;
        File::open(to)?.set_modified(meta.modified()?)
    };
    keep().map_err(CargoError::io("prepare", to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_aside_when_the_program_is_killed_is_put_back_later() {
        let all = tempfile::tempdir().unwrap();
        let host = all.path().join("target");
        fs::create_dir(&host).unwrap();
        fs::write(host.join("a"), "built").unwrap();
        let aside = Aside::begin(&host).unwrap();
        fs::write(host.join("a"), "forged").unwrap();
        fs::write(host.join("b"), "planted").unwrap();
        std::mem::forget(aside);
        assert_eq!(fs::read(host.join("a")).unwrap(), b"forged");
        put_back(&host).unwrap();
        assert_eq!(fs::read(host.join("a")).unwrap(), b"built");
        assert!(!host.join("b").exists() && !aside_of(&host).exists());
        put_back(&host).unwrap();
        assert!(host.join("a").exists());
    }
}
