//! What a file's answer rests on: keys of lookups, and sets of keys whose answers differ.

use crate::defs::Looked;

/// One lookup: a hash of what was asked (kind of question, canonical name of the container, name).
/// Built from names, never from numbers, so that it means the same in every build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u64);

/// The keys of all lookups of one file, those that found nothing too.
#[derive(Clone, Debug, Default)]
pub struct Deps {
    keys: Vec<u64>,
    /// How many of the front are sorted and unique.
    sorted: usize,
    /// By the end of a key, the one that was noted last: most lookups repeat.
    recent: Vec<u64>,
    /// What names in scopes mean. It holds for the one map that all of the lookups are made in.
    pub(crate) looked: Looked,
}

/// How many keys are known as noted, at most; a power of two.
const RECENT: usize = 1024;

impl Deps {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes one lookup.
    pub fn note(&mut self, key: Key) {
        if let Some(place) = self.recent.get_mut(key.0 as usize % RECENT) {
            if std::mem::replace(place, key.0) == key.0 {
                return;
            }
        } else if self.keys.len() >= 16 {
            self.recent = vec![0; RECENT];
            // No key stands in the place of another.
            self.recent[0] = 1;
        }
        self.keys.push(key.0);
        // What is kept stays within twice the distinct ones.
        if self.keys.len() >= 256 && self.keys.len() >= self.sorted * 2 {
            self.keys.sort_unstable();
            self.keys.dedup();
            self.sorted = self.keys.len();
        }
    }

    /// All keys, sorted, each once.
    pub fn into_sorted(mut self) -> Vec<u64> {
        self.keys.sort_unstable();
        self.keys.dedup();
        self.keys
    }
}

/// A sorted set of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeySet(Vec<u64>);

impl KeySet {
    /// Of keys in any order.
    pub fn new(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        Self(keys)
    }

    /// The keys, sorted.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// Nothing changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a key is in it.
    pub fn contains(&self, key: Key) -> bool {
        self.0.binary_search(&key.0).is_ok()
    }

    /// Whether one of `sorted` (as [`Deps::into_sorted`] gives them) is in it.
    pub fn intersects(&self, sorted: &[u64]) -> bool {
        let (few, many) =
            if sorted.len() < self.0.len() { (sorted, &self.0[..]) } else { (&self.0[..], sorted) };
        few.iter().any(|key| many.binary_search(key).is_ok())
    }
}

/// Makes keys and digests: a fast hash that is the same in every build and on every machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix(u64);

impl Mix {
    /// Begins with a number that says what is hashed.
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
    fn keys_come_out_sorted_and_once() {
        let mut deps = Deps::new();
        for round in 0..1000_u64 {
            deps.note(Key(round * 7919 % 100));
        }
        assert_eq!(deps.into_sorted(), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn sets_intersect_from_either_side() {
        let set = KeySet::new(vec![5, 3, 9]);
        assert!(set.intersects(&[1, 9]));
        assert!(set.intersects(&[1, 2, 3, 4, 6, 7]));
        assert!(!set.intersects(&[1, 2, 4]));
        assert!(!KeySet::default().intersects(&[1]));
    }

    #[test]
    fn borders_of_texts_count_in_hashes() {
        let of = |a: &str, b: &str| Mix::new(0).text(a).text(b).finish();
        assert_ne!(of("ab", "c"), of("a", "bc"));
        assert_ne!(of("abcdefgh", ""), of("", "abcdefgh"));
    }
}
