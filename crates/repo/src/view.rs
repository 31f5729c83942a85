//! Views of the project for sandboxed processes: the options, and the choice of a strategy. A view
//! never lets a process write the user's tree, nor what it shows: see `view_writes.rs` for processes
//! that have to. Start at [`Project::materialise`].

use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath, SortedMap, SortedSet, Timestamp};
use edit::Overlay;
use sandbox::{Sandbox, View};
use serde::{Deserialize, Serialize};

use crate::error::RepoError;
use crate::plan::refuse_git;
use crate::project::Project;
use crate::view_dirs::ViewDir;
use crate::view_request::Request;
use crate::{view_copy, view_git, view_overlay};

/// The mechanism by which a view shows the changed tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// A mount of the changed files over the tree, at the project's own path: nothing is copied, and
    /// build artefacts stay valid because the path is the same.
    OverlayMount,
    /// A copy (reflink where the file system has it) in the cache directory.
    Copy,
    /// A copy with a git folder beside it, for builds that use git.
    Git,
}

/// The options of a view.
#[derive(Clone, Debug, Default)]
pub struct ViewOptions {
    /// `None`: the first that works here, in the order of [`Strategy`].
    pub strategy: Option<Strategy>,
    /// Folders outside the project that the build reads (path dependencies).
    pub outside: Vec<PathBuf>,
    /// Files that are shown in place of those of the tree and are no part of the change, such as a
    /// `Cargo.lock` that fits the manifests.
    pub extra: SortedMap<ProjectPath, Vec<u8>>,
    /// Whether the build uses git (submodules, a build script that reads the commit): then a copy
    /// has a git folder too. A mount always shows it.
    pub require_git: bool,
    /// Entries of the project that are not shown, with all below them.
    pub closed: SortedSet<ProjectPath>,
}

/// A view that exists until dropped.
#[derive(Debug)]
pub struct Materialised {
    /// The view for the sandbox, in which the shown folders are read-only; the caller adds toolchain,
    /// registry and target mounts.
    pub view: View,
    /// The path of the project's root inside the view.
    pub root: PathBuf,
    /// The strategy by which the view was made.
    pub strategy: Strategy,
    /// The commit that HEAD named when the view was made, if there is a repository.
    pub head_rev: Option<String>,
    /// The time at which it was made.
    pub created_at: Timestamp,
    /// The folders of the user that it shows, the project first.
    pub(crate) folders: Vec<ShownFolder>,
    /// As in [`ViewOptions::extra`].
    pub(crate) extra: SortedMap<ProjectPath, Vec<u8>>,
    /// As in [`ViewOptions::closed`].
    pub(crate) closed: SortedSet<ProjectPath>,
    /// Removed on drop.
    pub(crate) dir: ViewDir,
}

/// A folder of the user in a view.
#[derive(Debug)]
pub(crate) struct ShownFolder {
    /// Its path on the host.
    pub(crate) original: PathBuf,
    /// Its path in the view.
    pub(crate) inside: PathBuf,
    pub(crate) shown: Shown,
}

/// How a view shows a folder.
#[derive(Debug)]
pub(crate) enum Shown {
    /// The changed files, in this folder, over the original.
    Layer(PathBuf),
    /// This copy with the changed files.
    Copy(PathBuf),
    /// The original as it is.
    Original,
}

/// The result of a strategy.
pub(crate) struct Made {
    pub(crate) view: View,
    /// The path of the project's root inside the view.
    pub(crate) root: PathBuf,
    pub(crate) folders: Vec<ShownFolder>,
}

impl Project {
    /// Finds out whether views of the project can be mounted. The first view does it otherwise: a process is
    /// started for it, which can run beside others.
    pub fn probe_views(&self, ctx: &Ctx, sandbox: &Sandbox) {
        if let Ok(dir) = ViewDir::make(ctx, &self.cache_dir()) {
            view_overlay::works_here(self, ctx, sandbox, dir.path());
        }
    }

    /// Shows the tree with the overlay's changes to a sandboxed process, which can write neither the
    /// user's tree nor what it is shown. The working tree is shown in its present state, uncommitted
    /// and ignored files included.
    ///
    /// The overlay's `before` states are not compared with the tree, because callers may
    /// compose an overlay with others first. `apply` compares them.
    ///
    /// # Errors
    /// [`RepoError::View`] names what cannot be shown.
    pub fn materialise(
        &self,
        ctx: &Ctx,
        sandbox: &Sandbox,
        overlay: &Overlay,
        options: &ViewOptions,
    ) -> Result<Materialised, RepoError> {
        ctx.check_cancelled()?;
        refuse_git(overlay)?;
        let outside = outside_folders(self.root(), &options.outside)?;
        let keep = |err: std::io::Error| RepoError::Keep {
            path: self.cache_dir(),
            reason: err.to_string(),
        };
        let dir = ViewDir::make(ctx, &self.cache_dir()).map_err(keep)?;
        let (extra, closed) = (&options.extra, &options.closed);
        let request = Request { project: self, ctx, overlay, outside: &outside, extra, closed };
        let strategy = match options.strategy {
            Some(strategy) => strategy,
            None if view_overlay::works_here(self, ctx, sandbox, dir.path()) => {
                Strategy::OverlayMount
            }
            None if options.require_git => Strategy::Git,
            None => Strategy::Copy,
        };
        let made = match strategy {
            Strategy::OverlayMount => view_overlay::make(&request, dir.path())?,
            Strategy::Copy => view_copy::make(&request, sandbox, dir.path())?,
            Strategy::Git => view_git::make(&request, sandbox, dir.path())?,
        };
        Ok(Materialised {
            view: made.view,
            root: made.root,
            strategy,
            head_rev: crate::git_files::head_of_work_tree(self.root()),
            created_at: ctx.now(),
            folders: made.folders,
            extra: options.extra.clone(),
            closed: options.closed.clone(),
            dir,
        })
    }
}

/// Canonical folders that are not yet shown with the project.
fn outside_folders(root: &Path, asked: &[PathBuf]) -> Result<Vec<PathBuf>, RepoError> {
    let mut folders = Vec::new();
    for folder in asked {
        let folder = folder.canonicalize().map_err(|err| RepoError::View {
            reason: format!("path dependency `{}`: {err}", folder.display()),
        })?;
        if root.starts_with(&folder) && folder != root {
            // A folder above the project would show the project a second time, unchanged.
            return Err(RepoError::View {
                reason: format!(
                    "path dependency `{}` holds the project itself; name the folders in it",
                    folder.display()
                ),
            });
        }
        if !folder.starts_with(root) {
            folders.push(folder);
        }
    }
    folders.sort();
    let mut outermost: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if !outermost.last().is_some_and(|last| folder.starts_with(last)) {
            outermost.push(folder);
        }
    }
    Ok(outermost)
}
