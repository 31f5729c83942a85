use base::{EdgeKind, Tier};
use graph::UnresolvedReason;

/// What resolution found in one file, in slots: it holds while other files' numbers shift.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileLinks {
    /// Sorted by place.
    pub(crate) links: Vec<Link>,
    /// Sorted by place.
    pub(crate) unresolved: Vec<Unresolved>,
    /// The keys of all lookups, cut to 32 bits (two that meet cost a resolution, never an answer);
    /// sorted.
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

/// Keys as they are kept.
pub(crate) fn narrow(keys: &[u64]) -> Vec<u32> {
    let mut narrow: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
    narrow.sort_unstable();
    narrow.dedup();
    narrow
}

/// Whether two sorted lists share a key.
pub(crate) fn intersect(a: &[u32], b: &[u32]) -> bool {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().any(|key| many.binary_search(key).is_ok())
}
