//! The files of a tree that cargo runs or obeys while it builds: build scripts of all packages with what
//! they reach, and the files that configurations include or name.

use base::{ProjectPath, SortedSet, has_word};
use edit::Files;
use policy::{OutsideText, OutsideTexts};
use preserve::ManifestPackage;

use super::build_needs::PackageFolder;
use super::configuration::{Configurations, leads_to, plain};
use super::links::{Followed, Links};
use super::reached::Open;
use super::{build_needs, configuration, reached};

/// These files of one state of a tree, links followed.
#[derive(Default)]
pub(super) struct RunByCargo {
    scripts: SortedSet<ProjectPath>,
    /// The folders whose files a script may include; `None`: any file of the project.
    open: Vec<Option<ProjectPath>>,
    /// The folders of the local packages that a script depends on: all their sources in Rust count, and what their
    /// roots reach.
    needed: SortedSet<PackageFolder>,
    /// `None`: any file may be included.
    configurations: Option<Configurations>,
    /// Paths that configurations above the project include, from their folders.
    included_above: Vec<String>,
    /// Words of these configurations: programs that cargo runs, and what they read.
    named_above: Vec<String>,
}

impl RunByCargo {
    /// Reads the manifests and configurations among `names`, which has what git ignores, too, and the configurations
    /// among the texts outside.
    pub(super) fn of(
        files: &dyn Files,
        links: &Links<'_>,
        names: &SortedSet<&ProjectPath>,
        outside: &OutsideTexts,
    ) -> Self {
        let followed = Followed { files, links };
        let mut found = Self::default();
        let is_config =
            |it: &&OutsideText| it.path.as_ref().is_some_and(configuration::is_of_cargo);
        for text in outside.texts().iter().filter(is_config).filter_map(|it| it.text.as_ref()) {
            let names = build::included_by(text).into_iter();
            found.included_above.extend(names.filter_map(|it| plain(&format!(".cargo/{it}"))));
            found.named_above.extend(build::words_of(text).iter().filter_map(|it| plain(it)));
        }
        for path in build_needs::manifests(names) {
            let Some(package) = package(&followed, names, path) else { continue };
            let has_script = package.build_scripts.iter().any(|it| names.contains(it));
            if has_script {
                let needs = build_needs::folders(&followed, names, path);
                found.needed.extend(needs.iter().map(|it| it.as_ref().map(|it| links.real(it))));
            }
            for script in &package.build_scripts {
                found.add_reached((&followed, links), script, package.folder.clone());
            }
        }
        for folder in found.needed.clone() {
            for root in build_needs::roots(&followed, &folder) {
                found.add_reached((&followed, links), &root, folder.clone());
            }
        }
        let configurations = names.iter().filter(|it| configuration::is_of_cargo(it));
        let read = configuration::read(&followed, configurations.map(|it| (*it).clone()));
        found.configurations = read.map(|mut all| {
            all.included = all.included.iter().map(|it| links.real(it)).collect();
            all
        });
        found
    }

    /// Adds what a root of code reaches, which is in a package of this folder.
    fn add_reached(
        &mut self,
        (files, links): (&Followed<'_>, &Links<'_>),
        root: &ProjectPath,
        folder: PackageFolder,
    ) {
        let reached = reached::by(files, root);
        self.scripts.extend(reached.files.iter().map(|it| links.real(it)));
        self.open.extend(match reached.open {
            Open::Nothing => None,
            Open::Package => Some(folder),
            Open::Anything => Some(None),
        });
    }

    /// Whether a file is a part of a build script.
    pub(super) fn is_in_script(&self, path: &ProjectPath) -> bool {
        let is_open = |it: &Option<ProjectPath>| it.as_ref().is_none_or(|it| path.is_within(it));
        let is_source = path.as_str().to_ascii_lowercase().ends_with(".rs");
        let is_needed = |it: &PackageFolder| match it {
            Some(folder) => path.is_within(folder),
            // Below the root are all other packages, too.
            None => path.as_str().starts_with("src/"),
        };
        self.scripts.contains(path)
            || self.open.iter().any(is_open)
            || is_source && self.needed.iter().any(is_needed)
    }

    /// Whether a configuration includes a file.
    pub(super) fn is_included(&self, path: &ProjectPath) -> bool {
        self.configurations.as_ref().is_none_or(|it| it.included.contains(path))
            || self.included_above.iter().any(|it| leads_to(it, path.as_str()))
    }

    /// Whether a configuration names a file that has these names.
    pub(super) fn is_named<'p>(&self, mut names: impl Iterator<Item = &'p ProjectPath>) -> bool {
        let above = |name: &ProjectPath| {
            // A word alone is a program of the system, or a value.
            let paths = self.named_above.iter().filter(|it| it.contains('/'));
            paths.into_iter().any(|it| leads_to(it, name.as_str()))
        };
        let own = self.configurations.as_ref();
        names.any(|name| own.is_some_and(|it| it.names(name)) || above(name))
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
