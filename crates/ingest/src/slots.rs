use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use base::ItemId;
use graph::ItemRow;

use crate::nodes::twin_id;

/// No slot, no number.
pub(crate) const NONE: u32 = u32::MAX;

/// A short name for each node of the map: links between files are kept by slot, so that they hold
/// while the numbers of items shift. A slot is given once and never taken back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    by_id: HashMap<ItemId, u32, BuildHasherDefault<IdHasher>>,
    ids: Vec<ItemId>,
    /// Canonical paths of what lies outside, by slot.
    outside: HashMap<u32, Box<str>>,
    /// The way back: the id of a path costs a cryptographic hash.
    by_path: HashMap<Box<str>, u32>,
    /// Of twins: the slot of the first, and the ordinal.
    twins: BTreeMap<(u32, u32), u32>,
}

impl Slots {
    /// The slot of a node of the workspace.
    pub(crate) fn of(&mut self, id: ItemId) -> u32 {
        *self.by_id.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() as u32 - 1
        })
    }

    /// The slot of something outside the workspace.
    pub(crate) fn of_outside(&mut self, canon: &str) -> u32 {
        if let Some(slot) = self.by_path.get(canon) {
            return *slot;
        }
        let slot = self.of(outside_id(canon));
        self.outside.entry(slot).or_insert_with(|| canon.into());
        self.by_path.insert(canon.into(), slot);
        slot
    }

    /// The slot of the so-manieth node of one id; `first`: that of the id itself.
    pub(crate) fn of_twin(&mut self, row: &ItemRow, first: u32, ordinal: u32) -> u32 {
        if let Some(slot) = self.twins.get(&(first, ordinal)) {
            return *slot;
        }
        let slot = self.of(twin_id(row, ordinal).0);
        self.twins.insert((first, ordinal), slot);
        slot
    }

    /// The canonical path, where the slot is of something outside.
    pub(crate) fn outside(&self, slot: u32) -> Option<&str> {
        self.outside.get(&slot).map(|canon| &**canon)
    }

    pub(crate) fn id(&self, slot: u32) -> Option<ItemId> {
        self.ids.get(slot as usize).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }
}

/// Ids are hashes already: eight of their bytes will do. Whoever makes two meet slows the map of a
/// project of his own.
#[derive(Debug, Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for (at, byte) in bytes.iter().enumerate().take(8) {
            self.0 ^= u64::from(*byte) << (at * 8);
        }
    }
}

/// The id of something outside the workspace.
pub(crate) fn outside_id(canon: &str) -> ItemId {
    ItemId::of(canon, "external", "")
}

/// The id of a crate.
pub(crate) fn crate_id(name: &str) -> ItemId {
    ItemId::of(name, "crate", "")
}

/// The id of a file.
pub(crate) fn file_id(path: &str) -> ItemId {
    ItemId::of(path, "file", "")
}

/// The id of a cargo feature.
pub(crate) fn feature_id(canon: &str) -> ItemId {
    ItemId::of(canon, "feature", "")
}
