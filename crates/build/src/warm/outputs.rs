//! Packages whose output in the target directory a unit may read and still be fresh: cargo builds a unit again after those
//! of the packages that its own depends on, and after no others.

use std::cell::RefCell;
use std::path::{Component, Path};

use base::{SortedMap, SortedSet};

use crate::CargoWorkspace;

/// The packages of the units in a target directory.
pub(super) struct Outputs<'a> {
    workspace: &'a CargoWorkspace,
    /// Names of the toolchain's own libraries, for which a loader looks here first.
    libraries: &'a SortedSet<String>,
    /// Names of packages by cargo's hash.
    packages: SortedMap<String, String>,
    /// Local packages with all that depend on them.
    dependents: RefCell<SortedMap<String, SortedSet<String>>>,
}

impl<'a> Outputs<'a> {
    /// `units` are the names of fingerprint folders: `serde-0123456789abcdef`.
    pub(super) fn new<'u>(
        workspace: &'a CargoWorkspace,
        libraries: &'a SortedSet<String>,
        units: impl Iterator<Item = &'u str>,
    ) -> Self {
        let split = |name: &str| {
            let (package, hash) = name.rsplit_once('-')?;
            Some((hash.to_owned(), package.to_owned()))
        };
        Self {
            workspace,
            libraries,
            packages: units.filter_map(split).collect(),
            dependents: RefCell::default(),
        }
    }

    /// Whether cargo builds a unit of `package` again where what is at the path is another; `path` is relative to the
    /// target directory.
    pub(super) fn is_followed(&self, package: &str, path: &Path) -> bool {
        let names: Vec<&str> = path
            .components()
            .filter_map(|it| match it {
                Component::Normal(name) => name.to_str(),
                _ => None,
            })
            .collect();
        // `debug` or `<triple>/debug`, then the folder.
        let place = names.iter().position(|it| matches!(*it, "deps" | "build"));
        let Some(place) = place.filter(|it| (1..=2).contains(it)) else { return false };
        let Some(name) = names.get(place + 1) else {
            // Compilers search it for names that have a hash.
            return names[place] == "deps";
        };
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        // A library, or what a build script made: other units are built again with nothing else.
        let is_shared = match names[place] {
            "deps" => stem.starts_with("lib") && matches!(ending, "rlib" | "rmeta" | "so" | "a"),
            "build" => names.get(place + 2) == Some(&"out"),
            _ => false,
        };
        if names[place] == "deps" && self.libraries.contains(*name) {
            return true;
        }
        let maker = stem.rsplit_once('-').and_then(|it| self.packages.get(it.1));
        is_shared && maker.is_some_and(|it| it == package || self.depends(package, it))
    }

    /// Whether a package is one of a registry, or `package` depends on it.
    fn depends(&self, package: &str, on: &str) -> bool {
        if !self.workspace.packages.iter().any(|it| it.name == on) {
            return true;
        }
        let mut known = self.dependents.borrow_mut();
        let dependents = known.entry(on.to_owned()).or_insert_with_key(|on| {
            self.workspace.with_dependents(std::slice::from_ref(on)).into_iter().collect()
        });
        dependents.contains(package)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Package;

    #[test]
    fn the_output_of_a_package_is_followed_by_those_that_depend_on_it() {
        let package = |name: &str, depends_on: &[&str]| Package {
            name: name.into(),
            depends_on: depends_on.iter().map(|it| (*it).to_owned()).collect(),
            ..Package::default()
        };
        let workspace = CargoWorkspace {
            packages: vec![package("a", &[]), package("b", &["a"]), package("c", &[])],
            root: "/p".into(),
            outside: Vec::new(),
            manifests: Vec::new(),
        };
        let libraries = SortedSet::from(["libstd-99.so".to_owned()]);
        let units = ["a-11", "b-22", "serde-33"].into_iter();
        let outputs = Outputs::new(&workspace, &libraries, units);
        let follows = |package: &str, path: &str| outputs.is_followed(package, Path::new(path));
        assert!(
            follows("b", "debug/deps/liba-11.rmeta") && follows("a", "debug/deps/liba-11.rlib")
        );
        assert!(follows("b", "x86_64-unknown-linux-gnu/debug/build/a-11/out/made.rs"));
        assert!(follows("c", "debug/deps/libserde-33.so") && follows("c", "debug/deps"));
        assert!(
            follows("c", "debug/deps/libstd-99.so") && !follows("c", "debug/build/libstd-99.so")
        );
        assert!(!follows("c", "debug/deps/liba-11.rmeta"));
        assert!(!follows("c", "debug/build/a-11/out/made.rs"));
        // The list of what is built, and what is not cargo's.
        for path in [
            "debug/deps/a-11",
            "debug/build/a-11/build_script_build-11",
            "debug/build",
            "debug/b",
            "debug/.fingerprint/a-11/lib-a",
            ".units/a-11/x",
        ] {
            assert!(!follows("b", path), "{path}");
        }
        assert!(
            !follows("b", "debug/incremental/a-11/x") && !follows("b", "debug/deps/liba-44.so")
        );
    }
}
