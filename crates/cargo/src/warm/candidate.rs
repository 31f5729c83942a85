use std::fs::{self, File};
use std::path::{Path, PathBuf};

use base::Ctx;
use sandbox::Mount;

use super::invalidate::{self, Plan};
use super::{INSIDE, Sources, Target, Warm, Way, manifest, tree};
use crate::CargoError;

/// A candidate's own target directory; it and all that was written into it goes when this is
/// dropped.
#[derive(Debug)]
pub struct Candidate {
    target: Target,
    dir: PathBuf,
    /// Shared: no baseline writes below us, and nobody sweeps us away.
    _lock: File,
}

pub(super) fn new(
    ctx: &Ctx,
    warm: &Warm,
    sources: Sources<'_>,
    way: Way,
) -> Result<Candidate, CargoError> {
    let lock = warm.lock_file()?;
    tree::wait_for(ctx, &lock, &warm.dir, true)?;
    let dir = warm.candidates().join(ctx.fresh_name());
    fs::create_dir_all(&dir).map_err(CargoError::io("create", &dir))?;
    let scratch = dir.join("scratch");
    let (home, tmp) = (scratch.join("home"), scratch.join("tmp"));
    for path in [&home, &tmp, &dir.join("upper"), &dir.join("work")] {
        fs::create_dir_all(path).map_err(CargoError::io("create", path))?;
    }
    let mut candidate = Candidate {
        target: Target {
            inside: INSIDE.into(),
            mounts: vec![Mount::Writable { host: scratch.clone(), inside: scratch }],
            home,
            tmp,
        },
        dir,
        _lock: lock,
    };
    let lower = warm.target();
    let plan = invalidate::plan(&lower, &sources, manifest::read(&warm.dir).as_ref());
    candidate.show(&lower, plan, way)?;
    Ok(candidate)
}

impl Candidate {
    /// For [`crate::run`].
    pub fn target(&self) -> &Target {
        &self.target
    }

    fn show(&mut self, lower: &Path, plan: Plan, way: Way) -> Result<(), CargoError> {
        let upper = self.dir.join("upper");
        if let Plan::Units(units) = plan {
            if way != Way::Mount {
                tree::copy_folder(lower, &upper).map_err(CargoError::io("copy", lower))?;
            }
            invalidate::cover(&upper, &units)?;
            if way == Way::Mount {
                self.target.mounts.push(Mount::Overlay {
                    lower: lower.to_owned(),
                    upper,
                    work: self.dir.join("work"),
                    inside: INSIDE.into(),
                });
                return Ok(());
            }
        }
        // A copy; or nothing at all: cold, and so always right.
        if way == (Way::Copy { mounts: false }) {
            self.target.inside = upper.clone();
        }
        let mount = Mount::Writable { host: upper, inside: self.target.inside.clone() };
        self.target.mounts.push(mount);
        Ok(())
    }
}

impl Drop for Candidate {
    fn drop(&mut self) {
        // What cannot be removed now is swept up when the directory is opened again.
        let _ = tree::remove(&self.dir);
    }
}

/// Removes what candidates left whose process was killed. The caller holds the lock exclusively,
/// so none is alive.
pub(super) fn sweep(candidates: &Path) {
    for entry in fs::read_dir(candidates).into_iter().flatten().flatten() {
        // What cannot be removed takes room and does no other harm.
        let _ = tree::remove(&entry.path());
    }
}
