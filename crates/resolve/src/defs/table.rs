//! The tables of scopes, and of the names and imports in them. Only the data; `lookup.rs` reads it,
//! `collect_names.rs` fills it.

use super::imports::Dependencies;
use super::{DefId, Namespace, Symbol};
use crate::CrateIdx;
use crate::hash::FastMap;

/// No scope, no entry, no import.
pub(crate) const NONE: u32 = u32::MAX;

/// Where a name is visible: index of a module's scope, or [`NONE`] for everywhere.
pub(crate) type Vis = u32;

/// A set of namespaces.
pub(crate) type Spaces = u8;

pub(crate) const ALL_SPACES: Spaces = 7;

pub(crate) fn space(ns: Namespace) -> Spaces {
    match ns {
        Namespace::Type => 1,
        Namespace::Value => 2,
        Namespace::Macro => 4,
    }
}

/// A module, or a block with items.
#[derive(Clone, Debug)]
pub(crate) struct ScopeData {
    /// For a module its parent module, for a block the enclosing scope.
    pub(crate) parent: u32,
    /// The innermost module (a module: itself).
    pub(crate) module: u32,
    /// The module, or the item whose body the block is in.
    pub(crate) def: DefId,
    pub(crate) krate: CrateIdx,
    pub(crate) is_block: bool,
    /// The stable name.
    pub(crate) ident: u64,
    /// Key of the file that contains it; 0 in the standard library.
    pub(crate) file_key: u64,
    /// Glob imports.
    pub(crate) globs: Vec<u32>,
    /// Imports `as _`.
    pub(crate) underscores: Vec<u32>,
    /// For a module: `(offset, index of the latest textual macro from there on)`, ascending.
    pub(crate) macros: Vec<(u32, u32)>,
    /// The traits declared in it, or imported by name or `as _`, sorted.
    pub(crate) traits: Vec<(DefId, Vis)>,
}

/// One `macro_rules!` in textual order, linked to the one above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextualMacro {
    pub(crate) name: Symbol,
    pub(crate) def: DefId,
    pub(crate) above: u32,
    /// Hash of the whole chain.
    pub(crate) hash: u64,
    /// Removed by a patch.
    pub(crate) is_removed: bool,
}

/// What a name in a scope refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binding {
    Item(DefId),
    Import(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) binding: Binding,
    pub(crate) spaces: Spaces,
    pub(crate) vis: Vis,
    next: u32,
}

/// A name in a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) scope: u32,
    pub(crate) name: Symbol,
    first: u32,
}

/// The names of all scopes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    by_name: FastMap<u64, u32>,
    pub(crate) entries: Vec<Entry>,
    candidates: Vec<Candidate>,
}

impl Names {
    pub(crate) fn add(
        &mut self,
        scope: u32,
        name: Symbol,
        spaces: Spaces,
        binding: Binding,
        vis: Vis,
    ) {
        let number = self.entries.len() as u32;
        let entry = *self.by_name.entry(pair(scope, name)).or_insert(number);
        if entry == number {
            self.entries.push(Entry { scope, name, first: NONE });
        }
        let candidate = self.candidates.len() as u32;
        let entry = &mut self.entries[entry as usize];
        self.candidates.push(Candidate { binding, spaces, vis, next: entry.first });
        entry.first = candidate;
    }

    /// Reserves capacity for this many more names.
    pub(crate) fn reserve(&mut self, names: usize) {
        self.by_name.reserve(names);
        self.entries.reserve(names);
        self.candidates.reserve(names);
    }

    /// Removes candidates.
    pub(crate) fn retract(&mut self, is_removed: impl Fn(Binding) -> bool) {
        for entry in &mut self.entries {
            let mut at = entry.first;
            let mut last = NONE;
            while let Some(it) = self.candidates.get(at as usize).copied() {
                if !is_removed(it.binding) {
                    last = at;
                } else if let Some(last) = self.candidates.get_mut(last as usize) {
                    last.next = it.next;
                } else {
                    entry.first = it.next;
                }
                at = it.next;
            }
        }
    }

    /// The number of entries and candidates.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.entries.len(), self.candidates.len())
    }

    /// Renumbers what was added since `mark`.
    pub(crate) fn renumber(
        &mut self,
        mark: (usize, usize),
        scope: impl Fn(u32) -> u32,
        renumber: impl Fn(Binding) -> Binding,
    ) {
        for candidate in self.candidates.iter_mut().skip(mark.1) {
            candidate.binding = renumber(candidate.binding);
            if candidate.vis != NONE {
                candidate.vis = scope(candidate.vis);
            }
        }
        for number in mark.0..self.entries.len() {
            let Entry { scope: from, name, first } = self.entries[number];
            let to = scope(from);
            if to == from {
                continue;
            }
            self.by_name.remove(&pair(from, name));
            let known = *self.by_name.entry(pair(to, name)).or_insert(number as u32);
            self.entries[number].scope = to;
            if known == number as u32 {
                continue;
            }
            // The scope already has the name: append these candidates to it.
            self.entries[number] = Entry { scope: NONE, name, first: NONE };
            let mut end = first;
            while let Some(it) = self.candidates.get(end as usize)
                && it.next != NONE
            {
                end = it.next;
            }
            if let Some(last) = self.candidates.get_mut(end as usize) {
                last.next = self.entries[known as usize].first;
                self.entries[known as usize].first = first;
            }
        }
    }

    pub(crate) fn get(&self, scope: u32, name: Symbol) -> impl Iterator<Item = Candidate> + '_ {
        let entry = self.by_name.get(&pair(scope, name));
        self.chain(entry.map_or(NONE, |it| self.entries[*it as usize].first))
    }

    pub(crate) fn of(&self, entry: &Entry) -> impl Iterator<Item = Candidate> + '_ {
        self.chain(entry.first)
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = Candidate> + '_ {
        let mut at = first;
        std::iter::from_fn(move || {
            let it = *self.candidates.get(at as usize)?;
            at = it.next;
            Some(it)
        })
    }
}

fn pair(scope: u32, name: Symbol) -> u64 {
    (u64::from(scope) << 32) | u64::from(name.0)
}

/// What a path or an import resolves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Def(DefId),
    /// An external path: index in `externals`.
    External(u32),
    /// An unresolved import: it hides outer names.
    Unknown,
}

/// The kind of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportKind {
    Name,
    Underscore,
    Glob,
    ExternCrate,
}

/// One leaf of an import.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// The import's definition.
    pub(crate) def: DefId,
    /// The scope that contains it.
    pub(crate) scope: u32,
    /// Range in `import_paths`.
    pub(crate) path: (u32, u32),
    pub(crate) is_global: bool,
    pub(crate) kind: ImportKind,
    pub(crate) vis: Vis,
    /// Its offset in its module's file.
    pub(crate) offset: u32,
    /// Removed by a patch.
    pub(crate) is_removed: bool,
    /// What it resolves to, sorted; for a glob: the containers.
    pub(crate) results: Vec<(Target, Spaces)>,
    /// What the results depend on.
    pub(super) dependencies: Dependencies,
}
