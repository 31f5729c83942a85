//! The packages that a tree needs, prepared before anything of it runs: versions, sources, lock file.
//! Start at [`Prover::show_prepared`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{ContentHash, Ctx, Hasher, ProjectPath, SortedMap, Timestamp};
use build::{FreshView, Prepared, ProjectFiles};
use edit::{FileState, Files as _, Overlay};
use repo::Materialised;
use sandbox::View;
use serde::{Deserialize, Serialize};

use crate::kept::{Keep, Kept};
use crate::prover::{LONG, Prover};
use crate::{CheckError, Ladder, Scope};

/// Number of combinations of manifests, lock file and configuration that are kept.
const KEPT: usize = 16;
/// Time after which a failed download is tried again.
const AGAIN: Duration = Duration::from_secs(30);

/// The packages of trees by the hash of manifests, lock file and configuration.
#[derive(Debug, Default)]
pub(crate) struct KnownPackages(Vec<(ContentHash, Instant, Arc<Prepared>)>);

impl KnownPackages {
    fn get(&self, key: ContentHash) -> Option<Arc<Prepared>> {
        let (_, at, found) = self.0.iter().find(|(of, ..)| *of == key)?;
        (found.complete || at.elapsed() < AGAIN).then(|| Arc::clone(found))
    }

    fn put(&mut self, key: ContentHash, found: &Arc<Prepared>) {
        self.0.retain(|(of, ..)| *of != key);
        // What is wrong in another way may depend on more than the key.
        if found.complete || found.failure.is_some() {
            self.0.push((key, Instant::now(), Arc::clone(found)));
        }
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }
}

/// A complete preparation, for later commands. If one of its packages has vanished since, cargo finds it out.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptPackages {
    lock: Option<String>,
    chose_versions: bool,
}

impl Keep for KeptPackages {
    const FILE: &str = "packages.json";
    const VERSION: u32 = 2;
}

impl KeptPackages {
    fn of(prepared: &Prepared) -> Self {
        Self { lock: prepared.lock.clone(), chose_versions: prepared.chose_versions }
    }

    fn into_prepared(self) -> Prepared {
        let Self { lock, chose_versions } = self;
        Prepared { lock, chose_versions, complete: true, ..Prepared::default() }
    }
}

impl Prover {
    /// Shows the tree with `overlay` to foreign code, after its packages were prepared in a view of
    /// their own. The view has the lock file that cargo made, if the tree has none that fits; it is
    /// no part of the overlay.
    pub(crate) fn show_prepared(
        &self,
        ctx: &Ctx,
        overlay: &Overlay,
        more: &[Scope],
        limit: Duration,
    ) -> Result<(Materialised, Arc<Prepared>), CheckError> {
        let prepared = self.prepared(ctx, overlay, more, limit)?;
        let mut extra = SortedMap::new();
        if let (Some(lock), Ok(path)) = (&prepared.lock, ProjectPath::new("Cargo.lock")) {
            extra.insert(path, lock.clone().into_bytes());
        }
        let shown = self.show_with(ctx, overlay, extra)?;
        Ok((shown, prepared))
    }

    /// A change with the lock file that cargo makes for its manifests, if the project has one that no
    /// longer fits.
    pub(crate) fn with_lock(
        &self,
        ctx: &Ctx,
        overlay: Overlay,
        ladder: &Ladder,
    ) -> Result<Overlay, CheckError> {
        let Ok(path) = ProjectPath::new("Cargo.lock") else { return Ok(overlay) };
        let has_manifest = overlay.changes().any(|it| it.0.file_name() == "Cargo.toml");
        if !has_manifest || overlay.get(&path).is_some() {
            return Ok(overlay);
        }
        let Some(before) = self.project.read(&path).ok().flatten() else { return Ok(overlay) };
        let limit = ladder.timeout.unwrap_or(LONG);
        let prepared = self.prepared(ctx, &overlay, &ladder.more, limit)?;
        let Some(lock) = prepared.lock.as_deref().filter(|it| *it != &*before.text) else {
            return Ok(overlay);
        };
        let after = FileState { text: lock.into(), executable: before.executable };
        let lock =
            Overlay::from_states("cargo", Timestamp(0), vec![(path, Some(before), Some(after))]);
        // Where they do not fit together, the change stays as it is.
        Ok(overlay.compose(&lock).unwrap_or(overlay))
    }

    /// The packages of the tree with `overlay`, prepared once for each combination of manifests, lock
    /// file and configuration, whatever commands need them.
    fn prepared(
        &self,
        ctx: &Ctx,
        overlay: &Overlay,
        more: &[Scope],
        limit: Duration,
    ) -> Result<Arc<Prepared>, CheckError> {
        let files = self.package_files(overlay);
        let needs = self.needs(more);
        let key = Hasher::new()
            .field(files.key(&self.env, self.project.root()).as_bytes())
            .field(&[u8::from(needs.0), u8::from(needs.1)])
            .finish();
        if let Some(found) = base::lock(&self.known).packages.get(key) {
            return Ok(found);
        }
        let folder = self.project.cache_dir();
        let lasting = self.kept_key(key);
        let mut kept = Kept::<KeptPackages>::read(&folder);
        if let Some(found) = kept.take(lasting).map(|it| Arc::new(it.into_prepared())) {
            base::lock(&self.known).packages.put(key, &found);
            return Ok(found);
        }
        let shown = self.show_with(ctx, overlay, own_lock(&files))?;
        let view = shown.writable()?;
        let fresh = self.fresh((&view, &shown.root), &files, needs);
        // An agent's manifest would ask a registry for names of its choice.
        let is_agents = self.for_agents && overlay.changes().any(|it| is_package_file(it.0));
        let env = match is_agents {
            true => &build::CargoEnv { offline: true, ..self.env.clone() },
            false => &self.env,
        };
        let prepared = Arc::new(build::prepare(ctx, env, fresh, limit)?);
        base::lock(&self.known).packages.put(key, &prepared);
        let is_lasting =
            prepared.lock.is_none() || !build::names_sources(&self.env, self.project.root());
        if prepared.complete && is_lasting {
            kept.add(&folder, lasting, KeptPackages::of(&prepared), KEPT);
        }
        Ok(prepared)
    }

    /// The key of a preparation for later commands, which may have another scope, toolchain or registry.
    fn kept_key(&self, key: ContentHash) -> ContentHash {
        Hasher::new()
            .field(key.as_bytes())
            .field(self.env.toolchain.version.as_bytes())
            .field(build::package_folders(&self.env.host).as_bytes())
            .finish()
    }

    /// Whether the packages of all features are needed, and those of all platforms.
    pub(crate) fn needs(&self, more: &[Scope]) -> (bool, bool) {
        let mut scopes = self.scopes.iter().chain(more);
        let features = scopes.any(|it| it.all_features || !it.features.is_empty());
        (features, self.scopes.iter().chain(more).any(|it| it.target.is_some()))
    }

    /// Lock file and manifests of the tree with `overlay`.
    pub(crate) fn package_files(&self, overlay: &Overlay) -> ProjectFiles {
        let changed: SortedMap<PathBuf, Option<String>> = overlay
            .changes()
            .filter(|(path, _)| is_package_file(path))
            .map(|(path, change)| {
                let after = change.after.as_ref().map(|state| state.text.to_string());
                (PathBuf::from(path.as_str()), after)
            })
            .collect();
        ProjectFiles::with_changes(self.project.root(), &changed)
    }

    /// A view that nothing has used, with these needs ([`Prover::needs`]).
    pub(crate) fn fresh<'a>(
        &self,
        (view, root): (&'a View, &'a Path),
        files: &'a ProjectFiles,
        (features, platforms): (bool, bool),
    ) -> FreshView<'a> {
        FreshView::new(view, root, files).needing(features, platforms)
    }
}

/// Whether a file decides which packages are needed.
fn is_package_file(path: &ProjectPath) -> bool {
    matches!(path.file_name(), "Cargo.toml" | "Cargo.lock")
}

/// The lock file as a file of the view's own: cargo completes it there, and the tree's may be
/// read-only.
pub(crate) fn own_lock(files: &ProjectFiles) -> SortedMap<ProjectPath, Vec<u8>> {
    let lock = files.lock().map(|it| it.as_bytes().to_vec());
    ProjectPath::new("Cargo.lock").ok().zip(lock).into_iter().collect()
}
