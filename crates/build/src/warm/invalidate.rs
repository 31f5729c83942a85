//! Computes which units a difference between the tree and the manifest can affect.
//!
//! The host decides by names: all units of a package that has a changed file, and of all packages that
//! depend on it, are rebuilt, whatever fingerprints, dependency files and times say, since these were
//! written where foreign code ran. What units report of the files that they read can only add to
//! that: a unit that read a file of another package, or one that no package owns. A file that belongs
//! to no package affects all units; a file that is no Rust file those that load a macro of the project, and
//! any other file those that load one which may read it, and the build scripts that may. Macros of registries
//! count as reading unless they are known.

use std::path::{Path, PathBuf};

use base::{ContentHash, ProjectPath, SortedMap, SortedSet};
use untrusted_fs::{Dir, Fault};

use super::BuildSources;
use super::foreign_macros::load_foreign_readers;
use super::macro_reads::load_readers;
use super::manifest::Manifest;
use super::read_roots::{FileNow, ReadRoots};
use super::script_reads::script_readers;
use super::tool_reads::tool_readers;
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
}

impl TargetDir {
    pub(super) fn open(path: PathBuf) -> Result<Self, Fault> {
        Ok(Self { dir: Dir::open(&path)?, path })
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
    let Some(manifest) = manifest else { return Plan::Units(units) };
    let otherwise = seen_otherwise(sources, manifest);
    let Some(changes) = changes((sources, workspace), &roots, &units, (manifest, &otherwise))
    else {
        return Plan::Everything;
    };
    if is_of_replaced(sources, &changes) {
        return Plan::Everything;
    }
    // A macro of the project can read any file while it expands, and no report names it.
    let only_sources = otherwise.is_empty() && changes.iter().all(|key| key.ends_with(".rs"));
    let loads = match only_sources {
        true if changes.is_empty() => Vec::new(),
        true => load_readers(sources, workspace, &units),
        false => workspace.loads_own_macros(),
    };
    // So can a build script, whatever it declares.
    let scripts = match changes.is_empty() {
        true => SortedSet::new(),
        false => script_readers(sources, workspace, only_sources),
    };
    let mut whole: SortedSet<String> = loads.into_iter().collect();
    // Of one package alone all is affected anyway.
    if !(changes.is_empty() && otherwise.is_empty()) && workspace.packages.len() > 1 {
        whole.extend(load_foreign_readers(sources, workspace));
        whole.extend(tool_readers(sources, workspace, &units));
    }
    let affected = AffectedUnits {
        whole,
        hit: runs_of(&units, &scripts),
        ..AffectedUnits::new(sources.root, workspace, &units)
    };
    Plan::Units(affected.of(&changes, &otherwise))
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

/// The runs of the build scripts of these packages, as indices.
fn runs_of(units: &[Unit], packages: &SortedSet<String>) -> SortedSet<usize> {
    let runs = units.iter().enumerate().filter(|(_, it)| it.kind == UnitKind::BuildScriptRun);
    runs.filter(|(_, it)| packages.contains(&it.package)).map(|(idx, _)| idx).collect()
}

fn scan(target: &TargetDir, roots: &ReadRoots, workspace: &CargoWorkspace) -> Option<Vec<Unit>> {
    let packages = packages(workspace);
    Scan {
        target: &target.dir,
        target_path: &target.path,
        roots,
        cwd: &workspace.root,
        packages: &packages,
    }
    .units()
}

/// The files of packages outside the project, and files that units read but the project does not
/// list: [`Manifest::extra`]. A file that is missing there equals nothing.
pub(super) fn extra(
    target: &TargetDir,
    sources: &BuildSources<'_>,
) -> SortedMap<String, Option<ContentHash>> {
    let mut extra = SortedMap::new();
    let Some(workspace) = sources.workspace else { return extra };
    let Some(roots) = ReadRoots::open(sources.root, workspace) else { return extra };
    let outside = roots.outside(workspace).unwrap_or_default();
    extra.extend(outside.into_iter().map(|(key, hash)| (key, Some(hash))));
    let units = scan(target, &roots, workspace).unwrap_or_default();
    let read = units.iter().flat_map(Unit::files).map(String::as_str);
    for key in read.chain(beside(sources, workspace)) {
        if !is_listed(sources, key) && !extra.contains_key(key) {
            match now(sources, &roots, key) {
                FileNow::Is(hash) => extra.insert(key.to_owned(), Some(hash)),
                // For a declared folder its files count; those of the project are listed anyway.
                FileNow::Absent => extra.insert(key.to_owned(), None),
                FileNow::Unknown => None,
            };
        }
    }
    extra
}

/// The ignored files that count as read though no unit reports it: where the project has macros or build scripts.
fn beside<'a>(
    sources: &BuildSources<'a>,
    workspace: &CargoWorkspace,
) -> impl Iterator<Item = &'a str> + use<'a> {
    let counts = workspace.packages.iter().any(|it| it.is_proc_macro || it.has_build_script);
    sources.beside.iter().filter(move |_| counts).map(ProjectPath::as_str)
}

/// Entries that one of the two builds saw and the other did not: a run for an agent and one for a person.
fn seen_otherwise(sources: &BuildSources<'_>, manifest: &Manifest) -> SortedSet<String> {
    let now: SortedSet<&str> = sources.closed.iter().map(ProjectPath::as_str).collect();
    let was_seen = |key: &str| {
        // An entry that the build before could have seen, had it existed.
        manifest.closed.is_empty()
            || manifest.files.contains_key(key)
            || manifest.extra.contains_key(key)
    };
    let gone = now.iter().copied().filter(|key| !manifest.closed.contains(*key) && was_seen(key));
    let root = Dir::open(sources.root);
    let is_there = |key: &str| !matches!(root.as_ref().map(|it| it.kind(key)), Ok(Ok(None)));
    let closed_before = manifest.closed.iter().map(String::as_str);
    let come = closed_before.filter(|key| !now.contains(key) && is_there(key));
    gone.chain(come).filter(|it| !it.starts_with(".git/")).map(str::to_owned).collect()
}

/// The present state of a file, as the build sees it.
fn now(sources: &BuildSources<'_>, roots: &ReadRoots, key: &str) -> FileNow {
    match base::is_within_any(Path::new(key), sources.closed) {
        true => FileNow::Absent,
        false => roots.now(key),
    }
}

/// Removes the units' fingerprints from a directory that no other process uses; `false` if nothing
/// in it is usable.
pub(super) fn take_away(target: &Dir, plan: &Plan) -> Result<bool, Fault> {
    match plan {
        Plan::Everything => Ok(false),
        Plan::Units(units) => {
            units.iter().try_for_each(|unit| target.remove_all(&unit.folder))?;
            Ok(true)
        }
    }
}

/// Replaces the units' fingerprints in `upper`, an overlay layer above the directory or a copy of
/// it. cargo compares the hash with the expected one, which is never 0.
pub(super) fn cover(upper: &Dir, units: &[Unit]) -> Result<(), Fault> {
    for unit in units {
        let folder = upper.make_dirs(&unit.folder)?;
        for name in &unit.hashes {
            folder.remove_all(name)?;
            folder.write_new(name, b"graftage: stale")?;
        }
    }
    Ok(())
}

fn packages(workspace: &CargoWorkspace) -> SortedMap<String, Vec<PathBuf>> {
    let mut packages: SortedMap<String, Vec<PathBuf>> = SortedMap::new();
    for package in &workspace.packages {
        packages.entry(package.name.clone()).or_default().push(package.dir.clone());
    }
    packages
}

fn is_listed(sources: &BuildSources<'_>, key: &str) -> bool {
    ProjectPath::new(key).is_ok_and(|path| sources.files.contains_key(&path))
}

/// The files that differ from the manifest, but for those that only one of the two builds sees; `None` if
/// the files outside the project cannot be compared.
fn changes(
    (sources, workspace): (&BuildSources<'_>, &CargoWorkspace),
    roots: &ReadRoots,
    units: &[Unit],
    (manifest, otherwise): (&Manifest, &SortedSet<String>),
) -> Option<SortedSet<String>> {
    let mut changes = SortedSet::new();
    for (path, hash) in sources.files {
        let is_same = match manifest.files.get(path.as_str()) {
            Some(before) => *before == Some(*hash),
            // Ignored by git when the target was built, but read.
            None => manifest.extra.get(path.as_str()) == Some(&Some(*hash)),
        };
        if !is_same {
            changes.insert(path.as_str().to_owned());
        }
    }
    changes.extend(manifest.files.keys().filter(|path| !is_listed(sources, path)).cloned());
    let outside = roots.outside(workspace)?;
    for (key, before) in &manifest.extra {
        let now = match outside.get(key) {
            Some(now) => FileNow::Is(*now),
            None => now(sources, roots, key),
        };
        let is_same = match (before, now) {
            (Some(before), FileNow::Is(now)) => *before == now,
            // A folder that a build script declared (its content is listed or hashed elsewhere), or
            // a file that is missing as before.
            (None, FileNow::Absent) => true,
            _ => false,
        };
        if !is_same && !is_listed(sources, key) && !otherwise.contains(key) {
            changes.insert(key.clone());
        }
    }
    let beside = beside(sources, workspace).filter(|key| !manifest.extra.contains_key(*key));
    changes.extend(beside.map(str::to_owned));
    changes.extend(outside.keys().filter(|key| !manifest.extra.contains_key(*key)).cloned());
    // A file that a unit read and the manifest does not have cannot be compared.
    let is_known =
        |key: &String| manifest.files.contains_key(key) || manifest.extra.contains_key(key);
    let read = units.iter().flat_map(Unit::files);
    changes.extend(read.filter(|key| !is_known(key)).cloned());
    Some(changes)
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

    /// `otherwise` are files that did not change and that only one of the two builds sees.
    fn of(mut self, changes: &SortedSet<String>, otherwise: &SortedSet<String>) -> Vec<Unit> {
        for key in changes {
            self.change(key);
        }
        for key in otherwise {
            self.read(key);
        }
        // A build script can read any file.
        if !otherwise.is_empty() {
            let runs = self.units.iter().enumerate();
            let runs = runs.filter(|(_, unit)| unit.kind == UnitKind::BuildScriptRun);
            self.hit.extend(runs.map(|(idx, _)| idx));
        }
        let unknown =
            self.units.iter().enumerate().filter(|(_, unit)| unit.read == UnitInputs::Unknown);
        self.hit.extend(unknown.map(|(idx, _)| idx));
        self.spread();
        self.hit.iter().map(|idx| self.units[*idx].clone()).collect()
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

    /// Counts the units that report the file as read.
    fn read(&mut self, key: &str) {
        let reads = |unit: &Unit| match (&unit.read, unit.kind) {
            // What is read is not known: see `of`; or it is the package's own, decided by name.
            (UnitInputs::Unknown | UnitInputs::Package, _) => false,
            (UnitInputs::Files(read), UnitKind::BuildScriptRun) => {
                read.iter().any(|it| covers(it, key))
            }
            (UnitInputs::Files(read), _) => read.iter().any(|it| it == key),
        };
        let units = self.units.iter().enumerate();
        self.hit.extend(units.filter(|(_, unit)| reads(unit)).map(|(idx, _)| idx));
    }

    fn spread(&mut self) {
        loop {
            let before = (self.hit.len(), self.whole.len());
            // A library or a build script changes how other targets are built.
            let shared = self.hit.iter().map(|idx| &self.units[*idx]);
            let shared = shared.filter(|unit| unit.kind != UnitKind::Other);
            self.whole.extend(shared.map(|unit| unit.package.clone()));
            let names: Vec<String> = self.whole.iter().cloned().collect();
            self.whole.extend(self.workspace.with_dependents(&names));
            let units = self.units.iter().enumerate();
            let whole = units.filter(|(_, unit)| self.whole.contains(&unit.package));
            self.hit.extend(whole.map(|(idx, _)| idx));
            if before == (self.hit.len(), self.whole.len()) {
                return;
            }
        }
    }
}

/// Whether a declared path is the file or a folder above it.
fn covers(declared: &str, key: &str) -> bool {
    declared.is_empty() || Path::new(key).starts_with(declared)
}

#[cfg(test)]
mod tests;
