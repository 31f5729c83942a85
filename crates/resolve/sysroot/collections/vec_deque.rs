// `std::collections::vec_deque`.

use crate::iter::{Extend, FromIterator};

#[derive(Debug, PartialEq, Eq, Clone, Default, PartialOrd, Ord, Hash)]
pub struct VecDeque<T>;
impl<T> VecDeque<T> {
    fn new() -> VecDeque<T>;
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
    fn with_capacity(capacity: usize) -> Self;
    fn capacity(&self) -> usize;
    fn reserve(&mut self, additional: usize);
    fn shrink_to_fit(&mut self);
    fn get(&self, index: usize) -> Option<&T>;
    fn get_mut(&mut self, index: usize) -> Option<&mut T>;
    fn swap(&mut self, i: usize, j: usize);
    fn truncate(&mut self, len: usize);
    fn drain<R>(&mut self, range: R) -> IntoIter<T>;
    fn range<R>(&self, range: R) -> Iter<T>;
    fn insert(&mut self, index: usize, value: T);
    fn remove(&mut self, index: usize) -> Option<T>;
    fn as_slices(&self) -> (&[T], &[T]);
    fn make_contiguous(&mut self) -> &mut [T];
    fn rotate_left(&mut self, n: usize);
    fn resize(&mut self, new_len: usize, value: T);
}
impl<T> FromIterator<T> for VecDeque<T> {}
impl<T> Extend<T> for VecDeque<T> {}
impl<T> From<crate::vec::Vec<T>> for VecDeque<T> {}
impl<T, const N: usize> From<[T; N]> for VecDeque<T> {}
impl<T> IntoIterator for VecDeque<T> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T> IntoIterator for &VecDeque<T> { type Item = &T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
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
impl<T> crate::ops::Index<usize> for VecDeque<T> { type Output = T; fn index(&self, index: usize) -> &T; }
