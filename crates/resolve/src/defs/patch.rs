//! Updates a map after an edit of some files, without building it anew.
//!
//! Everything that the file added to the map is removed, and the file is read again from the state
//! in which it was entered. What is unchanged keeps its indices ([`super::renumber`]), so
//! references from elsewhere stay valid. Then only those imports and impls are resolved again that
//! depend on a key whose result changed. If an edit has effects beyond that – other modules in
//! their own files, other macros for other files –, there is no patch and the map must be built.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock};

use syntax::facts::{FileFacts, Shape, UseWhat};

use super::collect::{Collector, Ctx, has_main};
use super::digest::{LookupKind, MapSubset, differences};
use super::impls::{renew_impls, renew_members, renew_traits};
use super::imports::{Dependencies, DependencyRecorder, Externals, resolve_some};
use super::modules::{Files, inner_cfg};
use super::parts::Cached;
use super::renumber::{FileIds, OldFile};
use super::table::{Binding, ImportKind};
use super::{DefId, DefKind, DefMap, Existence, Namespace, Resolution, Scope};
use crate::deps::Mix;
use crate::workspace::FileInput;
use crate::{CfgSet, CrateInput, FileIdx, KeySet};

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
    scope: u32,
    of: Option<DefId>,
    dependencies: Dependencies,
}

/// What other files depend on in a module with its own file; the last field is whether it passes
/// macros on.
type ModuleState = (u32, u32, (bool, Existence, bool), DefId, Option<Box<str>>, bool);

/// What other files depend on in a macro: where it can be called, whether it exists, its text.
type MacroState = ((u64, bool, Existence), Box<str>);

/// How many files may be read again because a macro that they call changed; beyond that a build is
/// cheaper.
const MAX_CALLERS: usize = 16;

impl DefMap {
    /// The map after an edit of some files; everything else – crates, cfg, the list of files – is
    /// unchanged. `None`: the edit has effects that a patch does not cover, and the map must be
    /// built.
    pub fn patched(
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

    /// The same as [`DefMap::patched`] with a copy of this map made by [`DefMap::clone_for_patch`].
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
        let mut fuel = changes.len() + MAX_CALLERS;
        while let Some((file, input)) = queue.pop_front() {
            fuel = fuel.checked_sub(1)?;
            let before = map.as_ref().unwrap_or(self);
            let copy = copy.take().unwrap_or_else(|| before.clone_for_patch());
            let (next, macros) =
                before.patched_file(copy, crates, file, &input, &mut keys, &mut files)?;
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
        let entered = self.patching.entered.get(&file)?;
        let root = self.module_of_file(file)?;
        let (def, at) = (self.def(root), self.def(root).inner);
        let krate = self.crates.get(def.krate.0 as usize)?;
        let none = CfgSet::default();
        let mut cfgs: Vec<&CfgSet> = crates.iter().map(|it| &it.cfg).collect();
        cfgs.extend([&none, &none]);
        let is_on = |facts: &FileFacts| {
            let cfgs_of = facts.inner_attributes.iter().filter_map(|it| inner_cfg(it));
            let set = cfgs.get(def.krate.0 as usize);
            set.is_none_or(|set| cfgs_of.into_iter().all(|cfg| set.holds(cfg)))
        };
        let can_patch = !krate.is_proc_macro
            && def.existence != Existence::No
            && before.path == input.path
            && is_on(&before.facts) == is_on(&input.facts)
            && is_self_contained(&before.facts)
            && is_self_contained(&input.facts)
            && self.weight() < self.patching.built * 2;
        if !can_patch || self.scopes.get(at as usize).is_none() {
            return None;
        }
        let old_file = self.file_ids(file);
        let old_ids = self.ids_in(file);
        let modules = self.file_modules(&old_ids);
        let mut unmatched = OldFile::new(self, &old_file, at);
        unmatched.is_closed = !entered.leaks && modules.is_empty();
        let is_closed = unmatched.is_closed;
        map.remove_file(file, &old_file, at, entered.textual);
        unmatched.begin(&map);
        let (facts, text) = (input.facts.clone(), input.text.clone());
        let source = map.source_at(file, input.path.clone(), facts, text, false);
        map.sources[file.0 as usize] = source;

        let paths = self.sources.iter().take_while(|it| !it.is_std).enumerate();
        let paths = paths.map(|(at, it)| (it.path.as_str(), FileIdx(at as u32))).collect();
        let mut collector = Collector::new(map, cfgs, Files::new(paths, Vec::new()));
        collector.owners.clone_from(&self.modules.file_roots);
        collector.before = self.patching.entered.clone();
        collector.macros.before = self.macros.cache.clone();
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
        unmatched.end = collector.textual;
        let mut externals = Externals::of(&self.imports.externals);
        let mut calls: BTreeMap<DefId, u32> = BTreeMap::new();
        let mut renewed = Some(file);
        for round in 0.. {
            if !collector.deferred.is_empty() {
                return None;
            }
            unmatched.renumber(&mut collector, renewed.take())?;
            let ids = collector.map.ids_in(file);
            let now = collector.map.flags(&ids);
            let is_removed = |id: DefId| now[id.idx()] || old_file.has(id);
            renew_members(&mut collector.map, is_removed, ids.into_iter());
            if collector.pending.is_empty() {
                break;
            }
            calls.extend(collector.pending.iter().map(|it| (it.call, it.ctx.scope)));
            resolve_some(&mut collector.map, &mut externals, &unmatched.new_imports);
            if !collector.pending(round) {
                break;
            }
        }
        let open: BTreeSet<DefId> = collector.pending.iter().map(|it| it.call).collect();
        let Collector { mut map, owners, macros, calls: mut called, .. } = collector;
        if entered.leaks && unmatched.end != entered.end {
            return None;
        }
        map.modules.file_roots = owners;
        let called = called.remove(&file).map(|all| all.into_iter().collect::<Arc<[u64]>>());
        match called {
            Some(called) => map.patching.called_macros.insert(file, called),
            None => map.patching.called_macros.remove(&file),
        };
        if let Some(cache) = self.macros.cache.with(&macros.now) {
            map.macros.cache = std::sync::Arc::new(cache);
        }
        let new_imports = unmatched.new_imports.clone();
        let scopes = unmatched.own_scopes.clone();
        unmatched.finish(&mut map)?;
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
        let is_own = map.flags(&ids);
        let is_in_file = |id: DefId| old_file.has(id) || is_own[id.idx()];
        // A definition elsewhere with another disambiguator is another item to all its users.
        let disambiguators = map.disambiguators_after(self.disambiguators(), is_in_file, &ids)?;
        map.cached.disambiguators = OnceLock::from(disambiguators);
        map.hash_textual();

        let mut old = self.part(&old_ids, &old_file.scopes, at, &old_file.sources);
        let mut new = map.part(&ids, &scopes, at, &map.sources_in(file));
        let mut names = Vec::new();
        differences(&self.digests_of(&old), &map.digests_of(&new), &mut names);
        map.keys_of_imports(&new_imports, &mut names);
        let mut seeds = new_imports;
        if !old_file.textual.is_empty() {
            let old_file = new.imports.iter().enumerate().filter(|(_, is_in_file)| **is_in_file);
            seeds.extend(old_file.map(|(at, _)| at as u32));
        }
        let affected = map.affected(&KeySet::new(names.clone()), &seeds);
        if !affected.is_empty() {
            resolve_some(&mut map, &mut externals, &affected);
        }
        for number in &affected {
            let scope = map.imports.leaves[*number as usize].scope as usize;
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
            // Except for traits, nothing changed since the names were compared.
            changed = names;
            differences(&self.scope_digests_of(&old), &map.scope_digests_of(&new), &mut changed);
        } else {
            differences(&self.digests_of(&old), &map.digests_of(&new), &mut changed);
        }
        let changed = KeySet::new(changed);
        map.renew_impls_after(self, &changed, &old_file, &ids, &new, keys);
        map.check_calls(self, &changed, &old_file, calls, &open, &affected)?;
        keys.extend_from_slice(changed.as_slice());
        files.insert(file);
        Some((map, macros))
    }

    /// The size of the map, including entries that patches removed.
    pub(super) fn weight(&self) -> usize {
        self.defs.len()
            + self.symbols.of_sources.len()
            + self.names.mark().1
            + self.imports.paths.len()
    }

    /// Removes everything that a file added.
    fn remove_file(&mut self, file: FileIdx, old_file: &FileIds, at: u32, textual: u32) {
        // Lang items are those of the standard library, which no patch changes.
        self.cached = Cached { lang: std::mem::take(&mut self.cached.lang), ..Cached::default() };
        self.names.retract(|binding| match binding {
            Binding::Item(def) => old_file.has(def),
            Binding::Import(number) => old_file.imports.get(number as usize).is_some_and(|it| *it),
        });
        let scope = &mut self.scopes[at as usize];
        scope.globs.clear();
        scope.underscores.clear();
        scope.macros = vec![(0, textual)];
        for source in &old_file.sources {
            let range = (*source, 0, 0)..=(*source, u32::MAX, u32::MAX);
            let keys: Vec<_> = self.block_scopes.range(range).map(|(key, _)| *key).collect();
            for key in keys {
                self.block_scopes.remove(&key);
            }
        }
        self.macros.expansions.remove(&file);
        self.modules.problems.retain(|problem| problem.file != file);
        for (def, is_in_file) in self.defs.iter().zip(&old_file.defs) {
            if *is_in_file {
                self.patching.by_ident.remove(&def.ident);
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

    fn part(&self, ids: &[DefId], scopes: &[u32], at: u32, sources: &[FileIdx]) -> MapSubset {
        let defs = self.flags(ids);
        let imports =
            self.imports.leaves.iter().map(|it| !it.is_removed && defs[it.def.idx()]).collect();
        let mut flags = vec![false; self.scopes.len()];
        scopes.iter().chain([&at]).for_each(|at| flags[*at as usize] = true);
        MapSubset { defs, imports, scopes: flags, sources: sources.to_vec() }
    }

    /// The modules of these definitions that have their own file.
    fn file_modules(&self, ids: &[DefId]) -> BTreeMap<DefId, ModuleState> {
        let mut found = BTreeMap::new();
        for id in ids {
            let Some((_, _, decl)) = self.facts(*id) else { continue };
            let Shape::Module { is_inline: false, macro_use, .. } = decl.shape else { continue };
            let def = self.def(*id);
            let (inner, scope) = (self.def(*id).inner, self.def(*id).scope);
            let state = (def.is_active, def.existence, def.from_macro);
            found.insert(*id, (inner, scope, state, def.module, decl.cfg.clone(), macro_use));
        }
        found
    }

    /// The order of the macros in textual scope, the calls that define such macros, and the modules
    /// that see them; empty if there are no such macros.
    fn macro_order(&self, ids: &[DefId]) -> Vec<DefId> {
        let old_file = self.flags(ids);
        let mut counts: BTreeSet<DefId> = BTreeSet::new();
        for it in self.macros.textual.iter().filter(|it| !it.is_removed && old_file[it.def.idx()]) {
            counts.insert(it.def);
            let mut at = self.def(it.def).file;
            while let Some(call) = self.source(at).call {
                counts.insert(call);
                at = self.def(call).file;
            }
        }
        let passes_macros_on = |id: &DefId| {
            let shape = self.facts(*id).map(|it| &it.2.shape);
            matches!(shape, Some(Shape::Module { is_inline: false, macro_use: true, .. }))
        };
        if counts.is_empty() && !ids.iter().any(passes_macros_on) {
            return Vec::new();
        }
        let is_module = |id: DefId| {
            let shape = self.facts(id).map(|it| &it.2.shape);
            matches!(shape, Some(Shape::Module { is_inline: false, .. }))
        };
        ids.iter().copied().filter(|id| counts.contains(id) || is_module(*id)).collect()
    }

    fn has_extern_crate(&self, ids: &[DefId]) -> bool {
        let old_file = self.flags(ids);
        let mut imports =
            self.imports.leaves.iter().filter(|it| it.kind == ImportKind::ExternCrate);
        imports.any(|it| !it.is_removed && old_file[it.def.idx()])
    }

    /// Stable names of the macros that other files may call and whose calls now expand differently.
    /// `None`: the set of these macros, or where they can be called, changed.
    fn other_macros(
        &self,
        old_ids: &[DefId],
        now: &DefMap,
        ids: &[DefId],
        is_closed: bool,
    ) -> Option<Vec<u64>> {
        let before_edit = self.open_macros(old_ids, is_closed);
        let after_edit = now.open_macros(ids, is_closed);
        let signatures = |all: &BTreeMap<DefId, MacroState>| -> Vec<_> {
            all.iter().map(|(id, (signature, _))| (*id, *signature)).collect()
        };
        if signatures(&before_edit) != signatures(&after_edit) {
            return None;
        }
        let differ = before_edit.iter().zip(after_edit.values()).filter(
            |((_, (_, before_edit)), (_, after_edit))| {
                let passes = |text: &str| syntax::passthrough(text);
                before_edit != after_edit
                    && (passes(before_edit).is_none() || passes(before_edit) != passes(after_edit))
            },
        );
        Some(differ.map(|((id, _), _)| self.def(*id).ident).collect())
    }

    /// The macros that other files may call; for a closed file only those outside textual scope.
    fn open_macros(&self, ids: &[DefId], is_closed: bool) -> BTreeMap<DefId, MacroState> {
        let of = |id: &DefId| {
            let def = self.def(*id);
            let scope = self.scopes.get(self.def(*id).scope as usize)?;
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

    /// Adds the keys of the lookups that find some imports.
    fn keys_of_imports(&self, imports: &[u32], keys: &mut Vec<u64>) {
        if imports.is_empty() {
            return;
        }
        let set: BTreeSet<u32> = imports.iter().copied().collect();
        for number in imports {
            let import = &self.imports.leaves[*number as usize];
            if import.kind == ImportKind::Glob {
                let scope = &self.scopes[import.scope as usize];
                keys.push(self.key(LookupKind::Globs(scope.ident)).0);
            }
        }
        for entry in &self.names.entries {
            let is_it =
                |binding: Binding| matches!(binding, Binding::Import(it) if set.contains(&it));
            if self.names.of(entry).any(|it| is_it(it.binding))
                && let Some(scope) = self.scopes.get(entry.scope as usize)
            {
                for ns in [Namespace::Type, Namespace::Value, Namespace::Macro] {
                    keys.push(self.key(LookupKind::Entry(scope.ident, entry.name, ns)).0);
                }
            }
        }
    }

    /// The imports that depend on one of these keys or seeds, including the seeds.
    fn affected(&self, keys: &KeySet, seeds: &[u32]) -> Vec<u32> {
        let mut is_in = vec![false; self.imports.leaves.len()];
        seeds.iter().for_each(|number| is_in[*number as usize] = true);
        if !keys.is_empty() {
            for (import, is_in) in self.imports.leaves.iter().zip(&mut is_in) {
                *is_in |= keys.intersects(&import.dependencies.keys);
            }
        }
        let mut found = is_in.iter().filter(|it| **it).count();
        while found > 0 {
            for at in 0..is_in.len() {
                let dependencies = &self.imports.leaves[at].dependencies;
                if !is_in[at] && dependencies.imports.iter().any(|it| is_in[*it as usize]) {
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

    /// Indexes the impls of a file again, and the impls that depend on a changed key.
    fn renew_impls_after(
        &mut self,
        before: &DefMap,
        changed: &KeySet,
        old_file: &FileIds,
        ids: &[DefId],
        new: &MapSubset,
        keys: &mut Vec<u64>,
    ) {
        let others: BTreeSet<DefId> = before
            .impls
            .dependencies
            .iter()
            .filter(|(id, dependencies)| !old_file.has(**id) && changed.intersects(dependencies))
            .map(|(id, _)| *id)
            .collect();
        let all: Vec<DefId> = ids.iter().chain(&others).copied().collect();
        let is_in = |id: DefId| old_file.has(id) || new.has_def(id) || others.contains(&id);
        renew_impls(self, is_in, &all);
        differences(&before.impl_digests_of(is_in), &self.impl_digests_of(is_in), keys);
        let mut names = BTreeSet::new();
        let old_file_ids = old_file.defs.iter().enumerate().filter(|(_, is_in_file)| **is_in_file);
        before.names_of_methods(old_file_ids.map(|(at, _)| DefId(at as u32)), &others, &mut names);
        self.names_of_methods(ids.iter().copied(), &others, &mut names);
        let (mut before_edit, mut after_edit) = (Vec::new(), Vec::new());
        for name in names {
            before.digest_family(name, self, &mut before_edit);
            self.digest_family(name, self, &mut after_edit);
        }
        before_edit.sort_unstable();
        after_edit.sort_unstable();
        differences(&before_edit, &after_edit, keys);
    }

    /// Checks that macro calls with a path to their macro resolve as before, and those of the file
    /// as they were expanded. `None`: they do not.
    fn check_calls(
        &mut self,
        before: &DefMap,
        changed: &KeySet,
        old_file: &FileIds,
        calls: BTreeMap<DefId, u32>,
        open: &BTreeSet<DefId>,
        affected: &[u32],
    ) -> Option<()> {
        self.patching.path_calls.retain(|call, _| !old_file.has(*call));
        for (call, known) in &before.patching.path_calls {
            if old_file.has(*call) || !changed.intersects(&known.dependencies.keys) {
                continue;
            }
            let now = self.path_call(*call, known.scope)?;
            if now.of != known.of {
                return None;
            }
            self.patching.path_calls.insert(*call, now);
        }
        for (call, scope) in calls {
            let Some(now) = self.path_call(call, scope) else { continue };
            let is_unstable =
                now.dependencies.imports.iter().any(|it| affected.binary_search(it).is_ok());
            if now.of.is_some() == open.contains(&call) || (now.of.is_some() && is_unstable) {
                return None;
            }
            self.patching.path_calls.insert(call, now);
        }
        Some(())
    }

    /// Stores where the paths of macro calls at item level lead.
    pub(super) fn note_path_calls(&mut self, calls: BTreeMap<DefId, u32>) {
        for (call, scope) in calls {
            if let Some(it) = self.path_call(call, scope) {
                self.patching.path_calls.insert(call, it);
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
        let mut recorder = DependencyRecorder::default();
        let walk = self.walk(&mut recorder, &at, &names, path.is_global, Namespace::Macro, false);
        let of = match self.resolution(walk, &names) {
            Resolution::Def(of) if self.def(of).kind == DefKind::Macro => Some(of),
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

/// Whether a file cannot affect the names of its whole crate.
fn is_self_contained(facts: &FileFacts) -> bool {
    !facts.uses.iter().any(|it| matches!(it.what, UseWhat::ExternCrate(_)))
}
