// `std::task`: signatures in our own words and order; read, never compiled.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Poll<T> { Ready(T), Pending }
impl<T> Poll<T> {
    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<U>;
    fn is_ready(&self) -> bool;
    fn is_pending(&self) -> bool;
}
impl<T, E> Poll<Result<T, E>> {
    fn map_ok<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<Result<U, E>>;
    fn map_err<U, F: FnOnce(E) -> U>(self, f: F) -> Poll<Result<T, U>>;
}
impl<T, E> Poll<Option<Result<T, E>>> {
    fn map_ok<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<Option<Result<U, E>>>;
    fn map_err<U, F: FnOnce(E) -> U>(self, f: F) -> Poll<Option<Result<T, U>>>;
}
impl<T> From<T> for Poll<T> {}
#[derive(Debug)]
pub struct Context<'a>;
impl Context<'_> {
    fn from_waker(waker: &Waker) -> Context<'_>;
    fn waker(&self) -> &Waker;
}
#[derive(Debug)]
pub struct Waker;
impl Clone for Waker { fn clone(&self) -> Waker; }
impl Waker {
    fn wake(self);
    fn wake_by_ref(&self);
    fn will_wake(&self, other: &Waker) -> bool;
    fn from_raw(waker: RawWaker) -> Waker;
    fn new(data: *const (), vtable: &'static RawWakerVTable) -> Waker;
    fn noop() -> &'static Waker;
    fn data(&self) -> *const ();
    fn vtable(&self) -> &'static RawWakerVTable;
}
#[derive(Debug, PartialEq)]
pub struct RawWaker;
impl RawWaker { fn new(data: *const (), vtable: &'static RawWakerVTable) -> RawWaker; }
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawWakerVTable;
impl RawWakerVTable {
    fn new(clone: unsafe fn(*const ()) -> RawWaker, wake: unsafe fn(*const ()), wake_by_ref: unsafe fn(*const ()), drop: unsafe fn(*const ())) -> Self;
}
