// `std::collections::hash_map`.

use crate::borrow::Borrow;
use crate::iter::{Extend, FromIterator};

#[derive(Debug, PartialEq, Eq, Clone, Default)]
pub struct HashMap<K, V, S = RandomState>;
impl<K, V> HashMap<K, V, RandomState> {
    fn new() -> HashMap<K, V, RandomState>;
    fn with_capacity(capacity: usize) -> HashMap<K, V, RandomState>;
}
impl<K, V, S> HashMap<K, V, S> {
    fn keys(&self) -> Keys<K, V>;
    fn into_keys(self) -> IntoKeys<K, V>;
    fn values(&self) -> Values<K, V>;
    fn values_mut(&mut self) -> ValuesMut<K, V>;
    fn into_values(self) -> IntoValues<K, V>;
    fn iter(&self) -> Iter<K, V>;
    fn iter_mut(&mut self) -> IterMut<K, V>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F);
    fn clear(&mut self);
    fn entry(&mut self, key: K) -> Entry<K, V>;
    fn get<Q>(&self, k: &Q) -> Option<&V> where K: Borrow<Q>;
    fn get_key_value<Q>(&self, k: &Q) -> Option<(&K, &V)> where K: Borrow<Q>;
    fn contains_key<Q>(&self, k: &Q) -> bool where K: Borrow<Q>;
    fn get_mut<Q>(&mut self, k: &Q) -> Option<&mut V> where K: Borrow<Q>;
    fn insert(&mut self, k: K, v: V) -> Option<V>;
    fn remove<Q>(&mut self, k: &Q) -> Option<V> where K: Borrow<Q>;
    fn remove_entry<Q>(&mut self, k: &Q) -> Option<(K, V)> where K: Borrow<Q>;
    fn with_hasher(hash_builder: S) -> HashMap<K, V, S>;
    fn with_capacity_and_hasher(capacity: usize, hash_builder: S) -> HashMap<K, V, S>;
    fn capacity(&self) -> usize;
    fn hasher(&self) -> &S;
    fn reserve(&mut self, additional: usize);
    fn shrink_to_fit(&mut self);
    fn drain(&mut self) -> IntoIter<K, V>;
}
#[derive(Clone, Debug, Default)]
pub struct RandomState;
impl RandomState { fn new() -> RandomState; }
impl crate::hash::BuildHasher for RandomState { type Hasher = DefaultHasher; }
#[derive(Clone, Debug, Default)]
pub struct DefaultHasher;
impl DefaultHasher { fn new() -> DefaultHasher; }
impl crate::hash::Hasher for DefaultHasher {}
impl<K, V, S> FromIterator<(K, V)> for HashMap<K, V, S> {}
impl<K, V, S> Extend<(K, V)> for HashMap<K, V, S> {}
impl<K, V, const N: usize> From<[(K, V); N]> for HashMap<K, V> {}
impl<K: Borrow<Q>, Q, V, S> crate::ops::Index<&Q> for HashMap<K, V, S> { type Output = V; fn index(&self, key: &Q) -> &V; }
impl<K, V, S> IntoIterator for HashMap<K, V, S> { type Item = (K, V); type IntoIter = IntoIter<K, V>; fn into_iter(self) -> IntoIter<K, V>; }
impl<K, V, S> IntoIterator for &HashMap<K, V, S> { type Item = (&K, &V); type IntoIter = Iter<K, V>; fn into_iter(self) -> Iter<K, V>; }
#[derive(Clone, Debug)]
pub struct Iter<K, V>;
impl<K, V> Iterator for Iter<K, V> { type Item = (&K, &V); }
impl<K, V> ExactSizeIterator for Iter<K, V> {}
#[derive(Clone, Debug)]
pub struct IterMut<K, V>;
impl<K, V> Iterator for IterMut<K, V> { type Item = (&K, &mut V); }
impl<K, V> ExactSizeIterator for IterMut<K, V> {}
#[derive(Clone, Debug)]
pub struct IntoIter<K, V>;
impl<K, V> Iterator for IntoIter<K, V> { type Item = (K, V); }
impl<K, V> ExactSizeIterator for IntoIter<K, V> {}
#[derive(Clone, Debug)]
pub struct Keys<K, V>;
impl<K, V> Iterator for Keys<K, V> { type Item = &K; }
impl<K, V> ExactSizeIterator for Keys<K, V> {}
#[derive(Clone, Debug)]
pub struct IntoKeys<K, V>;
impl<K, V> Iterator for IntoKeys<K, V> { type Item = K; }
impl<K, V> ExactSizeIterator for IntoKeys<K, V> {}
#[derive(Clone, Debug)]
pub struct Values<K, V>;
impl<K, V> Iterator for Values<K, V> { type Item = &V; }
impl<K, V> ExactSizeIterator for Values<K, V> {}
#[derive(Clone, Debug)]
pub struct ValuesMut<K, V>;
impl<K, V> Iterator for ValuesMut<K, V> { type Item = &mut V; }
impl<K, V> ExactSizeIterator for ValuesMut<K, V> {}
#[derive(Clone, Debug)]
pub struct IntoValues<K, V>;
impl<K, V> Iterator for IntoValues<K, V> { type Item = V; }
impl<K, V> ExactSizeIterator for IntoValues<K, V> {}
#[derive(Debug)]
pub enum Entry<K, V> { Occupied(OccupiedEntry<K, V>), Vacant(VacantEntry<K, V>) }
impl<K, V> Entry<K, V> {
    fn or_insert(self, default: V) -> &mut V;
    fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &mut V;
    fn or_insert_with_key<F: FnOnce(&K) -> V>(self, default: F) -> &mut V;
    fn or_default(self) -> &mut V;
    fn key(&self) -> &K;
    fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Self;
    fn insert_entry(self, value: V) -> OccupiedEntry<K, V>;
}
#[derive(Debug)]
pub struct OccupiedEntry<K, V>;
impl<K, V> OccupiedEntry<K, V> {
    fn key(&self) -> &K;
    fn remove_entry(self) -> (K, V);
    fn get(&self) -> &V;
    fn get_mut(&mut self) -> &mut V;
    fn into_mut(self) -> &mut V;
    fn insert(&mut self, value: V) -> V;
    fn remove(self) -> V;
}
#[derive(Debug)]
pub struct VacantEntry<K, V>;
impl<K, V> VacantEntry<K, V> {
    fn key(&self) -> &K;
    fn into_key(self) -> K;
    fn insert(self, value: V) -> &mut V;
}
