//! Provisional indices of what was added to a map, and the final ones.

use super::table::Binding;
use super::{DefId, DefMap};
use crate::FileIdx;

/// The sizes of the tables of a map.
#[derive(Default)]
pub(super) struct TableSizes {
    pub(super) sources: usize,
    pub(super) defs: usize,
    pub(super) scopes: usize,
    pub(super) imports: usize,
    pub(super) textual: usize,
    pub(super) names: (usize, usize),
}

impl TableSizes {
    pub(super) fn of(map: &DefMap) -> Self {
        Self {
            sources: map.sources.len(),
            defs: map.defs.len(),
            scopes: map.scopes.len(),
            imports: map.imports.leaves.len(),
            textual: map.macros.textual.len(),
            names: map.names.mark(),
        }
    }
}

/// Maps provisional indices, assigned while the file was read, to final ones.
pub(super) struct Renumbering {
    pub(super) mark: TableSizes,
    pub(super) sources: Vec<FileIdx>,
    pub(super) defs: Vec<DefId>,
    pub(super) scopes: Vec<u32>,
    pub(super) imports: Vec<u32>,
    pub(super) textual: Vec<u32>,
}

impl Renumbering {
    /// Without an index for anything that was added since the tables had these sizes.
    pub(super) fn since(mark: TableSizes) -> Self {
        Self {
            mark,
            sources: Vec::new(),
            defs: Vec::new(),
            scopes: Vec::new(),
            imports: Vec::new(),
            textual: Vec::new(),
        }
    }

    pub(super) fn source(&self, it: FileIdx) -> FileIdx {
        let at = (it.0 as usize).checked_sub(self.mark.sources);
        at.and_then(|at| self.sources.get(at)).copied().unwrap_or(it)
    }

    pub(super) fn def(&self, it: DefId) -> DefId {
        let at = it.idx().checked_sub(self.mark.defs);
        at.and_then(|at| self.defs.get(at)).copied().unwrap_or(it)
    }

    pub(super) fn scope(&self, it: u32) -> u32 {
        number(it, self.mark.scopes, &self.scopes)
    }

    pub(super) fn import(&self, it: u32) -> u32 {
        number(it, self.mark.imports, &self.imports)
    }

    pub(super) fn textual(&self, it: u32) -> u32 {
        number(it, self.mark.textual, &self.textual)
    }
}

fn number(it: u32, mark: usize, to: &[u32]) -> u32 {
    let at = (it as usize).checked_sub(mark);
    at.and_then(|at| to.get(at)).copied().unwrap_or(it)
}

impl DefMap {
    pub(super) fn renumber_names(&mut self, to: &Renumbering) {
        let renumber = |binding| match binding {
            Binding::Item(def) => Binding::Item(to.def(def)),
            import => import,
        };
        self.names.renumber(to.mark.names, |it| to.scope(it), renumber);
    }

    pub(super) fn renumber_imported_names(&mut self, to: &Renumbering) {
        let renumber = |binding| match binding {
            Binding::Import(number) => Binding::Import(to.import(number)),
            item => item,
        };
        // Scopes have their final indices already.
        self.names.renumber(to.mark.names, |it| it, renumber);
    }
}
