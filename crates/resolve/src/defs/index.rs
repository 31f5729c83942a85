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
    /// From pairs in any order.
    pub(crate) fn new(mut pairs: Vec<(K, DefId)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let (keys, defs) = pairs.into_iter().unzip();
        Self { keys, defs }
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
