//! The packages that cargo chooses for a project, and where their sources are.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap, SortedSet};
use cargo_metadata::{DependencyKind, Metadata};

use crate::fetch::{self, FreshView};
use crate::{CargoEnv, CargoError, workspace};

/// The result of a resolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DependencyResolution {
    /// Every package has a version, and its sources are there.
    Resolved(Resolved),
    /// Cargo finds no versions, or sources are missing.
    Failed {
        /// Message of cargo.
        reason: String,
    },
}

/// The packages of a project with their versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The text of `Cargo.lock`.
    pub lock: Option<String>,
    /// All packages, in the order of cargo.
    pub packages: Vec<ResolvedPackage>,
}

/// One package in one version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedPackage {
    /// Package name.
    pub name: String,
    /// Version.
    pub version: String,
    /// Whether it is from a registry.
    pub is_registry: bool,
    /// Whether it is a member of the workspace.
    pub is_member: bool,
    /// Folder of its manifest.
    pub dir: PathBuf,
    /// Name of its library in code, and the library's root file; `None` without a library.
    pub library: Option<(String, PathBuf)>,
    /// Edition.
    pub edition: String,
    /// Its features with what each enables.
    pub features: SortedMap<String, Vec<String>>,
    /// The enabled features.
    pub enabled: SortedSet<String>,
    /// The packages that it depends on: name in its code, index of the package; those of the build
    /// script alone last.
    pub dependencies: Vec<(String, usize)>,
}

/// Whether a resolution may download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Download {
    /// If something is missing in the registry.
    IfNeeded,
    /// First of all, since the registry may have newer versions.
    First,
}

/// The packages of a resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those that the configurations of the check build.
    Built,
    /// Those of all features and platforms.
    All,
}

/// Resolves the dependencies of the package in `fresh`, as `cargo build` does: a lock file in the view
/// is respected, and completed there. Builds nothing. Downloads as [`fetch()`](fn@crate::fetch),
/// unless the environment is offline, and before anything that the project names may run.
///
/// # Errors
/// As [`fetch()`](fn@crate::fetch), and if cargo cannot be run.
pub fn resolve(
    ctx: &Ctx,
    env: &CargoEnv,
    fresh: FreshView<'_>,
    download: Download,
    timeout: Duration,
) -> Result<DependencyResolution, CargoError> {
    let until = Instant::now() + timeout;
    let rest = || until.saturating_duration_since(Instant::now());
    let ((view, root, files), needs) = (fresh.parts(), fresh.needs());
    let prepared = match download {
        Download::First if !env.offline => fetch::prepare_anew(ctx, env, &fresh, rest())?,
        _ => fetch::prepare(ctx, env, fresh, rest())?,
    };
    if let Some(reason) = prepared.failure {
        return Ok(DependencyResolution::Failed { reason });
    }
    let metadata = match workspace::full_metadata(ctx, env, view, root, needs, rest()) {
        Err(CargoError::Manifest { message }) => {
            return Ok(DependencyResolution::Failed { reason: message });
        }
        metadata => metadata?,
    };
    let lock = prepared.lock.or_else(|| files.lock().map(str::to_owned));
    Ok(DependencyResolution::Resolved(Resolved { lock, packages: packages(&metadata) }))
}

fn packages(metadata: &Metadata) -> Vec<ResolvedPackage> {
    let index: SortedMap<_, usize> =
        metadata.packages.iter().enumerate().map(|(idx, it)| (&it.id, idx)).collect();
    let nodes = metadata.resolve.iter().flat_map(|it| &it.nodes);
    let nodes: SortedMap<_, _> = nodes.map(|it| (&it.id, it)).collect();
    let convert = |package: &cargo_metadata::Package| {
        let is_library = |it: &&cargo_metadata::Target| {
            let kinds = ["lib", "proc-macro", "rlib", "dylib", "cdylib", "staticlib"];
            it.kind.iter().any(|kind| kinds.contains(&kind.to_string().as_str()))
        };
        let library = package.targets.iter().find(is_library);
        let node = nodes.get(&package.id);
        let is_build = |it: &cargo_metadata::DepKindInfo| it.kind == DependencyKind::Build;
        let is_only_build = |it: &&cargo_metadata::NodeDep| {
            !it.dep_kinds.is_empty() && it.dep_kinds.iter().all(is_build)
        };
        // The crates of the build script last: another one may have the same name.
        let deps = || node.into_iter().flat_map(|it| &it.deps);
        let deps = deps().filter(|it| !is_only_build(it)).chain(deps().filter(is_only_build));
        let dependencies = deps.filter_map(|it| Some((it.name.to_string(), *index.get(&it.pkg)?)));
        ResolvedPackage {
            name: package.name.to_string(),
            version: package.version.to_string(),
            is_registry: package.source.as_ref().is_some_and(|it| {
                it.repr.starts_with("registry+") || it.repr.starts_with("sparse+")
            }),
            is_member: metadata.workspace_members.contains(&package.id),
            dir: package.manifest_path.parent().map(PathBuf::from).unwrap_or_default(),
            library: library
                .map(|it| (it.name.replace('-', "_"), it.src_path.clone().into_std_path_buf())),
            edition: package.edition.to_string(),
            features: package.features.clone().into_iter().collect(),
            enabled: node
                .map(|it| it.features.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            dependencies: dependencies.collect(),
        }
    };
    metadata.packages.iter().map(convert).collect()
}
