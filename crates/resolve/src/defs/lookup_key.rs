//! The keys of lookups, and the parts of a map whose facts are hashed.

use super::symbols::Symbols;
use super::table::{Binding, space};
use super::{DefId, Namespace, Symbol};
use crate::FileIdx;
use crate::keys::{Key, Mix};

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
