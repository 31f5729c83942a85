//! Shared code of the tests of this crate: a project with folders for cache and state beside it,
//! overlays from short descriptions, permits from evidence that passes.

use std::path::PathBuf;

use base::{Ctx, ProjectPath, Timestamp};
use edit::{FileState, Files, Overlay};
use graftage_repo::{Applied, ApplyOptions, Dirs, Project, RepoError};
use testkit::{TempProject, TestHost};

/// A temporary project and what is needed to work on it.
pub(crate) struct Bench {
    pub(crate) temp: TempProject,
    pub(crate) ctx: Ctx,
    pub(crate) dirs: Dirs,
}

pub(crate) fn bench(fixture: &str) -> Bench {
    of(testkit::project(fixture))
}

pub(crate) fn of(temp: TempProject) -> Bench {
    let dirs = Dirs { cache: temp.beside("cache"), state: temp.beside("state") };
    Bench { temp, ctx: TestHost::new().ctx(), dirs }
}

/// What shall become of a file.
pub(crate) type Change<'a> = (&'a str, Option<&'a str>);

impl Bench {
    pub(crate) fn open(&self) -> Project {
        self.try_open().expect("the project opens")
    }

    pub(crate) fn try_open(&self) -> Result<Project, RepoError> {
        Project::open(&self.ctx, self.temp.root(), self.dirs.clone())
    }

    /// The overlay that gives the named files these texts (`None`: removes them), made against
    /// the files as they are.
    pub(crate) fn overlay(&self, changes: &[Change<'_>]) -> Overlay {
        overlay(&self.open(), changes)
    }

    pub(crate) fn apply(&self, changes: &[Change<'_>]) -> Result<Applied, RepoError> {
        self.apply_overlay(&self.overlay(changes), &ApplyOptions::default())
    }

    pub(crate) fn apply_overlay(
        &self,
        overlay: &Overlay,
        options: &ApplyOptions,
    ) -> Result<Applied, RepoError> {
        let sandbox = testkit::inner::sandbox();
        let project = self.try_open()?;
        let permit = permit(&project, overlay);
        project.apply(&self.ctx, &sandbox, overlay, permit, options)
    }

    /// The files of the journal that speak of a plan under way.
    pub(crate) fn pending(&self) -> Vec<PathBuf> {
        let journal = self.open().state_dir().join("journal");
        let listing = std::fs::read_dir(journal).into_iter().flatten().flatten();
        listing
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().contains("pending"))
            .collect()
    }
}

pub(crate) fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).expect("a path")
}

pub(crate) fn text(text: &str) -> FileState {
    FileState { text: text.into(), executable: false }
}

pub(crate) fn overlay(files: &dyn Files, changes: &[Change<'_>]) -> Overlay {
    let states = changes.iter().map(|(name, after)| {
        let before = files.read(&path(name)).expect("a readable file");
        let executable = before.as_ref().is_some_and(|before| before.executable);
        let after = after.map(|after| FileState { text: after.into(), executable });
        (path(name), before, after)
    });
    Overlay::from_states("rules", Timestamp(0), states.collect())
}

pub(crate) use crate::killing::{permit, permit_beside};

/// Whether the tests run as root, whom permission bits do not stop.
pub(crate) fn is_root() -> bool {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("f");
    std::fs::write(&file, "").expect("a file");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o0))
        .expect("mode");
    std::fs::read(&file).is_ok()
}
