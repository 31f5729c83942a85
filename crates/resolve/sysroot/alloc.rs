// `std::alloc`.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout;
impl Layout {
    fn new<T>() -> Layout;
    fn array<T>(n: usize) -> Result<Layout, LayoutError>;
    fn for_value<T>(t: &T) -> Layout;
    fn from_size_align(size: usize, align: usize) -> Result<Layout, LayoutError>;
    fn size(&self) -> usize;
    fn align(&self) -> usize;
    fn extend(&self, next: Layout) -> Result<(Layout, usize), LayoutError>;
    fn pad_to_align(&self) -> Layout;
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutError;
pub struct System;
pub struct Global;
pub trait GlobalAlloc {
    fn alloc(&self, layout: Layout) -> *mut u8;
    fn dealloc(&self, ptr: *mut u8, layout: Layout);
    fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8;
}
impl GlobalAlloc for System {}
pub unsafe fn alloc(layout: Layout) -> *mut u8;
pub unsafe fn dealloc(ptr: *mut u8, layout: Layout);
pub fn handle_alloc_error(layout: Layout) -> !;
