//! Definitions by a key, as two flat arrays.

use std::ops::Range;

use super::DefId;

/// Definitions by key; those of one key are sorted and stand together.
#[derive(Clone, Debug)]
pub(crate) struct Index<K> {
    keys: Vec<K>,
    defs: Vec<DefId>,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), defs: Vec::new() }
    }
}

impl<K: Ord + Copy> Index<K> {
    /// Without the pairs that are gone, and with new ones.
    pub(crate) fn replace(&mut self, is_gone: impl Fn(K, DefId) -> bool, mut new: Vec<(K, DefId)>) {
        new.sort_unstable();
        new.dedup();
        let mut new = new.into_iter().peekable();
        let mut merged = Self {
            keys: Vec::with_capacity(self.keys.len() + new.len()),
            defs: Vec::with_capacity(self.keys.len() + new.len()),
        };
        for pair in self.pairs().filter(|(key, def)| !is_gone(*key, *def)) {
            while let Some((key, def)) = new.next_if(|it| *it < pair) {
                merged.keys.push(key);
                merged.defs.push(def);
            }
            new.next_if(|it| *it == pair);
            merged.keys.push(pair.0);
            merged.defs.push(pair.1);
        }
        for (key, def) in new {
            merged.keys.push(key);
            merged.defs.push(def);
        }
        *self = merged;
    }

    /// The definitions of a key.
    pub(crate) fn get(&self, key: K) -> &[DefId] {
        &self.defs[self.range(key)]
    }

    fn range(&self, key: K) -> Range<usize> {
        let start = self.keys.partition_point(|it| *it < key);
        let rest = &self.keys[start..];
        // Lists are short: from the start on it is a few steps.
        let len =
            if rest.first() == Some(&key) { rest.partition_point(|it| *it <= key) } else { 0 };
        start..start + len
    }

    /// All pairs, sorted.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (K, DefId)> + '_ {
        self.keys.iter().copied().zip(self.defs.iter().copied())
    }
}
