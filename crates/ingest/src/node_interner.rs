//! Interns the nodes of the map as slots: small numbers that stay valid while the numbers of items
//! shift.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use base::{ItemId, SortedMap};
use graph::ItemRow;

/// No slot, no number.
pub(crate) const NONE: u32 = u32::MAX;

/// Interned nodes. Links between files are stored by slot, so that they stay valid while the
/// numbers of items shift. A slot is never reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeInterner {
    by_id: HashMap<ItemId, u32, BuildHasherDefault<IdHasher>>,
    ids: Vec<ItemId>,
    /// Canonical paths of external items, by slot.
    outside: HashMap<u32, Box<str>>,
    /// Slots by path: computing the id of a path costs a cryptographic hash.
    by_path: HashMap<Box<str>, u32>,
    /// Slots of duplicate ids, by the first slot and the ordinal.
    duplicates: SortedMap<(u32, u32), u32>,
}

impl NodeInterner {
    /// The slot of a node of the workspace.
    pub(crate) fn of(&mut self, id: ItemId) -> u32 {
        *self.by_id.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() as u32 - 1
        })
    }

    /// The slot of an external item.
    pub(crate) fn of_outside(&mut self, canon: &str) -> u32 {
        if let Some(slot) = self.by_path.get(canon) {
            return *slot;
        }
        let slot = self.of(outside_id(canon));
        self.outside.entry(slot).or_insert_with(|| canon.into());
        self.by_path.insert(canon.into(), slot);
        slot
    }

    /// The slot of the n-th node with one id; `first` is the slot of the id itself.
    pub(crate) fn of_duplicate(&mut self, row: &ItemRow, first: u32, ordinal: u32) -> u32 {
        if let Some(slot) = self.duplicates.get(&(first, ordinal)) {
            return *slot;
        }
        let slot = self.of(duplicate_id(row, ordinal).0);
        self.duplicates.insert((first, ordinal), slot);
        slot
    }

    /// The canonical path, if the slot is of an external item.
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

/// Ids are hashes already: eight of their bytes are sufficient. Crafted collisions only slow the
/// map of the author's own project.
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

/// The id of an external item.
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

/// The id of a row when another row with the same path, kind and disambiguator comes before it.
pub(crate) fn duplicate_id(row: &ItemRow, ordinal: u32) -> (ItemId, String) {
    let disambiguator = if row.disambiguator.is_empty() {
        ordinal.to_string()
    } else {
        format!("{}-{ordinal}", row.disambiguator)
    };
    (ItemId::of(&row.canon, row.kind.as_str(), &disambiguator), disambiguator)
}
