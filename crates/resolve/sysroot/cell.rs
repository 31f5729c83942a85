// `std::cell`.

use crate::ops::{Deref, DerefMut};

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell<T>;
impl<T: Copy> Clone for Cell<T> { fn clone(&self) -> Cell<T>; }
impl<T> Cell<T> {
    fn new(value: T) -> Cell<T>;
    fn set(&self, val: T);
    fn swap(&self, other: &Cell<T>);
    fn replace(&self, val: T) -> T;
    fn into_inner(self) -> T;
    fn get(&self) -> T;
    fn update<F: FnOnce(T) -> T>(&self, f: F);
    fn as_ptr(&self) -> *mut T;
    fn get_mut(&mut self) -> &mut T;
    fn take(&self) -> T;
    fn from_mut(t: &mut T) -> &Cell<T>;
}
impl<T> From<T> for Cell<T> {}
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RefCell<T>;
impl<T: Clone> Clone for RefCell<T> { fn clone(&self) -> RefCell<T>; }
impl<T> RefCell<T> {
    fn new(value: T) -> RefCell<T>;
    fn into_inner(self) -> T;
    fn replace(&self, t: T) -> T;
    fn replace_with<F: FnOnce(&mut T) -> T>(&self, f: F) -> T;
    fn swap(&self, other: &RefCell<T>);
    fn borrow(&self) -> Ref<T>;
    fn try_borrow(&self) -> Result<Ref<T>, BorrowError>;
    fn borrow_mut(&self) -> RefMut<T>;
    fn try_borrow_mut(&self) -> Result<RefMut<T>, BorrowMutError>;
    fn as_ptr(&self) -> *mut T;
    fn get_mut(&mut self) -> &mut T;
    fn take(&self) -> T;
}
impl<T> From<T> for RefCell<T> {}
#[derive(Debug)]
pub struct BorrowError;
#[derive(Debug)]
pub struct BorrowMutError;
#[derive(Debug)]
pub struct Ref<T>;
impl<T> Ref<T> {
    fn map<U, F: FnOnce(&T) -> &U>(orig: Ref<T>, f: F) -> Ref<U>;
    fn clone(orig: &Ref<T>) -> Ref<T>;
}
impl<T> Deref for Ref<T> { type Target = T; fn deref(&self) -> &T; }
#[derive(Debug)]
pub struct RefMut<T>;
impl<T> RefMut<T> { fn map<U, F: FnOnce(&mut T) -> &mut U>(orig: RefMut<T>, f: F) -> RefMut<U>; }
impl<T> Deref for RefMut<T> { type Target = T; fn deref(&self) -> &T; }
impl<T> DerefMut for RefMut<T> { fn deref_mut(&mut self) -> &mut T; }
#[derive(Debug, Default)]
pub struct UnsafeCell<T>;
impl<T> UnsafeCell<T> {
    fn new(value: T) -> UnsafeCell<T>;
    fn into_inner(self) -> T;
    fn get(&self) -> *mut T;
    fn get_mut(&mut self) -> &mut T;
    fn raw_get(this: *const Self) -> *mut T;
}
#[derive(Debug, Default, Clone)]
pub struct OnceCell<T>;
impl<T> OnceCell<T> {
    fn new() -> OnceCell<T>;
    fn get(&self) -> Option<&T>;
    fn get_mut(&mut self) -> Option<&mut T>;
    fn set(&self, value: T) -> Result<(), T>;
    fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T;
    fn into_inner(self) -> Option<T>;
    fn take(&mut self) -> Option<T>;
}
pub struct LazyCell<T, F = fn() -> T>;
impl<T, F: FnOnce() -> T> LazyCell<T, F> { fn new(f: F) -> LazyCell<T, F>; fn force(this: &LazyCell<T, F>) -> &T; }
impl<T, F> Deref for LazyCell<T, F> { type Target = T; fn deref(&self) -> &T; }
