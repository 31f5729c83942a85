//! Turns cargo's targets into crates: names, roots, cfg and dependencies.

use std::path::{Path, PathBuf};

use base::{ProjectPath, SortedMap, SortedSet};
use build::{DependencyKind, Manifest, Target};
use graph::ProblemRow;
use resolve::{CfgSet, CrateIdx, CrateInput, Dependency};

use crate::discover::{Tree, problem};
use crate::features;
use crate::inputs::{Inputs, manifest_path};

/// The crates of a workspace, as input for resolution and as rows of the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crates {
    /// Input for resolution, sorted by name. Roots are indices of files.
    pub(crate) inputs: Vec<CrateInput>,
    /// Facts for the map, in the same order.
    pub(crate) facts: Vec<CrateFacts>,
    pub(crate) problems: Vec<ProblemRow>,
}

/// The facts of a crate that the map contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CrateFacts {
    pub(crate) version: String,
    pub(crate) kind: String,
    /// The package's name.
    pub(crate) package: String,
    /// All features of the package, each with the features that it enables.
    pub(crate) features: SortedMap<String, Vec<String>>,
    /// Other crates of the workspace that it depends on.
    pub(crate) depends_on: Vec<CrateIdx>,
    /// External packages that it depends on, sorted.
    pub(crate) outside: Vec<String>,
}

/// A target that becomes a crate of the map.
struct Candidate<'a> {
    name: String,
    package: usize,
    target: &'a Target,
    root: u32,
}

/// Creates crates from targets. `files` are the files of the map, sorted.
pub(crate) fn crates(root: &Path, inputs: &Inputs, tree: &Tree, files: &[ProjectPath]) -> Crates {
    let packages = &inputs.manifests.packages;
    let mut problems = inputs.problems.clone();
    let mut candidates = candidates(root, packages, tree, files, &mut problems);
    make_names_unique(packages, &mut candidates);
    candidates.sort_by(|a, b| a.name.cmp(&b.name));
    let by_kind = candidates.iter().zip(0..);
    let libraries = by_kind
        .filter(|(it, _)| matches!(it.target.kind.as_str(), "lib" | "proc-macro"))
        .map(|(it, idx)| (it.package, CrateIdx(idx)));
    let linker = Linker {
        libraries: libraries.collect(),
        by_dir: packages.iter().enumerate().map(|(idx, it)| (it.dir.as_path(), idx)).collect(),
        patched: patched(root, packages),
        candidates: &candidates,
    };
    let features = features::enabled(&inputs.manifests);
    let host = host_cfg(&inputs.cfg);
    let mut crates = Crates { problems, ..Crates::default() };
    for (candidate, idx) in candidates.iter().zip(0..) {
        let package = &packages[candidate.package];
        let kind = &candidate.target.kind;
        let links = linker.links(CrateIdx(idx), package);
        let mut cfg = host.clone();
        cfg.values
            .entry("feature".to_owned())
            .or_default()
            .extend(features.get(&package.dir).into_iter().flatten().cloned());
        if kind != "build" {
            // Unit tests are indexed like other code; `cfg(test)` alternatives win, as in an
            // editor.
            cfg.flags.insert("test".to_owned());
        }
        if kind == "proc-macro" {
            cfg.flags.insert("proc_macro".to_owned());
        }
        let dependencies = links.by_name.into_iter().map(|(name, to)| Dependency { name, to });
        crates.inputs.push(CrateInput {
            name: candidate.name.clone(),
            extern_name: extern_name(candidate.target),
            root: candidate.root,
            edition: candidate.target.edition.parse().unwrap_or(2015),
            cfg,
            dependencies: dependencies.collect(),
            is_proc_macro: kind == "proc-macro",
        });
        crates.facts.push(CrateFacts {
            version: package.version.clone(),
            kind: kind.clone(),
            package: package.name.clone(),
            features: package.features.clone(),
            depends_on: links.crates.into_iter().collect(),
            outside: links.outside.into_iter().collect(),
        });
    }
    crates
}

/// The dependencies of a crate.
#[derive(Default)]
struct Links {
    /// By the name in the code; `None`: outside the map.
    by_name: SortedMap<String, Option<CrateIdx>>,
    /// The crates of the map among them.
    crates: SortedSet<CrateIdx>,
    /// The packages of the others.
    outside: SortedSet<String>,
}

/// Finds the crates that dependencies lead to.
struct Linker<'a> {
    candidates: &'a [Candidate<'a>],
    /// The library of each package.
    libraries: SortedMap<usize, CrateIdx>,
    by_dir: SortedMap<&'a Path, usize>,
    patched: SortedMap<String, usize>,
}

impl Linker<'_> {
    fn links(&self, of: CrateIdx, package: &Manifest) -> Links {
        let candidate = &self.candidates[of.0 as usize];
        let is_build = candidate.target.kind == "build";
        let mut links = Links::default();
        for dependency in &package.dependencies {
            if is_build != (dependency.kind == DependencyKind::Build) {
                continue;
            }
            let owner = match dependency.path.as_deref() {
                Some(path) => self.by_dir.get(path).copied(),
                None => self.patched.get(&dependency.package).copied(),
            };
            let to = owner.and_then(|owner| self.libraries.get(&owner).copied());
            // A dev-dependency of a crate on itself is no dependency.
            if to == Some(of) && dependency.kind == DependencyKind::Dev {
                continue;
            }
            let name = match (&dependency.rename, to) {
                (Some(rename), _) => rename.replace('-', "_"),
                (None, Some(to)) => self.extern_name(to),
                (None, None) => dependency.package.replace('-', "_"),
            };
            match to {
                Some(to) => drop(links.crates.insert(to)),
                None => drop(links.outside.insert(dependency.package.clone())),
            }
            let known = links.by_name.entry(name).or_default();
            *known = known.or(to);
        }
        let own = self.libraries.get(&candidate.package).copied();
        if let Some(own) = own.filter(|own| *own != of && !is_build) {
            links.by_name.insert(self.extern_name(own), Some(own));
            links.crates.insert(own);
        }
        links
    }

    fn extern_name(&self, of: CrateIdx) -> String {
        extern_name(self.candidates[of.0 as usize].target)
    }
}

/// Targets whose root is in the map; each root once, libraries before binaries.
fn candidates<'a>(
    root: &Path,
    packages: &'a [Manifest],
    tree: &Tree,
    files: &[ProjectPath],
    problems: &mut Vec<ProblemRow>,
) -> Vec<Candidate<'a>> {
    let mut all: Vec<(usize, &Target)> = packages
        .iter()
        .enumerate()
        .flat_map(|(idx, package)| package.targets.iter().map(move |target| (idx, target)))
        .collect();
    all.sort_by_key(|(idx, target)| (rank(&target.kind), &packages[*idx].name, &target.name));
    let mut taken: SortedMap<u32, String> = SortedMap::new();
    let mut candidates = Vec::new();
    for (package, target) in all {
        let path = ProjectPath::within(root, &target.root).ok().map(|path| tree.real(&path));
        let number = path.as_ref().and_then(|path| files.binary_search(path).ok());
        let at = || match &path {
            Some(path) => path.clone(),
            None => crate::inputs::manifest_path(),
        };
        let Some(number) = number.map(|it| it as u32) else {
            let message =
                format!("the root of {} `{}` is not among the files", target.kind, target.name);
            problems.push(problem(&at(), "crate root missing", message));
            continue;
        };
        if let Some(other) = taken.get(&number) {
            let message = format!(
                "{} `{}` has the same root as {other}; the file belongs to the latter",
                target.kind, target.name
            );
            problems.push(problem(&at(), "crate root shared", message));
            continue;
        }
        taken.insert(number, format!("{} `{}`", target.kind, target.name));
        let name = match target.kind.as_str() {
            "build" => format!("{}/build", packages[package].name),
            _ => format!("{}/{}", packages[package].name, target.name),
        };
        candidates.push(Candidate { name, package, target, root: number });
    }
    candidates
}

/// The precedence of targets that share a name or a root.
fn rank(kind: &str) -> u8 {
    match kind {
        "lib" | "proc-macro" => 0,
        "bin" => 1,
        "test" => 2,
        "example" => 3,
        "bench" => 4,
        _ => 5,
    }
}

/// Makes names unique: the second target of a name gets its kind as suffix (`p/p@bin`), then the
/// package's version, then a number.
fn make_names_unique(packages: &[Manifest], candidates: &mut [Candidate<'_>]) {
    let mut taken = SortedSet::new();
    for candidate in candidates {
        let base_name = candidate.name.clone();
        let kind = &candidate.target.kind;
        let version = &packages[candidate.package].version;
        let further = [
            base_name.clone(),
            format!("{base_name}@{kind}"),
            format!("{base_name}@{version}"),
            format!("{base_name}@{version}-{kind}"),
        ];
        let free = further.into_iter().find(|name| !taken.contains(name));
        candidate.name = free.unwrap_or_else(|| {
            let mut number = 2;
            while taken.contains(&format!("{base_name}@{number}")) {
                number += 1;
            }
            format!("{base_name}@{number}")
        });
        taken.insert(candidate.name.clone());
    }
}

fn extern_name(target: &Target) -> String {
    target.name.replace('-', "_")
}

/// Workspace members that replace packages of a registry (`[patch.crates-io]`), by name.
fn patched(root: &Path, packages: &[Manifest]) -> SortedMap<String, usize> {
    let text = untrusted_fs::read_source(root, manifest_path().as_str()).map(String::from_utf8);
    let table: toml::Table = text.and_then(|text| text.ok()?.parse().ok()).unwrap_or_default();
    let sources = table.get("patch").and_then(toml::Value::as_table).into_iter().flatten();
    let mut patched = SortedMap::new();
    for (name, value) in sources.filter_map(|(_, it)| it.as_table()).flatten() {
        let Some(path) = value.get("path").and_then(toml::Value::as_str) else { continue };
        let dir: Option<PathBuf> = root.join(path).canonicalize().ok();
        let package = value.get("package").and_then(toml::Value::as_str).unwrap_or(name);
        if let Some(idx) = packages.iter().position(|it| Some(&it.dir) == dir.as_ref()) {
            patched.insert(package.to_owned(), idx);
        }
    }
    patched
}

/// Parses lines like `unix` and `target_os="linux"`.
fn host_cfg(lines: &[String]) -> CfgSet {
    let mut cfg = CfgSet::default();
    for line in lines {
        match line.split_once('=') {
            Some((key, value)) => {
                let value = value.trim().trim_matches('"').to_owned();
                cfg.values.entry(key.trim().to_owned()).or_default().insert(value);
            }
            None => {
                cfg.flags.insert(line.clone());
            }
        }
    }
    cfg
}
