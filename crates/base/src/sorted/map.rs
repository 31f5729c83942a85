//! [`SortedMap`].

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::iter::Flatten;
use std::marker::PhantomData;
use std::ops::{Index, RangeBounds};
use std::{fmt, slice};

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::blocks::{Blocks, IntoIter, Iter, Place};

/// A map in the order of its keys; it does what `BTreeMap` does.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    entries: Blocks<(K, V)>,
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self { entries: Blocks::new() }
    }

    /// Number of entries.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub const fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries = Blocks::new();
    }

    /// The entries, in order.
    pub fn iter(&self) -> Entries<'_, K, V> {
        Entries(self.entries.iter())
    }

    /// The entries, in order, with values that may be changed.
    pub fn iter_mut(&mut self) -> EntriesMut<'_, K, V> {
        EntriesMut(self.entries.iter_mut())
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values, in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The keys, in order.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> {
        self.entries.into_elements().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> {
        self.entries.into_elements().map(|(_, value)| value)
    }

    /// Removes the entry with the least key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        self.entries.pop_first()
    }

    /// Removes the entries for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain(&mut |(key, value)| keep(key, value));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn search<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        self.entries.search(&|(it, _)| it.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_key_value(key).map(|(_, value)| value)
    }

    /// The value of a key, with the key of the map.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let place = self.search(key).ok()?;
        self.entries.get(place).map(|(key, value)| (key, value))
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.search(key).ok()?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Whether the key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.search(key).is_ok()
    }

    /// Gives a key its value; the value that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.search(&key) {
            Ok(place) => {
                let entry = self.entries.get_mut(place)?;
                Some(std::mem::replace(&mut entry.1, value))
            }
            Err(place) => {
                self.entries.insert(place, (key, value));
                None
            }
        }
    }

    /// Removes a key; the value that it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.search(key).ok()?;
        self.entries.remove(place).map(|(_, value)| value)
    }

    /// The entry of a key, to be filled or changed.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let place = self.search(&key);
        Entry { entries: &mut self.entries, place, key }
    }

    /// Moves all entries of another map here.
    pub fn append(&mut self, other: &mut Self) {
        self.extend(std::mem::take(other));
    }

    /// The entries whose keys are within bounds, in order.
    pub fn range<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, bounds: R) -> Entries<'_, K, V>
    where
        K: Borrow<Q>,
    {
        Entries(self.entries.range(bounds, |(key, _)| key.borrow()))
    }
}

/// The entry of a key in a [`SortedMap`].
pub struct Entry<'a, K, V> {
    entries: &'a mut Blocks<(K, V)>,
    place: Result<Place, Place>,
    key: K,
}

impl<'a, K, V> Entry<'a, K, V> {
    /// The value of the key; the value of `make` if it had none.
    pub fn or_insert_with_key(self, make: impl FnOnce(&K) -> V) -> &'a mut V {
        let Self { entries, place, key } = self;
        let place = place.unwrap_or_else(|place| {
            let value = make(&key);
            entries.insert(place, (key, value))
        });
        &mut entries.at_mut(place).1
    }

    /// The value of the key; the value of `make` if it had none.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        self.or_insert_with_key(|_| make())
    }

    /// The value of the key; `value` if it had none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with_key(|_| value)
    }

    /// The value of the key; the default if it had none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with_key(|_| V::default())
    }

    /// Changes the value of the key, if it has one.
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(place) = self.place {
            change(&mut self.entries.at_mut(place).1);
        }
        self
    }
}

/// The entries of a [`SortedMap`], in order.
pub struct Entries<'a, K, V>(Iter<'a, (K, V)>);

impl<K, V> Clone for Entries<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, K, V> Iterator for Entries<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for Entries<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl<K, V> ExactSizeIterator for Entries<'_, K, V> {}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for SortedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<K: Ord, V: Ord> Ord for SortedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: Hash, V: Hash> Hash for SortedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|entry| entry.hash(state));
    }
}

impl<K: Borrow<Q> + Ord, V, Q: Ord + ?Sized> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    /// The value of a key that the map has.
    #[allow(
        clippy::expect_used,
        reason = "what indexing means; `get` is for keys that may be missing"
    )]
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no entry for the key")
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<'a, K: Ord + Copy, V: Copy> Extend<(&'a K, &'a V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(*key, *value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_elements()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut SortedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = EntriesMut<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// The entries of a [`SortedMap`], in order, with values that may be changed.
pub struct EntriesMut<'a, K, V>(Flatten<slice::IterMut<'a, Vec<(K, V)>>>);

impl<'a, K, V> Iterator for EntriesMut<'a, K, V> {
    type Item = (&'a K, &'a mut V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (&*key, value))
    }
}

impl<K, V> DoubleEndedIterator for EntriesMut<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (&*key, value))
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OfMap(PhantomData))
    }
}

/// Reads a map entry by entry.
struct OfMap<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for OfMap<K, V> {
    type Value = SortedMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut map = SortedMap::new();
        while let Some((key, value)) = access.next_entry()? {
            map.insert(key, value);
        }
        Ok(map)
    }
}
