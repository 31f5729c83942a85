use std::path::PathBuf;
use std::sync::Arc;

use base::{ContentHash, ProjectPath};
use graph::{FileFlags, ProblemRow};
use resolve::DefMap;
use syntax::facts::FileFacts;

use crate::assemble::Places;
use crate::crates::Crates;
use crate::hydrate::{Hydrated, Hydration, Overlaid};
use crate::kept::Answers;
use crate::links::FileLinks;
use crate::nodes::FileNodes;
use crate::read::Parsed;
use crate::slots::Slots;

/// One file of the map with all that was found in it. Cloning is cheap.
#[derive(Clone, Debug)]
pub(crate) struct FileState {
    pub(crate) path: ProjectPath,
    pub(crate) hash: ContentHash,
    pub(crate) text: Arc<str>,
    pub(crate) facts: Arc<FileFacts>,
    /// The facts hold all bodies, not only those that interfaces need.
    pub(crate) has_bodies: bool,
    pub(crate) lines: u32,
    /// What the text itself says of it.
    pub(crate) flags: FileFlags,
    pub(crate) problems: Arc<[ProblemRow]>,
    pub(crate) nodes: Arc<FileNodes>,
    /// `None`: has to be resolved.
    pub(crate) links: Option<Arc<FileLinks>>,
    /// What `links` were made of where rust-analyzer had a say in them.
    pub(crate) overlaid: Option<Arc<Overlaid>>,
}

impl FileState {
    /// A file just parsed: no items are placed yet, and nothing is resolved.
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
            has_bodies: true,
            lines: parsed.lines,
            flags: parsed.flags,
            problems: parsed.problems,
            nodes: Arc::default(),
            links: None,
            overlaid: None,
        }
    }
}

/// A file without a place in the map.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Skipped {
    pub(crate) path: ProjectPath,
    pub(crate) hash: ContentHash,
    pub(crate) reason: String,
}

/// Everything the map is made of, between two batches.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) epoch: u64,
    /// Sorted by path.
    pub(crate) files: Vec<FileState>,
    /// Sorted by path.
    pub(crate) skipped: Vec<Skipped>,
    /// Of what the crates were made from.
    pub(crate) inputs: Option<ContentHash>,
    pub(crate) ignore_files: Vec<PathBuf>,
    /// Links to files, left out; their problems.
    pub(crate) left_out: u64,
    pub(crate) tree_problems: Vec<ProblemRow>,
    /// Of the module tree.
    pub(crate) module_problems: Vec<ProblemRow>,
    pub(crate) crates: Arc<Crates>,
    pub(crate) map: Option<Arc<DefMap>>,
    /// Where `map` and the files' nodes are.
    pub(crate) places: Arc<Places>,
    pub(crate) slots: Slots,
    /// What rust-analyzer said, where that is at hand.
    pub(crate) hydration: Option<Arc<Hydration>>,
    /// Its hash: of what the links rest on, at hand or not.
    pub(crate) hydrated_by: Option<ContentHash>,
    /// What it comes to.
    pub(crate) hydrated: Option<Hydrated>,
    /// Files are names and hashes only; this is the hash of `facts.bin`, which has the rest.
    pub(crate) facts: Option<ContentHash>,
    /// What lookups were answered, where the state comes from disk.
    pub(crate) answers: Option<Arc<Answers>>,
}

impl State {
    /// Counts anew what rust-analyzer's part comes to.
    pub(crate) fn count_hydrated(&mut self) {
        let files = || self.files.iter().map(|file| (&file.path, file.hash));
        self.hydrated = self.hydration.as_ref().map(|it| it.counted(files()));
    }

    pub(crate) fn file(&self, path: &ProjectPath) -> Option<&FileState> {
        let at = self.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        self.files.get(at)
    }
}
