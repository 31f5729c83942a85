//! The map after one file says something else, without building it anew.
//!
//! What the file brought into the map is taken out, the file is read again where it was entered,
//! and what it has as before gets the numbers that it had ([`super::renumber`]): so all that others
//! know of it stays good. Then only those imports and impls are looked at again that rest on a key
//! whose answer changed. Where a file has more to say than that – other modules in files of their
//! own, other macros for others –, there is no patch, and the map is built.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock};

use syntax::facts::{FileFacts, Shape, UseWhat};

use super::collect::{Collector, Ctx, has_main};
use super::digest::{Ask, Part, differences};
use super::impls::{renew_impls, renew_members, renew_traits};
use super::imports::{Consulted, Externals, RestsOn, resolve_some};
use super::modules::{Files, inner_cfg};
use super::renumber::{Former, Own};
use super::table::{Brings, What};
use super::{DefId, DefKind, DefMap, Existence, Namespace, Resolution, Scope};
use crate::deps::Mix;
use crate::workspace::FileInput;
use crate::{CfgSet, CrateInput, FileIdx, KeySet};

/// What a patch changed.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Keys of lookups that are answered differently now.
    pub keys: KeySet,
    /// Files of whose definitions something else is to be said: those that were patched, and those
    /// with twins of what is in them. Sorted.
    pub files: Vec<FileIdx>,
}

/// A macro call at item level whose macro is found by a path.
#[derive(Clone, Debug)]
pub(super) struct PathCall {
    scope: u32,
    of: Option<DefId>,
    rests: RestsOn,
}

/// What others rest on of a module in a file of its own; last, whether it hands macros on.
type FileModule = (u32, u32, (bool, Existence, bool), DefId, Option<Box<str>>, bool);

/// What others rest on of a macro: who may call it, whether it is there, its text.
type Macro = ((u64, bool, Existence), Box<str>);

/// How many files may be read again because a macro that they call is another; beyond that a build
/// costs less.
const MOST_CALLERS: usize = 16;

impl DefMap {
    /// The map after some files say something else; all else – crates, cfg, the list of files – is
    /// as it was. `None`: the change goes too deep, the map must be built.
    pub fn patched(
        &self,
        crates: &[CrateInput],
        changes: &[(FileIdx, FileInput)],
    ) -> Option<(DefMap, Patch)> {
        self.patched_in(self.spare(), crates, changes)
    }

    /// A copy with room for what a patch brings. It is most of what a patch costs, so whoever waits
    /// for the next one makes it ahead.
    pub fn spare(&self) -> DefMap {
        const ROOM: usize = 1 << 10;
        let mut map = self.clone();
        map.sources.reserve(ROOM);
        map.defs.reserve(ROOM);
        map.def_scopes.reserve(ROOM);
        map.inner.reserve(ROOM);
        map.canon_hashes.reserve(ROOM);
        map.idents.reserve(ROOM);
        map.file_symbols.reserve(ROOM);
        map.scopes.reserve(ROOM);
        map.imports.reserve(ROOM);
        map.import_paths.reserve(ROOM);
        map.import_rests.reserve(ROOM);
        map.names.reserve(ROOM);
        map
    }

    /// As [`DefMap::patched`], by one who has a copy of this map already.
    pub fn patched_in(
        &self,
        copy: DefMap,
        crates: &[CrateInput],
        changes: &[(FileIdx, FileInput)],
    ) -> Option<(DefMap, Patch)> {
        let (mut keys, mut files) = (Vec::new(), BTreeSet::new());
        let mut copy = Some(copy);
        let mut map: Option<DefMap> = None;
        let mut queue: VecDeque<(FileIdx, FileInput)> = changes.iter().cloned().collect();
        let mut fuel = changes.len() + MOST_CALLERS;
        while let Some((file, input)) = queue.pop_front() {
            fuel = fuel.checked_sub(1)?;
            let before = map.as_ref().unwrap_or(self);
            let spare = copy.take().unwrap_or_else(|| before.spare());
            let (next, macros) =
                before.patched_file(spare, crates, file, &input, &mut keys, &mut files)?;
            // Who calls a macro that is another now is read again as it stands.
            for (caller, called) in &next.calls {
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
        Some((map?, Patch { keys: KeySet::new(keys), files: files.into_iter().collect() }))
    }

    fn patched_file(
        &self,
        mut map: DefMap,
        crates: &[CrateInput],
        file: FileIdx,
        input: &FileInput,
        keys: &mut Vec<u64>,
        files: &mut BTreeSet<FileIdx>,
    ) -> Option<(DefMap, Vec<u64>)> {
        let before = self.sources.get(file.0 as usize)?;
        let entered = self.entered.get(&file)?;
        let root = self.module_of_file(file)?;
        let (def, at) = (self.def(root), self.inner[root.idx()]);
        let krate = self.crates.get(def.krate.0 as usize)?;
        let none = CfgSet::default();
        let mut cfgs: Vec<&CfgSet> = crates.iter().map(|it| &it.cfg).collect();
        cfgs.extend([&none, &none]);
        let is_on = |facts: &FileFacts| {
            let cfgs_of = facts.inner_attributes.iter().filter_map(|it| inner_cfg(it));
            let set = cfgs.get(def.krate.0 as usize);
            set.is_none_or(|set| cfgs_of.into_iter().all(|cfg| set.holds(cfg)))
        };
        let is_plain = !krate.is_proc_macro
            && def.existence != Existence::No
            && before.path == input.path
            && is_on(&before.facts) == is_on(&input.facts)
            && is_alone(&before.facts)
            && is_alone(&input.facts)
            && self.weight() < self.built * 2;
        if !is_plain || self.scopes.get(at as usize).is_none() {
            return None;
        }
        let own = self.own(file);
        let old_ids = self.ids_in(file);
        let modules = self.file_modules(&old_ids);
        let mut former = Former::new(self, &own, at);
        former.is_closed = !entered.leaks && modules.is_empty();
        let is_closed = former.is_closed;
        map.take_out(file, &own, at, entered.textual);
        former.begin(&map);
        let (facts, text) = (input.facts.clone(), input.text.clone());
        let source = map.source_at(file, input.path.clone(), facts, text, false);
        map.sources[file.0 as usize] = source;

        let paths = self.sources.iter().take_while(|it| !it.is_std).enumerate();
        let paths = paths.map(|(at, it)| (it.path.as_str(), FileIdx(at as u32))).collect();
        let mut collector = Collector::new(map, cfgs, Files::new(paths, Vec::new()));
        collector.owners.clone_from(&self.file_roots);
        collector.before = self.entered.clone();
        collector.macros.before = self.macro_cache.clone();
        collector.expanded = self.sources.iter().filter(|it| it.call.is_some()).count();
        collector.textual = entered.textual;
        let ctx = Ctx {
            scope: at,
            module: root,
            parent: None,
            is_active: def.is_active,
            existence: def.existence,
            ..entered.ctx
        };
        let frame = collector.frame(file, ctx, entered.folders.clone(), None);
        collector.frames.push(frame);
        collector.run();
        former.end = collector.textual;
        let mut externals = Externals::of(&self.externals);
        let mut calls: BTreeMap<DefId, u32> = BTreeMap::new();
        let mut renewed = Some(file);
        for round in 0.. {
            if !collector.deferred.is_empty() {
                return None;
            }
            former.settle(&mut collector, renewed.take())?;
            let ids = collector.map.ids_in(file);
            let now = collector.map.flags(&ids);
            let is_gone = |id: DefId| now[id.idx()] || own.has(id);
            renew_members(&mut collector.map, is_gone, ids.into_iter());
            if collector.pending.is_empty() {
                break;
            }
            calls.extend(collector.pending.iter().map(|it| (it.call, it.ctx.scope)));
            resolve_some(&mut collector.map, &mut externals, &former.new_imports);
            if !collector.pending(round) {
                break;
            }
        }
        let open: BTreeSet<DefId> = collector.pending.iter().map(|it| it.call).collect();
        let Collector { mut map, owners, macros, calls: mut called, .. } = collector;
        if entered.leaks && former.end != entered.end {
            return None;
        }
        map.file_roots = owners;
        let called = called.remove(&file).map(|all| all.into_iter().collect::<Arc<[u64]>>());
        match called {
            Some(called) => map.calls.insert(file, called),
            None => map.calls.remove(&file),
        };
        if let Some(cache) = self.macro_cache.with(&macros.now) {
            map.macro_cache = std::sync::Arc::new(cache);
        }
        let new_imports = former.new_imports.clone();
        let scopes = former.own_scopes.clone();
        former.finish(&mut map)?;
        let ids = map.ids_in(file);
        let macros = self.other_macros(&old_ids, &map, &ids, is_closed)?;
        if modules != map.file_modules(&ids)
            || (!modules.is_empty() && self.macro_order(&old_ids) != map.macro_order(&ids))
            || has_main(self, at) != has_main(&map, at)
            || self.has_extern_crate(&old_ids)
            || map.has_extern_crate(&ids)
        {
            return None;
        }
        map.hash_textual();

        let mut old = self.part(&old_ids, &own.scopes, at, &own.sources);
        let mut new = map.part(&ids, &scopes, at, &map.sources_in(file));
        let mut names = Vec::new();
        differences(&self.digests_of(&old), &map.digests_of(&new), &mut names);
        map.keys_of_imports(&new_imports, &mut names);
        let mut seeds = new_imports;
        if !own.textual.is_empty() {
            let own = new.imports.iter().enumerate().filter(|(_, is_own)| **is_own);
            seeds.extend(own.map(|(at, _)| at as u32));
        }
        let affected = map.affected(&KeySet::new(names.clone()), &seeds);
        if !affected.is_empty() {
            resolve_some(&mut map, &mut externals, &affected);
        }
        for number in &affected {
            let scope = map.imports[*number as usize].scope as usize;
            for part in [&mut old, &mut new] {
                for (flags, at) in
                    [(&mut part.imports, *number as usize), (&mut part.scopes, scope)]
                {
                    if let Some(flag) = flags.get_mut(at) {
                        *flag = true;
                    }
                }
            }
        }
        renew_traits(&mut map, |at| old.has_scope(at) || new.has_scope(at));
        let mut changed = Vec::new();
        if affected.is_empty() {
            // But for their traits nothing is said otherwise than when the names were looked at.
            changed = names;
            differences(&self.scope_digests_of(&old), &map.scope_digests_of(&new), &mut changed);
        } else {
            differences(&self.digests_of(&old), &map.digests_of(&new), &mut changed);
        }
        let changed = KeySet::new(changed);
        map.renew_impls_after(self, &changed, &own, &ids, &new, keys);
        map.check_calls(self, &changed, &own, calls, &open, &affected)?;
        keys.extend_from_slice(changed.as_slice());
        files.insert(file);
        if let Some(twins) = self.twins.get() {
            let is_own = |id: DefId| own.has(id) || new.has_def(id);
            let (twins, renamed) = map.twins_after(twins, is_own, &ids);
            files.extend(renamed.iter().filter(|id| !map.is_std(**id)).map(|id| {
                let source = map.source(map.def(*id).file);
                if source.call.is_some() { source.site.0 } else { map.def(*id).file }
            }));
            map.twins = OnceLock::from(twins);
        }
        Some((map, macros))
    }

    /// How much there is, what patches left behind too.
    pub(super) fn weight(&self) -> usize {
        self.defs.len() + self.file_symbols.len() + self.names.mark().1 + self.import_paths.len()
    }

    /// Takes out what a file brought in.
    fn take_out(&mut self, file: FileIdx, own: &Own, at: u32, textual: u32) {
        self.digests = OnceLock::new();
        self.families = super::families::Families::default();
        self.twins = OnceLock::new();
        self.names.retract(|what| match what {
            What::Item(def) => own.has(def),
            What::Import(number) => own.imports.get(number as usize).is_some_and(|it| *it),
        });
        let scope = &mut self.scopes[at as usize];
        scope.globs.clear();
        scope.underscores.clear();
        scope.macros = vec![(0, textual)];
        for source in &own.sources {
            let range = (*source, 0, 0)..=(*source, u32::MAX, u32::MAX);
            let keys: Vec<_> = self.block_scopes.range(range).map(|(key, _)| *key).collect();
            for key in keys {
                self.block_scopes.remove(&key);
            }
        }
        self.expansions.remove(&file);
        self.problems.retain(|problem| problem.file != file);
        for (ident, is_own) in self.idents.iter().zip(&own.defs) {
            if *is_own {
                self.by_ident.remove(ident);
            }
        }
    }

    fn sources_in(&self, file: FileIdx) -> Vec<FileIdx> {
        std::iter::once(file).chain(self.expansions(file).iter().copied()).collect()
    }

    /// The definitions of a file and of the expansions in it.
    fn ids_in(&self, file: FileIdx) -> Vec<DefId> {
        self.sources_in(file).into_iter().flat_map(|source| self.defs_in(source)).collect()
    }

    fn flags(&self, ids: &[DefId]) -> Vec<bool> {
        let mut flags = vec![false; self.defs.len()];
        ids.iter().for_each(|id| flags[id.idx()] = true);
        flags
    }

    fn part(&self, ids: &[DefId], scopes: &[u32], at: u32, sources: &[FileIdx]) -> Part {
        let defs = self.flags(ids);
        let imports = self.imports.iter().map(|it| !it.is_gone && defs[it.def.idx()]).collect();
        let mut flags = vec![false; self.scopes.len()];
        scopes.iter().chain([&at]).for_each(|at| flags[*at as usize] = true);
        Part { defs, imports, scopes: flags, sources: sources.to_vec() }
    }

    /// The modules in files of their own.
    fn file_modules(&self, ids: &[DefId]) -> BTreeMap<DefId, FileModule> {
        let mut found = BTreeMap::new();
        for id in ids {
            let Some((_, _, decl)) = self.facts(*id) else { continue };
            let Shape::Module { is_inline: false, macro_use, .. } = decl.shape else { continue };
            let def = self.def(*id);
            let (inner, scope) = (self.inner[id.idx()], self.def_scopes[id.idx()]);
            let says = (def.is_active, def.existence, def.from_macro);
            found.insert(*id, (inner, scope, says, def.module, decl.cfg.clone(), macro_use));
        }
        found
    }

    /// In which order the macros in textual scope, the calls that make such, and the modules that see
    /// them stand; empty where there are no such macros.
    fn macro_order(&self, ids: &[DefId]) -> Vec<DefId> {
        let own = self.flags(ids);
        let mut counts: BTreeSet<DefId> = BTreeSet::new();
        for it in self.textual.iter().filter(|it| !it.is_gone && own[it.def.idx()]) {
            counts.insert(it.def);
            let mut at = self.def(it.def).file;
            while let Some(call) = self.source(at).call {
                counts.insert(call);
                at = self.def(call).file;
            }
        }
        let hands_on = |id: &DefId| {
            let shape = self.facts(*id).map(|it| &it.2.shape);
            matches!(shape, Some(Shape::Module { is_inline: false, macro_use: true, .. }))
        };
        if counts.is_empty() && !ids.iter().any(hands_on) {
            return Vec::new();
        }
        let is_module = |id: DefId| {
            let shape = self.facts(id).map(|it| &it.2.shape);
            matches!(shape, Some(Shape::Module { is_inline: false, .. }))
        };
        ids.iter().copied().filter(|id| counts.contains(id) || is_module(*id)).collect()
    }

    fn has_extern_crate(&self, ids: &[DefId]) -> bool {
        let own = self.flags(ids);
        let mut imports = self.imports.iter().filter(|it| it.brings == Brings::ExternCrate);
        imports.any(|it| !it.is_gone && own[it.def.idx()])
    }

    /// Stable names of the macros that others may call and that make something else of a call
    /// now. `None`: others may call others, or are others themselves.
    fn other_macros(
        &self,
        old_ids: &[DefId],
        now: &DefMap,
        ids: &[DefId],
        is_closed: bool,
    ) -> Option<Vec<u64>> {
        let was = self.open_macros(old_ids, is_closed);
        let is = now.open_macros(ids, is_closed);
        let says = |all: &BTreeMap<DefId, Macro>| -> Vec<_> {
            all.iter().map(|(id, (says, _))| (*id, *says)).collect()
        };
        if says(&was) != says(&is) {
            return None;
        }
        let differ = was.iter().zip(is.values()).filter(|((_, (_, was)), (_, is))| {
            let passes = |text: &str| syntax::passthrough(text);
            was != is && (passes(was).is_none() || passes(was) != passes(is))
        });
        Some(differ.map(|((id, _), _)| self.idents[id.idx()]).collect())
    }

    /// The macros that others may call; of a file that is closed those that are in no textual scope.
    fn open_macros(&self, ids: &[DefId], is_closed: bool) -> BTreeMap<DefId, Macro> {
        let of = |id: &DefId| {
            let def = self.def(*id);
            let scope = self.scopes.get(self.def_scopes[id.idx()] as usize)?;
            if def.kind != DefKind::Macro || def.existence == Existence::No || scope.is_block {
                return None;
            }
            let (_, item, decl) = self.facts(*id)?;
            let text = self.source(def.file).text.get(item.code_span.start..item.code_span.end);
            let is_exported = matches!(decl.shape, Shape::MacroDef { is_exported: true });
            if is_closed && !is_exported && item.visibility.is_empty() {
                return None;
            }
            let hash = Mix::new(u64::from(is_exported)).text(&item.visibility).finish();
            Some((*id, ((hash, def.is_active, def.existence), text?.into())))
        };
        ids.iter().filter_map(of).collect()
    }

    /// The keys of the lookups that find some imports.
    fn keys_of_imports(&self, imports: &[u32], keys: &mut Vec<u64>) {
        if imports.is_empty() {
            return;
        }
        let set: BTreeSet<u32> = imports.iter().copied().collect();
        for number in imports {
            let import = &self.imports[*number as usize];
            if import.brings == Brings::Glob {
                let scope = &self.scopes[import.scope as usize];
                keys.push(self.key(Ask::Globs(scope.ident)).0);
            }
        }
        for entry in &self.names.entries {
            let is_it = |what: What| matches!(what, What::Import(it) if set.contains(&it));
            if self.names.of(entry).any(|it| is_it(it.what))
                && let Some(scope) = self.scopes.get(entry.scope as usize)
            {
                for ns in [Namespace::Type, Namespace::Value, Namespace::Macro] {
                    keys.push(self.key(Ask::Entry(scope.ident, entry.name, ns)).0);
                }
            }
        }
    }

    /// The imports that rest on one of these keys or seeds, the seeds too.
    fn affected(&self, keys: &KeySet, seeds: &[u32]) -> Vec<u32> {
        let mut is_in = vec![false; self.imports.len()];
        seeds.iter().for_each(|number| is_in[*number as usize] = true);
        if !keys.is_empty() {
            for (rests, is_in) in self.import_rests.iter().zip(&mut is_in) {
                *is_in |= keys.intersects(&rests.keys);
            }
        }
        let mut found = is_in.iter().filter(|it| **it).count();
        while found > 0 {
            for at in 0..is_in.len() {
                let rests = &self.import_rests[at];
                if !is_in[at] && rests.imports.iter().any(|it| is_in[*it as usize]) {
                    is_in[at] = true;
                }
            }
            let now = is_in.iter().filter(|it| **it).count();
            if now == found {
                break;
            }
            found = now;
        }
        (0..is_in.len() as u32).filter(|at| is_in[*at as usize]).collect()
    }

    /// Looks again at the impls of a file, and at those that rest on a key.
    fn renew_impls_after(
        &mut self,
        before: &DefMap,
        changed: &KeySet,
        own: &Own,
        ids: &[DefId],
        new: &Part,
        keys: &mut Vec<u64>,
    ) {
        let others: BTreeSet<DefId> = before
            .impl_rests
            .iter()
            .filter(|(id, rests)| !own.has(**id) && changed.intersects(rests))
            .map(|(id, _)| *id)
            .collect();
        let all: Vec<DefId> = ids.iter().chain(&others).copied().collect();
        let is_in = |id: DefId| own.has(id) || new.has_def(id) || others.contains(&id);
        renew_impls(self, is_in, &all);
        differences(&before.impl_digests_of(is_in), &self.impl_digests_of(is_in), keys);
        let mut names = BTreeSet::new();
        let own_ids = own.defs.iter().enumerate().filter(|(_, is_own)| **is_own);
        before.names_of_methods(own_ids.map(|(at, _)| DefId(at as u32)), &others, &mut names);
        self.names_of_methods(ids.iter().copied(), &others, &mut names);
        let (mut was, mut is) = (Vec::new(), Vec::new());
        for name in names {
            before.digest_family(name, self, &mut was);
            self.digest_family(name, self, &mut is);
        }
        was.sort_unstable();
        is.sort_unstable();
        differences(&was, &is, keys);
    }

    /// Macro calls that a path leads to the macro of must lead to the same as before, and those of
    /// the file to what was made of them. `None`: they do not.
    fn check_calls(
        &mut self,
        before: &DefMap,
        changed: &KeySet,
        own: &Own,
        calls: BTreeMap<DefId, u32>,
        open: &BTreeSet<DefId>,
        affected: &[u32],
    ) -> Option<()> {
        self.pending.retain(|call, _| !own.has(*call));
        for (call, known) in &before.pending {
            if own.has(*call) || !changed.intersects(&known.rests.keys) {
                continue;
            }
            let now = self.path_call(*call, known.scope)?;
            if now.of != known.of {
                return None;
            }
            self.pending.insert(*call, now);
        }
        for (call, scope) in calls {
            let Some(now) = self.path_call(call, scope) else { continue };
            let is_shaky = now.rests.imports.iter().any(|it| affected.binary_search(it).is_ok());
            if now.of.is_some() == open.contains(&call) || (now.of.is_some() && is_shaky) {
                return None;
            }
            self.pending.insert(call, now);
        }
        Some(())
    }

    /// Remembers where paths of macro calls at item level lead.
    pub(super) fn note_path_calls(&mut self, calls: BTreeMap<DefId, u32>) {
        for (call, scope) in calls {
            if let Some(it) = self.path_call(call, scope) {
                self.pending.insert(call, it);
            }
        }
    }

    fn path_call(&self, call: DefId, scope: u32) -> Option<PathCall> {
        let (facts, item, decl) = self.facts(call)?;
        let Shape::MacroCall(path) = decl.shape else { return None };
        let path = facts.paths.get(path.idx())?;
        let file = self.def(call).file;
        let names: Vec<_> =
            path.segments.iter().map(|it| self.file_symbol(file, it.name)).collect();
        let at = Scope { at: scope, item: call, offset: item.code_span.start as u32 };
        let mut consulted = Consulted::default();
        let walk = self.walk(&mut consulted, &at, &names, path.is_global, Namespace::Macro, false);
        let of = match self.resolution(walk, &names) {
            Resolution::Def(of) if self.def(of).kind == DefKind::Macro => Some(of),
            _ => None,
        };
        Some(PathCall { scope, of, rests: consulted.finish() })
    }
}

impl Own {
    pub(super) fn has(&self, id: DefId) -> bool {
        self.defs.get(id.idx()).is_some_and(|it| *it)
    }
}

/// Whether a file has no say in names of its whole crate.
fn is_alone(facts: &FileFacts) -> bool {
    !facts.uses.iter().any(|it| matches!(it.what, UseWhat::ExternCrate(_)))
}
