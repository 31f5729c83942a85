//! The local packages and who depends on whom, from `cargo metadata --no-deps`. Decides which
//! packages a change affects. Start at [`workspace()`]; features and targets are in `manifests.rs`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Ctx, SortedMap};
use sandbox::View;
use serde::{Deserialize, Serialize};

use crate::manifests::{self, Manifest};
use crate::process::{self, LocalNetwork, Process, ProcessKind};
use crate::run;
use crate::{CargoEnv, CargoError, outside};

/// Packages, who depends on whom, path dependencies outside the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CargoWorkspace {
    /// Folder of the workspace's manifest.
    pub root: PathBuf,
    /// Members, then path dependencies that are no members; each sorted by name.
    pub packages: Vec<Package>,
    /// Folders outside the root that the build reads.
    pub outside: Vec<PathBuf>,
    /// Manifests of the members (features, targets, dependencies), sorted by name.
    pub manifests: Vec<Manifest>,
}

/// One package with local sources: a member, or a path dependency.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// Package name.
    pub name: String,
    /// Package version.
    pub version: String,
    /// `2015`, `2018`, `2021`, `2024`.
    pub edition: String,
    /// Folder of its manifest.
    pub dir: PathBuf,
    /// Names of the local packages that it depends on in any way, also for tests and the build
    /// script.
    pub depends_on: Vec<String>,
    /// Names of the local packages that its build script depends on.
    pub build_depends_on: Vec<String>,
    /// Whether it is a member of the workspace.
    pub member: bool,
    /// Whether it has a build script.
    pub has_build_script: bool,
    /// Whether it is a proc macro.
    pub is_proc_macro: bool,
    /// Whether it has a library; a proc macro is one.
    pub has_lib: bool,
}

impl CargoWorkspace {
    /// The package whose folder contains `path` (absolute); the innermost if they nest.
    pub fn owner(&self, path: &Path) -> Option<&Package> {
        self.packages
            .iter()
            .filter(|package| path.starts_with(&package.dir))
            .max_by_key(|package| package.dir.components().count())
    }

    /// The names of the members, sorted.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.packages.iter().filter(|it| it.member).map(|it| it.name.as_str())
    }

    /// The packages whose compiler loads a macro of the project, directly or through a dependency. Such a
    /// macro could write to their incremental data what their code does not contain, and replace what
    /// rustdoc reports of their examples.
    pub fn loads_own_macros(&self) -> Vec<String> {
        let macros = self.packages.iter().filter(|package| package.is_proc_macro);
        let macros: Vec<String> = macros.map(|package| package.name.clone()).collect();
        if macros.is_empty() { Vec::new() } else { self.with_dependents(&macros) }
    }

    /// `names` and all packages that depend on one of them, directly or not, sorted.
    pub fn with_dependents(&self, names: &[String]) -> Vec<String> {
        let mut found: base::SortedSet<&str> = names.iter().map(String::as_str).collect();
        loop {
            let before = found.len();
            for package in &self.packages {
                if package.depends_on.iter().any(|name| found.contains(name.as_str())) {
                    found.insert(&package.name);
                }
            }
            if found.len() == before {
                return found.into_iter().map(str::to_owned).collect();
            }
        }
    }
}

/// Maximum size of the output of `cargo metadata`, in which a compiler chosen by the project may
/// print too.
const METADATA_BYTES: usize = 256 << 20;

/// The workspace of a manifest, from `cargo metadata --no-deps` in a view: this needs no registry
/// and writes no lock file. Path dependencies outside are read in the same way, as far as the view
/// has them.
///
/// # Errors
/// [`CargoError::Manifest`] with cargo's message if it cannot read the project.
pub fn workspace(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
) -> Result<CargoWorkspace, CargoError> {
    let metadata = metadata(ctx, env, view, root, root)?;
    let mut packages = SortedMap::new();
    let mut outside = Vec::new();
    collect(&metadata, true, &mut packages);
    let mut queue = path_dependencies(&metadata);
    // A patch is named by the workspace, not by a package.
    queue.extend(outside::patches(root));
    while let Some(dir) = queue.pop() {
        if packages.contains_key(&dir) || packages.len() > 1_000 {
            continue;
        }
        match self::metadata(ctx, env, view, root, &dir) {
            Ok(other) => {
                collect_one(&other, &dir, &mut packages);
                queue.extend(path_dependencies(&other));
            }
            // Read by itself it may be rejected (because it is in a workspace that does not list
            // it) and still be built.
            Err(CargoError::Manifest { .. }) => {
                packages.extend(from_manifest(&dir).map(|package| (dir.clone(), package)));
            }
            Err(error) => return Err(error),
        }
        if !dir.starts_with(root) {
            outside.push(dir);
        }
    }
    outside.sort();
    outside.dedup();
    let mut packages: Vec<Package> = packages.into_values().collect();
    packages.sort_by(|a, b| (!a.member, &a.name, &a.dir).cmp(&(!b.member, &b.name, &b.dir)));
    let names: Vec<String> = packages.iter().map(|package| package.name.clone()).collect();
    for package in &mut packages {
        package.depends_on.retain(|name| names.contains(name));
        package.build_depends_on.retain(|name| names.contains(name));
    }
    let manifests = manifests::of(&metadata);
    Ok(CargoWorkspace { root: metadata.workspace_root.into(), packages, outside, manifests })
}

/// The manifests of one folder.
pub(crate) fn metadata(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
    dir: &Path,
) -> Result<cargo_metadata::Metadata, CargoError> {
    run_metadata(ctx, env, view, (root, dir), &["--no-deps"], Duration::from_secs(60))
}

/// All packages of the project with its dependencies; cargo completes the lock file in the view.
pub(crate) fn full_metadata(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
    (all_features, all_platforms): (bool, bool),
    timeout: Duration,
) -> Result<cargo_metadata::Metadata, CargoError> {
    let mut options = Vec::new();
    // Older versions do not know the name; they need the packages of all platforms.
    if env.toolchain.has_minor(91) && !all_platforms {
        options.extend(["--filter-platform", "host-tuple"]);
    }
    options.extend(all_features.then_some("--all-features"));
    run_metadata(ctx, env, view, (root, root), &options, timeout)
}

fn run_metadata(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    (root, dir): (&Path, &Path),
    options: &[&str],
    timeout: Duration,
) -> Result<cargo_metadata::Metadata, CargoError> {
    let mut stdout = Vec::new();
    let mut args: Vec<std::ffi::OsString> =
        vec!["metadata".into(), "--format-version=1".into(), "--offline".into()];
    args.extend(options.iter().map(Into::into));
    args.extend(["--manifest-path".into(), dir.join("Cargo.toml").into()]);
    let process = Process {
        program: env.toolchain.cargo.clone(),
        args,
        // cargo, not the sandbox, should report a missing folder.
        cwd: root.to_owned(),
        timeout,
        memory_bytes: None,
        network: LocalNetwork::Nothing,
        stdin: Vec::new(),
        variables: Vec::new(),
        kind: ProcessKind::Any,
    };
    let outcome = process::run(ctx, env, view, None, process, &mut |stream, line| {
        // Truncated output is not valid JSON, and so rejected.
        if stream == sandbox::Stream::Stdout && stdout.len() + line.len() < METADATA_BYTES {
            stdout.extend_from_slice(line);
            stdout.push(b'\n');
        }
    })?;
    let error = || CargoError::Manifest { message: run::failure_text(&outcome.stderr) };
    if outcome.cancelled {
        return Err(CargoError::Cancelled(base::Cancelled));
    }
    if outcome.exit_code != 0 {
        return Err(error());
    }
    serde_json::from_slice(&stdout)
        .map_err(|error| CargoError::Manifest { message: format!("unreadable metadata: {error}") })
}

fn collect(
    metadata: &cargo_metadata::Metadata,
    member: bool,
    packages: &mut SortedMap<PathBuf, Package>,
) {
    for package in &metadata.packages {
        let package = convert(package, member);
        packages.insert(package.dir.clone(), package);
    }
}

/// Of another workspace, only the package that is depended on.
fn collect_one(
    metadata: &cargo_metadata::Metadata,
    dir: &Path,
    packages: &mut SortedMap<PathBuf, Package>,
) {
    for package in &metadata.packages {
        let package = convert(package, false);
        if package.dir == dir {
            packages.insert(package.dir.clone(), package);
        }
    }
}

fn convert(package: &cargo_metadata::Package, member: bool) -> Package {
    let has = |kind: &str| {
        package.targets.iter().any(|target| target.kind.iter().any(|it| it.to_string() == kind))
    };
    let names = |build_only: bool| {
        let mut names: Vec<String> = package
            .dependencies
            .iter()
            .filter(|it| !build_only || it.kind == cargo_metadata::DependencyKind::Build)
            .map(|it| it.name.clone())
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let is_proc_macro = has("proc-macro");
    Package {
        name: package.name.to_string(),
        version: package.version.to_string(),
        edition: package.edition.to_string(),
        dir: package.manifest_path.parent().map(PathBuf::from).unwrap_or_default(),
        depends_on: names(false),
        build_depends_on: names(true),
        member,
        has_build_script: has("custom-build"),
        is_proc_macro,
        has_lib: is_proc_macro
            || ["lib", "rlib", "dylib", "cdylib", "staticlib"].iter().any(|kind| has(kind)),
    }
}

/// Reads a manifest without cargo; if unsure, lists too many dependencies rather than too few.
fn from_manifest(dir: &Path) -> Option<Package> {
    let manifest = outside::read_manifest(dir)?;
    let package = manifest.get("package")?.as_table()?;
    let text = |key: &str| package.get(key).and_then(toml::Value::as_str).unwrap_or_default();
    let mut depends_on = Vec::new();
    dependency_names(&manifest, &mut depends_on);
    depends_on.sort();
    depends_on.dedup();
    Some(Package {
        name: text("name").to_owned(),
        version: text("version").to_owned(),
        edition: package.get("edition").and_then(toml::Value::as_str).unwrap_or("2015").to_owned(),
        dir: dir.to_owned(),
        build_depends_on: depends_on.clone(),
        depends_on,
        member: false,
        has_build_script: package.contains_key("build") || dir.join("build.rs").is_file(),
        is_proc_macro: names_macro(&manifest),
        has_lib: true,
    })
}

/// Whether the library of a manifest is a macro, as far as its keys may say.
pub(crate) fn names_macro(manifest: &toml::Table) -> bool {
    let Some(library) = manifest.get("lib").and_then(toml::Value::as_table) else { return false };
    let is_kind = |it: &toml::Value| it.as_str() == Some("proc-macro");
    let has_kind = |key: &str| {
        let kinds = library.get(key).and_then(toml::Value::as_array);
        kinds.into_iter().flatten().any(is_kind)
    };
    let is = |key: &str| library.get(key).is_some_and(|it| it.as_bool() != Some(false));
    is("proc-macro") || is("proc_macro") || has_kind("crate-type") || has_kind("crate_type")
}

/// The packages that dependency tables name, by their real names.
fn dependency_names(table: &toml::Table, names: &mut Vec<String>) {
    for (key, value) in table {
        let Some(inner) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            names.extend(inner.iter().map(|(name, value)| {
                let renamed = value.get("package").and_then(toml::Value::as_str);
                renamed.unwrap_or(name).to_owned()
            }));
        } else if key == "target" {
            for target in inner.values().filter_map(toml::Value::as_table) {
                dependency_names(target, names);
            }
        }
    }
}

fn path_dependencies(metadata: &cargo_metadata::Metadata) -> Vec<PathBuf> {
    let dependencies = metadata.packages.iter().flat_map(|package| &package.dependencies);
    let mut dirs: Vec<PathBuf> =
        dependencies.filter_map(|it| it.path.as_ref().map(PathBuf::from)).collect();
    dirs.sort();
    dirs.dedup();
    dirs
}
