//! A dependency in two versions: what its users must change.
//!
//! Sources of a registry are untrusted: they are read as text, with limits, and name things only.

mod interface;
mod members;
mod modules;
pub(crate) mod notes;
mod successors;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::ProjectPath;
use preserve::Allowed;

pub(crate) use interface::{Entry, Interface};
pub(crate) use members::{Members, intents};
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
}

/// The sources of one version of a dependency.
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// Version.
    pub version: String,
    /// The library's own name in its code and in the code of others.
    pub name: String,
    /// The crate and those that it re-exports, by name.
    pub crates: BTreeMap<String, CrateSource>,
    /// Its features with what each enables.
    pub features: BTreeMap<String, Vec<String>>,
    /// The enabled features.
    pub enabled: BTreeSet<String>,
    /// Text of its change log; empty if there is none.
    pub changelog: String,
}

/// The Rust files of one crate.
#[derive(Clone, Debug, Default)]
pub struct CrateSource {
    /// Path of the root file, among `files`.
    pub root: String,
    /// Text by path, relative to the package.
    pub files: BTreeMap<String, Arc<str>>,
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
        Self { name, package, old: Side::of(old), new: Side::of(new) }
    }

    /// The old version.
    pub fn from(&self) -> &str {
        &self.old.release.version
    }

    /// The new version.
    pub fn to(&self) -> &str {
        &self.new.release.version
    }

    /// Whether the new version defines something of this name.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.new.members.defines(name)
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

/// The features of a `cfg` that are missing, where a feature is what it asks for.
pub(crate) fn missing_features(predicate: &str, enabled: &BTreeSet<String>) -> Vec<String> {
    if predicate.contains("not(") {
        return Vec::new();
    }
    let mut features = Vec::new();
    let mut rest = predicate;
    while let Some(at) = rest.find("feature") {
        rest = rest[at + "feature".len()..].trim_start();
        let Some(value) = rest.strip_prefix('=').and_then(|it| it.trim_start().strip_prefix('"'))
        else {
            continue;
        };
        let Some(end) = value.find('"') else { break };
        features.push(value[..end].to_owned());
        rest = &value[end..];
    }
    let is_any = predicate.trim_start().starts_with("any(");
    if is_any && features.iter().any(|it| enabled.contains(it)) {
        return Vec::new();
    }
    features.retain(|it| !enabled.contains(it));
    if is_any {
        features.truncate(1);
    }
    features
}
