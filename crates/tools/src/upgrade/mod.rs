//! Another version of a dependency: the change of manifests and lock file that an upgrade begins
//! with, and both versions' sources.

mod companions;
mod newest;
mod sources;
mod unbuilt;

use std::path::Path;
use std::time::Duration;

use base::{Ctx, ProjectPath, SortedMap, SortedSet, Timestamp};
use build::{DependencyResolution, Download, Reach, Resolved, ResolvedPackage};
use change::{Library, Requirement};
use edit::{FileState, Files, Overlay};
use project::Workspace;

use crate::Error;
use sources::{defines_one, release};
use unbuilt::{Entry, Unbuilt, entries};

/// Time limit of one resolution, downloads included.
const LIMIT: Duration = Duration::from_secs(10 * 60);
/// Longest message of cargo that is shown, in characters.
const MESSAGE: usize = 2_000;
/// Most features that are taken out of a requirement since the new version does not have them.
const MAX_GONE: usize = 8;
/// Author of the overlay.
const AUTHOR: &str = "graftage upgrade";

/// An upgrade in progress: nothing of it is written.
#[derive(Clone, Debug)]
pub struct Upgrade {
    /// Package name.
    pub package: String,
    /// The version before.
    pub from: String,
    /// The version that cargo chose.
    pub to: String,
    /// The change of manifests and `Cargo.lock`.
    pub overlay: Overlay,
    /// The dependencies that have another version by it.
    pub libraries: Vec<Library>,
    /// What the user should know, one line each.
    pub notes: Vec<String>,
    /// The features, as `package/feature`, that enable it where the check does not build it.
    pub features: Vec<String>,
    /// The platforms that it is for, as in a manifest, where the check does not build it.
    pub platforms: Vec<String>,
}

/// Begins the upgrade of a dependency of the workspace to `version` (as in a manifest; `None`: the
/// newest). Versions are chosen by cargo; it may download them.
///
/// # Errors
/// When no manifest names the package as a dependency from a registry, or cargo finds no version.
pub fn upgrade(
    ctx: &Ctx,
    workspace: &Workspace,
    package: &str,
    version: Option<&str>,
) -> Result<Upgrade, Error> {
    let prover = workspace.prover(ctx)?;
    let Some(known) = prover.workspace(ctx)? else {
        let reason = "cargo cannot read the manifests: see `cargo metadata`".to_owned();
        return Err(Error::Upgrade { package: package.to_owned(), reason });
    };
    let entries: Vec<Entry<'_>> = entries(&known, package);
    let Some(name) = entries.iter().map(|it| &it.dependency.package).min().cloned() else {
        let all = known.manifests.iter().flat_map(|it| &it.dependencies);
        let names: SortedSet<&str> = all.map(|it| it.package.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let package = package.to_owned();
        return Err(Error::NoDependency { package, known: names.join(", ") });
    };
    let refused = |reason: String| Error::Upgrade { package: name.clone(), reason };
    let present = |reach: Reach| match prover.resolve(
        ctx,
        &Overlay::empty(),
        (Download::IfNeeded, reach),
        LIMIT,
    )? {
        DependencyResolution::Resolved(it) => Ok(it),
        DependencyResolution::Failed { reason } => {
            Err(refused(format!("the present versions: {}", short(&reason))))
        }
    };
    let built = present(Reach::Built)?;
    let unbuilt = Unbuilt::of(&entries, &built);
    let reach = if unbuilt.is_empty() { Reach::Built } else { Reach::All };
    let old = if reach == Reach::All { present(reach)? } else { built };
    let before = direct(&old, &name).ok_or_else(|| {
        refused("no manifest of the project has it from a registry: change its source".to_owned())
    })?;
    let mut begin = Begin {
        ctx,
        workspace,
        package: &name,
        wanted: SortedMap::new(),
        notes: Vec::new(),
        gone: Vec::new(),
        reach,
    };
    let rust = newest::supported_rust(prover, &entries);
    let mut found = match version {
        Some(version) => begin.with(version)?,
        None => begin.newest(&old, &rust)?,
    };
    let to = direct(&found.1, &name).map(|it| it.version.clone()).unwrap_or_default();
    let members = old.packages.iter().filter(|it| it.is_member);
    let all = members.flat_map(|it| &it.dependencies).filter_map(|it| old.packages.get(it.1));
    let mut own = all.filter(|it| it.name == name && it.is_registry);
    if own.all(|it| it.version == to) {
        return Err(refused(match version {
            Some(_) => format!("{to} is the version that is used already"),
            None => begin.present(&to),
        }));
    }
    begin.companions(&old, &mut found, &rust)?;
    if version.is_none() {
        begin.wanted.insert(name.clone(), to.clone());
        found.0 = begin.manifests()?;
    }
    let (manifests, new) = found;
    let overlay = begin.with_lock(manifests, &new)?;
    Ok(Upgrade {
        from: before.version.clone(),
        to,
        overlay,
        libraries: libraries(workspace, &old, &new),
        notes: begin.notes,
        features: unbuilt.features,
        platforms: unbuilt.platforms,
        package: name.clone(),
    })
}

/// The dependencies that have another version than in the tree that `base` leads back to, and those that
/// may have one of the `missed` names behind a feature; empty if no manifest and no lock file differs and
/// nothing is missed, or one of the trees cannot be resolved.
///
/// # Errors
/// When the trees cannot be shown, or cargo cannot be run.
pub fn changed_libraries(
    ctx: &Ctx,
    workspace: &Workspace,
    base: &Overlay,
    missed: &SortedSet<String>,
) -> Result<Vec<Library>, Error> {
    let is_manifest = |it: &ProjectPath| matches!(it.file_name(), "Cargo.toml" | "Cargo.lock");
    let states = base.changes().filter(|(path, _)| is_manifest(path));
    let states: Vec<_> =
        states.map(|(path, it)| (path.clone(), it.before.clone(), it.after.clone())).collect();
    let mut trees = Vec::new();
    if !states.is_empty() {
        trees.push(Overlay::from_states(AUTHOR, Timestamp(0), states));
    }
    if !trees.is_empty() || !missed.is_empty() {
        trees.push(Overlay::empty());
    }
    if trees.is_empty() {
        return Ok(Vec::new());
    }
    let prover = workspace.prover(ctx)?;
    let mut both = Vec::new();
    for overlay in &trees {
        match prover.resolve(ctx, overlay, (Download::IfNeeded, Reach::Built), LIMIT)? {
            DependencyResolution::Resolved(it) => both.push(it),
            DependencyResolution::Failed { .. } => return Ok(Vec::new()),
        }
    }
    let mut found = match both.as_slice() {
        [old, new] => libraries(workspace, old, new),
        _ => Vec::new(),
    };
    if let Some(now) = both.last() {
        for it in gated(workspace, now, missed) {
            if found.iter().all(|known| known.package != it.package) {
                found.push(it);
            }
        }
    }
    Ok(found)
}

/// The direct dependencies of the members that define one of these names and have features that are off,
/// each as it is.
fn gated(workspace: &Workspace, now: &Resolved, missed: &SortedSet<String>) -> Vec<Library> {
    if missed.is_empty() {
        return Vec::new();
    }
    let registry = workspace.cargo_home().join("registry/src");
    let members = now.packages.iter().filter(|it| it.is_member);
    let mut seen: SortedSet<usize> = SortedSet::new();
    let mut found = Vec::new();
    for (name, idx) in members.flat_map(|it| &it.dependencies) {
        let Some(package) = now.packages.get(*idx).filter(|it| it.is_registry) else { continue };
        let has_more = package.features.keys().any(|it| !package.enabled.contains(it));
        if !has_more || !seen.insert(*idx) {
            continue;
        }
        let release = release(&registry, now, package);
        if let Some(it) = release.filter(|it| defines_one(it, missed)) {
            found.push(Library::new(name.clone(), package.name.clone(), it.clone(), it));
        }
    }
    found
}

/// The direct dependencies of the members that have another version.
fn libraries(workspace: &Workspace, old: &Resolved, new: &Resolved) -> Vec<Library> {
    let registry = workspace.cargo_home().join("registry/src");
    let mut seen: SortedSet<(String, String, String)> = SortedSet::new();
    let mut found = Vec::new();
    for member in old.packages.iter().filter(|it| it.is_member) {
        let Some(now) = new.packages.iter().find(|it| it.is_member && it.name == member.name)
        else {
            continue;
        };
        for (name, idx) in &member.dependencies {
            let Some(before) = old.packages.get(*idx).filter(|it| it.is_registry) else { continue };
            let same = now.dependencies.iter().filter(|it| it.0 == *name);
            let mut same = same.filter_map(|it| new.packages.get(it.1));
            let Some(after) = same.find(|it| it.is_registry && it.name == before.name) else {
                continue;
            };
            let key = (name.clone(), before.version.clone(), after.version.clone());
            if before.version == after.version || !seen.insert(key) {
                continue;
            }
            let (Some(a), Some(b)) =
                (release(&registry, old, before), release(&registry, new, after))
            else {
                continue;
            };
            found.push(Library::new(name.clone(), before.name.clone(), a, b));
        }
    }
    found
}

/// The package as a direct dependency of a member.
fn direct<'a>(resolved: &'a Resolved, package: &str) -> Option<&'a ResolvedPackage> {
    let members = resolved.packages.iter().filter(|it| it.is_member);
    let mut all =
        members.flat_map(|it| &it.dependencies).filter_map(|it| resolved.packages.get(it.1));
    all.find(|it| it.name == package && it.is_registry)
}

/// A message of cargo, bounded.
fn short(reason: &str) -> String {
    reason.chars().take(MESSAGE).collect()
}

/// The begin of one upgrade.
struct Begin<'a> {
    ctx: &'a Ctx,
    workspace: &'a Workspace,
    package: &'a str,
    /// The required versions, by package.
    wanted: SortedMap<String, String>,
    notes: Vec<String>,
    /// Features that the new version does not have.
    gone: Vec<String>,
    reach: Reach,
}

impl Begin<'_> {
    fn refused(&self, reason: String) -> Error {
        Error::Upgrade { package: self.package.to_owned(), reason }
    }

    /// The manifests that name the package, with the required versions, and what cargo chooses.
    fn resolve(&mut self) -> Result<(Overlay, Resolved), Error> {
        let prover = self.workspace.prover(self.ctx)?;
        loop {
            let manifests = self.manifests()?;
            let reason =
                match prover.resolve(self.ctx, &manifests, (Download::First, self.reach), LIMIT)? {
                    DependencyResolution::Resolved(it) => return Ok((manifests, it)),
                    DependencyResolution::Failed { reason } => reason,
                };
            let gone = missing_feature(&reason, self.package);
            match gone.filter(|it| self.gone.len() < MAX_GONE && !self.gone.contains(it)) {
                Some(feature) => {
                    self.notes.push(format!(
                        "the feature `{feature}` of `{}` is gone: it is taken out of the manifest",
                        self.package
                    ));
                    self.gone.push(feature);
                }
                None => return Err(self.refused(short(&reason))),
            }
        }
    }

    fn manifests(&self) -> Result<Overlay, Error> {
        let project = self.workspace.project();
        let mut states = Vec::new();
        let mut is_elsewhere = false;
        for path in project.snapshot(self.ctx)?.files.keys() {
            if path.file_name() != "Cargo.toml" {
                continue;
            }
            let Ok(Some(before)) = project.read(path) else { continue };
            let mut after = before.text.to_string();
            for (package, requirement) in &self.wanted {
                match change::with_requirement(&after, package, requirement) {
                    Requirement::Changed(text) => after = text,
                    Requirement::NotRegistry => is_elsewhere |= package == self.package,
                    Requirement::Absent | Requirement::Invalid(_) => {}
                }
            }
            for feature in &self.gone {
                after = change::without_feature(&after, self.package, feature).unwrap_or(after);
            }
            if *after != *before.text {
                let after = FileState { text: after.into(), executable: before.executable };
                states.push((path.clone(), Some(before), Some(after)));
            }
        }
        match (states.is_empty(), is_elsewhere) {
            (true, true) => {
                Err(self.refused("it is a path or git dependency: change its source".to_owned()))
            }
            (true, false) => {
                Err(self.refused("no manifest of the project names its version".to_owned()))
            }
            _ => Ok(Overlay::from_states(AUTHOR, Timestamp(0), states)),
        }
    }

    /// The same with the lock file, if the project has one.
    fn with_lock(&self, manifests: Overlay, new: &Resolved) -> Result<Overlay, Error> {
        let path = ProjectPath::new("Cargo.lock").ok();
        let (Some(path), Some(lock)) = (path, &new.lock) else { return Ok(manifests) };
        let Ok(Some(before)) = self.workspace.project().read(&path) else { return Ok(manifests) };
        let after = FileState { text: lock.as_str().into(), executable: before.executable };
        let lock =
            Overlay::from_states(AUTHOR, Timestamp(0), vec![(path, Some(before), Some(after))]);
        Ok(manifests.compose(&lock)?)
    }
}

/// The feature that cargo misses in the new version.
fn missing_feature(reason: &str, package: &str) -> Option<String> {
    let text = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = text.find(&format!("depends on `{package}` with feature `"))?;
    let rest = text.get(at..)?.split('`').nth(3)?;
    text.contains("does not have that feature").then(|| rest.to_owned())
}

/// Whether `dir` is the folder of a package in the registry.
fn is_in(registry: &Path, dir: &Path) -> bool {
    dir.parent().and_then(Path::parent) == Some(registry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_feature_is_read_from_the_message_of_cargo() {
        let text = "failed to select a version for `left`.\n package `p` depends on `left` with \
                    feature `old` but `left` does not have that feature.\n";
        assert_eq!(missing_feature(text, "left"), Some("old".to_owned()));
        assert_eq!(missing_feature(text, "right"), None);
        assert_eq!(missing_feature("no matching package", "left"), None);
    }
}
