// `std::thread`.

pub type Result<T> = crate::result::Result<T, crate::boxed::Box<dyn crate::any::Any + Send>>;
pub fn spawn<F: FnOnce() -> T, T>(f: F) -> JoinHandle<T>;
pub fn scope<'env, F: FnOnce(&Scope<'_, 'env>) -> T, T>(f: F) -> T;
pub fn current() -> Thread;
pub fn yield_now();
pub fn panicking() -> bool;
pub fn sleep(dur: crate::time::Duration);
pub fn park();
pub fn park_timeout(dur: crate::time::Duration);
pub fn available_parallelism() -> crate::io::Result<crate::num::NonZeroUsize>;
#[derive(Debug)]
pub struct Scope<'scope, 'env>;
impl<'scope, 'env> Scope<'scope, 'env> { fn spawn<F: FnOnce() -> T, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>; }
#[derive(Debug)]
pub struct ScopedJoinHandle<'scope, T>;
impl<T> ScopedJoinHandle<'_, T> { fn join(self) -> Result<T>; fn thread(&self) -> &Thread; fn is_finished(&self) -> bool; }
#[derive(Debug)]
pub struct JoinHandle<T>;
impl<T> JoinHandle<T> { fn thread(&self) -> &Thread; fn join(self) -> Result<T>; fn is_finished(&self) -> bool; }
#[derive(Clone, Debug)]
pub struct Thread;
impl Thread { fn unpark(&self); fn id(&self) -> ThreadId; fn name(&self) -> Option<&str>; }
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadId;
#[derive(Debug)]
pub struct Builder;
impl Builder {
    fn new() -> Builder;
    fn name(self, name: crate::string::String) -> Builder;
    fn stack_size(self, size: usize) -> Builder;
    fn spawn<F: FnOnce() -> T, T>(self, f: F) -> crate::io::Result<JoinHandle<T>>;
}
pub struct LocalKey<T>;
impl<T> LocalKey<T> {
    fn with<F: FnOnce(&T) -> R, R>(&'static self, f: F) -> R;
    fn try_with<F: FnOnce(&T) -> R, R>(&'static self, f: F) -> crate::result::Result<R, AccessError>;
}
impl<T> LocalKey<crate::cell::Cell<T>> { fn set(&'static self, value: T); fn get(&'static self) -> T; fn take(&'static self) -> T; fn replace(&'static self, value: T) -> T; }
impl<T> LocalKey<crate::cell::RefCell<T>> {
    fn with_borrow<F: FnOnce(&T) -> R, R>(&'static self, f: F) -> R;
    fn with_borrow_mut<F: FnOnce(&mut T) -> R, R>(&'static self, f: F) -> R;
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessError;
