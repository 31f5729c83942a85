// `std::collections::btree_set`.

use crate::borrow::Borrow;
use crate::iter::{Extend, FromIterator};

#[derive(Debug, PartialEq, Eq, Clone, Default)]
pub struct BTreeSet<T>;
impl<T> BTreeSet<T> { fn new() -> BTreeSet<T>; }
impl<T> BTreeSet<T> {
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
    fn first(&self) -> Option<&T>;
    fn last(&self) -> Option<&T>;
    fn pop_first(&mut self) -> Option<T>;
    fn pop_last(&mut self) -> Option<T>;
    fn append(&mut self, other: &mut Self);
    fn range<K, R>(&self, range: R) -> Iter<T>;
    fn split_off<Q>(&mut self, value: &Q) -> Self;
}
impl<T> FromIterator<T> for BTreeSet<T> {}
impl<T> Extend<T> for BTreeSet<T> {}
impl<T, const N: usize> From<[T; N]> for BTreeSet<T> {}
impl<T> IntoIterator for BTreeSet<T> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T> IntoIterator for &BTreeSet<T> { type Item = &T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
#[derive(Clone, Debug)]
pub struct Iter<T>;
impl<T> Iterator for Iter<T> { type Item = &T; }
impl<T> DoubleEndedIterator for Iter<T> {}
impl<T> ExactSizeIterator for Iter<T> {}
#[derive(Clone, Debug)]
pub struct IntoIter<T>;
impl<T> Iterator for IntoIter<T> { type Item = T; }
impl<T> DoubleEndedIterator for IntoIter<T> {}
