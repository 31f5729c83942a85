//! The links of a file: resolved edges in terms of slots, which stay valid while the numbers of
//! items in other files shift.

use base::{EdgeKind, Provenance, Tier};
use graph::UnresolvedReason;

/// The result of resolving one file, in slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileLinks {
    /// Sorted by offset.
    pub(crate) links: Vec<Link>,
    /// Sorted by offset.
    pub(crate) unresolved: Vec<Unresolved>,
    /// The number of call sites whose target is outside the workspace.
    pub(crate) external: u32,
    /// The keys of all lookups, cut to 32 bits and sorted. A collision costs an unnecessary
    /// resolution, never a wrong result.
    pub(crate) deps: Vec<u32>,
}

/// One site of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    pub(crate) offset: u32,
    pub(crate) line: u32,
    pub(crate) src: u32,
    pub(crate) dst: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) tier: Tier,
    pub(crate) rule: u8,
    pub(crate) provenance: Provenance,
}

/// One site without a target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unresolved {
    pub(crate) offset: u32,
    pub(crate) line: u32,
    pub(crate) src: u32,
    pub(crate) reason: UnresolvedReason,
    pub(crate) name: Box<str>,
}

/// Cuts keys to 32 bits.
pub(crate) fn narrow(keys: &[u64]) -> Vec<u32> {
    let mut narrow: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
    narrow.sort_unstable();
    narrow.dedup();
    narrow
}

/// Keys whose results changed.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    /// Sorted.
    keys: Vec<u32>,
    /// A Bloom filter on the keys' low bits: most lookups miss.
    bits: Vec<u64>,
}

impl Changed {
    pub(crate) fn new(keys: Vec<u32>) -> Self {
        let mut bits = vec![0; 1 << 10];
        keys.iter().for_each(|key| bits[bit(*key).0] |= bit(*key).1);
        Self { keys, bits }
    }

    /// Whether one of `deps` is among them.
    pub(crate) fn touches(&self, deps: &[u32]) -> bool {
        !self.keys.is_empty()
            && deps.iter().any(|key| {
                let (index, mask) = bit(*key);
                self.bits[index] & mask != 0 && self.keys.binary_search(key).is_ok()
            })
    }
}

fn bit(key: u32) -> (usize, u64) {
    ((key >> 6) as usize & ((1 << 10) - 1), 1 << (key & 63))
}
