//! Decides which cargo features are enabled.
//!
//! The map shows the code as its authors build it. For each package these features are enabled:
//! - `default`;
//! - those that other members request, and those that its own targets require (`required-features`
//!   of its tests and examples);
//! - all of them if `default` enables nothing (a library whose users choose, like tokio): it is
//!   better to show such an item than to omit it. Those that take something away (`no_std`) stay off.
//!
//! Optional dependencies can be named whatever is enabled: importing one is not an error.

use std::path::{Path, PathBuf};

use base::{SortedMap, SortedSet};
use build::{Manifest, Manifests};

/// The enabled features, by the directory of the package.
pub(crate) fn enabled(manifests: &Manifests) -> SortedMap<PathBuf, SortedSet<String>> {
    of(manifests, true)
}

/// The features that cargo itself enables by default.
pub(crate) fn defaults(manifests: &Manifests) -> SortedMap<PathBuf, SortedSet<String>> {
    of(manifests, false)
}

/// `is_generous`: include those that only this module enables.
fn of(manifests: &Manifests, is_generous: bool) -> SortedMap<PathBuf, SortedSet<String>> {
    let mut enabled: SortedMap<PathBuf, SortedSet<String>> = SortedMap::new();
    let mut queue: Vec<(&Path, String)> = Vec::new();
    let by_dir: SortedMap<&Path, &Manifest> =
        manifests.packages.iter().map(|package| (package.dir.as_path(), package)).collect();
    for package in &manifests.packages {
        let dir = package.dir.as_path();
        queue.push((dir, "default".to_owned()));
        if is_generous && package.features.get("default").is_none_or(Vec::is_empty) {
            let adding = package.features.keys().filter(|feature| !is_negative(feature));
            queue.extend(adding.map(|feature| (dir, feature.clone())));
        }
        for target in package.targets.iter().filter(|_| is_generous) {
            queue.extend(target.required_features.iter().map(|feature| (dir, feature.clone())));
        }
        for dependency in &package.dependencies {
            let Some((to, _)) = dependency.path.as_deref().and_then(|it| by_dir.get_key_value(it))
            else {
                continue;
            };
            queue.extend(dependency.features.iter().map(|feature| (*to, feature.clone())));
        }
    }
    while let Some((dir, feature)) = queue.pop() {
        let Some(package) = by_dir.get(dir) else { continue };
        // `dependency/feature`, `dependency?/feature`.
        if let Some((name, feature)) = feature.split_once('/') {
            let name = name.trim_end_matches('?');
            let to = package
                .dependencies
                .iter()
                .find(|it| it.rename.as_deref().unwrap_or(&it.package) == name);
            if let Some((to, _)) =
                to.and_then(|it| it.path.as_deref()).and_then(|it| by_dir.get_key_value(it))
            {
                queue.push((to, feature.to_owned()));
            }
            continue;
        }
        let Some(on) = package.features.get(&feature) else { continue };
        if enabled.entry(dir.to_owned()).or_default().insert(feature) {
            queue.extend(on.iter().map(|feature| (dir, feature.clone())));
        }
    }
    enabled
}

/// Whether a feature takes something away, by the convention for its name.
fn is_negative(feature: &str) -> bool {
    ["no-", "no_", "disable-", "disable_"].iter().any(|it| feature.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, features: &[(&str, &[&str])]) -> Manifest {
        let features = features
            .iter()
            .map(|(name, on)| ((*name).to_owned(), on.iter().map(|it| (*it).to_owned()).collect()));
        Manifest {
            name: name.to_owned(),
            dir: PathBuf::from(format!("/{name}")),
            features: features.collect(),
            ..Manifest::default()
        }
    }

    fn on(manifests: &Manifests, name: &str) -> Vec<String> {
        let all = enabled(manifests).remove(Path::new(&format!("/{name}"))).unwrap_or_default();
        all.into_iter().collect()
    }

    #[test]
    fn default_features_are_on_and_others_off() {
        let a =
            package("a", &[("default", &["std"]), ("std", &["alloc"]), ("alloc", &[]), ("x", &[])]);
        let manifests = Manifests { packages: vec![a] };
        assert_eq!(on(&manifests, "a"), ["alloc", "default", "std"]);
    }

    #[test]
    fn all_features_are_on_if_the_default_is_empty() {
        let a = package("a", &[("default", &[]), ("full", &["net"]), ("net", &[])]);
        let manifests = Manifests { packages: vec![a] };
        assert_eq!(on(&manifests, "a"), ["default", "full", "net"]);
    }

    #[test]
    fn features_that_take_something_away_are_off() {
        let a = package("a", &[("no_alloc", &[]), ("no-std", &[]), ("node", &[])]);
        let manifests = Manifests { packages: vec![a] };
        assert_eq!(on(&manifests, "a"), ["node"]);
    }

    #[test]
    fn features_requested_by_other_members_are_on() {
        let a = package("a", &[("default", &["y"]), ("x", &[]), ("y", &[]), ("z", &[])]);
        let mut b = package("b", &[("default", &["a/x"])]);
        b.dependencies.push(build::ManifestDependency {
            package: "a".to_owned(),
            path: Some(PathBuf::from("/a")),
            ..Default::default()
        });
        let manifests = Manifests { packages: vec![a, b] };
        assert_eq!(on(&manifests, "a"), ["default", "x", "y"]);
    }
}
