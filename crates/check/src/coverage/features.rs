//! The features of the members that a configuration enables, unified over the workspace as by cargo.

use base::{SortedMap, SortedSet};

use build::{CargoWorkspace, Manifest};

use super::names;
use crate::Scope;

/// Features by package.
pub(crate) type Active = SortedMap<String, SortedSet<String>>;

/// The features that are enabled when `scope` is built.
pub(crate) fn active(workspace: &CargoWorkspace, scope: &Scope) -> Active {
    let mut active = Active::new();
    let mut queue: Vec<(String, String)> = Vec::new();
    for manifest in workspace.manifests.iter().filter(|it| names(scope, &it.name)) {
        active.entry(manifest.name.clone()).or_default();
        if scope.all_features {
            queue.extend(manifest.features.keys().map(|it| (manifest.name.clone(), it.clone())));
        } else if !scope.no_default_features {
            queue.push((manifest.name.clone(), "default".to_owned()));
        }
        for feature in &scope.features {
            match feature.split_once('/') {
                Some((package, feature)) => queue.push((package.to_owned(), feature.to_owned())),
                None => queue.push((manifest.name.clone(), feature.clone())),
            }
        }
        // Features that a member enables in another one.
        for dependency in &manifest.dependencies {
            let asked = dependency.features.iter().cloned();
            let default = dependency.default_features.then(|| "default".to_owned());
            queue.extend(asked.chain(default).map(|it| (dependency.package.clone(), it)));
        }
    }
    while let Some((package, feature)) = queue.pop() {
        let Some(manifest) = workspace.manifests.iter().find(|it| it.name == package) else {
            continue;
        };
        let Some(enables) = manifest.features.get(&feature) else { continue };
        if active.entry(package.clone()).or_default().insert(feature) {
            queue.extend(enables.iter().filter_map(|it| enabled(manifest, it)));
            queue.extend(enables.iter().filter_map(|it| enabled_crate(manifest, it)));
        }
    }
    active
}

/// The package and feature that one entry of a feature list enables.
fn enabled(manifest: &Manifest, entry: &str) -> Option<(String, String)> {
    if entry.starts_with("dep:") {
        return None;
    }
    let Some((dependency, feature)) = entry.split_once('/') else {
        return Some((manifest.name.clone(), entry.to_owned()));
    };
    let dependency = dependency.trim_end_matches('?');
    let package = manifest
        .dependencies
        .iter()
        .find(|it| it.rename.as_deref() == Some(dependency) || it.package == dependency)
        .map_or(dependency, |it| it.package.as_str());
    Some((package.to_owned(), feature.to_owned()))
}

/// The feature of an optional dependency that `dependency/feature` enables with it, in the manifest's own
/// package; `dependency?/feature` enables no dependency.
fn enabled_crate(manifest: &Manifest, entry: &str) -> Option<(String, String)> {
    let (dependency, _) = entry.split_once('/')?;
    let is_feature = manifest.features.contains_key(dependency);
    let of = |it: &build::ManifestDependency| {
        it.optional && it.rename.as_deref().unwrap_or(&it.package) == dependency
    };
    let is_it = is_feature && manifest.dependencies.iter().any(of);
    is_it.then(|| (manifest.name.clone(), dependency.to_owned()))
}
