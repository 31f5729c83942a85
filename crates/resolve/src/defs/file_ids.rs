//! What one file added to a map.

use super::{DefId, DefMap};
use crate::FileIdx;

/// The parts of the old map that belong to one file.
pub(super) struct FileIds {
    /// One flag per definition of the map.
    pub(super) defs: Vec<bool>,
    /// One flag per import of the map.
    pub(super) imports: Vec<bool>,
    /// Without the scope of the file's own module.
    pub(super) scopes: Vec<u32>,
    pub(super) textual: Vec<u32>,
    /// The file and the expansions in it.
    pub(super) sources: Vec<FileIdx>,
}

impl DefMap {
    /// Collects what a file and the expansions in it added to the map.
    pub(super) fn file_ids(&self, file: FileIdx) -> FileIds {
        let mut sources = vec![file];
        sources.extend_from_slice(self.expansions(file));
        let mut defs = vec![false; self.defs.len()];
        for source in &sources {
            self.defs_in(*source).into_iter().for_each(|id| defs[id.idx()] = true);
        }
        let imports =
            self.imports.leaves.iter().map(|it| !it.is_removed && defs[it.def.idx()]).collect();
        let scopes = self.scopes.iter().enumerate().filter(|(_, it)| {
            // The content of a module with its own file belongs to that file.
            defs[it.def.idx()] && (it.is_block || !self.modules.contents.contains_key(&it.def))
        });
        let textual = self.macros.textual.iter().enumerate();
        let textual = textual.filter(|(_, it)| !it.is_removed && defs[it.def.idx()]);
        FileIds {
            imports,
            scopes: scopes.map(|(at, _)| at as u32).collect(),
            textual: textual.map(|(at, _)| at as u32).collect(),
            sources,
            defs,
        }
    }

    /// The definitions of a source: its items, then the variants of its enums.
    pub(super) fn defs_in(&self, source: FileIdx) -> Vec<DefId> {
        let len = self.source(source).facts.file.items.len() as u32;
        let mut ids: Vec<DefId> = (0..len).map(|item| self.def_of(source, item)).collect();
        for at in 0..ids.len() {
            let (first, count) = self.variants_of(ids[at]);
            ids.extend((first..first + count).map(DefId));
        }
        ids
    }
}
