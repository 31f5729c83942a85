//! The entries of manifests for a package that the check does not build: those of features that are not
//! enabled, and of other platforms.

use base::SortedSet;

use build::{CargoWorkspace, Manifest, ManifestDependency, Resolved};

/// An entry of a manifest for the package.
pub(super) struct Entry<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) dependency: &'a ManifestDependency,
}

impl Entry<'_> {
    /// Name of the entry in the manifest.
    fn key(&self) -> &str {
        self.dependency.rename.as_deref().unwrap_or(&self.dependency.package)
    }
}

/// The entries for a package, given by its name or the one that an entry gives it.
pub(super) fn entries<'a>(known: &'a CargoWorkspace, package: &str) -> Vec<Entry<'a>> {
    let all = known.manifests.iter().flat_map(|manifest| {
        manifest.dependencies.iter().map(move |dependency| Entry { manifest, dependency })
    });
    let all: Vec<Entry<'_>> = all.collect();
    let name = all.iter().find(|it| it.dependency.package == package || it.key() == package);
    let Some(name) = name.map(|it| it.dependency.package.clone()) else { return Vec::new() };
    all.into_iter().filter(|it| it.dependency.package == name).collect()
}

/// Parts that the check does not build.
#[derive(Debug, Default)]
pub(super) struct Unbuilt {
    /// The features that enable it, as `package/feature`.
    pub(super) features: Vec<String>,
    /// The platforms that it is for.
    pub(super) platforms: Vec<String>,
}

impl Unbuilt {
    /// The entries that are not part of what is built.
    pub(super) fn of(entries: &[Entry<'_>], built: &Resolved) -> Self {
        let (mut features, mut platforms) = (SortedSet::new(), SortedSet::new());
        for entry in entries.iter().filter(|it| !is_built(it, built)) {
            if entry.dependency.optional {
                let enabling = enabling(entry);
                features.extend(enabling.iter().map(|it| format!("{}/{it}", entry.manifest.name)));
            }
            // With the feature it may be built here.
            platforms.extend(entry.dependency.target.clone());
        }
        Self {
            features: features.into_iter().collect(),
            platforms: platforms.into_iter().collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.features.is_empty() && self.platforms.is_empty()
    }
}

/// Whether the member that has the entry is built with the package.
fn is_built(entry: &Entry<'_>, built: &Resolved) -> bool {
    let mut member = built.packages.iter().filter(|it| it.is_member);
    let member = member.find(|it| it.name == entry.manifest.name);
    let mut packages = member
        .into_iter()
        .flat_map(|it| &it.dependencies)
        .filter_map(|(name, idx)| Some((name, built.packages.get(*idx)?)));
    let key = entry.key().replace('-', "_");
    let is_renamed = entry.dependency.rename.is_some();
    packages.any(|(name, it)| {
        it.name == entry.dependency.package && (!is_renamed || name.replace('-', "_") == key)
    })
}

/// The features of the package that enable an optional dependency, directly or by others.
fn enabling(entry: &Entry<'_>) -> SortedSet<String> {
    let key = entry.key();
    let features = &entry.manifest.features;
    let of_key = [format!("dep:{key}"), key.to_owned()];
    let mut found: SortedSet<String> = SortedSet::new();
    loop {
        let before = found.len();
        for (name, enabled) in features {
            let enables = enabled.iter().any(|it| {
                of_key.contains(it)
                    || found.contains(it)
                    || it.split_once('/').is_some_and(|(of, _)| of == key)
            });
            if enables {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(features: &[(&str, &[&str])], dependency: ManifestDependency) -> Manifest {
        let list = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect();
        Manifest {
            name: "p".to_owned(),
            features: features.iter().map(|(name, on)| ((*name).to_owned(), list(on))).collect(),
            dependencies: vec![dependency],
            ..Manifest::default()
        }
    }

    #[test]
    fn the_features_that_enable_an_optional_dependency_are_found() {
        let dependency = ManifestDependency {
            package: "left".to_owned(),
            rename: Some("other".to_owned()),
            optional: true,
            ..ManifestDependency::default()
        };
        let manifest = manifest(
            &[
                ("a", &["dep:other"]),
                ("b", &["a", "right"]),
                ("c", &["right/std"]),
                ("d", &["other/std"]),
                ("e", &["other?/std"]),
            ],
            dependency,
        );
        let workspace = CargoWorkspace { manifests: vec![manifest], ..CargoWorkspace::default() };
        let of = |package: &str| {
            let entries = entries(&workspace, package);
            Unbuilt::of(&entries, &Resolved::default()).features
        };
        assert_eq!(of("left"), ["p/a", "p/b", "p/d"]);
        assert_eq!(of("other"), of("left"));
        assert!(of("right").is_empty());
    }
}
