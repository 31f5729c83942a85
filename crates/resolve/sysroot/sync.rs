// `std::sync`.

pub mod atomic;
pub mod mpsc;

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arc<T>;
impl<T> Clone for Arc<T> { fn clone(&self) -> Arc<T>; }
impl<T> Arc<T> {
    fn new(value: T) -> Arc<T>;
    fn new_cyclic<F: FnOnce(&Weak<T>) -> T>(data_fn: F) -> Arc<T>;
    fn pin(value: T) -> crate::pin::Pin<Arc<T>>;
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
impl<T> crate::ops::Deref for Arc<T> { type Target = T; fn deref(&self) -> &T; }
impl<T> AsRef<T> for Arc<T> { fn as_ref(&self) -> &T; }
impl<T> crate::borrow::Borrow<T> for Arc<T> { fn borrow(&self) -> &T; }
impl<T> From<T> for Arc<T> {}
impl From<&str> for Arc<str> {}
impl From<crate::string::String> for Arc<str> {}
impl<T> From<crate::vec::Vec<T>> for Arc<[T]> {}
impl<T> From<crate::boxed::Box<T>> for Arc<T> {}
impl<T> crate::iter::FromIterator<T> for Arc<[T]> {}
impl<T: crate::fmt::Display> crate::fmt::Display for Arc<T> {}
#[derive(Debug, Default)]
pub struct Weak<T>;
impl<T> Clone for Weak<T> { fn clone(&self) -> Weak<T>; }
impl<T> Weak<T> {
    fn new() -> Weak<T>;
    fn as_ptr(&self) -> *const T;
    fn upgrade(&self) -> Option<Arc<T>>;
    fn strong_count(&self) -> usize;
    fn weak_count(&self) -> usize;
    fn ptr_eq(&self, other: &Self) -> bool;
    fn into_raw(self) -> *const T;
    fn from_raw(ptr: *const T) -> Self;
}

pub type LockResult<T> = Result<T, PoisonError<T>>;
pub type TryLockResult<T> = Result<T, TryLockError<T>>;
#[derive(Debug)]
pub struct PoisonError<T>;
impl<T> PoisonError<T> {
    fn new(data: T) -> PoisonError<T>;
    fn into_inner(self) -> T;
    fn get_ref(&self) -> &T;
    fn get_mut(&mut self) -> &mut T;
}
impl<T> crate::fmt::Display for PoisonError<T> {}
impl<T> crate::error::Error for PoisonError<T> {}
#[derive(Debug)]
pub enum TryLockError<T> { Poisoned(PoisonError<T>), WouldBlock }
#[derive(Debug, Default)]
pub struct Mutex<T>;
impl<T> Mutex<T> {
    fn new(t: T) -> Mutex<T>;
    fn lock(&self) -> LockResult<MutexGuard<T>>;
    fn try_lock(&self) -> TryLockResult<MutexGuard<T>>;
    fn is_poisoned(&self) -> bool;
    fn clear_poison(&self);
    fn into_inner(self) -> LockResult<T>;
    fn get_mut(&mut self) -> LockResult<&mut T>;
}
impl<T> From<T> for Mutex<T> {}
#[derive(Debug)]
pub struct MutexGuard<T>;
impl<T> crate::ops::Deref for MutexGuard<T> { type Target = T; fn deref(&self) -> &T; }
impl<T> crate::ops::DerefMut for MutexGuard<T> { fn deref_mut(&mut self) -> &mut T; }
impl<T: crate::fmt::Display> crate::fmt::Display for MutexGuard<T> {}
#[derive(Debug, Default)]
pub struct RwLock<T>;
impl<T> RwLock<T> {
    fn new(t: T) -> RwLock<T>;
    fn read(&self) -> LockResult<RwLockReadGuard<T>>;
    fn try_read(&self) -> TryLockResult<RwLockReadGuard<T>>;
    fn write(&self) -> LockResult<RwLockWriteGuard<T>>;
    fn try_write(&self) -> TryLockResult<RwLockWriteGuard<T>>;
    fn is_poisoned(&self) -> bool;
    fn into_inner(self) -> LockResult<T>;
    fn get_mut(&mut self) -> LockResult<&mut T>;
}
#[derive(Debug)]
pub struct RwLockReadGuard<T>;
impl<T> crate::ops::Deref for RwLockReadGuard<T> { type Target = T; fn deref(&self) -> &T; }
#[derive(Debug)]
pub struct RwLockWriteGuard<T>;
impl<T> crate::ops::Deref for RwLockWriteGuard<T> { type Target = T; fn deref(&self) -> &T; }
impl<T> crate::ops::DerefMut for RwLockWriteGuard<T> { fn deref_mut(&mut self) -> &mut T; }
#[derive(Debug, Default)]
pub struct Condvar;
impl Condvar {
    fn new() -> Condvar;
    fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>>;
    fn wait_while<'a, T, F: FnMut(&mut T) -> bool>(&self, guard: MutexGuard<'a, T>, condition: F) -> LockResult<MutexGuard<'a, T>>;
    fn wait_timeout<'a, T>(&self, guard: MutexGuard<'a, T>, dur: crate::time::Duration) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>;
    fn wait_timeout_while<'a, T, F: FnMut(&mut T) -> bool>(&self, guard: MutexGuard<'a, T>, dur: crate::time::Duration, condition: F) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>;
    fn notify_one(&self);
    fn notify_all(&self);
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult;
impl WaitTimeoutResult { fn timed_out(&self) -> bool; }
#[derive(Debug)]
pub struct Barrier;
impl Barrier { fn new(n: usize) -> Barrier; fn wait(&self) -> BarrierWaitResult; }
#[derive(Debug)]
pub struct BarrierWaitResult;
impl BarrierWaitResult { fn is_leader(&self) -> bool; }
#[derive(Debug)]
pub struct Once;
impl Once {
    fn new() -> Once;
    fn call_once<F: FnOnce()>(&self, f: F);
    fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F);
    fn is_completed(&self) -> bool;
}
pub struct OnceState;
pub const ONCE_INIT: Once;
#[derive(Debug, Default, Clone)]
pub struct OnceLock<T>;
impl<T> OnceLock<T> {
    fn new() -> OnceLock<T>;
    fn get(&self) -> Option<&T>;
    fn get_mut(&mut self) -> Option<&mut T>;
    fn set(&self, value: T) -> Result<(), T>;
    fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T;
    fn into_inner(self) -> Option<T>;
    fn take(&mut self) -> Option<T>;
}
pub struct LazyLock<T, F = fn() -> T>;
impl<T, F: FnOnce() -> T> LazyLock<T, F> { fn new(f: F) -> LazyLock<T, F>; fn force(this: &LazyLock<T, F>) -> &T; }
impl<T, F> crate::ops::Deref for LazyLock<T, F> { type Target = T; fn deref(&self) -> &T; }
