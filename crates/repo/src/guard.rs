//! Checks, at the moment when a change is written, that the rest of the tree is the verified one.

use base::{ContentHash, Ctx};
use policy::Tree;

use crate::error::RepoError;
use crate::journal::Plan;
use crate::project::Project;

/// A verified tree, compared with the real one before and after the files of a plan are swapped.
#[derive(Debug)]
pub(crate) struct Guard<'a> {
    proven: &'a Tree,
    around: ContentHash,
}

impl<'a> Guard<'a> {
    /// Compares the present tree with the verified one. The caller holds the write lock.
    ///
    /// # Errors
    /// [`RepoError::Moved`] with the differences.
    pub(crate) fn new(
        ctx: &Ctx,
        project: &Project,
        proven: &'a Tree,
        plan: &Plan,
    ) -> Result<Self, RepoError> {
        let (now, _) = project.tree_state(ctx, proven.inputs())?;
        if now != *proven {
            return Err(RepoError::Moved { changed: now.changed_since(proven) });
        }
        Ok(Self { proven, around: now.without(&plan.paths()).files_hash() })
    }

    /// One hash over the files that the plan does not change.
    pub(crate) fn around(&self) -> ContentHash {
        self.around
    }

    /// Compares again after the files are swapped: detects writes of other programs since the first
    /// comparison; later writes happen after the change.
    ///
    /// # Errors
    /// [`RepoError::Moved`] with the differences; the caller rolls the plan back.
    pub(crate) fn verify(
        &self,
        ctx: &Ctx,
        project: &Project,
        plan: &Plan,
    ) -> Result<(), RepoError> {
        let paths = plan.paths();
        let (now, _) = project.tree_state(ctx, self.proven.inputs())?;
        let (now, proven) = (now.without(&paths), self.proven.without(&paths));
        // Files beside the sources may be part of the plan (`Cargo.lock`): it has compared those.
        let moved: Vec<String> = now
            .changed_since(&proven)
            .into_iter()
            .filter(|path| {
                !paths.iter().any(|it| it.join_to(project.root()).as_os_str() == path.as_str())
            })
            .collect();
        if moved.is_empty() { Ok(()) } else { Err(RepoError::Moved { changed: moved }) }
    }
}
