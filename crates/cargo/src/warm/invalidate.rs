//! Computes which units a difference between the tree and the manifest can affect.
//!
//! A difference reaches a unit in one of three ways: the unit read the file; the file belongs to
//! its package and is not a Rust source that a unit is known to have read (a new file can shadow a
//! module, a macro can read a data file without declaring it); or a dependency of the unit is rebuilt.
//! A file that belongs to no package affects all units. For build scripts only their declared inputs
//! count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::{ContentHash, ProjectPath};
use beneath::{Dir, Fault};

use super::BuildSources;
use super::manifest::Manifest;
use super::read_roots::{FileNow, ReadRoots};
use super::units::{Scan, Unit, UnitInputs, UnitKind};
use crate::Workspace;

/// How one file differs from the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Modified,
    /// Added or removed.
    Presence,
}

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
    let Some(changes) = changes(sources, workspace, &roots, &units, manifest) else {
        return Plan::Everything;
    };
    Plan::Units(AffectedUnits::new(sources.root, workspace, &units).of(&changes))
}

fn scan(target: &TargetDir, roots: &ReadRoots, workspace: &Workspace) -> Option<Vec<Unit>> {
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
) -> BTreeMap<String, Option<ContentHash>> {
    let mut extra = BTreeMap::new();
    let Some(workspace) = sources.workspace else { return extra };
    let Some(roots) = ReadRoots::open(sources.root, workspace) else { return extra };
    let outside = roots.outside(workspace).unwrap_or_default();
    extra.extend(outside.into_iter().map(|(key, hash)| (key, Some(hash))));
    let units = scan(target, &roots, workspace).unwrap_or_default();
    for key in units.iter().flat_map(Unit::files) {
        if !is_listed(sources, key) && !extra.contains_key(key) {
            match roots.now(key) {
                FileNow::Is(hash) => extra.insert(key.clone(), Some(hash)),
                // For a declared folder its files count; those of the project are listed anyway.
                FileNow::Absent => extra.insert(key.clone(), None),
                FileNow::Unknown => None,
            };
        }
    }
    extra
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

fn packages(workspace: &Workspace) -> BTreeMap<String, Vec<PathBuf>> {
    let mut packages: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for package in &workspace.packages {
        packages.entry(package.name.clone()).or_default().push(package.dir.clone());
    }
    packages
}

fn is_listed(sources: &BuildSources<'_>, key: &str) -> bool {
    ProjectPath::new(key).is_ok_and(|path| sources.files.contains_key(&path))
}

/// The differences from the manifest; `None` if the files outside the project cannot be compared.
fn changes(
    sources: &BuildSources<'_>,
    workspace: &Workspace,
    roots: &ReadRoots,
    units: &[Unit],
    manifest: &Manifest,
) -> Option<BTreeMap<String, Change>> {
    let mut changes = BTreeMap::new();
    for (path, hash) in sources.files {
        match manifest.files.get(path.as_str()) {
            Some(Some(before)) if before == hash => {}
            Some(_) => {
                changes.insert(path.as_str().to_owned(), Change::Modified);
            }
            // Ignored by git when the target was built, but read.
            None if manifest.extra.get(path.as_str()) == Some(&Some(*hash)) => {}
            None => {
                changes.insert(path.as_str().to_owned(), Change::Presence);
            }
        }
    }
    for path in manifest.files.keys() {
        if !is_listed(sources, path) {
            changes.insert(path.clone(), Change::Presence);
        }
    }
    let outside = roots.outside(workspace)?;
    for (key, before) in &manifest.extra {
        if is_listed(sources, key) {
            continue;
        }
        let now = match outside.get(key) {
            Some(now) => FileNow::Is(*now),
            None => roots.now(key),
        };
        match (before, now) {
            (Some(before), FileNow::Is(now)) if *before == now => {}
            (Some(_), FileNow::Is(_)) | (_, FileNow::Unknown) => {
                changes.insert(key.clone(), Change::Modified);
            }
            // A folder that a build script declared (its content is listed or hashed elsewhere), or
            // a file that is missing as before.
            (None, FileNow::Absent) => {}
            _ => {
                changes.insert(key.clone(), Change::Presence);
            }
        }
    }
    for key in outside.keys().filter(|key| !manifest.extra.contains_key(*key)) {
        changes.insert(key.clone(), Change::Presence);
    }
    // A file that a unit read and the manifest does not have cannot be compared.
    for key in units.iter().flat_map(Unit::files) {
        if !manifest.files.contains_key(key) && !manifest.extra.contains_key(key) {
            changes.entry(key.clone()).or_insert(Change::Modified);
        }
    }
    Some(changes)
}

/// Propagates changes to units.
struct AffectedUnits<'a> {
    root: &'a Path,
    workspace: &'a Workspace,
    units: &'a [Unit],
    /// Indices into `units`.
    hit: BTreeSet<usize>,
    /// Packages of which all targets are affected (build scripts have rules of their own).
    whole: BTreeSet<&'a str>,
}

impl<'a> AffectedUnits<'a> {
    fn new(root: &'a Path, workspace: &'a Workspace, units: &'a [Unit]) -> Self {
        Self { root, workspace, units, hit: BTreeSet::new(), whole: BTreeSet::new() }
    }

    fn of(mut self, changes: &BTreeMap<String, Change>) -> Vec<Unit> {
        for (key, change) in changes {
            self.change(key, *change);
        }
        let unknown =
            self.units.iter().enumerate().filter(|(_, unit)| unit.read == UnitInputs::Unknown);
        self.hit.extend(unknown.map(|(idx, _)| idx));
        self.spread();
        self.hit.iter().map(|idx| self.units[*idx].clone()).collect()
    }

    fn change(&mut self, key: &str, change: Change) {
        let is_source = key.ends_with(".rs");
        let path = self.root.join(key);
        let owner = self.workspace.owner(&path).map(|package| package.name.as_str());
        let mut known = false;
        for (idx, unit) in self.units.iter().enumerate() {
            let owned = owner.is_none_or(|owner| owner == unit.package);
            let hit = match (&unit.read, unit.kind) {
                (UnitInputs::Unknown, _) => true,
                (UnitInputs::Package, _) => owned,
                (UnitInputs::Files(read), UnitKind::BuildScriptRun) => {
                    read.iter().any(|it| covers(it, key))
                }
                (UnitInputs::Files(read), _) => {
                    let read = read.iter().any(|it| it == key);
                    known |= read;
                    // A build script is a separate crate: a file added or removed beside it can
                    // shadow one of its modules.
                    let presence = change == Change::Presence && is_source && owned;
                    read || (unit.kind == UnitKind::BuildScript && presence)
                }
            };
            if hit {
                self.hit.insert(idx);
            }
        }
        if is_source && change == Change::Modified && known {
            return;
        }
        match owner {
            Some(owner) => {
                self.whole.insert(owner);
            }
            None => {
                self.whole.extend(self.workspace.packages.iter().map(|it| it.name.as_str()));
                self.hit.extend(0..self.units.len());
            }
        }
    }

    fn spread(&mut self) {
        loop {
            let before = (self.hit.len(), self.whole.len());
            for (idx, unit) in self.units.iter().enumerate() {
                if !self.hit.contains(&idx) {
                    continue;
                }
                match unit.kind {
                    // The output of a build script changes how the whole package is built.
                    UnitKind::Lib | UnitKind::BuildScriptRun => self.mark_whole(&unit.package),
                    UnitKind::BuildScript => {
                        let runs = self.indices(&unit.package, |it| it == UnitKind::BuildScriptRun);
                        self.hit.extend(runs);
                    }
                    UnitKind::Other => {}
                }
            }
            for package in self.whole.clone() {
                let targets =
                    self.indices(package, |kind| matches!(kind, UnitKind::Lib | UnitKind::Other));
                self.hit.extend(targets);
                self.dependents(package);
            }
            if before == (self.hit.len(), self.whole.len()) {
                return;
            }
        }
    }

    /// Marks the dependents of a rebuilt package.
    fn dependents(&mut self, package: &str) {
        for other in &self.workspace.packages {
            if other.depends_on.iter().any(|name| name == package) {
                self.whole.insert(&other.name);
            }
            if other.build_depends_on.iter().any(|name| name == package) {
                let scripts = self.indices(&other.name, |kind| kind == UnitKind::BuildScript);
                self.hit.extend(scripts);
            }
        }
        // A build script can pass values to the build scripts of dependents (`links`).
        let rerun = self.units.iter().enumerate().any(|(idx, unit)| {
            unit.package == package
                && unit.kind == UnitKind::BuildScriptRun
                && self.hit.contains(&idx)
        });
        if rerun {
            let dependents: Vec<&str> = self
                .workspace
                .packages
                .iter()
                .filter(|other| other.depends_on.iter().any(|name| name == package))
                .map(|other| other.name.as_str())
                .collect();
            for name in dependents {
                let runs = self.indices(name, |kind| kind == UnitKind::BuildScriptRun);
                self.hit.extend(runs);
            }
        }
    }

    fn mark_whole(&mut self, name: &str) {
        if let Some(package) = self.workspace.packages.iter().find(|it| it.name == name) {
            self.whole.insert(&package.name);
        }
    }

    fn indices(&self, package: &str, wanted: impl Fn(UnitKind) -> bool) -> Vec<usize> {
        let units = self.units.iter().enumerate();
        units
            .filter(|(_, unit)| unit.package == package && wanted(unit.kind))
            .map(|(idx, _)| idx)
            .collect()
    }
}

/// Whether a declared path is the file or a folder above it.
fn covers(declared: &str, key: &str) -> bool {
    declared.is_empty() || Path::new(key).starts_with(declared)
}

#[cfg(test)]
mod tests;
