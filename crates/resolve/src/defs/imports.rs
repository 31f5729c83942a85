//! Imports to a fixpoint.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use super::looked::Look;
use super::lookup::{Observer, Outside};
use super::table::{FastHasher, NONE, Spaces, Target};
use super::{DefId, DefMap, Namespace, Symbol};
use crate::deps::Key;

/// Re-exports of re-exports deeper than this, and imports that contradict each other, stay as they
/// are after so many rounds.
const MOST_ROUNDS: usize = 256;

/// What an answer that is kept rests on.
#[derive(Clone, Debug, Default)]
pub(super) struct RestsOn {
    /// Keys of lookups.
    pub(super) keys: Arc<[u64]>,
    /// Imports.
    pub(super) imports: Arc<[u32]>,
}

/// Notes what an answer rests on.
#[derive(Default)]
pub(super) struct Consulted {
    /// The import that is resolved.
    own: Option<u32>,
    keys: Vec<u64>,
    seen: Vec<u32>,
    /// What names on the way mean: the same in each namespace of the last one.
    looked: Vec<(Look, Vec<Target>)>,
}

impl Consulted {
    pub(super) fn finish(mut self) -> RestsOn {
        self.keys.sort_unstable();
        self.keys.dedup();
        self.seen.sort_unstable();
        self.seen.dedup();
        RestsOn { keys: self.keys.into(), imports: self.seen.into() }
    }
}

impl Observer for Consulted {
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

    fn known(&self, look: Look) -> Option<Vec<Target>> {
        let known = self.looked.iter().find(|(known, _)| *known == look);
        known.map(|(_, found)| found.clone())
    }

    fn learn(&mut self, look: Look, found: &[Target]) {
        if look.ns == Namespace::Type && self.looked.len() < 8 {
            self.looked.push((look, found.to_vec()));
        }
    }
}

/// Paths outside, as a tree: each has the one before and its last name.
#[derive(Default)]
pub(super) struct Externals {
    numbers: HashMap<(u32, Symbol), u32, BuildHasherDefault<FastHasher>>,
}

impl Externals {
    /// Of the paths that a map has.
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
    let all: Vec<u32> = (0..map.imports.len() as u32).collect();
    map.import_rests = vec![RestsOn::default(); all.len()];
    resolve_some(map, externals, &all);
}

/// Resolves some imports, on which none of the others rests. Every round resolves, from the results
/// of the round before, the imports that rest on what changed: so the result does not depend on
/// their order.
pub(super) fn resolve_some(map: &mut DefMap, externals: &mut Externals, some: &[u32]) {
    for number in some {
        map.imports[*number as usize].results = Vec::new();
    }
    let mut dependents: Vec<Vec<u32>> = vec![Vec::new(); map.imports.len()];
    let mut work: Vec<u32> = some.to_vec();
    for _ in 0..MOST_ROUNDS {
        let mut changes: Vec<(u32, Vec<(Target, Spaces)>)> = Vec::new();
        let mut paths = std::mem::take(&mut map.externals);
        for number in &work {
            let mut consulted = Consulted { own: Some(*number), ..Consulted::default() };
            let this: &DefMap = map;
            let mut outside = |it: Outside<'_>| match it {
                Outside::Root(name) => externals.intern(&mut paths, NONE, name),
                Outside::Below(at, rest) => {
                    rest.iter().fold(at, |at, name| externals.intern(&mut paths, at, *name))
                }
                Outside::Std(def, rest) => {
                    let at = std_path(this, externals, &mut paths, def);
                    rest.iter().fold(at, |at, name| externals.intern(&mut paths, at, *name))
                }
            };
            let results = this.resolve_import(&mut consulted, *number, &mut outside);
            for other in &consulted.seen {
                let list = &mut dependents[*other as usize];
                if list.last() != Some(number) {
                    list.push(*number);
                }
            }
            map.import_rests[*number as usize] = consulted.finish();
            if results != map.imports[*number as usize].results {
                changes.push((*number, results));
            }
        }
        map.externals = paths;
        if changes.is_empty() {
            return;
        }
        work.clear();
        for (number, results) in changes {
            map.imports[number as usize].results = results;
            work.extend_from_slice(&dependents[number as usize]);
        }
        work.sort_unstable();
        work.dedup();
    }
}

/// The path of a module of the standard library, as one outside.
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
