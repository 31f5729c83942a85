//! Keys of lookups, and sets of keys whose results changed.

/// One lookup: a hash of its kind, the canonical name of the container, and the name. It is built
/// from names, never from indices, so that it is the same in every build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub u64);

/// A sorted set of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeySet(Vec<u64>);

impl KeySet {
    /// Creates a set of keys in any order.
    pub(crate) fn new(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        Self(keys)
    }

    /// The keys, sorted.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// Whether no key changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the set contains one of `sorted`, which is in ascending order.
    pub(crate) fn intersects(&self, sorted: &[u64]) -> bool {
        let (few, many) =
            if sorted.len() < self.0.len() { (sorted, &self.0[..]) } else { (&self.0[..], sorted) };
        few.iter().any(|key| many.binary_search(key).is_ok())
    }
}

/// Makes keys and digests: a fast hash that is the same in every build and on every machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix(u64);

impl Mix {
    /// Starts with a tag that identifies what is hashed.
    pub(crate) fn new(tag: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15).with(tag)
    }

    /// Adds a number.
    pub(crate) fn with(self, value: u64) -> Self {
        let mut it = (self.0 ^ value).wrapping_mul(0xff51_afd7_ed55_8ccd);
        it ^= it >> 32;
        it = it.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        Self(it ^ (it >> 29))
    }

    /// Adds a text.
    pub(crate) fn text(self, text: &str) -> Self {
        let mut it = self.with(text.len() as u64);
        let mut chunks = text.as_bytes().chunks_exact(8);
        for chunk in &mut chunks {
            it = it.with(chunk.iter().fold(0, |all, byte| (all << 8) | u64::from(*byte)));
        }
        let rest = chunks.remainder();
        if rest.is_empty() {
            return it;
        }
        it.with(rest.iter().fold(0, |all, byte| (all << 8) | u64::from(*byte)))
    }

    /// The hash.
    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_intersect_from_either_side() {
        let set = KeySet::new(vec![5, 3, 9]);
        assert!(set.intersects(&[1, 9]));
        assert!(set.intersects(&[1, 2, 3, 4, 6, 7]));
        assert!(!set.intersects(&[1, 2, 4]));
        assert!(!KeySet::default().intersects(&[1]));
    }

    #[test]
    fn hashes_depend_on_the_boundaries_of_texts() {
        let of = |a: &str, b: &str| Mix::new(0).text(a).text(b).finish();
        assert_ne!(of("ab", "c"), of("a", "bc"));
        assert_ne!(of("abcdefgh", ""), of("", "abcdefgh"));
    }
}
