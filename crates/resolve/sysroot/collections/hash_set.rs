// `std::collections::hash_set`.

use crate::borrow::Borrow;
use crate::iter::{Extend, FromIterator};
use super::hash_map::RandomState;

#[derive(Debug, PartialEq, Eq, Clone, Default)]
pub struct HashSet<T, S = RandomState>;
impl<T> HashSet<T, RandomState> {
    fn new() -> HashSet<T, RandomState>;
    fn with_capacity(capacity: usize) -> HashSet<T, RandomState>;
}
impl<T, S> HashSet<T, S> {
    fn iter(&self) -> Iter<T>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
    fn clear(&mut self);
    fn difference(&self, other: &Self) -> Iter<T>;
    fn symmetric_difference(&self, other: &Self) -> Iter<T>;
    fn intersection(&self, other: &Self) -> Iter<T>;
    fn union(&self, other: &Self) -> Iter<T>;
    fn contains<Q>(&self, value: &Q) -> bool where T: Borrow<Q>;
    fn get<Q>(&self, value: &Q) -> Option<&T> where T: Borrow<Q>;
    fn is_disjoint(&self, other: &Self) -> bool;
    fn is_subset(&self, other: &Self) -> bool;
    fn is_superset(&self, other: &Self) -> bool;
    fn insert(&mut self, value: T) -> bool;
    fn replace(&mut self, value: T) -> Option<T>;
    fn remove<Q>(&mut self, value: &Q) -> bool where T: Borrow<Q>;
    fn take<Q>(&mut self, value: &Q) -> Option<T> where T: Borrow<Q>;
    fn capacity(&self) -> usize;
    fn drain(&mut self) -> IntoIter<T>;
    fn reserve(&mut self, additional: usize);
    fn with_hasher(hasher: S) -> HashSet<T, S>;
    fn with_capacity_and_hasher(capacity: usize, hasher: S) -> HashSet<T, S>;
}
impl<T, S> FromIterator<T> for HashSet<T, S> {}
impl<T, S> Extend<T> for HashSet<T, S> {}
impl<T, const N: usize> From<[T; N]> for HashSet<T> {}
impl<T, S> IntoIterator for HashSet<T, S> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T, S> IntoIterator for &HashSet<T, S> { type Item = &T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
#[derive(Clone, Debug)]
pub struct Iter<T>;
impl<T> Iterator for Iter<T> { type Item = &T; }
impl<T> DoubleEndedIterator for Iter<T> {}
impl<T> ExactSizeIterator for Iter<T> {}
#[derive(Clone, Debug)]
pub struct IntoIter<T>;
impl<T> Iterator for IntoIter<T> { type Item = T; }
impl<T> DoubleEndedIterator for IntoIter<T> {}
