//! What stands around a change must be what it was proven on, at the moment when it is written.

use base::{ContentHash, Ctx};
use policy::Tree;

use crate::error::RepoError;
use crate::journal::Plan;
use crate::project::Project;

/// A proven tree, held against the real one before and after the files of a plan are swapped.
#[derive(Debug)]
pub(crate) struct Guard<'a> {
    proven: &'a Tree,
    around: ContentHash,
}

impl<'a> Guard<'a> {
    /// Compares the tree as it is with the proven one. The caller holds the write lock.
    ///
    /// # Errors
    /// [`RepoError::Moved`] with what differs.
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

    /// One hash over the files that the plan leaves alone.
    pub(crate) fn around(&self) -> ContentHash {
        self.around
    }

    /// Once the files are swapped: what another program wrote since the first comparison is seen
    /// here, and what it writes later finds the change in force.
    ///
    /// # Errors
    /// [`RepoError::Moved`] with what differs; the caller takes the plan back.
    pub(crate) fn verify(
        &self,
        ctx: &Ctx,
        project: &Project,
        plan: &Plan,
    ) -> Result<(), RepoError> {
        let paths = plan.paths();
        let (now, _) = project.tree_state(ctx, self.proven.inputs())?;
        let (now, proven) = (now.without(&paths), self.proven.without(&paths));
        // What lies beside holds files of the plan too (`Cargo.lock`): those were compared by it.
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
