//! Features from BM25 scores.

use super::{Candidate, Context, FeatureGroup, Unit};
use crate::scratch::Scratch;

/// The BM25 scores of documents and files.
pub(crate) struct Words<'a> {
    pub(crate) scratch: &'a Scratch,
    pub(crate) max_item: f32,
    pub(crate) max_file: f32,
    pub(crate) max_path: f32,
}

impl<'a> Words<'a> {
    pub(crate) fn new(scratch: &'a Scratch) -> Self {
        let least = f32::MIN_POSITIVE;
        Self {
            scratch,
            max_item: scratch.items.max().max(least),
            max_file: scratch.files.max().max(least),
            max_path: scratch.paths.max().max(least),
        }
    }

    pub(crate) fn item(&self, document: u32) -> f32 {
        self.scratch.items.get(document) / self.max_item
    }

    pub(crate) fn file(&self, file: u32) -> f32 {
        self.scratch.files.get(file) / self.max_file
    }

    pub(crate) fn path(&self, file: u32) -> f32 {
        self.scratch.paths.get(file) / self.max_path
    }
}

pub(super) struct Bm25;

impl Unit for Bm25 {
    fn name(&self) -> &'static str {
        "bm25"
    }
    fn description(&self) -> &'static str {
        "its code, doc comment, name, signature or path contains words of the query"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Words
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.words.item(candidate.document)
    }
}

pub(super) struct FileBm25;

impl Unit for FileBm25 {
    fn name(&self) -> &'static str {
        "file_bm25"
    }
    fn description(&self) -> &'static str {
        "its file contains words of the query"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Files
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.words.file(candidate.file)
    }
}

pub(super) struct PathBm25;

impl Unit for PathBm25 {
    fn name(&self) -> &'static str {
        "path_bm25"
    }
    fn description(&self) -> &'static str {
        "the path of its file contains words of the query"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Files
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.words.path(candidate.file)
    }
}
