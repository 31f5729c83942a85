// `std::sync::atomic`.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordering { Relaxed, Release, Acquire, AcqRel, SeqCst }
pub fn fence(order: Ordering);
pub fn compiler_fence(order: Ordering);
pub fn spin_loop_hint();

#[derive(Debug, Default)]
pub struct AtomicBool;
impl AtomicBool {
    fn new(v: bool) -> Self;
    fn get_mut(&mut self) -> &mut bool;
    fn into_inner(self) -> bool;
    fn load(&self, order: Ordering) -> bool;
    fn store(&self, val: bool, order: Ordering);
    fn swap(&self, val: bool, order: Ordering) -> bool;
    fn compare_and_swap(&self, current: bool, new: bool, order: Ordering) -> bool;
    fn compare_exchange(&self, current: bool, new: bool, success: Ordering, failure: Ordering) -> Result<bool, bool>;
    fn compare_exchange_weak(&self, current: bool, new: bool, success: Ordering, failure: Ordering) -> Result<bool, bool>;
    fn fetch_update<F: FnMut(bool) -> Option<bool>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<bool, bool>;
    fn as_ptr(&self) -> *mut bool;
    fn fetch_and(&self, val: bool, order: Ordering) -> bool;
    fn fetch_or(&self, val: bool, order: Ordering) -> bool;
    fn fetch_xor(&self, val: bool, order: Ordering) -> bool;
    fn fetch_nand(&self, val: bool, order: Ordering) -> bool;
}
impl From<bool> for AtomicBool {}

#[derive(Debug, Default)]
pub struct AtomicU8;
impl AtomicU8 {
    fn new(v: u8) -> Self;
    fn get_mut(&mut self) -> &mut u8;
    fn into_inner(self) -> u8;
    fn load(&self, order: Ordering) -> u8;
    fn store(&self, val: u8, order: Ordering);
    fn swap(&self, val: u8, order: Ordering) -> u8;
    fn compare_and_swap(&self, current: u8, new: u8, order: Ordering) -> u8;
    fn compare_exchange(&self, current: u8, new: u8, success: Ordering, failure: Ordering) -> Result<u8, u8>;
    fn compare_exchange_weak(&self, current: u8, new: u8, success: Ordering, failure: Ordering) -> Result<u8, u8>;
    fn fetch_update<F: FnMut(u8) -> Option<u8>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<u8, u8>;
    fn as_ptr(&self) -> *mut u8;
    fn fetch_add(&self, val: u8, order: Ordering) -> u8;
    fn fetch_sub(&self, val: u8, order: Ordering) -> u8;
    fn fetch_and(&self, val: u8, order: Ordering) -> u8;
    fn fetch_or(&self, val: u8, order: Ordering) -> u8;
    fn fetch_xor(&self, val: u8, order: Ordering) -> u8;
    fn fetch_nand(&self, val: u8, order: Ordering) -> u8;
    fn fetch_max(&self, val: u8, order: Ordering) -> u8;
    fn fetch_min(&self, val: u8, order: Ordering) -> u8;
}
impl From<u8> for AtomicU8 {}

#[derive(Debug, Default)]
pub struct AtomicU16;
impl AtomicU16 {
    fn new(v: u16) -> Self;
    fn get_mut(&mut self) -> &mut u16;
    fn into_inner(self) -> u16;
    fn load(&self, order: Ordering) -> u16;
    fn store(&self, val: u16, order: Ordering);
    fn swap(&self, val: u16, order: Ordering) -> u16;
    fn compare_and_swap(&self, current: u16, new: u16, order: Ordering) -> u16;
    fn compare_exchange(&self, current: u16, new: u16, success: Ordering, failure: Ordering) -> Result<u16, u16>;
    fn compare_exchange_weak(&self, current: u16, new: u16, success: Ordering, failure: Ordering) -> Result<u16, u16>;
    fn fetch_update<F: FnMut(u16) -> Option<u16>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<u16, u16>;
    fn as_ptr(&self) -> *mut u16;
    fn fetch_add(&self, val: u16, order: Ordering) -> u16;
    fn fetch_sub(&self, val: u16, order: Ordering) -> u16;
    fn fetch_and(&self, val: u16, order: Ordering) -> u16;
    fn fetch_or(&self, val: u16, order: Ordering) -> u16;
    fn fetch_xor(&self, val: u16, order: Ordering) -> u16;
    fn fetch_nand(&self, val: u16, order: Ordering) -> u16;
    fn fetch_max(&self, val: u16, order: Ordering) -> u16;
    fn fetch_min(&self, val: u16, order: Ordering) -> u16;
}
impl From<u16> for AtomicU16 {}

#[derive(Debug, Default)]
pub struct AtomicU32;
impl AtomicU32 {
    fn new(v: u32) -> Self;
    fn get_mut(&mut self) -> &mut u32;
    fn into_inner(self) -> u32;
    fn load(&self, order: Ordering) -> u32;
    fn store(&self, val: u32, order: Ordering);
    fn swap(&self, val: u32, order: Ordering) -> u32;
    fn compare_and_swap(&self, current: u32, new: u32, order: Ordering) -> u32;
    fn compare_exchange(&self, current: u32, new: u32, success: Ordering, failure: Ordering) -> Result<u32, u32>;
    fn compare_exchange_weak(&self, current: u32, new: u32, success: Ordering, failure: Ordering) -> Result<u32, u32>;
    fn fetch_update<F: FnMut(u32) -> Option<u32>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<u32, u32>;
    fn as_ptr(&self) -> *mut u32;
    fn fetch_add(&self, val: u32, order: Ordering) -> u32;
    fn fetch_sub(&self, val: u32, order: Ordering) -> u32;
    fn fetch_and(&self, val: u32, order: Ordering) -> u32;
    fn fetch_or(&self, val: u32, order: Ordering) -> u32;
    fn fetch_xor(&self, val: u32, order: Ordering) -> u32;
    fn fetch_nand(&self, val: u32, order: Ordering) -> u32;
    fn fetch_max(&self, val: u32, order: Ordering) -> u32;
    fn fetch_min(&self, val: u32, order: Ordering) -> u32;
}
impl From<u32> for AtomicU32 {}

#[derive(Debug, Default)]
pub struct AtomicU64;
impl AtomicU64 {
    fn new(v: u64) -> Self;
    fn get_mut(&mut self) -> &mut u64;
    fn into_inner(self) -> u64;
    fn load(&self, order: Ordering) -> u64;
    fn store(&self, val: u64, order: Ordering);
    fn swap(&self, val: u64, order: Ordering) -> u64;
    fn compare_and_swap(&self, current: u64, new: u64, order: Ordering) -> u64;
    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>;
    fn compare_exchange_weak(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>;
    fn fetch_update<F: FnMut(u64) -> Option<u64>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<u64, u64>;
    fn as_ptr(&self) -> *mut u64;
    fn fetch_add(&self, val: u64, order: Ordering) -> u64;
    fn fetch_sub(&self, val: u64, order: Ordering) -> u64;
    fn fetch_and(&self, val: u64, order: Ordering) -> u64;
    fn fetch_or(&self, val: u64, order: Ordering) -> u64;
    fn fetch_xor(&self, val: u64, order: Ordering) -> u64;
    fn fetch_nand(&self, val: u64, order: Ordering) -> u64;
    fn fetch_max(&self, val: u64, order: Ordering) -> u64;
    fn fetch_min(&self, val: u64, order: Ordering) -> u64;
}
impl From<u64> for AtomicU64 {}

#[derive(Debug, Default)]
pub struct AtomicUsize;
impl AtomicUsize {
    fn new(v: usize) -> Self;
    fn get_mut(&mut self) -> &mut usize;
    fn into_inner(self) -> usize;
    fn load(&self, order: Ordering) -> usize;
    fn store(&self, val: usize, order: Ordering);
    fn swap(&self, val: usize, order: Ordering) -> usize;
    fn compare_and_swap(&self, current: usize, new: usize, order: Ordering) -> usize;
    fn compare_exchange(&self, current: usize, new: usize, success: Ordering, failure: Ordering) -> Result<usize, usize>;
    fn compare_exchange_weak(&self, current: usize, new: usize, success: Ordering, failure: Ordering) -> Result<usize, usize>;
    fn fetch_update<F: FnMut(usize) -> Option<usize>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<usize, usize>;
    fn as_ptr(&self) -> *mut usize;
    fn fetch_add(&self, val: usize, order: Ordering) -> usize;
    fn fetch_sub(&self, val: usize, order: Ordering) -> usize;
    fn fetch_and(&self, val: usize, order: Ordering) -> usize;
    fn fetch_or(&self, val: usize, order: Ordering) -> usize;
    fn fetch_xor(&self, val: usize, order: Ordering) -> usize;
    fn fetch_nand(&self, val: usize, order: Ordering) -> usize;
    fn fetch_max(&self, val: usize, order: Ordering) -> usize;
    fn fetch_min(&self, val: usize, order: Ordering) -> usize;
}
impl From<usize> for AtomicUsize {}

#[derive(Debug, Default)]
pub struct AtomicI8;
impl AtomicI8 {
    fn new(v: i8) -> Self;
    fn get_mut(&mut self) -> &mut i8;
    fn into_inner(self) -> i8;
    fn load(&self, order: Ordering) -> i8;
    fn store(&self, val: i8, order: Ordering);
    fn swap(&self, val: i8, order: Ordering) -> i8;
    fn compare_and_swap(&self, current: i8, new: i8, order: Ordering) -> i8;
    fn compare_exchange(&self, current: i8, new: i8, success: Ordering, failure: Ordering) -> Result<i8, i8>;
    fn compare_exchange_weak(&self, current: i8, new: i8, success: Ordering, failure: Ordering) -> Result<i8, i8>;
    fn fetch_update<F: FnMut(i8) -> Option<i8>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<i8, i8>;
    fn as_ptr(&self) -> *mut i8;
    fn fetch_add(&self, val: i8, order: Ordering) -> i8;
    fn fetch_sub(&self, val: i8, order: Ordering) -> i8;
    fn fetch_and(&self, val: i8, order: Ordering) -> i8;
    fn fetch_or(&self, val: i8, order: Ordering) -> i8;
    fn fetch_xor(&self, val: i8, order: Ordering) -> i8;
    fn fetch_nand(&self, val: i8, order: Ordering) -> i8;
    fn fetch_max(&self, val: i8, order: Ordering) -> i8;
    fn fetch_min(&self, val: i8, order: Ordering) -> i8;
}
impl From<i8> for AtomicI8 {}

#[derive(Debug, Default)]
pub struct AtomicI16;
impl AtomicI16 {
    fn new(v: i16) -> Self;
    fn get_mut(&mut self) -> &mut i16;
    fn into_inner(self) -> i16;
    fn load(&self, order: Ordering) -> i16;
    fn store(&self, val: i16, order: Ordering);
    fn swap(&self, val: i16, order: Ordering) -> i16;
    fn compare_and_swap(&self, current: i16, new: i16, order: Ordering) -> i16;
    fn compare_exchange(&self, current: i16, new: i16, success: Ordering, failure: Ordering) -> Result<i16, i16>;
    fn compare_exchange_weak(&self, current: i16, new: i16, success: Ordering, failure: Ordering) -> Result<i16, i16>;
    fn fetch_update<F: FnMut(i16) -> Option<i16>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<i16, i16>;
    fn as_ptr(&self) -> *mut i16;
    fn fetch_add(&self, val: i16, order: Ordering) -> i16;
    fn fetch_sub(&self, val: i16, order: Ordering) -> i16;
    fn fetch_and(&self, val: i16, order: Ordering) -> i16;
    fn fetch_or(&self, val: i16, order: Ordering) -> i16;
    fn fetch_xor(&self, val: i16, order: Ordering) -> i16;
    fn fetch_nand(&self, val: i16, order: Ordering) -> i16;
    fn fetch_max(&self, val: i16, order: Ordering) -> i16;
    fn fetch_min(&self, val: i16, order: Ordering) -> i16;
}
impl From<i16> for AtomicI16 {}

#[derive(Debug, Default)]
pub struct AtomicI32;
impl AtomicI32 {
    fn new(v: i32) -> Self;
    fn get_mut(&mut self) -> &mut i32;
    fn into_inner(self) -> i32;
    fn load(&self, order: Ordering) -> i32;
    fn store(&self, val: i32, order: Ordering);
    fn swap(&self, val: i32, order: Ordering) -> i32;
    fn compare_and_swap(&self, current: i32, new: i32, order: Ordering) -> i32;
    fn compare_exchange(&self, current: i32, new: i32, success: Ordering, failure: Ordering) -> Result<i32, i32>;
    fn compare_exchange_weak(&self, current: i32, new: i32, success: Ordering, failure: Ordering) -> Result<i32, i32>;
    fn fetch_update<F: FnMut(i32) -> Option<i32>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<i32, i32>;
    fn as_ptr(&self) -> *mut i32;
    fn fetch_add(&self, val: i32, order: Ordering) -> i32;
    fn fetch_sub(&self, val: i32, order: Ordering) -> i32;
    fn fetch_and(&self, val: i32, order: Ordering) -> i32;
    fn fetch_or(&self, val: i32, order: Ordering) -> i32;
    fn fetch_xor(&self, val: i32, order: Ordering) -> i32;
    fn fetch_nand(&self, val: i32, order: Ordering) -> i32;
    fn fetch_max(&self, val: i32, order: Ordering) -> i32;
    fn fetch_min(&self, val: i32, order: Ordering) -> i32;
}
impl From<i32> for AtomicI32 {}

#[derive(Debug, Default)]
pub struct AtomicI64;
impl AtomicI64 {
    fn new(v: i64) -> Self;
    fn get_mut(&mut self) -> &mut i64;
    fn into_inner(self) -> i64;
    fn load(&self, order: Ordering) -> i64;
    fn store(&self, val: i64, order: Ordering);
    fn swap(&self, val: i64, order: Ordering) -> i64;
    fn compare_and_swap(&self, current: i64, new: i64, order: Ordering) -> i64;
    fn compare_exchange(&self, current: i64, new: i64, success: Ordering, failure: Ordering) -> Result<i64, i64>;
    fn compare_exchange_weak(&self, current: i64, new: i64, success: Ordering, failure: Ordering) -> Result<i64, i64>;
    fn fetch_update<F: FnMut(i64) -> Option<i64>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<i64, i64>;
    fn as_ptr(&self) -> *mut i64;
    fn fetch_add(&self, val: i64, order: Ordering) -> i64;
    fn fetch_sub(&self, val: i64, order: Ordering) -> i64;
    fn fetch_and(&self, val: i64, order: Ordering) -> i64;
    fn fetch_or(&self, val: i64, order: Ordering) -> i64;
    fn fetch_xor(&self, val: i64, order: Ordering) -> i64;
    fn fetch_nand(&self, val: i64, order: Ordering) -> i64;
    fn fetch_max(&self, val: i64, order: Ordering) -> i64;
    fn fetch_min(&self, val: i64, order: Ordering) -> i64;
}
impl From<i64> for AtomicI64 {}

#[derive(Debug, Default)]
pub struct AtomicIsize;
impl AtomicIsize {
    fn new(v: isize) -> Self;
    fn get_mut(&mut self) -> &mut isize;
    fn into_inner(self) -> isize;
    fn load(&self, order: Ordering) -> isize;
    fn store(&self, val: isize, order: Ordering);
    fn swap(&self, val: isize, order: Ordering) -> isize;
    fn compare_and_swap(&self, current: isize, new: isize, order: Ordering) -> isize;
    fn compare_exchange(&self, current: isize, new: isize, success: Ordering, failure: Ordering) -> Result<isize, isize>;
    fn compare_exchange_weak(&self, current: isize, new: isize, success: Ordering, failure: Ordering) -> Result<isize, isize>;
    fn fetch_update<F: FnMut(isize) -> Option<isize>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<isize, isize>;
    fn as_ptr(&self) -> *mut isize;
    fn fetch_add(&self, val: isize, order: Ordering) -> isize;
    fn fetch_sub(&self, val: isize, order: Ordering) -> isize;
    fn fetch_and(&self, val: isize, order: Ordering) -> isize;
    fn fetch_or(&self, val: isize, order: Ordering) -> isize;
    fn fetch_xor(&self, val: isize, order: Ordering) -> isize;
    fn fetch_nand(&self, val: isize, order: Ordering) -> isize;
    fn fetch_max(&self, val: isize, order: Ordering) -> isize;
    fn fetch_min(&self, val: isize, order: Ordering) -> isize;
}
impl From<isize> for AtomicIsize {}

#[derive(Debug, Default)]
pub struct AtomicPtr<T>;
impl<T> AtomicPtr<T> {
    fn new(v: *mut T) -> Self;
    fn get_mut(&mut self) -> &mut *mut T;
    fn into_inner(self) -> *mut T;
    fn load(&self, order: Ordering) -> *mut T;
    fn store(&self, val: *mut T, order: Ordering);
    fn swap(&self, val: *mut T, order: Ordering) -> *mut T;
    fn compare_and_swap(&self, current: *mut T, new: *mut T, order: Ordering) -> *mut T;
    fn compare_exchange(&self, current: *mut T, new: *mut T, success: Ordering, failure: Ordering) -> Result<*mut T, *mut T>;
    fn compare_exchange_weak(&self, current: *mut T, new: *mut T, success: Ordering, failure: Ordering) -> Result<*mut T, *mut T>;
    fn fetch_update<F: FnMut(*mut T) -> Option<*mut T>>(&self, set_order: Ordering, fetch_order: Ordering, f: F) -> Result<*mut T, *mut T>;
    fn as_ptr(&self) -> *mut *mut T;
}
impl<T> From<*mut T> for AtomicPtr<T> {}
