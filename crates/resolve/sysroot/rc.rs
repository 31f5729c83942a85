// `std::rc`.

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rc<T>;
impl<T> Clone for Rc<T> { fn clone(&self) -> Rc<T>; }
impl<T> Rc<T> {
    fn new(value: T) -> Rc<T>;
    fn new_cyclic<F: FnOnce(&Weak<T>) -> T>(data_fn: F) -> Rc<T>;
    fn pin(value: T) -> crate::pin::Pin<Rc<T>>;
    fn try_unwrap(this: Self) -> Result<T, Self>;
    fn into_inner(this: Self) -> Option<T>;
    fn into_raw(this: Self) -> *const T;
    fn as_ptr(this: &Self) -> *const T;
    fn from_raw(ptr: *const T) -> Self;
    fn increment_strong_count(ptr: *const T);
    fn decrement_strong_count(ptr: *const T);
    fn downgrade(this: &Self) -> Weak<T>;
    fn weak_count(this: &Self) -> usize;
    fn strong_count(this: &Self) -> usize;
    fn ptr_eq(this: &Self, other: &Self) -> bool;
    fn make_mut(this: &mut Self) -> &mut T;
    fn get_mut(this: &mut Self) -> Option<&mut T>;
    fn unwrap_or_clone(this: Self) -> T;
}
impl<T> crate::ops::Deref for Rc<T> { type Target = T; fn deref(&self) -> &T; }
impl<T> AsRef<T> for Rc<T> { fn as_ref(&self) -> &T; }
impl<T> crate::borrow::Borrow<T> for Rc<T> { fn borrow(&self) -> &T; }
impl<T> From<T> for Rc<T> {}
impl From<&str> for Rc<str> {}
impl From<crate::string::String> for Rc<str> {}
impl<T> From<crate::vec::Vec<T>> for Rc<[T]> {}
impl<T> From<crate::boxed::Box<T>> for Rc<T> {}
impl<T> crate::iter::FromIterator<T> for Rc<[T]> {}
impl<T: crate::fmt::Display> crate::fmt::Display for Rc<T> {}
#[derive(Debug, Default)]
pub struct Weak<T>;
impl<T> Clone for Weak<T> { fn clone(&self) -> Weak<T>; }
impl<T> Weak<T> {
    fn new() -> Weak<T>;
    fn as_ptr(&self) -> *const T;
    fn upgrade(&self) -> Option<Rc<T>>;
    fn strong_count(&self) -> usize;
    fn weak_count(&self) -> usize;
    fn ptr_eq(&self, other: &Self) -> bool;
    fn into_raw(self) -> *const T;
    fn from_raw(ptr: *const T) -> Self;
}
