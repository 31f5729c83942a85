//! [`Ranks`]: a topological order that is kept while edges are added.
//!
//! After Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (2006): an
//! edge that agrees with the order costs nothing, and any other only the relations between its two ends.

use super::Slot;

/// The rank of each relation by number: a permutation, in which parents come before children.
#[derive(Default)]
pub(super) struct Ranks {
    ranks: Vec<u32>,
}

impl Ranks {
    /// Adds a relation at the end.
    pub(super) fn push(&mut self) {
        self.ranks.push(self.ranks.len() as u32);
    }

    /// The descendants of `child`, itself included, that come no later than `parent`; `None` if `parent`
    /// is one of them, so that an edge from `parent` to `child` would close a cycle.
    pub(super) fn descendants_to(
        &self,
        slots: &[Option<Slot>],
        child: u32,
        parent: u32,
    ) -> Option<Vec<u32>> {
        if child == parent {
            return None;
        }
        let last = self.of(parent);
        if self.of(child) > last {
            return Some(Vec::new());
        }
        let found = self.search(slots, child, |slot, open| {
            open.extend(slot.children.iter().filter(|child| self.of(**child) <= last));
        });
        (!found.contains(&parent)).then_some(found)
    }

    /// Restores the order for a new edge from `parent` to `child`, which closes no cycle.
    pub(super) fn after(&mut self, slots: &[Option<Slot>], parent: u32, child: u32) {
        let first = self.of(child);
        // Both ends are in the graph already, so `parent` is left out of the search by its rank.
        if first > self.of(parent) {
            return;
        }
        let last = self.of(parent);
        let mut behind = self.search(slots, child, |slot, open| {
            open.extend(slot.children.iter().filter(|it| self.of(**it) < last));
        });
        let mut before = self.search(slots, parent, |slot, open| {
            open.extend(slot.parents.iter().filter(|it| self.of(**it) > first));
        });
        before.sort_by_key(|number| self.of(*number));
        behind.sort_by_key(|number| self.of(*number));
        before.extend(behind);
        let mut free: Vec<u32> = before.iter().map(|number| self.of(*number)).collect();
        free.sort_unstable();
        for (number, rank) in before.into_iter().zip(free) {
            if let Some(slot) = self.ranks.get_mut(number as usize) {
                *slot = rank;
            }
        }
    }

    /// Leaves out the relations that are not present any more; the order of the others stays.
    pub(super) fn compact(&mut self, present: &[bool]) {
        let mut kept: Vec<u32> =
            self.ranks.iter().zip(present).filter(|(_, it)| **it).map(|(rank, _)| *rank).collect();
        let mut by_rank: Vec<usize> = (0..kept.len()).collect();
        by_rank.sort_unstable_by_key(|at| kept[*at]);
        for (rank, at) in by_rank.into_iter().enumerate() {
            kept[at] = rank as u32;
        }
        self.ranks = kept;
    }

    fn of(&self, number: u32) -> u32 {
        self.ranks.get(number as usize).copied().unwrap_or(u32::MAX)
    }

    /// The relations that are reached from `start`, itself included.
    fn search(
        &self,
        slots: &[Option<Slot>],
        start: u32,
        next: impl Fn(&Slot, &mut Vec<u32>),
    ) -> Vec<u32> {
        let mut seen = std::collections::BTreeSet::new();
        let mut open = vec![start];
        while let Some(number) = open.pop() {
            if seen.insert(number)
                && let Some(Some(slot)) = slots.get(number as usize)
            {
                next(slot, &mut open);
            }
        }
        seen.into_iter().collect()
    }
}
