//! Computes which units a difference between the tree and the manifest can affect.
//!
//! The host decides by names: all units of a package that has a changed file, and of all packages that
//! depend on it, are rebuilt, whatever fingerprints, dependency files and times say, since these were
//! written where foreign code ran. What units read can only add to that: a unit that learned of an entry of
//! another package, or of one that no package owns (`learned.rs`). A file that belongs to no package affects all
//! units. A unit of which it is not known what it read is never fresh.

use std::path::{Path, PathBuf};

use base::{SortedMap, SortedSet};
use untrusted_fs::{Dir, Fault};

use super::BuildSources;
use super::changes::{Besides, Changes};
use super::learned::{Learned, Records};
use super::manifest::Manifest;
use super::read_roots::ReadRoots;
use super::units::{Scan, Unit, UnitInputs, UnitKind};
use crate::CargoWorkspace;
use crate::configured::ConfiguredFolders;

/// The units in a target directory that may be out of date.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Only these units.
    Units(Vec<Unit>),
    /// The whole directory is unusable.
    Everything,
}

/// An open target directory and its path on the host.
#[derive(Debug)]
pub(super) struct TargetDir {
    pub(super) path: PathBuf,
    pub(super) dir: Dir,
    /// Its path inside a view with mounts.
    inside: PathBuf,
    /// Names of the toolchain's own libraries.
    libraries: SortedSet<String>,
}

impl TargetDir {
    pub(super) fn open(
        path: PathBuf,
        inside: PathBuf,
        libraries: SortedSet<String>,
    ) -> Result<Self, Fault> {
        Ok(Self { dir: Dir::open(&path)?, path, inside, libraries })
    }
}

/// The units that must not count as fresh. `manifest` is `None` if the directory is inconsistent:
/// then no local unit counts as fresh.
pub(super) fn plan(
    target: &TargetDir,
    sources: &BuildSources<'_>,
    manifest: Option<&Manifest>,
) -> Plan {
    let Some(workspace) = sources.workspace else { return Plan::Everything };
    let Some(roots) = ReadRoots::open(sources.root, workspace) else { return Plan::Everything };
    let Some(units) = scan(target, &roots, workspace) else { return Plan::Everything };
    let Some(manifest) = manifest else { return of_local(units) };
    let Some(changes) = Changes::of((sources, workspace), &roots, &units, manifest) else {
        return Plan::Everything;
    };
    if is_of_replaced(sources, &changes.sources) {
        return Plan::Everything;
    }
    of_local(AffectedUnits::new(sources.root, workspace, &units).of(&changes))
}

/// A plan for these units. Of packages of registries only those are known that read the project, and not what
/// depends on them.
fn of_local(units: Vec<Unit>) -> Plan {
    match units.iter().all(|it| it.is_local) {
        true => Plan::Units(units),
        false => Plan::Everything,
    }
}

/// Whether a change is in a folder that takes the place of a registry, of which cargo compares nothing once it
/// has built it; or may be in one. Of one that git ignores no change is seen.
fn is_of_replaced(sources: &BuildSources<'_>, changes: &SortedSet<String>) -> bool {
    let Some(folders) = ConfiguredFolders::of(sources.root) else { return !changes.is_empty() };
    let is_unseen = |folder: &PathBuf| {
        folder.starts_with(sources.root)
            && folder.is_dir()
            && !sources.files.keys().any(|it| it.join_to(sources.root).starts_with(folder))
    };
    if folders.sources.iter().any(is_unseen) {
        return true;
    }
    let is_in = |key: &String| {
        let path = sources.root.join(key);
        folders.sources.iter().any(|it| path.starts_with(it))
    };
    changes.iter().any(is_in)
}

fn scan(target: &TargetDir, roots: &ReadRoots, workspace: &CargoWorkspace) -> Option<Vec<Unit>> {
    let packages = packages(workspace);
    Scan {
        target: &target.dir,
        target_paths: [&target.path, &target.inside],
        libraries: &target.libraries,
        roots,
        records: &Records::open(&target.dir, roots)?,
        cwd: &workspace.root,
        workspace,
        packages: &packages,
    }
    .units()
}

/// The inputs of a build besides the files that the project lists. An entry that is missing there equals nothing.
pub(super) fn besides(
    target: &TargetDir,
    sources: &BuildSources<'_>,
    started: Option<(i64, i64)>,
) -> Besides {
    let Some(workspace) = sources.workspace else { return Besides::default() };
    let Some(roots) = ReadRoots::open(sources.root, workspace) else { return Besides::default() };
    let units = scan(target, &roots, workspace).unwrap_or_default();
    Besides::of((sources, workspace), &roots, &units, started)
}

/// Removes the units' fingerprints and output from a directory that no other process uses; `false` if nothing
/// in it is usable.
pub(super) fn take_away(target: &Dir, plan: &Plan) -> Result<bool, Fault> {
    match plan {
        Plan::Everything => Ok(false),
        Plan::Units(units) => {
            gone(units).into_iter().try_for_each(|path| target.remove_all(path))?;
            Ok(true)
        }
    }
}

/// Covers the units' fingerprints and output in `upper`, an overlay layer above the directory.
pub(super) fn cover(upper: &Dir, units: &[Unit]) -> Result<(), Fault> {
    gone(units).into_iter().try_for_each(|path| {
        upper.make_dirs(path.parent().unwrap_or(Path::new("")))?;
        upper.white_out(path)
    })
}

/// All that these units left in the target directory.
fn gone(units: &[Unit]) -> SortedSet<&Path> {
    let paths = units.iter().flat_map(|unit| unit.made.iter().chain([&unit.folder]));
    paths.map(PathBuf::as_path).collect()
}

fn packages(workspace: &CargoWorkspace) -> SortedMap<String, Vec<PathBuf>> {
    let mut packages: SortedMap<String, Vec<PathBuf>> = SortedMap::new();
    for package in &workspace.packages {
        packages.entry(package.name.clone()).or_default().push(package.dir.clone());
    }
    packages
}

/// Propagates changes to units.
struct AffectedUnits<'a> {
    root: &'a Path,
    workspace: &'a CargoWorkspace,
    units: &'a [Unit],
    /// Indices into `units`.
    hit: SortedSet<usize>,
    /// Packages of which all units are affected.
    whole: SortedSet<String>,
}

impl<'a> AffectedUnits<'a> {
    fn new(root: &'a Path, workspace: &'a CargoWorkspace, units: &'a [Unit]) -> Self {
        Self { root, workspace, units, hit: SortedSet::new(), whole: SortedSet::new() }
    }

    fn of(mut self, changes: &Changes) -> Vec<Unit> {
        for key in &changes.sources {
            self.change(key);
        }
        for key in &changes.entries {
            self.read(key);
        }
        for folder in &changes.folders {
            self.hit(|unit| unit.learned.iter().any(|it| it.folders.contains(folder)));
        }
        for key in &changes.otherwise {
            self.hit(|unit| unit.entries().any(|it| covers(key, it)));
            self.hit(|unit| unit.learned.iter().any(|it| learned_names_of(it, key)));
        }
        self.hit(|unit| {
            unit.read == UnitInputs::Unknown
                || unit.learned.as_ref().is_none_or(|it| !it.is_comparable)
        });
        self.spread();
        self.hit.iter().map(|idx| self.units[*idx].clone()).collect()
    }

    fn hit(&mut self, is_hit: impl Fn(&Unit) -> bool) {
        let units = self.units.iter().enumerate();
        self.hit.extend(units.filter(|(_, unit)| is_hit(unit)).map(|(idx, _)| idx));
    }

    fn change(&mut self, key: &str) {
        let path = self.root.join(key);
        match self.workspace.owner(&path) {
            Some(owner) => {
                self.whole.insert(owner.name.clone());
                // Tools look for their settings upwards, and members have values of the manifest of the workspace.
                if !key.ends_with(".rs") {
                    let folder = path.parent().unwrap_or(self.root);
                    let inner =
                        self.workspace.packages.iter().filter(|it| it.dir.starts_with(folder));
                    self.whole.extend(inner.map(|it| it.name.clone()));
                }
            }
            None => {
                self.whole.extend(self.workspace.packages.iter().map(|it| it.name.clone()));
                self.hit.extend(0..self.units.len());
            }
        }
        self.read(key);
    }

    /// Counts the units that read the entry.
    fn read(&mut self, key: &str) {
        self.hit(|unit| {
            let declares = match (&unit.read, unit.kind) {
                // What is declared is not known: see `of`; or it is the package's own, decided by name.
                (UnitInputs::Unknown | UnitInputs::Package, _) => false,
                (UnitInputs::Files(read), UnitKind::BuildScriptRun) => {
                    read.iter().any(|it| covers(it, key))
                }
                (UnitInputs::Files(read), _) => read.iter().any(|it| it == key),
            };
            declares || unit.learned.iter().any(|it| it.entries.iter().any(|it| it == key))
        });
    }

    fn spread(&mut self) {
        loop {
            let before = (self.hit.len(), self.whole.len());
            // A library or a build script changes how other targets are built.
            let shared = self.hit.iter().map(|idx| &self.units[*idx]);
            let shared = shared.filter(|unit| unit.kind != UnitKind::Other && unit.is_local);
            self.whole.extend(shared.map(|unit| unit.package.clone()));
            let names: Vec<String> = self.whole.iter().cloned().collect();
            self.whole.extend(self.workspace.with_dependents(&names));
            let units = self.units.iter().enumerate();
            let whole =
                units.filter(|(_, unit)| unit.is_local && self.whole.contains(&unit.package));
            self.hit.extend(whole.map(|(idx, _)| idx));
            if before == (self.hit.len(), self.whole.len()) {
                return;
            }
        }
    }
}

/// Whether a unit read the names in a folder that has the entry, or in the entry itself.
fn learned_names_of(learned: &Learned, key: &str) -> bool {
    let above = Path::new(key).parent().unwrap_or(Path::new(""));
    learned.folders.iter().any(|it| Path::new(it) == above || covers(key, it))
}

/// Whether a declared path is the file or a folder above it.
fn covers(declared: &str, key: &str) -> bool {
    declared.is_empty() || Path::new(key).starts_with(declared)
}

#[cfg(test)]
mod tests;
