// `std::boxed`.

use crate::ops::{Deref, DerefMut};

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Box<T>;
impl<T: Clone> Clone for Box<T> { fn clone(&self) -> Box<T>; }
impl<T> Box<T> {
    fn new(x: T) -> Box<T>;
    fn pin(x: T) -> crate::pin::Pin<Box<T>>;
    fn new_uninit() -> Box<crate::mem::MaybeUninit<T>>;
    fn from_raw(raw: *mut T) -> Box<T>;
    fn into_raw(b: Box<T>) -> *mut T;
    fn leak<'a>(b: Box<T>) -> &'a mut T;
    fn into_pin(boxed: Box<T>) -> crate::pin::Pin<Box<T>>;
    fn into_inner(boxed: Box<T>) -> T;
    fn as_ptr(b: &Self) -> *const T;
}
impl Box<dyn crate::any::Any> { fn downcast<T>(self) -> Result<Box<T>, Self>; }
impl Box<dyn crate::error::Error> { fn downcast<T>(self) -> Result<Box<T>, Self>; }
impl<T> Deref for Box<T> { type Target = T; fn deref(&self) -> &T; }
impl<T> DerefMut for Box<T> { fn deref_mut(&mut self) -> &mut T; }
impl<T> AsRef<T> for Box<T> { fn as_ref(&self) -> &T; }
impl<T> AsMut<T> for Box<T> { fn as_mut(&mut self) -> &mut T; }
impl<T> crate::borrow::Borrow<T> for Box<T> { fn borrow(&self) -> &T; }
impl<T> From<T> for Box<T> {}
impl From<&str> for Box<str> {}
impl From<crate::string::String> for Box<str> {}
impl From<&str> for Box<dyn crate::error::Error> {}
impl From<crate::string::String> for Box<dyn crate::error::Error> {}
impl<E: crate::error::Error> From<E> for Box<dyn crate::error::Error> {}
impl<T> From<crate::vec::Vec<T>> for Box<[T]> {}
impl<T> From<Box<T>> for crate::pin::Pin<Box<T>> {}
impl<I: Iterator> Iterator for Box<I> { type Item = I::Item; }
impl<I: DoubleEndedIterator> DoubleEndedIterator for Box<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for Box<I> {}
impl<F: crate::future::Future> crate::future::Future for Box<F> { type Output = F::Output; }
impl<I> crate::iter::FromIterator<I> for Box<[I]> {}
impl<I> IntoIterator for Box<[I]> { type Item = I; type IntoIter = crate::vec::IntoIter<I>; fn into_iter(self) -> crate::vec::IntoIter<I>; }
impl<T: crate::fmt::Display> crate::fmt::Display for Box<T> {}
impl<T: crate::error::Error> crate::error::Error for Box<T> {}
impl<T: crate::hash::Hasher> crate::hash::Hasher for Box<T> {}
