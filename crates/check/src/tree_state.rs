//! The inputs of a proof: the tree with its stamps, its view, and its warm target.

use base::{ContentHash, Ctx, Hasher, ProjectPath, SortedMap, SortedSet};
use build::CargoWorkspace;
use build::warm::{BuildSources, Isolation, WarmKey, WarmTarget};
use edit::{FileState, Overlay};
use policy::Tree;
use repo::{Materialised, Stamps, Strategy, ViewOptions};
use sandbox::Level;

use crate::CheckError;
use crate::prover::Prover;

/// The largest `Cargo.lock` that is read, in bytes.
const LARGEST_LOCK: u64 = 64 << 20;
/// Name of the lock file.
const LOCK: &str = "Cargo.lock";

/// The tree at one moment: by content, with the stamps that reveal a later write.
#[derive(Clone, Debug)]
pub(crate) struct TreeState {
    pub(crate) tree: Tree,
    pub(crate) stamps: Stamps,
    /// Entries that builds do not see.
    pub(crate) closed: SortedSet<ProjectPath>,
}

impl Prover {
    /// Reads the whole tree, once per proof.
    pub(crate) fn tree_state(&self, ctx: &Ctx) -> Result<TreeState, CheckError> {
        if build::manifests_above(self.project.root()) != self.above {
            return Err(CheckError::RootMoves);
        }
        let (tree, stamps) = self.project.tree_state(ctx, &self.inputs)?;
        let closed = match self.for_agents {
            true => {
                let beside = self.project.ignored_beside(tree.files().keys())?;
                self.untrusted(self.project.closed_among(ctx, tree.files().keys(), &beside)?)
            }
            false => SortedSet::new(),
        };
        Ok(TreeState { tree, stamps, closed })
    }

    /// Entries of the project that builds do not see: for agents those that they may not read, but for
    /// those in folders that the user trusts.
    pub(crate) fn closed(&self, ctx: &Ctx) -> Result<SortedSet<ProjectPath>, CheckError> {
        match self.for_agents {
            true => Ok(self.untrusted(self.project.closed_to_agents(ctx)?)),
            false => Ok(SortedSet::new()),
        }
    }

    fn untrusted(&self, mut closed: SortedSet<ProjectPath>) -> SortedSet<ProjectPath> {
        closed.retain(|path| !self.env.trust.covers(&path.join_to(self.project.root())));
        closed
    }

    /// Shows the tree with `overlay` and these files, which are no part of the overlay.
    pub(crate) fn show_with(
        &self,
        ctx: &Ctx,
        overlay: &Overlay,
        extra: SortedMap<ProjectPath, Vec<u8>>,
    ) -> Result<Materialised, CheckError> {
        let options = ViewOptions { extra, closed: self.closed(ctx)?, ..self.views.clone() };
        Ok(self.project.materialise(ctx, &self.env.sandbox, overlay, &options)?)
    }

    fn lock_of_tree(&self) -> Option<Vec<u8>> {
        untrusted_fs::read_regular(&self.project.root().join(LOCK), LARGEST_LOCK).ok().flatten()
    }

    pub(crate) fn isolation(&self, shown: &Materialised) -> Isolation {
        match shown.strategy {
            Strategy::OverlayMount => Isolation::Mount,
            Strategy::Copy | Strategy::Git => {
                Isolation::Copy { mounts: self.env.sandbox.capabilities().level >= Level::Strong }
            }
        }
    }

    pub(crate) fn sources<'a>(
        &'a self,
        state: &'a TreeState,
        files: &'a SortedMap<ProjectPath, ContentHash>,
        workspace: Option<&'a CargoWorkspace>,
    ) -> BuildSources<'a> {
        BuildSources { root: self.project.root(), files, closed: &state.closed, workspace }
    }

    pub(crate) fn warm(&self, ctx: &Ctx) -> Result<WarmTarget, CheckError> {
        ctx.check_cancelled()?;
        let lock = self.lock_of_tree();
        let key = WarmKey {
            root: self.project.root(),
            cargo_home: &self.env.host.cargo_home,
            lock: lock.as_deref(),
            toolchain: &self.env.toolchain,
            // Configurations share a target: cargo separates their units. What a person's run compiled may have
            // the bytes of files that agents do not see.
            selection: if self.for_agents { "dev, for agents" } else { "dev" },
            stage: self.env.sandbox.unit_stage(),
        };
        Ok(WarmTarget::open(&self.project.cache_dir(), &key)?)
    }
}

/// The tree's files with the overlay on top.
pub(crate) fn with_overlay(
    files: &SortedMap<ProjectPath, ContentHash>,
    overlay: &Overlay,
) -> SortedMap<ProjectPath, ContentHash> {
    let mut files = files.clone();
    for (path, change) in overlay.changes() {
        match &change.after {
            Some(state) => {
                // For a build a file with other rights is another one.
                let is_other = |it: &FileState| it.executable != state.executable;
                let hash = match change.before.as_ref().is_some_and(is_other) {
                    true => Hasher::new().field(state.hash().as_bytes()).finish(),
                    false => state.hash(),
                };
                files.insert(path.clone(), hash)
            }
            None => files.remove(path),
        };
    }
    files
}
