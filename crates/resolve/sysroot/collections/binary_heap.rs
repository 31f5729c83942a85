// `std::collections::binary_heap`.

use crate::iter::{Extend, FromIterator};

#[derive(Debug, PartialEq, Eq, Clone, Default, PartialOrd, Ord, Hash)]
pub struct BinaryHeap<T>;
impl<T> BinaryHeap<T> {
    fn new() -> BinaryHeap<T>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn clear(&mut self);
    fn append(&mut self, other: &mut Self);
    fn iter(&self) -> Iter<T>;
    fn with_capacity(capacity: usize) -> Self;
    fn peek(&self) -> Option<&T>;
    fn peek_mut(&mut self) -> Option<PeekMut<T>>;
    fn pop(&mut self) -> Option<T>;
    fn push(&mut self, item: T);
    fn into_sorted_vec(self) -> crate::vec::Vec<T>;
    fn into_vec(self) -> crate::vec::Vec<T>;
    fn drain(&mut self) -> IntoIter<T>;
    fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
}
impl<T> FromIterator<T> for BinaryHeap<T> {}
impl<T> Extend<T> for BinaryHeap<T> {}
impl<T> From<crate::vec::Vec<T>> for BinaryHeap<T> {}
impl<T, const N: usize> From<[T; N]> for BinaryHeap<T> {}
impl<T> IntoIterator for BinaryHeap<T> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T> IntoIterator for &BinaryHeap<T> { type Item = &T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
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
pub struct PeekMut<T>;
impl<T> PeekMut<T> { fn pop(this: PeekMut<T>) -> T; }
impl<T> crate::ops::Deref for PeekMut<T> { type Target = T; fn deref(&self) -> &T; }
