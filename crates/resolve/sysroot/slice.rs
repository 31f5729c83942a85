// `std::slice`: signatures in our own words and order; read, never compiled.

pub trait SliceIndex<T> { type Output; }
impl<T> SliceIndex<[T]> for usize { type Output = T; }
impl<T> SliceIndex<[T]> for crate::ops::Range<usize> { type Output = [T]; }
impl<T> SliceIndex<[T]> for crate::ops::RangeFrom<usize> { type Output = [T]; }
impl<T> SliceIndex<[T]> for crate::ops::RangeTo<usize> { type Output = [T]; }
impl<T> SliceIndex<[T]> for crate::ops::RangeInclusive<usize> { type Output = [T]; }
impl<T> SliceIndex<[T]> for crate::ops::RangeFull { type Output = [T]; }
impl<T> [T] {
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn first(&self) -> Option<&T>;
    fn first_mut(&mut self) -> Option<&mut T>;
    fn split_first(&self) -> Option<(&T, &[T])>;
    fn split_first_mut(&mut self) -> Option<(&mut T, &mut [T])>;
    fn split_last(&self) -> Option<(&T, &[T])>;
    fn last(&self) -> Option<&T>;
    fn last_mut(&mut self) -> Option<&mut T>;
    fn first_chunk<const N: usize>(&self) -> Option<&[T; N]>;
    fn get<I: SliceIndex<[T]>>(&self, index: I) -> Option<&I::Output>;
    fn get_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> Option<&mut I::Output>;
    fn get_unchecked<I: SliceIndex<[T]>>(&self, index: I) -> &I::Output;
    fn get_unchecked_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> &mut I::Output;
    fn as_ptr(&self) -> *const T;
    fn as_mut_ptr(&mut self) -> *mut T;
    fn as_ptr_range(&self) -> crate::ops::Range<*const T>;
    fn swap(&mut self, a: usize, b: usize);
    fn reverse(&mut self);
    fn iter(&self) -> Iter<T>;
    fn iter_mut(&mut self) -> IterMut<T>;
    fn windows(&self, size: usize) -> Windows<T>;
    fn chunks(&self, chunk_size: usize) -> Chunks<T>;
    fn chunks_mut(&mut self, chunk_size: usize) -> ChunksMut<T>;
    fn chunks_exact(&self, chunk_size: usize) -> ChunksExact<T>;
    fn rchunks(&self, chunk_size: usize) -> Chunks<T>;
    fn split_at(&self, mid: usize) -> (&[T], &[T]);
    fn split_at_mut(&mut self, mid: usize) -> (&mut [T], &mut [T]);
    fn split<F: FnMut(&T) -> bool>(&self, pred: F) -> Split<T, F>;
    fn splitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> Split<T, F>;
    fn rsplitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> Split<T, F>;
    fn chunk_by<F: FnMut(&T, &T) -> bool>(&self, pred: F) -> Chunks<T>;
    fn contains(&self, x: &T) -> bool;
    fn starts_with(&self, needle: &[T]) -> bool;
    fn ends_with(&self, needle: &[T]) -> bool;
    fn strip_prefix(&self, prefix: &[T]) -> Option<&[T]>;
    fn strip_suffix(&self, suffix: &[T]) -> Option<&[T]>;
    fn binary_search(&self, x: &T) -> Result<usize, usize>;
    fn binary_search_by<F: FnMut(&T) -> crate::cmp::Ordering>(&self, f: F) -> Result<usize, usize>;
    fn binary_search_by_key<B, F: FnMut(&T) -> B>(&self, b: &B, f: F) -> Result<usize, usize>;
    fn partition_point<P: FnMut(&T) -> bool>(&self, pred: P) -> usize;
    fn sort(&mut self);
    fn sort_by<F: FnMut(&T, &T) -> crate::cmp::Ordering>(&mut self, compare: F);
    fn sort_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
    fn sort_by_cached_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
    fn sort_unstable(&mut self);
    fn sort_unstable_by<F: FnMut(&T, &T) -> crate::cmp::Ordering>(&mut self, compare: F);
    fn sort_unstable_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
    fn select_nth_unstable(&mut self, index: usize) -> (&mut [T], &mut T, &mut [T]);
    fn rotate_left(&mut self, mid: usize);
    fn rotate_right(&mut self, k: usize);
    fn fill(&mut self, value: T);
    fn fill_with<F: FnMut() -> T>(&mut self, f: F);
    fn clone_from_slice(&mut self, src: &[T]);
    fn copy_from_slice(&mut self, src: &[T]);
    fn copy_within<R>(&mut self, src: R, dest: usize);
    fn swap_with_slice(&mut self, other: &mut [T]);
    fn to_vec(&self) -> crate::vec::Vec<T>;
    fn into_vec(self: crate::boxed::Box<Self>) -> crate::vec::Vec<T>;
    fn repeat(&self, n: usize) -> crate::vec::Vec<T>;
    fn concat<Item>(&self) -> <[T] as crate::slice::Concat<Item>>::Output;
    fn join<Sep>(&self, sep: Sep) -> <[T] as crate::slice::Join<Sep>>::Output;
    fn is_sorted(&self) -> bool;
    fn align_to<U>(&self) -> (&[T], &[U], &[T]);
}
impl [u8] {
    fn is_ascii(&self) -> bool;
    fn eq_ignore_ascii_case(&self, other: &[u8]) -> bool;
    fn to_ascii_lowercase(&self) -> crate::vec::Vec<u8>;
    fn to_ascii_uppercase(&self) -> crate::vec::Vec<u8>;
    fn make_ascii_lowercase(&mut self);
    fn escape_ascii(&self) -> EscapeAscii;
    fn trim_ascii(&self) -> &[u8];
    fn trim_ascii_start(&self) -> &[u8];
    fn trim_ascii_end(&self) -> &[u8];
    fn utf8_chunks(&self) -> crate::str::Utf8Chunks;
}
pub struct EscapeAscii;
impl Iterator for EscapeAscii { type Item = u8; }
#[derive(Clone, Debug)]
pub struct Iter<T>;
impl<T> Iterator for Iter<T> { type Item = &T; }
impl<T> DoubleEndedIterator for Iter<T> {}
impl<T> ExactSizeIterator for Iter<T> {}
impl<T> Iter<T> { fn as_slice(&self) -> &[T]; }
#[derive(Debug)]
pub struct IterMut<T>;
impl<T> Iterator for IterMut<T> { type Item = &mut T; }
impl<T> DoubleEndedIterator for IterMut<T> {}
impl<T> ExactSizeIterator for IterMut<T> {}
#[derive(Clone, Debug)]
pub struct Windows<T>;
impl<T> Iterator for Windows<T> { type Item = &[T]; }
impl<T> DoubleEndedIterator for Windows<T> {}
#[derive(Clone, Debug)]
pub struct Chunks<T>;
impl<T> Iterator for Chunks<T> { type Item = &[T]; }
impl<T> DoubleEndedIterator for Chunks<T> {}
impl<T> ExactSizeIterator for Chunks<T> {}
#[derive(Debug)]
pub struct ChunksMut<T>;
impl<T> Iterator for ChunksMut<T> { type Item = &mut [T]; }
#[derive(Clone, Debug)]
pub struct ChunksExact<T>;
impl<T> Iterator for ChunksExact<T> { type Item = &[T]; }
impl<T> ChunksExact<T> { fn remainder(&self) -> &[T]; }
pub struct Split<T, P>;
impl<T, P> Iterator for Split<T, P> { type Item = &[T]; }
impl<T> IntoIterator for &[T] { type Item = &T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
impl<T> Default for Iter<T> { fn default() -> Self; }
pub fn from_ref<T>(s: &T) -> &[T];
pub fn from_mut<T>(s: &mut T) -> &mut [T];
pub unsafe fn from_raw_parts<'a, T>(data: *const T, len: usize) -> &'a [T];
pub unsafe fn from_raw_parts_mut<'a, T>(data: *mut T, len: usize) -> &'a mut [T];
pub trait Concat<Item> { type Output; }
impl<T: Clone> Concat<T> for [crate::vec::Vec<T>] { type Output = crate::vec::Vec<T>; }
impl Concat<str> for [&str] { type Output = crate::string::String; }
impl Concat<str> for [crate::string::String] { type Output = crate::string::String; }
pub trait Join<Separator> { type Output; }
impl Join<&str> for [&str] { type Output = crate::string::String; }
impl Join<&str> for [crate::string::String] { type Output = crate::string::String; }
