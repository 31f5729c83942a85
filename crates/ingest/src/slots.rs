use std::collections::HashMap;

use base::ItemId;

/// No slot, no number.
pub(crate) const NONE: u32 = u32::MAX;

/// A short name for each node of the map: links between files are kept by slot, so that they hold
/// while the numbers of items shift. A slot is given once and never taken back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    by_id: HashMap<ItemId, u32>,
    ids: Vec<ItemId>,
    /// Canonical paths of what lies outside, by slot.
    outside: HashMap<u32, Box<str>>,
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
        let slot = self.of(outside_id(canon));
        self.outside.entry(slot).or_insert_with(|| canon.into());
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
