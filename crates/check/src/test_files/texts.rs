//! The Rust files of the tree before a change and after it, each read once.

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet};
use edit::{Files, Overlay};
use preserve::LARGEST_SOURCE;

/// Most bytes of all files that are read.
const MAX_BYTES: usize = 256 << 20;

/// The state of the tree that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The texts of the tree on both sides of a change.
pub(super) struct Texts<'a> {
    files: &'a dyn Files,
    overlay: &'a Overlay,
    /// Other paths of files of the change.
    aliases: &'a SortedMap<ProjectPath, ProjectPath>,
    /// The files of both sides.
    paths: SortedSet<&'a ProjectPath>,
    /// Texts of files that the change does not have; `None`: not readable.
    read: SortedMap<ProjectPath, Option<Arc<str>>>,
    bytes: usize,
}

impl<'a> Texts<'a> {
    pub(super) fn new(
        files: &'a dyn Files,
        tree: impl Iterator<Item = &'a ProjectPath>,
        overlay: &'a Overlay,
        aliases: &'a SortedMap<ProjectPath, ProjectPath>,
    ) -> Self {
        let paths = tree.chain(overlay.changes().map(|it| it.0)).chain(aliases.keys()).collect();
        Self { files, overlay, aliases, paths, read: SortedMap::new(), bytes: 0 }
    }

    /// Whether one of the sides has the file.
    pub(super) fn has(&self, path: &ProjectPath) -> bool {
        self.paths.contains(path)
    }

    /// The Rust files of both sides.
    pub(super) fn rust_files(&self) -> Vec<&'a ProjectPath> {
        self.paths.iter().copied().filter(|it| it.extension() == Some("rs")).collect()
    }

    /// The manifests of both sides.
    pub(super) fn manifests(&self) -> Vec<&'a ProjectPath> {
        self.paths.iter().copied().filter(|it| it.file_name() == "Cargo.toml").collect()
    }

    /// Text of a file of the tree on one side; `None` where there is none, or none that is read.
    pub(super) fn text(&mut self, path: &ProjectPath, side: Side) -> Option<Arc<str>> {
        let path = self.aliases.get(path).unwrap_or(path);
        if let Some(change) = self.overlay.get(path) {
            let state = match side {
                Side::Before => change.before.as_ref(),
                Side::After => change.after.as_ref(),
            };
            return state.map(|it| Arc::clone(&it.text)).filter(|it| it.len() <= LARGEST_SOURCE);
        }
        if !self.has(path) {
            return None;
        }
        if let Some(known) = self.read.get(path) {
            return known.clone();
        }
        let text = match self.bytes < MAX_BYTES {
            true => self.files.read(path).ok().flatten().map(|it| it.text),
            false => None,
        };
        let text = text.filter(|it| it.len() <= LARGEST_SOURCE);
        self.bytes += text.as_ref().map_or(0, |it| it.len());
        self.read.insert(path.clone(), text.clone());
        text
    }
}
