//! The inputs of a proof: the tree with its stamps, its view, its warm target, and cargo's workspace.

use std::path::PathBuf;
use std::sync::Arc;

use base::{ContentHash, Ctx, Hasher, ProjectPath, SortedMap, SortedSet};
use build::warm::{BuildSources, Isolation, WarmKey, WarmTarget};
use build::{CargoError, CargoWorkspace};
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

    /// The workspace of the tree without any change.
    pub(crate) fn workspace_of(
        &self,
        ctx: &Ctx,
        tree: &Tree,
    ) -> Result<Option<Arc<CargoWorkspace>>, CheckError> {
        let manifests = manifests(tree);
        if let Some((hash, known)) = &base::lock(&self.known).workspace
            && *hash == manifests
        {
            return Ok(known.clone());
        }
        let shown = self.show_with(ctx, &Overlay::empty(), SortedMap::new())?;
        let workspace = match build::workspace(ctx, &self.env, &shown.view, &shown.root) {
            Ok(workspace) => Some(Arc::new(self.with_project_paths(workspace, &shown))),
            Err(CargoError::Manifest { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        base::lock(&self.known).workspace = Some((manifests, workspace.clone()));
        Ok(workspace)
    }

    /// Maps paths of a copied view back to the project.
    fn with_project_paths(
        &self,
        mut workspace: CargoWorkspace,
        shown: &Materialised,
    ) -> CargoWorkspace {
        let own = |path: &mut PathBuf| {
            if let Ok(below) = path.strip_prefix(&shown.root) {
                *path = self.project.root().join(below);
            }
        };
        own(&mut workspace.root);
        workspace.packages.iter_mut().for_each(|package| own(&mut package.dir));
        for manifest in &mut workspace.manifests {
            own(&mut manifest.dir);
            manifest.targets.iter_mut().for_each(|target| own(&mut target.root));
        }
        workspace
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

fn manifests(tree: &Tree) -> ContentHash {
    let mut hasher = base::Hasher::new();
    for (path, hash) in tree.files() {
        // cargo finds targets and build scripts by their files, and packages by its configuration.
        let decides = path.file_name() == "Cargo.toml" || path.as_str().contains(".cargo/");
        if decides || path.extension() == Some("rs") {
            hasher.field(path.as_str().as_bytes());
        }
        if decides {
            hasher.field(hash.as_bytes());
        }
    }
    hasher.finish()
}
