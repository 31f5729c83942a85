//! The dependencies of a file's resolution: the keys of its lookups.

use super::lookup::Observer;
use super::lookup_cache::{LookupCache, NameLookup};
use super::table::{NONE, Target};
use crate::Key;

/// The keys of all lookups of one file, including those that found nothing.
#[derive(Clone, Debug, Default)]
pub struct Deps {
    keys: Vec<u64>,
    /// The length of the sorted prefix without duplicates.
    sorted: usize,
    /// A small direct-mapped cache of recorded keys: most lookups repeat.
    recent: Vec<u64>,
    /// Results of name lookups. Valid only for the map in which all the lookups are made.
    lookup_cache: LookupCache,
}

/// The size of the cache of recorded keys; a power of two.
const RECENT: usize = 1024;

impl Deps {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records one lookup.
    pub(crate) fn note(&mut self, key: Key) {
        if let Some(slot) = self.recent.get_mut(key.0 as usize % RECENT) {
            if std::mem::replace(slot, key.0) == key.0 {
                return;
            }
        } else if self.keys.len() >= 16 {
            self.recent = vec![0; RECENT];
            // Zero is key 0, which belongs into slot 0: any other value marks the slot as empty.
            self.recent[0] = 1;
        }
        self.keys.push(key.0);
        // Keeps the list within twice the number of distinct keys.
        if self.keys.len() >= 256 && self.keys.len() >= self.sorted * 2 {
            self.keys.sort_unstable();
            self.keys.dedup();
            self.sorted = self.keys.len();
        }
    }

    /// All keys, sorted, each once.
    pub(crate) fn into_sorted(mut self) -> Vec<u64> {
        self.keys.sort_unstable();
        self.keys.dedup();
        self.keys
    }
}

impl Observer for Deps {
    fn ask(&mut self, key: Key) {
        self.note(key);
    }

    fn import(&mut self, _number: u32) {}

    fn hidden(&self) -> u32 {
        NONE
    }

    fn known(&self, look: NameLookup) -> Option<Vec<Target>> {
        self.lookup_cache.get(look)
    }

    fn learn(&mut self, look: NameLookup, found: &[Target]) {
        self.lookup_cache.learn(look, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_without_duplicates() {
        let mut deps = Deps::new();
        for round in 0..1000_u64 {
            deps.note(Key(round * 7919 % 100));
        }
        assert_eq!(deps.into_sorted(), (0..100).collect::<Vec<_>>());
    }
}
