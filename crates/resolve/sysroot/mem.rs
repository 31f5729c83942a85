// `std::mem`.

use crate::ops::{Deref, DerefMut};

pub fn forget<T>(t: T);
pub fn drop<T>(x: T);
pub fn size_of<T>() -> usize;
pub fn size_of_val<T>(val: &T) -> usize;
pub fn align_of<T>() -> usize;
pub fn align_of_val<T>(val: &T) -> usize;
pub fn needs_drop<T>() -> bool;
pub unsafe fn zeroed<T>() -> T;
pub unsafe fn uninitialized<T>() -> T;
pub fn swap<T>(x: &mut T, y: &mut T);
pub fn take<T: Default>(dest: &mut T) -> T;
pub fn replace<T>(dest: &mut T, src: T) -> T;
pub fn discriminant<T>(v: &T) -> Discriminant<T>;
pub unsafe fn transmute<Src, Dst>(src: Src) -> Dst;
pub unsafe fn transmute_copy<Src, Dst>(src: &Src) -> Dst;
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Discriminant<T>;
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ManuallyDrop<T>;
impl<T> ManuallyDrop<T> {
    fn new(value: T) -> ManuallyDrop<T>;
    fn into_inner(slot: ManuallyDrop<T>) -> T;
    fn take(slot: &mut ManuallyDrop<T>) -> T;
    fn drop(slot: &mut ManuallyDrop<T>);
}
impl<T> Deref for ManuallyDrop<T> { type Target = T; fn deref(&self) -> &T; }
impl<T> DerefMut for ManuallyDrop<T> { fn deref_mut(&mut self) -> &mut T; }
#[derive(Clone, Copy)]
pub union MaybeUninit<T> { uninit: (), value: T }
impl<T> MaybeUninit<T> {
    fn new(val: T) -> MaybeUninit<T>;
    fn uninit() -> MaybeUninit<T>;
    fn zeroed() -> MaybeUninit<T>;
    fn write(&mut self, val: T) -> &mut T;
    fn as_ptr(&self) -> *const T;
    fn as_mut_ptr(&mut self) -> *mut T;
    fn assume_init(self) -> T;
    fn assume_init_read(&self) -> T;
    fn assume_init_drop(&mut self);
    fn assume_init_ref(&self) -> &T;
    fn assume_init_mut(&mut self) -> &mut T;
}
