//! A dependency in two versions: what its users must change.
//!
//! Sources of a registry are untrusted: they are read as text, with limits, and name things only.

mod features;
mod interface;
mod members;
mod missed;
mod modules;
pub(crate) mod notes;
mod successors;
mod usage;

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet};
use preserve::Allowed;

pub(crate) use features::missing_features;
pub(crate) use interface::{Entry, Interface};
pub(crate) use members::{Members, intents};
pub use missed::{missed_names, offered};
pub(crate) use successors::{Successor, successors};

/// Folder of the sources in the paths of intents.
const FOLDER: &str = "~registry";

/// A dependency of the project in the version of the last good state and in the present one.
#[derive(Clone, Debug)]
pub struct Library {
    /// Name in the project's code.
    pub name: String,
    /// Package name.
    pub package: String,
    /// The old version.
    pub(crate) old: Arc<Side>,
    /// The new version.
    pub(crate) new: Arc<Side>,
    /// Code that uses the library in both versions, old and new: examples of its documentation, tests.
    usages: Arc<Vec<(String, String)>>,
}

/// The sources of one version of a dependency.
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// Version.
    pub version: String,
    /// The library's own name in its code and in the code of others.
    pub name: String,
    /// The crate and those that it re-exports, by name.
    pub crates: SortedMap<String, CrateSource>,
    /// Its features with what each enables.
    pub features: SortedMap<String, Vec<String>>,
    /// The enabled features.
    pub enabled: SortedSet<String>,
    /// Text of its change log; empty if there is none.
    pub changelog: String,
    /// Texts beside the library that use it, by path: tests, examples, guides.
    pub uses: SortedMap<String, Arc<str>>,
}

/// The Rust files of one crate.
#[derive(Clone, Debug, Default)]
pub struct CrateSource {
    /// Path of the root file, among `files`.
    pub root: String,
    /// Text by path, relative to the package.
    pub files: SortedMap<String, Arc<str>>,
}

/// What is read of a [`Release`] once.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) release: Release,
    pub(crate) interface: Interface,
    pub(crate) members: Members,
}

impl Side {
    fn of(release: Release) -> Arc<Self> {
        let interface = Interface::of(&release);
        let members = Members::of(&release);
        Arc::new(Self { release, interface, members })
    }
}

impl Library {
    /// Reads both versions; `name` is the dependency's name in the project's code.
    pub fn new(name: String, package: String, old: Release, new: Release) -> Self {
        let usages = Arc::new(usage::pairs(&old, &new));
        Self { name, package, old: Side::of(old), new: Side::of(new), usages }
    }

    /// The old version.
    pub(crate) fn from(&self) -> &str {
        &self.old.release.version
    }

    /// The new version.
    pub(crate) fn to(&self) -> &str {
        &self.new.release.version
    }

    /// Whether the new version defines something of this name.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.new.members.defines(name)
    }

    /// Whether the old version has something public of this name, or a member.
    pub(crate) fn had_name(&self, name: &str) -> bool {
        self.old.members.defines(name) || !self.old.interface.named(name).is_empty()
    }

    /// The code that uses the library in both versions, where that differs.
    pub(crate) fn usages(&self) -> &[(String, String)] {
        &self.usages
    }

    /// The methods of a trait that take a value besides `self` and return this type, by name.
    pub(crate) fn called(&self, of_trait: &str, output: &str) -> Vec<String> {
        self.new.members.called(of_trait, output)
    }

    /// Whether the new version has a feature that is not enabled.
    pub(crate) fn has_feature(&self, name: &str) -> bool {
        let new = &self.new.release;
        new.features.contains_key(name) && !new.enabled.contains(name)
    }

    /// The features without which the new version has no member and no exported macro of this name;
    /// empty if one of them is there, or there is none.
    pub(crate) fn features_of(&self, name: &str) -> Vec<String> {
        let new = &self.new;
        let macros = new.interface.get(name).iter().map(|it| it.cfgs.clone());
        self.fewest_missing(new.members.gates_of(name, &new.interface).chain(macros))
    }

    /// The features without which the new version has no impl of this trait for this type; empty if it has one,
    /// or there is none.
    pub(crate) fn features_of_impl(&self, ty: &str, of_trait: &str) -> Vec<String> {
        let new = &self.new;
        let gates = new.members.gates_of_impl(ty, of_trait, &new.interface);
        self.fewest_missing(gates.into_iter())
    }

    /// The features that the cheapest of these lists of `cfg` predicates misses; none if one misses none.
    fn fewest_missing(&self, lists: impl Iterator<Item = Vec<String>>) -> Vec<String> {
        let new = &self.new;
        let missing = |cfgs: Vec<String>| {
            let all = cfgs.iter().flat_map(|it| missing_features(it, &new.release.enabled));
            all.collect::<SortedSet<String>>().into_iter().collect::<Vec<_>>()
        };
        let all: Vec<Vec<String>> = lists.map(missing).collect();
        if all.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        all.into_iter().min_by_key(Vec::len).unwrap_or_default()
    }

    /// Whether an intent with this path is about a library.
    pub(crate) fn is_path(path: &ProjectPath) -> bool {
        path.as_str().starts_with(FOLDER)
    }

    /// The text of a file that an intent of this library names.
    pub(crate) fn text(&self, path: &ProjectPath) -> Option<Arc<str>> {
        let rest = path.as_str().strip_prefix(FOLDER)?.strip_prefix('/')?;
        let (folder, rest) = rest.split_once('/')?;
        let side = [&self.new, &self.old].into_iter().find(|it| folder == it.release.folder())?;
        let (name, file) = rest.split_once('/')?;
        side.release.crates.get(name)?.files.get(file).cloned()
    }

    /// Adds what its users may remove: imports of paths that are gone, and members of traits.
    pub fn allow(&self, allowed: &mut Allowed) {
        let (old, new) = (&self.old.interface, &self.new.interface);
        for path in old.paths().filter(|it| !new.has(it)) {
            allowed.imports.extend(path.split("::").map(str::to_owned));
        }
        allowed.members.extend(self.old.members.gone(&self.new.members));
    }
}

impl Release {
    fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// The path that an intent has for a file of a crate.
    pub(crate) fn path(&self, name: &str, file: &str) -> Option<ProjectPath> {
        ProjectPath::new(&format!("{FOLDER}/{}/{name}/{file}", self.folder())).ok()
    }
}
