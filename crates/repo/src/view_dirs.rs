//! The folders of views: each belongs to a living process or is removed.

use std::io;
use std::path::{Path, PathBuf};

use base::Ctx;
use untrusted_fs::ScratchFolder;

use crate::{git_files, sealed};

/// A view's own folder; removed on drop, or by the next process if this one is killed.
#[derive(Debug)]
pub(crate) struct ViewDir(ScratchFolder);

impl ViewDir {
    /// Makes `<cache>/overlay/<fresh name>`.
    pub(crate) fn make(ctx: &Ctx, cache: &Path) -> io::Result<Self> {
        let all = folder(cache);
        sealed::make_private(&all)?;
        ScratchFolder::new(&all, || ctx.fresh_name()).map(Self)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for ViewDir {
    fn drop(&mut self) {
        git_files::forget_worktree(self.path());
    }
}

fn folder(cache: &Path) -> PathBuf {
    cache.join("overlay")
}

/// Removes the views whose processes have ended. Never fails: a folder that cannot be removed is kept.
pub(crate) fn remove_dead(cache: &Path) {
    untrusted_fs::sweep(&folder(cache), |_| true, git_files::forget_worktree);
}
