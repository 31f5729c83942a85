//! The state that the map is built from, between two updates.

use std::path::PathBuf;
use std::sync::Arc;

use base::{ContentHash, ProjectPath};
use graph::{FileFlags, ProblemRow};
use resolve::DefMap;
use syntax::facts::FileFacts;

use crate::crates::Crates;
use crate::hydrate::{Hydrated, Hydration, Overlaid};
use crate::links::FileLinks;
use crate::node_interner::NodeInterner;
use crate::nodes::FileNodes;
use crate::read::Parsed;
use crate::slot_tables::SlotTables;

/// One file of the map with everything that was computed for it. Cloning is cheap.
#[derive(Clone, Debug)]
pub(crate) struct FileState {
    pub(crate) path: ProjectPath,
    pub(crate) hash: ContentHash,
    pub(crate) text: Arc<str>,
    pub(crate) facts: Arc<FileFacts>,
    pub(crate) lines: u32,
    /// The flags that follow from the text and path.
    pub(crate) flags: FileFlags,
    pub(crate) problems: Arc<[ProblemRow]>,
    pub(crate) nodes: Arc<FileNodes>,
    /// `None`: must be resolved.
    pub(crate) links: Option<Arc<FileLinks>>,
    /// The inputs of `links`, if rust-analyzer results were merged into them.
    pub(crate) overlaid: Option<Arc<Overlaid>>,
}

impl FileState {
    /// A file just parsed: without nodes and links.
    pub(crate) fn unplaced(
        path: &ProjectPath,
        hash: ContentHash,
        text: &Arc<str>,
        parsed: Parsed,
    ) -> Self {
        Self {
            path: path.clone(),
            hash,
            text: text.clone(),
            facts: parsed.facts,
            lines: parsed.lines,
            flags: parsed.flags,
            problems: parsed.problems,
            nodes: Arc::default(),
            links: None,
            overlaid: None,
        }
    }
}

/// A file that is left out of the map.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Skipped {
    pub(crate) path: ProjectPath,
    pub(crate) hash: ContentHash,
    pub(crate) reason: String,
}

/// Everything the map is built from, between two updates.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) epoch: u64,
    /// Sorted by path.
    pub(crate) files: Vec<FileState>,
    /// Sorted by path.
    pub(crate) skipped: Vec<Skipped>,
    /// Hash of the inputs of the crates.
    pub(crate) inputs: Option<ContentHash>,
    pub(crate) ignore_files: Vec<PathBuf>,
    /// The number of skipped links to files, and their problems.
    pub(crate) left_out: u64,
    pub(crate) tree_problems: Vec<ProblemRow>,
    /// Problems of the module tree.
    pub(crate) module_problems: Vec<ProblemRow>,
    pub(crate) crates: Arc<Crates>,
    /// `None`: the state comes from disk, and its files have names and hashes only.
    pub(crate) map: Option<Arc<DefMap>>,
    /// The slots of the definitions and rows.
    pub(crate) slot_tables: Arc<SlotTables>,
    pub(crate) slots: NodeInterner,
    /// The rust-analyzer results, if they are loaded.
    pub(crate) hydration: Option<Arc<Hydration>>,
    /// The hash of the results that the links depend on, loaded or not.
    pub(crate) hydrated_by: Option<ContentHash>,
    /// Summary of the results.
    pub(crate) hydrated: Option<Hydrated>,
}

impl State {
    /// Updates the summary of the rust-analyzer results.
    pub(crate) fn count_hydrated(&mut self) {
        let files = || self.files.iter().map(|file| (&file.path, file.hash));
        self.hydrated = self.hydration.as_ref().map(|it| it.counted(files()));
    }

    pub(crate) fn file(&self, path: &ProjectPath) -> Option<&FileState> {
        let at = self.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        self.files.get(at)
    }
}
