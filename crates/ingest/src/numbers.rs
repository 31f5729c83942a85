//! The numbers of nodes in the map being assembled. Start at [`Numbers`].

use std::ops::Range;

use base::ItemId;

use crate::node_interner::{NONE, NodeInterner};

/// The number of each node in the map being assembled. Nodes come in segments: one per file, one
/// per crate, and the rest.
pub(crate) struct Numbers {
    of_slot: Vec<u32>,
    /// Slots by number.
    slots: Vec<u32>,
    /// The first number of each segment.
    starts: Vec<u32>,
    /// Some slot has two numbers.
    is_ambiguous: bool,
}

impl Numbers {
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            of_slot: vec![NONE; slots],
            slots: Vec::with_capacity(slots),
            starts: Vec::new(),
            is_ambiguous: false,
        }
    }

    pub(crate) fn of(&self, slot: u32) -> Option<u32> {
        self.of_slot.get(slot as usize).copied().filter(|number| *number != NONE)
    }

    pub(crate) fn segments(&self) -> usize {
        self.starts.len()
    }

    /// The first number of a segment.
    pub(crate) fn start(&self, segment: u32) -> u32 {
        self.starts.get(segment as usize).copied().unwrap_or(self.slots.len() as u32)
    }

    pub(crate) fn range(&self, segment: u32) -> Range<u32> {
        self.start(segment)..self.start(segment + 1)
    }

    /// The segment of a number.
    pub(crate) fn segment(&self, number: u32) -> u32 {
        self.starts.partition_point(|start| *start <= number) as u32 - 1
    }

    /// The segment of a slot; [`NONE`] if it has no number.
    pub(crate) fn segment_of(&self, slot: u32) -> u32 {
        self.of(slot).map_or(NONE, |number| self.segment(number))
    }

    /// Starts the next segment.
    pub(crate) fn begin(&mut self) {
        self.starts.push(self.slots.len() as u32);
    }

    /// Assigns the next number to a slot.
    pub(crate) fn take(&mut self, slot: u32) {
        if self.of_slot.len() <= slot as usize {
            self.of_slot.resize(slot as usize + 1, NONE);
        }
        let before = std::mem::replace(&mut self.of_slot[slot as usize], self.slots.len() as u32);
        self.is_ambiguous |= before != NONE;
        self.slots.push(slot);
    }

    /// All numbers, sorted by the ids of their slots. `known` is the same list, as slots, for the
    /// previous map; it is updated to this map.
    pub(crate) fn by_id(&self, slots: &NodeInterner, known: &mut Vec<u32>) -> Vec<u32> {
        let mut is_new = vec![true; self.slots.len()];
        known.retain(|slot| match self.of(*slot) {
            Some(number) => std::mem::replace(&mut is_new[number as usize], false),
            None => false,
        });
        let new = self.slots.iter().zip(&is_new).filter(|(_, is_new)| **is_new);
        let mut new: Vec<u32> = new.map(|(slot, _)| *slot).collect();
        if self.is_ambiguous || new.len() > known.len() {
            let mut all: Vec<(Option<ItemId>, u32)> =
                self.slots.iter().map(|slot| slots.id(*slot)).zip(0..).collect();
            all.sort_unstable();
            let numbers: Vec<u32> = all.into_iter().map(|(_, number)| number).collect();
            known.clear();
            if !self.is_ambiguous {
                known.extend(numbers.iter().filter_map(|number| self.slots.get(*number as usize)));
            }
            return numbers;
        }
        new.sort_unstable_by_key(|slot| slots.id(*slot));
        let mut from = 0;
        for slot in new {
            let id = slots.id(slot);
            from += known.get(from..).unwrap_or_default().partition_point(|it| slots.id(*it) < id);
            known.insert(from, slot);
        }
        known.iter().filter_map(|slot| self.of(*slot)).collect()
    }
}
