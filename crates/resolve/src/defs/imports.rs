//! Imports to a fixpoint.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::lookup::{Observer, Outside};
use super::table::{FastHasher, NONE, Spaces, Target};
use super::{DefId, DefMap, Symbol};
use crate::deps::Key;

/// Re-exports of re-exports deeper than this, and imports that contradict each other, stay as they
/// are after so many rounds.
const MOST_ROUNDS: usize = 256;

/// Notes which other imports an import rests on.
struct Consulted {
    own: u32,
    seen: Vec<u32>,
}

impl Observer for Consulted {
    fn ask(&mut self, _key: Key) {}

    fn import(&mut self, number: u32) {
        if self.seen.last() != Some(&number) {
            self.seen.push(number);
        }
    }

    fn hidden(&self) -> u32 {
        self.own
    }
}

/// Paths outside, as a tree: each has the one before and its last name.
#[derive(Default)]
pub(super) struct Externals {
    numbers: HashMap<(u32, Symbol), u32, BuildHasherDefault<FastHasher>>,
}

impl Externals {
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

/// Resolves all imports. Every round resolves, from the results of the round before, the imports
/// that rest on what changed: so the result does not depend on their order.
pub(super) fn resolve_all(map: &mut DefMap, externals: &mut Externals) {
    for import in &mut map.imports {
        import.results = Vec::new();
    }
    let count = map.imports.len();
    let mut dependents: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut work: Vec<u32> = (0..count as u32).collect();
    for _ in 0..MOST_ROUNDS {
        let mut changes: Vec<(u32, Vec<(Target, Spaces)>)> = Vec::new();
        let mut paths = std::mem::take(&mut map.externals);
        for number in &work {
            let mut consulted = Consulted { own: *number, seen: Vec::new() };
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
            for other in consulted.seen {
                let list = &mut dependents[other as usize];
                if list.last() != Some(number) {
                    list.push(*number);
                }
            }
            if results != this.imports[*number as usize].results {
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
