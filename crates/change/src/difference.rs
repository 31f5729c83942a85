//! [`Difference`]: the Rust files of the last good state beside those of the present tree, the
//! input of everything in this crate.

use std::sync::Arc;

use base::{ProjectPath, SortedMap};
use edit::Overlay;

use crate::Library;

/// The Rust files that differ between the last good state (the base) and the present tree.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    files: SortedMap<ProjectPath, Sides>,
    manifests: SortedMap<ProjectPath, Sides>,
    /// Rust files of the project, for definitions that the difference does not contain.
    sources: Vec<ProjectPath>,
    /// Dependencies that have another version.
    libraries: Arc<Vec<Library>>,
}

/// One file of a [`Difference`].
#[derive(Clone, Debug)]
pub struct Sides {
    /// Its text in the base; `None` if it did not exist.
    pub base: Option<Arc<str>>,
    /// Its present text; `None` if it is removed.
    pub now: Option<Arc<str>>,
}

impl Difference {
    /// The difference that `base`, an overlay from the present tree back to the base, describes.
    pub fn since(base: &Overlay) -> Self {
        let text = |it: &Option<edit::FileState>| it.as_ref().map(|it| Arc::clone(&it.text));
        let sides = |is_it: fn(&ProjectPath) -> bool| {
            let changes = base.changes().filter(move |(path, _)| is_it(path));
            let sides = changes.map(|(path, change)| {
                (path.clone(), Sides { base: text(&change.after), now: text(&change.before) })
            });
            sides.collect()
        };
        Self {
            files: sides(|path| path.extension() == Some("rs")),
            manifests: sides(|path| path.file_name() == "Cargo.toml"),
            ..Self::default()
        }
    }

    /// The same with the paths of the project's Rust files.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<ProjectPath>) -> Self {
        self.sources = sources;
        self
    }

    /// The same with the dependencies that have another version.
    #[must_use]
    pub fn with_libraries(mut self, libraries: Vec<Library>) -> Self {
        self.libraries = Arc::new(libraries);
        self
    }

    /// The files of the present tree with conflicts.
    pub fn conflicts(&self) -> Vec<ProjectPath> {
        let has = |it: &Sides| it.now.as_deref().is_some_and(preserve::conflicts::has_conflicts);
        self.files.iter().filter(|it| has(it.1)).map(|it| it.0.clone()).collect()
    }

    /// The dependencies that have another version.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// The files, by path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&ProjectPath, &Sides)> {
        self.files.iter()
    }

    /// The manifests that differ, by path.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = (&ProjectPath, &Sides)> {
        self.manifests.iter()
    }

    /// One file.
    pub fn get(&self, path: &ProjectPath) -> Option<&Sides> {
        self.files.get(path)
    }

    /// Whether a line of a file is as it was in the base.
    pub fn is_old_line(&self, path: &ProjectPath, line: &str) -> bool {
        let Some(sides) = self.get(path) else { return true };
        sides.base.as_deref().is_some_and(|base| base.lines().any(|it| it == line))
    }

    /// Whether no Rust file and no dependency differs.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.libraries.is_empty()
    }

    pub(crate) fn sources(&self) -> &[ProjectPath] {
        &self.sources
    }
}
