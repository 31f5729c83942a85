//! Resolves imports to a fixpoint.

use std::sync::Arc;

use super::lookup::{ExternalPath, Observer};
use super::lookup_cache::NameLookup;
use super::table::{NONE, Spaces, Target};
use super::{DefId, DefMap, Namespace, Symbol};
use crate::deps::Key;
use crate::hash::FastMap;

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
        let mut changes: Vec<(u32, Vec<(Target, Spaces)>)> = Vec::new();
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
            let results = this.resolve_import(&mut recorder, *number, &mut outside);
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
    let root = externals.intern(paths, NONE, super::symbols::sym::STD);
    names.iter().rev().fold(root, |at, name| externals.intern(paths, at, *name))
}
