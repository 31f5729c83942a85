//! A sorted multimap from keys to definitions in flat arrays.

use std::ops::Range;

use super::{DefId, Symbol, TypeHead};

/// A key of an [`Index`]. Keys are sorted by section first; a lookup starts at its section.
pub(crate) trait Sections {
    /// The section of a key.
    fn section(&self) -> usize {
        0
    }
}

impl Sections for DefId {}

impl Sections for Symbol {}

impl Sections for TypeHead {}

impl Sections for (DefId, TypeHead) {}

/// Most lookups are of a name in a container.
impl Sections for (DefId, Symbol) {
    fn section(&self) -> usize {
        self.0.idx()
    }
}

/// Definitions by key; those of one key are adjacent and sorted.
#[derive(Clone, Debug)]
pub(crate) struct Index<K> {
    keys: Vec<K>,
    defs: Vec<DefId>,
    /// The start of each section, and the end of the last one.
    starts: Vec<u32>,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), defs: Vec::new(), starts: Vec::new() }
    }
}

impl<K: Ord + Copy + Sections> Index<K> {
    /// Removes pairs and adds new ones.
    pub(crate) fn replace(
        &mut self,
        is_removed: impl Fn(K, DefId) -> bool,
        mut new: Vec<(K, DefId)>,
    ) {
        new.sort_unstable();
        new.dedup();
        let mut new = new.into_iter().peekable();
        let mut merged = Self {
            keys: Vec::with_capacity(self.keys.len() + new.len()),
            defs: Vec::with_capacity(self.keys.len() + new.len()),
            starts: Vec::with_capacity(self.starts.len()),
        };
        for pair in self.pairs().filter(|(key, def)| !is_removed(*key, *def)) {
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
        merged.begin_sections();
        *self = merged;
    }

    fn begin_sections(&mut self) {
        let Some(last) = self.keys.last() else { return };
        self.starts.reserve_exact(last.section() + 2);
        for (at, key) in (0..).zip(&self.keys) {
            if self.starts.len() <= key.section() {
                self.starts.resize(key.section() + 1, at);
            }
        }
        self.starts.push(self.keys.len() as u32);
    }

    /// The definitions of a key.
    pub(crate) fn get(&self, key: K) -> &[DefId] {
        &self.defs[self.range(key)]
    }

    fn range(&self, key: K) -> Range<usize> {
        let section = key.section();
        let (Some(from), Some(to)) = (self.starts.get(section), self.starts.get(section + 1))
        else {
            return 0..0;
        };
        let (from, to) = (*from as usize, *to as usize);
        let start = from + self.keys[from..to].partition_point(|it| *it < key);
        let rest = &self.keys[start..to];
        // Lists are short: a binary search from the start takes few comparisons.
        let len =
            if rest.first() == Some(&key) { rest.partition_point(|it| *it <= key) } else { 0 };
        start..start + len
    }

    /// All pairs, sorted.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (K, DefId)> + '_ {
        self.keys.iter().copied().zip(self.defs.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_in_its_section_and_nowhere_else() {
        let pairs = [(7, 1, 10), (7, 1, 11), (7, 3, 12), (9, 0, 13), (12, 1, 14)];
        let key = |of: u32, name: u32| (DefId(of), Symbol(name));
        let mut index = Index::default();
        assert!(index.get(key(0, 0)).is_empty());
        index.replace(
            |_, _| false,
            pairs.iter().map(|(of, name, def)| (key(*of, *name), DefId(*def))).collect(),
        );
        for of in 0..15 {
            for name in 0..5 {
                let want: Vec<DefId> = (pairs.iter().filter(|it| (it.0, it.1) == (of, name)))
                    .map(|it| DefId(it.2))
                    .collect();
                assert_eq!(index.get(key(of, name)), want, "{of} {name}");
            }
        }
        index.replace(|_, def| def == DefId(14), vec![(key(2, 2), DefId(1))]);
        assert_eq!(index.get(key(2, 2)), [DefId(1)]);
        assert!(index.get(key(12, 1)).is_empty());
        index.replace(|_, _| true, Vec::new());
        assert!(index.get(key(7, 1)).is_empty());
    }
}
