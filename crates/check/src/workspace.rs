//! The local packages of a tree, from cargo or from an earlier command with the same manifests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{ContentHash, Ctx, Hasher, ProjectPath, SortedMap};
use build::{CargoError, CargoWorkspace};
use edit::Overlay;
use policy::Tree;
use repo::Materialised;
use untrusted_fs::{Dir, EntryKind};

use crate::CheckError;
use crate::kept::{Keep, Kept};
use crate::prover::Prover;
use crate::tree_state::TreeState;

/// Number of combinations of manifests that are kept.
const KEPT: usize = 4;

impl Keep for CargoWorkspace {
    const FILE: &str = "workspaces.json";
    const VERSION: u32 = 1;
}

impl Prover {
    /// The workspace of the tree without any change.
    pub(crate) fn workspace_of(
        &self,
        ctx: &Ctx,
        state: &TreeState,
    ) -> Result<Option<Arc<CargoWorkspace>>, CheckError> {
        let lasting = self.lasting_key(&state.tree);
        // Where more decides than can be compared, any difference of the tree may.
        let hash = lasting.unwrap_or_else(|| state.tree.hash());
        if let Some((known_by, known)) = &base::lock(&self.known).workspace
            && *known_by == hash
        {
            return Ok(known.clone());
        }
        let folder = self.project.cache_dir();
        // Runs for agents see fewer files than the tree has.
        let key = lasting.filter(|_| !self.for_agents);
        let mut kept = key.map(|_| Kept::<CargoWorkspace>::read(&folder));
        let found = kept.as_mut().zip(key).and_then(|(kept, key)| kept.take(key));
        let workspace = match found {
            Some(found) => Some(found),
            None => {
                let workspace = self.ask_workspace(ctx)?;
                if let (Some(kept), Some(key), Some(workspace)) = (kept, key, &workspace)
                    && self.is_lasting(ctx, state, (workspace, key))?
                {
                    kept.add(&folder, key, workspace.clone(), KEPT);
                }
                workspace
            }
        };
        let workspace = workspace.map(Arc::new);
        base::lock(&self.known).workspace = Some((hash, workspace.clone()));
        Ok(workspace)
    }

    /// The workspace by cargo; `None` where it cannot read the manifests.
    fn ask_workspace(&self, ctx: &Ctx) -> Result<Option<CargoWorkspace>, CheckError> {
        let shown = self.show_with(ctx, &Overlay::empty(), SortedMap::new())?;
        match build::workspace(ctx, &self.env, &shown.view, &shown.root) {
            Ok(workspace) => Ok(Some(self.with_project_paths(workspace, &shown))),
            Err(CargoError::Manifest { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A hash of all that decides about the workspace; `None` where more does than can be compared.
    fn lasting_key(&self, tree: &Tree) -> Option<ContentHash> {
        let surroundings = build::workspace_surroundings(self.project.root())?;
        if !has_regular_manifests(self.project.root(), tree) {
            return None;
        }
        let toolchain = &self.env.toolchain;
        let mut hasher = Hasher::new();
        hasher
            .field(manifests(tree).as_bytes())
            .field(surroundings.as_bytes())
            .field(self.project.root().as_os_str().as_encoded_bytes())
            .field(toolchain.version.as_bytes())
            .field(toolchain.sysroot.as_os_str().as_encoded_bytes());
        for (path, hash) in tree.external_files() {
            hasher.field(path.as_os_str().as_encoded_bytes()).field(hash.as_bytes());
        }
        Some(hasher.finish())
    }

    /// Whether a workspace may be kept under this key: nothing else decided, and nothing moved since the tree was
    /// read.
    fn is_lasting(
        &self,
        ctx: &Ctx,
        state: &TreeState,
        (workspace, key): (&CargoWorkspace, ContentHash),
    ) -> Result<bool, CheckError> {
        let tree = &state.tree;
        let has = |dir: &Path| {
            let Ok(below) = dir.strip_prefix(self.project.root()) else { return false };
            let path = below.join("Cargo.toml");
            let path = path.to_str().and_then(|it| ProjectPath::new(it).ok());
            path.is_some_and(|it| {
                tree.files().contains_key(&it) || tree.ignored().contains_key(&it)
            })
        };
        Ok(workspace.is_of_tree(self.project.root(), has)
            && self.moved_since(ctx, state)?.is_empty()
            && self.lasting_key(tree) == Some(key))
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

/// Whether a file has what cargo reads of packages: a manifest, or a part of cargo's configuration.
fn decides_packages(path: &ProjectPath) -> bool {
    path.file_name() == "Cargo.toml" || path.as_str().contains(".cargo/")
}

/// Whether what cargo reads of packages is in files of the tree: what a link leads to may change without it.
fn has_regular_manifests(root: &Path, tree: &Tree) -> bool {
    let Ok(root) = Dir::open(root) else { return false };
    let paths = tree.files().keys().chain(tree.ignored().keys());
    let is_file = |it: &ProjectPath| matches!(root.kind(it.as_str()), Ok(Some(EntryKind::File)));
    paths.filter(|it| decides_packages(it)).all(is_file)
}

/// Hashes what decides about packages and targets in a tree.
fn manifests(tree: &Tree) -> ContentHash {
    let mut hasher = Hasher::new();
    for (path, hash) in tree.files().iter().chain(tree.ignored()) {
        // cargo finds targets and build scripts by their files, and packages by its configuration.
        let decides = decides_packages(path);
        if decides || path.extension() == Some("rs") {
            hasher.field(path.as_str().as_bytes());
        }
        if decides {
            hasher.field(hash.as_bytes());
        }
    }
    for (link, target) in tree.links() {
        hasher.field(link.as_str().as_bytes()).field(target.as_str().as_bytes());
    }
    hasher.finish()
}
