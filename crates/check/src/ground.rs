//! What a prover stands on: how the tree is shown, which warm target belongs to it, what cargo
//! says of its packages, what the last baseline found.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::{ContentHash, Ctx, ProjectPath};
use cargo::warm::{Key, Sources, Warm, Way};
use cargo::{CargoError, Workspace};
use edit::Overlay;
use repo::{Materialised, Snapshot, Strategy, ViewOptions};
use sandbox::Level;

use crate::CheckError;
use crate::climb::Before;
use crate::prover::{Prover, lock};

/// Bytes of `Cargo.lock`.
const LARGEST_LOCK: u64 = 64 << 20;

impl Prover {
    pub(crate) fn show(&self, ctx: &Ctx, overlay: &Overlay) -> Result<Materialised, CheckError> {
        let options = ViewOptions {
            strategy: self.strategy,
            outside: self.outside.clone(),
            ..ViewOptions::default()
        };
        Ok(self.project.materialise(ctx, &self.env.sandbox, overlay, &options)?)
    }

    pub(crate) fn way(&self, shown: &Materialised) -> Way {
        match shown.strategy {
            Strategy::OverlayMount => Way::Mount,
            Strategy::Copy | Strategy::Git => {
                Way::Copy { mounts: self.env.sandbox.capabilities().level >= Level::Strong }
            }
        }
    }

    pub(crate) fn sources<'a>(
        &'a self,
        files: &'a BTreeMap<ProjectPath, ContentHash>,
        workspace: Option<&'a Workspace>,
    ) -> Sources<'a> {
        Sources { root: self.project.root(), files, workspace }
    }

    pub(crate) fn warm(&self, ctx: &Ctx) -> Result<Warm, CheckError> {
        ctx.alive()?;
        let lock = beneath::read_regular(&self.project.root().join("Cargo.lock"), LARGEST_LOCK);
        let lock = lock.ok().flatten();
        let selection = self.scope.words();
        let key = Key {
            root: self.project.root(),
            lock: lock.as_deref(),
            toolchain: &self.env.toolchain,
            selection: &selection,
        };
        Ok(Warm::open(&self.project.cache_dir(), &key)?)
    }

    pub(crate) fn workspace_in(
        &self,
        ctx: &Ctx,
        snapshot: &Snapshot,
        shown: &Materialised,
    ) -> Result<Option<Arc<Workspace>>, CheckError> {
        if let Some(known) = self.known_workspace(snapshot) {
            return Ok(Some(known));
        }
        let workspace = match cargo::workspace(ctx, &self.env, &shown.view, &shown.root) {
            Ok(workspace) => Some(Arc::new(self.at_home(workspace, shown))),
            Err(CargoError::Manifest { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        lock(&self.known).workspace = Some((manifests(snapshot), workspace.clone()));
        Ok(workspace)
    }

    /// A copy's paths are turned back into the project's own.
    pub(crate) fn at_home(&self, mut workspace: Workspace, shown: &Materialised) -> Workspace {
        let home = |path: &mut PathBuf| {
            if let Ok(below) = path.strip_prefix(&shown.root) {
                *path = self.project.root().join(below);
            }
        };
        home(&mut workspace.root);
        workspace.packages.iter_mut().for_each(|package| home(&mut package.dir));
        workspace
    }

    pub(crate) fn known_workspace(&self, snapshot: &Snapshot) -> Option<Arc<Workspace>> {
        let known = lock(&self.known);
        let (manifests_hash, workspace) = known.workspace.as_ref()?;
        if *manifests_hash == manifests(snapshot) { workspace.clone() } else { None }
    }

    /// What the last baseline found, where the tree is still the same; how long things take
    /// whatever the tree.
    pub(crate) fn baseline_of(
        &self,
        snapshot: &Snapshot,
    ) -> (Before, Option<Duration>, Option<Duration>) {
        let known = lock(&self.known);
        let same = known.tree == Some(snapshot.hash());
        let before = if same { known.before.clone() } else { Before::default() };
        (before, known.build, known.tests)
    }

    pub(crate) fn durations(&self) -> (Option<Duration>, Option<Duration>) {
        let known = lock(&self.known);
        (known.build, known.tests)
    }
}

fn manifests(snapshot: &Snapshot) -> ContentHash {
    let mut hasher = base::Hasher::new();
    for (path, hash) in &snapshot.files {
        if path.file_name() == "Cargo.toml" {
            hasher.field(path.as_str().as_bytes()).field(hash.as_bytes());
        }
    }
    hasher.finish()
}
