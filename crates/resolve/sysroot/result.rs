// `std::result`: signatures in our own words and order; read, never compiled.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Result<T, E> { Ok(T), Err(E) }
impl<T, E> Result<T, E> {
    fn is_ok(&self) -> bool;
    fn is_err(&self) -> bool;
    fn is_ok_and<F: FnOnce(T) -> bool>(self, f: F) -> bool;
    fn is_err_and<F: FnOnce(E) -> bool>(self, f: F) -> bool;
    fn ok(self) -> Option<T>;
    fn err(self) -> Option<E>;
    fn as_ref(&self) -> Result<&T, &E>;
    fn as_mut(&mut self) -> Result<&mut T, &mut E>;
    fn map<U, F: FnOnce(T) -> U>(self, op: F) -> Result<U, E>;
    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U;
    fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U;
    fn map_err<F, O: FnOnce(E) -> F>(self, op: O) -> Result<T, F>;
    fn inspect<F: FnOnce(&T)>(self, f: F) -> Self;
    fn inspect_err<F: FnOnce(&E)>(self, f: F) -> Self;
    fn as_deref(&self) -> Result<&T::Target, &E> where T: Deref;
    fn iter(&self) -> crate::option::Iter<T>;
    fn and<U>(self, res: Result<U, E>) -> Result<U, E>;
    fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, op: F) -> Result<U, E>;
    fn or<F>(self, res: Result<T, F>) -> Result<T, F>;
    fn or_else<F, O: FnOnce(E) -> Result<T, F>>(self, op: O) -> Result<T, F>;
    fn expect(self, msg: &str) -> T;
    fn unwrap(self) -> T;
    fn unwrap_or_default(self) -> T;
    fn expect_err(self, msg: &str) -> E;
    fn unwrap_err(self) -> E;
    fn unwrap_or(self, default: T) -> T;
    fn unwrap_or_else<F: FnOnce(E) -> T>(self, op: F) -> T;
}
impl<T, E> Result<&T, E> {
    fn copied(self) -> Result<T, E>;
    fn cloned(self) -> Result<T, E>;
}
impl<T, E> Result<Option<T>, E> { fn transpose(self) -> Option<Result<T, E>>; }
impl<T, E> IntoIterator for Result<T, E> { type Item = T; type IntoIter = crate::option::IntoIter<T>; fn into_iter(self) -> crate::option::IntoIter<T>; }
impl<A, E, V: FromIterator<A>> FromIterator<Result<A, E>> for Result<V, E> {}
use crate::iter::FromIterator;
use crate::ops::Deref;
