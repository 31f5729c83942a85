//! The patch of one file, in phases: [`FilePatch::new`] checks that a patch can cover the edit,
//! [`FilePatch::reread`] removes the file from the map and reads it again, [`FilePatch::resolve`]
//! resolves the imports that this affects, and the rest updates impls, macro calls and
//! disambiguators.

use std::sync::{Arc, OnceLock};

use base::{SortedMap, SortedSet};
use syntax::facts::{FileFacts, UseWhat};

use super::collect::{Collector, Ctx, Entered};
use super::digest::differences;
use super::file_ids::FileIds;
use super::impls::{renew_impls, renew_members, renew_traits};
use super::imports::{Externals, resolve_some};
use super::interface::FileInterface;
use super::lookup_key::MapSubset;
use super::modules::{Files, inner_cfg};
use super::parts::Cached;
use super::renumber::OldFile;
use super::table::Binding;
use super::{DefId, DefMap, Existence};
use crate::workspace::{FileInput, NO_CFG};
use crate::{CrateInput, FileIdx, KeySet};

/// The changes made by the patches so far.
#[derive(Default)]
pub(super) struct Changes {
    /// Keys of lookups whose results changed.
    pub(super) keys: Vec<u64>,
    /// Files that were patched.
    pub(super) files: SortedSet<FileIdx>,
}

/// The patch of one file that a patch can cover.
pub(super) struct FilePatch<'m> {
    /// The map before the patch.
    before: &'m DefMap,
    file: FileIdx,
    /// The module whose content the file is, and its scope.
    root: DefId,
    at: u32,
    /// The state in which the file was entered.
    entered: &'m Entered,
    old_file: FileIds,
    old_ids: Vec<DefId>,
    interface: FileInterface,
    /// No other file sees the textual macros of this one.
    is_closed: bool,
}

/// The map with the file read again.
struct Reread {
    map: DefMap,
    externals: Externals,
    /// The file's definitions.
    ids: Vec<DefId>,
    /// Its scopes.
    scopes: Vec<u32>,
    /// Its imports that are new.
    new_imports: Vec<u32>,
    /// Its macro calls whose macro is named by a path.
    calls: PathCalls,
}

/// Macro calls at item level whose macro is named by a path.
#[derive(Default)]
struct PathCalls {
    /// The scope of each.
    scopes: SortedMap<DefId, u32>,
    /// Those whose macro was not found.
    open: SortedSet<DefId>,
}

/// What resolving the affected imports changed.
struct Resolved {
    /// Keys of names, globs and traits whose results changed.
    changed: KeySet,
    /// The imports that were resolved again, sorted.
    affected: Vec<u32>,
    /// The part of the map that belongs to the file.
    new: MapSubset,
}

impl<'m> FilePatch<'m> {
    /// `None`: the edit may have effects that a patch does not cover.
    pub(super) fn new(
        before: &'m DefMap,
        crates: &[CrateInput],
        file: FileIdx,
        input: &FileInput,
    ) -> Option<Self> {
        let source = before.sources.get(file.0 as usize)?;
        let entered = before.patching.entered.get(&file)?;
        let root = before.module_of_file(file)?;
        let def = before.def(root);
        before.scopes.get(def.inner as usize)?;
        let krate = before.crates.get(def.krate.0 as usize)?;
        let cfg = crates.get(def.krate.0 as usize).map_or(&NO_CFG, |it| &it.cfg);
        let is_on = |facts: &FileFacts| {
            facts.inner_attributes.iter().filter_map(|it| inner_cfg(it)).all(|it| cfg.holds(it))
        };
        let can_patch = !krate.is_proc_macro
            && def.existence != Existence::No
            && source.path == input.path
            && is_on(&source.facts) == is_on(&input.facts)
            && is_self_contained(&source.facts, &source.text)
            && is_self_contained(&input.facts, &input.text)
            && before.weight() < before.patching.built * 2;
        if !can_patch {
            return None;
        }
        let old_ids = before.ids_in(file);
        let interface = before.file_interface(&old_ids, def.inner)?;
        Some(Self {
            before,
            file,
            root,
            at: def.inner,
            entered,
            old_file: before.file_ids(file),
            old_ids,
            is_closed: !entered.leaks && !interface.has_modules(),
            interface,
        })
    }

    /// The map after the patch, made of `copy`, and the stable names of the macros that other files
    /// call and whose calls expand differently. `None`: the edit has effects that a patch does not
    /// cover.
    pub(super) fn run(
        &self,
        copy: DefMap,
        crates: &[CrateInput],
        input: &FileInput,
        changes: &mut Changes,
    ) -> Option<(DefMap, Vec<u64>)> {
        let mut reread = self.reread(copy, crates, input)?;
        let (map, ids) = (&reread.map, &reread.ids);
        let macros = self.before.changed_macros(&self.old_ids, map, ids, self.is_closed)?;
        if map.file_interface(ids, self.at)? != self.interface {
            return None;
        }
        self.renew_disambiguators(&mut reread)?;
        reread.map.hash_textual();
        let resolved = self.resolve(&mut reread);
        self.renew_impls(&mut reread, &resolved, &mut changes.keys);
        self.check_calls(&mut reread, &resolved)?;
        changes.keys.extend_from_slice(resolved.changed.as_slice());
        changes.files.insert(self.file);
        Some((reread.map, macros))
    }

    /// Removes the file from the map and reads it from the state in which it was entered.
    fn reread(&self, copy: DefMap, crates: &[CrateInput], input: &FileInput) -> Option<Reread> {
        let (before, file) = (self.before, self.file);
        let mut unmatched = OldFile::new(before, &self.old_file, self.at);
        unmatched.is_closed = self.is_closed;
        let mut map = copy;
        map.remove_file(file, &self.old_file, self.at, self.entered.textual);
        unmatched.begin(&map);
        let (facts, text) = (input.facts.clone(), input.text.clone());
        let source = map.source_at(file, input.path.clone(), facts, text, false);
        map.sources[file.0 as usize] = source;

        let mut collector = self.collector(map, crates);
        collector.run();
        unmatched.end = collector.textual;
        let mut externals = Externals::of(&before.imports.externals);
        let calls = self.expand_calls(&mut collector, &mut unmatched, &mut externals)?;
        if self.entered.leaks && unmatched.end != self.entered.end {
            return None;
        }
        let Collector { mut map, owners, macros, calls: mut called, .. } = collector;
        map.modules.file_roots = owners;
        match called.remove(&file) {
            Some(called) => {
                map.patching.called_macros.insert(file, called.into_iter().collect());
            }
            None => {
                map.patching.called_macros.remove(&file);
            }
        }
        if let Some(cache) = before.macros.cache.with(&macros.now) {
            map.macros.cache = Arc::new(cache);
        }
        let new_imports = std::mem::take(&mut unmatched.new_imports);
        let scopes = std::mem::take(&mut unmatched.own_scopes);
        unmatched.finish(&mut map)?;
        let ids = map.ids_in(file);
        Some(Reread { map, externals, ids, scopes, new_imports, calls })
    }

    /// A collector that is about to read the file.
    fn collector<'c>(&'c self, map: DefMap, crates: &'c [CrateInput]) -> Collector<'c> {
        let (before, entered) = (self.before, self.entered);
        let paths = before.sources.iter().take_while(|it| !it.is_std).enumerate();
        let paths = paths.map(|(at, it)| (it.path.as_str(), FileIdx(at as u32))).collect();
        let mut collector = Collector::new(map, crates, Files::new(paths, Vec::new()));
        collector.owners.clone_from(&before.modules.file_roots);
        collector.before = before.patching.entered.clone();
        collector.macros.before = before.macros.cache.clone();
        collector.expanded = before.sources.iter().filter(|it| it.call.is_some()).count();
        collector.textual = entered.textual;
        let def = before.def(self.root);
        let ctx = Ctx {
            scope: self.at,
            module: self.root,
            parent: None,
            is_active: def.is_active,
            existence: def.existence,
            ..entered.ctx
        };
        let frame = collector.frame(self.file, ctx, entered.folders.clone(), None);
        collector.frames.push(frame);
        collector
    }

    /// Assigns final indices to what was read, and expands the macro calls whose macro is named by
    /// a path, until there are no new items. `None`: other files would be affected.
    fn expand_calls(
        &self,
        collector: &mut Collector<'_>,
        unmatched: &mut OldFile<'_>,
        externals: &mut Externals,
    ) -> Option<PathCalls> {
        let mut calls = PathCalls::default();
        let mut renewed = Some(self.file);
        for round in 0.. {
            if !collector.deferred.is_empty() {
                return None;
            }
            unmatched.renumber(collector, renewed.take())?;
            let ids = collector.map.ids_in(self.file);
            let now = collector.map.flags(&ids);
            let is_removed = |id: DefId| now[id.idx()] || self.old_file.has(id);
            renew_members(&mut collector.map, is_removed, ids.into_iter());
            if collector.pending.is_empty() {
                break;
            }
            calls.scopes.extend(collector.pending.iter().map(|it| (it.call, it.ctx.scope)));
            resolve_some(&mut collector.map, externals, &unmatched.new_imports);
            if !collector.pending(round) {
                break;
            }
        }
        calls.open = collector.pending.iter().map(|it| it.call).collect();
        Some(calls)
    }

    /// Resolves the imports that the file affects, and collects the traits of its scopes.
    fn resolve(&self, reread: &mut Reread) -> Resolved {
        let Reread { map, externals, ids, scopes, new_imports, .. } = reread;
        let (before, old_file) = (self.before, &self.old_file);
        let mut old = before.part(&self.old_ids, &old_file.scopes, self.at, &old_file.sources);
        let mut new = map.part(ids, scopes, self.at, &map.sources_in(self.file));
        let mut names = Vec::new();
        differences(&before.digests_of(&old), &map.digests_of(&new), &mut names);
        map.keys_of_imports(new_imports, &mut names);
        let mut seeds = std::mem::take(new_imports);
        if !old_file.textual.is_empty() {
            let own = new.imports.iter().enumerate().filter(|(_, is_in_file)| **is_in_file);
            seeds.extend(own.map(|(at, _)| at as u32));
        }
        let affected = map.affected(&KeySet::new(names.clone()), &seeds);
        if !affected.is_empty() {
            resolve_some(map, externals, &affected);
        }
        for number in &affected {
            let scope = map.imports.leaves[*number as usize].scope;
            old.add_import(*number, scope);
            new.add_import(*number, scope);
        }
        renew_traits(map, |at| old.has_scope(at) || new.has_scope(at));
        let changed = if affected.is_empty() {
            // Except for traits, nothing changed since the names were compared.
            differences(&before.scope_digests_of(&old), &map.scope_digests_of(&new), &mut names);
            names
        } else {
            let mut changed = Vec::new();
            differences(&before.digests_of(&old), &map.digests_of(&new), &mut changed);
            changed
        };
        Resolved { changed: KeySet::new(changed), affected, new }
    }

    /// Indexes the impls of the file again, and the impls that depend on a changed key.
    fn renew_impls(&self, reread: &mut Reread, resolved: &Resolved, keys: &mut Vec<u64>) {
        let (before, old_file) = (self.before, &self.old_file);
        let Reread { map, ids, .. } = reread;
        let depends = |dependencies: &[u64]| resolved.changed.intersects(dependencies);
        let all = before.impls.dependencies.iter();
        let others: SortedSet<DefId> = all
            .filter(|(id, dependencies)| !old_file.has(**id) && depends(dependencies))
            .map(|(id, _)| *id)
            .collect();
        let all: Vec<DefId> = ids.iter().chain(&others).copied().collect();
        let is_in =
            |id: DefId| old_file.has(id) || resolved.new.has_def(id) || others.contains(&id);
        renew_impls(map, is_in, &all);
        differences(&before.impl_digests_of(is_in), &map.impl_digests_of(is_in), keys);
        let mut names = SortedSet::new();
        before.names_of_methods(self.old_ids.iter().copied(), &others, &mut names);
        map.names_of_methods(ids.iter().copied(), &others, &mut names);
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for name in names {
            before.digest_family(name, map, &mut old);
            map.digest_family(name, map, &mut new);
        }
        old.sort_unstable();
        new.sort_unstable();
        differences(&old, &new, keys);
    }

    /// Checks that macro calls with a path to their macro resolve as before, and those of the file
    /// as they were expanded. `None`: they do not.
    fn check_calls(&self, reread: &mut Reread, resolved: &Resolved) -> Option<()> {
        let Reread { map, calls, .. } = reread;
        map.patching.path_calls.retain(|call, _| !self.old_file.has(*call));
        for (call, known) in &self.before.patching.path_calls {
            let is_same = !resolved.changed.intersects(&known.dependencies.keys);
            if is_same || self.old_file.has(*call) {
                continue;
            }
            let now = map.path_call(*call, known.scope)?;
            if now.of != known.of {
                return None;
            }
            map.patching.path_calls.insert(*call, now);
        }
        for (call, scope) in std::mem::take(&mut calls.scopes) {
            let Some(now) = map.path_call(call, scope) else { continue };
            let mut imports = now.dependencies.imports.iter();
            let is_unstable = imports.any(|it| resolved.affected.binary_search(it).is_ok());
            if now.of.is_some() == calls.open.contains(&call) || (now.of.is_some() && is_unstable) {
                return None;
            }
            map.patching.path_calls.insert(call, now);
        }
        Some(())
    }

    /// Updates the disambiguators. `None`: a definition elsewhere gets another one and would be
    /// another item to all its users.
    fn renew_disambiguators(&self, reread: &mut Reread) -> Option<()> {
        let Reread { map, ids, .. } = reread;
        let is_own = map.flags(ids);
        let is_in_file = |id: DefId| self.old_file.has(id) || is_own[id.idx()];
        let before = self.before.disambiguators();
        let disambiguators = map.disambiguators_after(before, is_in_file, ids)?;
        map.cached.disambiguators = OnceLock::from(disambiguators);
        Some(())
    }
}

impl DefMap {
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
}

/// Whether a file cannot affect the names of its whole crate.
fn is_self_contained(facts: &FileFacts, text: &str) -> bool {
    !facts.uses.iter().any(|it| matches!(it.what, UseWhat::ExternCrate(_)))
        && (!text.contains("include!") || syntax::included_paths(facts, text).is_empty())
}
