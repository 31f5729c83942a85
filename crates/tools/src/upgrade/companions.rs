//! Other dependencies that are raised with a package, since they show its types to their users.

use std::path::Path;
use std::sync::Arc;

use base::{SortedSet, has_word};
use build::Resolved;
use edit::{Files as _, Overlay};

use super::newest::SupportedRust;
use super::{Begin, direct, sources};
use crate::Error;

/// Most other dependencies that are raised with the package.
const MAX_COMPANIONS: usize = 4;
/// Most versions of each that are tried, newest first.
const COMPANION_VERSIONS: usize = 3;

impl Begin<'_> {
    /// Raises other dependencies that show a package in the version of before, by re-exports and
    /// implementations: those types and traits are not those of the new version.
    pub(super) fn companions(
        &mut self,
        old: &Resolved,
        found: &mut (Overlay, Resolved),
        rust: &SupportedRust,
    ) -> Result<(), Error> {
        let registry = self.workspace.cargo_home().join("registry/src");
        let shared = replaced(old, &found.1, self.package);
        let mut names = re_exporters(&registry, &found.1, self.package, &shared);
        if !names.is_empty() {
            let texts = self.sources_with(self.package)?;
            names.retain(|name| texts.iter().any(|it| has_word(it, &crate_name(name))));
        }
        for name in names.into_iter().take(MAX_COMPANIONS) {
            let Some(now) = direct(&found.1, &name).map(|it| it.version.clone()) else { continue };
            match self.companion((&name, &now), &shared, rust)? {
                Some(raised) => *found = raised,
                None => drop(self.wanted.remove(&name)),
            }
        }
        Ok(())
    }

    /// The Rust sources that name the crate of a package: only there its types meet those of another one.
    fn sources_with(&self, package: &str) -> Result<Vec<Arc<str>>, Error> {
        let project = self.workspace.project();
        let mut found = Vec::new();
        for path in project.snapshot(self.ctx)?.files.keys() {
            if path.extension() != Some("rs") {
                continue;
            }
            let text = project.read(path).ok().flatten().map(|it| it.text);
            found.extend(text.filter(|it| has_word(it, &crate_name(package))));
        }
        Ok(found)
    }

    /// One of them in a version that shares the package's new dependencies; `None` without one.
    fn companion(
        &mut self,
        (name, now): (&str, &str),
        shared: &SortedSet<(String, String)>,
        rust: &SupportedRust,
    ) -> Result<Option<(Overlay, Resolved)>, Error> {
        let registry = self.workspace.cargo_home().join("registry/src");
        let mut requirement = format!(">{now}");
        for _ in 0..COMPANION_VERSIONS {
            self.wanted.insert(name.to_owned(), requirement);
            let Ok((_, next)) = self.resolve() else { break };
            let Some(package) = direct(&next, name) else { break };
            let version = package.version.clone();
            if let Some(needs) = self.needs_newer((package, &version), rust) {
                let note = format!("`{name}` {version} needs Rust {needs}: {}", rust.reason);
                self.notes.push(note);
                requirement = format!(">{now}, <{version}");
                continue;
            }
            let is_old =
                re_exporters(&registry, &next, self.package, shared).iter().any(|it| it == name);
            if is_old || !shares(&next, name, self.package) {
                requirement = format!(">{now}, <{version}");
                continue;
            }
            self.wanted.insert(name.to_owned(), version.clone());
            let package = self.package;
            self.notes
                .push(format!("`{name}` {now} -> {version}, since it shows what `{package}` uses"));
            return Ok(Some((self.manifests()?, next)));
        }
        Ok(None)
    }
}

/// Name of the crate of a package, as code has it.
fn crate_name(package: &str) -> String {
    package.replace('-', "_")
}

/// The packages below a package, by index, with it.
fn closure(resolved: &Resolved, root: usize) -> SortedSet<usize> {
    let mut found = SortedSet::new();
    let mut queue = vec![root];
    while let Some(idx) = queue.pop() {
        if let Some(package) = resolved.packages.get(idx).filter(|_| found.insert(idx)) {
            queue.extend(package.dependencies.iter().map(|it| it.1));
        }
    }
    found
}

/// The releases that a direct dependency consists of.
fn releases(resolved: &Resolved, package: &str) -> SortedSet<(String, String)> {
    let position = direct(resolved, package)
        .and_then(|found| resolved.packages.iter().position(|it| std::ptr::eq(it, found)));
    let all = position.map(|idx| closure(resolved, idx)).unwrap_or_default();
    let all = all.into_iter().filter_map(|idx| resolved.packages.get(idx));
    all.map(|it| (it.name.clone(), it.version.clone())).collect()
}

/// The releases that are in the package before and in another version after.
fn replaced(old: &Resolved, new: &Resolved, package: &str) -> SortedSet<(String, String)> {
    let (before, after) = (releases(old, package), releases(new, package));
    let is_after = |name: &str| after.iter().any(|it| it.0 == name);
    before.difference(&after).filter(|it| is_after(&it.0)).cloned().collect()
}

/// Whether two direct dependencies have a release in common.
fn shares(resolved: &Resolved, a: &str, b: &str) -> bool {
    !releases(resolved, a).is_disjoint(&releases(resolved, b))
}

/// The direct dependencies that show one of these releases to their users.
fn re_exporters(
    registry: &Path,
    resolved: &Resolved,
    package: &str,
    shared: &SortedSet<(String, String)>,
) -> Vec<String> {
    let members = resolved.packages.iter().filter(|it| it.is_member);
    let direct =
        members.flat_map(|it| &it.dependencies).filter_map(|it| resolved.packages.get(it.1));
    let mut found = SortedSet::new();
    for it in direct.filter(|it| it.is_registry && it.name != package) {
        let names: Vec<&str> = it
            .dependencies
            .iter()
            .filter(|(_, idx)| {
                resolved
                    .packages
                    .get(*idx)
                    .is_some_and(|it| shared.contains(&(it.name.clone(), it.version.clone())))
            })
            .map(|it| it.0.as_str())
            .collect();
        if !names.is_empty() && sources::shows_one(registry, it, &names) {
            found.insert(it.name.clone());
        }
    }
    found.into_iter().collect()
}
