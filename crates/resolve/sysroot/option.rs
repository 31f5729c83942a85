// `std::option`: signatures in our own words and order; read, never compiled.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Option<T> { None, Some(T) }
impl<T> Default for Option<T> { fn default() -> Option<T>; }
impl<T> From<T> for Option<T> {}
impl<T> Option<T> {
    fn is_some(&self) -> bool;
    fn is_none(&self) -> bool;
    fn is_some_and<F: FnOnce(T) -> bool>(self, f: F) -> bool;
    fn is_none_or<F: FnOnce(T) -> bool>(self, f: F) -> bool;
    fn as_ref(&self) -> Option<&T>;
    fn as_mut(&mut self) -> Option<&mut T>;
    fn as_slice(&self) -> &[T];
    fn as_pin_ref(self: Pin<&Self>) -> Option<Pin<&T>>;
    fn as_pin_mut(self: Pin<&mut Self>) -> Option<Pin<&mut T>>;
    fn expect(self, msg: &str) -> T;
    fn unwrap(self) -> T;
    fn unwrap_or(self, default: T) -> T;
    fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T;
    fn unwrap_or_default(self) -> T;
    fn unwrap_unchecked(self) -> T;
    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U>;
    fn inspect<F: FnOnce(&T)>(self, f: F) -> Option<T>;
    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U;
    fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U;
    fn map_or_default<U, F: FnOnce(T) -> U>(self, f: F) -> U;
    fn ok_or<E>(self, err: E) -> Result<T, E>;
    fn ok_or_else<E, F: FnOnce() -> E>(self, err: F) -> Result<T, E>;
    fn as_deref(&self) -> Option<&T::Target> where T: Deref;
    fn as_deref_mut(&mut self) -> Option<&mut T::Target> where T: DerefMut;
    fn iter(&self) -> Iter<T>;
    fn iter_mut(&mut self) -> IterMut<T>;
    fn and<U>(self, other: Option<U>) -> Option<U>;
    fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U>;
    fn filter<P: FnOnce(&T) -> bool>(self, predicate: P) -> Option<T>;
    fn or(self, other: Option<T>) -> Option<T>;
    fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T>;
    fn xor(self, other: Option<T>) -> Option<T>;
    fn insert(&mut self, value: T) -> &mut T;
    fn get_or_insert(&mut self, value: T) -> &mut T;
    fn get_or_insert_with<F: FnOnce() -> T>(&mut self, f: F) -> &mut T;
    fn get_or_insert_default(&mut self) -> &mut T;
    fn take(&mut self) -> Option<T>;
    fn take_if<P: FnOnce(&mut T) -> bool>(&mut self, predicate: P) -> Option<T>;
    fn replace(&mut self, value: T) -> Option<T>;
    fn zip<U>(self, other: Option<U>) -> Option<(T, U)>;
}
impl<T> Option<&T> {
    fn copied(self) -> Option<T>;
    fn cloned(self) -> Option<T>;
}
impl<T, E> Option<Result<T, E>> { fn transpose(self) -> Result<Option<T>, E>; }
impl<T> Option<Option<T>> { fn flatten(self) -> Option<T>; }
impl<T, U> Option<(T, U)> { fn unzip(self) -> (Option<T>, Option<U>); }
pub struct Iter<T>;
impl<T> Iterator for Iter<T> { type Item = &T; }
impl<T> DoubleEndedIterator for Iter<T> {}
pub struct IterMut<T>;
impl<T> Iterator for IterMut<T> { type Item = &mut T; }
pub struct IntoIter<T>;
impl<T> Iterator for IntoIter<T> { type Item = T; }
impl<T> DoubleEndedIterator for IntoIter<T> {}
impl<T> IntoIterator for Option<T> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T> IntoIterator for &Option<T> { type Item = &T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
impl<T> IntoIterator for &mut Option<T> { type Item = &mut T; type IntoIter = IterMut<T>; fn into_iter(self) -> IterMut<T>; }
impl<A, V: FromIterator<A>> FromIterator<Option<A>> for Option<V> {}
use crate::iter::FromIterator;
use crate::ops::{Deref, DerefMut};
use crate::pin::Pin;
