//! Resolves imports to a fixpoint.

use std::sync::Arc;

use super::lookup::{Observer, PathStart, UsedPath, Walk};
use super::lookup_cache::NameLookup;
use super::symbols::sym;
use super::table::{ALL_SPACES, Import, ImportKind, NONE, Spaces, Target, space};
use super::{DefId, DefMap, NameScope, Namespace, Symbol};
use crate::hash::FastMap;
use crate::keys::Key;

/// Chains of re-exports longer than this, and contradictory imports, keep their state after this
/// many rounds.
const MAX_ROUNDS: usize = 256;

/// The dependencies of a cached result.
#[derive(Clone, Debug, Default)]
pub(super) struct Dependencies {
    /// Keys of lookups.
    pub(super) keys: Arc<[u64]>,
    /// Imports.
    pub(super) imports: Arc<[u32]>,
}

/// Records the dependencies of a result.
#[derive(Default)]
pub(super) struct DependencyRecorder {
    /// The import that is being resolved.
    own: Option<u32>,
    keys: Vec<u64>,
    seen: Vec<u32>,
    /// Cached lookups of path prefixes: they are the same in each namespace of the last segment.
    lookup_cache: Vec<(NameLookup, Vec<Target>)>,
}

impl DependencyRecorder {
    pub(super) fn finish(mut self) -> Dependencies {
        self.keys.sort_unstable();
        self.keys.dedup();
        self.seen.sort_unstable();
        self.seen.dedup();
        Dependencies { keys: self.keys.into(), imports: self.seen.into() }
    }
}

impl Observer for DependencyRecorder {
    fn ask(&mut self, key: Key) {
        if self.keys.last() != Some(&key.0) {
            self.keys.push(key.0);
        }
    }

    fn import(&mut self, number: u32) {
        if self.seen.last() != Some(&number) {
            self.seen.push(number);
        }
    }

    fn hidden(&self) -> u32 {
        self.own.unwrap_or(NONE)
    }

    fn known(&self, look: NameLookup) -> Option<Vec<Target>> {
        let known = self.lookup_cache.iter().find(|(known, _)| *known == look);
        known.map(|(_, found)| found.clone())
    }

    fn learn(&mut self, look: NameLookup, found: &[Target]) {
        if look.ns == Namespace::Type && self.lookup_cache.len() < 8 {
            self.lookup_cache.push((look, found.to_vec()));
        }
    }
}

/// External paths as a tree: each has its parent and its last name.
#[derive(Default)]
pub(super) struct Externals {
    numbers: FastMap<(u32, Symbol), u32>,
}

impl Externals {
    /// The paths that a map already contains.
    pub(super) fn of(externals: &[(u32, Symbol)]) -> Self {
        let numbers = externals.iter().enumerate().map(|(at, path)| (*path, at as u32));
        Self { numbers: numbers.collect() }
    }

    pub(super) fn intern(
        &mut self,
        externals: &mut Vec<(u32, Symbol)>,
        before: u32,
        name: Symbol,
    ) -> u32 {
        *self.numbers.entry((before, name)).or_insert_with(|| {
            externals.push((before, name));
            externals.len() as u32 - 1
        })
    }
}

/// Resolves all imports.
pub(super) fn resolve_all(map: &mut DefMap, externals: &mut Externals) {
    let all: Vec<u32> = (0..map.imports.leaves.len() as u32).collect();
    resolve_some(map, externals, &all);
}

/// Resolves some imports on which no other import depends. Every round resolves, from the results
/// of the previous round, the imports whose dependencies changed, so the result does not depend on
/// their order.
pub(super) fn resolve_some(map: &mut DefMap, externals: &mut Externals, some: &[u32]) {
    for number in some {
        map.imports.leaves[*number as usize].results = Vec::new();
    }
    let mut dependents: Vec<Vec<u32>> = vec![Vec::new(); map.imports.leaves.len()];
    let mut work: Vec<u32> = some.to_vec();
    for _ in 0..MAX_ROUNDS {
        let mut changes: Vec<(u32, Results)> = Vec::new();
        let mut paths = std::mem::take(&mut map.imports.externals);
        for number in &work {
            let mut recorder =
                DependencyRecorder { own: Some(*number), ..DependencyRecorder::default() };
            let this: &DefMap = map;
            let mut outside = |it: ExternalPath<'_>| match it {
                ExternalPath::Root(name) => externals.intern(&mut paths, NONE, name),
                ExternalPath::Below(at, rest) => {
                    rest.iter().fold(at, |at, name| externals.intern(&mut paths, at, *name))
                }
                ExternalPath::Std(def, rest) => {
                    let at = std_path(this, externals, &mut paths, def);
                    rest.iter().fold(at, |at, name| externals.intern(&mut paths, at, *name))
                }
            };
            let import = &this.imports.leaves[*number as usize];
            let results = this.resolve_import(&mut recorder, import, &mut outside);
            for other in &recorder.seen {
                let list = &mut dependents[*other as usize];
                if list.last() != Some(number) {
                    list.push(*number);
                }
            }
            map.imports.leaves[*number as usize].dependencies = recorder.finish();
            if results != map.imports.leaves[*number as usize].results {
                changes.push((*number, results));
            }
        }
        map.imports.externals = paths;
        if changes.is_empty() {
            return;
        }
        work.clear();
        for (number, results) in changes {
            map.imports.leaves[number as usize].results = results;
            work.extend_from_slice(&dependents[number as usize]);
        }
        work.sort_unstable();
        work.dedup();
    }
}

/// An external path to intern.
enum ExternalPath<'a> {
    Root(Symbol),
    Below(u32, &'a [Symbol]),
    Std(DefId, &'a [Symbol]),
}

type Results = Vec<(Target, Spaces)>;

impl DefMap {
    /// The current targets of an import.
    fn resolve_import(
        &self,
        observer: &mut impl Observer,
        import: &Import,
        outside: &mut dyn FnMut(ExternalPath<'_>) -> u32,
    ) -> Results {
        let segments = &self.imports.paths[import.path.0 as usize..import.path.1 as usize];
        let spaces: &[Namespace] = match import.kind {
            ImportKind::ExternCrate => {
                return self.resolve_extern_crate(observer, import, segments, outside);
            }
            ImportKind::Name => &[Namespace::Type, Namespace::Value, Namespace::Macro],
            ImportKind::Glob | ImportKind::Underscore => &[Namespace::Type],
        };
        let unknown = vec![(Target::Unknown, ALL_SPACES)];
        if segments.is_empty() {
            // `use ::*`, or a glob whose path could not be read.
            return if import.kind == ImportKind::Glob { Vec::new() } else { unknown };
        }
        let scope = NameScope { at: import.scope, item: import.def, offset: import.offset };
        let start = if import.is_global { PathStart::Root } else { PathStart::Import };
        let rest = |used: usize| segments.get(used..).unwrap_or_default();
        let mut results = Results::new();
        let mut external = None;
        for ns in spaces {
            match self.walk(observer, &scope, UsedPath { segments, start, ns: *ns }) {
                Walk::Found(targets) => {
                    let known = targets.into_iter().filter(|it| *it != Target::Unknown);
                    known.for_each(|it| add(&mut results, it, space(*ns)));
                }
                Walk::External(at, used) => {
                    external = Some(outside(ExternalPath::Below(at, rest(used))));
                }
                Walk::Std(def, used) => {
                    external = Some(outside(ExternalPath::Std(def, rest(used))));
                }
                Walk::Special(_) => {}
            }
        }
        if results.is_empty() {
            match external {
                // The namespaces of an external item are unknown: assume all.
                Some(it) => results.push((Target::External(it), ALL_SPACES)),
                None if import.kind == ImportKind::Name => return unknown,
                None => {}
            }
        }
        results.sort_unstable();
        results
    }

    /// The target of `extern crate`; a crate that is not among the dependencies is external.
    fn resolve_extern_crate(
        &self,
        observer: &mut impl Observer,
        import: &Import,
        segments: &[Symbol],
        outside: &mut dyn FnMut(ExternalPath<'_>) -> u32,
    ) -> Results {
        let scopes = &self.scopes;
        let mut found = match segments.first() {
            Some(&sym::SELF) => {
                vec![Target::Def(scopes[self.root_scope(import.scope) as usize].def)]
            }
            Some(name) => self.extern_name(observer, scopes[import.scope as usize].krate, *name),
            None => return Vec::new(),
        };
        if found.is_empty() {
            let name = segments.first().map(|name| outside(ExternalPath::Root(*name)));
            found.extend(name.map(Target::External));
        }
        found.into_iter().map(|it| (it, space(Namespace::Type))).collect()
    }
}

fn add(results: &mut Results, target: Target, spaces: Spaces) {
    match results.iter_mut().find(|(it, _)| *it == target) {
        Some((_, known)) => *known |= spaces,
        None => results.push((target, spaces)),
    }
}

/// The external path of a module of the standard library.
fn std_path(
    map: &DefMap,
    externals: &mut Externals,
    paths: &mut Vec<(u32, Symbol)>,
    def: DefId,
) -> u32 {
    let mut names = Vec::new();
    let mut at = def;
    while map.def(at).module != at {
        names.extend(map.def(at).name);
        at = map.def(at).parent.unwrap_or(map.def(at).module);
    }
    let root = externals.intern(paths, NONE, sym::STD);
    names.iter().rev().fold(root, |at, name| externals.intern(paths, at, *name))
}
