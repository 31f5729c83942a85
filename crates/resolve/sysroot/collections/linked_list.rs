// `std::collections::linked_list`.

use crate::iter::{Extend, FromIterator};

#[derive(Debug, PartialEq, Eq, Clone, Default, PartialOrd, Ord, Hash)]
pub struct LinkedList<T>;
impl<T> LinkedList<T> {
    fn new() -> LinkedList<T>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn clear(&mut self);
    fn append(&mut self, other: &mut Self);
    fn iter(&self) -> Iter<T>;
    fn iter_mut(&mut self) -> IterMut<T>;
    fn front(&self) -> Option<&T>;
    fn front_mut(&mut self) -> Option<&mut T>;
    fn back(&self) -> Option<&T>;
    fn back_mut(&mut self) -> Option<&mut T>;
    fn push_front(&mut self, elt: T);
    fn pop_front(&mut self) -> Option<T>;
    fn push_back(&mut self, elt: T);
    fn pop_back(&mut self) -> Option<T>;
    fn contains(&self, x: &T) -> bool;
    fn split_off(&mut self, at: usize) -> Self;
    fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
}
impl<T> FromIterator<T> for LinkedList<T> {}
impl<T> Extend<T> for LinkedList<T> {}
impl<T> From<crate::vec::Vec<T>> for LinkedList<T> {}
impl<T, const N: usize> From<[T; N]> for LinkedList<T> {}
impl<T> IntoIterator for LinkedList<T> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T> IntoIterator for &LinkedList<T> { type Item = &T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
#[derive(Clone, Debug)]
pub struct Iter<T>;
impl<T> Iterator for Iter<T> { type Item = &T; }
impl<T> DoubleEndedIterator for Iter<T> {}
impl<T> ExactSizeIterator for Iter<T> {}
#[derive(Clone, Debug)]
pub struct IterMut<T>;
impl<T> Iterator for IterMut<T> { type Item = &mut T; }
impl<T> DoubleEndedIterator for IterMut<T> {}
#[derive(Clone, Debug)]
pub struct IntoIter<T>;
impl<T> Iterator for IntoIter<T> { type Item = T; }
impl<T> DoubleEndedIterator for IntoIter<T> {}
impl<T> ExactSizeIterator for IntoIter<T> {}
