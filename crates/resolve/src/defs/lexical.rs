//! Resolves a name from inside a scope, outwards: blocks, generics, the module, preludes.

use base::ItemKind;

use super::hits::select;
use super::lookup::{Observer, Walk};
use super::lookup_key::LookupKind;
use super::symbols::{Symbols, sym};
use super::table::Target;
use super::{DefId, DefMap, NameScope, Namespace, Resolution, Symbol};
use crate::CrateIdx;

impl DefMap {
    /// Resolves one name from inside a scope: blocks, generics, module, preludes. `next` is the
    /// following segment.
    pub(super) fn lexical(
        &self,
        observer: &mut impl Observer,
        scope: &NameScope,
        name: Symbol,
        ns: Namespace,
        next: Option<Symbol>,
    ) -> Walk {
        let mut at = scope.at;
        let mut generics = ns != Namespace::Macro;
        let from = self.scopes[at as usize].module;
        loop {
            let it = &self.scopes[at as usize];
            if generics && !(it.is_block && it.def == scope.item) {
                generics = false;
                if let Some(of) = self.generic_param(scope.item, name, ns) {
                    return Walk::Special(Resolution::Param(of, name));
                }
            }
            if ns == Namespace::Macro {
                let found = if it.is_block {
                    self.block_macro(observer, at, name, scope, from)
                } else {
                    self.textual_macro(observer, at, name, scope).into_iter().collect()
                };
                if !found.is_empty() {
                    return Walk::Found(found);
                }
            }
            let found = self.lookup(observer, at, name, ns, from);
            if !found.is_empty() {
                return self.module_or_prim(observer, found, name, ns, next, from);
            }
            if !it.is_block {
                break;
            }
            at = it.parent;
        }
        let krate = self.scopes[at as usize].krate;
        if ns == Namespace::Type {
            let found = self.extern_name(observer, krate, name);
            if !found.is_empty() {
                return self.module_or_prim(observer, found, name, ns, next, from);
            }
        }
        if ns == Namespace::Macro {
            let found = self.macro_prelude(observer, krate, name);
            if !found.is_empty() {
                return Walk::Found(found);
            }
        }
        if let Some(prelude) = self.crates.get(krate.0 as usize).and_then(|it| it.prelude) {
            let found = self.lookup(observer, prelude, name, ns, prelude);
            if !found.is_empty() {
                return Walk::Found(found);
            }
        }
        match Symbols::prim(name) {
            Some(prim) if ns == Namespace::Type => Walk::Special(Resolution::Prim(prim)),
            _ => Walk::Found(Vec::new()),
        }
    }

    /// `use std::u8;` does not hide the type `u8`, except if the module contains the next segment.
    fn module_or_prim(
        &self,
        observer: &mut impl Observer,
        found: Vec<Target>,
        name: Symbol,
        ns: Namespace,
        next: Option<Symbol>,
        from: u32,
    ) -> Walk {
        let Some(prim) = Symbols::prim(name).filter(|_| ns == Namespace::Type) else {
            return Walk::Found(found);
        };
        let is_module = |target: &Target| {
            matches!(target, Target::Def(def)
                if matches!(self.def(*def).kind, ItemKind::Module | ItemKind::Crate))
        };
        if !found.iter().all(is_module) {
            return Walk::Found(found);
        }
        let has = |observer: &mut _, next: Symbol| {
            found.iter().any(|target| {
                let Target::Def(def) = target else { return false };
                let inner = self.def(*def).inner;
                [Namespace::Value, Namespace::Type]
                    .iter()
                    .any(|ns| !self.lookup(observer, inner, next, *ns, from).is_empty())
            })
        };
        match next {
            Some(next) if has(observer, next) => Walk::Found(found),
            _ => Walk::Special(Resolution::Prim(prim)),
        }
    }

    /// The item whose generics contain a parameter of this name: the item itself, or its impl or
    /// trait.
    fn generic_param(&self, item: DefId, name: Symbol, ns: Namespace) -> Option<DefId> {
        let mut at = item;
        loop {
            let def = self.def(at);
            let (_, _, decl) = self.facts(at)?;
            // A type parameter is not a value.
            let has_name =
                |it: &&syntax::facts::GenericParam| self.file_symbol(def.file, it.name) == name;
            if decl
                .generics
                .iter()
                .find(has_name)
                .is_some_and(|it| it.is_const || ns == Namespace::Type)
            {
                return Some(at);
            }
            let parent = def.parent?;
            let kind = self.def(parent).kind;
            if def.kind != ItemKind::Variant && !matches!(kind, ItemKind::Impl | ItemKind::Trait) {
                return None;
            }
            at = parent;
        }
    }

    pub(super) fn self_type(&self, item: DefId) -> Option<DefId> {
        let mut at = Some(item);
        while let Some(it) = at {
            let def = self.def(it);
            match def.kind {
                ItemKind::Impl
                | ItemKind::Trait
                | ItemKind::Struct
                | ItemKind::Enum
                | ItemKind::Union => return Some(it),
                ItemKind::Function => return None,
                _ => at = def.parent,
            }
        }
        None
    }

    /// The extern prelude.
    pub(super) fn extern_name(
        &self,
        observer: &mut impl Observer,
        krate: CrateIdx,
        name: Symbol,
    ) -> Vec<Target> {
        let Some(it) = self.crates.get(krate.0 as usize) else { return Vec::new() };
        if !self.is_std_crate(krate) {
            observer.ask(self.key(LookupKind::Extern(it.ident, name)));
        }
        if let Ok(at) = it.externs.binary_search_by_key(&name, |(name, _)| *name) {
            return vec![it.externs[at].1];
        }
        let mut hits = Vec::new();
        for (_, number) in it.extern_items.iter().filter(|(it, _)| *it == name) {
            if *number != observer.hidden() {
                observer.import(*number);
                self.push_import(*number, Namespace::Type, true, &mut hits);
            }
        }
        if !hits.is_empty() {
            return select(hits);
        }
        match name {
            sym::STD | sym::CORE | sym::ALLOC => {
                self.std_root().map(Target::Def).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}
