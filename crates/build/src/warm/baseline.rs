//! [`BaselineTarget`]: a baseline build's exclusive use of a warm directory.

use std::fs::{self, File};

use base::{ContentHash, Ctx, ProjectPath, SortedMap};
use sandbox::Mount;
use untrusted_fs::{Dir, Fault};

use super::manifest::{self, Manifest};
use super::{BuildSources, Isolation, TargetMount, WarmTarget, invalidate, lock};
use crate::run::put_back;
use crate::{CargoError, CargoWorkspace};

/// Name of the file whose time is that of the build's beginning.
const STARTED: &str = "started";

/// Exclusive write access of a baseline build to the warm directory. If it is dropped without
/// [`BaselineTarget::finish`] (a crash, an error) the directory stays marked as inconsistent, and the next
/// baseline reuses only the dependencies.
#[derive(Debug)]
pub struct BaselineTarget {
    warm: WarmTarget,
    target: TargetMount,
    before: SortedMap<ProjectPath, ContentHash>,
    /// The exclusive lock; declared last, so it is released last.
    _lock: File,
}

pub(super) fn begin(
    ctx: &Ctx,
    warm: &WarmTarget,
    sources: BuildSources<'_>,
    isolation: Isolation,
) -> Result<BaselineTarget, CargoError> {
    let lock = warm.lock_file()?;
    lock::wait_for(ctx, &lock, &warm.dir, false)?;
    super::candidate::sweep(&warm.candidates());
    let dir = warm.target();
    put_back(&dir)?;
    let target = warm.open_target()?;
    let plan = warm.plan(&target, &sources);
    manifest::remove(&warm.dir)?;
    let clear = || -> Result<(), Fault> {
        let own = Dir::open(&warm.dir)?;
        if !invalidate::take_away(&target.dir, &plan)? {
            own.remove_all("target")?;
            own.make_dirs("target")?;
        }
        // Private folders of units of a killed build.
        own.remove_all("target/.units")?;
        own.remove_all("baseline")?;
        own.write_new(STARTED, b"")
    };
    clear().map_err(CargoError::fault("clear", &warm.dir))?;
    let scratch = warm.dir.join("baseline");
    let (home, tmp) = (scratch.join("home"), scratch.join("tmp"));
    for dir in [&home, &tmp] {
        fs::create_dir_all(dir).map_err(CargoError::io("create", dir))?;
    }
    let inside = match isolation {
        Isolation::Mount | Isolation::Copy { mounts: true } => warm.inside(),
        Isolation::Copy { mounts: false } => dir.clone(),
    };
    let mounts = vec![
        Mount::Writable { host: dir, inside: inside.clone() },
        Mount::Writable { host: scratch.clone(), inside: scratch },
    ];
    let guard = warm.guard(&warm.dir, &sources);
    Ok(BaselineTarget {
        warm: warm.clone(),
        target: TargetMount { inside, mounts, home, tmp, guard },
        before: sources.files.clone(),
        _lock: lock,
    })
}

impl BaselineTarget {
    /// The target directory for [`crate::run()`].
    pub fn target(&self) -> &TargetMount {
        &self.target
    }

    /// Writes the manifest: `after` is the tree after the build; files that changed during the build
    /// get a hash that matches nothing. `touched` are files that were written during the build but
    /// have their former content. `built` is the value for [`WarmTarget::built`].
    ///
    /// # Errors
    /// When the manifest cannot be written; the directory then stays marked as inconsistent.
    pub fn finish(
        self,
        after: BuildSources<'_>,
        touched: &[ProjectPath],
        built: Vec<String>,
        workspace: Option<&CargoWorkspace>,
    ) -> Result<(), CargoError> {
        let mut files = SortedMap::new();
        for (path, hash) in &self.before {
            let same = after.files.get(path) == Some(hash) && !touched.contains(path);
            files.insert(path.as_str().to_owned(), same.then_some(*hash));
        }
        for path in after.files.keys().filter(|path| !self.before.contains_key(path)) {
            files.insert(path.as_str().to_owned(), None);
        }
        let sources = BuildSources { workspace, ..after };
        let target = self.warm.open_target()?;
        let started = Dir::open(&self.warm.dir).and_then(|it| it.changed_at(STARTED));
        let besides = invalidate::besides(&target, &sources, started.ok().flatten());
        let closed = sources.closed.iter().map(|path| path.as_str().to_owned()).collect();
        manifest::write(&self.warm.dir, &Manifest::new(built, files, besides, closed))
    }
}
