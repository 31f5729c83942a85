// `std::borrow`: signatures in our own words and order; read, never compiled.

pub trait Borrow<B> { fn borrow(&self) -> &B; }
pub trait BorrowMut<B>: Borrow<B> { fn borrow_mut(&mut self) -> &mut B; }
impl<T> Borrow<T> for T { fn borrow(&self) -> &T; }
impl<T> BorrowMut<T> for T { fn borrow_mut(&mut self) -> &mut T; }
pub trait ToOwned {
    type Owned: Borrow<Self>;
    fn to_owned(&self) -> Self::Owned;
    fn clone_into(&self, target: &mut Self::Owned);
}
impl<T: Clone> ToOwned for T { type Owned = T; fn to_owned(&self) -> T; }
impl ToOwned for str { type Owned = crate::string::String; fn to_owned(&self) -> crate::string::String; }
impl<T: Clone> ToOwned for [T] { type Owned = crate::vec::Vec<T>; fn to_owned(&self) -> crate::vec::Vec<T>; }
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cow<'a, B: ToOwned> { Borrowed(&'a B), Owned(<B as ToOwned>::Owned) }
impl<B: ToOwned> Cow<'_, B> {
    fn is_borrowed(&self) -> bool;
    fn is_owned(&self) -> bool;
    fn to_mut(&mut self) -> &mut <B as ToOwned>::Owned;
    fn into_owned(self) -> <B as ToOwned>::Owned;
}
impl<B: ToOwned> crate::ops::Deref for Cow<'_, B> { type Target = B; fn deref(&self) -> &B; }
impl<T: ToOwned> AsRef<T> for Cow<'_, T> { fn as_ref(&self) -> &T; }
impl From<&str> for Cow<'_, str> {}
impl From<crate::string::String> for Cow<'_, str> {}
impl<T: Clone> From<&[T]> for Cow<'_, [T]> {}
impl<T: Clone> From<crate::vec::Vec<T>> for Cow<'_, [T]> {}
impl<B: ToOwned + crate::fmt::Display> crate::fmt::Display for Cow<'_, B> {}
impl<'a> FromIterator<char> for Cow<'a, str> {}
use crate::iter::FromIterator;
