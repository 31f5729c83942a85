//! Opens a project, with the recovery that this begins with. Start at [`Project::open`].

use std::path::Path;
use std::time::Duration;

use base::Ctx;

use crate::error::RepoError;
use crate::project::{Dirs, Project};
use crate::{recover, view_dirs};

/// The time that `open` waits for a writer, to avoid reading a partially swapped change.
const OPEN_PATIENCE: Duration = Duration::from_secs(2);

impl Project {
    /// Opens the project at `root` (made canonical). Recovers from a killed process first: an
    /// interrupted change is completed or rolled back, and views of dead processes are removed. Neither the tree
    /// nor the folders of `dirs` are written if there is nothing to recover, so a read-only tree can be
    /// opened.
    ///
    /// # Errors
    /// [`RepoError::Root`] without such a folder; [`RepoError::Recovery`] or
    /// [`RepoError::Damaged`] if an interrupted change cannot be completed.
    pub fn open(ctx: &Ctx, root: &Path, dirs: Dirs) -> Result<Self, RepoError> {
        let fault = |reason: String| RepoError::Root { path: root.to_owned(), reason };
        let root = root.canonicalize().map_err(|err| fault(err.to_string()))?;
        if !root.is_dir() {
            return Err(fault("it is not a folder".to_owned()));
        }
        if root.to_str().is_none() {
            return Err(fault("its name is not Unicode".to_owned()));
        }
        let mut project = Self::at(root, dirs);
        project.close_folders()?;
        if project.journal().pending()?.is_some() {
            match project.lock_within(ctx, OPEN_PATIENCE) {
                Ok(lock) => project.recovered = recover::recover(ctx, &project, &lock)?,
                // Its writer is alive – a hook may be slow – and will complete it.
                Err(RepoError::Busy { .. }) => {}
                Err(err) => return Err(err),
            }
        }
        view_dirs::remove_dead(&project.cache_dir());
        Ok(project)
    }

    /// Whether a change is being written, or was interrupted and is not recovered yet.
    ///
    /// # Errors
    /// [`RepoError::Damaged`] for a plan that is not what was written to it.
    pub fn has_pending_change(&self) -> Result<bool, RepoError> {
        Ok(self.journal().pending()?.is_some())
    }
}
