//! Updates a map after an edit of some files, without building it anew.
//!
//! Everything that the file added to the map is removed, and the file is read again from the state
//! in which it was entered. What is unchanged keeps its indices ([`super::renumber`]), so
//! references from elsewhere stay valid. Then only those imports and impls are resolved again that
//! depend on a key whose result changed. If an edit has effects beyond that – other modules in
//! their own files, other macros for other files –, there is no patch and the map must be built.

use std::collections::VecDeque;

use base::{ItemKind, SortedMap};
use syntax::facts::Shape;

use super::file_ids::FileIds;
use super::imports::{Dependencies, DependencyRecorder};
use super::lookup::UsedPath;
use super::patch_file::{Changes, FilePatch};
use super::{DefId, DefMap, NameScope, Namespace, Resolution};
use crate::workspace::FileInput;
use crate::{CrateInput, FileIdx, KeySet};

/// The changes made by a patch.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Keys of lookups whose results changed.
    pub keys: KeySet,
    /// Files that were patched: their definitions must be reported again. Sorted.
    pub files: Vec<FileIdx>,
}

/// A macro call at item level whose macro is named by a path.
#[derive(Clone, Debug)]
pub(super) struct PathCall {
    pub(super) scope: u32,
    /// The macro, if there is exactly one.
    pub(super) of: Option<DefId>,
    pub(super) dependencies: Dependencies,
}

/// How many files may be read again because a macro that they call changed; beyond that a build is
/// cheaper.
const MAX_CALLERS: usize = 16;

impl DefMap {
    /// As [`DefMap::patched_in`], with a copy of its own.
    #[cfg(test)]
    pub(crate) fn patched(
        &self,
        crates: &[CrateInput],
        changes: &[(FileIdx, FileInput)],
    ) -> Option<(DefMap, Patch)> {
        self.patched_in(self.clone_for_patch(), crates, changes)
    }

    /// A copy with capacity for a patch. The copy is most of the cost of a patch, so a caller may
    /// make it in advance.
    pub fn clone_for_patch(&self) -> DefMap {
        const HEADROOM: usize = 1 << 10;
        let mut map = self.clone();
        map.sources.reserve(HEADROOM);
        map.defs.reserve(HEADROOM);
        map.symbols.of_sources.reserve(HEADROOM);
        map.scopes.reserve(HEADROOM);
        map.imports.leaves.reserve(HEADROOM);
        map.imports.paths.reserve(HEADROOM);
        map.names.reserve(HEADROOM);
        map
    }

    /// The map after an edit of some files; everything else – crates, cfg, the list of files – is
    /// unchanged. `None`: the edit has effects that a patch does not cover, and the map must be
    /// built. `copy` is made from this map by [`DefMap::clone_for_patch`].
    pub fn patched_in(
        &self,
        copy: DefMap,
        crates: &[CrateInput],
        changes: &[(FileIdx, FileInput)],
    ) -> Option<(DefMap, Patch)> {
        let mut found = Changes::default();
        let mut copy = Some(copy);
        let mut map: Option<DefMap> = None;
        let mut queue: VecDeque<(FileIdx, FileInput)> = changes.iter().cloned().collect();
        let mut fuel = changes.len() + MAX_CALLERS;
        while let Some((file, input)) = queue.pop_front() {
            fuel = fuel.checked_sub(1)?;
            let before = map.as_ref().unwrap_or(self);
            let copy = copy.take().unwrap_or_else(|| before.clone_for_patch());
            let patch = FilePatch::new(before, crates, file, &input)?;
            let (next, macros) = patch.run(copy, crates, &input, &mut found)?;
            // Callers of a changed macro are read again with their text unchanged.
            for (caller, called) in &next.patching.called_macros {
                let is_queued = *caller == file || queue.iter().any(|(it, _)| it == caller);
                if is_queued || !macros.iter().any(|it| called.binary_search(it).is_ok()) {
                    continue;
                }
                let source = next.source(*caller);
                let (path, facts) = (source.path.clone(), source.facts.clone());
                queue.push_back((*caller, FileInput { path, facts, text: source.text.clone() }));
            }
            map = Some(next);
        }
        let Changes { keys, files } = found;
        Some((map?, Patch { keys: KeySet::new(keys), files: files.into_iter().collect() }))
    }

    /// The size of the map, including entries that patches removed.
    pub(super) fn weight(&self) -> usize {
        self.defs.len()
            + self.symbols.of_sources.len()
            + self.names.mark().1
            + self.imports.paths.len()
    }

    pub(super) fn sources_in(&self, file: FileIdx) -> Vec<FileIdx> {
        std::iter::once(file).chain(self.expansions(file).iter().copied()).collect()
    }

    /// The definitions of a file and of the expansions in it.
    pub(super) fn ids_in(&self, file: FileIdx) -> Vec<DefId> {
        self.sources_in(file).into_iter().flat_map(|source| self.defs_in(source)).collect()
    }

    pub(super) fn flags(&self, ids: &[DefId]) -> Vec<bool> {
        let mut flags = vec![false; self.defs.len()];
        ids.iter().for_each(|id| flags[id.idx()] = true);
        flags
    }

    /// Stores where the paths of macro calls at item level lead.
    pub(super) fn note_path_calls(&mut self, calls: SortedMap<DefId, u32>) {
        for (call, scope) in calls {
            if let Some(it) = self.path_call(call, scope) {
                self.patching.path_calls.insert(call, it);
            }
        }
    }

    pub(super) fn path_call(&self, call: DefId, scope: u32) -> Option<PathCall> {
        let (facts, item, decl) = self.facts(call)?;
        let Shape::MacroCall(path) = decl.shape else { return None };
        let path = facts.paths.get(path.idx())?;
        let file = self.def(call).file;
        let names: Vec<_> =
            path.segments.iter().map(|it| self.file_symbol(file, it.name)).collect();
        let at = NameScope { at: scope, item: call, offset: item.code_span.start as u32 };
        let mut recorder = DependencyRecorder::default();
        let path = UsedPath::new(&names, path.is_global, Namespace::Macro);
        let of = match self.resolve_path(&mut recorder, &at, path) {
            Resolution::Def(of) if self.def(of).kind == ItemKind::Macro => Some(of),
            _ => None,
        };
        Some(PathCall { scope, of, dependencies: recorder.finish() })
    }
}

impl FileIds {
    pub(super) fn has(&self, id: DefId) -> bool {
        self.defs.get(id.idx()).is_some_and(|it| *it)
    }
}
