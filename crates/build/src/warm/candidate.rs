//! The target directory of one candidate: a copy-on-write layer over the warm one, or a copy of it.
//! Never used for a second candidate. Start at [`CandidateTarget`].

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use base::Ctx;
use sandbox::{Mount, Upper};
use untrusted_fs::{CopyLimits, Dir, Fault};

use super::invalidate::{self, Plan, TargetDir};
use super::units::Unit;
use super::{BuildSources, Isolation, TargetMount, WarmTarget, lock};
use crate::CargoError;

/// Limits for a copy of the warm directory; beyond them, the candidate starts cold.
const COPY: CopyLimits = CopyLimits { entries: 2_000_000, bytes: 200 << 30, depth: 128 };
/// Maximum number of candidates' folders visited in one sweep.
const SWEPT: usize = 100_000;

/// A candidate's target directory; removed with its content on drop.
#[derive(Debug)]
pub struct CandidateTarget {
    target: TargetMount,
    dir: PathBuf,
    /// A shared lock: no baseline writes to the lower layer and no sweep removes this candidate.
    _lock: File,
}

pub(super) fn new(
    ctx: &Ctx,
    warm: &WarmTarget,
    sources: BuildSources<'_>,
    isolation: Isolation,
) -> Result<CandidateTarget, CargoError> {
    let lock = warm.lock_file()?;
    lock::wait_for(ctx, &lock, &warm.dir, true)?;
    let dir = warm.candidates().join(ctx.fresh_name());
    fs::create_dir_all(&dir).map_err(CargoError::io("create", &dir))?;
    let scratch = dir.join("scratch");
    let (home, tmp) = (scratch.join("home"), scratch.join("tmp"));
    for path in [&home, &tmp, &dir.join("upper"), &dir.join("work")] {
        fs::create_dir_all(path).map_err(CargoError::io("create", path))?;
    }
    let mut candidate = CandidateTarget {
        target: TargetMount {
            inside: warm.inside(),
            mounts: vec![Mount::Writable { host: scratch.clone(), inside: scratch }],
            home,
            tmp,
            guard: warm.guard(&warm.dir, &sources),
        },
        dir,
        _lock: lock,
    };
    let lower = warm.open_target()?;
    let plan = warm.plan(&lower, &sources);
    candidate.show(&lower, plan, isolation)?;
    Ok(candidate)
}

impl CandidateTarget {
    /// The target directory for [`crate::run()`].
    pub fn target(&self) -> &TargetMount {
        &self.target
    }

    fn show(
        &mut self,
        lower: &TargetDir,
        plan: Plan,
        isolation: Isolation,
    ) -> Result<(), CargoError> {
        let upper = self.dir.join("upper");
        let warm = match &plan {
            Plan::Units(units) => self
                .fill(lower, (&plan, units), isolation)
                .map_err(CargoError::fault("fill", &upper))?,
            // An empty directory: cold, and so always correct.
            Plan::Everything => false,
        };
        if warm && isolation == Isolation::Mount {
            self.target.mounts.push(Mount::Overlay {
                lowers: vec![lower.path.clone()],
                upper: Some(Upper { folder: upper, work: self.dir.join("work") }),
                inside: self.target.inside.clone(),
            });
            return Ok(());
        }
        if isolation == (Isolation::Copy { mounts: false }) {
            self.target.inside = upper.clone();
        }
        let mount = Mount::Writable { host: upper, inside: self.target.inside.clone() };
        self.target.mounts.push(mount);
        Ok(())
    }

    /// Fills the upper layer or the copy; `false` if the directory cannot be copied.
    fn fill(
        &self,
        lower: &TargetDir,
        (plan, units): (&Plan, &[Unit]),
        isolation: Isolation,
    ) -> Result<bool, Fault> {
        let own = Dir::open(&self.dir)?;
        let upper = own.make_dirs("upper")?;
        if isolation != Isolation::Mount && lower.dir.copy_all(&upper, COPY).is_err() {
            own.remove_all("upper")?;
            own.make_dirs("upper")?;
            return Ok(false);
        }
        match isolation {
            Isolation::Mount => invalidate::cover(&upper, units).map(|()| true),
            Isolation::Copy { .. } => invalidate::take_away(&upper, plan),
        }
    }
}

impl Drop for CandidateTarget {
    fn drop(&mut self) {
        // What cannot be removed now is swept when the directory is opened again.
        if let (Some(all), Some(name)) = (self.dir.parent(), self.dir.file_name()) {
            let _ = Dir::open(all).and_then(|all| all.remove_all(name));
        }
    }
}

/// Removes what killed candidates left. The caller holds the lock exclusively, so none is running.
pub(super) fn sweep(candidates: &Path) {
    let Ok(all) = Dir::open(candidates) else { return };
    for entry in all.entries(SWEPT).unwrap_or_default() {
        // Best effort: a remaining folder only takes disk space.
        let _ = all.remove_all(&entry.name);
    }
}
