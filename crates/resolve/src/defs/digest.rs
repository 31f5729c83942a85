//! Hashes of all facts that lookups can return, stable across builds.
//!
//! Each fact contributes a pair (key of the lookup, hash of the fact). The sorted pairs of two
//! builds differ exactly in the keys whose results may differ.

use std::cmp::Ordering;

use base::ItemKind;

use super::lookup_key::{LookupKind, MapSubset, content_key, file_key};
use super::table::{Binding, Import, NONE, Target, space};
use super::{DefId, DefMap, Namespace, Symbol, TypeHead};
use crate::FileIdx;
use crate::keys::{KeySet, Mix};

impl DefMap {
    /// The hash of a definition as a lookup result.
    pub(super) fn digest_of(&self, id: DefId) -> u64 {
        let def = self.def(id);
        let mix = Mix::new(def.ident)
            .with(u64::from(def.is_active))
            .with(def.existence as u64)
            .with(self.disambiguators().hash_of(id));
        match def.kind {
            // Two modules may share the content of one file.
            ItemKind::Module => {
                let scope = self.scopes.get(self.def(id).inner as usize);
                mix.with(scope.map_or(0, |it| it.ident)).finish()
            }
            _ => mix.finish(),
        }
    }

    fn digest_target(&self, target: Target) -> u64 {
        match target {
            Target::Def(def) => self.digest_of(def),
            Target::External(number) => {
                let mut mix = Mix::new(1);
                let mut at = number;
                while let Some((before, name)) = self.imports.externals.get(at as usize) {
                    mix = mix.with(self.symbols.hash(*name));
                    at = *before;
                }
                mix.finish()
            }
            Target::Unknown => 2,
        }
    }

    fn digest_vis(&self, vis: u32) -> u64 {
        self.scopes.get(vis as usize).map_or(3, |it| it.ident)
    }

    /// A stable name of a type head.
    pub(crate) fn head_ident(&self, head: TypeHead) -> u64 {
        match head {
            TypeHead::Adt(def) => self.def(def).ident,
            TypeHead::Dyn(def) => Mix::new(self.def(def).ident).with(1).finish(),
            TypeHead::Prim(prim) => Mix::new(20).with(prim as u64).finish(),
            TypeHead::Ref => 21,
            TypeHead::Ptr => 22,
            TypeHead::Slice => 23,
            TypeHead::Array => 24,
            TypeHead::Tuple => 25,
            TypeHead::Fn => 26,
            TypeHead::Never => 27,
            TypeHead::Param => 28,
            TypeHead::Unknown => 29,
        }
    }

    /// All facts of the workspace as sorted pairs. The standard library's declarations never change
    /// and are left out.
    pub(super) fn find_digests(&self) -> Vec<(u64, u64)> {
        let mut pairs = Vec::with_capacity(self.defs.len() * 3);
        self.digest_names(None, &mut pairs);
        self.digest_scopes(None, &mut pairs);
        self.digest_crates(&mut pairs);
        self.digest_impls(|_| true, &mut pairs);
        self.digest_members(None, &mut pairs);
        for name in self.method_names() {
            self.digest_family(name, self, &mut pairs);
        }
        self.ids().for_each(|id| self.digest_signature(id, &mut pairs));
        (0..self.sources.len()).for_each(|at| self.digest_file(FileIdx(at as u32), &mut pairs));
        pairs.sort_unstable();
        pairs
    }

    /// The facts of a subset, without those of impls; sorted.
    pub(super) fn digests_of(&self, part: &MapSubset) -> Vec<(u64, u64)> {
        let mut pairs = Vec::new();
        self.digest_names(Some(part), &mut pairs);
        self.digest_scopes(Some(part), &mut pairs);
        self.digest_members(Some(part), &mut pairs);
        for (at, _) in part.defs.iter().enumerate().filter(|(_, is_in)| **is_in) {
            self.digest_signature(DefId(at as u32), &mut pairs);
        }
        part.sources.iter().for_each(|source| self.digest_file(*source, &mut pairs));
        for (at, scope) in self.scopes.iter().enumerate() {
            if part.has_scope(at as u32) && !scope.is_block {
                self.textual_names(at as u32, &mut pairs);
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// The facts of the scopes of a subset, sorted.
    pub(super) fn scope_digests_of(&self, part: &MapSubset) -> Vec<(u64, u64)> {
        let mut pairs = Vec::new();
        self.digest_scopes(Some(part), &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    /// The facts of some impls, sorted.
    pub(super) fn impl_digests_of(&self, is_in: impl Fn(DefId) -> bool) -> Vec<(u64, u64)> {
        let mut pairs = Vec::new();
        self.digest_impls(is_in, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    fn digest_names(&self, part: Option<&MapSubset>, pairs: &mut Vec<(u64, u64)>) {
        for entry in &self.names.entries {
            let is_in = |binding| part.is_none_or(|part| part.has(binding));
            // Fast path: nearly all entries are outside the subset.
            if part.is_some() && !self.names.of(entry).any(|it| is_in(it.binding)) {
                continue;
            }
            let Some(scope) = self.scopes.get(entry.scope as usize) else { continue };
            if self.is_std_crate(scope.krate) {
                continue;
            }
            for candidate in self.names.of(entry).filter(|it| is_in(it.binding)) {
                let vis = self.digest_vis(candidate.vis);
                for ns in [Namespace::Type, Namespace::Value, Namespace::Macro] {
                    if candidate.spaces & space(ns) == 0 {
                        continue;
                    }
                    let key = self.key(LookupKind::Entry(scope.ident, entry.name, ns)).0;
                    match candidate.binding {
                        Binding::Item(def) => {
                            let of = Mix::new(self.digest_of(def)).with(vis);
                            pairs.push((key, of.finish()));
                        }
                        Binding::Import(number) => {
                            let Some(import) = self.imports.leaves.get(number as usize) else {
                                continue;
                            };
                            let spaces = space(ns);
                            pairs.extend(
                                self.digest_import(import, spaces, vis).map(|of| (key, of)),
                            );
                        }
                    }
                }
            }
        }
    }

    /// The hashes of the results of an import in some namespaces.
    fn digest_import<'m>(
        &'m self,
        import: &'m Import,
        spaces: u8,
        vis: u64,
    ) -> impl Iterator<Item = u64> + 'm {
        let of = self.def(import.def);
        let results = import.results.iter().filter(move |it| it.1 & spaces != 0);
        results.map(move |(target, _)| {
            Mix::new(self.digest_target(*target))
                .with(vis)
                .with(u64::from(of.is_active))
                .with(of.existence as u64)
                .finish()
        })
    }

    fn digest_scopes(&self, part: Option<&MapSubset>, pairs: &mut Vec<(u64, u64)>) {
        let is_in = |number: u32| part.is_none_or(|part| part.has_scope(number));
        for (number, scope) in self.scopes.iter().enumerate() {
            if self.is_std_crate(scope.krate) || !is_in(number as u32) {
                continue;
            }
            let key = self.key(LookupKind::Globs(scope.ident)).0;
            for number in &scope.globs {
                let Some(import) = self.imports.leaves.get(*number as usize) else { continue };
                let vis = self.digest_vis(import.vis);
                pairs.extend(self.digest_import(import, u8::MAX, vis).map(|of| (key, of)));
            }
            let key = self.key(LookupKind::Traits(scope.ident)).0;
            for (def, vis) in &scope.traits {
                let of = Mix::new(self.digest_of(*def)).with(self.digest_vis(*vis)).finish();
                pairs.push((key, of));
            }
        }
    }

    fn digest_crates(&self, pairs: &mut Vec<(u64, u64)>) {
        for krate in &self.crates {
            if krate.is_std {
                continue;
            }
            for (name, target) in &krate.externs {
                let key = self.key(LookupKind::Extern(krate.ident, *name)).0;
                pairs.push((key, self.digest_target(*target)));
            }
            for (name, number) in &krate.extern_items {
                let key = self.key(LookupKind::Extern(krate.ident, *name)).0;
                let Some(import) = self.imports.leaves.get(*number as usize) else { continue };
                for (target, _) in &import.results {
                    pairs.push((key, Mix::new(self.digest_target(*target)).with(1).finish()));
                }
            }
            for number in &krate.macro_use {
                let Some(import) = self.imports.leaves.get(*number as usize) else { continue };
                let key = self.key(LookupKind::MacroUse(krate.ident)).0;
                pairs.extend(import.results.iter().map(|(it, _)| (key, self.digest_target(*it))));
            }
        }
    }

    fn digest_impls(&self, is_in: impl Fn(DefId) -> bool, pairs: &mut Vec<(u64, u64)>) {
        let is_in = |id: DefId| !self.is_std(id) && is_in(id);
        let mut add = |list: LookupKind, def: DefId, head: Mix| {
            pairs.push((self.key(list).0, self.digest_of(def)));
            pairs.push((self.key(LookupKind::ImplHead(self.def(def).ident)).0, head.finish()));
        };
        for (head, def) in self.impls.inherent.pairs().filter(|it| is_in(it.1)) {
            let head = self.head_ident(head);
            add(LookupKind::Inherent(head), def, Mix::new(1).with(head));
        }
        for (head, def) in self.impls.by_head.pairs().filter(|it| is_in(it.1)) {
            let head = self.head_ident(head);
            add(LookupKind::TraitImpls(head), def, Mix::new(2).with(head));
        }
        for (of, def) in self.impls.by_trait.pairs().filter(|it| is_in(it.1)) {
            let head = Mix::new(3).with(self.digest_of(of));
            add(LookupKind::ImplsOf(self.def(of).ident), def, head);
        }
        for ((of, head), def) in self.impls.by_trait_and_head.pairs().filter(|it| is_in(it.1)) {
            let ask = LookupKind::ImplsFor(self.def(of).ident, self.head_ident(head));
            pairs.push((self.key(ask).0, self.digest_of(def)));
        }
    }

    fn digest_members(&self, part: Option<&MapSubset>, pairs: &mut Vec<(u64, u64)>) {
        for (of, def) in self.members.children.pairs() {
            if part.is_some_and(|part| !part.has_def(def)) || self.is_std(of) {
                continue;
            }
            let it = self.def(def);
            let result = Mix::new(self.digest_of(def)).with(it.kind as u64).finish();
            let container = self.def(of).ident;
            pairs.push((self.key(LookupKind::Members(container)).0, result));
            let Some(name) = it.name else { continue };
            pairs.push((self.key(LookupKind::Member(container, name)).0, result));
        }
    }

    fn digest_signature(&self, id: DefId, pairs: &mut Vec<(u64, u64)>) {
        let def = self.def(id);
        if def.variant.is_some() || self.is_std_crate(def.krate) {
            return;
        }
        let Some((_, item, decl)) = self.facts(id) else { return };
        let end = match def.kind {
            ItemKind::Function | ItemKind::Method | ItemKind::Impl | ItemKind::Trait => {
                item.body.map_or(item.span.end, |body| body.start)
            }
            ItemKind::Module | ItemKind::Import | ItemKind::MacroCall => return,
            _ => item.span.end,
        };
        let text = self.source(def.file).text.get(item.code_span.start..end).unwrap_or("");
        let mut of = Mix::new(0).text(text);
        // Derives decide which traits a type implements.
        for attribute in &item.attributes {
            of = of.text(attribute);
        }
        let of = of.text(decl.cfg.as_deref().unwrap_or("")).finish();
        pairs.push((self.key(LookupKind::Signature(self.def(id).ident)).0, of));
    }

    fn digest_file(&self, number: FileIdx, pairs: &mut Vec<(u64, u64)>) {
        let source = self.source(number);
        if source.is_std || source.is_removed {
            return;
        }
        let mut of = Mix::new(u64::from(source.call.is_some()));
        if source.call.is_some() {
            // The offset of the call matters only to its own file, whose text differs then.
            of = of.text(&source.text);
        }
        for item in 0..source.facts.file.items.len() as u32 {
            let def = self.def(self.def_of(number, item));
            of = of.with(u64::from(def.is_active) | ((def.existence as u64) << 1));
        }
        pairs.push((content_key(source.path.as_str()), of.finish()));
        let Some(root) = self.modules.file_roots.get(number.0 as usize).copied().flatten() else {
            return;
        };
        let def = self.def(root);
        let krate = self.crates.get(def.krate.0 as usize);
        let mut of = Mix::new(self.digest_of(root))
            .with(krate.map_or(0, |it| it.ident))
            .with(krate.map_or(0, |it| u64::from(it.edition)));
        let mut at = self.def(root).inner;
        while let Some(scope) = self.scopes.get(at as usize) {
            of = of.with(scope.ident);
            if scope.parent == NONE {
                break;
            }
            at = scope.parent;
        }
        pairs.push((file_key(source.path.as_str()), of.finish()));
    }

    /// The textual macros of each module as hashes: stable name, hash, scope.
    fn textual_hashes(&self) -> Vec<(u64, u64, u32)> {
        let mut all: Vec<_> = (0..self.scopes.len())
            .filter(|at| !self.scopes[*at].is_block && !self.is_std_crate(self.scopes[*at].krate))
            .map(|at| {
                let scope = &self.scopes[at];
                let hash = scope.macros.iter().fold(Mix::new(0), |mix, (_, number)| {
                    mix.with(self.macros.textual.get(*number as usize).map_or(0, |it| it.hash))
                });
                (scope.ident, hash.finish(), at as u32)
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// The possible meanings of each textual name in a module, in order. Textual names are only
    /// added along a module, so those at its end are all.
    fn textual_names(&self, at: u32, pairs: &mut Vec<(u64, u64)>) {
        let scope = &self.scopes[at as usize];
        let Some((_, end)) = scope.macros.last() else { return };
        let mut names: Vec<Symbol> = Vec::new();
        let mut number = *end;
        while let Some(it) = self.macros.textual.get(number as usize) {
            names.push(it.name);
            number = it.above;
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            let key = self.key(LookupKind::Textual(scope.ident, name)).0;
            let mut of = Mix::new(0);
            let mut last = None;
            for (_, number) in &scope.macros {
                let found = self.textual_at(*number, name);
                if found != last {
                    of = of.with(found.map_or(0, |it| self.digest_of(it)));
                    last = found;
                }
            }
            pairs.push((key, of.finish()));
        }
    }

    /// Hashes each textual macro together with all macros above it.
    pub(super) fn hash_textual(&mut self) {
        for number in 0..self.macros.textual.len() {
            let it = self.macros.textual[number];
            let above = self.macros.textual.get(it.above as usize).map_or(0, |it| it.hash);
            let hash = Mix::new(above).with(self.digest_of(it.def)).finish();
            self.macros.textual[number].hash = hash;
        }
    }

    /// The keys whose results differ between two builds: every lookup with a different result in
    /// `old` uses at least one of them.
    pub fn changed(&self, old: &DefMap) -> KeySet {
        let mut keys = Vec::new();
        let digests = |map: &DefMap| -> std::sync::Arc<Vec<(u64, u64)>> {
            map.cached.digests.get_or_init(|| std::sync::Arc::new(map.find_digests())).clone()
        };
        differences(&digests(self), &digests(old), &mut keys);
        // Textual macros are compared per module: names only where a module's hash differs.
        let (new_modules, old_modules) = (self.textual_hashes(), old.textual_hashes());
        let has = |all: &[(u64, u64, u32)], it: &(u64, u64, u32)| {
            let at = all.partition_point(|other| (other.0, other.1) < (it.0, it.1));
            all.get(at).is_some_and(|other| (other.0, other.1) == (it.0, it.1))
        };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for it in new_modules.iter().filter(|it| !has(&old_modules, it)) {
            self.textual_names(it.2, &mut ours);
        }
        for it in old_modules.iter().filter(|it| !has(&new_modules, it)) {
            old.textual_names(it.2, &mut theirs);
        }
        ours.sort_unstable();
        theirs.sort_unstable();
        differences(&ours, &theirs, &mut keys);
        KeySet::new(keys)
    }
}

/// The keys of pairs that occur on one side only (or more often).
pub(super) fn differences(a: &[(u64, u64)], b: &[(u64, u64)], keys: &mut Vec<u64>) {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => return,
            (Some(it), None) => {
                keys.push(it.0);
                a.next();
            }
            (None, Some(it)) => {
                keys.push(it.0);
                b.next();
            }
            (Some(left), Some(right)) => match left.cmp(right) {
                Ordering::Less => {
                    keys.push(left.0);
                    a.next();
                }
                Ordering::Greater => {
                    keys.push(right.0);
                    b.next();
                }
                Ordering::Equal => {
                    a.next();
                    b.next();
                }
            },
        }
    }
}
