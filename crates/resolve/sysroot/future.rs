// `std::future`: signatures in our own words and order; read, never compiled.

pub trait Future {
    type Output;
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output>;
}
pub trait IntoFuture {
    type Output;
    type IntoFuture: Future<Output = Self::Output>;
    fn into_future(self) -> Self::IntoFuture;
}
impl<F: Future> IntoFuture for F { type Output = F::Output; type IntoFuture = F; fn into_future(self) -> F; }
impl<F: Future> Future for &mut F { type Output = F::Output; fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output>; }
#[derive(Clone, Debug)]
pub struct Ready<T>;
impl<T> Future for Ready<T> { type Output = T; fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T>; }
impl<T> Ready<T> { fn into_inner(self) -> T; }
pub fn ready<T>(t: T) -> Ready<T>;
pub struct Pending<T>;
impl<T> Future for Pending<T> { type Output = T; fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T>; }
pub fn pending<T>() -> Pending<T>;
pub struct PollFn<F>;
impl<T, F: FnMut(&mut Context<'_>) -> Poll<T>> Future for PollFn<F> { type Output = T; fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T>; }
pub fn poll_fn<T, F: FnMut(&mut Context<'_>) -> Poll<T>>(f: F) -> PollFn<F>;
use crate::pin::Pin;
use crate::task::{Context, Poll};
