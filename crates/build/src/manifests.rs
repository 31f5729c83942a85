//! Manifests as cargo parses them: features, targets and dependencies of each package. Start at
//! [`manifests`]; who depends on whom is in `workspace.rs`.

use std::path::{Path, PathBuf};

use base::{Ctx, SortedMap};
use serde::{Deserialize, Serialize};

use crate::{CargoEnv, CargoError, probe, workspace};

/// The manifests of a workspace, as parsed by cargo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifests {
    /// Members, sorted by name.
    pub packages: Vec<Manifest>,
}

/// The manifest of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Package name.
    pub name: String,
    /// Package version.
    pub version: String,
    /// Folder, absolute.
    pub dir: PathBuf,
    /// Features with what each enables: `default = ["std", "dep:x", "x/y"]`. Includes the implicit
    /// features of optional dependencies.
    pub features: SortedMap<String, Vec<String>>,
    /// Targets, in cargo's order.
    pub targets: Vec<Target>,
    /// Dependencies.
    pub dependencies: Vec<ManifestDependency>,
    /// The oldest Rust that it declares to support.
    #[serde(default)]
    pub rust_version: Option<String>,
}

/// One target of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Target name.
    pub name: String,
    /// `lib`, `bin`, `test`, `example`, `bench`, `proc-macro`, `build`.
    pub kind: String,
    /// Root file, absolute.
    pub root: PathBuf,
    /// `2015`, `2018`, `2021`, `2024`.
    pub edition: String,
    /// Features without which it is not built.
    pub required_features: Vec<String>,
}

/// One dependency of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestDependency {
    /// Package name.
    pub package: String,
    /// Name in the code, if renamed.
    pub rename: Option<String>,
    /// Kind of the dependency.
    pub kind: DependencyKind,
    /// Whether it is enabled by a feature only.
    pub optional: bool,
    /// Enabled features.
    pub features: Vec<String>,
    /// Whether the default features are enabled.
    pub default_features: bool,
    /// Folder of a path dependency.
    pub path: Option<PathBuf>,
    /// The platforms that it is for, as in the manifest: a `cfg` or a triple; `None`: all.
    #[serde(default)]
    pub target: Option<String>,
}

/// The kind of a dependency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DependencyKind {
    /// For all targets.
    #[default]
    Normal,
    /// For tests, examples and benches.
    Dev,
    /// For the build script.
    Build,
}

/// Reads the manifests of the workspace at `root` with one `cargo metadata --no-deps`, offline, on a
/// read-only view of the tree on disk.
///
/// # Errors
/// [`CargoError::Manifest`] with cargo's message if it cannot read the project.
pub fn manifests(ctx: &Ctx, env: &CargoEnv, root: &Path) -> Result<Manifests, CargoError> {
    let view = probe::view_of(root, &env.trust);
    let metadata = workspace::metadata(ctx, env, &view, root, root)?;
    Ok(Manifests { packages: of(&metadata) })
}

/// The packages of one run of `cargo metadata`, by name.
pub(crate) fn of(metadata: &cargo_metadata::Metadata) -> Vec<Manifest> {
    let mut packages: Vec<Manifest> = metadata.packages.iter().map(convert).collect();
    packages.sort_by(|a, b| (&a.name, &a.dir).cmp(&(&b.name, &b.dir)));
    packages
}

fn convert(package: &cargo_metadata::Package) -> Manifest {
    let dependencies = package.dependencies.iter().map(|it| ManifestDependency {
        package: it.name.clone(),
        rename: it.rename.clone(),
        kind: match it.kind {
            cargo_metadata::DependencyKind::Development => DependencyKind::Dev,
            cargo_metadata::DependencyKind::Build => DependencyKind::Build,
            _ => DependencyKind::Normal,
        },
        optional: it.optional,
        features: it.features.clone(),
        default_features: it.uses_default_features,
        path: it.path.as_ref().map(PathBuf::from),
        target: it.target.as_ref().map(ToString::to_string),
    });
    let targets = package.targets.iter().map(|it| Target {
        name: it.name.clone(),
        kind: kind(&it.kind).to_owned(),
        root: it.src_path.clone().into(),
        edition: it.edition.to_string(),
        required_features: it.required_features.clone(),
    });
    Manifest {
        name: package.name.to_string(),
        version: package.version.to_string(),
        dir: package.manifest_path.parent().map(PathBuf::from).unwrap_or_default(),
        features: package.features.iter().map(|(name, on)| (name.clone(), on.clone())).collect(),
        targets: targets.collect(),
        dependencies: dependencies.collect(),
        rust_version: package.rust_version.as_ref().map(ToString::to_string),
    }
}

/// One name for cargo's list of target kinds.
fn kind(kinds: &[cargo_metadata::TargetKind]) -> &'static str {
    let has = |kind: &str| kinds.iter().any(|it| it.to_string() == kind);
    match () {
        () if has("proc-macro") => "proc-macro",
        () if has("custom-build") => "build",
        () if has("bin") => "bin",
        () if has("test") => "test",
        () if has("example") => "example",
        () if has("bench") => "bench",
        () => "lib",
    }
}
