//! The files of a tree that cargo runs or obeys while it builds: build scripts of all packages with what
//! they reach, and the files that configurations include.

use base::{ProjectPath, SortedSet, has_word};
use edit::Files;
use preserve::ManifestPackage;

use super::links::{Followed, Links};
use super::{configuration, reached};

/// These files of one state of a tree, links followed.
#[derive(Default)]
pub(super) struct RunByCargo {
    scripts: SortedSet<ProjectPath>,
    /// The folders of packages whose script may include any file.
    open: Vec<Option<ProjectPath>>,
    /// `None`: any file may be one.
    included: Option<SortedSet<ProjectPath>>,
}

impl RunByCargo {
    /// Reads the manifests and configurations among `names`.
    pub(super) fn of(
        files: &dyn Files,
        links: &Links<'_>,
        names: &SortedSet<&ProjectPath>,
    ) -> Self {
        let followed = Followed { files, links };
        let mut found = Self::default();
        for path in names.iter().filter(|it| it.file_name().eq_ignore_ascii_case("Cargo.toml")) {
            let Some(package) = package(&followed, names, path) else { continue };
            for script in &package.build_scripts {
                let reached = reached::by(&followed, script);
                found.scripts.extend(reached.files.iter().map(|it| links.real(it)));
                found.open.extend(reached.is_open.then(|| package.folder.clone()));
            }
        }
        let configurations = names.iter().filter(|it| {
            let is_there = |name: &str| it.as_str().ends_with(name);
            is_there(".cargo/config.toml") || is_there(".cargo/config")
        });
        let included = configuration::included(&followed, configurations.map(|it| (*it).clone()));
        found.included = included.map(|all| all.iter().map(|it| links.real(it)).collect());
        found
    }

    /// Whether a file is a part of a build script.
    pub(super) fn is_in_script(&self, path: &ProjectPath) -> bool {
        let is_open = |it: &Option<ProjectPath>| it.as_ref().is_none_or(|it| path.is_within(it));
        self.scripts.contains(path) || self.open.iter().any(is_open)
    }

    /// Whether a configuration includes a file.
    pub(super) fn is_included(&self, path: &ProjectPath) -> bool {
        self.included.as_ref().is_none_or(|it| it.contains(path))
    }
}

/// The package of a manifest, if it has a build script; one that does not parse builds nothing.
fn package(
    files: &dyn Files,
    names: &SortedSet<&ProjectPath>,
    path: &ProjectPath,
) -> Option<ManifestPackage> {
    let text = files.read(path).ok().flatten()?.text;
    let beside = match path.parent() {
        Some(folder) => ProjectPath::new(&format!("{folder}/build.rs")),
        None => ProjectPath::new("build.rs"),
    };
    // Most packages have none; an escape may hide the word.
    let may_have = has_word(&text, "build") || text.contains('\\') || names.contains(&beside.ok()?);
    may_have.then(|| ManifestPackage::of_manifest(&text, path.parent()).ok()).flatten()
}
