// `std::pin`: signatures in our own words and order; read, never compiled.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pin<P>;
impl<P> Deref for Pin<P> where P: Deref { type Target = P::Target; fn deref(&self) -> &P::Target; }
impl<P> DerefMut for Pin<P> where P: DerefMut { fn deref_mut(&mut self) -> &mut P::Target; }
impl<P: Deref> Pin<P> {
    fn new(pointer: P) -> Pin<P>;
    fn new_unchecked(pointer: P) -> Pin<P>;
    fn as_ref(&self) -> Pin<&P::Target>;
    fn as_mut(&mut self) -> Pin<&mut P::Target>;
    fn set(&mut self, value: P::Target);
    fn into_inner(pin: Pin<P>) -> P;
    fn into_inner_unchecked(pin: Pin<P>) -> P;
}
impl<T> Pin<&T> {
    fn get_ref(self) -> &T;
    fn get_mut(self) -> &mut T;
    fn get_unchecked_mut(self) -> &mut T;
    fn map_unchecked<U, F: FnOnce(&T) -> &U>(self, func: F) -> Pin<&U>;
    fn map_unchecked_mut<U, F: FnOnce(&mut T) -> &mut U>(self, func: F) -> Pin<&mut U>;
    fn into_ref(self) -> Pin<&T>;
}
impl<P> Future for Pin<P> where P: DerefMut, P::Target: Future {
    type Output = <<P as Deref>::Target as Future>::Output;
    fn poll(self: Pin<&mut Self>, cx: &mut crate::task::Context<'_>) -> crate::task::Poll<Self::Output>;
}
use crate::future::Future;
use crate::ops::{Deref, DerefMut};
