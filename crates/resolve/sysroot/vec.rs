// `std::vec`.

use crate::iter::{Extend, FromIterator};
use crate::ops::{Deref, DerefMut};

#[derive(Debug, Default, PartialOrd, Ord, Hash, Eq)]
pub struct Vec<T>;
impl<T: Clone> Clone for Vec<T> { fn clone(&self) -> Vec<T>; }
impl<T> Vec<T> {
    fn new() -> Vec<T>;
    fn with_capacity(capacity: usize) -> Vec<T>;
    fn from_raw_parts(ptr: *mut T, length: usize, capacity: usize) -> Vec<T>;
    fn capacity(&self) -> usize;
    fn reserve(&mut self, additional: usize);
    fn reserve_exact(&mut self, additional: usize);
    fn try_reserve(&mut self, additional: usize) -> Result<(), crate::collections::TryReserveError>;
    fn shrink_to_fit(&mut self);
    fn shrink_to(&mut self, min_capacity: usize);
    fn into_boxed_slice(self) -> crate::boxed::Box<[T]>;
    fn truncate(&mut self, len: usize);
    fn as_slice(&self) -> &[T];
    fn as_mut_slice(&mut self) -> &mut [T];
    fn as_ptr(&self) -> *const T;
    fn as_mut_ptr(&mut self) -> *mut T;
    fn set_len(&mut self, new_len: usize);
    fn swap_remove(&mut self, index: usize) -> T;
    fn insert(&mut self, index: usize, element: T);
    fn remove(&mut self, index: usize) -> T;
    fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
    fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, f: F);
    fn dedup_by_key<F: FnMut(&mut T) -> K, K: PartialEq>(&mut self, key: F);
    fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, same_bucket: F);
    fn dedup(&mut self);
    fn push(&mut self, value: T);
    fn pop(&mut self) -> Option<T>;
    fn pop_if<F: FnOnce(&mut T) -> bool>(&mut self, predicate: F) -> Option<T>;
    fn append(&mut self, other: &mut Vec<T>);
    fn drain<R>(&mut self, range: R) -> Drain<T>;
    fn clear(&mut self);
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn split_off(&mut self, at: usize) -> Vec<T>;
    fn resize_with<F: FnMut() -> T>(&mut self, new_len: usize, f: F);
    fn leak<'a>(self) -> &'a mut [T];
    fn spare_capacity_mut(&mut self) -> &mut [crate::mem::MaybeUninit<T>];
    fn resize(&mut self, new_len: usize, value: T);
    fn extend_from_slice(&mut self, other: &[T]);
    fn extend_from_within<R>(&mut self, src: R);
    fn splice<R, I: IntoIterator<Item = T>>(&mut self, range: R, replace_with: I) -> Drain<T>;
    fn extract_if<R, F: FnMut(&mut T) -> bool>(&mut self, range: R, filter: F) -> Drain<T>;
}
impl<T> Deref for Vec<T> { type Target = [T]; fn deref(&self) -> &[T]; }
impl<T> DerefMut for Vec<T> { fn deref_mut(&mut self) -> &mut [T]; }
impl<T, I: crate::slice::SliceIndex<[T]>> crate::ops::Index<I> for Vec<T> { type Output = I::Output; fn index(&self, index: I) -> &I::Output; }
impl<T> FromIterator<T> for Vec<T> { fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Vec<T>; }
impl<T> Extend<T> for Vec<T> {}
impl<T: Copy> Extend<&T> for Vec<T> {}
impl<T> AsRef<[T]> for Vec<T> { fn as_ref(&self) -> &[T]; }
impl<T> AsRef<Vec<T>> for Vec<T> { fn as_ref(&self) -> &Vec<T>; }
impl<T> AsMut<[T]> for Vec<T> { fn as_mut(&mut self) -> &mut [T]; }
impl<T> crate::borrow::Borrow<[T]> for Vec<T> { fn borrow(&self) -> &[T]; }
impl<T: Clone> From<&[T]> for Vec<T> {}
impl<T, const N: usize> From<[T; N]> for Vec<T> {}
impl<T> From<crate::boxed::Box<[T]>> for Vec<T> {}
impl From<&str> for Vec<u8> {}
impl From<crate::string::String> for Vec<u8> {}
impl<T> From<crate::collections::VecDeque<T>> for Vec<T> {}
impl<T: PartialEq<U>, U> PartialEq<Vec<U>> for Vec<T> {}
impl<T: PartialEq<U>, U> PartialEq<[U]> for Vec<T> {}
impl<T: PartialEq<U>, U> PartialEq<&[U]> for Vec<T> {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for Vec<T> {}
#[derive(Clone, Debug)]
pub struct IntoIter<T>;
impl<T> Iterator for IntoIter<T> { type Item = T; }
impl<T> DoubleEndedIterator for IntoIter<T> {}
impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T> IntoIter<T> { fn as_slice(&self) -> &[T]; }
impl<T> IntoIterator for Vec<T> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T> IntoIterator for &Vec<T> { type Item = &T; type IntoIter = crate::slice::Iter<T>; fn into_iter(self) -> crate::slice::Iter<T>; }
#[derive(Debug)]
pub struct Drain<T>;
impl<T> Iterator for Drain<T> { type Item = T; }
impl<T> DoubleEndedIterator for Drain<T> {}
impl<T> ExactSizeIterator for Drain<T> {}
