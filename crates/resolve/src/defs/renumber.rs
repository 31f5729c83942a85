//! Keeps indices stable across a patch: what is unchanged in a file keeps the index that it had, so
//! that references from elsewhere stay valid. Start at [`OldFile::renumber`].

use std::collections::VecDeque;

use base::{ItemKind, SortedMap, SortedSet};

use super::collect::Collector;
use super::file_ids::FileIds;
use super::renumbering::{Renumbering, TableSizes};
use super::table::{Import, ImportKind, NONE, TextualMacro};
use super::{Def, DefId, DefMap, Symbol};
use crate::FileIdx;
use crate::hash::FastMap;

/// Identifies an import: scope, path, whether it is global, kind, visibility.
type ImportKey = (u32, Vec<Symbol>, bool, u8, u32);

/// The parts of a file in the map before the patch that have not been matched with new ones.
pub(super) struct OldFile<'m> {
    /// The map before the patch.
    map: &'m DefMap,
    defs: FastMap<u64, DefId>,
    variants: SortedSet<DefId>,
    scopes: FastMap<u64, u32>,
    imports: SortedMap<ImportKey, VecDeque<u32>>,
    textual: VecDeque<u32>,
    /// No other file sees the textual macros of this one: they may change.
    pub(super) is_closed: bool,
    /// The last textual macro of the file, which it may pass on.
    pub(super) end: u32,
    expansions: VecDeque<FileIdx>,
    /// The sizes of the map's tables before the new entries.
    mark: TableSizes,
    /// All scopes of the file so far.
    pub(super) own_scopes: Vec<u32>,
    /// Its imports that are new.
    pub(super) new_imports: Vec<u32>,
}

impl<'m> OldFile<'m> {
    pub(super) fn new(map: &'m DefMap, file: &FileIds, root: u32) -> Self {
        let ids = file.defs.iter().enumerate().filter(|(_, is_in_file)| **is_in_file);
        let ids = ids.map(|(at, _)| DefId(at as u32));
        let (variants, defs): (Vec<_>, Vec<_>) = ids.partition(|id| map.def(*id).variant.is_some());
        let scopes = file.scopes.iter().map(|at| (map.scopes[*at as usize].ident, *at)).collect();
        let mut imports: SortedMap<ImportKey, VecDeque<u32>> = SortedMap::new();
        for (at, import) in
            map.imports.leaves.iter().enumerate().filter(|(at, _)| file.imports[*at])
        {
            imports.entry(import_key(map, import)).or_default().push_back(at as u32);
        }
        Self {
            map,
            defs: defs.into_iter().map(|id| (map.def(id).ident, id)).collect(),
            variants: variants.into_iter().collect(),
            scopes,
            imports,
            textual: file.textual.iter().copied().collect(),
            is_closed: false,
            end: NONE,
            expansions: file.sources.iter().skip(1).copied().collect(),
            mark: TableSizes::default(),
            own_scopes: vec![root],
            new_imports: Vec::new(),
        }
    }

    /// Everything added from here on is new.
    pub(super) fn begin(&mut self, map: &DefMap) {
        self.mark = TableSizes::of(map);
    }

    /// Assigns final indices to everything added since [`OldFile::begin`]. `source` is a source
    /// whose definitions were appended again. `None`: visible textual macros changed.
    pub(super) fn renumber(
        &mut self,
        collector: &mut Collector<'_>,
        source: Option<FileIdx>,
    ) -> Option<()> {
        let mark = std::mem::take(&mut self.mark);
        let mut to = Renumbering::since(mark);
        self.sources(collector, &mut to, source);
        let map = &mut collector.map;
        let fresh = self.defs(map, &mut to);
        self.scopes(map, &mut to);
        map.renumber_names(&to);
        self.imports(map, &mut to);
        map.renumber_imported_names(&to);
        self.textual(map, &mut to)?;
        self.end = to.textual(self.end);
        for id in fresh {
            let ident = map.def(id).ident;
            map.patching.by_ident.insert(ident, id);
        }
        for at in &self.own_scopes {
            let scope = &mut map.scopes[*at as usize];
            scope.globs.iter_mut().for_each(|it| *it = to.import(*it));
            scope.underscores.iter_mut().for_each(|it| *it = to.import(*it));
            scope.macros.iter_mut().for_each(|it| it.1 = to.textual(it.1));
        }
        let changed: Vec<_> = map
            .block_scopes
            .iter()
            .filter(|((source, ..), scope)| {
                to.source(*source) != *source || to.scope(**scope) != **scope
            })
            .map(|(key, scope)| (*key, *scope))
            .collect();
        for (key, _) in &changed {
            map.block_scopes.remove(key);
        }
        for ((source, body, expr), scope) in changed {
            map.block_scopes.insert((to.source(source), body, expr), to.scope(scope));
        }
        for pending in &mut collector.pending {
            pending.call = to.def(pending.call);
            pending.ctx.scope = to.scope(pending.ctx.scope);
            pending.ctx.module = to.def(pending.ctx.module);
            pending.ctx.parent = pending.ctx.parent.map(|it| to.def(it));
            pending.textual = to.textual(pending.textual);
        }
        collector.macros.renumbered();
        self.begin(&collector.map);
        Some(())
    }

    /// Expansions, in the order in which they were made.
    fn sources(
        &mut self,
        collector: &mut Collector<'_>,
        to: &mut Renumbering,
        renewed: Option<FileIdx>,
    ) {
        let map = &mut collector.map;
        // From now on their definitions are listed, not a contiguous range.
        let fresh = (to.mark.sources..map.sources.len()).map(|at| FileIdx(at as u32));
        for number in renewed.into_iter().chain(fresh) {
            let ids = map.defs_in(number);
            map.sources[number.0 as usize].ids = ids.into();
        }
        let fresh = map.sources.split_off(to.mark.sources);
        collector.owners.truncate(to.mark.sources);
        for source in fresh {
            let number = match self.expansions.pop_front() {
                Some(number) => {
                    map.sources[number.0 as usize] = source;
                    number
                }
                None => {
                    map.sources.push(source);
                    collector.owners.push(None);
                    FileIdx(map.sources.len() as u32 - 1)
                }
            };
            to.sources.push(number);
        }
        for list in map.macros.expansions.values_mut() {
            list.iter_mut().for_each(|it| *it = to.source(*it));
        }
    }

    /// Definitions, by their stable names; variants with their enum. Returns all of them.
    fn defs(&mut self, map: &mut DefMap, to: &mut Renumbering) -> Vec<DefId> {
        const UNASSIGNED: DefId = DefId(NONE);
        let mark = to.mark.defs;
        let defs = map.defs.split_off(mark);
        to.defs = vec![UNASSIGNED; defs.len()];
        let mut next = mark as u32;
        for (at, def) in defs.iter().enumerate() {
            if to.defs[at] != UNASSIGNED {
                continue;
            }
            let is_variant = def.variant.is_some();
            let known = if is_variant { None } else { self.defs.remove(&def.ident) };
            to.defs[at] = known.unwrap_or_else(|| {
                next += 1;
                DefId(next - 1)
            });
            if let Some(known) = known
                && def.kind == ItemKind::Enum
                && let Some(first) = (def.inner as usize).checked_sub(mark)
            {
                let (first_old, count) = self.map.variants_of(known);
                let is_of = |it: &&Def| it.variant.is_some() && it.item == def.item;
                let now = defs.get(first..).unwrap_or_default().iter().take_while(is_of).count();
                if now == count as usize {
                    for nth in 0..now {
                        let variant = DefId(first_old + nth as u32);
                        to.defs[first + nth] = variant;
                        self.variants.remove(&variant);
                    }
                }
            }
        }
        map.defs.resize(next as usize, Def::none(UNASSIGNED, FileIdx(0), NONE));
        for (at, def) in defs.into_iter().enumerate() {
            let inner = match def.kind {
                ItemKind::Enum => to.def(DefId(def.inner)).0,
                _ => def.inner,
            };
            map.defs[to.defs[at].idx()] = Def {
                inner,
                file: to.source(def.file),
                module: to.def(def.module),
                parent: def.parent.map(|it| to.def(it)),
                ..def
            };
        }
        for source in &mut map.sources {
            if let Some(call) = &mut source.call {
                *call = to.def(*call);
            }
            if source.ids.iter().any(|id| to.def(*id) != *id) {
                source.ids = source.ids.iter().map(|id| to.def(*id)).collect();
            }
        }
        to.defs.clone()
    }

    /// Modules and blocks, by their stable names.
    fn scopes(&mut self, map: &mut DefMap, to: &mut Renumbering) {
        let fresh = map.scopes.split_off(to.mark.scopes);
        let mut next = to.mark.scopes as u32;
        for scope in &fresh {
            let number = self.scopes.remove(&scope.ident).unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            to.scopes.push(number);
        }
        if let Some(blank) = map.scopes.first().cloned() {
            map.scopes.resize(next as usize, blank);
        }
        for (scope, number) in fresh.into_iter().zip(&to.scopes) {
            let of = &mut map.scopes[*number as usize];
            // Traits are collected again when the imports are resolved.
            let is_known = (*number as usize) < to.mark.scopes;
            let traits = if is_known { std::mem::take(&mut of.traits) } else { Vec::new() };
            *of = super::table::ScopeData {
                parent: to.scope(scope.parent),
                module: to.scope(scope.module),
                def: to.def(scope.def),
                traits,
                ..scope
            };
        }
        self.own_scopes.extend_from_slice(&to.scopes);
        for id in &to.defs {
            let def = &mut map.defs[id.idx()];
            def.scope = to.scope(def.scope);
            if def.kind != ItemKind::Enum {
                def.inner = to.scope(def.inner);
            }
        }
    }

    /// Imports, by their [`ImportKey`]; known ones keep their results.
    fn imports(&mut self, map: &mut DefMap, to: &mut Renumbering) {
        let fresh = map.imports.leaves.split_off(to.mark.imports);
        for mut import in fresh {
            import.def = to.def(import.def);
            import.scope = to.scope(import.scope);
            if import.vis != NONE {
                import.vis = to.scope(import.vis);
            }
            let known =
                self.imports.get_mut(&import_key(map, &import)).and_then(VecDeque::pop_front);
            to.imports.push(match known {
                Some(number) => {
                    let old = &mut map.imports.leaves[number as usize];
                    import.results = std::mem::take(&mut old.results);
                    import.dependencies = std::mem::take(&mut old.dependencies);
                    *old = import;
                    number
                }
                None => {
                    let number = map.imports.leaves.len() as u32;
                    map.imports.leaves.push(import);
                    self.new_imports.push(number);
                    number
                }
            });
        }
        for krate in &mut map.crates {
            krate.extern_items.iter_mut().for_each(|it| it.1 = to.import(it.1));
            krate.macro_use.iter_mut().for_each(|it| *it = to.import(*it));
        }
    }

    /// Textual macros: if other files see them they must be the same, in the same order.
    fn textual(&mut self, map: &mut DefMap, to: &mut Renumbering) -> Option<()> {
        for it in map.macros.textual.split_off(to.mark.textual) {
            let it = TextualMacro { def: to.def(it.def), above: to.textual(it.above), ..it };
            let is_same = |number: &u32| {
                let known = map.macros.textual[*number as usize];
                (known.name, known.def, known.above) == (it.name, it.def, it.above)
            };
            if let Some(number) = self.textual.front().copied().filter(is_same) {
                self.textual.pop_front();
                to.textual.push(number);
            } else if self.is_closed {
                to.textual.push(map.macros.textual.len() as u32);
                map.macros.textual.push(it);
            } else {
                return None;
            }
        }
        Some(())
    }

    /// Removes what was not matched. `None`: a visible textual macro was removed.
    pub(super) fn finish(self, map: &mut DefMap) -> Option<()> {
        if !self.is_closed && !self.textual.is_empty() {
            return None;
        }
        for number in &self.textual {
            map.macros.textual[*number as usize].is_removed = true;
        }
        #[allow(clippy::iter_over_hash_type, reason = "the removals are independent")]
        for id in self.defs.into_values().chain(self.variants) {
            map.remove_def(id);
        }
        #[allow(clippy::iter_over_hash_type, reason = "the removals are independent")]
        for number in self.scopes.into_values() {
            let scope = &mut map.scopes[number as usize];
            scope.ident = 0;
            scope.is_block = true;
            scope.globs = Vec::new();
            scope.underscores = Vec::new();
            scope.macros = Vec::new();
        }
        for number in self.imports.into_values().flatten() {
            let import = &mut map.imports.leaves[number as usize];
            import.is_removed = true;
            import.kind = ImportKind::Name;
            import.results = Vec::new();
            import.dependencies = Default::default();
        }
        for number in self.expansions {
            let source = &mut map.sources[number.0 as usize];
            source.is_removed = true;
            source.facts = Default::default();
            source.text = "".into();
            source.origins = [].into();
            source.ids = [].into();
        }
        Some(())
    }
}

impl DefMap {
    fn remove_def(&mut self, id: DefId) {
        let def = &mut self.defs[id.idx()];
        *def = Def::none(id, def.file, NONE);
    }
}

fn import_key(map: &DefMap, import: &Import) -> ImportKey {
    let path = &map.imports.paths[import.path.0 as usize..import.path.1 as usize];
    (import.scope, path.to_vec(), import.is_global, import.kind as u8, import.vis)
}
