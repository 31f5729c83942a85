//! Hashes of all facts that lookups can return, stable across builds.
//!
//! Each fact contributes a pair (key of the lookup, hash of the fact). The sorted pairs of two
//! builds differ exactly in the keys whose results may differ.

use std::cmp::Ordering;

use base::ItemKind;

use super::symbols::Symbols;
use super::table::{Binding, NONE, Target, space};
use super::{DefId, DefMap, Namespace, Symbol, TypeHead};
use crate::FileIdx;
use crate::keys::{Key, KeySet, Mix};

/// A lookup whose result can change. Numbers are stable names of modules, items, crates or type
/// heads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LookupKind {
    /// A name in a scope, without globs.
    Entry(u64, Symbol, Namespace),
    /// The globs of a scope.
    Globs(u64),
    /// A textual macro, looked up from any offset in a module.
    Textual(u64, Symbol),
    /// A name in the extern prelude of a crate.
    Extern(u64, Symbol),
    /// The `#[macro_use]` crates of a crate.
    MacroUse(u64),
    /// The traits that a scope declares or imports.
    Traits(u64),
    /// Inherent impls of a type head.
    Inherent(u64),
    /// Trait impls of a type head.
    TraitImpls(u64),
    /// Impls of a trait.
    ImplsOf(u64),
    /// Impls of a trait for a type head.
    ImplsFor(u64, u64),
    /// Trait and type head of an impl.
    ImplHead(u64),
    /// A member of a container.
    Member(u64, Symbol),
    /// All members of a container.
    Members(u64),
    /// Methods with a name; impls of one trait count as that trait's method. If there are many,
    /// only that fact.
    Family(Symbol),
    /// Those methods whose type or trait has this name; `None`: a name that is not type-like.
    FamilyOf(Symbol, Option<Symbol>),
    /// The declaration of an item.
    Signature(u64),
}

pub(crate) fn key(ask: LookupKind, symbols: &Symbols) -> Key {
    let mix = |tag: u64, of: u64| Mix::new(tag).with(of);
    let hash = |name: Symbol| symbols.hash(name);
    Key(match ask {
        LookupKind::Entry(of, name, ns) => mix(1, of).with(hash(name)).with(u64::from(space(ns))),
        LookupKind::Globs(of) => mix(2, of),
        LookupKind::Textual(of, name) => mix(3, of).with(hash(name)),
        LookupKind::Extern(of, name) => mix(4, of).with(hash(name)),
        LookupKind::MacroUse(of) => mix(5, of),
        LookupKind::Traits(of) => mix(6, of),
        LookupKind::Inherent(of) => mix(7, of),
        LookupKind::TraitImpls(of) => mix(8, of),
        LookupKind::ImplsOf(of) => mix(9, of),
        LookupKind::ImplHead(of) => mix(10, of),
        LookupKind::Member(of, name) => mix(11, of).with(hash(name)),
        LookupKind::Members(of) => mix(12, of),
        LookupKind::Family(name) => mix(13, hash(name)),
        LookupKind::FamilyOf(name, of) => mix(18, hash(name)).with(of.map_or(0, hash)),
        LookupKind::Signature(of) => mix(14, of),
        LookupKind::ImplsFor(of, head) => mix(17, of).with(head),
    }
    .finish())
}

/// The key of a file's module and crate.
pub(super) fn file_key(path: &str) -> u64 {
    Mix::new(15).text(path).finish()
}

/// The key of facts that only the file itself depends on: which of its items exist, and the
/// expansions of its macro calls.
pub(super) fn content_key(path: &str) -> u64 {
    Mix::new(16).text(path).finish()
}

/// A subset of a map, by index.
#[derive(Default)]
pub(super) struct MapSubset {
    pub(super) defs: Vec<bool>,
    pub(super) imports: Vec<bool>,
    pub(super) scopes: Vec<bool>,
    pub(super) sources: Vec<FileIdx>,
}

impl MapSubset {
    pub(super) fn has_def(&self, id: DefId) -> bool {
        self.defs.get(id.idx()).is_some_and(|it| *it)
    }

    /// Adds an import and its scope.
    pub(super) fn add_import(&mut self, number: u32, scope: u32) {
        for (flags, at) in [(&mut self.imports, number), (&mut self.scopes, scope)] {
            if let Some(flag) = flags.get_mut(at as usize) {
                *flag = true;
            }
        }
    }

    pub(super) fn has_scope(&self, number: u32) -> bool {
        self.scopes.get(number as usize).is_some_and(|it| *it)
    }

    pub(super) fn has(&self, binding: Binding) -> bool {
        match binding {
            Binding::Item(def) => self.has_def(def),
            Binding::Import(number) => self.imports.get(number as usize).is_some_and(|it| *it),
        }
    }
}

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
                            let of = self.def(import.def);
                            for (target, spaces) in &import.results {
                                if spaces & space(ns) != 0 {
                                    let of = Mix::new(self.digest_target(*target))
                                        .with(vis)
                                        .with(u64::from(of.is_active))
                                        .with(of.existence as u64);
                                    pairs.push((key, of.finish()));
                                }
                            }
                        }
                    }
                }
            }
        }
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
                let of = self.def(import.def);
                for (target, _) in &import.results {
                    let of = Mix::new(self.digest_target(*target))
                        .with(self.digest_vis(import.vis))
                        .with(u64::from(of.is_active))
                        .with(of.existence as u64);
                    pairs.push((key, of.finish()));
                }
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
        for (head, def) in self.impls.inherent.pairs().filter(|it| is_in(it.1)) {
            let key = self.key(LookupKind::Inherent(self.head_ident(head))).0;
            pairs.push((key, self.digest_of(def)));
            let key = self.key(LookupKind::ImplHead(self.def(def).ident)).0;
            pairs.push((key, Mix::new(1).with(self.head_ident(head)).finish()));
        }
        for (head, def) in self.impls.by_head.pairs().filter(|it| is_in(it.1)) {
            let key = self.key(LookupKind::TraitImpls(self.head_ident(head))).0;
            pairs.push((key, self.digest_of(def)));
            let key = self.key(LookupKind::ImplHead(self.def(def).ident)).0;
            pairs.push((key, Mix::new(2).with(self.head_ident(head)).finish()));
        }
        for (of, def) in self.impls.by_trait.pairs().filter(|it| is_in(it.1)) {
            let key = self.key(LookupKind::ImplsOf(self.def(of).ident)).0;
            pairs.push((key, self.digest_of(def)));
            let key = self.key(LookupKind::ImplHead(self.def(def).ident)).0;
            pairs.push((key, Mix::new(3).with(self.digest_of(of)).finish()));
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
