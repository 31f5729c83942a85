//! Numbers that outlive a patch: what a file has as before keeps the number that it had, so that
//! what is known elsewhere stays good.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::BuildHasherDefault;

use super::collect::Collector;
use super::table::{Brings, FastHasher, Import, NONE, TextualMacro, What};
use super::{Def, DefId, DefKind, DefMap, Symbol};
use crate::FileIdx;

type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// What an import says: scope, path, whether it is global, what it brings, who sees it.
type Said = (u32, Vec<Symbol>, bool, u8, u32);

/// What of a file was in the map before and has not been found again.
pub(super) struct Former<'m> {
    /// The map before.
    map: &'m DefMap,
    defs: FastMap<u64, DefId>,
    variants: BTreeSet<DefId>,
    scopes: FastMap<u64, u32>,
    imports: BTreeMap<Said, VecDeque<u32>>,
    textual: VecDeque<u32>,
    /// Nobody else sees the textual macros of the file: they may become others.
    pub(super) is_closed: bool,
    /// The textual macros at the end of the file, which it may hand on.
    pub(super) end: u32,
    expansions: VecDeque<FileIdx>,
    /// Where what is new begins.
    mark: Mark,
    /// All scopes of the file so far.
    pub(super) own_scopes: Vec<u32>,
    /// Its imports that were not there before.
    pub(super) new_imports: Vec<u32>,
}

#[derive(Default)]
struct Mark {
    sources: usize,
    defs: usize,
    scopes: usize,
    imports: usize,
    textual: usize,
    names: (usize, usize),
}

impl Mark {
    fn of(map: &DefMap) -> Self {
        Self {
            sources: map.sources.len(),
            defs: map.defs.len(),
            scopes: map.scopes.len(),
            imports: map.imports.len(),
            textual: map.textual.len(),
            names: map.names.mark(),
        }
    }
}

/// From numbers that were given while the file was read to those that stay.
struct To {
    mark: Mark,
    sources: Vec<FileIdx>,
    defs: Vec<DefId>,
    scopes: Vec<u32>,
    imports: Vec<u32>,
    textual: Vec<u32>,
}

impl To {
    fn source(&self, it: FileIdx) -> FileIdx {
        let at = (it.0 as usize).checked_sub(self.mark.sources);
        at.and_then(|at| self.sources.get(at)).copied().unwrap_or(it)
    }

    fn def(&self, it: DefId) -> DefId {
        let at = it.idx().checked_sub(self.mark.defs);
        at.and_then(|at| self.defs.get(at)).copied().unwrap_or(it)
    }

    fn scope(&self, it: u32) -> u32 {
        number(it, self.mark.scopes, &self.scopes)
    }

    fn import(&self, it: u32) -> u32 {
        number(it, self.mark.imports, &self.imports)
    }

    fn textual(&self, it: u32) -> u32 {
        number(it, self.mark.textual, &self.textual)
    }
}

fn number(it: u32, mark: usize, to: &[u32]) -> u32 {
    let at = (it as usize).checked_sub(mark);
    at.and_then(|at| to.get(at)).copied().unwrap_or(it)
}

/// What of the map before belongs to one file.
pub(super) struct Own {
    /// By number.
    pub(super) defs: Vec<bool>,
    /// By number.
    pub(super) imports: Vec<bool>,
    /// Without the scope of the module that the file is.
    pub(super) scopes: Vec<u32>,
    pub(super) textual: Vec<u32>,
    /// The file and the expansions in it.
    pub(super) sources: Vec<FileIdx>,
}

impl DefMap {
    /// What a file and the expansions in it brought into the map.
    pub(super) fn own(&self, file: FileIdx) -> Own {
        let mut sources = vec![file];
        sources.extend_from_slice(self.expansions(file));
        let mut defs = vec![false; self.defs.len()];
        for source in &sources {
            self.defs_in(*source).into_iter().for_each(|id| defs[id.idx()] = true);
        }
        let imports = self.imports.iter().map(|it| !it.is_gone && defs[it.def.idx()]).collect();
        let scopes = self.scopes.iter().enumerate().filter(|(_, it)| {
            // The content of a module in a file of its own is that file's.
            defs[it.def.idx()] && (it.is_block || !self.contents.contains_key(&it.def))
        });
        let textual = self.textual.iter().enumerate();
        let textual = textual.filter(|(_, it)| !it.is_gone && defs[it.def.idx()]);
        Own {
            imports,
            scopes: scopes.map(|(at, _)| at as u32).collect(),
            textual: textual.map(|(at, _)| at as u32).collect(),
            sources,
            defs,
        }
    }

    /// The definitions of a text: its items, then the variants of its enums.
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

impl<'m> Former<'m> {
    pub(super) fn new(map: &'m DefMap, own: &Own, root: u32) -> Self {
        let ids = own.defs.iter().enumerate().filter(|(_, is_own)| **is_own);
        let ids = ids.map(|(at, _)| DefId(at as u32));
        let (variants, defs): (Vec<_>, Vec<_>) = ids.partition(|id| map.def(*id).variant.is_some());
        let scopes = own.scopes.iter().map(|at| (map.scopes[*at as usize].ident, *at)).collect();
        let mut imports: BTreeMap<Said, VecDeque<u32>> = BTreeMap::new();
        for (at, import) in map.imports.iter().enumerate().filter(|(at, _)| own.imports[*at]) {
            imports.entry(said(map, import)).or_default().push_back(at as u32);
        }
        Self {
            map,
            defs: defs.into_iter().map(|id| (map.idents[id.idx()], id)).collect(),
            variants: variants.into_iter().collect(),
            scopes,
            imports,
            textual: own.textual.iter().copied().collect(),
            is_closed: false,
            end: NONE,
            expansions: own.sources.iter().skip(1).copied().collect(),
            mark: Mark::default(),
            own_scopes: vec![root],
            new_imports: Vec::new(),
        }
    }

    /// What comes into the map from here on is new.
    pub(super) fn begin(&mut self, map: &DefMap) {
        self.mark = Mark::of(map);
    }

    /// Gives what came in since [`Former::begin`] the numbers that it keeps. `source`: whose
    /// definitions were made anew at the end. `None`: textual macros are others now.
    pub(super) fn settle(
        &mut self,
        collector: &mut Collector<'_>,
        source: Option<FileIdx>,
    ) -> Option<()> {
        let mark = std::mem::take(&mut self.mark);
        let mut to = To {
            sources: Vec::new(),
            defs: Vec::new(),
            scopes: Vec::new(),
            imports: Vec::new(),
            textual: Vec::new(),
            mark,
        };
        self.sources(collector, &mut to, source);
        let map = &mut collector.map;
        let fresh = self.defs(map, &mut to);
        self.scopes(map, &mut to);
        map.names_to(&to);
        self.imports(map, &mut to);
        map.names_import(&to);
        self.textual(map, &mut to)?;
        self.end = to.textual(self.end);
        for id in fresh {
            let ident = map.idents[id.idx()];
            map.by_ident.insert(ident, id);
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

    /// Expansions: in the order in which they were made.
    fn sources(&mut self, collector: &mut Collector<'_>, to: &mut To, renewed: Option<FileIdx>) {
        let map = &mut collector.map;
        // What they hold is known by numbers of its own from now on.
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
        for list in map.expansions.values_mut() {
            list.iter_mut().for_each(|it| *it = to.source(*it));
        }
    }

    /// Definitions, by their stable names; variants with their enum. Answers with all of them.
    fn defs(&mut self, map: &mut DefMap, to: &mut To) -> Vec<DefId> {
        const OPEN: DefId = DefId(NONE);
        let mark = to.mark.defs;
        let defs = map.defs.split_off(mark);
        let def_scopes = map.def_scopes.split_off(mark);
        let inner = map.inner.split_off(mark);
        let canon_hashes = map.canon_hashes.split_off(mark);
        let idents = map.idents.split_off(mark);
        to.defs = vec![OPEN; defs.len()];
        let mut next = mark as u32;
        for (at, def) in defs.iter().enumerate() {
            if to.defs[at] != OPEN {
                continue;
            }
            let is_variant = def.variant.is_some();
            let known = if is_variant { None } else { self.defs.remove(&idents[at]) };
            to.defs[at] = known.unwrap_or_else(|| {
                next += 1;
                DefId(next - 1)
            });
            if let Some(known) = known
                && def.kind == DefKind::Enum
                && let Some(first) = (inner[at] as usize).checked_sub(mark)
            {
                let (former, count) = self.map.variants_of(known);
                let is_of = |it: &&Def| it.variant.is_some() && it.item == def.item;
                let now = defs.get(first..).unwrap_or_default().iter().take_while(is_of).count();
                if now == count as usize {
                    for nth in 0..now {
                        let variant = DefId(former + nth as u32);
                        to.defs[first + nth] = variant;
                        self.variants.remove(&variant);
                    }
                }
            }
        }
        map.defs.resize(next as usize, Def::none(OPEN, FileIdx(0), NONE));
        map.def_scopes.resize(next as usize, NONE);
        map.inner.resize(next as usize, NONE);
        map.canon_hashes.resize(next as usize, 0);
        map.idents.resize(next as usize, 0);
        for (at, def) in defs.into_iter().enumerate() {
            let id = to.defs[at].idx();
            map.canon_hashes[id] = canon_hashes[at];
            map.idents[id] = idents[at];
            map.def_scopes[id] = def_scopes[at];
            map.inner[id] = match def.kind {
                DefKind::Enum => to.def(DefId(inner[at])).0,
                _ => inner[at],
            };
            map.defs[id] = Def {
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
    fn scopes(&mut self, map: &mut DefMap, to: &mut To) {
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
            map.scopes[*number as usize] = super::table::ScopeData {
                parent: to.scope(scope.parent),
                module: to.scope(scope.module),
                def: to.def(scope.def),
                ..scope
            };
        }
        self.own_scopes.extend_from_slice(&to.scopes);
        for id in &to.defs {
            let (scope, inner) = (&mut map.def_scopes[id.idx()], &mut map.inner[id.idx()]);
            *scope = to.scope(*scope);
            if map.defs[id.idx()].kind != DefKind::Enum {
                *inner = to.scope(*inner);
            }
        }
    }

    /// Imports, by what they say: where they lead is not looked for again.
    fn imports(&mut self, map: &mut DefMap, to: &mut To) {
        let fresh = map.imports.split_off(to.mark.imports);
        for mut import in fresh {
            import.def = to.def(import.def);
            import.scope = to.scope(import.scope);
            if import.vis != NONE {
                import.vis = to.scope(import.vis);
            }
            let known = self.imports.get_mut(&said(map, &import)).and_then(VecDeque::pop_front);
            to.imports.push(match known {
                Some(number) => {
                    let place = &mut map.imports[number as usize];
                    import.results = std::mem::take(&mut place.results);
                    *place = import;
                    number
                }
                None => {
                    let number = map.imports.len() as u32;
                    map.imports.push(import);
                    map.import_rests.push(Default::default());
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

    /// Textual macros: where others see them they must be the same, in the same order.
    fn textual(&mut self, map: &mut DefMap, to: &mut To) -> Option<()> {
        for it in map.textual.split_off(to.mark.textual) {
            let it = TextualMacro { def: to.def(it.def), above: to.textual(it.above), ..it };
            let is_it = |number: &u32| {
                let known = map.textual[*number as usize];
                (known.name, known.def, known.above) == (it.name, it.def, it.above)
            };
            if let Some(number) = self.textual.front().copied().filter(is_it) {
                self.textual.pop_front();
                to.textual.push(number);
            } else if self.is_closed {
                to.textual.push(map.textual.len() as u32);
                map.textual.push(it);
            } else {
                return None;
            }
        }
        Some(())
    }

    /// What was not found again is taken out. `None`: a textual macro is gone.
    pub(super) fn finish(self, map: &mut DefMap) -> Option<()> {
        if !self.is_closed && !self.textual.is_empty() {
            return None;
        }
        for number in &self.textual {
            map.textual[*number as usize].is_gone = true;
        }
        #[allow(clippy::iter_over_hash_type, reason = "each is taken out by itself")]
        for id in self.defs.into_values().chain(self.variants) {
            map.remove_def(id);
        }
        #[allow(clippy::iter_over_hash_type, reason = "each is taken out by itself")]
        for number in self.scopes.into_values() {
            let scope = &mut map.scopes[number as usize];
            scope.ident = 0;
            scope.is_block = true;
            scope.globs = Vec::new();
            scope.underscores = Vec::new();
            scope.macros = Vec::new();
        }
        for number in self.imports.into_values().flatten() {
            let import = &mut map.imports[number as usize];
            import.is_gone = true;
            import.brings = Brings::Name;
            import.results = Vec::new();
            map.import_rests[number as usize] = Default::default();
        }
        for number in self.expansions {
            let source = &mut map.sources[number.0 as usize];
            source.is_gone = true;
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
        let at = id.idx();
        let file = self.defs[at].file;
        self.defs[at] = Def::none(id, file, NONE);
        self.def_scopes[at] = NONE;
        self.inner[at] = NONE;
        self.canon_hashes[at] = 0;
        self.idents[at] = 0;
    }

    fn names_to(&mut self, to: &To) {
        let what = |what| match what {
            What::Item(def) => What::Item(to.def(def)),
            import => import,
        };
        self.names.renumber(to.mark.names, |it| to.scope(it), what);
    }

    fn names_import(&mut self, to: &To) {
        let what = |what| match what {
            What::Import(number) => What::Import(to.import(number)),
            item => item,
        };
        // Scopes have their numbers already.
        self.names.renumber(to.mark.names, |it| it, what);
    }
}

fn said(map: &DefMap, import: &Import) -> Said {
    let path = &map.import_paths[import.path.0 as usize..import.path.1 as usize];
    (import.scope, path.to_vec(), import.is_global, import.brings as u8, import.vis)
}
