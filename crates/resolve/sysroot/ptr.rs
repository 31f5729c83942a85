// `std::ptr`, and what raw pointers can do.

impl<T> *const T {
    fn is_null(self) -> bool;
    fn cast<U>(self) -> *const U;
    fn cast_mut(self) -> *mut T;
    fn cast_const(self) -> *const T;
    fn addr(self) -> usize;
    fn as_ref<'a>(self) -> Option<&'a T>;
    fn as_mut<'a>(self) -> Option<&'a mut T>;
    fn offset(self, count: isize) -> *const T;
    fn offset_from(self, origin: *const T) -> isize;
    fn add(self, count: usize) -> *const T;
    fn sub(self, count: usize) -> *const T;
    fn wrapping_add(self, count: usize) -> *const T;
    fn wrapping_sub(self, count: usize) -> *const T;
    fn read(self) -> T;
    fn read_volatile(self) -> T;
    fn read_unaligned(self) -> T;
    fn write(self, val: T);
    fn write_volatile(self, val: T);
    fn write_unaligned(self, val: T);
    fn write_bytes(self, val: u8, count: usize);
    fn replace(self, src: T) -> T;
    fn swap(self, with: *mut T);
    fn drop_in_place(self);
    fn copy_to(self, dest: *mut T, count: usize);
    fn copy_from(self, src: *const T, count: usize);
    fn copy_to_nonoverlapping(self, dest: *mut T, count: usize);
    fn copy_from_nonoverlapping(self, src: *const T, count: usize);
    fn map_addr<F: FnOnce(usize) -> usize>(self, f: F) -> Self;
    fn with_addr(self, addr: usize) -> Self;
}
pub fn null<T>() -> *const T;
pub fn null_mut<T>() -> *mut T;
pub fn dangling<T>() -> *const T;
pub fn from_ref<T>(r: &T) -> *const T;
pub fn from_mut<T>(r: &mut T) -> *mut T;
pub fn eq<T>(a: *const T, b: *const T) -> bool;
pub fn addr_eq<T, U>(p: *const T, q: *const U) -> bool;
pub fn hash<T, S>(hashee: *const T, into: &mut S);
pub unsafe fn read<T>(src: *const T) -> T;
pub unsafe fn read_volatile<T>(src: *const T) -> T;
pub unsafe fn read_unaligned<T>(src: *const T) -> T;
pub unsafe fn write<T>(dst: *mut T, src: T);
pub unsafe fn write_volatile<T>(dst: *mut T, src: T);
pub unsafe fn write_bytes<T>(dst: *mut T, val: u8, count: usize);
pub unsafe fn replace<T>(dst: *mut T, src: T) -> T;
pub unsafe fn swap<T>(a: *mut T, b: *mut T);
pub unsafe fn drop_in_place<T>(to_drop: *mut T);
pub unsafe fn copy<T>(src: *const T, dst: *mut T, count: usize);
pub unsafe fn copy_nonoverlapping<T>(src: *const T, dst: *mut T, count: usize);
pub fn slice_from_raw_parts<T>(data: *const T, len: usize) -> *const [T];
pub fn slice_from_raw_parts_mut<T>(data: *mut T, len: usize) -> *mut [T];
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonNull<T>;
impl<T> Clone for NonNull<T> { fn clone(&self) -> Self; }
impl<T> Copy for NonNull<T> {}
impl<T> NonNull<T> {
    fn dangling() -> NonNull<T>;
    fn new(ptr: *mut T) -> Option<NonNull<T>>;
    fn new_unchecked(ptr: *mut T) -> NonNull<T>;
    fn from_ref(r: &T) -> NonNull<T>;
    fn from_mut(r: &mut T) -> NonNull<T>;
    fn as_ptr(self) -> *mut T;
    fn as_ref<'a>(&self) -> &'a T;
    fn as_mut<'a>(&mut self) -> &'a mut T;
    fn cast<U>(self) -> NonNull<U>;
    fn add(self, count: usize) -> Self;
    fn sub(self, count: usize) -> Self;
    fn read(self) -> T;
    fn write(self, val: T);
    fn addr(self) -> crate::num::NonZeroUsize;
}
impl<T> From<&mut T> for NonNull<T> {}
