// The public declarations of the standard library of Rust 1.97.1, without bodies.
// Made by `cargo xtask gen-sysroot` from rust-src; do not edit.
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$of:meta])* $see:vis static $name:ident: $ty:ty = const $value:block $(; $($more:tt)*)?) => {
        $(#[$of])* $see static $name: $ty = $value;
        $crate::thread_local! { $($($more)*)? }
    };
    ($(#[$of:meta])* $see:vis static $name:ident: $ty:ty = $value:expr $(; $($more:tt)*)?) => {
        $(#[$of])* $see static $name: $ty = $value;
        $crate::thread_local! { $($($more)*)? }
    };
}
#[macro_export]
macro_rules! assert {}
#[macro_export]
macro_rules! assert_eq {}
#[macro_export]
macro_rules! assert_matches {}
#[macro_export]
macro_rules! assert_ne {}
#[macro_export]
macro_rules! cfg {}
#[macro_export]
macro_rules! cfg_select {}
#[macro_export]
macro_rules! column {}
#[macro_export]
macro_rules! compile_error {}
#[macro_export]
macro_rules! concat {}
#[macro_export]
macro_rules! const_format_args {}
#[macro_export]
macro_rules! dbg {}
#[macro_export]
macro_rules! debug_assert {}
#[macro_export]
macro_rules! debug_assert_eq {}
#[macro_export]
macro_rules! debug_assert_matches {}
#[macro_export]
macro_rules! debug_assert_ne {}
#[macro_export]
macro_rules! env {}
#[macro_export]
macro_rules! eprint {}
#[macro_export]
macro_rules! eprintln {}
#[macro_export]
macro_rules! file {}
#[macro_export]
macro_rules! format {}
#[macro_export]
macro_rules! format_args {}
#[macro_export]
macro_rules! format_args_nl {}
#[macro_export]
macro_rules! include {}
#[macro_export]
macro_rules! include_bytes {}
#[macro_export]
macro_rules! include_str {}
#[macro_export]
macro_rules! line {}
#[macro_export]
macro_rules! log_syntax {}
#[macro_export]
macro_rules! matches {}
#[macro_export]
macro_rules! module_path {}
#[macro_export]
macro_rules! option_env {}
#[macro_export]
macro_rules! panic {}
#[macro_export]
macro_rules! print {}
#[macro_export]
macro_rules! println {}
#[macro_export]
macro_rules! stringify {}
#[macro_export]
macro_rules! todo {}
#[macro_export]
macro_rules! trace_macros {}
#[macro_export]
macro_rules! r#try {}
#[macro_export]
macro_rules! unimplemented {}
#[macro_export]
macro_rules! unreachable {}
#[macro_export]
macro_rules! vec {}
#[macro_export]
macro_rules! write {}
#[macro_export]
macro_rules! writeln {}
pub mod alloc {
pub trait GlobalAlloc {
fn alloc(&self, _: crate::alloc::Layout) -> *const u8;
fn alloc_zeroed(&self, _: crate::alloc::Layout) -> *const u8;
fn dealloc(&self, _: *const u8, _: crate::alloc::Layout);
fn realloc(&self, _: *const u8, _: crate::alloc::Layout, _: usize) -> *const u8;
}
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Layout;
pub type LayoutErr = crate::alloc::LayoutError;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LayoutError;
#[derive(Clone, Copy, Debug, Default)]
pub struct System;
pub fn alloc(_: crate::alloc::Layout) -> *const u8;
pub fn alloc_zeroed(_: crate::alloc::Layout) -> *const u8;
pub fn dealloc(_: *const u8, _: crate::alloc::Layout);
pub fn handle_alloc_error(_: crate::alloc::Layout) -> !;
pub fn realloc(_: *const u8, _: crate::alloc::Layout, _: usize) -> *const u8;
impl crate::alloc::GlobalAlloc for crate::alloc::System {}
impl crate::alloc::Layout {
fn align(&self) -> usize;
fn align_to(&self, _: usize) -> crate::result::Result<Self, crate::alloc::LayoutError>;
fn array<T>(_: usize) -> crate::result::Result<Self, crate::alloc::LayoutError>;
fn dangling_ptr(&self) -> crate::ptr::NonNull<u8>;
fn extend(&self, _: Self) -> crate::result::Result<(Self, usize), crate::alloc::LayoutError>;
fn extend_packed(&self, _: Self) -> crate::result::Result<Self, crate::alloc::LayoutError>;
fn for_value<T>(_: &T) -> Self;
fn from_size_align(_: usize, _: usize) -> crate::result::Result<Self, crate::alloc::LayoutError>;
fn from_size_align_unchecked(_: usize, _: usize) -> Self;
fn new<T>() -> Self;
fn pad_to_align(&self) -> crate::alloc::Layout;
fn repeat(&self, _: usize) -> crate::result::Result<(Self, usize), crate::alloc::LayoutError>;
fn repeat_packed(&self, _: usize) -> crate::result::Result<Self, crate::alloc::LayoutError>;
fn size(&self) -> usize;
}
impl crate::error::Error for crate::alloc::LayoutError {}
impl crate::fmt::Display for crate::alloc::LayoutError {}
}
pub mod any {
pub trait Any {
fn type_id(&self) -> crate::any::TypeId;
}
#[derive(Clone, Copy, Eq, Ord, PartialOrd)]
pub struct TypeId;
pub fn type_name<T>() -> &str;
pub fn type_name_of_val<T>(_: &T) -> &str;
impl PartialEq for crate::any::TypeId {}
impl crate::any::TypeId {
fn of<T>() -> crate::any::TypeId;
}
impl crate::fmt::Debug for crate::any::TypeId {}
impl crate::fmt::Debug for dyn crate::any::Any {}
impl crate::hash::Hash for crate::any::TypeId {}
impl dyn crate::any::Any {
fn downcast_mut<T: crate::any::Any>(&mut self) -> Option<&T>;
fn downcast_ref<T: crate::any::Any>(&self) -> Option<&T>;
fn is<T: crate::any::Any>(&self) -> bool;
}
impl<T> crate::any::Any for T {}
}
pub mod array {
#[derive(Clone)]
pub struct IntoIter<T, const N: usize>;
#[derive(Clone, Copy, Debug)]
pub struct TryFromSliceError;
pub fn from_fn<T, const N: usize, F: FnMut<(usize,), Output = T>>(_: F) -> [T; 0];
pub fn from_mut<T>(_: &T) -> &[T; 0];
pub fn from_ref<T>(_: &T) -> &[T; 0];
pub fn repeat<T: Clone, const N: usize>(_: T) -> [T; 0];
impl From<crate::convert::Infallible> for crate::array::TryFromSliceError {}
impl crate::error::Error for crate::array::TryFromSliceError {}
impl crate::fmt::Display for crate::array::TryFromSliceError {}
impl<T, const N: usize> Default for crate::array::IntoIter<T, N> {}
impl<T, const N: usize> DoubleEndedIterator for crate::array::IntoIter<T, N> {}
impl<T, const N: usize> Drop for crate::array::IntoIter<T, N> {}
impl<T, const N: usize> ExactSizeIterator for crate::array::IntoIter<T, N> {}
impl<T, const N: usize> Iterator for crate::array::IntoIter<T, N> {
type Item = T;
}
impl<T, const N: usize> crate::array::IntoIter<T, N> {
fn as_mut_slice(&mut self) -> &[T];
fn as_slice(&self) -> &[T];
fn new(_: [T; 0]) -> Self;
}
impl<T: crate::fmt::Debug, const N: usize> crate::fmt::Debug for crate::array::IntoIter<T, N> {}
}
pub mod ascii {
pub trait AsciiExt {
fn eq_ignore_ascii_case(&self, _: &Self) -> bool;
fn is_ascii(&self) -> bool;
fn make_ascii_lowercase(&mut self);
fn make_ascii_uppercase(&mut self);
fn to_ascii_lowercase(&self) -> Self::Owned;
fn to_ascii_uppercase(&self) -> Self::Owned;
type Owned;
}
#[derive(Clone)]
pub struct EscapeDefault;
pub fn escape_default(_: u8) -> crate::ascii::EscapeDefault;
impl DoubleEndedIterator for crate::ascii::EscapeDefault {}
impl ExactSizeIterator for crate::ascii::EscapeDefault {}
impl Iterator for crate::ascii::EscapeDefault {
type Item = u8;
}
impl crate::ascii::AsciiExt for [u8] {
type Owned = Vec<u8>;
}
impl crate::ascii::AsciiExt for char {
type Owned = char;
}
impl crate::ascii::AsciiExt for str {
type Owned = String;
}
impl crate::ascii::AsciiExt for u8 {
type Owned = u8;
}
impl crate::fmt::Debug for crate::ascii::EscapeDefault {}
impl crate::fmt::Display for crate::ascii::EscapeDefault {}
}
pub mod backtrace {
pub struct Backtrace;
#[derive(Debug, Eq, PartialEq)]
pub enum BacktraceStatus { Unsupported, Disabled, Captured }
impl crate::backtrace::Backtrace {
fn capture() -> crate::backtrace::Backtrace;
fn disabled() -> crate::backtrace::Backtrace;
fn force_capture() -> crate::backtrace::Backtrace;
fn status(&self) -> crate::backtrace::BacktraceStatus;
}
impl crate::fmt::Debug for crate::backtrace::Backtrace {}
impl crate::fmt::Display for crate::backtrace::Backtrace {}
}
pub mod borrow {
pub trait Borrow<Borrowed> {
fn borrow(&self) -> &Borrowed;
}
pub trait BorrowMut<Borrowed>: crate::borrow::Borrow<Borrowed> {
fn borrow_mut(&mut self) -> &Borrowed;
}
pub enum Cow<B: ToOwned> { Borrowed(&B), Owned(<B as ToOwned>::Owned) }
pub trait ToOwned {
fn clone_into(&self, _: &Self::Owned);
fn to_owned(&self) -> Self::Owned;
type Owned: crate::borrow::Borrow<Self>;
}
impl AsRef<crate::path::Path> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl From<&String> for crate::borrow::Cow<str> {}
impl From<&crate::ffi::CStr> for crate::borrow::Cow<crate::ffi::CStr> {}
impl From<&crate::ffi::CString> for crate::borrow::Cow<crate::ffi::CStr> {}
impl From<&crate::ffi::OsStr> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl From<&crate::ffi::OsString> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl From<&crate::path::Path> for crate::borrow::Cow<crate::path::Path> {}
impl From<&crate::path::PathBuf> for crate::borrow::Cow<crate::path::Path> {}
impl From<&crate::unnameable::ByteStr> for crate::borrow::Cow<crate::unnameable::ByteStr> {}
impl From<&crate::unnameable::ByteString> for crate::borrow::Cow<crate::unnameable::ByteStr> {}
impl From<&str> for crate::borrow::Cow<str> {}
impl From<String> for crate::borrow::Cow<str> {}
impl From<crate::ffi::CString> for crate::borrow::Cow<crate::ffi::CStr> {}
impl From<crate::ffi::OsString> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl From<crate::path::PathBuf> for crate::borrow::Cow<crate::path::Path> {}
impl From<crate::unnameable::ByteString> for crate::borrow::Cow<crate::unnameable::ByteStr> {}
impl PartialEq<&crate::ffi::CStr> for crate::borrow::Cow<crate::ffi::CStr> {}
impl PartialEq<&crate::ffi::OsStr> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialEq<&crate::ffi::OsStr> for crate::borrow::Cow<crate::path::Path> {}
impl PartialEq<&crate::path::Path> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialEq<&crate::path::Path> for crate::borrow::Cow<crate::path::Path> {}
impl PartialEq<&crate::unnameable::ByteStr> for crate::borrow::Cow<[u8]> {}
impl PartialEq<&crate::unnameable::ByteStr> for crate::borrow::Cow<crate::unnameable::ByteStr> {}
impl PartialEq<&crate::unnameable::ByteStr> for crate::borrow::Cow<str> {}
impl PartialEq<&str> for crate::borrow::Cow<str> {}
impl PartialEq<String> for crate::borrow::Cow<str> {}
impl PartialEq<crate::ffi::CStr> for crate::borrow::Cow<crate::ffi::CStr> {}
impl PartialEq<crate::ffi::CString> for crate::borrow::Cow<crate::ffi::CStr> {}
impl PartialEq<crate::ffi::OsStr> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialEq<crate::ffi::OsStr> for crate::borrow::Cow<crate::path::Path> {}
impl PartialEq<crate::ffi::OsString> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialEq<crate::ffi::OsString> for crate::borrow::Cow<crate::path::Path> {}
impl PartialEq<crate::path::Path> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialEq<crate::path::Path> for crate::borrow::Cow<crate::path::Path> {}
impl PartialEq<crate::path::PathBuf> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialEq<crate::path::PathBuf> for crate::borrow::Cow<crate::path::Path> {}
impl PartialEq<crate::unnameable::ByteString> for crate::borrow::Cow<[u8]> {}
impl PartialEq<crate::unnameable::ByteString> for crate::borrow::Cow<crate::unnameable::ByteStr> {}
impl PartialEq<crate::unnameable::ByteString> for crate::borrow::Cow<str> {}
impl PartialEq<str> for crate::borrow::Cow<str> {}
impl PartialOrd<&crate::ffi::OsStr> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialOrd<&crate::ffi::OsStr> for crate::borrow::Cow<crate::path::Path> {}
impl PartialOrd<&crate::path::Path> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialOrd<&crate::path::Path> for crate::borrow::Cow<crate::path::Path> {}
impl PartialOrd<&crate::unnameable::ByteStr> for crate::borrow::Cow<[u8]> {}
impl PartialOrd<&crate::unnameable::ByteStr> for crate::borrow::Cow<crate::unnameable::ByteStr> {}
impl PartialOrd<&crate::unnameable::ByteStr> for crate::borrow::Cow<str> {}
impl PartialOrd<crate::ffi::OsStr> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialOrd<crate::ffi::OsStr> for crate::borrow::Cow<crate::path::Path> {}
impl PartialOrd<crate::ffi::OsString> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialOrd<crate::ffi::OsString> for crate::borrow::Cow<crate::path::Path> {}
impl PartialOrd<crate::path::Path> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialOrd<crate::path::Path> for crate::borrow::Cow<crate::path::Path> {}
impl PartialOrd<crate::path::PathBuf> for crate::borrow::Cow<crate::ffi::OsStr> {}
impl PartialOrd<crate::path::PathBuf> for crate::borrow::Cow<crate::path::Path> {}
impl PartialOrd<crate::unnameable::ByteString> for crate::borrow::Cow<[u8]> {}
impl PartialOrd<crate::unnameable::ByteString> for crate::borrow::Cow<crate::unnameable::ByteStr> {}
impl PartialOrd<crate::unnameable::ByteString> for crate::borrow::Cow<str> {}
impl ToOwned for str {
type Owned = String;
}
impl crate::iter::FromIterator<&str> for crate::borrow::Cow<str> {}
impl crate::iter::FromIterator<String> for crate::borrow::Cow<str> {}
impl crate::iter::FromIterator<char> for crate::borrow::Cow<str> {}
impl crate::iter::FromIterator<crate::unnameable::AsciiChar> for crate::borrow::Cow<str> {}
impl crate::ops::Add<&str> for crate::borrow::Cow<str> {
type Output = crate::borrow::Cow<str>;
}
impl crate::ops::Add<crate::borrow::Cow<str>> for crate::borrow::Cow<str> {
type Output = crate::borrow::Cow<str>;
}
impl crate::ops::AddAssign<&str> for crate::borrow::Cow<str> {}
impl crate::ops::AddAssign<crate::borrow::Cow<str>> for crate::borrow::Cow<str> {}
impl<B: Eq + ToOwned> Eq for crate::borrow::Cow<B> {}
impl<B: Ord + ToOwned> Ord for crate::borrow::Cow<B> {}
impl<B: PartialEq<C> + ToOwned, C: ToOwned> PartialEq<crate::borrow::Cow<C>> for crate::borrow::Cow<B> {}
impl<B: PartialOrd + ToOwned> PartialOrd for crate::borrow::Cow<B> {}
impl<B: ToOwned> Clone for crate::borrow::Cow<B> {}
impl<B: ToOwned> Default for crate::borrow::Cow<B> {}
impl<B: ToOwned> crate::borrow::Borrow<B> for crate::borrow::Cow<B> {}
impl<B: ToOwned> crate::borrow::Cow<B> {
fn into_owned(self) -> <B as ToOwned>::Owned;
fn to_mut(&mut self) -> &<B as ToOwned>::Owned;
}
impl<B: ToOwned> crate::ops::Deref for crate::borrow::Cow<B> {
type Target = B;
}
impl<B: crate::fmt::Debug + ToOwned> crate::fmt::Debug for crate::borrow::Cow<B> {}
impl<B: crate::fmt::Display + ToOwned> crate::fmt::Display for crate::borrow::Cow<B> {}
impl<B: crate::hash::Hash + ToOwned> crate::hash::Hash for crate::borrow::Cow<B> {}
impl<T, const N: usize> crate::borrow::Borrow<[T]> for [T; 0] {}
impl<T, const N: usize> crate::borrow::BorrowMut<[T]> for [T; 0] {}
impl<T: Clone, const N: usize> From<&[T; 0]> for crate::borrow::Cow<[T]> {}
impl<T: Clone> From<&Vec<T>> for crate::borrow::Cow<[T]> {}
impl<T: Clone> From<&[T]> for crate::borrow::Cow<[T]> {}
impl<T: Clone> From<Vec<T>> for crate::borrow::Cow<[T]> {}
impl<T: Clone> ToOwned for T {
type Owned = T;
}
impl<T: Clone> ToOwned for [T] {
type Owned = Vec<T>;
}
impl<T: Clone> crate::iter::FromIterator<T> for crate::borrow::Cow<[T]> {}
impl<T: PartialEq<U> + Clone, U> PartialEq<&[U]> for crate::borrow::Cow<[T]> {}
impl<T: PartialEq<U> + Clone, U> PartialEq<Vec<U>> for crate::borrow::Cow<[T]> {}
impl<T: ToOwned> AsRef<T> for crate::borrow::Cow<T> {}
impl<T> crate::borrow::Borrow<T> for &T {}
impl<T> crate::borrow::Borrow<T> for T {}
impl<T> crate::borrow::BorrowMut<T> for &T {}
impl<T> crate::borrow::BorrowMut<T> for T {}
}
pub mod boxed {
pub struct Box<T>;
impl Box<dyn crate::any::Any> {
fn downcast<T: crate::any::Any>(self) -> crate::result::Result<Box<T>, Self>;
}
impl Clone for Box<crate::ffi::CStr> {}
impl Clone for Box<crate::ffi::OsStr> {}
impl Clone for Box<crate::path::Path> {}
impl Clone for Box<crate::unnameable::ByteStr> {}
impl Clone for Box<str> {}
impl Default for Box<crate::ffi::CStr> {}
impl Default for Box<crate::ffi::OsStr> {}
impl Default for Box<str> {}
impl From<&crate::ffi::CStr> for Box<crate::ffi::CStr> {}
impl From<&crate::ffi::OsStr> for Box<crate::ffi::OsStr> {}
impl From<&crate::path::Path> for Box<crate::path::Path> {}
impl From<&str> for Box<dyn crate::error::Error> {}
impl From<&str> for Box<str> {}
impl From<Box<[u8]>> for Box<crate::unnameable::ByteStr> {}
impl From<Box<crate::unnameable::ByteStr>> for Box<[u8]> {}
impl From<Box<str>> for Box<[u8]> {}
impl From<String> for Box<dyn crate::error::Error> {}
impl From<String> for Box<str> {}
impl From<crate::borrow::Cow<crate::ffi::CStr>> for Box<crate::ffi::CStr> {}
impl From<crate::borrow::Cow<crate::ffi::OsStr>> for Box<crate::ffi::OsStr> {}
impl From<crate::borrow::Cow<crate::path::Path>> for Box<crate::path::Path> {}
impl From<crate::borrow::Cow<str>> for Box<dyn crate::error::Error> {}
impl From<crate::borrow::Cow<str>> for Box<str> {}
impl From<crate::ffi::CString> for Box<crate::ffi::CStr> {}
impl From<crate::ffi::OsString> for Box<crate::ffi::OsStr> {}
impl From<crate::path::PathBuf> for Box<crate::path::Path> {}
impl crate::iter::FromIterator<&char> for Box<str> {}
impl crate::iter::FromIterator<&str> for Box<str> {}
impl crate::iter::FromIterator<Box<str>> for Box<str> {}
impl crate::iter::FromIterator<String> for Box<str> {}
impl crate::iter::FromIterator<char> for Box<str> {}
impl crate::iter::FromIterator<crate::borrow::Cow<str>> for Box<str> {}
impl<Args: crate::unnameable::Tuple, F: AsyncFn<Args>> AsyncFn<Args> for Box<F> {}
impl<Args: crate::unnameable::Tuple, F: AsyncFnMut<Args>> AsyncFnMut<Args> for Box<F> {
type CallRefFuture = F::CallRefFuture;
}
impl<Args: crate::unnameable::Tuple, F: AsyncFnOnce<Args>> AsyncFnOnce<Args> for Box<F> {
type CallOnceFuture = F::CallOnceFuture;
type Output = F::Output;
}
impl<Args: crate::unnameable::Tuple, F: Fn<Args>> Fn<Args> for Box<F> {}
impl<Args: crate::unnameable::Tuple, F: FnMut<Args>> FnMut<Args> for Box<F> {}
impl<Args: crate::unnameable::Tuple, F: FnOnce<Args>> FnOnce<Args> for Box<F> {
type Output = <F as FnOnce<Args>>::Output;
}
impl<B: crate::io::BufRead> crate::io::BufRead for Box<B> {}
impl<E: crate::error::Error> From<E> for Box<dyn crate::error::Error> {}
impl<E: crate::error::Error> crate::error::Error for Box<E> {}
impl<F: crate::future::Future> crate::future::Future for Box<F> {
type Output = F::Output;
}
impl<I: DoubleEndedIterator> DoubleEndedIterator for Box<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for Box<I> {}
impl<I: Iterator> Iterator for Box<I> {
type Item = I::Item;
}
impl<I> IntoIterator for Box<[I]> {
type IntoIter = crate::vec::IntoIter<I>;
type Item = I;
}
impl<I> crate::iter::FromIterator<I> for Box<[I]> {}
impl<R: crate::io::Read> crate::io::Read for Box<R> {}
impl<S: crate::io::Seek> crate::io::Seek for Box<S> {}
impl<T, const N: usize> From<[T; 0]> for Box<[T]> {}
impl<T, const N: usize> crate::convert::TryFrom<Box<[T]>> for Box<[T; 0]> {
type Error = Box<[T]>;
}
impl<T, const N: usize> crate::convert::TryFrom<Vec<T>> for Box<[T; 0]> {
type Error = Vec<T>;
}
impl<T: Clone> Clone for Box<T> {}
impl<T: Clone> Clone for Box<[T]> {}
impl<T: Clone> From<&[T]> for Box<[T]> {}
impl<T: Clone> From<crate::borrow::Cow<[T]>> for Box<[T]> {}
impl<T: Default> Default for Box<T> {}
impl<T: Eq> Eq for Box<T> {}
impl<T: Ord> Ord for Box<T> {}
impl<T: PartialEq> PartialEq for Box<T> {}
impl<T: PartialOrd> PartialOrd for Box<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for Box<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for Box<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for Box<T> {}
impl<T: crate::hash::Hasher> crate::hash::Hasher for Box<T> {}
impl<T: crate::os::fd::AsFd> crate::os::fd::AsFd for Box<T> {}
impl<T: crate::os::fd::AsRawFd> crate::os::fd::AsRawFd for Box<T> {}
impl<T> AsMut<T> for Box<T> {}
impl<T> AsRef<T> for Box<T> {}
impl<T> Box<T> {
fn from_raw(_: *const T) -> Self;
fn into_pin(_: Self) -> crate::pin::Pin<Self>;
fn into_raw(_: Self) -> *const T;
fn leak(_: Self) -> &T;
fn new(_: T) -> Self;
fn new_uninit() -> Box<crate::mem::MaybeUninit<T>>;
fn new_zeroed() -> Box<crate::mem::MaybeUninit<T>>;
fn pin(_: T) -> crate::pin::Pin<Box<T>>;
}
impl<T> Box<[T]> {
fn new_uninit_slice(_: usize) -> Box<[crate::mem::MaybeUninit<T>]>;
fn new_zeroed_slice(_: usize) -> Box<[crate::mem::MaybeUninit<T>]>;
}
impl<T> Box<[crate::mem::MaybeUninit<T>]> {
fn assume_init(self) -> Box<[T]>;
}
impl<T> Box<crate::mem::MaybeUninit<T>> {
fn assume_init(self) -> Box<T>;
fn write(_: Self, _: T) -> Box<T>;
}
impl<T> Default for Box<[T]> {}
impl<T> Drop for Box<T> {}
impl<T> From<T> for Box<T> {}
impl<T> From<Vec<T>> for Box<[T]> {}
impl<T> crate::borrow::Borrow<T> for Box<T> {}
impl<T> crate::borrow::BorrowMut<T> for Box<T> {}
impl<T> crate::fmt::Pointer for Box<T> {}
impl<T> crate::ops::Deref for Box<T> {
type Target = T;
}
impl<T> crate::ops::DerefMut for Box<T> {}
impl<W: crate::io::Write> crate::io::Write for Box<W> {}
}
pub mod cell {
#[derive(Debug)]
pub struct BorrowError;
#[derive(Debug)]
pub struct BorrowMutError;
pub struct Cell<T>;
pub struct LazyCell<T, F = fn() -> T>;
pub struct OnceCell<T>;
pub struct Ref<T>;
pub struct RefCell<T>;
pub struct RefMut<T>;
pub struct UnsafeCell<T>;
impl crate::error::Error for crate::cell::BorrowError {}
impl crate::error::Error for crate::cell::BorrowMutError {}
impl crate::fmt::Display for crate::cell::BorrowError {}
impl crate::fmt::Display for crate::cell::BorrowMutError {}
impl<T, F: FnOnce<(), Output = T>> crate::cell::LazyCell<T, F> {
fn force(_: &crate::cell::LazyCell<T, F>) -> &T;
fn force_mut(_: &crate::cell::LazyCell<T, F>) -> &T;
fn new(_: F) -> crate::cell::LazyCell<T, F>;
}
impl<T, F: FnOnce<(), Output = T>> crate::ops::Deref for crate::cell::LazyCell<T, F> {
type Target = T;
}
impl<T, F: FnOnce<(), Output = T>> crate::ops::DerefMut for crate::cell::LazyCell<T, F> {}
impl<T, F> From<T> for crate::cell::LazyCell<T, F> {}
impl<T, F> crate::cell::LazyCell<T, F> {
fn get(_: &crate::cell::LazyCell<T, F>) -> Option<&T>;
fn get_mut(_: &crate::cell::LazyCell<T, F>) -> Option<&T>;
}
impl<T, const N: usize> AsRef<[crate::cell::Cell<T>; 0]> for crate::cell::Cell<[T; 0]> {}
impl<T, const N: usize> AsRef<[crate::cell::Cell<T>]> for crate::cell::Cell<[T; 0]> {}
impl<T, const N: usize> crate::cell::Cell<[T; 0]> {
fn as_array_of_cells(&self) -> &[crate::cell::Cell<T>; 0];
}
impl<T: Clone> Clone for crate::cell::OnceCell<T> {}
impl<T: Clone> Clone for crate::cell::RefCell<T> {}
impl<T: Copy + crate::fmt::Debug> crate::fmt::Debug for crate::cell::Cell<T> {}
impl<T: Copy> Clone for crate::cell::Cell<T> {}
impl<T: Copy> crate::cell::Cell<T> {
fn get(&self) -> T;
fn update(&self, _: impl FnOnce<(T,), Output = T>);
}
impl<T: Default> Default for crate::cell::Cell<T> {}
impl<T: Default> Default for crate::cell::LazyCell<T> {}
impl<T: Default> Default for crate::cell::RefCell<T> {}
impl<T: Default> Default for crate::cell::UnsafeCell<T> {}
impl<T: Default> crate::cell::Cell<T> {
fn take(&self) -> T where T: Default;
}
impl<T: Default> crate::cell::RefCell<T> {
fn take(&self) -> T;
}
impl<T: Eq + Copy> Eq for crate::cell::Cell<T> {}
impl<T: Eq> Eq for crate::cell::OnceCell<T> {}
impl<T: Eq> Eq for crate::cell::RefCell<T> {}
impl<T: Ord + Copy> Ord for crate::cell::Cell<T> {}
impl<T: Ord> Ord for crate::cell::RefCell<T> {}
impl<T: PartialEq + Copy> PartialEq for crate::cell::Cell<T> {}
impl<T: PartialEq> PartialEq for crate::cell::OnceCell<T> {}
impl<T: PartialEq> PartialEq for crate::cell::RefCell<T> {}
impl<T: PartialOrd + Copy> PartialOrd for crate::cell::Cell<T> {}
impl<T: PartialOrd> PartialOrd for crate::cell::RefCell<T> {}
impl<T: crate::fmt::Debug, F> crate::fmt::Debug for crate::cell::LazyCell<T, F> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::cell::OnceCell<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::cell::Ref<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::cell::RefCell<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::cell::RefMut<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::cell::Ref<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::cell::RefMut<T> {}
impl<T: crate::unnameable::CloneFromCell> crate::cell::Cell<T> {
fn get_cloned(&self) -> Self;
}
impl<T> AsRef<[crate::cell::Cell<T>]> for crate::cell::Cell<[T]> {}
impl<T> Default for crate::cell::OnceCell<T> {}
impl<T> From<T> for crate::cell::Cell<T> {}
impl<T> From<T> for crate::cell::OnceCell<T> {}
impl<T> From<T> for crate::cell::RefCell<T> {}
impl<T> From<T> for crate::cell::UnsafeCell<T> {}
impl<T> crate::cell::Cell<T> {
fn as_ptr(&self) -> *const T;
fn from_mut(_: &T) -> &crate::cell::Cell<T>;
fn get_mut(&mut self) -> &T;
fn into_inner(self) -> T;
fn new(_: T) -> crate::cell::Cell<T>;
fn replace(&self, _: T) -> T;
fn set(&self, _: T);
fn swap(&self, _: &Self);
}
impl<T> crate::cell::Cell<[T]> {
fn as_slice_of_cells(&self) -> &[crate::cell::Cell<T>];
}
impl<T> crate::cell::OnceCell<T> {
fn get(&self) -> Option<&T>;
fn get_mut(&mut self) -> Option<&T>;
fn get_or_init<F: FnOnce<(), Output = T>>(&self, _: F) -> &T;
fn into_inner(self) -> Option<T>;
fn new() -> crate::cell::OnceCell<T>;
fn set(&self, _: T) -> crate::result::Result<(), T>;
fn take(&mut self) -> Option<T>;
}
impl<T> crate::cell::Ref<T> {
fn clone(_: &crate::cell::Ref<T>) -> crate::cell::Ref<T>;
fn filter_map<U, F: FnOnce<(&T,), Output = Option<&U>>>(_: crate::cell::Ref<T>, _: F) -> crate::result::Result<crate::cell::Ref<U>, Self>;
fn map<U, F: FnOnce<(&T,), Output = &U>>(_: crate::cell::Ref<T>, _: F) -> crate::cell::Ref<U>;
fn map_split<U, V, F: FnOnce<(&T,), Output = (&U, &V)>>(_: crate::cell::Ref<T>, _: F) -> (crate::cell::Ref<U>, crate::cell::Ref<V>);
}
impl<T> crate::cell::RefCell<T> {
fn as_ptr(&self) -> *const T;
fn borrow(&self) -> crate::cell::Ref<T>;
fn borrow_mut(&self) -> crate::cell::RefMut<T>;
fn get_mut(&mut self) -> &T;
fn into_inner(self) -> T;
fn new(_: T) -> crate::cell::RefCell<T>;
fn replace(&self, _: T) -> T;
fn replace_with<F: FnOnce<(&T,), Output = T>>(&self, _: F) -> T;
fn swap(&self, _: &Self);
fn try_borrow(&self) -> crate::result::Result<crate::cell::Ref<T>, crate::cell::BorrowError>;
fn try_borrow_mut(&self) -> crate::result::Result<crate::cell::RefMut<T>, crate::cell::BorrowMutError>;
fn try_borrow_unguarded(&self) -> crate::result::Result<&T, crate::cell::BorrowError>;
}
impl<T> crate::cell::RefMut<T> {
fn filter_map<U, F: FnOnce<(&T,), Output = Option<&U>>>(_: crate::cell::RefMut<T>, _: F) -> crate::result::Result<crate::cell::RefMut<U>, Self>;
fn map<U, F: FnOnce<(&T,), Output = &U>>(_: crate::cell::RefMut<T>, _: F) -> crate::cell::RefMut<U>;
fn map_split<U, V, F: FnOnce<(&T,), Output = (&U, &V)>>(_: crate::cell::RefMut<T>, _: F) -> (crate::cell::RefMut<U>, crate::cell::RefMut<V>);
}
impl<T> crate::cell::UnsafeCell<T> {
fn from_mut(_: &T) -> &crate::cell::UnsafeCell<T>;
fn get(&self) -> *const T;
fn get_mut(&mut self) -> &T;
fn into_inner(self) -> T;
fn new(_: T) -> crate::cell::UnsafeCell<T>;
fn raw_get(_: *const Self) -> *const T;
}
impl<T> crate::fmt::Debug for crate::cell::UnsafeCell<T> {}
impl<T> crate::ops::Deref for crate::cell::Ref<T> {
type Target = T;
}
impl<T> crate::ops::Deref for crate::cell::RefMut<T> {
type Target = T;
}
impl<T> crate::ops::DerefMut for crate::cell::RefMut<T> {}
}
pub mod char {
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CharTryFromError;
#[derive(Clone, Debug)]
pub struct DecodeUtf16<I: Iterator<Item = u16>>;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DecodeUtf16Error;
#[derive(Clone, Debug)]
pub struct EscapeDebug;
#[derive(Clone, Debug)]
pub struct EscapeDefault;
#[derive(Clone, Debug)]
pub struct EscapeUnicode;
pub const MAX: char = 0;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ParseCharError;
pub const REPLACEMENT_CHARACTER: char = 0;
#[derive(Clone, Debug)]
pub struct ToLowercase;
#[derive(Clone, Debug)]
pub struct ToUppercase;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TryFromCharError;
pub const UNICODE_VERSION: (u8, u8, u8) = 0;
pub fn decode_utf16<I: IntoIterator<Item = u16>>(_: I) -> crate::char::DecodeUtf16<I::IntoIter>;
pub fn from_digit(_: u32, _: u32) -> Option<char>;
pub fn from_u32(_: u32) -> Option<char>;
pub fn from_u32_unchecked(_: u32) -> char;
impl DoubleEndedIterator for crate::char::ToLowercase {}
impl DoubleEndedIterator for crate::char::ToUppercase {}
impl ExactSizeIterator for crate::char::EscapeDebug {}
impl ExactSizeIterator for crate::char::EscapeDefault {}
impl ExactSizeIterator for crate::char::EscapeUnicode {}
impl ExactSizeIterator for crate::char::ToLowercase {}
impl ExactSizeIterator for crate::char::ToUppercase {}
impl Iterator for crate::char::EscapeDebug {
type Item = char;
}
impl Iterator for crate::char::EscapeDefault {
type Item = char;
}
impl Iterator for crate::char::EscapeUnicode {
type Item = char;
}
impl Iterator for crate::char::ToLowercase {
type Item = char;
}
impl Iterator for crate::char::ToUppercase {
type Item = char;
}
impl crate::char::DecodeUtf16Error {
fn unpaired_surrogate(&self) -> u16;
}
impl crate::error::Error for crate::char::CharTryFromError {}
impl crate::error::Error for crate::char::DecodeUtf16Error {}
impl crate::error::Error for crate::char::ParseCharError {}
impl crate::error::Error for crate::char::TryFromCharError {}
impl crate::fmt::Display for crate::char::CharTryFromError {}
impl crate::fmt::Display for crate::char::DecodeUtf16Error {}
impl crate::fmt::Display for crate::char::EscapeDebug {}
impl crate::fmt::Display for crate::char::EscapeDefault {}
impl crate::fmt::Display for crate::char::EscapeUnicode {}
impl crate::fmt::Display for crate::char::ParseCharError {}
impl crate::fmt::Display for crate::char::ToLowercase {}
impl crate::fmt::Display for crate::char::ToUppercase {}
impl crate::fmt::Display for crate::char::TryFromCharError {}
impl<I: Iterator<Item = u16>> Iterator for crate::char::DecodeUtf16<I> {
type Item = crate::result::Result<char, crate::char::DecodeUtf16Error>;
}
}
pub mod clone {
pub trait Clone {
fn clone(&self) -> Self;
fn clone_from(&mut self, _: &Self);
}
impl Clone for ! {}
impl Clone for bool {}
impl Clone for char {}
impl Clone for f32 {}
impl Clone for f64 {}
impl Clone for i128 {}
impl Clone for i16 {}
impl Clone for i32 {}
impl Clone for i64 {}
impl Clone for i8 {}
impl Clone for isize {}
impl Clone for u128 {}
impl Clone for u16 {}
impl Clone for u32 {}
impl Clone for u64 {}
impl Clone for u8 {}
impl Clone for usize {}
impl<T: Clone, const N: usize> Clone for [T; 0] {}
impl<T> Clone for &T {}
impl<T> Clone for *const T {}
}
pub mod cmp {
pub trait Eq: PartialEq<Self> {
fn assert_receiver_is_total_eq(&self);
}
pub trait Ord: Eq + PartialOrd<Self> {
fn clamp(self, _: Self, _: Self) -> Self;
fn cmp(&self, _: &Self) -> crate::cmp::Ordering;
fn max(self, _: Self) -> Self;
fn min(self, _: Self) -> Self;
}
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Ordering { Less, Equal, Greater }
pub trait PartialEq<Rhs = Self> {
fn eq(&self, _: &Rhs) -> bool;
fn ne(&self, _: &Rhs) -> bool;
}
pub trait PartialOrd<Rhs = Self>: PartialEq<Rhs> {
fn ge(&self, _: &Rhs) -> bool;
fn gt(&self, _: &Rhs) -> bool;
fn le(&self, _: &Rhs) -> bool;
fn lt(&self, _: &Rhs) -> bool;
fn partial_cmp(&self, _: &Rhs) -> Option<crate::cmp::Ordering>;
}
#[derive(Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Reverse<T>;
pub fn max<T: Ord>(_: T, _: T) -> T;
pub fn max_by<T, F: FnOnce<(&T, &T), Output = crate::cmp::Ordering>>(_: T, _: T, _: F) -> T;
pub fn max_by_key<T, F: FnMut<(&T,), Output = K>, K: Ord>(_: T, _: T, _: F) -> T;
pub fn min<T: Ord>(_: T, _: T) -> T;
pub fn min_by<T, F: FnOnce<(&T, &T), Output = crate::cmp::Ordering>>(_: T, _: T, _: F) -> T;
pub fn min_by_key<T, F: FnMut<(&T,), Output = K>, K: Ord>(_: T, _: T, _: F) -> T;
impl Eq for ! {}
impl Eq for () {}
impl Eq for bool {}
impl Eq for char {}
impl Eq for i128 {}
impl Eq for i16 {}
impl Eq for i32 {}
impl Eq for i64 {}
impl Eq for i8 {}
impl Eq for isize {}
impl Eq for str {}
impl Eq for u128 {}
impl Eq for u16 {}
impl Eq for u32 {}
impl Eq for u64 {}
impl Eq for u8 {}
impl Eq for usize {}
impl Ord for ! {}
impl Ord for () {}
impl Ord for bool {}
impl Ord for char {}
impl Ord for i128 {}
impl Ord for i16 {}
impl Ord for i32 {}
impl Ord for i64 {}
impl Ord for i8 {}
impl Ord for isize {}
impl Ord for str {}
impl Ord for u128 {}
impl Ord for u16 {}
impl Ord for u32 {}
impl Ord for u64 {}
impl Ord for u8 {}
impl Ord for usize {}
impl PartialEq for ! {}
impl PartialEq for () {}
impl PartialEq for bool {}
impl PartialEq for char {}
impl PartialEq for f32 {}
impl PartialEq for f64 {}
impl PartialEq for i128 {}
impl PartialEq for i16 {}
impl PartialEq for i32 {}
impl PartialEq for i64 {}
impl PartialEq for i8 {}
impl PartialEq for isize {}
impl PartialEq for str {}
impl PartialEq for u128 {}
impl PartialEq for u16 {}
impl PartialEq for u32 {}
impl PartialEq for u64 {}
impl PartialEq for u8 {}
impl PartialEq for usize {}
impl PartialEq<String> for &str {}
impl PartialEq<String> for str {}
impl PartialEq<crate::borrow::Cow<[u8]>> for &crate::unnameable::ByteStr {}
impl PartialEq<crate::borrow::Cow<crate::ffi::OsStr>> for &crate::ffi::OsStr {}
impl PartialEq<crate::borrow::Cow<crate::ffi::OsStr>> for &crate::path::Path {}
impl PartialEq<crate::borrow::Cow<crate::path::Path>> for &crate::ffi::OsStr {}
impl PartialEq<crate::borrow::Cow<crate::path::Path>> for &crate::path::Path {}
impl PartialEq<crate::borrow::Cow<crate::unnameable::ByteStr>> for &crate::unnameable::ByteStr {}
impl PartialEq<crate::borrow::Cow<str>> for &crate::unnameable::ByteStr {}
impl PartialEq<crate::borrow::Cow<str>> for &str {}
impl PartialEq<crate::borrow::Cow<str>> for str {}
impl PartialEq<crate::ffi::OsStr> for &crate::path::Path {}
impl PartialEq<crate::ffi::OsStr> for str {}
impl PartialEq<crate::ffi::OsString> for &crate::ffi::OsStr {}
impl PartialEq<crate::ffi::OsString> for &crate::path::Path {}
impl PartialEq<crate::ffi::OsString> for &str {}
impl PartialEq<crate::ffi::OsString> for str {}
impl PartialEq<crate::path::Path> for &crate::ffi::OsStr {}
impl PartialEq<crate::path::Path> for str {}
impl PartialEq<crate::path::PathBuf> for &crate::ffi::OsStr {}
impl PartialEq<crate::path::PathBuf> for &crate::path::Path {}
impl PartialEq<crate::path::PathBuf> for str {}
impl PartialEq<crate::unnameable::ByteStr> for &[u8] {}
impl PartialEq<crate::unnameable::ByteStr> for &str {}
impl PartialEq<crate::unnameable::ByteStr> for [u8] {}
impl PartialEq<crate::unnameable::ByteStr> for str {}
impl PartialEq<crate::unnameable::ByteString> for &[u8] {}
impl PartialEq<crate::unnameable::ByteString> for &crate::unnameable::ByteStr {}
impl PartialEq<crate::unnameable::ByteString> for &str {}
impl PartialEq<crate::unnameable::ByteString> for [u8] {}
impl PartialEq<crate::unnameable::ByteString> for str {}
impl PartialOrd for ! {}
impl PartialOrd for () {}
impl PartialOrd for bool {}
impl PartialOrd for char {}
impl PartialOrd for f32 {}
impl PartialOrd for f64 {}
impl PartialOrd for i128 {}
impl PartialOrd for i16 {}
impl PartialOrd for i32 {}
impl PartialOrd for i64 {}
impl PartialOrd for i8 {}
impl PartialOrd for isize {}
impl PartialOrd for str {}
impl PartialOrd for u128 {}
impl PartialOrd for u16 {}
impl PartialOrd for u32 {}
impl PartialOrd for u64 {}
impl PartialOrd for u8 {}
impl PartialOrd for usize {}
impl PartialOrd<crate::borrow::Cow<[u8]>> for &crate::unnameable::ByteStr {}
impl PartialOrd<crate::borrow::Cow<crate::ffi::OsStr>> for &crate::ffi::OsStr {}
impl PartialOrd<crate::borrow::Cow<crate::ffi::OsStr>> for &crate::path::Path {}
impl PartialOrd<crate::borrow::Cow<crate::path::Path>> for &crate::ffi::OsStr {}
impl PartialOrd<crate::borrow::Cow<crate::path::Path>> for &crate::path::Path {}
impl PartialOrd<crate::borrow::Cow<crate::unnameable::ByteStr>> for &crate::unnameable::ByteStr {}
impl PartialOrd<crate::borrow::Cow<str>> for &crate::unnameable::ByteStr {}
impl PartialOrd<crate::ffi::OsStr> for &crate::path::Path {}
impl PartialOrd<crate::ffi::OsString> for &crate::ffi::OsStr {}
impl PartialOrd<crate::ffi::OsString> for &crate::path::Path {}
impl PartialOrd<crate::path::Path> for &crate::ffi::OsStr {}
impl PartialOrd<crate::path::PathBuf> for &crate::ffi::OsStr {}
impl PartialOrd<crate::path::PathBuf> for &crate::path::Path {}
impl PartialOrd<crate::unnameable::ByteString> for &crate::unnameable::ByteStr {}
impl crate::cmp::Ordering {
fn is_eq(self) -> bool;
fn is_ge(self) -> bool;
fn is_gt(self) -> bool;
fn is_le(self) -> bool;
fn is_lt(self) -> bool;
fn is_ne(self) -> bool;
fn reverse(self) -> crate::cmp::Ordering;
fn then(self, _: crate::cmp::Ordering) -> crate::cmp::Ordering;
fn then_with<F: FnOnce<(), Output = crate::cmp::Ordering>>(self, _: F) -> crate::cmp::Ordering;
}
impl<A: Eq> Eq for &A {}
impl<A: Ord> Ord for &A {}
impl<A: PartialEq<B>, B> PartialEq<&B> for &A {}
impl<A: PartialOrd<B>, B> PartialOrd<&B> for &A {}
impl<F: crate::unnameable::FnPtr> Eq for F {}
impl<F: crate::unnameable::FnPtr> Ord for F {}
impl<F: crate::unnameable::FnPtr> PartialEq for F {}
impl<F: crate::unnameable::FnPtr> PartialOrd for F {}
impl<T: Clone> Clone for crate::cmp::Reverse<T> {}
impl<T: Eq, const N: usize> Eq for [T; 0] {}
impl<T: Eq> Eq for [T] {}
impl<T: Ord, const N: usize> Ord for [T; 0] {}
impl<T: Ord> Ord for [T] {}
impl<T: Ord> Ord for crate::cmp::Reverse<T> {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<&[U]> for [T; 0] {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; 0]> for &[T] {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; 0]> for [T; 0] {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; 0]> for [T] {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U]> for [T; 0] {}
impl<T: PartialEq<U>, U> PartialEq<Vec<U>> for &[T] {}
impl<T: PartialEq<U>, U> PartialEq<Vec<U>> for [T] {}
impl<T: PartialEq<U>, U> PartialEq<[U]> for [T] {}
impl<T: PartialOrd, const N: usize> PartialOrd for [T; 0] {}
impl<T: PartialOrd> PartialOrd for [T] {}
impl<T: PartialOrd> PartialOrd for crate::cmp::Reverse<T> {}
impl<T> Eq for *const T {}
impl<T> Ord for *const T {}
impl<T> PartialEq for *const T {}
impl<T> PartialOrd for *const T {}
impl<const N: usize> PartialEq<crate::unnameable::ByteStr> for &[u8; 0] {}
impl<const N: usize> PartialEq<crate::unnameable::ByteStr> for [u8; 0] {}
impl<const N: usize> PartialEq<crate::unnameable::ByteString> for &[u8; 0] {}
impl<const N: usize> PartialEq<crate::unnameable::ByteString> for [u8; 0] {}
}
pub mod collections {
pub struct BTreeMap<K, V>;
pub struct BTreeSet<T>;
pub struct BinaryHeap<T>;
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Bound<T> { Included(T), Excluded(T), Unbounded }
pub struct HashMap<K, V, S = crate::hash::RandomState>;
pub struct HashSet<T, S = crate::hash::RandomState>;
pub struct LinkedList<T>;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TryReserveError;
pub struct VecDeque<T>;
impl From<crate::unnameable::TryReserveErrorKind> for crate::collections::TryReserveError {}
impl crate::error::Error for crate::collections::TryReserveError {}
impl crate::fmt::Display for crate::collections::TryReserveError {}
impl crate::io::BufRead for crate::collections::VecDeque<u8> {}
impl crate::io::Read for crate::collections::VecDeque<u8> {}
impl crate::io::Write for crate::collections::VecDeque<u8> {}
impl<K, V, S: Default> Default for crate::collections::HashMap<K, V, S> {}
impl<K, V, S> IntoIterator for crate::collections::HashMap<K, V, S> {
type IntoIter = crate::collections::hash_map::IntoIter<K, V>;
type Item = (K, V);
}
impl<K, V, S> crate::collections::HashMap<K, V, S> {
fn capacity(&self) -> usize;
fn clear(&mut self);
fn drain(&mut self) -> crate::collections::hash_map::Drain<K, V>;
fn extract_if<F: FnMut<(&K, &V), Output = bool>>(&mut self, _: F) -> crate::collections::hash_map::ExtractIf<K, V, F>;
fn hasher(&self) -> &S;
fn into_keys(self) -> crate::collections::hash_map::IntoKeys<K, V>;
fn into_values(self) -> crate::collections::hash_map::IntoValues<K, V>;
fn is_empty(&self) -> bool;
fn iter(&self) -> crate::collections::hash_map::Iter<K, V>;
fn iter_mut(&mut self) -> crate::collections::hash_map::IterMut<K, V>;
fn keys(&self) -> crate::collections::hash_map::Keys<K, V>;
fn len(&self) -> usize;
fn retain<F: FnMut<(&K, &V), Output = bool>>(&mut self, _: F);
fn values(&self) -> crate::collections::hash_map::Values<K, V>;
fn values_mut(&mut self) -> crate::collections::hash_map::ValuesMut<K, V>;
fn with_capacity_and_hasher(_: usize, _: S) -> crate::collections::HashMap<K, V, S>;
fn with_hasher(_: S) -> crate::collections::HashMap<K, V, S>;
}
impl<K, V> Default for crate::collections::BTreeMap<K, V> {}
impl<K, V> Drop for crate::collections::BTreeMap<K, V> {}
impl<K, V> IntoIterator for crate::collections::BTreeMap<K, V> {
type IntoIter = crate::collections::btree_map::IntoIter<K, V>;
type Item = (K, V);
}
impl<K, V> crate::collections::BTreeMap<K, V> {
fn append(&mut self, _: &Self) where K: Ord, A: Clone;
fn clear(&mut self);
fn contains_key<Q: Ord>(&self, _: &Q) -> bool where K: crate::borrow::Borrow<Q> + Ord;
fn entry(&mut self, _: K) -> crate::collections::btree_map::Entry<K, V> where K: Ord;
fn extract_if<F: FnMut<(&K, &V), Output = bool>, R: crate::ops::RangeBounds<K>>(&mut self, _: R, _: F) -> crate::collections::btree_map::ExtractIf<K, V, R, F> where K: Ord;
fn first_entry(&mut self) -> Option<crate::collections::btree_map::OccupiedEntry<K, V>> where K: Ord;
fn first_key_value(&self) -> Option<(&K, &V)> where K: Ord;
fn get<Q: Ord>(&self, _: &Q) -> Option<&V> where K: crate::borrow::Borrow<Q> + Ord;
fn get_key_value<Q: Ord>(&self, _: &Q) -> Option<(&K, &V)> where K: crate::borrow::Borrow<Q> + Ord;
fn get_mut<Q: Ord>(&mut self, _: &Q) -> Option<&V> where K: crate::borrow::Borrow<Q> + Ord;
fn insert(&mut self, _: K, _: V) -> Option<V> where K: Ord;
fn into_keys(self) -> crate::collections::btree_map::IntoKeys<K, V>;
fn into_values(self) -> crate::collections::btree_map::IntoValues<K, V>;
fn is_empty(&self) -> bool;
fn iter(&self) -> crate::collections::btree_map::Iter<K, V>;
fn iter_mut(&mut self) -> crate::collections::btree_map::IterMut<K, V>;
fn keys(&self) -> crate::collections::btree_map::Keys<K, V>;
fn last_entry(&mut self) -> Option<crate::collections::btree_map::OccupiedEntry<K, V>> where K: Ord;
fn last_key_value(&self) -> Option<(&K, &V)> where K: Ord;
fn len(&self) -> usize;
fn new() -> crate::collections::BTreeMap<K, V>;
fn pop_first(&mut self) -> Option<(K, V)> where K: Ord;
fn pop_last(&mut self) -> Option<(K, V)> where K: Ord;
fn range<T: Ord, R: crate::ops::RangeBounds<T>>(&self, _: R) -> crate::collections::btree_map::Range<K, V> where K: crate::borrow::Borrow<T> + Ord;
fn range_mut<T: Ord, R: crate::ops::RangeBounds<T>>(&mut self, _: R) -> crate::collections::btree_map::RangeMut<K, V> where K: crate::borrow::Borrow<T> + Ord;
fn remove<Q: Ord>(&mut self, _: &Q) -> Option<V> where K: crate::borrow::Borrow<Q> + Ord;
fn remove_entry<Q: Ord>(&mut self, _: &Q) -> Option<(K, V)> where K: crate::borrow::Borrow<Q> + Ord;
fn retain<F: FnMut<(&K, &V), Output = bool>>(&mut self, _: F) where K: Ord;
fn split_off<Q: Ord>(&mut self, _: &Q) -> Self where K: crate::borrow::Borrow<Q> + Ord, A: Clone;
fn values(&self) -> crate::collections::btree_map::Values<K, V>;
fn values_mut(&mut self) -> crate::collections::btree_map::ValuesMut<K, V>;
}
impl<K, V> crate::collections::HashMap<K, V, crate::hash::RandomState> {
fn new() -> crate::collections::HashMap<K, V, crate::hash::RandomState>;
fn with_capacity(_: usize) -> crate::collections::HashMap<K, V, crate::hash::RandomState>;
}
impl<K: Clone, V: Clone, S: Clone> Clone for crate::collections::HashMap<K, V, S> {}
impl<K: Clone, V: Clone> Clone for crate::collections::BTreeMap<K, V> {}
impl<K: Eq + crate::hash::Hash + Copy, V: Copy, S: crate::hash::BuildHasher> Extend<(&K, &V)> for crate::collections::HashMap<K, V, S> {}
impl<K: Eq + crate::hash::Hash + crate::borrow::Borrow<Q>, Q: Eq + crate::hash::Hash, V, S: crate::hash::BuildHasher> crate::ops::Index<&Q> for crate::collections::HashMap<K, V, S> {
type Output = V;
}
impl<K: Eq + crate::hash::Hash, V, S: crate::hash::BuildHasher + Default> crate::iter::FromIterator<(K, V)> for crate::collections::HashMap<K, V, S> {}
impl<K: Eq + crate::hash::Hash, V, S: crate::hash::BuildHasher> Extend<(K, V)> for crate::collections::HashMap<K, V, S> {}
impl<K: Eq + crate::hash::Hash, V, S: crate::hash::BuildHasher> crate::collections::HashMap<K, V, S> {
fn contains_key<Q: crate::hash::Hash + Eq>(&self, _: &Q) -> bool where K: crate::borrow::Borrow<Q>;
fn entry(&mut self, _: K) -> crate::collections::hash_map::Entry<K, V>;
fn get<Q: crate::hash::Hash + Eq>(&self, _: &Q) -> Option<&V> where K: crate::borrow::Borrow<Q>;
fn get_disjoint_mut<Q: crate::hash::Hash + Eq, const N: usize>(&mut self, _: [&Q; 0]) -> [Option<&V>; 0] where K: crate::borrow::Borrow<Q>;
fn get_disjoint_unchecked_mut<Q: crate::hash::Hash + Eq, const N: usize>(&mut self, _: [&Q; 0]) -> [Option<&V>; 0] where K: crate::borrow::Borrow<Q>;
fn get_key_value<Q: crate::hash::Hash + Eq>(&self, _: &Q) -> Option<(&K, &V)> where K: crate::borrow::Borrow<Q>;
fn get_mut<Q: crate::hash::Hash + Eq>(&mut self, _: &Q) -> Option<&V> where K: crate::borrow::Borrow<Q>;
fn insert(&mut self, _: K, _: V) -> Option<V>;
fn remove<Q: crate::hash::Hash + Eq>(&mut self, _: &Q) -> Option<V> where K: crate::borrow::Borrow<Q>;
fn remove_entry<Q: crate::hash::Hash + Eq>(&mut self, _: &Q) -> Option<(K, V)> where K: crate::borrow::Borrow<Q>;
fn reserve(&mut self, _: usize);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
}
impl<K: Eq + crate::hash::Hash, V, const N: usize> From<[(K, V); 0]> for crate::collections::HashMap<K, V, crate::hash::RandomState> {}
impl<K: Eq + crate::hash::Hash, V: Eq, S: crate::hash::BuildHasher> Eq for crate::collections::HashMap<K, V, S> {}
impl<K: Eq + crate::hash::Hash, V: PartialEq, S: crate::hash::BuildHasher> PartialEq for crate::collections::HashMap<K, V, S> {}
impl<K: Eq, V: Eq> Eq for crate::collections::BTreeMap<K, V> {}
impl<K: Ord + Copy, V: Copy> Extend<(&K, &V)> for crate::collections::BTreeMap<K, V> {}
impl<K: Ord, V, const N: usize> From<[(K, V); 0]> for crate::collections::BTreeMap<K, V> {}
impl<K: Ord, V: Ord> Ord for crate::collections::BTreeMap<K, V> {}
impl<K: Ord, V> Extend<(K, V)> for crate::collections::BTreeMap<K, V> {}
impl<K: Ord, V> crate::iter::FromIterator<(K, V)> for crate::collections::BTreeMap<K, V> {}
impl<K: PartialEq, V: PartialEq> PartialEq for crate::collections::BTreeMap<K, V> {}
impl<K: PartialOrd, V: PartialOrd> PartialOrd for crate::collections::BTreeMap<K, V> {}
impl<K: crate::borrow::Borrow<Q> + Ord, Q: Ord, V> crate::ops::Index<&Q> for crate::collections::BTreeMap<K, V> {
type Output = V;
}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug, S> crate::fmt::Debug for crate::collections::HashMap<K, V, S> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::BTreeMap<K, V> {}
impl<K: crate::hash::Hash, V: crate::hash::Hash> crate::hash::Hash for crate::collections::BTreeMap<K, V> {}
impl<T, S: Default> Default for crate::collections::HashSet<T, S> {}
impl<T, S> IntoIterator for crate::collections::HashSet<T, S> {
type IntoIter = crate::collections::hash_set::IntoIter<T>;
type Item = T;
}
impl<T, S> crate::collections::HashSet<T, S> {
fn capacity(&self) -> usize;
fn clear(&mut self);
fn drain(&mut self) -> crate::collections::hash_set::Drain<T>;
fn extract_if<F: FnMut<(&T,), Output = bool>>(&mut self, _: F) -> crate::collections::hash_set::ExtractIf<T, F>;
fn hasher(&self) -> &S;
fn is_empty(&self) -> bool;
fn iter(&self) -> crate::collections::hash_set::Iter<T>;
fn len(&self) -> usize;
fn retain<F: FnMut<(&T,), Output = bool>>(&mut self, _: F);
fn with_capacity_and_hasher(_: usize, _: S) -> crate::collections::HashSet<T, S>;
fn with_hasher(_: S) -> crate::collections::HashSet<T, S>;
}
impl<T, const N: usize> From<[T; 0]> for crate::collections::LinkedList<T> {}
impl<T, const N: usize> From<[T; 0]> for crate::collections::VecDeque<T> {}
impl<T: Clone, S: Clone> Clone for crate::collections::HashSet<T, S> {}
impl<T: Clone> Clone for crate::collections::BTreeSet<T> {}
impl<T: Clone> Clone for crate::collections::BinaryHeap<T> {}
impl<T: Clone> Clone for crate::collections::LinkedList<T> {}
impl<T: Clone> Clone for crate::collections::VecDeque<T> {}
impl<T: Clone> crate::collections::Bound<&T> {
fn cloned(self) -> crate::collections::Bound<T> where T: Clone;
}
impl<T: Clone> crate::collections::VecDeque<T> {
fn resize(&mut self, _: usize, _: T);
}
impl<T: Copy> Extend<&T> for crate::collections::LinkedList<T> {}
impl<T: Copy> Extend<&T> for crate::collections::VecDeque<T> {}
impl<T: Eq + crate::hash::Hash + Copy, S: crate::hash::BuildHasher> Extend<&T> for crate::collections::HashSet<T, S> {}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher + Default> crate::iter::FromIterator<T> for crate::collections::HashSet<T, S> {}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> Eq for crate::collections::HashSet<T, S> {}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> Extend<T> for crate::collections::HashSet<T, S> {}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> PartialEq for crate::collections::HashSet<T, S> {}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> crate::collections::HashSet<T, S> {
fn contains<Q: crate::hash::Hash + Eq>(&self, _: &Q) -> bool where T: crate::borrow::Borrow<Q>;
fn difference(&self, _: &crate::collections::HashSet<T, S>) -> crate::collections::hash_set::Difference<T, S>;
fn get<Q: crate::hash::Hash + Eq>(&self, _: &Q) -> Option<&T> where T: crate::borrow::Borrow<Q>;
fn insert(&mut self, _: T) -> bool;
fn intersection(&self, _: &crate::collections::HashSet<T, S>) -> crate::collections::hash_set::Intersection<T, S>;
fn is_disjoint(&self, _: &crate::collections::HashSet<T, S>) -> bool;
fn is_subset(&self, _: &crate::collections::HashSet<T, S>) -> bool;
fn is_superset(&self, _: &crate::collections::HashSet<T, S>) -> bool;
fn remove<Q: crate::hash::Hash + Eq>(&mut self, _: &Q) -> bool where T: crate::borrow::Borrow<Q>;
fn replace(&mut self, _: T) -> Option<T>;
fn reserve(&mut self, _: usize);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn symmetric_difference(&self, _: &crate::collections::HashSet<T, S>) -> crate::collections::hash_set::SymmetricDifference<T, S>;
fn take<Q: crate::hash::Hash + Eq>(&mut self, _: &Q) -> Option<T> where T: crate::borrow::Borrow<Q>;
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn union(&self, _: &crate::collections::HashSet<T, S>) -> crate::collections::hash_set::Union<T, S>;
}
impl<T: Eq + crate::hash::Hash, const N: usize> From<[T; 0]> for crate::collections::HashSet<T, crate::hash::RandomState> {}
impl<T: Eq> Eq for crate::collections::BTreeSet<T> {}
impl<T: Eq> Eq for crate::collections::LinkedList<T> {}
impl<T: Eq> Eq for crate::collections::VecDeque<T> {}
impl<T: Ord + Copy> Extend<&T> for crate::collections::BTreeSet<T> {}
impl<T: Ord + Copy> Extend<&T> for crate::collections::BinaryHeap<T> {}
impl<T: Ord, const N: usize> From<[T; 0]> for crate::collections::BTreeSet<T> {}
impl<T: Ord, const N: usize> From<[T; 0]> for crate::collections::BinaryHeap<T> {}
impl<T: Ord> Extend<T> for crate::collections::BTreeSet<T> {}
impl<T: Ord> Extend<T> for crate::collections::BinaryHeap<T> {}
impl<T: Ord> From<Vec<T>> for crate::collections::BinaryHeap<T> {}
impl<T: Ord> Ord for crate::collections::BTreeSet<T> {}
impl<T: Ord> Ord for crate::collections::LinkedList<T> {}
impl<T: Ord> Ord for crate::collections::VecDeque<T> {}
impl<T: Ord> crate::collections::BinaryHeap<T> {
fn append(&mut self, _: &Self);
fn into_sorted_vec(self) -> Vec<T>;
fn peek_mut(&mut self) -> Option<crate::collections::binary_heap::PeekMut<T>>;
fn pop(&mut self) -> Option<T>;
fn push(&mut self, _: T);
fn retain<F: FnMut<(&T,), Output = bool>>(&mut self, _: F);
}
impl<T: Ord> crate::iter::FromIterator<T> for crate::collections::BTreeSet<T> {}
impl<T: Ord> crate::iter::FromIterator<T> for crate::collections::BinaryHeap<T> {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<&[U; 0]> for crate::collections::VecDeque<T> {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; 0]> for crate::collections::VecDeque<T> {}
impl<T: PartialEq<U>, U> PartialEq<&[U]> for crate::collections::VecDeque<T> {}
impl<T: PartialEq<U>, U> PartialEq<Vec<U>> for crate::collections::VecDeque<T> {}
impl<T: PartialEq> PartialEq for crate::collections::BTreeSet<T> {}
impl<T: PartialEq> PartialEq for crate::collections::LinkedList<T> {}
impl<T: PartialEq> PartialEq for crate::collections::VecDeque<T> {}
impl<T: PartialOrd> PartialOrd for crate::collections::BTreeSet<T> {}
impl<T: PartialOrd> PartialOrd for crate::collections::LinkedList<T> {}
impl<T: PartialOrd> PartialOrd for crate::collections::VecDeque<T> {}
impl<T: crate::fmt::Debug, S> crate::fmt::Debug for crate::collections::HashSet<T, S> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::BTreeSet<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::BinaryHeap<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::LinkedList<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::VecDeque<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for crate::collections::BTreeSet<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for crate::collections::LinkedList<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for crate::collections::VecDeque<T> {}
impl<T> Default for crate::collections::BTreeSet<T> {}
impl<T> Default for crate::collections::BinaryHeap<T> {}
impl<T> Default for crate::collections::LinkedList<T> {}
impl<T> Default for crate::collections::VecDeque<T> {}
impl<T> Drop for crate::collections::LinkedList<T> {}
impl<T> Drop for crate::collections::VecDeque<T> {}
impl<T> Extend<T> for crate::collections::LinkedList<T> {}
impl<T> Extend<T> for crate::collections::VecDeque<T> {}
impl<T> From<Vec<T>> for crate::collections::VecDeque<T> {}
impl<T> IntoIterator for crate::collections::BTreeSet<T> {
type IntoIter = crate::collections::btree_set::IntoIter<T>;
type Item = T;
}
impl<T> IntoIterator for crate::collections::BinaryHeap<T> {
type IntoIter = crate::collections::binary_heap::IntoIter<T>;
type Item = T;
}
impl<T> IntoIterator for crate::collections::LinkedList<T> {
type IntoIter = crate::collections::linked_list::IntoIter<T>;
type Item = T;
}
impl<T> IntoIterator for crate::collections::VecDeque<T> {
type IntoIter = crate::collections::vec_deque::IntoIter<T>;
type Item = T;
}
impl<T> crate::collections::BTreeSet<T> {
fn append(&mut self, _: &Self) where T: Ord, A: Clone;
fn clear(&mut self) where A: Clone;
fn contains<Q: Ord>(&self, _: &Q) -> bool where T: crate::borrow::Borrow<Q> + Ord;
fn difference(&self, _: &crate::collections::BTreeSet<T>) -> crate::collections::btree_set::Difference<T> where T: Ord;
fn extract_if<F: FnMut<(&T,), Output = bool>, R: crate::ops::RangeBounds<T>>(&mut self, _: R, _: F) -> crate::collections::btree_set::ExtractIf<T, R, F> where T: Ord;
fn first(&self) -> Option<&T> where T: Ord;
fn get<Q: Ord>(&self, _: &Q) -> Option<&T> where T: crate::borrow::Borrow<Q> + Ord;
fn insert(&mut self, _: T) -> bool where T: Ord;
fn intersection(&self, _: &crate::collections::BTreeSet<T>) -> crate::collections::btree_set::Intersection<T> where T: Ord;
fn is_disjoint(&self, _: &crate::collections::BTreeSet<T>) -> bool where T: Ord;
fn is_empty(&self) -> bool;
fn is_subset(&self, _: &crate::collections::BTreeSet<T>) -> bool where T: Ord;
fn is_superset(&self, _: &crate::collections::BTreeSet<T>) -> bool where T: Ord;
fn iter(&self) -> crate::collections::btree_set::Iter<T>;
fn last(&self) -> Option<&T> where T: Ord;
fn len(&self) -> usize;
fn new() -> crate::collections::BTreeSet<T>;
fn pop_first(&mut self) -> Option<T> where T: Ord;
fn pop_last(&mut self) -> Option<T> where T: Ord;
fn range<K: Ord, R: crate::ops::RangeBounds<K>>(&self, _: R) -> crate::collections::btree_set::Range<T> where T: crate::borrow::Borrow<K> + Ord;
fn remove<Q: Ord>(&mut self, _: &Q) -> bool where T: crate::borrow::Borrow<Q> + Ord;
fn replace(&mut self, _: T) -> Option<T> where T: Ord;
fn retain<F: FnMut<(&T,), Output = bool>>(&mut self, _: F) where T: Ord;
fn split_off<Q: Ord>(&mut self, _: &Q) -> Self where T: crate::borrow::Borrow<Q> + Ord, A: Clone;
fn symmetric_difference(&self, _: &crate::collections::BTreeSet<T>) -> crate::collections::btree_set::SymmetricDifference<T> where T: Ord;
fn take<Q: Ord>(&mut self, _: &Q) -> Option<T> where T: crate::borrow::Borrow<Q> + Ord;
fn union(&self, _: &crate::collections::BTreeSet<T>) -> crate::collections::btree_set::Union<T> where T: Ord;
}
impl<T> crate::collections::BinaryHeap<T> {
fn as_slice(&self) -> &[T];
fn capacity(&self) -> usize;
fn clear(&mut self);
fn drain(&mut self) -> crate::collections::binary_heap::Drain<T>;
fn into_vec(self) -> Vec<T>;
fn is_empty(&self) -> bool;
fn iter(&self) -> crate::collections::binary_heap::Iter<T>;
fn len(&self) -> usize;
fn new() -> crate::collections::BinaryHeap<T>;
fn peek(&self) -> Option<&T>;
fn reserve(&mut self, _: usize);
fn reserve_exact(&mut self, _: usize);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn try_reserve_exact(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn with_capacity(_: usize) -> crate::collections::BinaryHeap<T>;
}
impl<T> crate::collections::Bound<T> {
fn as_ref(&self) -> crate::collections::Bound<&T>;
fn map<U, F: FnOnce<(T,), Output = U>>(self, _: F) -> crate::collections::Bound<U>;
}
impl<T> crate::collections::HashSet<T, crate::hash::RandomState> {
fn new() -> crate::collections::HashSet<T, crate::hash::RandomState>;
fn with_capacity(_: usize) -> crate::collections::HashSet<T, crate::hash::RandomState>;
}
impl<T> crate::collections::LinkedList<T> {
fn append(&mut self, _: &Self);
fn back(&self) -> Option<&T>;
fn back_mut(&mut self) -> Option<&T>;
fn clear(&mut self);
fn contains(&self, _: &T) -> bool where T: PartialEq<T>;
fn extract_if<F: FnMut<(&T,), Output = bool>>(&mut self, _: F) -> crate::collections::linked_list::ExtractIf<T, F>;
fn front(&self) -> Option<&T>;
fn front_mut(&mut self) -> Option<&T>;
fn is_empty(&self) -> bool;
fn iter(&self) -> crate::collections::linked_list::Iter<T>;
fn iter_mut(&mut self) -> crate::collections::linked_list::IterMut<T>;
fn len(&self) -> usize;
fn new() -> Self;
fn pop_back(&mut self) -> Option<T>;
fn pop_front(&mut self) -> Option<T>;
fn push_back(&mut self, _: T);
fn push_back_mut(&mut self, _: T) -> &T;
fn push_front(&mut self, _: T);
fn push_front_mut(&mut self, _: T) -> &T;
fn split_off(&mut self, _: usize) -> crate::collections::LinkedList<T> where A: Clone;
}
impl<T> crate::collections::VecDeque<T> {
fn append(&mut self, _: &Self);
fn as_mut_slices(&mut self) -> (&[T], &[T]);
fn as_slices(&self) -> (&[T], &[T]);
fn back(&self) -> Option<&T>;
fn back_mut(&mut self) -> Option<&T>;
fn binary_search(&self, _: &T) -> crate::result::Result<usize, usize> where T: Ord;
fn binary_search_by<F: FnMut<(&T,), Output = crate::cmp::Ordering>>(&self, _: F) -> crate::result::Result<usize, usize>;
fn binary_search_by_key<B: Ord, F: FnMut<(&T,), Output = B>>(&self, _: &B, _: F) -> crate::result::Result<usize, usize>;
fn capacity(&self) -> usize;
fn clear(&mut self);
fn contains(&self, _: &T) -> bool where T: PartialEq<T>;
fn drain<R: crate::ops::RangeBounds<usize>>(&mut self, _: R) -> crate::collections::vec_deque::Drain<T>;
fn front(&self) -> Option<&T>;
fn front_mut(&mut self) -> Option<&T>;
fn get(&self, _: usize) -> Option<&T>;
fn get_mut(&mut self, _: usize) -> Option<&T>;
fn insert(&mut self, _: usize, _: T);
fn insert_mut(&mut self, _: usize, _: T) -> &T;
fn is_empty(&self) -> bool;
fn iter(&self) -> crate::collections::vec_deque::Iter<T>;
fn iter_mut(&mut self) -> crate::collections::vec_deque::IterMut<T>;
fn len(&self) -> usize;
fn make_contiguous(&mut self) -> &[T];
fn new() -> crate::collections::VecDeque<T>;
fn partition_point<P: FnMut<(&T,), Output = bool>>(&self, _: P) -> usize;
fn pop_back(&mut self) -> Option<T>;
fn pop_back_if(&mut self, _: impl FnOnce<(&T,), Output = bool>) -> Option<T>;
fn pop_front(&mut self) -> Option<T>;
fn pop_front_if(&mut self, _: impl FnOnce<(&T,), Output = bool>) -> Option<T>;
fn push_back(&mut self, _: T);
fn push_back_mut(&mut self, _: T) -> &T;
fn push_front(&mut self, _: T);
fn push_front_mut(&mut self, _: T) -> &T;
fn range<R: crate::ops::RangeBounds<usize>>(&self, _: R) -> crate::collections::vec_deque::Iter<T>;
fn range_mut<R: crate::ops::RangeBounds<usize>>(&mut self, _: R) -> crate::collections::vec_deque::IterMut<T>;
fn remove(&mut self, _: usize) -> Option<T>;
fn reserve(&mut self, _: usize);
fn reserve_exact(&mut self, _: usize);
fn resize_with(&mut self, _: usize, _: impl FnMut<(), Output = T>);
fn retain<F: FnMut<(&T,), Output = bool>>(&mut self, _: F);
fn retain_mut<F: FnMut<(&T,), Output = bool>>(&mut self, _: F);
fn rotate_left(&mut self, _: usize);
fn rotate_right(&mut self, _: usize);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn split_off(&mut self, _: usize) -> Self where A: Clone;
fn swap(&mut self, _: usize, _: usize);
fn swap_remove_back(&mut self, _: usize) -> Option<T>;
fn swap_remove_front(&mut self, _: usize) -> Option<T>;
fn truncate(&mut self, _: usize);
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn try_reserve_exact(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn with_capacity(_: usize) -> crate::collections::VecDeque<T>;
}
impl<T> crate::iter::FromIterator<T> for crate::collections::LinkedList<T> {}
impl<T> crate::iter::FromIterator<T> for crate::collections::VecDeque<T> {}
impl<T> crate::ops::Index<usize> for crate::collections::VecDeque<T> {
type Output = T;
}
impl<T> crate::ops::IndexMut<usize> for crate::collections::VecDeque<T> {}
pub mod binary_heap {
pub use crate::collections::BinaryHeap;
#[derive(Debug)]
pub struct Drain<T>;
#[derive(Clone)]
pub struct IntoIter<T>;
pub struct Iter<T>;
pub struct PeekMut<T: Ord>;
impl<T: Ord + crate::fmt::Debug> crate::fmt::Debug for crate::collections::binary_heap::PeekMut<T> {}
impl<T: Ord> Drop for crate::collections::binary_heap::PeekMut<T> {}
impl<T: Ord> crate::collections::binary_heap::PeekMut<T> {
fn pop(_: crate::collections::binary_heap::PeekMut<T>) -> T;
}
impl<T: Ord> crate::ops::Deref for crate::collections::binary_heap::PeekMut<T> {
type Target = T;
}
impl<T: Ord> crate::ops::DerefMut for crate::collections::binary_heap::PeekMut<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::binary_heap::IntoIter<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::binary_heap::Iter<T> {}
impl<T> Clone for crate::collections::binary_heap::Iter<T> {}
impl<T> Default for crate::collections::binary_heap::IntoIter<T> {}
impl<T> Default for crate::collections::binary_heap::Iter<T> {}
impl<T> DoubleEndedIterator for crate::collections::binary_heap::Drain<T> {}
impl<T> DoubleEndedIterator for crate::collections::binary_heap::IntoIter<T> {}
impl<T> DoubleEndedIterator for crate::collections::binary_heap::Iter<T> {}
impl<T> ExactSizeIterator for crate::collections::binary_heap::Drain<T> {}
impl<T> ExactSizeIterator for crate::collections::binary_heap::IntoIter<T> {}
impl<T> ExactSizeIterator for crate::collections::binary_heap::Iter<T> {}
impl<T> Iterator for crate::collections::binary_heap::Drain<T> {
type Item = T;
}
impl<T> Iterator for crate::collections::binary_heap::IntoIter<T> {
type Item = T;
}
impl<T> Iterator for crate::collections::binary_heap::Iter<T> {
type Item = &T;
}
}
pub mod btree_map {
pub use crate::collections::BTreeMap;
pub enum Entry<K, V> { Vacant(crate::collections::btree_map::VacantEntry<K, V>), Occupied(crate::collections::btree_map::OccupiedEntry<K, V>) }
pub struct ExtractIf<K, V, R, F>;
pub struct IntoIter<K, V>;
pub struct IntoKeys<K, V>;
pub struct IntoValues<K, V>;
pub struct Iter<K, V>;
pub struct IterMut<K, V>;
pub struct Keys<K, V>;
pub struct OccupiedEntry<K, V>;
pub struct OccupiedError<K, V> { entry: crate::collections::btree_map::OccupiedEntry<K, V>, key: K, value: V }
pub struct Range<K, V>;
pub struct RangeMut<K, V>;
pub struct VacantEntry<K, V>;
pub struct Values<K, V>;
pub struct ValuesMut<K, V>;
impl<K, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::IntoValues<K, V> {}
impl<K, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::Values<K, V> {}
impl<K, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::ValuesMut<K, V> {}
impl<K, V> Clone for crate::collections::btree_map::Iter<K, V> {}
impl<K, V> Clone for crate::collections::btree_map::Keys<K, V> {}
impl<K, V> Clone for crate::collections::btree_map::Range<K, V> {}
impl<K, V> Clone for crate::collections::btree_map::Values<K, V> {}
impl<K, V> Default for crate::collections::btree_map::IntoIter<K, V> {}
impl<K, V> Default for crate::collections::btree_map::IntoKeys<K, V> {}
impl<K, V> Default for crate::collections::btree_map::IntoValues<K, V> {}
impl<K, V> Default for crate::collections::btree_map::Iter<K, V> {}
impl<K, V> Default for crate::collections::btree_map::IterMut<K, V> {}
impl<K, V> Default for crate::collections::btree_map::Keys<K, V> {}
impl<K, V> Default for crate::collections::btree_map::Range<K, V> {}
impl<K, V> Default for crate::collections::btree_map::RangeMut<K, V> {}
impl<K, V> Default for crate::collections::btree_map::Values<K, V> {}
impl<K, V> Default for crate::collections::btree_map::ValuesMut<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::IntoIter<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::IntoKeys<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::IntoValues<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::Iter<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::IterMut<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::Keys<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::Range<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::RangeMut<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::Values<K, V> {}
impl<K, V> DoubleEndedIterator for crate::collections::btree_map::ValuesMut<K, V> {}
impl<K, V> Drop for crate::collections::btree_map::IntoIter<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::IntoIter<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::IntoKeys<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::IntoValues<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::Iter<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::IterMut<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::Keys<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::Values<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::btree_map::ValuesMut<K, V> {}
impl<K, V> Iterator for crate::collections::btree_map::IntoIter<K, V> {
type Item = (K, V);
}
impl<K, V> Iterator for crate::collections::btree_map::IntoKeys<K, V> {
type Item = K;
}
impl<K, V> Iterator for crate::collections::btree_map::IntoValues<K, V> {
type Item = V;
}
impl<K, V> Iterator for crate::collections::btree_map::Iter<K, V> {
type Item = (&K, &V);
}
impl<K, V> Iterator for crate::collections::btree_map::IterMut<K, V> {
type Item = (&K, &V);
}
impl<K, V> Iterator for crate::collections::btree_map::Keys<K, V> {
type Item = &K;
}
impl<K, V> Iterator for crate::collections::btree_map::Range<K, V> {
type Item = (&K, &V);
}
impl<K, V> Iterator for crate::collections::btree_map::RangeMut<K, V> {
type Item = (&K, &V);
}
impl<K, V> Iterator for crate::collections::btree_map::Values<K, V> {
type Item = &V;
}
impl<K, V> Iterator for crate::collections::btree_map::ValuesMut<K, V> {
type Item = &V;
}
impl<K: Ord, V: Default> crate::collections::btree_map::Entry<K, V> {
fn or_default(self) -> &V;
}
impl<K: Ord, V> crate::collections::btree_map::Entry<K, V> {
fn and_modify<F: FnOnce<(&V,), Output = ()>>(self, _: F) -> Self;
fn insert_entry(self, _: V) -> crate::collections::btree_map::OccupiedEntry<K, V>;
fn key(&self) -> &K;
fn or_insert(self, _: V) -> &V;
fn or_insert_with<F: FnOnce<(), Output = V>>(self, _: F) -> &V;
fn or_insert_with_key<F: FnOnce<(&K,), Output = V>>(self, _: F) -> &V;
}
impl<K: Ord, V> crate::collections::btree_map::OccupiedEntry<K, V> {
fn get(&self) -> &V;
fn get_mut(&mut self) -> &V;
fn insert(&mut self, _: V) -> V;
fn into_mut(self) -> &V;
fn key(&self) -> &K;
fn remove(self) -> V;
fn remove_entry(self) -> (K, V);
}
impl<K: Ord, V> crate::collections::btree_map::VacantEntry<K, V> {
fn insert(self, _: V) -> &V;
fn insert_entry(self, _: V) -> crate::collections::btree_map::OccupiedEntry<K, V>;
fn into_key(self) -> K;
fn key(&self) -> &K;
}
impl<K: PartialOrd, V, R: crate::ops::RangeBounds<K>, F: FnMut<(&K, &V), Output = bool>> Iterator for crate::collections::btree_map::ExtractIf<K, V, R, F> {
type Item = (K, V);
}
impl<K: crate::fmt::Debug + Ord, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::Entry<K, V> {}
impl<K: crate::fmt::Debug + Ord, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::OccupiedEntry<K, V> {}
impl<K: crate::fmt::Debug + Ord, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::OccupiedError<K, V> {}
impl<K: crate::fmt::Debug + Ord, V> crate::fmt::Debug for crate::collections::btree_map::VacantEntry<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug, R, F> crate::fmt::Debug for crate::collections::btree_map::ExtractIf<K, V, R, F> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::IntoIter<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::Iter<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::IterMut<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::Range<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_map::RangeMut<K, V> {}
impl<K: crate::fmt::Debug, V> crate::fmt::Debug for crate::collections::btree_map::IntoKeys<K, V> {}
impl<K: crate::fmt::Debug, V> crate::fmt::Debug for crate::collections::btree_map::Keys<K, V> {}
}
pub mod btree_set {
pub use crate::collections::BTreeSet;
pub struct Difference<T>;
pub struct ExtractIf<T, R, F>;
pub struct Intersection<T>;
#[derive(Debug)]
pub struct IntoIter<T>;
pub struct Iter<T>;
#[derive(Debug)]
pub struct Range<T>;
pub struct SymmetricDifference<T>;
pub struct Union<T>;
impl<T: Ord> Iterator for crate::collections::btree_set::Difference<T> {
type Item = &T;
}
impl<T: Ord> Iterator for crate::collections::btree_set::Intersection<T> {
type Item = &T;
}
impl<T: Ord> Iterator for crate::collections::btree_set::SymmetricDifference<T> {
type Item = &T;
}
impl<T: Ord> Iterator for crate::collections::btree_set::Union<T> {
type Item = &T;
}
impl<T: PartialOrd, R: crate::ops::RangeBounds<T>, F: FnMut<(&T,), Output = bool>> Iterator for crate::collections::btree_set::ExtractIf<T, R, F> {
type Item = T;
}
impl<T: crate::fmt::Debug, R, F> crate::fmt::Debug for crate::collections::btree_set::ExtractIf<T, R, F> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_set::Difference<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_set::Intersection<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_set::Iter<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_set::SymmetricDifference<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::btree_set::Union<T> {}
impl<T> Clone for crate::collections::btree_set::Difference<T> {}
impl<T> Clone for crate::collections::btree_set::Intersection<T> {}
impl<T> Clone for crate::collections::btree_set::Iter<T> {}
impl<T> Clone for crate::collections::btree_set::Range<T> {}
impl<T> Clone for crate::collections::btree_set::SymmetricDifference<T> {}
impl<T> Clone for crate::collections::btree_set::Union<T> {}
impl<T> Default for crate::collections::btree_set::IntoIter<T> {}
impl<T> Default for crate::collections::btree_set::Iter<T> {}
impl<T> Default for crate::collections::btree_set::Range<T> {}
impl<T> DoubleEndedIterator for crate::collections::btree_set::IntoIter<T> {}
impl<T> DoubleEndedIterator for crate::collections::btree_set::Iter<T> {}
impl<T> DoubleEndedIterator for crate::collections::btree_set::Range<T> {}
impl<T> ExactSizeIterator for crate::collections::btree_set::IntoIter<T> {}
impl<T> ExactSizeIterator for crate::collections::btree_set::Iter<T> {}
impl<T> Iterator for crate::collections::btree_set::IntoIter<T> {
type Item = T;
}
impl<T> Iterator for crate::collections::btree_set::Iter<T> {
type Item = &T;
}
impl<T> Iterator for crate::collections::btree_set::Range<T> {
type Item = &T;
}
}
pub mod hash_map {
pub use crate::hash::DefaultHasher;
pub use crate::collections::HashMap;
pub use crate::hash::RandomState;
pub struct Drain<K, V>;
pub enum Entry<K, V> { Occupied(crate::collections::hash_map::OccupiedEntry<K, V>), Vacant(crate::collections::hash_map::VacantEntry<K, V>) }
pub struct ExtractIf<K, V, F>;
pub struct IntoIter<K, V>;
pub struct IntoKeys<K, V>;
pub struct IntoValues<K, V>;
pub struct Iter<K, V>;
pub struct IterMut<K, V>;
pub struct Keys<K, V>;
pub struct OccupiedEntry<K, V>;
pub struct VacantEntry<K, V>;
pub struct Values<K, V>;
pub struct ValuesMut<K, V>;
impl<K, V, F: FnMut<(&K, &V), Output = bool>> Iterator for crate::collections::hash_map::ExtractIf<K, V, F> {
type Item = (K, V);
}
impl<K, V: Default> crate::collections::hash_map::Entry<K, V> {
fn or_default(self) -> &V;
}
impl<K, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::IntoValues<K, V> {}
impl<K, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::Values<K, V> {}
impl<K, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::ValuesMut<K, V> {}
impl<K, V> Clone for crate::collections::hash_map::Iter<K, V> {}
impl<K, V> Clone for crate::collections::hash_map::Keys<K, V> {}
impl<K, V> Clone for crate::collections::hash_map::Values<K, V> {}
impl<K, V> Default for crate::collections::hash_map::IntoIter<K, V> {}
impl<K, V> Default for crate::collections::hash_map::IntoKeys<K, V> {}
impl<K, V> Default for crate::collections::hash_map::IntoValues<K, V> {}
impl<K, V> Default for crate::collections::hash_map::Iter<K, V> {}
impl<K, V> Default for crate::collections::hash_map::IterMut<K, V> {}
impl<K, V> Default for crate::collections::hash_map::Keys<K, V> {}
impl<K, V> Default for crate::collections::hash_map::Values<K, V> {}
impl<K, V> Default for crate::collections::hash_map::ValuesMut<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::Drain<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::IntoIter<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::IntoKeys<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::IntoValues<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::Iter<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::IterMut<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::Keys<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::Values<K, V> {}
impl<K, V> ExactSizeIterator for crate::collections::hash_map::ValuesMut<K, V> {}
impl<K, V> Iterator for crate::collections::hash_map::Drain<K, V> {
type Item = (K, V);
}
impl<K, V> Iterator for crate::collections::hash_map::IntoIter<K, V> {
type Item = (K, V);
}
impl<K, V> Iterator for crate::collections::hash_map::IntoKeys<K, V> {
type Item = K;
}
impl<K, V> Iterator for crate::collections::hash_map::IntoValues<K, V> {
type Item = V;
}
impl<K, V> Iterator for crate::collections::hash_map::Iter<K, V> {
type Item = (&K, &V);
}
impl<K, V> Iterator for crate::collections::hash_map::IterMut<K, V> {
type Item = (&K, &V);
}
impl<K, V> Iterator for crate::collections::hash_map::Keys<K, V> {
type Item = &K;
}
impl<K, V> Iterator for crate::collections::hash_map::Values<K, V> {
type Item = &V;
}
impl<K, V> Iterator for crate::collections::hash_map::ValuesMut<K, V> {
type Item = &V;
}
impl<K, V> crate::collections::hash_map::Entry<K, V> {
fn and_modify<F: FnOnce<(&V,), Output = ()>>(self, _: F) -> Self;
fn insert_entry(self, _: V) -> crate::collections::hash_map::OccupiedEntry<K, V>;
fn key(&self) -> &K;
fn or_insert(self, _: V) -> &V;
fn or_insert_with<F: FnOnce<(), Output = V>>(self, _: F) -> &V;
fn or_insert_with_key<F: FnOnce<(&K,), Output = V>>(self, _: F) -> &V;
}
impl<K, V> crate::collections::hash_map::OccupiedEntry<K, V> {
fn get(&self) -> &V;
fn get_mut(&mut self) -> &V;
fn insert(&mut self, _: V) -> V;
fn into_mut(self) -> &V;
fn key(&self) -> &K;
fn remove(self) -> V;
fn remove_entry(self) -> (K, V);
}
impl<K, V> crate::collections::hash_map::VacantEntry<K, V> {
fn insert(self, _: V) -> &V;
fn insert_entry(self, _: V) -> crate::collections::hash_map::OccupiedEntry<K, V>;
fn into_key(self) -> K;
fn key(&self) -> &K;
}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug, F> crate::fmt::Debug for crate::collections::hash_map::ExtractIf<K, V, F> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::Drain<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::Entry<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::IntoIter<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::Iter<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::IterMut<K, V> {}
impl<K: crate::fmt::Debug, V: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_map::OccupiedEntry<K, V> {}
impl<K: crate::fmt::Debug, V> crate::fmt::Debug for crate::collections::hash_map::IntoKeys<K, V> {}
impl<K: crate::fmt::Debug, V> crate::fmt::Debug for crate::collections::hash_map::Keys<K, V> {}
impl<K: crate::fmt::Debug, V> crate::fmt::Debug for crate::collections::hash_map::VacantEntry<K, V> {}
}
pub mod hash_set {
pub use crate::collections::HashSet;
pub struct Difference<T, S>;
pub struct Drain<K>;
pub struct ExtractIf<K, F>;
pub struct Intersection<T, S>;
pub struct IntoIter<K>;
pub struct Iter<K>;
pub struct SymmetricDifference<T, S>;
pub struct Union<T, S>;
impl<K, F: FnMut<(&K,), Output = bool>> Iterator for crate::collections::hash_set::ExtractIf<K, F> {
type Item = K;
}
impl<K: crate::fmt::Debug, F> crate::fmt::Debug for crate::collections::hash_set::ExtractIf<K, F> {}
impl<K: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_set::Drain<K> {}
impl<K: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_set::IntoIter<K> {}
impl<K: crate::fmt::Debug> crate::fmt::Debug for crate::collections::hash_set::Iter<K> {}
impl<K> Clone for crate::collections::hash_set::Iter<K> {}
impl<K> Default for crate::collections::hash_set::IntoIter<K> {}
impl<K> Default for crate::collections::hash_set::Iter<K> {}
impl<K> ExactSizeIterator for crate::collections::hash_set::Drain<K> {}
impl<K> ExactSizeIterator for crate::collections::hash_set::IntoIter<K> {}
impl<K> ExactSizeIterator for crate::collections::hash_set::Iter<K> {}
impl<K> Iterator for crate::collections::hash_set::Drain<K> {
type Item = K;
}
impl<K> Iterator for crate::collections::hash_set::IntoIter<K> {
type Item = K;
}
impl<K> Iterator for crate::collections::hash_set::Iter<K> {
type Item = &K;
}
impl<T, S> Clone for crate::collections::hash_set::Difference<T, S> {}
impl<T, S> Clone for crate::collections::hash_set::Intersection<T, S> {}
impl<T, S> Clone for crate::collections::hash_set::SymmetricDifference<T, S> {}
impl<T, S> Clone for crate::collections::hash_set::Union<T, S> {}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> Iterator for crate::collections::hash_set::Difference<T, S> {
type Item = &T;
}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> Iterator for crate::collections::hash_set::Intersection<T, S> {
type Item = &T;
}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> Iterator for crate::collections::hash_set::SymmetricDifference<T, S> {
type Item = &T;
}
impl<T: Eq + crate::hash::Hash, S: crate::hash::BuildHasher> Iterator for crate::collections::hash_set::Union<T, S> {
type Item = &T;
}
impl<T: crate::fmt::Debug + Eq + crate::hash::Hash, S: crate::hash::BuildHasher> crate::fmt::Debug for crate::collections::hash_set::Difference<T, S> {}
impl<T: crate::fmt::Debug + Eq + crate::hash::Hash, S: crate::hash::BuildHasher> crate::fmt::Debug for crate::collections::hash_set::Intersection<T, S> {}
impl<T: crate::fmt::Debug + Eq + crate::hash::Hash, S: crate::hash::BuildHasher> crate::fmt::Debug for crate::collections::hash_set::SymmetricDifference<T, S> {}
impl<T: crate::fmt::Debug + Eq + crate::hash::Hash, S: crate::hash::BuildHasher> crate::fmt::Debug for crate::collections::hash_set::Union<T, S> {}
}
pub mod linked_list {
pub use crate::collections::LinkedList;
pub struct ExtractIf<T, F>;
#[derive(Clone)]
pub struct IntoIter<T>;
pub struct Iter<T>;
pub struct IterMut<T>;
impl<T, F: FnMut<(&T,), Output = bool>> Iterator for crate::collections::linked_list::ExtractIf<T, F> {
type Item = T;
}
impl<T: crate::fmt::Debug, F> crate::fmt::Debug for crate::collections::linked_list::ExtractIf<T, F> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::linked_list::IntoIter<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::linked_list::Iter<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::linked_list::IterMut<T> {}
impl<T> Clone for crate::collections::linked_list::Iter<T> {}
impl<T> Default for crate::collections::linked_list::IntoIter<T> {}
impl<T> Default for crate::collections::linked_list::Iter<T> {}
impl<T> Default for crate::collections::linked_list::IterMut<T> {}
impl<T> DoubleEndedIterator for crate::collections::linked_list::IntoIter<T> {}
impl<T> DoubleEndedIterator for crate::collections::linked_list::Iter<T> {}
impl<T> DoubleEndedIterator for crate::collections::linked_list::IterMut<T> {}
impl<T> ExactSizeIterator for crate::collections::linked_list::IntoIter<T> {}
impl<T> ExactSizeIterator for crate::collections::linked_list::Iter<T> {}
impl<T> ExactSizeIterator for crate::collections::linked_list::IterMut<T> {}
impl<T> Iterator for crate::collections::linked_list::IntoIter<T> {
type Item = T;
}
impl<T> Iterator for crate::collections::linked_list::Iter<T> {
type Item = &T;
}
impl<T> Iterator for crate::collections::linked_list::IterMut<T> {
type Item = &T;
}
}
pub mod vec_deque {
pub use crate::collections::VecDeque;
pub struct Drain<T>;
#[derive(Clone)]
pub struct IntoIter<T>;
pub struct Iter<T>;
pub struct IterMut<T>;
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::vec_deque::Drain<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::vec_deque::IntoIter<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::vec_deque::Iter<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::collections::vec_deque::IterMut<T> {}
impl<T> Clone for crate::collections::vec_deque::Iter<T> {}
impl<T> Default for crate::collections::vec_deque::Iter<T> {}
impl<T> Default for crate::collections::vec_deque::IterMut<T> {}
impl<T> DoubleEndedIterator for crate::collections::vec_deque::Drain<T> {}
impl<T> DoubleEndedIterator for crate::collections::vec_deque::IntoIter<T> {}
impl<T> DoubleEndedIterator for crate::collections::vec_deque::Iter<T> {}
impl<T> DoubleEndedIterator for crate::collections::vec_deque::IterMut<T> {}
impl<T> Drop for crate::collections::vec_deque::Drain<T> {}
impl<T> ExactSizeIterator for crate::collections::vec_deque::Drain<T> {}
impl<T> ExactSizeIterator for crate::collections::vec_deque::IntoIter<T> {}
impl<T> ExactSizeIterator for crate::collections::vec_deque::Iter<T> {}
impl<T> ExactSizeIterator for crate::collections::vec_deque::IterMut<T> {}
impl<T> Iterator for crate::collections::vec_deque::Drain<T> {
type Item = T;
}
impl<T> Iterator for crate::collections::vec_deque::IntoIter<T> {
type Item = T;
}
impl<T> Iterator for crate::collections::vec_deque::Iter<T> {
type Item = &T;
}
impl<T> Iterator for crate::collections::vec_deque::IterMut<T> {
type Item = &T;
}
}
}
pub mod convert {
pub trait AsMut<T> {
fn as_mut(&mut self) -> &T;
}
pub trait AsRef<T> {
fn as_ref(&self) -> &T;
}
pub trait From<T> {
fn from(_: T) -> Self;
}
#[derive(Copy)]
pub enum Infallible {  }
pub trait Into<T> {
fn into(self) -> T;
}
pub trait TryFrom<T> {
fn try_from(_: T) -> crate::result::Result<Self, Self::Error>;
type Error;
}
pub trait TryInto<T> {
fn try_into(self) -> crate::result::Result<T, Self::Error>;
type Error;
}
pub fn identity<T>(_: T) -> T;
impl AsMut<str> for str {}
impl AsRef<[u8]> for str {}
impl AsRef<crate::ffi::OsStr> for str {}
impl AsRef<crate::path::Path> for str {}
impl AsRef<crate::unnameable::ByteStr> for str {}
impl AsRef<str> for str {}
impl Clone for crate::convert::Infallible {}
impl Eq for crate::convert::Infallible {}
impl From<!> for crate::convert::Infallible {}
impl From<bool> for f32 {}
impl From<bool> for f64 {}
impl From<bool> for i128 {}
impl From<bool> for i16 {}
impl From<bool> for i32 {}
impl From<bool> for i64 {}
impl From<bool> for i8 {}
impl From<bool> for isize {}
impl From<bool> for u128 {}
impl From<bool> for u16 {}
impl From<bool> for u32 {}
impl From<bool> for u64 {}
impl From<bool> for u8 {}
impl From<bool> for usize {}
impl From<char> for u128 {}
impl From<char> for u32 {}
impl From<char> for u64 {}
impl From<crate::net::Ipv4Addr> for u32 {}
impl From<crate::net::Ipv6Addr> for u128 {}
impl From<crate::unnameable::Alignment> for usize {}
impl From<crate::unnameable::AsciiChar> for char {}
impl From<crate::unnameable::AsciiChar> for u128 {}
impl From<crate::unnameable::AsciiChar> for u16 {}
impl From<crate::unnameable::AsciiChar> for u32 {}
impl From<crate::unnameable::AsciiChar> for u64 {}
impl From<crate::unnameable::AsciiChar> for u8 {}
impl From<f16> for f32 {}
impl From<f16> for f64 {}
impl From<f32> for f64 {}
impl From<i16> for f32 {}
impl From<i16> for f64 {}
impl From<i16> for i128 {}
impl From<i16> for i32 {}
impl From<i16> for i64 {}
impl From<i16> for isize {}
impl From<i32> for f64 {}
impl From<i32> for i128 {}
impl From<i32> for i64 {}
impl From<i64> for i128 {}
impl From<i8> for f32 {}
impl From<i8> for f64 {}
impl From<i8> for i128 {}
impl From<i8> for i16 {}
impl From<i8> for i32 {}
impl From<i8> for i64 {}
impl From<i8> for isize {}
impl From<u16> for f32 {}
impl From<u16> for f64 {}
impl From<u16> for i128 {}
impl From<u16> for i32 {}
impl From<u16> for i64 {}
impl From<u16> for u128 {}
impl From<u16> for u32 {}
impl From<u16> for u64 {}
impl From<u16> for usize {}
impl From<u32> for f64 {}
impl From<u32> for i128 {}
impl From<u32> for i64 {}
impl From<u32> for u128 {}
impl From<u32> for u64 {}
impl From<u64> for i128 {}
impl From<u64> for u128 {}
impl From<u8> for char {}
impl From<u8> for f32 {}
impl From<u8> for f64 {}
impl From<u8> for i128 {}
impl From<u8> for i16 {}
impl From<u8> for i32 {}
impl From<u8> for i64 {}
impl From<u8> for isize {}
impl From<u8> for u128 {}
impl From<u8> for u16 {}
impl From<u8> for u32 {}
impl From<u8> for u64 {}
impl From<u8> for usize {}
impl Ord for crate::convert::Infallible {}
impl PartialEq for crate::convert::Infallible {}
impl PartialOrd for crate::convert::Infallible {}
impl crate::convert::TryFrom<&crate::ffi::OsStr> for &str {
type Error = crate::str::Utf8Error;
}
impl crate::convert::TryFrom<&crate::unnameable::ByteStr> for &str {
type Error = crate::str::Utf8Error;
}
impl crate::convert::TryFrom<&crate::unnameable::ByteString> for &str {
type Error = crate::str::Utf8Error;
}
impl crate::convert::TryFrom<char> for u16 {
type Error = crate::char::TryFromCharError;
}
impl crate::convert::TryFrom<char> for u8 {
type Error = crate::char::TryFromCharError;
}
impl crate::convert::TryFrom<char> for usize {
type Error = crate::char::TryFromCharError;
}
impl crate::convert::TryFrom<i128> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for i32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for i64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for u128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for u128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for u128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for i32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for u128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for u128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for i128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for i32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for i64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for u128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for i128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for i32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for i64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u16> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u16> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u16> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u16> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u16> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for char {
type Error = crate::char::CharTryFromError;
}
impl crate::convert::TryFrom<u32> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for i32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for i32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for i64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for usize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u8> for bool {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u8> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for i128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for i16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for i32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for i64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for i8 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for isize {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for u128 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for u16 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for u32 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for u64 {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for u8 {
type Error = crate::num::TryFromIntError;
}
impl crate::error::Error for crate::convert::Infallible {}
impl crate::fmt::Debug for crate::convert::Infallible {}
impl crate::fmt::Display for crate::convert::Infallible {}
impl crate::hash::Hash for crate::convert::Infallible {}
impl crate::process::Termination for crate::convert::Infallible {}
impl<T, U: From<T>> Into<U> for T {}
impl<T, U: Into<T>> crate::convert::TryFrom<U> for T {
type Error = crate::convert::Infallible;
}
impl<T, U: crate::convert::TryFrom<T>> crate::convert::TryInto<U> for T {
type Error = U::Error;
}
impl<T, const N: usize> AsMut<[T]> for [T; 0] {}
impl<T, const N: usize> AsRef<[T]> for [T; 0] {}
impl<T, const N: usize> From<crate::mem::MaybeUninit<[T; 0]>> for [crate::mem::MaybeUninit<T>; 0] {}
impl<T, const N: usize> crate::convert::TryFrom<&[T]> for &[T; 0] {
type Error = crate::array::TryFromSliceError;
}
impl<T, const N: usize> crate::convert::TryFrom<Vec<T>> for [T; 0] {
type Error = Vec<T>;
}
impl<T: AsMut<U>, U> AsMut<U> for &T {}
impl<T: AsRef<U>, U> AsRef<U> for &T {}
impl<T: Copy, const N: usize> crate::convert::TryFrom<&[T]> for [T; 0] {
type Error = crate::array::TryFromSliceError;
}
impl<T: crate::unnameable::ZeroablePrimitive> From<crate::num::NonZero<T>> for T {}
impl<T> AsMut<[T]> for [T] {}
impl<T> AsRef<[T]> for [T] {}
impl<T> From<!> for T {}
impl<T> From<T> for T {}
}
pub mod default {
pub trait Default {
fn default() -> Self;
}
impl Default for &crate::ffi::CStr {}
impl Default for &crate::ffi::OsStr {}
impl Default for &crate::unnameable::ByteStr {}
impl Default for &str {}
impl Default for () {}
impl Default for bool {}
impl Default for char {}
impl Default for f32 {}
impl Default for f64 {}
impl Default for i128 {}
impl Default for i16 {}
impl Default for i32 {}
impl Default for i64 {}
impl Default for i8 {}
impl Default for isize {}
impl Default for u128 {}
impl Default for u16 {}
impl Default for u32 {}
impl Default for u64 {}
impl Default for u8 {}
impl Default for usize {}
impl<T: Default> Default for [T; 0] {}
impl<T: crate::unnameable::Thin> Default for *const T {}
impl<T> Default for &[T] {}
}
pub mod env {
pub struct Args;
pub struct ArgsOs;
#[derive(Debug)]
pub struct JoinPathsError;
pub struct SplitPaths;
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum VarError { NotPresent, NotUnicode(crate::ffi::OsString) }
pub struct Vars;
pub struct VarsOs;
pub fn args() -> crate::env::Args;
pub fn args_os() -> crate::env::ArgsOs;
pub fn current_dir() -> crate::io::Result<crate::path::PathBuf>;
pub fn current_exe() -> crate::io::Result<crate::path::PathBuf>;
pub fn home_dir() -> Option<crate::path::PathBuf>;
pub fn join_paths<I: IntoIterator<Item = T>, T: AsRef<crate::ffi::OsStr>>(_: I) -> crate::result::Result<crate::ffi::OsString, crate::env::JoinPathsError>;
pub fn remove_var<K: AsRef<crate::ffi::OsStr>>(_: K);
pub fn set_current_dir<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<()>;
pub fn set_var<K: AsRef<crate::ffi::OsStr>, V: AsRef<crate::ffi::OsStr>>(_: K, _: V);
pub fn split_paths<T: AsRef<crate::ffi::OsStr>>(_: &T) -> crate::env::SplitPaths;
pub fn temp_dir() -> crate::path::PathBuf;
pub fn var<K: AsRef<crate::ffi::OsStr>>(_: K) -> crate::result::Result<String, crate::env::VarError>;
pub fn var_os<K: AsRef<crate::ffi::OsStr>>(_: K) -> Option<crate::ffi::OsString>;
pub fn vars() -> crate::env::Vars;
pub fn vars_os() -> crate::env::VarsOs;
impl DoubleEndedIterator for crate::env::Args {}
impl DoubleEndedIterator for crate::env::ArgsOs {}
impl ExactSizeIterator for crate::env::Args {}
impl ExactSizeIterator for crate::env::ArgsOs {}
impl Iterator for crate::env::Args {
type Item = String;
}
impl Iterator for crate::env::ArgsOs {
type Item = crate::ffi::OsString;
}
impl Iterator for crate::env::SplitPaths {
type Item = crate::path::PathBuf;
}
impl Iterator for crate::env::Vars {
type Item = (String, String);
}
impl Iterator for crate::env::VarsOs {
type Item = (crate::ffi::OsString, crate::ffi::OsString);
}
impl crate::error::Error for crate::env::JoinPathsError {}
impl crate::error::Error for crate::env::VarError {}
impl crate::fmt::Debug for crate::env::Args {}
impl crate::fmt::Debug for crate::env::ArgsOs {}
impl crate::fmt::Debug for crate::env::SplitPaths {}
impl crate::fmt::Debug for crate::env::Vars {}
impl crate::fmt::Debug for crate::env::VarsOs {}
impl crate::fmt::Display for crate::env::JoinPathsError {}
impl crate::fmt::Display for crate::env::VarError {}
pub mod consts {
pub const ARCH: &str = 0;
pub const DLL_EXTENSION: &str = 0;
pub const DLL_PREFIX: &str = 0;
pub const DLL_SUFFIX: &str = 0;
pub const EXE_EXTENSION: &str = 0;
pub const EXE_SUFFIX: &str = 0;
pub const FAMILY: &str = 0;
pub const OS: &str = 0;
}
}
pub mod error {
pub trait Error: crate::fmt::Debug + crate::fmt::Display {
fn cause(&self) -> Option<&dyn crate::error::Error>;
fn description(&self) -> &str;
fn source(&self) -> Option<&dyn crate::error::Error>;
}
impl crate::error::Error for ! {}
impl dyn crate::error::Error {
fn downcast<T: crate::error::Error>(self: Box<Self>) -> crate::result::Result<Box<T>, Box<Self>>;
fn downcast<T: crate::error::Error>(self: Box<Self>) -> crate::result::Result<Box<T>, Box<dyn crate::error::Error>>;
fn downcast_mut<T: crate::error::Error>(&mut self) -> Option<&T>;
fn downcast_ref<T: crate::error::Error>(&self) -> Option<&T>;
fn is<T: crate::error::Error>(&self) -> bool;
}
impl<T: crate::error::Error> crate::error::Error for &T {}
}
pub mod f32 {
pub const DIGITS: u32 = 0;
pub const EPSILON: f32 = 0;
pub const INFINITY: f32 = 0;
pub const MANTISSA_DIGITS: u32 = 0;
pub const MAX: f32 = 0;
pub const MAX_10_EXP: i32 = 0;
pub const MAX_EXP: i32 = 0;
pub const MIN: f32 = 0;
pub const MIN_10_EXP: i32 = 0;
pub const MIN_EXP: i32 = 0;
pub const MIN_POSITIVE: f32 = 0;
pub const NAN: f32 = 0;
pub const NEG_INFINITY: f32 = 0;
pub const RADIX: u32 = 0;
pub mod consts {
pub const E: f32 = 0;
pub const EULER_GAMMA: f32 = 0;
pub const FRAC_1_PI: f32 = 0;
pub const FRAC_1_SQRT_2: f32 = 0;
pub const FRAC_2_PI: f32 = 0;
pub const FRAC_2_SQRT_PI: f32 = 0;
pub const FRAC_PI_2: f32 = 0;
pub const FRAC_PI_3: f32 = 0;
pub const FRAC_PI_4: f32 = 0;
pub const FRAC_PI_6: f32 = 0;
pub const FRAC_PI_8: f32 = 0;
pub const GOLDEN_RATIO: f32 = 0;
pub const LN_10: f32 = 0;
pub const LN_2: f32 = 0;
pub const LOG10_2: f32 = 0;
pub const LOG10_E: f32 = 0;
pub const LOG2_10: f32 = 0;
pub const LOG2_E: f32 = 0;
pub const PI: f32 = 0;
pub const SQRT_2: f32 = 0;
pub const TAU: f32 = 0;
}
}
pub mod f64 {
pub const DIGITS: u32 = 0;
pub const EPSILON: f64 = 0;
pub const INFINITY: f64 = 0;
pub const MANTISSA_DIGITS: u32 = 0;
pub const MAX: f64 = 0;
pub const MAX_10_EXP: i32 = 0;
pub const MAX_EXP: i32 = 0;
pub const MIN: f64 = 0;
pub const MIN_10_EXP: i32 = 0;
pub const MIN_EXP: i32 = 0;
pub const MIN_POSITIVE: f64 = 0;
pub const NAN: f64 = 0;
pub const NEG_INFINITY: f64 = 0;
pub const RADIX: u32 = 0;
pub mod consts {
pub const E: f64 = 0;
pub const EULER_GAMMA: f64 = 0;
pub const FRAC_1_PI: f64 = 0;
pub const FRAC_1_SQRT_2: f64 = 0;
pub const FRAC_2_PI: f64 = 0;
pub const FRAC_2_SQRT_PI: f64 = 0;
pub const FRAC_PI_2: f64 = 0;
pub const FRAC_PI_3: f64 = 0;
pub const FRAC_PI_4: f64 = 0;
pub const FRAC_PI_6: f64 = 0;
pub const FRAC_PI_8: f64 = 0;
pub const GOLDEN_RATIO: f64 = 0;
pub const LN_10: f64 = 0;
pub const LN_2: f64 = 0;
pub const LOG10_2: f64 = 0;
pub const LOG10_E: f64 = 0;
pub const LOG2_10: f64 = 0;
pub const LOG2_E: f64 = 0;
pub const PI: f64 = 0;
pub const SQRT_2: f64 = 0;
pub const TAU: f64 = 0;
}
}
pub mod ffi {
#[derive(Eq, Hash, PartialEq)]
pub struct CStr;
#[derive(Clone, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CString;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FromBytesUntilNulError;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FromBytesWithNulError { InteriorNul { position: usize }, NotNulTerminated }
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FromVecWithNulError;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IntoStringError;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NulError;
pub struct OsStr;
pub struct OsString;
pub type c_char = c_char_definition::c_char;
pub type c_double = c_double_definition::c_double;
pub type c_float = f32;
pub type c_int = c_int_definition::c_int;
pub type c_long = c_long_definition::c_long;
pub type c_longlong = i64;
pub type c_schar = i8;
pub type c_short = i16;
pub type c_uchar = u8;
pub type c_uint = c_int_definition::c_uint;
pub type c_ulong = c_long_definition::c_ulong;
pub type c_ulonglong = u64;
pub type c_ushort = u16;
pub enum c_void { __variant1, __variant2 }
impl AsRef<crate::ffi::CStr> for crate::ffi::CStr {}
impl AsRef<crate::ffi::CStr> for crate::ffi::CString {}
impl AsRef<crate::ffi::OsStr> for crate::ffi::OsStr {}
impl AsRef<crate::ffi::OsStr> for crate::ffi::OsString {}
impl AsRef<crate::path::Path> for crate::ffi::OsStr {}
impl AsRef<crate::path::Path> for crate::ffi::OsString {}
impl Clone for crate::ffi::OsString {}
impl Default for crate::ffi::CString {}
impl Default for crate::ffi::OsString {}
impl Drop for crate::ffi::CString {}
impl Eq for crate::ffi::OsStr {}
impl Eq for crate::ffi::OsString {}
impl Extend<&crate::ffi::OsStr> for crate::ffi::OsString {}
impl Extend<crate::borrow::Cow<crate::ffi::OsStr>> for crate::ffi::OsString {}
impl Extend<crate::ffi::OsString> for crate::ffi::OsString {}
impl From<&crate::ffi::CStr> for crate::ffi::CString {}
impl From<Box<crate::ffi::CStr>> for crate::ffi::CString {}
impl From<Box<crate::ffi::OsStr>> for crate::ffi::OsString {}
impl From<String> for crate::ffi::OsString {}
impl From<Vec<crate::num::NonZero<u8>>> for crate::ffi::CString {}
impl From<crate::borrow::Cow<crate::ffi::CStr>> for crate::ffi::CString {}
impl From<crate::borrow::Cow<crate::ffi::OsStr>> for crate::ffi::OsString {}
impl From<crate::path::PathBuf> for crate::ffi::OsString {}
impl From<crate::unnameable::EnvKey> for crate::ffi::OsString {}
impl Ord for crate::ffi::CStr {}
impl Ord for crate::ffi::OsStr {}
impl Ord for crate::ffi::OsString {}
impl PartialEq for crate::ffi::OsStr {}
impl PartialEq for crate::ffi::OsString {}
impl PartialEq<&Self> for crate::ffi::CStr {}
impl PartialEq<&crate::ffi::CStr> for crate::ffi::CString {}
impl PartialEq<&crate::ffi::OsStr> for crate::ffi::OsString {}
impl PartialEq<&crate::path::Path> for crate::ffi::OsStr {}
impl PartialEq<&crate::path::Path> for crate::ffi::OsString {}
impl PartialEq<&str> for crate::ffi::OsString {}
impl PartialEq<crate::borrow::Cow<Self>> for crate::ffi::CStr {}
impl PartialEq<crate::borrow::Cow<crate::ffi::CStr>> for crate::ffi::CString {}
impl PartialEq<crate::borrow::Cow<crate::ffi::OsStr>> for crate::ffi::OsStr {}
impl PartialEq<crate::borrow::Cow<crate::ffi::OsStr>> for crate::ffi::OsString {}
impl PartialEq<crate::borrow::Cow<crate::path::Path>> for crate::ffi::OsStr {}
impl PartialEq<crate::borrow::Cow<crate::path::Path>> for crate::ffi::OsString {}
impl PartialEq<crate::ffi::CStr> for crate::ffi::CString {}
impl PartialEq<crate::ffi::CString> for crate::ffi::CStr {}
impl PartialEq<crate::ffi::OsStr> for crate::ffi::OsString {}
impl PartialEq<crate::ffi::OsString> for crate::ffi::OsStr {}
impl PartialEq<crate::path::Path> for crate::ffi::OsStr {}
impl PartialEq<crate::path::Path> for crate::ffi::OsString {}
impl PartialEq<crate::path::PathBuf> for crate::ffi::OsStr {}
impl PartialEq<crate::path::PathBuf> for crate::ffi::OsString {}
impl PartialEq<str> for crate::ffi::OsStr {}
impl PartialEq<str> for crate::ffi::OsString {}
impl PartialOrd for crate::ffi::CStr {}
impl PartialOrd for crate::ffi::OsStr {}
impl PartialOrd for crate::ffi::OsString {}
impl PartialOrd<&crate::ffi::OsStr> for crate::ffi::OsString {}
impl PartialOrd<&crate::path::Path> for crate::ffi::OsStr {}
impl PartialOrd<&crate::path::Path> for crate::ffi::OsString {}
impl PartialOrd<crate::borrow::Cow<crate::ffi::OsStr>> for crate::ffi::OsStr {}
impl PartialOrd<crate::borrow::Cow<crate::ffi::OsStr>> for crate::ffi::OsString {}
impl PartialOrd<crate::borrow::Cow<crate::path::Path>> for crate::ffi::OsStr {}
impl PartialOrd<crate::borrow::Cow<crate::path::Path>> for crate::ffi::OsString {}
impl PartialOrd<crate::ffi::OsStr> for crate::ffi::OsString {}
impl PartialOrd<crate::ffi::OsString> for crate::ffi::OsStr {}
impl PartialOrd<crate::path::Path> for crate::ffi::OsStr {}
impl PartialOrd<crate::path::Path> for crate::ffi::OsString {}
impl PartialOrd<crate::path::PathBuf> for crate::ffi::OsStr {}
impl PartialOrd<crate::path::PathBuf> for crate::ffi::OsString {}
impl PartialOrd<str> for crate::ffi::OsStr {}
impl PartialOrd<str> for crate::ffi::OsString {}
impl ToOwned for crate::ffi::CStr {
type Owned = crate::ffi::CString;
}
impl ToOwned for crate::ffi::OsStr {
type Owned = crate::ffi::OsString;
}
impl crate::borrow::Borrow<crate::ffi::CStr> for crate::ffi::CString {}
impl crate::borrow::Borrow<crate::ffi::OsStr> for crate::ffi::OsString {}
impl crate::error::Error for crate::ffi::FromBytesUntilNulError {}
impl crate::error::Error for crate::ffi::FromBytesWithNulError {}
impl crate::error::Error for crate::ffi::FromVecWithNulError {}
impl crate::error::Error for crate::ffi::IntoStringError {}
impl crate::error::Error for crate::ffi::NulError {}
impl crate::ffi::CStr {
fn as_ptr(&self) -> *const crate::ffi::c_char;
fn count_bytes(&self) -> usize;
fn from_bytes_until_nul(_: &[u8]) -> crate::result::Result<&crate::ffi::CStr, crate::ffi::FromBytesUntilNulError>;
fn from_bytes_with_nul(_: &[u8]) -> crate::result::Result<&Self, crate::ffi::FromBytesWithNulError>;
fn from_bytes_with_nul_unchecked(_: &[u8]) -> &crate::ffi::CStr;
fn from_ptr(_: *const crate::ffi::c_char) -> &crate::ffi::CStr;
fn into_c_string(self: Box<Self>) -> crate::ffi::CString;
fn is_empty(&self) -> bool;
fn to_bytes(&self) -> &[u8];
fn to_bytes_with_nul(&self) -> &[u8];
fn to_str(&self) -> crate::result::Result<&str, crate::str::Utf8Error>;
fn to_string_lossy(&self) -> crate::borrow::Cow<str>;
}
impl crate::ffi::CString {
fn as_bytes(&self) -> &[u8];
fn as_bytes_with_nul(&self) -> &[u8];
fn as_c_str(&self) -> &crate::ffi::CStr;
fn from_raw(_: *const crate::ffi::c_char) -> crate::ffi::CString;
fn from_vec_unchecked(_: Vec<u8>) -> Self;
fn from_vec_with_nul(_: Vec<u8>) -> crate::result::Result<Self, crate::ffi::FromVecWithNulError>;
fn from_vec_with_nul_unchecked(_: Vec<u8>) -> Self;
fn into_boxed_c_str(self) -> Box<crate::ffi::CStr>;
fn into_bytes(self) -> Vec<u8>;
fn into_bytes_with_nul(self) -> Vec<u8>;
fn into_raw(self) -> *const crate::ffi::c_char;
fn into_string(self) -> crate::result::Result<String, crate::ffi::IntoStringError>;
fn new<T: Into<Vec<u8>>>(_: T) -> crate::result::Result<crate::ffi::CString, crate::ffi::NulError>;
}
impl crate::ffi::FromVecWithNulError {
fn as_bytes(&self) -> &[u8];
fn into_bytes(self) -> Vec<u8>;
}
impl crate::ffi::IntoStringError {
fn into_cstring(self) -> crate::ffi::CString;
fn utf8_error(&self) -> crate::str::Utf8Error;
}
impl crate::ffi::NulError {
fn into_vec(self) -> Vec<u8>;
fn nul_position(&self) -> usize;
}
impl crate::ffi::OsStr {
fn as_encoded_bytes(&self) -> &[u8];
fn display(&self) -> crate::ffi::os_str::Display;
fn eq_ignore_ascii_case<S: AsRef<crate::ffi::OsStr>>(&self, _: S) -> bool;
fn from_encoded_bytes_unchecked(_: &[u8]) -> &Self;
fn into_os_string(self: Box<Self>) -> crate::ffi::OsString;
fn is_ascii(&self) -> bool;
fn is_empty(&self) -> bool;
fn len(&self) -> usize;
fn make_ascii_lowercase(&mut self);
fn make_ascii_uppercase(&mut self);
fn new<S: AsRef<crate::ffi::OsStr>>(_: &S) -> &crate::ffi::OsStr;
fn to_ascii_lowercase(&self) -> crate::ffi::OsString;
fn to_ascii_uppercase(&self) -> crate::ffi::OsString;
fn to_os_string(&self) -> crate::ffi::OsString;
fn to_str(&self) -> Option<&str>;
fn to_string_lossy(&self) -> crate::borrow::Cow<str>;
}
impl crate::ffi::OsString {
fn as_os_str(&self) -> &crate::ffi::OsStr;
fn capacity(&self) -> usize;
fn clear(&mut self);
fn from_encoded_bytes_unchecked(_: Vec<u8>) -> Self;
fn into_boxed_os_str(self) -> Box<crate::ffi::OsStr>;
fn into_encoded_bytes(self) -> Vec<u8>;
fn into_string(self) -> crate::result::Result<String, crate::ffi::OsString>;
fn leak(self) -> &crate::ffi::OsStr;
fn new() -> crate::ffi::OsString;
fn push<T: AsRef<crate::ffi::OsStr>>(&mut self, _: T);
fn reserve(&mut self, _: usize);
fn reserve_exact(&mut self, _: usize);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn try_reserve_exact(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn with_capacity(_: usize) -> crate::ffi::OsString;
}
impl crate::fmt::Debug for crate::ffi::CStr {}
impl crate::fmt::Debug for crate::ffi::CString {}
impl crate::fmt::Debug for crate::ffi::OsStr {}
impl crate::fmt::Debug for crate::ffi::OsString {}
impl crate::fmt::Debug for crate::ffi::c_void {}
impl crate::fmt::Display for crate::ffi::FromBytesUntilNulError {}
impl crate::fmt::Display for crate::ffi::FromBytesWithNulError {}
impl crate::fmt::Display for crate::ffi::FromVecWithNulError {}
impl crate::fmt::Display for crate::ffi::IntoStringError {}
impl crate::fmt::Display for crate::ffi::NulError {}
impl crate::fmt::Write for crate::ffi::OsString {}
impl crate::hash::Hash for crate::ffi::OsStr {}
impl crate::hash::Hash for crate::ffi::OsString {}
impl crate::iter::FromIterator<&crate::ffi::OsStr> for crate::ffi::OsString {}
impl crate::iter::FromIterator<crate::borrow::Cow<crate::ffi::OsStr>> for crate::ffi::OsString {}
impl crate::iter::FromIterator<crate::ffi::OsString> for crate::ffi::OsString {}
impl crate::ops::Deref for crate::ffi::CString {
type Target = crate::ffi::CStr;
}
impl crate::ops::Deref for crate::ffi::OsString {
type Target = crate::ffi::OsStr;
}
impl crate::ops::DerefMut for crate::ffi::OsString {}
impl crate::ops::Index<crate::ops::RangeFrom<usize>> for crate::ffi::CStr {
type Output = crate::ffi::CStr;
}
impl crate::ops::Index<crate::ops::RangeFull> for crate::ffi::CString {
type Output = crate::ffi::CStr;
}
impl crate::ops::Index<crate::ops::RangeFull> for crate::ffi::OsString {
type Output = crate::ffi::OsStr;
}
impl crate::ops::Index<crate::range::RangeFrom<usize>> for crate::ffi::CStr {
type Output = crate::ffi::CStr;
}
impl crate::ops::IndexMut<crate::ops::RangeFull> for crate::ffi::OsString {}
impl crate::os::unix::ffi::OsStrExt for crate::ffi::OsStr {}
impl crate::os::unix::ffi::OsStringExt for crate::ffi::OsString {}
impl crate::str::FromStr for crate::ffi::CString {
type Err = crate::ffi::NulError;
}
impl crate::str::FromStr for crate::ffi::OsString {
type Err = crate::convert::Infallible;
}
impl crate::unnameable::CloneToUninit for crate::ffi::CStr {}
impl crate::unnameable::CloneToUninit for crate::ffi::OsStr {}
impl crate::unnameable::Sealed_ for crate::ffi::OsStr {}
impl crate::unnameable::Sealed_ for crate::ffi::OsString {}
impl<T: AsRef<crate::ffi::OsStr>> From<&T> for crate::ffi::OsString {}
pub mod c_str {
pub use crate::ffi::CStr;
pub use crate::ffi::CString;
pub use crate::ffi::FromBytesUntilNulError;
pub use crate::ffi::FromBytesWithNulError;
pub use crate::ffi::FromVecWithNulError;
pub use crate::ffi::IntoStringError;
pub use crate::ffi::NulError;
}
pub mod os_str {
pub use crate::ffi::OsStr;
pub use crate::ffi::OsString;
pub struct Display;
impl crate::fmt::Debug for crate::ffi::os_str::Display {}
impl crate::fmt::Display for crate::ffi::os_str::Display {}
}
}
pub mod fmt {
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alignment { Left, Right, Center }
#[derive(Clone, Copy)]
pub struct Arguments;
pub trait Binary {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub trait Debug {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub struct DebugList;
pub struct DebugMap;
pub struct DebugSet;
pub struct DebugStruct;
pub struct DebugTuple;
pub trait Display {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Error;
pub struct Formatter;
pub struct FromFn<F>;
pub trait LowerExp {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub trait LowerHex {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub trait Octal {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub trait Pointer {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub type Result = crate::result::Result<(), crate::fmt::Error>;
pub trait UpperExp {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub trait UpperHex {
fn fmt(&self, _: &crate::fmt::Formatter) -> crate::fmt::Result;
}
pub trait Write {
fn write_char(&mut self, _: char) -> crate::fmt::Result;
fn write_fmt(&mut self, _: crate::fmt::Arguments) -> crate::fmt::Result;
fn write_str(&mut self, _: &str) -> crate::fmt::Result;
}
pub fn format(_: crate::fmt::Arguments) -> String;
pub fn from_fn<F: Fn<(&crate::fmt::Formatter,), Output = crate::fmt::Result>>(_: F) -> crate::fmt::FromFn<F>;
pub fn write(_: &dyn crate::fmt::Write, _: crate::fmt::Arguments) -> crate::fmt::Result;
impl crate::error::Error for crate::fmt::Error {}
impl crate::fmt::Arguments {
fn as_str(&self) -> Option<&str>;
fn estimated_capacity(&self) -> usize;
fn from_str_nonconst(_: &str) -> crate::fmt::Arguments;
fn new<const N: usize, const M: usize>(_: &[u8; 0], _: &[crate::unnameable::Argument; 0]) -> crate::fmt::Arguments;
}
impl crate::fmt::Binary for i128 {}
impl crate::fmt::Binary for i16 {}
impl crate::fmt::Binary for i32 {}
impl crate::fmt::Binary for i64 {}
impl crate::fmt::Binary for i8 {}
impl crate::fmt::Binary for isize {}
impl crate::fmt::Binary for u128 {}
impl crate::fmt::Binary for u16 {}
impl crate::fmt::Binary for u32 {}
impl crate::fmt::Binary for u64 {}
impl crate::fmt::Binary for u8 {}
impl crate::fmt::Binary for usize {}
impl crate::fmt::Debug for ! {}
impl crate::fmt::Debug for () {}
impl crate::fmt::Debug for bool {}
impl crate::fmt::Debug for char {}
impl crate::fmt::Debug for crate::fmt::Arguments {}
impl crate::fmt::Debug for f32 {}
impl crate::fmt::Debug for f64 {}
impl crate::fmt::Debug for i128 {}
impl crate::fmt::Debug for i16 {}
impl crate::fmt::Debug for i32 {}
impl crate::fmt::Debug for i64 {}
impl crate::fmt::Debug for i8 {}
impl crate::fmt::Debug for isize {}
impl crate::fmt::Debug for str {}
impl crate::fmt::Debug for u128 {}
impl crate::fmt::Debug for u16 {}
impl crate::fmt::Debug for u32 {}
impl crate::fmt::Debug for u64 {}
impl crate::fmt::Debug for u8 {}
impl crate::fmt::Debug for usize {}
impl crate::fmt::DebugList {
fn entries<D: crate::fmt::Debug, I: IntoIterator<Item = D>>(&mut self, _: I) -> &Self;
fn entry(&mut self, _: &dyn crate::fmt::Debug) -> &Self;
fn finish(&mut self) -> crate::fmt::Result;
fn finish_non_exhaustive(&mut self) -> crate::fmt::Result;
}
impl crate::fmt::DebugMap {
fn entries<K: crate::fmt::Debug, V: crate::fmt::Debug, I: IntoIterator<Item = (K, V)>>(&mut self, _: I) -> &Self;
fn entry(&mut self, _: &dyn crate::fmt::Debug, _: &dyn crate::fmt::Debug) -> &Self;
fn finish(&mut self) -> crate::fmt::Result;
fn finish_non_exhaustive(&mut self) -> crate::fmt::Result;
fn key(&mut self, _: &dyn crate::fmt::Debug) -> &Self;
fn value(&mut self, _: &dyn crate::fmt::Debug) -> &Self;
}
impl crate::fmt::DebugSet {
fn entries<D: crate::fmt::Debug, I: IntoIterator<Item = D>>(&mut self, _: I) -> &Self;
fn entry(&mut self, _: &dyn crate::fmt::Debug) -> &Self;
fn finish(&mut self) -> crate::fmt::Result;
fn finish_non_exhaustive(&mut self) -> crate::fmt::Result;
}
impl crate::fmt::DebugStruct {
fn field(&mut self, _: &str, _: &dyn crate::fmt::Debug) -> &Self;
fn finish(&mut self) -> crate::fmt::Result;
fn finish_non_exhaustive(&mut self) -> crate::fmt::Result;
}
impl crate::fmt::DebugTuple {
fn field(&mut self, _: &dyn crate::fmt::Debug) -> &Self;
fn finish(&mut self) -> crate::fmt::Result;
fn finish_non_exhaustive(&mut self) -> crate::fmt::Result;
}
impl crate::fmt::Display for ! {}
impl crate::fmt::Display for bool {}
impl crate::fmt::Display for char {}
impl crate::fmt::Display for crate::fmt::Arguments {}
impl crate::fmt::Display for crate::fmt::Error {}
impl crate::fmt::Display for f32 {}
impl crate::fmt::Display for f64 {}
impl crate::fmt::Display for i128 {}
impl crate::fmt::Display for str {}
impl crate::fmt::Display for u128 {}
impl crate::fmt::Formatter {
fn align(&self) -> Option<crate::fmt::Alignment>;
fn alternate(&self) -> bool;
fn debug_list(&mut self) -> crate::fmt::DebugList;
fn debug_map(&mut self) -> crate::fmt::DebugMap;
fn debug_set(&mut self) -> crate::fmt::DebugSet;
fn debug_struct(&mut self, _: &str) -> crate::fmt::DebugStruct;
fn debug_tuple(&mut self, _: &str) -> crate::fmt::DebugTuple;
fn fill(&self) -> char;
fn flags(&self) -> u32;
fn pad(&mut self, _: &str) -> crate::fmt::Result;
fn pad_integral(&mut self, _: bool, _: &str, _: &str) -> crate::fmt::Result;
fn precision(&self) -> Option<usize>;
fn sign_aware_zero_pad(&self) -> bool;
fn sign_minus(&self) -> bool;
fn sign_plus(&self) -> bool;
fn width(&self) -> Option<usize>;
fn write_fmt(&mut self, _: crate::fmt::Arguments) -> crate::fmt::Result;
fn write_str(&mut self, _: &str) -> crate::fmt::Result;
}
impl crate::fmt::LowerExp for f32 {}
impl crate::fmt::LowerExp for f64 {}
impl crate::fmt::LowerExp for i128 {}
impl crate::fmt::LowerExp for i16 {}
impl crate::fmt::LowerExp for i32 {}
impl crate::fmt::LowerExp for i64 {}
impl crate::fmt::LowerExp for i8 {}
impl crate::fmt::LowerExp for isize {}
impl crate::fmt::LowerExp for u128 {}
impl crate::fmt::LowerExp for u16 {}
impl crate::fmt::LowerExp for u32 {}
impl crate::fmt::LowerExp for u64 {}
impl crate::fmt::LowerExp for u8 {}
impl crate::fmt::LowerExp for usize {}
impl crate::fmt::LowerHex for i128 {}
impl crate::fmt::LowerHex for i16 {}
impl crate::fmt::LowerHex for i32 {}
impl crate::fmt::LowerHex for i64 {}
impl crate::fmt::LowerHex for i8 {}
impl crate::fmt::LowerHex for isize {}
impl crate::fmt::LowerHex for u128 {}
impl crate::fmt::LowerHex for u16 {}
impl crate::fmt::LowerHex for u32 {}
impl crate::fmt::LowerHex for u64 {}
impl crate::fmt::LowerHex for u8 {}
impl crate::fmt::LowerHex for usize {}
impl crate::fmt::Octal for i128 {}
impl crate::fmt::Octal for i16 {}
impl crate::fmt::Octal for i32 {}
impl crate::fmt::Octal for i64 {}
impl crate::fmt::Octal for i8 {}
impl crate::fmt::Octal for isize {}
impl crate::fmt::Octal for u128 {}
impl crate::fmt::Octal for u16 {}
impl crate::fmt::Octal for u32 {}
impl crate::fmt::Octal for u64 {}
impl crate::fmt::Octal for u8 {}
impl crate::fmt::Octal for usize {}
impl crate::fmt::UpperExp for f32 {}
impl crate::fmt::UpperExp for f64 {}
impl crate::fmt::UpperExp for i128 {}
impl crate::fmt::UpperExp for i16 {}
impl crate::fmt::UpperExp for i32 {}
impl crate::fmt::UpperExp for i64 {}
impl crate::fmt::UpperExp for i8 {}
impl crate::fmt::UpperExp for isize {}
impl crate::fmt::UpperExp for u128 {}
impl crate::fmt::UpperExp for u16 {}
impl crate::fmt::UpperExp for u32 {}
impl crate::fmt::UpperExp for u64 {}
impl crate::fmt::UpperExp for u8 {}
impl crate::fmt::UpperExp for usize {}
impl crate::fmt::UpperHex for i128 {}
impl crate::fmt::UpperHex for i16 {}
impl crate::fmt::UpperHex for i32 {}
impl crate::fmt::UpperHex for i64 {}
impl crate::fmt::UpperHex for i8 {}
impl crate::fmt::UpperHex for isize {}
impl crate::fmt::UpperHex for u128 {}
impl crate::fmt::UpperHex for u16 {}
impl crate::fmt::UpperHex for u32 {}
impl crate::fmt::UpperHex for u64 {}
impl crate::fmt::UpperHex for u8 {}
impl crate::fmt::UpperHex for usize {}
impl crate::fmt::Write for crate::fmt::Formatter {}
impl<A: crate::fmt::Debug, Z: crate::fmt::Debug, Y: crate::fmt::Debug, X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (A, Z, Y, X, W, V, U, T) {}
impl<B: crate::fmt::Debug, A: crate::fmt::Debug, Z: crate::fmt::Debug, Y: crate::fmt::Debug, X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (B, A, Z, Y, X, W, V, U, T) {}
impl<C: crate::fmt::Debug, B: crate::fmt::Debug, A: crate::fmt::Debug, Z: crate::fmt::Debug, Y: crate::fmt::Debug, X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (C, B, A, Z, Y, X, W, V, U, T) {}
impl<D: crate::fmt::Debug, C: crate::fmt::Debug, B: crate::fmt::Debug, A: crate::fmt::Debug, Z: crate::fmt::Debug, Y: crate::fmt::Debug, X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (D, C, B, A, Z, Y, X, W, V, U, T) {}
impl<E: crate::fmt::Debug, D: crate::fmt::Debug, C: crate::fmt::Debug, B: crate::fmt::Debug, A: crate::fmt::Debug, Z: crate::fmt::Debug, Y: crate::fmt::Debug, X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (E, D, C, B, A, Z, Y, X, W, V, U, T) {}
impl<F: Fn<(&crate::fmt::Formatter,), Output = crate::fmt::Result>> crate::fmt::Debug for crate::fmt::FromFn<F> {}
impl<F: Fn<(&crate::fmt::Formatter,), Output = crate::fmt::Result>> crate::fmt::Display for crate::fmt::FromFn<F> {}
impl<F: crate::unnameable::FnPtr> crate::fmt::Debug for F {}
impl<F: crate::unnameable::FnPtr> crate::fmt::Pointer for F {}
impl<T: crate::fmt::Binary> crate::fmt::Binary for &T {}
impl<T: crate::fmt::Debug, const N: usize> crate::fmt::Debug for [T; 0] {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for &T {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for (T,) {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for [T] {}
impl<T: crate::fmt::Display> crate::fmt::Display for &T {}
impl<T: crate::fmt::LowerExp> crate::fmt::LowerExp for &T {}
impl<T: crate::fmt::LowerHex> crate::fmt::LowerHex for &T {}
impl<T: crate::fmt::Octal> crate::fmt::Octal for &T {}
impl<T: crate::fmt::UpperExp> crate::fmt::UpperExp for &T {}
impl<T: crate::fmt::UpperHex> crate::fmt::UpperHex for &T {}
impl<T> crate::fmt::Debug for *const T {}
impl<T> crate::fmt::Pointer for &T {}
impl<T> crate::fmt::Pointer for *const T {}
impl<U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (U, T) {}
impl<V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (V, U, T) {}
impl<W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (W, V, U, T) {}
impl<W: crate::fmt::Write> crate::fmt::Write for &W {}
impl<X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (X, W, V, U, T) {}
impl<Y: crate::fmt::Debug, X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (Y, X, W, V, U, T) {}
impl<Z: crate::fmt::Debug, Y: crate::fmt::Debug, X: crate::fmt::Debug, W: crate::fmt::Debug, V: crate::fmt::Debug, U: crate::fmt::Debug, T: crate::fmt::Debug> crate::fmt::Debug for (Z, Y, X, W, V, U, T) {}
}
pub mod fs {
#[derive(Debug)]
pub struct DirBuilder;
pub struct DirEntry;
pub struct File;
#[derive(Clone, Copy, Debug, Default)]
pub struct FileTimes;
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct FileType;
#[derive(Clone)]
pub struct Metadata;
#[derive(Clone, Debug)]
pub struct OpenOptions;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Permissions;
#[derive(Debug)]
pub struct ReadDir;
pub enum TryLockError { Error(crate::io::Error), WouldBlock }
pub fn canonicalize<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::path::PathBuf>;
pub fn copy<P: AsRef<crate::path::Path>, Q: AsRef<crate::path::Path>>(_: P, _: Q) -> crate::io::Result<u64>;
pub fn create_dir<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<()>;
pub fn create_dir_all<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<()>;
pub fn exists<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<bool>;
pub fn hard_link<P: AsRef<crate::path::Path>, Q: AsRef<crate::path::Path>>(_: P, _: Q) -> crate::io::Result<()>;
pub fn metadata<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::fs::Metadata>;
pub fn read<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<Vec<u8>>;
pub fn read_dir<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::fs::ReadDir>;
pub fn read_link<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::path::PathBuf>;
pub fn read_to_string<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<String>;
pub fn remove_dir<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<()>;
pub fn remove_dir_all<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<()>;
pub fn remove_file<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<()>;
pub fn rename<P: AsRef<crate::path::Path>, Q: AsRef<crate::path::Path>>(_: P, _: Q) -> crate::io::Result<()>;
pub fn set_permissions<P: AsRef<crate::path::Path>>(_: P, _: crate::fs::Permissions) -> crate::io::Result<()>;
pub fn soft_link<P: AsRef<crate::path::Path>, Q: AsRef<crate::path::Path>>(_: P, _: Q) -> crate::io::Result<()>;
pub fn symlink_metadata<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::fs::Metadata>;
pub fn write<P: AsRef<crate::path::Path>, C: AsRef<[u8]>>(_: P, _: C) -> crate::io::Result<()>;
impl From<crate::os::fd::OwnedFd> for crate::fs::File {}
impl Iterator for crate::fs::ReadDir {
type Item = crate::io::Result<crate::fs::DirEntry>;
}
impl crate::error::Error for crate::fs::TryLockError {}
impl crate::fmt::Debug for crate::fs::DirEntry {}
impl crate::fmt::Debug for crate::fs::File {}
impl crate::fmt::Debug for crate::fs::FileType {}
impl crate::fmt::Debug for crate::fs::Metadata {}
impl crate::fmt::Debug for crate::fs::TryLockError {}
impl crate::fmt::Display for crate::fs::TryLockError {}
impl crate::fs::DirBuilder {
fn create<P: AsRef<crate::path::Path>>(&self, _: P) -> crate::io::Result<()>;
fn new() -> crate::fs::DirBuilder;
fn recursive(&mut self, _: bool) -> &Self;
}
impl crate::fs::DirEntry {
fn file_name(&self) -> crate::ffi::OsString;
fn file_type(&self) -> crate::io::Result<crate::fs::FileType>;
fn metadata(&self) -> crate::io::Result<crate::fs::Metadata>;
fn path(&self) -> crate::path::PathBuf;
}
impl crate::fs::File {
fn create<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::fs::File>;
fn create_new<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::fs::File>;
fn lock(&self) -> crate::io::Result<()>;
fn lock_shared(&self) -> crate::io::Result<()>;
fn metadata(&self) -> crate::io::Result<crate::fs::Metadata>;
fn open<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::fs::File>;
fn options() -> crate::fs::OpenOptions;
fn set_len(&self, _: u64) -> crate::io::Result<()>;
fn set_modified(&self, _: crate::time::SystemTime) -> crate::io::Result<()>;
fn set_permissions(&self, _: crate::fs::Permissions) -> crate::io::Result<()>;
fn set_times(&self, _: crate::fs::FileTimes) -> crate::io::Result<()>;
fn sync_all(&self) -> crate::io::Result<()>;
fn sync_data(&self) -> crate::io::Result<()>;
fn try_clone(&self) -> crate::io::Result<crate::fs::File>;
fn try_lock(&self) -> crate::result::Result<(), crate::fs::TryLockError>;
fn try_lock_shared(&self) -> crate::result::Result<(), crate::fs::TryLockError>;
fn unlock(&self) -> crate::io::Result<()>;
}
impl crate::fs::FileTimes {
fn new() -> Self;
fn set_accessed(self, _: crate::time::SystemTime) -> Self;
fn set_modified(self, _: crate::time::SystemTime) -> Self;
}
impl crate::fs::FileType {
fn is_dir(&self) -> bool;
fn is_file(&self) -> bool;
fn is_symlink(&self) -> bool;
}
impl crate::fs::Metadata {
fn accessed(&self) -> crate::io::Result<crate::time::SystemTime>;
fn created(&self) -> crate::io::Result<crate::time::SystemTime>;
fn file_type(&self) -> crate::fs::FileType;
fn is_dir(&self) -> bool;
fn is_file(&self) -> bool;
fn is_symlink(&self) -> bool;
fn len(&self) -> u64;
fn modified(&self) -> crate::io::Result<crate::time::SystemTime>;
fn permissions(&self) -> crate::fs::Permissions;
}
impl crate::fs::OpenOptions {
fn append(&mut self, _: bool) -> &Self;
fn create(&mut self, _: bool) -> &Self;
fn create_new(&mut self, _: bool) -> &Self;
fn new() -> Self;
fn open<P: AsRef<crate::path::Path>>(&self, _: P) -> crate::io::Result<crate::fs::File>;
fn read(&mut self, _: bool) -> &Self;
fn truncate(&mut self, _: bool) -> &Self;
fn write(&mut self, _: bool) -> &Self;
}
impl crate::fs::Permissions {
fn readonly(&self) -> bool;
fn set_readonly(&mut self, _: bool);
}
impl crate::io::IsTerminal for crate::fs::File {}
impl crate::io::Read for crate::fs::File {}
impl crate::io::Seek for crate::fs::File {}
impl crate::io::Write for crate::fs::File {}
impl crate::os::fd::AsFd for crate::fs::File {}
impl crate::os::fd::AsRawFd for crate::fs::File {}
impl crate::os::fd::FromRawFd for crate::fs::File {}
impl crate::os::fd::IntoRawFd for crate::fs::File {}
impl crate::os::linux::fs::MetadataExt for crate::fs::Metadata {}
impl crate::os::unix::fs::DirBuilderExt for crate::fs::DirBuilder {}
impl crate::os::unix::fs::DirEntryExt for crate::fs::DirEntry {}
impl crate::os::unix::fs::FileExt for crate::fs::File {}
impl crate::os::unix::fs::FileTypeExt for crate::fs::FileType {}
impl crate::os::unix::fs::MetadataExt for crate::fs::Metadata {}
impl crate::os::unix::fs::OpenOptionsExt for crate::fs::OpenOptions {}
impl crate::os::unix::fs::PermissionsExt for crate::fs::Permissions {}
impl crate::unnameable::IoHandle for crate::fs::File {}
impl crate::unnameable::Sealed_ for crate::fs::DirEntry {}
impl crate::unnameable::Sealed_ for crate::fs::File {}
impl crate::unnameable::Sealed_ for crate::fs::FileTimes {}
}
pub mod future {
pub trait Future {
fn poll(self: crate::pin::Pin<&Self>, _: &crate::task::Context) -> crate::task::Poll<Self::Output>;
type Output;
}
pub trait IntoFuture {
fn into_future(self) -> Self::IntoFuture;
type IntoFuture: crate::future::Future<Output = Self::Output>;
type Output;
}
pub struct Pending<T>;
pub struct PollFn<F>;
#[derive(Clone, Debug)]
pub struct Ready<T>;
pub fn pending<T>() -> crate::future::Pending<T>;
pub fn poll_fn<T, F: FnMut<(&crate::task::Context,), Output = crate::task::Poll<T>>>(_: F) -> crate::future::PollFn<F>;
pub fn ready<T>(_: T) -> crate::future::Ready<T>;
impl<F: crate::future::Future> crate::future::Future for &F {
type Output = F::Output;
}
impl<F: crate::future::Future> crate::future::IntoFuture for F {
type IntoFuture = F;
type Output = F::Output;
}
impl<F> crate::fmt::Debug for crate::future::PollFn<F> {}
impl<T, F: FnMut<(&crate::task::Context,), Output = crate::task::Poll<T>>> crate::future::Future for crate::future::PollFn<F> {
type Output = T;
}
impl<T> Clone for crate::future::Pending<T> {}
impl<T> crate::fmt::Debug for crate::future::Pending<T> {}
impl<T> crate::future::Future for crate::future::Pending<T> {
type Output = T;
}
impl<T> crate::future::Future for crate::future::Ready<T> {
type Output = T;
}
impl<T> crate::future::Ready<T> {
fn into_inner(self) -> T;
}
}
pub mod hash {
pub trait BuildHasher {
fn build_hasher(&self) -> Self::Hasher;
fn hash_one<T: crate::hash::Hash>(&self, _: T) -> u64 where Self::Hasher: crate::hash::Hasher;
type Hasher: crate::hash::Hasher;
}
pub struct BuildHasherDefault<H>;
#[derive(Clone, Debug)]
pub struct DefaultHasher;
pub trait Hash {
fn hash<H: crate::hash::Hasher>(&self, _: &H);
fn hash_slice<H: crate::hash::Hasher>(_: &[Self], _: &H);
}
pub trait Hasher {
fn finish(&self) -> u64;
fn write(&mut self, _: &[u8]);
fn write_i128(&mut self, _: i128);
fn write_i16(&mut self, _: i16);
fn write_i32(&mut self, _: i32);
fn write_i64(&mut self, _: i64);
fn write_i8(&mut self, _: i8);
fn write_isize(&mut self, _: isize);
fn write_u128(&mut self, _: u128);
fn write_u16(&mut self, _: u16);
fn write_u32(&mut self, _: u32);
fn write_u64(&mut self, _: u64);
fn write_u8(&mut self, _: u8);
fn write_usize(&mut self, _: usize);
}
#[derive(Clone)]
pub struct RandomState;
#[derive(Clone, Debug, Default)]
pub struct SipHasher;
impl Default for crate::hash::DefaultHasher {}
impl Default for crate::hash::RandomState {}
impl crate::fmt::Debug for crate::hash::RandomState {}
impl crate::hash::BuildHasher for crate::hash::RandomState {
type Hasher = crate::hash::DefaultHasher;
}
impl crate::hash::DefaultHasher {
fn new() -> crate::hash::DefaultHasher;
}
impl crate::hash::Hash for ! {}
impl crate::hash::Hash for () {}
impl crate::hash::Hash for bool {}
impl crate::hash::Hash for char {}
impl crate::hash::Hash for i128 {}
impl crate::hash::Hash for i16 {}
impl crate::hash::Hash for i32 {}
impl crate::hash::Hash for i64 {}
impl crate::hash::Hash for i8 {}
impl crate::hash::Hash for isize {}
impl crate::hash::Hash for str {}
impl crate::hash::Hash for u128 {}
impl crate::hash::Hash for u16 {}
impl crate::hash::Hash for u32 {}
impl crate::hash::Hash for u64 {}
impl crate::hash::Hash for u8 {}
impl crate::hash::Hash for usize {}
impl crate::hash::Hasher for crate::hash::DefaultHasher {}
impl crate::hash::Hasher for crate::hash::SipHasher {}
impl crate::hash::RandomState {
fn new() -> crate::hash::RandomState;
}
impl crate::hash::SipHasher {
fn new() -> crate::hash::SipHasher;
fn new_with_keys(_: u64, _: u64) -> crate::hash::SipHasher;
}
impl<F: crate::unnameable::FnPtr> crate::hash::Hash for F {}
impl<H: Default + crate::hash::Hasher> crate::hash::BuildHasher for crate::hash::BuildHasherDefault<H> {
type Hasher = H;
}
impl<H: crate::hash::Hasher> crate::hash::Hasher for &H {}
impl<H> Clone for crate::hash::BuildHasherDefault<H> {}
impl<H> Default for crate::hash::BuildHasherDefault<H> {}
impl<H> Eq for crate::hash::BuildHasherDefault<H> {}
impl<H> PartialEq for crate::hash::BuildHasherDefault<H> {}
impl<H> crate::fmt::Debug for crate::hash::BuildHasherDefault<H> {}
impl<H> crate::hash::BuildHasherDefault<H> {
fn new() -> Self;
}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash, F: crate::hash::Hash, G: crate::hash::Hash, H: crate::hash::Hash, I: crate::hash::Hash, J: crate::hash::Hash, K: crate::hash::Hash, L: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E, F, G, H, I, J, K, L) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash, F: crate::hash::Hash, G: crate::hash::Hash, H: crate::hash::Hash, I: crate::hash::Hash, J: crate::hash::Hash, K: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E, F, G, H, I, J, K) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash, F: crate::hash::Hash, G: crate::hash::Hash, H: crate::hash::Hash, I: crate::hash::Hash, J: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E, F, G, H, I, J) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash, F: crate::hash::Hash, G: crate::hash::Hash, H: crate::hash::Hash, I: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E, F, G, H, I) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash, F: crate::hash::Hash, G: crate::hash::Hash, H: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E, F, G, H) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash, F: crate::hash::Hash, G: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E, F, G) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash, F: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E, F) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash, E: crate::hash::Hash> crate::hash::Hash for (T, B, C, D, E) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash, D: crate::hash::Hash> crate::hash::Hash for (T, B, C, D) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash, C: crate::hash::Hash> crate::hash::Hash for (T, B, C) {}
impl<T: crate::hash::Hash, B: crate::hash::Hash> crate::hash::Hash for (T, B) {}
impl<T: crate::hash::Hash, const N: usize> crate::hash::Hash for [T; 0] {}
impl<T: crate::hash::Hash> crate::hash::Hash for &T {}
impl<T: crate::hash::Hash> crate::hash::Hash for (T,) {}
impl<T: crate::hash::Hash> crate::hash::Hash for [T] {}
impl<T> crate::hash::Hash for *const T {}
}
pub mod hint {
pub fn assert_unchecked(_: bool);
pub fn black_box<T>(_: T) -> T;
pub fn cold_path();
pub fn select_unpredictable<T>(_: bool, _: T, _: T) -> T;
pub fn spin_loop();
pub fn unreachable_unchecked() -> !;
}
pub mod i128 {
pub const MAX: i128 = 0;
pub const MIN: i128 = 0;
}
pub mod i16 {
pub const MAX: i16 = 0;
pub const MIN: i16 = 0;
}
pub mod i32 {
pub const MAX: i32 = 0;
pub const MIN: i32 = 0;
}
pub mod i64 {
pub const MAX: i64 = 0;
pub const MIN: i64 = 0;
}
pub mod i8 {
pub const MAX: i8 = 0;
pub const MIN: i8 = 0;
}
pub mod io {
pub trait BufRead: crate::io::Read {
fn consume(&mut self, _: usize);
fn fill_buf(&mut self) -> crate::io::Result<&[u8]>;
fn lines(self) -> crate::io::Lines<Self>;
fn read_line(&mut self, _: &String) -> crate::io::Result<usize>;
fn read_until(&mut self, _: u8, _: &Vec<u8>) -> crate::io::Result<usize>;
fn skip_until(&mut self, _: u8) -> crate::io::Result<usize>;
fn split(self, _: u8) -> crate::io::Split<Self>;
}
pub struct BufReader<R>;
pub struct BufWriter<W: crate::io::Write>;
#[derive(Debug)]
pub struct Bytes<R>;
#[derive(Debug)]
pub struct Chain<T, U> { first: T, second: U, done_first: bool }
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Cursor<T>;
#[derive(Clone, Copy, Debug, Default)]
pub struct Empty;
pub struct Error;
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum ErrorKind { NotFound, PermissionDenied, ConnectionRefused, ConnectionReset, HostUnreachable, NetworkUnreachable, ConnectionAborted, NotConnected, AddrInUse, AddrNotAvailable, NetworkDown, BrokenPipe, AlreadyExists, WouldBlock, NotADirectory, IsADirectory, DirectoryNotEmpty, ReadOnlyFilesystem, FilesystemLoop, StaleNetworkFileHandle, InvalidInput, InvalidData, TimedOut, WriteZero, StorageFull, NotSeekable, QuotaExceeded, FileTooLarge, ResourceBusy, ExecutableFileBusy, Deadlock, CrossesDevices, TooManyLinks, InvalidFilename, ArgumentListTooLong, Interrupted, Unsupported, UnexpectedEof, OutOfMemory, InProgress, Other, Uncategorized }
#[derive(Debug)]
pub struct IntoInnerError<W>;
#[derive(Clone, Copy)]
pub struct IoSlice;
pub struct IoSliceMut;
pub trait IsTerminal: crate::unnameable::Sealed_ {
fn is_terminal(&self) -> bool;
}
pub struct LineWriter<W: crate::io::Write>;
#[derive(Debug)]
pub struct Lines<B>;
#[derive(Debug)]
pub struct PipeReader;
#[derive(Debug)]
pub struct PipeWriter;
pub trait Read {
fn by_ref(&mut self) -> &Self;
fn bytes(self) -> crate::io::Bytes<Self>;
fn chain<R: crate::io::Read>(self, _: R) -> crate::io::Chain<Self, R>;
fn read(&mut self, _: &[u8]) -> crate::io::Result<usize>;
fn read_exact(&mut self, _: &[u8]) -> crate::io::Result<()>;
fn read_to_end(&mut self, _: &Vec<u8>) -> crate::io::Result<usize>;
fn read_to_string(&mut self, _: &String) -> crate::io::Result<usize>;
fn read_vectored(&mut self, _: &[crate::io::IoSliceMut]) -> crate::io::Result<usize>;
fn take(self, _: u64) -> crate::io::Take<Self>;
}
pub struct Repeat { byte: u8 }
pub type Result<T> = crate::result::Result<T, crate::io::Error>;
pub trait Seek {
fn rewind(&mut self) -> crate::io::Result<()>;
fn seek(&mut self, _: crate::io::SeekFrom) -> crate::io::Result<u64>;
fn seek_relative(&mut self, _: i64) -> crate::io::Result<()>;
fn stream_position(&mut self) -> crate::io::Result<u64>;
}
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SeekFrom { Start(u64), End(i64), Current(i64) }
#[derive(Clone, Copy, Debug, Default)]
pub struct Sink;
#[derive(Debug)]
pub struct Split<B>;
pub struct Stderr;
pub struct StderrLock;
pub struct Stdin;
pub struct StdinLock;
pub struct Stdout;
pub struct StdoutLock;
#[derive(Debug)]
pub struct Take<T> { inner: T, len: u64, limit: u64 }
pub trait Write {
fn by_ref(&mut self) -> &Self;
fn flush(&mut self) -> crate::io::Result<()>;
fn write(&mut self, _: &[u8]) -> crate::io::Result<usize>;
fn write_all(&mut self, _: &[u8]) -> crate::io::Result<()>;
fn write_fmt(&mut self, _: crate::fmt::Arguments) -> crate::io::Result<()>;
fn write_vectored(&mut self, _: &[crate::io::IoSlice]) -> crate::io::Result<usize>;
}
pub struct WriterPanicked;
pub fn copy<R: crate::io::Read, W: crate::io::Write>(_: &R, _: &W) -> crate::io::Result<u64>;
pub fn empty() -> crate::io::Empty;
pub fn pipe() -> crate::io::Result<(crate::io::PipeReader, crate::io::PipeWriter)>;
pub fn read_to_string<R: crate::io::Read>(_: R) -> crate::io::Result<String>;
pub fn repeat(_: u8) -> crate::io::Repeat;
pub fn sink() -> crate::io::Sink;
pub fn stderr() -> crate::io::Stderr;
pub fn stdin() -> crate::io::Stdin;
pub fn stdout() -> crate::io::Stdout;
impl From<crate::collections::TryReserveError> for crate::io::Error {}
impl From<crate::ffi::NulError> for crate::io::Error {}
impl From<crate::fs::TryLockError> for crate::io::Error {}
impl From<crate::io::ErrorKind> for crate::io::Error {}
impl From<crate::os::fd::OwnedFd> for crate::io::PipeReader {}
impl From<crate::os::fd::OwnedFd> for crate::io::PipeWriter {}
impl crate::error::Error for crate::io::Error {}
impl crate::error::Error for crate::io::WriterPanicked {}
impl crate::fmt::Debug for crate::io::Error {}
impl crate::fmt::Debug for crate::io::IoSlice {}
impl crate::fmt::Debug for crate::io::IoSliceMut {}
impl crate::fmt::Debug for crate::io::Repeat {}
impl crate::fmt::Debug for crate::io::Stderr {}
impl crate::fmt::Debug for crate::io::StderrLock {}
impl crate::fmt::Debug for crate::io::Stdin {}
impl crate::fmt::Debug for crate::io::StdinLock {}
impl crate::fmt::Debug for crate::io::Stdout {}
impl crate::fmt::Debug for crate::io::StdoutLock {}
impl crate::fmt::Debug for crate::io::WriterPanicked {}
impl crate::fmt::Display for crate::io::Error {}
impl crate::fmt::Display for crate::io::ErrorKind {}
impl crate::fmt::Display for crate::io::WriterPanicked {}
impl crate::io::BufRead for &[u8] {}
impl crate::io::BufRead for crate::io::Empty {}
impl crate::io::BufRead for crate::io::StdinLock {}
impl crate::io::Error {
fn downcast<E: crate::error::Error>(self) -> crate::result::Result<E, Self>;
fn from_raw_os_error(_: crate::unnameable::RawOsError) -> crate::io::Error;
fn get_mut(&mut self) -> Option<&dyn crate::error::Error>;
fn get_ref(&self) -> Option<&dyn crate::error::Error>;
fn into_inner(self) -> Option<Box<dyn crate::error::Error>>;
fn kind(&self) -> crate::io::ErrorKind;
fn last_os_error() -> crate::io::Error;
fn new<E: Into<Box<dyn crate::error::Error>>>(_: crate::io::ErrorKind, _: E) -> crate::io::Error;
fn other<E: Into<Box<dyn crate::error::Error>>>(_: E) -> crate::io::Error;
fn raw_os_error(&self) -> Option<crate::unnameable::RawOsError>;
}
impl crate::io::IoSlice {
fn advance(&mut self, _: usize);
fn advance_slices(_: &&[crate::io::IoSlice], _: usize);
fn new(_: &[u8]) -> crate::io::IoSlice;
}
impl crate::io::IoSliceMut {
fn advance(&mut self, _: usize);
fn advance_slices(_: &&[crate::io::IoSliceMut], _: usize);
fn new(_: &[u8]) -> crate::io::IoSliceMut;
}
impl crate::io::IsTerminal for crate::io::Stderr {}
impl crate::io::IsTerminal for crate::io::StderrLock {}
impl crate::io::IsTerminal for crate::io::Stdin {}
impl crate::io::IsTerminal for crate::io::StdinLock {}
impl crate::io::IsTerminal for crate::io::Stdout {}
impl crate::io::IsTerminal for crate::io::StdoutLock {}
impl crate::io::PipeReader {
fn try_clone(&self) -> crate::io::Result<Self>;
}
impl crate::io::PipeWriter {
fn try_clone(&self) -> crate::io::Result<Self>;
}
impl crate::io::Read for &[u8] {}
impl crate::io::Read for &crate::fs::File {}
impl crate::io::Read for &crate::io::PipeReader {}
impl crate::io::Read for &crate::io::Stdin {}
impl crate::io::Read for &crate::net::TcpStream {}
impl crate::io::Read for &crate::os::unix::net::UnixStream {}
impl crate::io::Read for crate::io::Empty {}
impl crate::io::Read for crate::io::PipeReader {}
impl crate::io::Read for crate::io::Repeat {}
impl crate::io::Read for crate::io::Stdin {}
impl crate::io::Read for crate::io::StdinLock {}
impl crate::io::Seek for &crate::fs::File {}
impl crate::io::Seek for crate::io::Empty {}
impl crate::io::Stderr {
fn lock(&self) -> crate::io::StderrLock;
}
impl crate::io::Stdin {
fn lines(self) -> crate::io::Lines<crate::io::StdinLock>;
fn lock(&self) -> crate::io::StdinLock;
fn read_line(&self, _: &String) -> crate::io::Result<usize>;
}
impl crate::io::Stdout {
fn lock(&self) -> crate::io::StdoutLock;
}
impl crate::io::Write for &[u8] {}
impl crate::io::Write for &crate::fs::File {}
impl crate::io::Write for &crate::io::Empty {}
impl crate::io::Write for &crate::io::PipeWriter {}
impl crate::io::Write for &crate::io::Sink {}
impl crate::io::Write for &crate::io::Stderr {}
impl crate::io::Write for &crate::io::Stdout {}
impl crate::io::Write for &crate::net::TcpStream {}
impl crate::io::Write for &crate::os::unix::net::UnixStream {}
impl crate::io::Write for &crate::process::ChildStdin {}
impl crate::io::Write for crate::io::Cursor<&Vec<u8>> {}
impl crate::io::Write for crate::io::Cursor<&[u8]> {}
impl crate::io::Write for crate::io::Cursor<Box<[u8]>> {}
impl crate::io::Write for crate::io::Cursor<Vec<u8>> {}
impl crate::io::Write for crate::io::Empty {}
impl crate::io::Write for crate::io::PipeWriter {}
impl crate::io::Write for crate::io::Sink {}
impl crate::io::Write for crate::io::Stderr {}
impl crate::io::Write for crate::io::StderrLock {}
impl crate::io::Write for crate::io::Stdout {}
impl crate::io::Write for crate::io::StdoutLock {}
impl crate::io::WriterPanicked {
fn into_inner(self) -> Vec<u8>;
}
impl crate::ops::Deref for crate::io::IoSlice {
type Target = [u8];
}
impl crate::ops::Deref for crate::io::IoSliceMut {
type Target = [u8];
}
impl crate::ops::DerefMut for crate::io::IoSliceMut {}
impl crate::os::fd::AsFd for crate::io::PipeReader {}
impl crate::os::fd::AsFd for crate::io::PipeWriter {}
impl crate::os::fd::AsFd for crate::io::Stderr {}
impl crate::os::fd::AsFd for crate::io::StderrLock {}
impl crate::os::fd::AsFd for crate::io::Stdin {}
impl crate::os::fd::AsFd for crate::io::StdinLock {}
impl crate::os::fd::AsFd for crate::io::Stdout {}
impl crate::os::fd::AsFd for crate::io::StdoutLock {}
impl crate::os::fd::AsRawFd for crate::io::PipeReader {}
impl crate::os::fd::AsRawFd for crate::io::PipeWriter {}
impl crate::os::fd::AsRawFd for crate::io::Stderr {}
impl crate::os::fd::AsRawFd for crate::io::StderrLock {}
impl crate::os::fd::AsRawFd for crate::io::Stdin {}
impl crate::os::fd::AsRawFd for crate::io::StdinLock {}
impl crate::os::fd::AsRawFd for crate::io::Stdout {}
impl crate::os::fd::AsRawFd for crate::io::StdoutLock {}
impl crate::os::fd::FromRawFd for crate::io::PipeReader {}
impl crate::os::fd::FromRawFd for crate::io::PipeWriter {}
impl crate::os::fd::IntoRawFd for crate::io::PipeReader {}
impl crate::os::fd::IntoRawFd for crate::io::PipeWriter {}
impl crate::unnameable::Sealed_ for crate::io::Stderr {}
impl crate::unnameable::Sealed_ for crate::io::StderrLock {}
impl crate::unnameable::Sealed_ for crate::io::Stdin {}
impl crate::unnameable::Sealed_ for crate::io::StdinLock {}
impl crate::unnameable::Sealed_ for crate::io::Stdout {}
impl crate::unnameable::Sealed_ for crate::io::StdoutLock {}
impl<B: crate::io::BufRead> Iterator for crate::io::Lines<B> {
type Item = crate::io::Result<String>;
}
impl<B: crate::io::BufRead> Iterator for crate::io::Split<B> {
type Item = crate::io::Result<Vec<u8>>;
}
impl<B: crate::io::BufRead> crate::io::BufRead for &B {}
impl<R: crate::fmt::Debug> crate::fmt::Debug for crate::io::BufReader<R> {}
impl<R: crate::io::Read> Iterator for crate::io::Bytes<R> {
type Item = crate::io::Result<u8>;
}
impl<R: crate::io::Read> crate::io::BufRead for crate::io::BufReader<R> {}
impl<R: crate::io::Read> crate::io::BufReader<R> {
fn new(_: R) -> crate::io::BufReader<R>;
fn with_capacity(_: usize, _: R) -> crate::io::BufReader<R>;
}
impl<R: crate::io::Read> crate::io::Read for &R {}
impl<R: crate::io::Read> crate::io::Read for crate::io::BufReader<R> {}
impl<R: crate::io::Seek> crate::io::BufReader<R> {
fn seek_relative(&mut self, _: i64) -> crate::io::Result<()>;
}
impl<R: crate::io::Seek> crate::io::Seek for crate::io::BufReader<R> {}
impl<R> crate::io::BufReader<R> {
fn buffer(&self) -> &[u8];
fn capacity(&self) -> usize;
fn get_mut(&mut self) -> &R;
fn get_ref(&self) -> &R;
fn into_inner(self) -> R;
}
impl<S: crate::io::Seek> crate::io::Seek for &S {}
impl<T, U> crate::io::Chain<T, U> {
fn get_mut(&mut self) -> (&T, &U);
fn get_ref(&self) -> (&T, &U);
fn into_inner(self) -> (T, U);
}
impl<T: AsRef<[u8]>> crate::io::BufRead for crate::io::Cursor<T> {}
impl<T: AsRef<[u8]>> crate::io::Read for crate::io::Cursor<T> {}
impl<T: AsRef<[u8]>> crate::io::Seek for crate::io::Cursor<T> {}
impl<T: Clone> Clone for crate::io::Cursor<T> {}
impl<T: crate::io::BufRead, U: crate::io::BufRead> crate::io::BufRead for crate::io::Chain<T, U> {}
impl<T: crate::io::BufRead> crate::io::BufRead for crate::io::Take<T> {}
impl<T: crate::io::Read, U: crate::io::Read> crate::io::Read for crate::io::Chain<T, U> {}
impl<T: crate::io::Read> crate::io::Read for crate::io::Take<T> {}
impl<T: crate::io::Seek> crate::io::Seek for crate::io::Take<T> {}
impl<T> crate::io::Cursor<T> {
fn get_mut(&mut self) -> &T;
fn get_ref(&self) -> &T;
fn into_inner(self) -> T;
fn new(_: T) -> crate::io::Cursor<T>;
fn position(&self) -> u64;
fn set_position(&mut self, _: u64);
}
impl<T> crate::io::Take<T> {
fn get_mut(&mut self) -> &T;
fn get_ref(&self) -> &T;
fn into_inner(self) -> T;
fn limit(&self) -> u64;
fn set_limit(&mut self, _: u64);
}
impl<W: crate::fmt::Debug> crate::error::Error for crate::io::IntoInnerError<W> {}
impl<W: crate::io::Write + crate::fmt::Debug> crate::fmt::Debug for crate::io::BufWriter<W> {}
impl<W: crate::io::Write + crate::fmt::Debug> crate::fmt::Debug for crate::io::LineWriter<W> {}
impl<W: crate::io::Write + crate::io::Seek> crate::io::Seek for crate::io::BufWriter<W> {}
impl<W: crate::io::Write> Drop for crate::io::BufWriter<W> {}
impl<W: crate::io::Write> crate::io::BufWriter<W> {
fn buffer(&self) -> &[u8];
fn capacity(&self) -> usize;
fn get_mut(&mut self) -> &W;
fn get_ref(&self) -> &W;
fn into_inner(self) -> crate::result::Result<W, crate::io::IntoInnerError<crate::io::BufWriter<W>>>;
fn into_parts(self) -> (W, crate::result::Result<Vec<u8>, crate::io::WriterPanicked>);
fn new(_: W) -> crate::io::BufWriter<W>;
fn with_capacity(_: usize, _: W) -> crate::io::BufWriter<W>;
}
impl<W: crate::io::Write> crate::io::LineWriter<W> {
fn get_mut(&mut self) -> &W;
fn get_ref(&self) -> &W;
fn into_inner(self) -> crate::result::Result<W, crate::io::IntoInnerError<crate::io::LineWriter<W>>>;
fn new(_: W) -> crate::io::LineWriter<W>;
fn with_capacity(_: usize, _: W) -> crate::io::LineWriter<W>;
}
impl<W: crate::io::Write> crate::io::Write for &W {}
impl<W: crate::io::Write> crate::io::Write for crate::io::BufWriter<W> {}
impl<W: crate::io::Write> crate::io::Write for crate::io::LineWriter<W> {}
impl<W> From<crate::io::IntoInnerError<W>> for crate::io::Error {}
impl<W> crate::fmt::Display for crate::io::IntoInnerError<W> {}
impl<W> crate::io::IntoInnerError<W> {
fn error(&self) -> &crate::io::Error;
fn into_error(self) -> crate::io::Error;
fn into_inner(self) -> W;
fn into_parts(self) -> (crate::io::Error, W);
}
impl<const N: usize> crate::io::Write for crate::io::Cursor<[u8; 0]> {}
pub mod prelude {
pub use crate::io::BufRead;
pub use crate::io::Read;
pub use crate::io::Seek;
pub use crate::io::Write;
}
}
pub mod isize {
pub const MAX: isize = 0;
pub const MIN: isize = 0;
}
pub mod iter {
#[derive(Clone, Debug)]
pub struct Chain<A, B>;
#[derive(Clone, Debug)]
pub struct Cloned<I>;
#[derive(Clone, Debug)]
pub struct Copied<I>;
#[derive(Clone, Debug)]
pub struct Cycle<I>;
pub trait DoubleEndedIterator: Iterator {
fn next_back(&mut self) -> Option<Self::Item>;
fn nth_back(&mut self, _: usize) -> Option<Self::Item>;
fn rfind<P: FnMut<(&Self::Item,), Output = bool>>(&mut self, _: P) -> Option<Self::Item>;
fn rfold<B, F: FnMut<(B, Self::Item), Output = B>>(self, _: B, _: F) -> B;
fn try_rfold<B, F: FnMut<(B, Self::Item), Output = R>, R: crate::unnameable::Try<Output = B>>(&mut self, _: B, _: F) -> R;
}
pub struct Empty<T>;
#[derive(Clone, Debug)]
pub struct Enumerate<I>;
pub trait ExactSizeIterator: Iterator {
fn len(&self) -> usize;
}
pub trait Extend<A> {
fn extend<T: IntoIterator<Item = A>>(&mut self, _: T);
}
#[derive(Clone)]
pub struct Filter<I, P>;
#[derive(Clone)]
pub struct FilterMap<I, F>;
pub struct FlatMap<I, U: IntoIterator, F>;
pub struct Flatten<I: Iterator>;
#[derive(Clone)]
pub struct FromFn<F>;
pub trait FromIterator<A> {
fn from_iter<T: IntoIterator<Item = A>>(_: T) -> Self;
}
#[derive(Clone, Debug)]
pub struct Fuse<I>;
pub trait FusedIterator: Iterator {}
#[derive(Clone)]
pub struct Inspect<I, F>;
pub trait IntoIterator {
fn into_iter(self) -> Self::IntoIter;
type IntoIter: Iterator<Item = Self::Item>;
type Item;
}
pub trait Iterator {
fn all<F: FnMut<(Self::Item,), Output = bool>>(&mut self, _: F) -> bool;
fn any<F: FnMut<(Self::Item,), Output = bool>>(&mut self, _: F) -> bool;
fn by_ref(&mut self) -> &Self;
fn chain<U: IntoIterator<Item = Self::Item>>(self, _: U) -> crate::iter::Chain<Self, U::IntoIter>;
fn cloned<T: Clone>(self) -> crate::iter::Cloned<Self> where Self: Iterator<Item = &T>;
fn cmp<I: IntoIterator<Item = Self::Item>>(self, _: I) -> crate::cmp::Ordering where Self::Item: Ord;
fn collect<B: crate::iter::FromIterator<Self::Item>>(self) -> B;
fn copied<T: Copy>(self) -> crate::iter::Copied<Self> where Self: Iterator<Item = &T>;
fn count(self) -> usize;
fn cycle(self) -> crate::iter::Cycle<Self> where Self: Clone;
fn enumerate(self) -> crate::iter::Enumerate<Self>;
fn eq<I: IntoIterator>(self, _: I) -> bool where Self::Item: PartialEq<I::Item>;
fn filter<P: FnMut<(&Self::Item,), Output = bool>>(self, _: P) -> crate::iter::Filter<Self, P>;
fn filter_map<B, F: FnMut<(Self::Item,), Output = Option<B>>>(self, _: F) -> crate::iter::FilterMap<Self, F>;
fn find<P: FnMut<(&Self::Item,), Output = bool>>(&mut self, _: P) -> Option<Self::Item>;
fn find_map<B, F: FnMut<(Self::Item,), Output = Option<B>>>(&mut self, _: F) -> Option<B>;
fn flat_map<U: IntoIterator, F: FnMut<(Self::Item,), Output = U>>(self, _: F) -> crate::iter::FlatMap<Self, U, F>;
fn flatten(self) -> crate::iter::Flatten<Self> where Self::Item: IntoIterator;
fn fold<B, F: FnMut<(B, Self::Item), Output = B>>(self, _: B, _: F) -> B;
fn for_each<F: FnMut<(Self::Item,), Output = ()>>(self, _: F);
fn fuse(self) -> crate::iter::Fuse<Self>;
fn ge<I: IntoIterator>(self, _: I) -> bool where Self::Item: PartialOrd<I::Item>;
fn gt<I: IntoIterator>(self, _: I) -> bool where Self::Item: PartialOrd<I::Item>;
fn inspect<F: FnMut<(&Self::Item,), Output = ()>>(self, _: F) -> crate::iter::Inspect<Self, F>;
fn is_sorted(self) -> bool where Self::Item: PartialOrd;
fn is_sorted_by<F: FnMut<(&Self::Item, &Self::Item), Output = bool>>(self, _: F) -> bool;
fn is_sorted_by_key<F: FnMut<(Self::Item,), Output = K>, K: PartialOrd>(self, _: F) -> bool;
fn last(self) -> Option<Self::Item>;
fn le<I: IntoIterator>(self, _: I) -> bool where Self::Item: PartialOrd<I::Item>;
fn lt<I: IntoIterator>(self, _: I) -> bool where Self::Item: PartialOrd<I::Item>;
fn map<B, F: FnMut<(Self::Item,), Output = B>>(self, _: F) -> crate::iter::Map<Self, F>;
fn map_while<B, P: FnMut<(Self::Item,), Output = Option<B>>>(self, _: P) -> crate::iter::MapWhile<Self, P>;
fn max(self) -> Option<Self::Item> where Self::Item: Ord;
fn max_by<F: FnMut<(&Self::Item, &Self::Item), Output = crate::cmp::Ordering>>(self, _: F) -> Option<Self::Item>;
fn max_by_key<B: Ord, F: FnMut<(&Self::Item,), Output = B>>(self, _: F) -> Option<Self::Item>;
fn min(self) -> Option<Self::Item> where Self::Item: Ord;
fn min_by<F: FnMut<(&Self::Item, &Self::Item), Output = crate::cmp::Ordering>>(self, _: F) -> Option<Self::Item>;
fn min_by_key<B: Ord, F: FnMut<(&Self::Item,), Output = B>>(self, _: F) -> Option<Self::Item>;
fn ne<I: IntoIterator>(self, _: I) -> bool where Self::Item: PartialEq<I::Item>;
fn next(&mut self) -> Option<Self::Item>;
fn nth(&mut self, _: usize) -> Option<Self::Item>;
fn partial_cmp<I: IntoIterator>(self, _: I) -> Option<crate::cmp::Ordering> where Self::Item: PartialOrd<I::Item>;
fn partition<B: Default + Extend<Self::Item>, F: FnMut<(&Self::Item,), Output = bool>>(self, _: F) -> (B, B);
fn peekable(self) -> crate::iter::Peekable<Self>;
fn position<P: FnMut<(Self::Item,), Output = bool>>(&mut self, _: P) -> Option<usize>;
fn product<P: crate::iter::Product<Self::Item>>(self) -> P;
fn reduce<F: FnMut<(Self::Item, Self::Item), Output = Self::Item>>(self, _: F) -> Option<Self::Item>;
fn rev(self) -> crate::iter::Rev<Self> where Self: DoubleEndedIterator;
fn rposition<P: FnMut<(Self::Item,), Output = bool>>(&mut self, _: P) -> Option<usize> where Self: ExactSizeIterator + DoubleEndedIterator;
fn scan<St, B, F: FnMut<(&St, Self::Item), Output = Option<B>>>(self, _: St, _: F) -> crate::iter::Scan<Self, St, F>;
fn size_hint(&self) -> (usize, Option<usize>);
fn skip(self, _: usize) -> crate::iter::Skip<Self>;
fn skip_while<P: FnMut<(&Self::Item,), Output = bool>>(self, _: P) -> crate::iter::SkipWhile<Self, P>;
fn step_by(self, _: usize) -> crate::iter::StepBy<Self>;
fn sum<S: crate::iter::Sum<Self::Item>>(self) -> S;
fn take(self, _: usize) -> crate::iter::Take<Self>;
fn take_while<P: FnMut<(&Self::Item,), Output = bool>>(self, _: P) -> crate::iter::TakeWhile<Self, P>;
fn try_fold<B, F: FnMut<(B, Self::Item), Output = R>, R: crate::unnameable::Try<Output = B>>(&mut self, _: B, _: F) -> R;
fn try_for_each<F: FnMut<(Self::Item,), Output = R>, R: crate::unnameable::Try<Output = ()>>(&mut self, _: F) -> R;
fn unzip<A, B, FromA: Default + Extend<A>, FromB: Default + Extend<B>>(self) -> (FromA, FromB) where Self: Iterator<Item = (A, B)>;
fn zip<U: IntoIterator>(self, _: U) -> crate::iter::Zip<Self, U::IntoIter>;
type Item;
}
#[derive(Clone)]
pub struct Map<I, F>;
#[derive(Clone)]
pub struct MapWhile<I, P>;
#[derive(Clone, Debug)]
pub struct Once<T>;
#[derive(Clone)]
pub struct OnceWith<F>;
#[derive(Clone, Debug)]
pub struct Peekable<I: Iterator>;
pub trait Product<A = Self> {
fn product<I: Iterator<Item = A>>(_: I) -> Self;
}
#[derive(Clone, Debug)]
pub struct Repeat<A>;
#[derive(Clone)]
pub struct RepeatN<A>;
#[derive(Clone, Copy)]
pub struct RepeatWith<F>;
#[derive(Clone, Debug)]
pub struct Rev<T>;
#[derive(Clone)]
pub struct Scan<I, St, F>;
#[derive(Clone, Debug)]
pub struct Skip<I>;
#[derive(Clone)]
pub struct SkipWhile<I, P>;
#[derive(Clone, Debug)]
pub struct StepBy<I>;
#[derive(Clone)]
pub struct Successors<T, F>;
pub trait Sum<A = Self> {
fn sum<I: Iterator<Item = A>>(_: I) -> Self;
}
#[derive(Clone, Debug)]
pub struct Take<I>;
#[derive(Clone)]
pub struct TakeWhile<I, P>;
#[derive(Clone)]
pub struct Zip<A, B>;
pub fn chain<A: IntoIterator, B: IntoIterator<Item = A::Item>>(_: A, _: B) -> crate::iter::Chain<A::IntoIter, B::IntoIter>;
pub fn empty<T>() -> crate::iter::Empty<T>;
pub fn from_fn<T, F: FnMut<(), Output = Option<T>>>(_: F) -> crate::iter::FromFn<F>;
pub fn once<T>(_: T) -> crate::iter::Once<T>;
pub fn once_with<A, F: FnOnce<(), Output = A>>(_: F) -> crate::iter::OnceWith<F>;
pub fn repeat<T: Clone>(_: T) -> crate::iter::Repeat<T>;
pub fn repeat_n<T: Clone>(_: T, _: usize) -> crate::iter::RepeatN<T>;
pub fn repeat_with<A, F: FnMut<(), Output = A>>(_: F) -> crate::iter::RepeatWith<F>;
pub fn successors<T, F: FnMut<(&T,), Output = Option<T>>>(_: Option<T>, _: F) -> crate::iter::Successors<T, F>;
pub fn zip<A: IntoIterator, B: IntoIterator>(_: A, _: B) -> crate::iter::Zip<A::IntoIter, B::IntoIter>;
impl Extend<()> for () {}
impl IntoIterator for &crate::os::unix::net::UnixListener {
type IntoIter = crate::os::unix::net::Incoming;
type Item = crate::io::Result<crate::os::unix::net::UnixStream>;
}
impl IntoIterator for &crate::path::Path {
type IntoIter = crate::path::Iter;
type Item = &crate::ffi::OsStr;
}
impl IntoIterator for &crate::path::PathBuf {
type IntoIter = crate::path::Iter;
type Item = &crate::ffi::OsStr;
}
impl crate::iter::FromIterator<()> for () {}
impl crate::iter::Product for f32 {}
impl crate::iter::Product for f64 {}
impl crate::iter::Product for i128 {}
impl crate::iter::Product for i16 {}
impl crate::iter::Product for i32 {}
impl crate::iter::Product for i64 {}
impl crate::iter::Product for i8 {}
impl crate::iter::Product for isize {}
impl crate::iter::Product for u128 {}
impl crate::iter::Product for u16 {}
impl crate::iter::Product for u32 {}
impl crate::iter::Product for u64 {}
impl crate::iter::Product for u8 {}
impl crate::iter::Product for usize {}
impl crate::iter::Product<&f32> for f32 {}
impl crate::iter::Product<&f64> for f64 {}
impl crate::iter::Product<&i128> for i128 {}
impl crate::iter::Product<&i16> for i16 {}
impl crate::iter::Product<&i32> for i32 {}
impl crate::iter::Product<&i64> for i64 {}
impl crate::iter::Product<&i8> for i8 {}
impl crate::iter::Product<&isize> for isize {}
impl crate::iter::Product<&u128> for u128 {}
impl crate::iter::Product<&u16> for u16 {}
impl crate::iter::Product<&u32> for u32 {}
impl crate::iter::Product<&u64> for u64 {}
impl crate::iter::Product<&u8> for u8 {}
impl crate::iter::Product<&usize> for usize {}
impl crate::iter::Sum for f32 {}
impl crate::iter::Sum for f64 {}
impl crate::iter::Sum for i128 {}
impl crate::iter::Sum for i16 {}
impl crate::iter::Sum for i32 {}
impl crate::iter::Sum for i64 {}
impl crate::iter::Sum for i8 {}
impl crate::iter::Sum for isize {}
impl crate::iter::Sum for u128 {}
impl crate::iter::Sum for u16 {}
impl crate::iter::Sum for u32 {}
impl crate::iter::Sum for u64 {}
impl crate::iter::Sum for u8 {}
impl crate::iter::Sum for usize {}
impl crate::iter::Sum<&f32> for f32 {}
impl crate::iter::Sum<&f64> for f64 {}
impl crate::iter::Sum<&i128> for i128 {}
impl crate::iter::Sum<&i16> for i16 {}
impl crate::iter::Sum<&i32> for i32 {}
impl crate::iter::Sum<&i64> for i64 {}
impl crate::iter::Sum<&i8> for i8 {}
impl crate::iter::Sum<&isize> for isize {}
impl crate::iter::Sum<&u128> for u128 {}
impl crate::iter::Sum<&u16> for u16 {}
impl crate::iter::Sum<&u32> for u32 {}
impl crate::iter::Sum<&u64> for u64 {}
impl crate::iter::Sum<&u8> for u8 {}
impl crate::iter::Sum<&usize> for usize {}
impl<A, B, C, D, E, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>> crate::iter::FromIterator<(A, B, C, D, E)> for (ExA, ExB, ExC, ExD, ExE) {}
impl<A, B, C, D, E, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>> Extend<(A, B, C, D, E)> for (ExA, ExB, ExC, ExD, ExE) {}
impl<A, B, C, D, E, F, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>, ExF: Default + Extend<F>> crate::iter::FromIterator<(A, B, C, D, E, F)> for (ExA, ExB, ExC, ExD, ExE, ExF) {}
impl<A, B, C, D, E, F, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>, ExF: Extend<F>> Extend<(A, B, C, D, E, F)> for (ExA, ExB, ExC, ExD, ExE, ExF) {}
impl<A, B, C, D, E, F, G, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>, ExF: Default + Extend<F>, ExG: Default + Extend<G>> crate::iter::FromIterator<(A, B, C, D, E, F, G)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG) {}
impl<A, B, C, D, E, F, G, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>, ExF: Extend<F>, ExG: Extend<G>> Extend<(A, B, C, D, E, F, G)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG) {}
impl<A, B, C, D, E, F, G, H, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>, ExF: Default + Extend<F>, ExG: Default + Extend<G>, ExH: Default + Extend<H>> crate::iter::FromIterator<(A, B, C, D, E, F, G, H)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH) {}
impl<A, B, C, D, E, F, G, H, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>, ExF: Extend<F>, ExG: Extend<G>, ExH: Extend<H>> Extend<(A, B, C, D, E, F, G, H)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH) {}
impl<A, B, C, D, E, F, G, H, I, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>, ExF: Default + Extend<F>, ExG: Default + Extend<G>, ExH: Default + Extend<H>, ExI: Default + Extend<I>> crate::iter::FromIterator<(A, B, C, D, E, F, G, H, I)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI) {}
impl<A, B, C, D, E, F, G, H, I, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>, ExF: Extend<F>, ExG: Extend<G>, ExH: Extend<H>, ExI: Extend<I>> Extend<(A, B, C, D, E, F, G, H, I)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI) {}
impl<A, B, C, D, E, F, G, H, I, J, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>, ExF: Default + Extend<F>, ExG: Default + Extend<G>, ExH: Default + Extend<H>, ExI: Default + Extend<I>, ExJ: Default + Extend<J>> crate::iter::FromIterator<(A, B, C, D, E, F, G, H, I, J)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI, ExJ) {}
impl<A, B, C, D, E, F, G, H, I, J, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>, ExF: Extend<F>, ExG: Extend<G>, ExH: Extend<H>, ExI: Extend<I>, ExJ: Extend<J>> Extend<(A, B, C, D, E, F, G, H, I, J)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI, ExJ) {}
impl<A, B, C, D, E, F, G, H, I, J, K, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>, ExF: Default + Extend<F>, ExG: Default + Extend<G>, ExH: Default + Extend<H>, ExI: Default + Extend<I>, ExJ: Default + Extend<J>, ExK: Default + Extend<K>> crate::iter::FromIterator<(A, B, C, D, E, F, G, H, I, J, K)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI, ExJ, ExK) {}
impl<A, B, C, D, E, F, G, H, I, J, K, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>, ExF: Extend<F>, ExG: Extend<G>, ExH: Extend<H>, ExI: Extend<I>, ExJ: Extend<J>, ExK: Extend<K>> Extend<(A, B, C, D, E, F, G, H, I, J, K)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI, ExJ, ExK) {}
impl<A, B, C, D, E, F, G, H, I, J, K, L, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>, ExE: Default + Extend<E>, ExF: Default + Extend<F>, ExG: Default + Extend<G>, ExH: Default + Extend<H>, ExI: Default + Extend<I>, ExJ: Default + Extend<J>, ExK: Default + Extend<K>, ExL: Default + Extend<L>> crate::iter::FromIterator<(A, B, C, D, E, F, G, H, I, J, K, L)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI, ExJ, ExK, ExL) {}
impl<A, B, C, D, E, F, G, H, I, J, K, L, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>, ExE: Extend<E>, ExF: Extend<F>, ExG: Extend<G>, ExH: Extend<H>, ExI: Extend<I>, ExJ: Extend<J>, ExK: Extend<K>, ExL: Extend<L>> Extend<(A, B, C, D, E, F, G, H, I, J, K, L)> for (ExA, ExB, ExC, ExD, ExE, ExF, ExG, ExH, ExI, ExJ, ExK, ExL) {}
impl<A, B, C, D, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>, ExD: Default + Extend<D>> crate::iter::FromIterator<(A, B, C, D)> for (ExA, ExB, ExC, ExD) {}
impl<A, B, C, D, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>, ExD: Extend<D>> Extend<(A, B, C, D)> for (ExA, ExB, ExC, ExD) {}
impl<A, B, C, ExA: Default + Extend<A>, ExB: Default + Extend<B>, ExC: Default + Extend<C>> crate::iter::FromIterator<(A, B, C)> for (ExA, ExB, ExC) {}
impl<A, B, C, ExA: Extend<A>, ExB: Extend<B>, ExC: Extend<C>> Extend<(A, B, C)> for (ExA, ExB, ExC) {}
impl<A, B, ExA: Default + Extend<A>, ExB: Default + Extend<B>> crate::iter::FromIterator<(A, B)> for (ExA, ExB) {}
impl<A, B, ExA: Extend<A>, ExB: Extend<B>> Extend<(A, B)> for (ExA, ExB) {}
impl<A, F: FnMut<(), Output = A>> Iterator for crate::iter::RepeatWith<F> {
type Item = A;
}
impl<A, F: FnOnce<(), Output = A>> DoubleEndedIterator for crate::iter::OnceWith<F> {}
impl<A, F: FnOnce<(), Output = A>> ExactSizeIterator for crate::iter::OnceWith<F> {}
impl<A, F: FnOnce<(), Output = A>> Iterator for crate::iter::OnceWith<F> {
type Item = A;
}
impl<A: Clone> DoubleEndedIterator for crate::iter::Repeat<A> {}
impl<A: Clone> DoubleEndedIterator for crate::iter::RepeatN<A> {}
impl<A: Clone> ExactSizeIterator for crate::iter::RepeatN<A> {}
impl<A: Clone> Iterator for crate::iter::Repeat<A> {
type Item = A;
}
impl<A: Clone> Iterator for crate::iter::RepeatN<A> {
type Item = A;
}
impl<A: Default, B: Default> Default for crate::iter::Chain<A, B> {}
impl<A: DoubleEndedIterator + ExactSizeIterator, B: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for crate::iter::Zip<A, B> {}
impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for crate::iter::Chain<A, B> {}
impl<A: ExactSizeIterator, B: ExactSizeIterator> ExactSizeIterator for crate::iter::Zip<A, B> {}
impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for crate::iter::Chain<A, B> {
type Item = A::Item;
}
impl<A: Iterator, B: Iterator> Iterator for crate::iter::Zip<A, B> {
type Item = (A::Item, B::Item);
}
impl<A: crate::fmt::Debug, B: crate::fmt::Debug> crate::fmt::Debug for crate::iter::Zip<A, B> {}
impl<A: crate::fmt::Debug> crate::fmt::Debug for crate::iter::RepeatN<A> {}
impl<A> Default for crate::iter::RepeatN<A> {}
impl<B, I: DoubleEndedIterator, F: FnMut<(I::Item,), Output = B>> DoubleEndedIterator for crate::iter::Map<I, F> {}
impl<B, I: DoubleEndedIterator, F: FnMut<(I::Item,), Output = Option<B>>> DoubleEndedIterator for crate::iter::FilterMap<I, F> {}
impl<B, I: ExactSizeIterator, F: FnMut<(I::Item,), Output = B>> ExactSizeIterator for crate::iter::Map<I, F> {}
impl<B, I: Iterator, F: FnMut<(I::Item,), Output = B>> Iterator for crate::iter::Map<I, F> {
type Item = B;
}
impl<B, I: Iterator, F: FnMut<(I::Item,), Output = Option<B>>> Iterator for crate::iter::FilterMap<I, F> {
type Item = B;
}
impl<B, I: Iterator, P: FnMut<(I::Item,), Output = Option<B>>> Iterator for crate::iter::MapWhile<I, P> {
type Item = B;
}
impl<B, I: Iterator, St, F: FnMut<(&St, I::Item), Output = Option<B>>> Iterator for crate::iter::Scan<I, St, F> {
type Item = B;
}
impl<F: FnMut<(), Output = A>, A> ExactSizeIterator for crate::iter::Take<crate::iter::RepeatWith<F>> {}
impl<F> crate::fmt::Debug for crate::iter::FromFn<F> {}
impl<F> crate::fmt::Debug for crate::iter::OnceWith<F> {}
impl<F> crate::fmt::Debug for crate::iter::RepeatWith<F> {}
impl<I: Clone + Iterator, U: Clone + Iterator> Clone for crate::iter::Flatten<I> where I::Item: IntoIterator<IntoIter = U> {}
impl<I: Clone + Iterator> Iterator for crate::iter::Cycle<I> {
type Item = <I as Iterator>::Item;
}
impl<I: Clone, U: Clone + IntoIterator, F: Clone> Clone for crate::iter::FlatMap<I, U, F> where U::IntoIter: Clone {}
impl<I: Default + Iterator> Default for crate::iter::Flatten<I> where I::Item: IntoIterator {}
impl<I: Default> Default for crate::iter::Cloned<I> {}
impl<I: Default> Default for crate::iter::Copied<I> {}
impl<I: Default> Default for crate::iter::Enumerate<I> {}
impl<I: Default> Default for crate::iter::Fuse<I> {}
impl<I: Default> Default for crate::iter::Rev<I> {}
impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for crate::iter::Skip<I> {}
impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for crate::iter::StepBy<I> {}
impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for crate::iter::Take<I> {}
impl<I: DoubleEndedIterator, F: FnMut<(&I::Item,), Output = ()>> DoubleEndedIterator for crate::iter::Inspect<I, F> {}
impl<I: DoubleEndedIterator, P: FnMut<(&I::Item,), Output = bool>> DoubleEndedIterator for crate::iter::Filter<I, P> {}
impl<I: DoubleEndedIterator, U: DoubleEndedIterator> DoubleEndedIterator for crate::iter::Flatten<I> where I::Item: IntoIterator<IntoIter = U> {}
impl<I: DoubleEndedIterator, U: IntoIterator, F: FnMut<(I::Item,), Output = U>> DoubleEndedIterator for crate::iter::FlatMap<I, U, F> where U::IntoIter: DoubleEndedIterator {}
impl<I: DoubleEndedIterator<Item = &T>, T: Clone> DoubleEndedIterator for crate::iter::Cloned<I> {}
impl<I: DoubleEndedIterator<Item = &T>, T: Copy> DoubleEndedIterator for crate::iter::Copied<I> {}
impl<I: DoubleEndedIterator> DoubleEndedIterator for &I {}
impl<I: DoubleEndedIterator> DoubleEndedIterator for crate::iter::Fuse<I> {}
impl<I: DoubleEndedIterator> DoubleEndedIterator for crate::iter::Peekable<I> {}
impl<I: DoubleEndedIterator> DoubleEndedIterator for crate::iter::Rev<I> {}
impl<I: DoubleEndedIterator> Iterator for crate::iter::Rev<I> {
type Item = <I as Iterator>::Item;
}
impl<I: ExactSizeIterator + DoubleEndedIterator> DoubleEndedIterator for crate::iter::Enumerate<I> {}
impl<I: ExactSizeIterator + DoubleEndedIterator> ExactSizeIterator for crate::iter::Rev<I> {}
impl<I: ExactSizeIterator, F: FnMut<(&I::Item,), Output = ()>> ExactSizeIterator for crate::iter::Inspect<I, F> {}
impl<I: ExactSizeIterator<Item = &T>, T: Clone> ExactSizeIterator for crate::iter::Cloned<I> {}
impl<I: ExactSizeIterator<Item = &T>, T: Copy> ExactSizeIterator for crate::iter::Copied<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for &I {}
impl<I: ExactSizeIterator> ExactSizeIterator for crate::iter::Enumerate<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for crate::iter::Fuse<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for crate::iter::Peekable<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for crate::iter::Skip<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for crate::iter::StepBy<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for crate::iter::Take<I> {}
impl<I: Iterator, F: FnMut<(&I::Item,), Output = ()>> Iterator for crate::iter::Inspect<I, F> {
type Item = I::Item;
}
impl<I: Iterator, P: FnMut<(&I::Item,), Output = bool>> Iterator for crate::iter::Filter<I, P> {
type Item = I::Item;
}
impl<I: Iterator, P: FnMut<(&I::Item,), Output = bool>> Iterator for crate::iter::SkipWhile<I, P> {
type Item = I::Item;
}
impl<I: Iterator, P: FnMut<(&I::Item,), Output = bool>> Iterator for crate::iter::TakeWhile<I, P> {
type Item = I::Item;
}
impl<I: Iterator, U: IntoIterator, F: FnMut<(I::Item,), Output = U>> Iterator for crate::iter::FlatMap<I, U, F> {
type Item = U::Item;
}
impl<I: Iterator, U: Iterator> Iterator for crate::iter::Flatten<I> where I::Item: IntoIterator<IntoIter = U> {
type Item = U::Item;
}
impl<I: Iterator<Item = &T>, T: Clone> Iterator for crate::iter::Cloned<I> {
type Item = T;
}
impl<I: Iterator<Item = &T>, T: Copy> Iterator for crate::iter::Copied<I> {
type Item = T;
}
impl<I: Iterator> IntoIterator for I {
type IntoIter = I;
type Item = I::Item;
}
impl<I: Iterator> Iterator for &I {
type Item = I::Item;
}
impl<I: Iterator> Iterator for crate::iter::Enumerate<I> {
type Item = (usize, <I as Iterator>::Item);
}
impl<I: Iterator> Iterator for crate::iter::Fuse<I> {
type Item = <I as Iterator>::Item;
}
impl<I: Iterator> Iterator for crate::iter::Peekable<I> {
type Item = I::Item;
}
impl<I: Iterator> Iterator for crate::iter::Skip<I> {
type Item = <I as Iterator>::Item;
}
impl<I: Iterator> Iterator for crate::iter::StepBy<I> {
type Item = I::Item;
}
impl<I: Iterator> Iterator for crate::iter::Take<I> {
type Item = <I as Iterator>::Item;
}
impl<I: Iterator> crate::iter::Peekable<I> {
fn next_if(&mut self, _: impl FnOnce<(&I::Item,), Output = bool>) -> Option<I::Item>;
fn next_if_eq<T>(&mut self, _: &T) -> Option<I::Item> where I::Item: PartialEq<T>;
fn next_if_map<R>(&mut self, _: impl FnOnce<(I::Item,), Output = crate::result::Result<R, I::Item>>) -> Option<R>;
fn next_if_map_mut<R>(&mut self, _: impl FnOnce<(&I::Item,), Output = Option<R>>) -> Option<R>;
fn peek(&mut self) -> Option<&I::Item>;
fn peek_mut(&mut self) -> Option<&I::Item>;
}
impl<I: crate::fmt::Debug + Iterator, U: crate::fmt::Debug + Iterator> crate::fmt::Debug for crate::iter::Flatten<I> where I::Item: IntoIterator<IntoIter = U> {}
impl<I: crate::fmt::Debug, F> crate::fmt::Debug for crate::iter::FilterMap<I, F> {}
impl<I: crate::fmt::Debug, F> crate::fmt::Debug for crate::iter::Inspect<I, F> {}
impl<I: crate::fmt::Debug, F> crate::fmt::Debug for crate::iter::Map<I, F> {}
impl<I: crate::fmt::Debug, P> crate::fmt::Debug for crate::iter::Filter<I, P> {}
impl<I: crate::fmt::Debug, P> crate::fmt::Debug for crate::iter::MapWhile<I, P> {}
impl<I: crate::fmt::Debug, P> crate::fmt::Debug for crate::iter::SkipWhile<I, P> {}
impl<I: crate::fmt::Debug, P> crate::fmt::Debug for crate::iter::TakeWhile<I, P> {}
impl<I: crate::fmt::Debug, St: crate::fmt::Debug, F> crate::fmt::Debug for crate::iter::Scan<I, St, F> {}
impl<I: crate::fmt::Debug, U: IntoIterator, F> crate::fmt::Debug for crate::iter::FlatMap<I, U, F> where U::IntoIter: crate::fmt::Debug {}
impl<I> IntoIterator for &Box<[I]> {
type IntoIter = crate::slice::Iter<I>;
type Item = &I;
}
impl<K, V, S> IntoIterator for &crate::collections::HashMap<K, V, S> {
type IntoIter = crate::collections::hash_map::Iter<K, V>;
type Item = (&K, &V);
}
impl<K, V> IntoIterator for &crate::collections::BTreeMap<K, V> {
type IntoIter = crate::collections::btree_map::Iter<K, V>;
type Item = (&K, &V);
}
impl<T, E> IntoIterator for &crate::result::Result<T, E> {
type IntoIter = crate::result::Iter<T>;
type Item = &T;
}
impl<T, ExtendT: Default + Extend<T>> crate::iter::FromIterator<(T,)> for (ExtendT,) {}
impl<T, ExtendT: Extend<T>> Extend<(T,)> for (ExtendT,) {}
impl<T, F: FnMut<(&T,), Output = Option<T>>> Iterator for crate::iter::Successors<T, F> {
type Item = T;
}
impl<T, F: FnMut<(), Output = Option<T>>> Iterator for crate::iter::FromFn<F> {
type Item = T;
}
impl<T, S> IntoIterator for &crate::collections::HashSet<T, S> {
type IntoIter = crate::collections::hash_set::Iter<T>;
type Item = &T;
}
impl<T, const N: usize> IntoIterator for &[T; 0] {
type IntoIter = crate::slice::Iter<T>;
type Item = &T;
}
impl<T, const N: usize> IntoIterator for [T; 0] {
type IntoIter = crate::array::IntoIter<T, N>;
type Item = T;
}
impl<T: Clone> DoubleEndedIterator for crate::iter::Take<crate::iter::Repeat<T>> {}
impl<T: Clone> ExactSizeIterator for crate::iter::Take<crate::iter::Repeat<T>> {}
impl<T: crate::fmt::Debug, F> crate::fmt::Debug for crate::iter::Successors<T, F> {}
impl<T> Clone for crate::iter::Empty<T> {}
impl<T> Default for crate::iter::Empty<T> {}
impl<T> DoubleEndedIterator for crate::iter::Empty<T> {}
impl<T> DoubleEndedIterator for crate::iter::Once<T> {}
impl<T> ExactSizeIterator for crate::iter::Empty<T> {}
impl<T> ExactSizeIterator for crate::iter::Once<T> {}
impl<T> IntoIterator for &Option<T> {
type IntoIter = crate::option::Iter<T>;
type Item = &T;
}
impl<T> IntoIterator for &Vec<T> {
type IntoIter = crate::slice::Iter<T>;
type Item = &T;
}
impl<T> IntoIterator for &[T] {
type IntoIter = crate::slice::Iter<T>;
type Item = &T;
}
impl<T> IntoIterator for &crate::collections::BTreeSet<T> {
type IntoIter = crate::collections::btree_set::Iter<T>;
type Item = &T;
}
impl<T> IntoIterator for &crate::collections::BinaryHeap<T> {
type IntoIter = crate::collections::binary_heap::Iter<T>;
type Item = &T;
}
impl<T> IntoIterator for &crate::collections::LinkedList<T> {
type IntoIter = crate::collections::linked_list::Iter<T>;
type Item = &T;
}
impl<T> IntoIterator for &crate::collections::VecDeque<T> {
type IntoIter = crate::collections::vec_deque::Iter<T>;
type Item = &T;
}
impl<T> IntoIterator for &crate::sync::mpsc::Receiver<T> {
type IntoIter = crate::sync::mpsc::Iter<T>;
type Item = T;
}
impl<T> Iterator for crate::iter::Empty<T> {
type Item = T;
}
impl<T> Iterator for crate::iter::Once<T> {
type Item = T;
}
impl<T> crate::fmt::Debug for crate::iter::Empty<T> {}
pub mod chain {
pub use crate::iter::Chain;
pub use crate::iter::chain;
}
pub mod empty {
pub use crate::iter::Empty;
pub use crate::iter::empty;
}
pub mod from_fn {
pub use crate::iter::FromFn;
pub use crate::iter::from_fn;
}
pub mod once {
pub use crate::iter::Once;
pub use crate::iter::once;
}
pub mod once_with {
pub use crate::iter::OnceWith;
pub use crate::iter::once_with;
}
pub mod repeat {
pub use crate::iter::Repeat;
pub use crate::iter::repeat;
}
pub mod repeat_n {
pub use crate::iter::RepeatN;
pub use crate::iter::repeat_n;
}
pub mod repeat_with {
pub use crate::iter::RepeatWith;
pub use crate::iter::repeat_with;
}
pub mod successors {
pub use crate::iter::Successors;
pub use crate::iter::successors;
}
pub mod zip {
pub use crate::iter::Zip;
pub use crate::iter::zip;
}
}
pub mod marker {
pub trait Copy: Clone {}
pub struct PhantomData<T>;
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct PhantomPinned;
pub trait Send {}
pub trait Sized {}
pub trait Sync {}
pub trait Unpin {}
impl Copy for ! {}
impl<T: Copy, const N: usize> Copy for [T; 0] {}
impl<T> Clone for crate::marker::PhantomData<T> {}
impl<T> Copy for &T {}
impl<T> Copy for crate::marker::PhantomData<T> {}
impl<T> Default for crate::marker::PhantomData<T> {}
impl<T> Eq for crate::marker::PhantomData<T> {}
impl<T> Ord for crate::marker::PhantomData<T> {}
impl<T> PartialEq for crate::marker::PhantomData<T> {}
impl<T> PartialOrd for crate::marker::PhantomData<T> {}
impl<T> crate::fmt::Debug for crate::marker::PhantomData<T> {}
impl<T> crate::hash::Hash for crate::marker::PhantomData<T> {}
impl<T> crate::unnameable::CloneFromCell for crate::marker::PhantomData<T> {}
}
pub mod mem {
pub struct Discriminant<T>;
#[derive(Clone, Copy, Debug, Default)]
pub struct ManuallyDrop<T>;
#[derive(Copy)]
pub struct MaybeUninit<T>;
pub fn align_of<T>() -> usize;
pub fn align_of_val<T>(_: &T) -> usize;
pub fn discriminant<T>(_: &T) -> crate::mem::Discriminant<T>;
pub fn drop<T>(_: T);
pub fn forget<T>(_: T);
pub fn min_align_of<T>() -> usize;
pub fn min_align_of_val<T>(_: &T) -> usize;
pub fn needs_drop<T>() -> bool;
pub fn replace<T>(_: &T, _: T) -> T;
pub fn size_of<T>() -> usize;
pub fn size_of_val<T>(_: &T) -> usize;
pub fn swap<T>(_: &T, _: &T);
pub fn take<T: Default>(_: &T) -> T;
pub fn transmute<Src, Dst>(_: Src) -> Dst;
pub fn transmute_copy<Src, Dst>(_: &Src) -> Dst;
pub fn uninitialized<T>() -> T;
pub fn zeroed<T>() -> T;
impl<T, const N: usize> AsMut<[crate::mem::MaybeUninit<T>; 0]> for crate::mem::MaybeUninit<[T; 0]> {}
impl<T, const N: usize> AsMut<[crate::mem::MaybeUninit<T>]> for crate::mem::MaybeUninit<[T; 0]> {}
impl<T, const N: usize> AsRef<[crate::mem::MaybeUninit<T>; 0]> for crate::mem::MaybeUninit<[T; 0]> {}
impl<T, const N: usize> AsRef<[crate::mem::MaybeUninit<T>]> for crate::mem::MaybeUninit<[T; 0]> {}
impl<T, const N: usize> From<[crate::mem::MaybeUninit<T>; 0]> for crate::mem::MaybeUninit<[T; 0]> {}
impl<T: Copy> Clone for crate::mem::MaybeUninit<T> {}
impl<T: Eq> Eq for crate::mem::ManuallyDrop<T> {}
impl<T: Ord> Ord for crate::mem::ManuallyDrop<T> {}
impl<T: PartialEq> PartialEq for crate::mem::ManuallyDrop<T> {}
impl<T: PartialOrd> PartialOrd for crate::mem::ManuallyDrop<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for crate::mem::ManuallyDrop<T> {}
impl<T: crate::unnameable::CloneFromCell> crate::unnameable::CloneFromCell for crate::mem::ManuallyDrop<T> {}
impl<T> Clone for crate::mem::Discriminant<T> {}
impl<T> Copy for crate::mem::Discriminant<T> {}
impl<T> Eq for crate::mem::Discriminant<T> {}
impl<T> PartialEq for crate::mem::Discriminant<T> {}
impl<T> crate::fmt::Debug for crate::mem::Discriminant<T> {}
impl<T> crate::fmt::Debug for crate::mem::MaybeUninit<T> {}
impl<T> crate::hash::Hash for crate::mem::Discriminant<T> {}
impl<T> crate::mem::ManuallyDrop<T> {
fn drop(_: &crate::mem::ManuallyDrop<T>);
fn into_inner(_: crate::mem::ManuallyDrop<T>) -> T;
fn new(_: T) -> crate::mem::ManuallyDrop<T>;
fn take(_: &crate::mem::ManuallyDrop<T>) -> T;
}
impl<T> crate::mem::MaybeUninit<T> {
fn as_mut_ptr(&mut self) -> *const T;
fn as_ptr(&self) -> *const T;
fn assume_init(self) -> T;
fn assume_init_drop(&mut self);
fn assume_init_mut(&mut self) -> &T;
fn assume_init_read(&self) -> T;
fn assume_init_ref(&self) -> &T;
fn new(_: T) -> crate::mem::MaybeUninit<T>;
fn uninit() -> crate::mem::MaybeUninit<T>;
fn write(&mut self, _: T) -> &T;
fn zeroed() -> crate::mem::MaybeUninit<T>;
}
impl<T> crate::ops::Deref for crate::mem::ManuallyDrop<T> {
type Target = T;
}
impl<T> crate::ops::DerefMut for crate::mem::ManuallyDrop<T> {}
}
pub mod net {
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AddrParseError;
#[derive(Debug)]
pub struct Incoming;
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum IpAddr { V4(crate::net::Ipv4Addr), V6(crate::net::Ipv6Addr) }
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Ipv4Addr;
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Ipv6Addr;
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Ipv6MulticastScope { Reserved0, InterfaceLocal, LinkLocal, RealmLocal, AdminLocal, SiteLocal, Unassigned6, Unassigned7, OrganizationLocal, Unassigned9, UnassignedA, UnassignedB, UnassignedC, UnassignedD, Global, ReservedF }
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shutdown { Read, Write, Both }
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum SocketAddr { V4(crate::net::SocketAddrV4), V6(crate::net::SocketAddrV6) }
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SocketAddrV4;
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SocketAddrV6;
pub struct TcpListener;
pub struct TcpStream;
pub trait ToSocketAddrs {
fn to_socket_addrs(&self) -> crate::io::Result<Self::Iter>;
type Iter: Iterator<Item = crate::net::SocketAddr>;
}
pub struct UdpSocket;
impl From<[u16; 0]> for crate::net::IpAddr {}
impl From<[u16; 0]> for crate::net::Ipv6Addr {}
impl From<[u8; 0]> for crate::net::IpAddr {}
impl From<[u8; 0]> for crate::net::Ipv4Addr {}
impl From<[u8; 0]> for crate::net::Ipv6Addr {}
impl From<crate::net::Ipv4Addr> for crate::net::IpAddr {}
impl From<crate::net::Ipv6Addr> for crate::net::IpAddr {}
impl From<crate::net::SocketAddrV4> for crate::net::SocketAddr {}
impl From<crate::net::SocketAddrV6> for crate::net::SocketAddr {}
impl From<crate::os::fd::OwnedFd> for crate::net::TcpListener {}
impl From<crate::os::fd::OwnedFd> for crate::net::TcpStream {}
impl From<crate::os::fd::OwnedFd> for crate::net::UdpSocket {}
impl From<u128> for crate::net::Ipv6Addr {}
impl From<u32> for crate::net::Ipv4Addr {}
impl Iterator for crate::net::Incoming {
type Item = crate::io::Result<crate::net::TcpStream>;
}
impl Ord for crate::net::Ipv4Addr {}
impl Ord for crate::net::Ipv6Addr {}
impl PartialEq<crate::net::IpAddr> for crate::net::Ipv4Addr {}
impl PartialEq<crate::net::IpAddr> for crate::net::Ipv6Addr {}
impl PartialEq<crate::net::Ipv4Addr> for crate::net::IpAddr {}
impl PartialEq<crate::net::Ipv6Addr> for crate::net::IpAddr {}
impl PartialOrd for crate::net::Ipv4Addr {}
impl PartialOrd for crate::net::Ipv6Addr {}
impl PartialOrd<crate::net::IpAddr> for crate::net::Ipv4Addr {}
impl PartialOrd<crate::net::IpAddr> for crate::net::Ipv6Addr {}
impl PartialOrd<crate::net::Ipv4Addr> for crate::net::IpAddr {}
impl PartialOrd<crate::net::Ipv6Addr> for crate::net::IpAddr {}
impl crate::error::Error for crate::net::AddrParseError {}
impl crate::fmt::Debug for crate::net::IpAddr {}
impl crate::fmt::Debug for crate::net::Ipv4Addr {}
impl crate::fmt::Debug for crate::net::Ipv6Addr {}
impl crate::fmt::Debug for crate::net::SocketAddr {}
impl crate::fmt::Debug for crate::net::SocketAddrV4 {}
impl crate::fmt::Debug for crate::net::SocketAddrV6 {}
impl crate::fmt::Debug for crate::net::TcpListener {}
impl crate::fmt::Debug for crate::net::TcpStream {}
impl crate::fmt::Debug for crate::net::UdpSocket {}
impl crate::fmt::Display for crate::net::AddrParseError {}
impl crate::fmt::Display for crate::net::IpAddr {}
impl crate::fmt::Display for crate::net::Ipv4Addr {}
impl crate::fmt::Display for crate::net::Ipv6Addr {}
impl crate::fmt::Display for crate::net::SocketAddr {}
impl crate::fmt::Display for crate::net::SocketAddrV4 {}
impl crate::fmt::Display for crate::net::SocketAddrV6 {}
impl crate::hash::Hash for crate::net::Ipv4Addr {}
impl crate::hash::Hash for crate::net::Ipv6Addr {}
impl crate::io::Read for crate::net::TcpStream {}
impl crate::io::Write for crate::net::TcpStream {}
impl crate::net::IpAddr {
fn is_ipv4(&self) -> bool;
fn is_ipv6(&self) -> bool;
fn is_loopback(&self) -> bool;
fn is_multicast(&self) -> bool;
fn is_unspecified(&self) -> bool;
fn to_canonical(&self) -> crate::net::IpAddr;
}
impl crate::net::Ipv4Addr {
const BITS: u32 = 0;
const BROADCAST: Self = 0;
const LOCALHOST: Self = 0;
const UNSPECIFIED: Self = 0;
fn from_bits(_: u32) -> crate::net::Ipv4Addr;
fn from_octets(_: [u8; 0]) -> crate::net::Ipv4Addr;
fn is_broadcast(&self) -> bool;
fn is_documentation(&self) -> bool;
fn is_link_local(&self) -> bool;
fn is_loopback(&self) -> bool;
fn is_multicast(&self) -> bool;
fn is_private(&self) -> bool;
fn is_unspecified(&self) -> bool;
fn new(_: u8, _: u8, _: u8, _: u8) -> crate::net::Ipv4Addr;
fn octets(&self) -> [u8; 0];
fn to_bits(self) -> u32;
fn to_ipv6_compatible(&self) -> crate::net::Ipv6Addr;
fn to_ipv6_mapped(&self) -> crate::net::Ipv6Addr;
}
impl crate::net::Ipv6Addr {
const BITS: u32 = 0;
const LOCALHOST: Self = 0;
const UNSPECIFIED: Self = 0;
fn from_bits(_: u128) -> crate::net::Ipv6Addr;
fn from_octets(_: [u8; 0]) -> crate::net::Ipv6Addr;
fn from_segments(_: [u16; 0]) -> crate::net::Ipv6Addr;
fn is_loopback(&self) -> bool;
fn is_multicast(&self) -> bool;
fn is_unicast_link_local(&self) -> bool;
fn is_unique_local(&self) -> bool;
fn is_unspecified(&self) -> bool;
fn new(_: u16, _: u16, _: u16, _: u16, _: u16, _: u16, _: u16, _: u16) -> crate::net::Ipv6Addr;
fn octets(&self) -> [u8; 0];
fn segments(&self) -> [u16; 0];
fn to_bits(self) -> u128;
fn to_canonical(&self) -> crate::net::IpAddr;
fn to_ipv4(&self) -> Option<crate::net::Ipv4Addr>;
fn to_ipv4_mapped(&self) -> Option<crate::net::Ipv4Addr>;
}
impl crate::net::SocketAddr {
fn ip(&self) -> crate::net::IpAddr;
fn is_ipv4(&self) -> bool;
fn is_ipv6(&self) -> bool;
fn new(_: crate::net::IpAddr, _: u16) -> crate::net::SocketAddr;
fn port(&self) -> u16;
fn set_ip(&mut self, _: crate::net::IpAddr);
fn set_port(&mut self, _: u16);
}
impl crate::net::SocketAddrV4 {
fn ip(&self) -> &crate::net::Ipv4Addr;
fn new(_: crate::net::Ipv4Addr, _: u16) -> crate::net::SocketAddrV4;
fn port(&self) -> u16;
fn set_ip(&mut self, _: crate::net::Ipv4Addr);
fn set_port(&mut self, _: u16);
}
impl crate::net::SocketAddrV6 {
fn flowinfo(&self) -> u32;
fn ip(&self) -> &crate::net::Ipv6Addr;
fn new(_: crate::net::Ipv6Addr, _: u16, _: u32, _: u32) -> crate::net::SocketAddrV6;
fn port(&self) -> u16;
fn scope_id(&self) -> u32;
fn set_flowinfo(&mut self, _: u32);
fn set_ip(&mut self, _: crate::net::Ipv6Addr);
fn set_port(&mut self, _: u16);
fn set_scope_id(&mut self, _: u32);
}
impl crate::net::TcpListener {
fn accept(&self) -> crate::io::Result<(crate::net::TcpStream, crate::net::SocketAddr)>;
fn bind<A: crate::net::ToSocketAddrs>(_: A) -> crate::io::Result<crate::net::TcpListener>;
fn incoming(&self) -> crate::net::Incoming;
fn local_addr(&self) -> crate::io::Result<crate::net::SocketAddr>;
fn only_v6(&self) -> crate::io::Result<bool>;
fn set_nonblocking(&self, _: bool) -> crate::io::Result<()>;
fn set_only_v6(&self, _: bool) -> crate::io::Result<()>;
fn set_ttl(&self, _: u32) -> crate::io::Result<()>;
fn take_error(&self) -> crate::io::Result<Option<crate::io::Error>>;
fn try_clone(&self) -> crate::io::Result<crate::net::TcpListener>;
fn ttl(&self) -> crate::io::Result<u32>;
}
impl crate::net::TcpStream {
fn connect<A: crate::net::ToSocketAddrs>(_: A) -> crate::io::Result<crate::net::TcpStream>;
fn connect_timeout(_: &crate::net::SocketAddr, _: crate::time::Duration) -> crate::io::Result<crate::net::TcpStream>;
fn local_addr(&self) -> crate::io::Result<crate::net::SocketAddr>;
fn nodelay(&self) -> crate::io::Result<bool>;
fn peek(&self, _: &[u8]) -> crate::io::Result<usize>;
fn peer_addr(&self) -> crate::io::Result<crate::net::SocketAddr>;
fn read_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
fn set_nodelay(&self, _: bool) -> crate::io::Result<()>;
fn set_nonblocking(&self, _: bool) -> crate::io::Result<()>;
fn set_read_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn set_ttl(&self, _: u32) -> crate::io::Result<()>;
fn set_write_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn shutdown(&self, _: crate::net::Shutdown) -> crate::io::Result<()>;
fn take_error(&self) -> crate::io::Result<Option<crate::io::Error>>;
fn try_clone(&self) -> crate::io::Result<crate::net::TcpStream>;
fn ttl(&self) -> crate::io::Result<u32>;
fn write_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
}
impl crate::net::ToSocketAddrs for &[crate::net::SocketAddr] {
type Iter = crate::iter::Cloned<crate::slice::Iter<crate::net::SocketAddr>>;
}
impl crate::net::ToSocketAddrs for (&str, u16) {
type Iter = crate::vec::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for (String, u16) {
type Iter = crate::vec::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for (crate::net::IpAddr, u16) {
type Iter = crate::option::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for (crate::net::Ipv4Addr, u16) {
type Iter = crate::option::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for (crate::net::Ipv6Addr, u16) {
type Iter = crate::option::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for crate::net::SocketAddr {
type Iter = crate::option::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for crate::net::SocketAddrV4 {
type Iter = crate::option::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for crate::net::SocketAddrV6 {
type Iter = crate::option::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::ToSocketAddrs for str {
type Iter = crate::vec::IntoIter<crate::net::SocketAddr>;
}
impl crate::net::UdpSocket {
fn bind<A: crate::net::ToSocketAddrs>(_: A) -> crate::io::Result<crate::net::UdpSocket>;
fn broadcast(&self) -> crate::io::Result<bool>;
fn connect<A: crate::net::ToSocketAddrs>(&self, _: A) -> crate::io::Result<()>;
fn join_multicast_v4(&self, _: &crate::net::Ipv4Addr, _: &crate::net::Ipv4Addr) -> crate::io::Result<()>;
fn join_multicast_v6(&self, _: &crate::net::Ipv6Addr, _: u32) -> crate::io::Result<()>;
fn leave_multicast_v4(&self, _: &crate::net::Ipv4Addr, _: &crate::net::Ipv4Addr) -> crate::io::Result<()>;
fn leave_multicast_v6(&self, _: &crate::net::Ipv6Addr, _: u32) -> crate::io::Result<()>;
fn local_addr(&self) -> crate::io::Result<crate::net::SocketAddr>;
fn multicast_loop_v4(&self) -> crate::io::Result<bool>;
fn multicast_loop_v6(&self) -> crate::io::Result<bool>;
fn multicast_ttl_v4(&self) -> crate::io::Result<u32>;
fn peek(&self, _: &[u8]) -> crate::io::Result<usize>;
fn peek_from(&self, _: &[u8]) -> crate::io::Result<(usize, crate::net::SocketAddr)>;
fn peer_addr(&self) -> crate::io::Result<crate::net::SocketAddr>;
fn read_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
fn recv(&self, _: &[u8]) -> crate::io::Result<usize>;
fn recv_from(&self, _: &[u8]) -> crate::io::Result<(usize, crate::net::SocketAddr)>;
fn send(&self, _: &[u8]) -> crate::io::Result<usize>;
fn send_to<A: crate::net::ToSocketAddrs>(&self, _: &[u8], _: A) -> crate::io::Result<usize>;
fn set_broadcast(&self, _: bool) -> crate::io::Result<()>;
fn set_multicast_loop_v4(&self, _: bool) -> crate::io::Result<()>;
fn set_multicast_loop_v6(&self, _: bool) -> crate::io::Result<()>;
fn set_multicast_ttl_v4(&self, _: u32) -> crate::io::Result<()>;
fn set_nonblocking(&self, _: bool) -> crate::io::Result<()>;
fn set_read_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn set_ttl(&self, _: u32) -> crate::io::Result<()>;
fn set_write_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn take_error(&self) -> crate::io::Result<Option<crate::io::Error>>;
fn try_clone(&self) -> crate::io::Result<crate::net::UdpSocket>;
fn ttl(&self) -> crate::io::Result<u32>;
fn write_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
}
impl crate::ops::BitAnd for crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitAnd for crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitAnd<&crate::net::Ipv4Addr> for crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitAnd<&crate::net::Ipv6Addr> for crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitAndAssign for crate::net::Ipv4Addr {}
impl crate::ops::BitAndAssign for crate::net::Ipv6Addr {}
impl crate::ops::BitAndAssign<&crate::net::Ipv4Addr> for crate::net::Ipv4Addr {}
impl crate::ops::BitAndAssign<&crate::net::Ipv6Addr> for crate::net::Ipv6Addr {}
impl crate::ops::BitOr for crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitOr for crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitOr<&crate::net::Ipv4Addr> for crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitOr<&crate::net::Ipv6Addr> for crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitOrAssign for crate::net::Ipv4Addr {}
impl crate::ops::BitOrAssign for crate::net::Ipv6Addr {}
impl crate::ops::BitOrAssign<&crate::net::Ipv4Addr> for crate::net::Ipv4Addr {}
impl crate::ops::BitOrAssign<&crate::net::Ipv6Addr> for crate::net::Ipv6Addr {}
impl crate::ops::Not for crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::Not for crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::os::fd::AsFd for crate::net::TcpListener {}
impl crate::os::fd::AsFd for crate::net::TcpStream {}
impl crate::os::fd::AsFd for crate::net::UdpSocket {}
impl crate::os::fd::AsRawFd for crate::net::TcpListener {}
impl crate::os::fd::AsRawFd for crate::net::TcpStream {}
impl crate::os::fd::AsRawFd for crate::net::UdpSocket {}
impl crate::os::fd::FromRawFd for crate::net::TcpListener {}
impl crate::os::fd::FromRawFd for crate::net::TcpStream {}
impl crate::os::fd::FromRawFd for crate::net::UdpSocket {}
impl crate::os::fd::IntoRawFd for crate::net::TcpListener {}
impl crate::os::fd::IntoRawFd for crate::net::TcpStream {}
impl crate::os::fd::IntoRawFd for crate::net::UdpSocket {}
impl crate::os::linux::net::TcpStreamExt for crate::net::TcpStream {}
impl crate::str::FromStr for crate::net::IpAddr {
type Err = crate::net::AddrParseError;
}
impl crate::str::FromStr for crate::net::Ipv4Addr {
type Err = crate::net::AddrParseError;
}
impl crate::str::FromStr for crate::net::Ipv6Addr {
type Err = crate::net::AddrParseError;
}
impl crate::str::FromStr for crate::net::SocketAddr {
type Err = crate::net::AddrParseError;
}
impl crate::str::FromStr for crate::net::SocketAddrV4 {
type Err = crate::net::AddrParseError;
}
impl crate::str::FromStr for crate::net::SocketAddrV6 {
type Err = crate::net::AddrParseError;
}
impl crate::unnameable::Sealed_ for crate::net::TcpStream {}
impl crate::unnameable::Step for crate::net::Ipv4Addr {}
impl crate::unnameable::Step for crate::net::Ipv6Addr {}
impl<I: Into<crate::net::IpAddr>> From<(I, u16)> for crate::net::SocketAddr {}
impl<T: crate::net::ToSocketAddrs> crate::net::ToSocketAddrs for &T {
type Iter = T::Iter;
}
}
pub mod num {
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FpCategory { Nan, Infinite, Zero, Subnormal, Normal }
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum IntErrorKind { Empty, InvalidDigit, PosOverflow, NegOverflow, Zero, NotAPowerOfTwo }
pub struct NonZero<T: crate::unnameable::ZeroablePrimitive>;
pub type NonZeroI128 = crate::num::NonZero<i128>;
pub type NonZeroI16 = crate::num::NonZero<i16>;
pub type NonZeroI32 = crate::num::NonZero<i32>;
pub type NonZeroI64 = crate::num::NonZero<i64>;
pub type NonZeroI8 = crate::num::NonZero<i8>;
pub type NonZeroIsize = crate::num::NonZero<isize>;
pub type NonZeroU128 = crate::num::NonZero<u128>;
pub type NonZeroU16 = crate::num::NonZero<u16>;
pub type NonZeroU32 = crate::num::NonZero<u32>;
pub type NonZeroU64 = crate::num::NonZero<u64>;
pub type NonZeroU8 = crate::num::NonZero<u8>;
pub type NonZeroUsize = crate::num::NonZero<usize>;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ParseFloatError;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ParseIntError;
#[derive(Clone, Copy, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Saturating<T>;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TryFromIntError;
#[derive(Clone, Copy, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Wrapping<T>;
impl From<!> for crate::num::TryFromIntError {}
impl From<crate::convert::Infallible> for crate::num::TryFromIntError {}
impl From<crate::num::NonZero<i16>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<i16>> for crate::num::NonZero<i32> {}
impl From<crate::num::NonZero<i16>> for crate::num::NonZero<i64> {}
impl From<crate::num::NonZero<i16>> for crate::num::NonZero<isize> {}
impl From<crate::num::NonZero<i32>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<i32>> for crate::num::NonZero<i64> {}
impl From<crate::num::NonZero<i64>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<i8>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<i8>> for crate::num::NonZero<i16> {}
impl From<crate::num::NonZero<i8>> for crate::num::NonZero<i32> {}
impl From<crate::num::NonZero<i8>> for crate::num::NonZero<i64> {}
impl From<crate::num::NonZero<i8>> for crate::num::NonZero<isize> {}
impl From<crate::num::NonZero<u16>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<u16>> for crate::num::NonZero<i32> {}
impl From<crate::num::NonZero<u16>> for crate::num::NonZero<i64> {}
impl From<crate::num::NonZero<u16>> for crate::num::NonZero<u128> {}
impl From<crate::num::NonZero<u16>> for crate::num::NonZero<u32> {}
impl From<crate::num::NonZero<u16>> for crate::num::NonZero<u64> {}
impl From<crate::num::NonZero<u16>> for crate::num::NonZero<usize> {}
impl From<crate::num::NonZero<u32>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<u32>> for crate::num::NonZero<i64> {}
impl From<crate::num::NonZero<u32>> for crate::num::NonZero<u128> {}
impl From<crate::num::NonZero<u32>> for crate::num::NonZero<u64> {}
impl From<crate::num::NonZero<u64>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<u64>> for crate::num::NonZero<u128> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<i128> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<i16> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<i32> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<i64> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<isize> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<u128> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<u16> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<u32> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<u64> {}
impl From<crate::num::NonZero<u8>> for crate::num::NonZero<usize> {}
impl From<crate::unnameable::Alignment> for crate::num::NonZero<usize> {}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<i64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i128>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i16>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i16>> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i16>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i16>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i16>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i16>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i16>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i32>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i64>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i8>> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i8>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i8>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i8>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i8>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<i8>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<i128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<i64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<isize>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<i128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<i64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u128>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u16>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u16>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u16>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u16>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u32>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u32>> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u32>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u32>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u32>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u32>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u32>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<i64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u64>> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<u8>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<i128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<i64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i128> for crate::num::NonZero<i128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i16> for crate::num::NonZero<i16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i32> for crate::num::NonZero<i32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i64> for crate::num::NonZero<i64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<i8> for crate::num::NonZero<i8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<isize> for crate::num::NonZero<isize> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u128> for crate::num::NonZero<u128> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u16> for crate::num::NonZero<u16> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u32> for crate::num::NonZero<u32> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u64> for crate::num::NonZero<u64> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<u8> for crate::num::NonZero<u8> {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for crate::num::NonZero<usize> {
type Error = crate::num::TryFromIntError;
}
impl crate::error::Error for crate::num::ParseFloatError {}
impl crate::error::Error for crate::num::ParseIntError {}
impl crate::error::Error for crate::num::TryFromIntError {}
impl crate::fmt::Display for crate::num::ParseFloatError {}
impl crate::fmt::Display for crate::num::ParseIntError {}
impl crate::fmt::Display for crate::num::TryFromIntError {}
impl crate::iter::Product for crate::num::Saturating<u128> {}
impl crate::iter::Product for crate::num::Saturating<u16> {}
impl crate::iter::Product for crate::num::Saturating<u32> {}
impl crate::iter::Product for crate::num::Saturating<u64> {}
impl crate::iter::Product for crate::num::Saturating<u8> {}
impl crate::iter::Product for crate::num::Saturating<usize> {}
impl crate::iter::Product for crate::num::Wrapping<i128> {}
impl crate::iter::Product for crate::num::Wrapping<i16> {}
impl crate::iter::Product for crate::num::Wrapping<i32> {}
impl crate::iter::Product for crate::num::Wrapping<i64> {}
impl crate::iter::Product for crate::num::Wrapping<i8> {}
impl crate::iter::Product for crate::num::Wrapping<isize> {}
impl crate::iter::Product for crate::num::Wrapping<u128> {}
impl crate::iter::Product for crate::num::Wrapping<u16> {}
impl crate::iter::Product for crate::num::Wrapping<u32> {}
impl crate::iter::Product for crate::num::Wrapping<u64> {}
impl crate::iter::Product for crate::num::Wrapping<u8> {}
impl crate::iter::Product for crate::num::Wrapping<usize> {}
impl crate::iter::Product<&crate::num::Saturating<u128>> for crate::num::Saturating<u128> {}
impl crate::iter::Product<&crate::num::Saturating<u16>> for crate::num::Saturating<u16> {}
impl crate::iter::Product<&crate::num::Saturating<u32>> for crate::num::Saturating<u32> {}
impl crate::iter::Product<&crate::num::Saturating<u64>> for crate::num::Saturating<u64> {}
impl crate::iter::Product<&crate::num::Saturating<u8>> for crate::num::Saturating<u8> {}
impl crate::iter::Product<&crate::num::Saturating<usize>> for crate::num::Saturating<usize> {}
impl crate::iter::Product<&crate::num::Wrapping<i128>> for crate::num::Wrapping<i128> {}
impl crate::iter::Product<&crate::num::Wrapping<i16>> for crate::num::Wrapping<i16> {}
impl crate::iter::Product<&crate::num::Wrapping<i32>> for crate::num::Wrapping<i32> {}
impl crate::iter::Product<&crate::num::Wrapping<i64>> for crate::num::Wrapping<i64> {}
impl crate::iter::Product<&crate::num::Wrapping<i8>> for crate::num::Wrapping<i8> {}
impl crate::iter::Product<&crate::num::Wrapping<isize>> for crate::num::Wrapping<isize> {}
impl crate::iter::Product<&crate::num::Wrapping<u128>> for crate::num::Wrapping<u128> {}
impl crate::iter::Product<&crate::num::Wrapping<u16>> for crate::num::Wrapping<u16> {}
impl crate::iter::Product<&crate::num::Wrapping<u32>> for crate::num::Wrapping<u32> {}
impl crate::iter::Product<&crate::num::Wrapping<u64>> for crate::num::Wrapping<u64> {}
impl crate::iter::Product<&crate::num::Wrapping<u8>> for crate::num::Wrapping<u8> {}
impl crate::iter::Product<&crate::num::Wrapping<usize>> for crate::num::Wrapping<usize> {}
impl crate::iter::Sum for crate::num::Saturating<u128> {}
impl crate::iter::Sum for crate::num::Saturating<u16> {}
impl crate::iter::Sum for crate::num::Saturating<u32> {}
impl crate::iter::Sum for crate::num::Saturating<u64> {}
impl crate::iter::Sum for crate::num::Saturating<u8> {}
impl crate::iter::Sum for crate::num::Saturating<usize> {}
impl crate::iter::Sum for crate::num::Wrapping<i128> {}
impl crate::iter::Sum for crate::num::Wrapping<i16> {}
impl crate::iter::Sum for crate::num::Wrapping<i32> {}
impl crate::iter::Sum for crate::num::Wrapping<i64> {}
impl crate::iter::Sum for crate::num::Wrapping<i8> {}
impl crate::iter::Sum for crate::num::Wrapping<isize> {}
impl crate::iter::Sum for crate::num::Wrapping<u128> {}
impl crate::iter::Sum for crate::num::Wrapping<u16> {}
impl crate::iter::Sum for crate::num::Wrapping<u32> {}
impl crate::iter::Sum for crate::num::Wrapping<u64> {}
impl crate::iter::Sum for crate::num::Wrapping<u8> {}
impl crate::iter::Sum for crate::num::Wrapping<usize> {}
impl crate::iter::Sum<&crate::num::Saturating<u128>> for crate::num::Saturating<u128> {}
impl crate::iter::Sum<&crate::num::Saturating<u16>> for crate::num::Saturating<u16> {}
impl crate::iter::Sum<&crate::num::Saturating<u32>> for crate::num::Saturating<u32> {}
impl crate::iter::Sum<&crate::num::Saturating<u64>> for crate::num::Saturating<u64> {}
impl crate::iter::Sum<&crate::num::Saturating<u8>> for crate::num::Saturating<u8> {}
impl crate::iter::Sum<&crate::num::Saturating<usize>> for crate::num::Saturating<usize> {}
impl crate::iter::Sum<&crate::num::Wrapping<i128>> for crate::num::Wrapping<i128> {}
impl crate::iter::Sum<&crate::num::Wrapping<i16>> for crate::num::Wrapping<i16> {}
impl crate::iter::Sum<&crate::num::Wrapping<i32>> for crate::num::Wrapping<i32> {}
impl crate::iter::Sum<&crate::num::Wrapping<i64>> for crate::num::Wrapping<i64> {}
impl crate::iter::Sum<&crate::num::Wrapping<i8>> for crate::num::Wrapping<i8> {}
impl crate::iter::Sum<&crate::num::Wrapping<isize>> for crate::num::Wrapping<isize> {}
impl crate::iter::Sum<&crate::num::Wrapping<u128>> for crate::num::Wrapping<u128> {}
impl crate::iter::Sum<&crate::num::Wrapping<u16>> for crate::num::Wrapping<u16> {}
impl crate::iter::Sum<&crate::num::Wrapping<u32>> for crate::num::Wrapping<u32> {}
impl crate::iter::Sum<&crate::num::Wrapping<u64>> for crate::num::Wrapping<u64> {}
impl crate::iter::Sum<&crate::num::Wrapping<u8>> for crate::num::Wrapping<u8> {}
impl crate::iter::Sum<&crate::num::Wrapping<usize>> for crate::num::Wrapping<usize> {}
impl crate::num::NonZero<i128> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn cast_unsigned(self) -> crate::num::NonZero<u128>;
fn checked_abs(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn highest_one(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn saturating_abs(self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
fn unsigned_abs(self) -> crate::num::NonZero<u128>;
fn wrapping_abs(self) -> Self;
fn wrapping_neg(self) -> Self;
}
impl crate::num::NonZero<i16> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn cast_unsigned(self) -> crate::num::NonZero<u16>;
fn checked_abs(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn highest_one(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn saturating_abs(self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
fn unsigned_abs(self) -> crate::num::NonZero<u16>;
fn wrapping_abs(self) -> Self;
fn wrapping_neg(self) -> Self;
}
impl crate::num::NonZero<i32> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn cast_unsigned(self) -> crate::num::NonZero<u32>;
fn checked_abs(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn highest_one(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn saturating_abs(self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
fn unsigned_abs(self) -> crate::num::NonZero<u32>;
fn wrapping_abs(self) -> Self;
fn wrapping_neg(self) -> Self;
}
impl crate::num::NonZero<i64> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn cast_unsigned(self) -> crate::num::NonZero<u64>;
fn checked_abs(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn highest_one(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn saturating_abs(self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
fn unsigned_abs(self) -> crate::num::NonZero<u64>;
fn wrapping_abs(self) -> Self;
fn wrapping_neg(self) -> Self;
}
impl crate::num::NonZero<i8> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn cast_unsigned(self) -> crate::num::NonZero<u8>;
fn checked_abs(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn highest_one(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn saturating_abs(self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
fn unsigned_abs(self) -> crate::num::NonZero<u8>;
fn wrapping_abs(self) -> Self;
fn wrapping_neg(self) -> Self;
}
impl crate::num::NonZero<isize> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn cast_unsigned(self) -> crate::num::NonZero<usize>;
fn checked_abs(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn highest_one(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn saturating_abs(self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
fn unsigned_abs(self) -> crate::num::NonZero<usize>;
fn wrapping_abs(self) -> Self;
fn wrapping_neg(self) -> Self;
}
impl crate::num::NonZero<u128> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn bit_width(self) -> crate::num::NonZero<u32>;
fn cast_signed(self) -> crate::num::NonZero<i128>;
fn checked_add(self, _: u128) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn div_ceil(self, _: Self) -> Self;
fn highest_one(self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn midpoint(self, _: Self) -> Self;
fn saturating_add(self, _: u128) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::NonZero<u16> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn bit_width(self) -> crate::num::NonZero<u32>;
fn cast_signed(self) -> crate::num::NonZero<i16>;
fn checked_add(self, _: u16) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn div_ceil(self, _: Self) -> Self;
fn highest_one(self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn midpoint(self, _: Self) -> Self;
fn saturating_add(self, _: u16) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::NonZero<u32> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn bit_width(self) -> crate::num::NonZero<u32>;
fn cast_signed(self) -> crate::num::NonZero<i32>;
fn checked_add(self, _: u32) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn div_ceil(self, _: Self) -> Self;
fn highest_one(self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn midpoint(self, _: Self) -> Self;
fn saturating_add(self, _: u32) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::NonZero<u64> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn bit_width(self) -> crate::num::NonZero<u32>;
fn cast_signed(self) -> crate::num::NonZero<i64>;
fn checked_add(self, _: u64) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn div_ceil(self, _: Self) -> Self;
fn highest_one(self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn midpoint(self, _: Self) -> Self;
fn saturating_add(self, _: u64) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::NonZero<u8> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn bit_width(self) -> crate::num::NonZero<u32>;
fn cast_signed(self) -> crate::num::NonZero<i8>;
fn checked_add(self, _: u8) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn div_ceil(self, _: Self) -> Self;
fn highest_one(self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn midpoint(self, _: Self) -> Self;
fn saturating_add(self, _: u8) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::NonZero<usize> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn bit_width(self) -> crate::num::NonZero<u32>;
fn cast_signed(self) -> crate::num::NonZero<isize>;
fn checked_add(self, _: usize) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn count_ones(self) -> crate::num::NonZero<u32>;
fn div_ceil(self, _: Self) -> Self;
fn highest_one(self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> u32;
fn midpoint(self, _: Self) -> Self;
fn saturating_add(self, _: usize) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::ParseIntError {
fn kind(&self) -> &crate::num::IntErrorKind;
}
impl crate::num::Saturating<i128> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> crate::num::Saturating<i128>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn signum(self) -> crate::num::Saturating<i128>;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<i16> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> crate::num::Saturating<i16>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn signum(self) -> crate::num::Saturating<i16>;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<i32> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> crate::num::Saturating<i32>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn signum(self) -> crate::num::Saturating<i32>;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<i64> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> crate::num::Saturating<i64>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn signum(self) -> crate::num::Saturating<i64>;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<i8> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> crate::num::Saturating<i8>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn signum(self) -> crate::num::Saturating<i8>;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<isize> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> crate::num::Saturating<isize>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn signum(self) -> crate::num::Saturating<isize>;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<u128> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_power_of_two(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<u16> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_power_of_two(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<u32> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_power_of_two(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<u64> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_power_of_two(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<u8> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_power_of_two(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Saturating<usize> {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn from_be(_: Self) -> Self;
fn from_le(_: Self) -> Self;
fn is_power_of_two(self) -> bool;
fn leading_zeros(self) -> u32;
fn pow(self, _: u32) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_le(self) -> Self;
fn trailing_zeros(self) -> u32;
}
impl crate::num::Wrapping<i128> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<i16> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<i32> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<i64> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<i8> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<isize> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<u128> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<u16> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<u32> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<u64> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<u8> {
fn reverse_bits(self) -> Self;
}
impl crate::num::Wrapping<usize> {
fn reverse_bits(self) -> Self;
}
impl crate::ops::Add for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::Add for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::Add for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::Add for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::Add for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::Add for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::Add for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::Add for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::Add for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::Add for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::Add for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::Add for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::Add for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Add for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Add for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Add for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Add for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Add for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Add for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Add for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Add for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Add for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Add for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Add for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::AddAssign for crate::num::Saturating<i128> {}
impl crate::ops::AddAssign for crate::num::Saturating<i16> {}
impl crate::ops::AddAssign for crate::num::Saturating<i32> {}
impl crate::ops::AddAssign for crate::num::Saturating<i64> {}
impl crate::ops::AddAssign for crate::num::Saturating<i8> {}
impl crate::ops::AddAssign for crate::num::Saturating<isize> {}
impl crate::ops::AddAssign for crate::num::Saturating<u128> {}
impl crate::ops::AddAssign for crate::num::Saturating<u16> {}
impl crate::ops::AddAssign for crate::num::Saturating<u32> {}
impl crate::ops::AddAssign for crate::num::Saturating<u64> {}
impl crate::ops::AddAssign for crate::num::Saturating<u8> {}
impl crate::ops::AddAssign for crate::num::Saturating<usize> {}
impl crate::ops::AddAssign for crate::num::Wrapping<i128> {}
impl crate::ops::AddAssign for crate::num::Wrapping<i16> {}
impl crate::ops::AddAssign for crate::num::Wrapping<i32> {}
impl crate::ops::AddAssign for crate::num::Wrapping<i64> {}
impl crate::ops::AddAssign for crate::num::Wrapping<i8> {}
impl crate::ops::AddAssign for crate::num::Wrapping<isize> {}
impl crate::ops::AddAssign for crate::num::Wrapping<u128> {}
impl crate::ops::AddAssign for crate::num::Wrapping<u16> {}
impl crate::ops::AddAssign for crate::num::Wrapping<u32> {}
impl crate::ops::AddAssign for crate::num::Wrapping<u64> {}
impl crate::ops::AddAssign for crate::num::Wrapping<u8> {}
impl crate::ops::AddAssign for crate::num::Wrapping<usize> {}
impl crate::ops::AddAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::AddAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::AddAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::AddAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::AddAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::AddAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::AddAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::AddAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::AddAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::AddAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::AddAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::AddAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::AddAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::AddAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::AddAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::AddAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::AddAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::AddAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::AddAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::AddAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::AddAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::AddAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::AddAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::AddAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::BitAnd for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::BitAnd for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::BitAnd for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::BitAnd for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::BitAnd for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::BitAnd for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::BitAnd for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::BitAnd for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::BitAnd for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::BitAnd for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::BitAnd for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::BitAnd for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::BitAnd for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::BitAndAssign for crate::num::Saturating<i128> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<i16> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<i32> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<i64> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<i8> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<isize> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<u128> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<u16> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<u32> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<u64> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<u8> {}
impl crate::ops::BitAndAssign for crate::num::Saturating<usize> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<i128> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<i16> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<i32> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<i64> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<i8> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<isize> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<u128> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<u16> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<u32> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<u64> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<u8> {}
impl crate::ops::BitAndAssign for crate::num::Wrapping<usize> {}
impl crate::ops::BitAndAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::BitAndAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::BitAndAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::BitAndAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::BitAndAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::BitAndAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::BitAndAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::BitAndAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::BitAndAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::BitAndAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::BitAndAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::BitAndAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::BitAndAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::BitAndAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::BitAndAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::BitAndAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::BitAndAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::BitAndAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::BitAndAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::BitAndAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::BitAndAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::BitAndAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::BitAndAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::BitAndAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::BitOr for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::BitOr for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::BitOr for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::BitOr for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::BitOr for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::BitOr for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::BitOr for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::BitOr for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::BitOr for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::BitOr for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::BitOr for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::BitOr for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::BitOr for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::BitOr for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::BitOr for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::BitOr for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::BitOr for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::BitOr for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::BitOr for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::BitOr for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::BitOr for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::BitOr for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::BitOr for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::BitOr for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::BitOrAssign for crate::num::Saturating<i128> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<i16> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<i32> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<i64> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<i8> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<isize> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<u128> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<u16> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<u32> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<u64> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<u8> {}
impl crate::ops::BitOrAssign for crate::num::Saturating<usize> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<i128> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<i16> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<i32> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<i64> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<i8> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<isize> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<u128> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<u16> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<u32> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<u64> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<u8> {}
impl crate::ops::BitOrAssign for crate::num::Wrapping<usize> {}
impl crate::ops::BitOrAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::BitOrAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::BitOrAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::BitOrAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::BitOrAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::BitOrAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::BitOrAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::BitOrAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::BitOrAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::BitOrAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::BitOrAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::BitOrAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::BitOrAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::BitOrAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::BitOrAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::BitOrAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::BitOrAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::BitOrAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::BitOrAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::BitOrAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::BitOrAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::BitOrAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::BitOrAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::BitOrAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::BitXor for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::BitXor for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::BitXor for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::BitXor for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::BitXor for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::BitXor for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::BitXor for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::BitXor for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::BitXor for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::BitXor for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::BitXor for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::BitXor for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::BitXor for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::BitXor for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::BitXor for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::BitXor for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::BitXor for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::BitXor for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::BitXor for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::BitXor for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::BitXor for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::BitXor for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::BitXor for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::BitXor for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::BitXorAssign for crate::num::Saturating<i128> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<i16> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<i32> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<i64> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<i8> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<isize> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<u128> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<u16> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<u32> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<u64> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<u8> {}
impl crate::ops::BitXorAssign for crate::num::Saturating<usize> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<i128> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<i16> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<i32> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<i64> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<i8> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<isize> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<u128> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<u16> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<u32> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<u64> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<u8> {}
impl crate::ops::BitXorAssign for crate::num::Wrapping<usize> {}
impl crate::ops::BitXorAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::BitXorAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::BitXorAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::BitXorAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::BitXorAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::BitXorAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::BitXorAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::BitXorAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::BitXorAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::BitXorAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::BitXorAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::BitXorAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::BitXorAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::BitXorAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::BitXorAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::BitXorAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::BitXorAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::BitXorAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::BitXorAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::BitXorAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::BitXorAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::BitXorAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::BitXorAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::BitXorAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::Div for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::Div for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::Div for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::Div for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::Div for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::Div for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::Div for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::Div for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::Div for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::Div for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::Div for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::Div for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::Div for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Div for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Div for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Div for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Div for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Div for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Div for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Div for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Div for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Div for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Div for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Div for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::DivAssign for crate::num::Saturating<i128> {}
impl crate::ops::DivAssign for crate::num::Saturating<i16> {}
impl crate::ops::DivAssign for crate::num::Saturating<i32> {}
impl crate::ops::DivAssign for crate::num::Saturating<i64> {}
impl crate::ops::DivAssign for crate::num::Saturating<i8> {}
impl crate::ops::DivAssign for crate::num::Saturating<isize> {}
impl crate::ops::DivAssign for crate::num::Saturating<u128> {}
impl crate::ops::DivAssign for crate::num::Saturating<u16> {}
impl crate::ops::DivAssign for crate::num::Saturating<u32> {}
impl crate::ops::DivAssign for crate::num::Saturating<u64> {}
impl crate::ops::DivAssign for crate::num::Saturating<u8> {}
impl crate::ops::DivAssign for crate::num::Saturating<usize> {}
impl crate::ops::DivAssign for crate::num::Wrapping<i128> {}
impl crate::ops::DivAssign for crate::num::Wrapping<i16> {}
impl crate::ops::DivAssign for crate::num::Wrapping<i32> {}
impl crate::ops::DivAssign for crate::num::Wrapping<i64> {}
impl crate::ops::DivAssign for crate::num::Wrapping<i8> {}
impl crate::ops::DivAssign for crate::num::Wrapping<isize> {}
impl crate::ops::DivAssign for crate::num::Wrapping<u128> {}
impl crate::ops::DivAssign for crate::num::Wrapping<u16> {}
impl crate::ops::DivAssign for crate::num::Wrapping<u32> {}
impl crate::ops::DivAssign for crate::num::Wrapping<u64> {}
impl crate::ops::DivAssign for crate::num::Wrapping<u8> {}
impl crate::ops::DivAssign for crate::num::Wrapping<usize> {}
impl crate::ops::DivAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::DivAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::DivAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::DivAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::DivAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::DivAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::DivAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::DivAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::DivAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::DivAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::DivAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::DivAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::DivAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::DivAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::DivAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::DivAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::DivAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::DivAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::DivAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::DivAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::DivAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::DivAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::DivAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::DivAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::Mul for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::Mul for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::Mul for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::Mul for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::Mul for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::Mul for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::Mul for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::Mul for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::Mul for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::Mul for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::Mul for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::Mul for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::Mul for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Mul for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Mul for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Mul for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Mul for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Mul for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Mul for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Mul for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Mul for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Mul for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Mul for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Mul for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::MulAssign for crate::num::Saturating<i128> {}
impl crate::ops::MulAssign for crate::num::Saturating<i16> {}
impl crate::ops::MulAssign for crate::num::Saturating<i32> {}
impl crate::ops::MulAssign for crate::num::Saturating<i64> {}
impl crate::ops::MulAssign for crate::num::Saturating<i8> {}
impl crate::ops::MulAssign for crate::num::Saturating<isize> {}
impl crate::ops::MulAssign for crate::num::Saturating<u128> {}
impl crate::ops::MulAssign for crate::num::Saturating<u16> {}
impl crate::ops::MulAssign for crate::num::Saturating<u32> {}
impl crate::ops::MulAssign for crate::num::Saturating<u64> {}
impl crate::ops::MulAssign for crate::num::Saturating<u8> {}
impl crate::ops::MulAssign for crate::num::Saturating<usize> {}
impl crate::ops::MulAssign for crate::num::Wrapping<i128> {}
impl crate::ops::MulAssign for crate::num::Wrapping<i16> {}
impl crate::ops::MulAssign for crate::num::Wrapping<i32> {}
impl crate::ops::MulAssign for crate::num::Wrapping<i64> {}
impl crate::ops::MulAssign for crate::num::Wrapping<i8> {}
impl crate::ops::MulAssign for crate::num::Wrapping<isize> {}
impl crate::ops::MulAssign for crate::num::Wrapping<u128> {}
impl crate::ops::MulAssign for crate::num::Wrapping<u16> {}
impl crate::ops::MulAssign for crate::num::Wrapping<u32> {}
impl crate::ops::MulAssign for crate::num::Wrapping<u64> {}
impl crate::ops::MulAssign for crate::num::Wrapping<u8> {}
impl crate::ops::MulAssign for crate::num::Wrapping<usize> {}
impl crate::ops::MulAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::MulAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::MulAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::MulAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::MulAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::MulAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::MulAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::MulAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::MulAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::MulAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::MulAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::MulAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::MulAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::MulAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::MulAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::MulAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::MulAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::MulAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::MulAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::MulAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::MulAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::MulAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::MulAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::MulAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::Neg for crate::num::NonZero<i128> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::NonZero<i16> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::NonZero<i32> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::NonZero<i64> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::NonZero<i8> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::NonZero<isize> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Saturating<i128> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Saturating<i16> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Saturating<i32> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Saturating<i64> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Saturating<i8> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Saturating<isize> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<i128> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<i16> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<i32> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<i64> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<i8> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<isize> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<u128> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<u16> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<u32> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<u64> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<u8> {
type Output = Self;
}
impl crate::ops::Neg for crate::num::Wrapping<usize> {
type Output = Self;
}
impl crate::ops::Not for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::Not for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::Not for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::Not for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::Not for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::Not for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::Not for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::Not for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::Not for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::Not for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::Not for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::Not for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::Not for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Not for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Not for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Not for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Not for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Not for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Not for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Not for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Not for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Not for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Not for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Not for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::Rem for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::Rem for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::Rem for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::Rem for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::Rem for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::Rem for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::Rem for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::Rem for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::Rem for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::Rem for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::Rem for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::Rem for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::Rem for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Rem for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Rem for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Rem for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Rem for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Rem for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Rem for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Rem for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Rem for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Rem for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Rem for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Rem for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::RemAssign for crate::num::Saturating<i128> {}
impl crate::ops::RemAssign for crate::num::Saturating<i16> {}
impl crate::ops::RemAssign for crate::num::Saturating<i32> {}
impl crate::ops::RemAssign for crate::num::Saturating<i64> {}
impl crate::ops::RemAssign for crate::num::Saturating<i8> {}
impl crate::ops::RemAssign for crate::num::Saturating<isize> {}
impl crate::ops::RemAssign for crate::num::Saturating<u128> {}
impl crate::ops::RemAssign for crate::num::Saturating<u16> {}
impl crate::ops::RemAssign for crate::num::Saturating<u32> {}
impl crate::ops::RemAssign for crate::num::Saturating<u64> {}
impl crate::ops::RemAssign for crate::num::Saturating<u8> {}
impl crate::ops::RemAssign for crate::num::Saturating<usize> {}
impl crate::ops::RemAssign for crate::num::Wrapping<i128> {}
impl crate::ops::RemAssign for crate::num::Wrapping<i16> {}
impl crate::ops::RemAssign for crate::num::Wrapping<i32> {}
impl crate::ops::RemAssign for crate::num::Wrapping<i64> {}
impl crate::ops::RemAssign for crate::num::Wrapping<i8> {}
impl crate::ops::RemAssign for crate::num::Wrapping<isize> {}
impl crate::ops::RemAssign for crate::num::Wrapping<u128> {}
impl crate::ops::RemAssign for crate::num::Wrapping<u16> {}
impl crate::ops::RemAssign for crate::num::Wrapping<u32> {}
impl crate::ops::RemAssign for crate::num::Wrapping<u64> {}
impl crate::ops::RemAssign for crate::num::Wrapping<u8> {}
impl crate::ops::RemAssign for crate::num::Wrapping<usize> {}
impl crate::ops::RemAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::RemAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::RemAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::RemAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::RemAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::RemAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::RemAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::RemAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::RemAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::RemAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::RemAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::RemAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::RemAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::RemAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::RemAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::RemAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::RemAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::RemAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::RemAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::RemAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::RemAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::RemAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::RemAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::RemAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::Shl<usize> for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Shl<usize> for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<i128> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<i16> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<i32> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<i64> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<i8> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<isize> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<u128> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<u16> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<u32> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<u64> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<u8> {}
impl crate::ops::ShlAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::Shr<usize> for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Shr<usize> for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<i128> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<i16> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<i32> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<i64> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<i8> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<isize> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<u128> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<u16> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<u32> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<u64> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<u8> {}
impl crate::ops::ShrAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::ops::Sub for crate::num::Saturating<i128> {
type Output = crate::num::Saturating<i128>;
}
impl crate::ops::Sub for crate::num::Saturating<i16> {
type Output = crate::num::Saturating<i16>;
}
impl crate::ops::Sub for crate::num::Saturating<i32> {
type Output = crate::num::Saturating<i32>;
}
impl crate::ops::Sub for crate::num::Saturating<i64> {
type Output = crate::num::Saturating<i64>;
}
impl crate::ops::Sub for crate::num::Saturating<i8> {
type Output = crate::num::Saturating<i8>;
}
impl crate::ops::Sub for crate::num::Saturating<isize> {
type Output = crate::num::Saturating<isize>;
}
impl crate::ops::Sub for crate::num::Saturating<u128> {
type Output = crate::num::Saturating<u128>;
}
impl crate::ops::Sub for crate::num::Saturating<u16> {
type Output = crate::num::Saturating<u16>;
}
impl crate::ops::Sub for crate::num::Saturating<u32> {
type Output = crate::num::Saturating<u32>;
}
impl crate::ops::Sub for crate::num::Saturating<u64> {
type Output = crate::num::Saturating<u64>;
}
impl crate::ops::Sub for crate::num::Saturating<u8> {
type Output = crate::num::Saturating<u8>;
}
impl crate::ops::Sub for crate::num::Saturating<usize> {
type Output = crate::num::Saturating<usize>;
}
impl crate::ops::Sub for crate::num::Wrapping<i128> {
type Output = crate::num::Wrapping<i128>;
}
impl crate::ops::Sub for crate::num::Wrapping<i16> {
type Output = crate::num::Wrapping<i16>;
}
impl crate::ops::Sub for crate::num::Wrapping<i32> {
type Output = crate::num::Wrapping<i32>;
}
impl crate::ops::Sub for crate::num::Wrapping<i64> {
type Output = crate::num::Wrapping<i64>;
}
impl crate::ops::Sub for crate::num::Wrapping<i8> {
type Output = crate::num::Wrapping<i8>;
}
impl crate::ops::Sub for crate::num::Wrapping<isize> {
type Output = crate::num::Wrapping<isize>;
}
impl crate::ops::Sub for crate::num::Wrapping<u128> {
type Output = crate::num::Wrapping<u128>;
}
impl crate::ops::Sub for crate::num::Wrapping<u16> {
type Output = crate::num::Wrapping<u16>;
}
impl crate::ops::Sub for crate::num::Wrapping<u32> {
type Output = crate::num::Wrapping<u32>;
}
impl crate::ops::Sub for crate::num::Wrapping<u64> {
type Output = crate::num::Wrapping<u64>;
}
impl crate::ops::Sub for crate::num::Wrapping<u8> {
type Output = crate::num::Wrapping<u8>;
}
impl crate::ops::Sub for crate::num::Wrapping<usize> {
type Output = crate::num::Wrapping<usize>;
}
impl crate::ops::SubAssign for crate::num::Saturating<i128> {}
impl crate::ops::SubAssign for crate::num::Saturating<i16> {}
impl crate::ops::SubAssign for crate::num::Saturating<i32> {}
impl crate::ops::SubAssign for crate::num::Saturating<i64> {}
impl crate::ops::SubAssign for crate::num::Saturating<i8> {}
impl crate::ops::SubAssign for crate::num::Saturating<isize> {}
impl crate::ops::SubAssign for crate::num::Saturating<u128> {}
impl crate::ops::SubAssign for crate::num::Saturating<u16> {}
impl crate::ops::SubAssign for crate::num::Saturating<u32> {}
impl crate::ops::SubAssign for crate::num::Saturating<u64> {}
impl crate::ops::SubAssign for crate::num::Saturating<u8> {}
impl crate::ops::SubAssign for crate::num::Saturating<usize> {}
impl crate::ops::SubAssign for crate::num::Wrapping<i128> {}
impl crate::ops::SubAssign for crate::num::Wrapping<i16> {}
impl crate::ops::SubAssign for crate::num::Wrapping<i32> {}
impl crate::ops::SubAssign for crate::num::Wrapping<i64> {}
impl crate::ops::SubAssign for crate::num::Wrapping<i8> {}
impl crate::ops::SubAssign for crate::num::Wrapping<isize> {}
impl crate::ops::SubAssign for crate::num::Wrapping<u128> {}
impl crate::ops::SubAssign for crate::num::Wrapping<u16> {}
impl crate::ops::SubAssign for crate::num::Wrapping<u32> {}
impl crate::ops::SubAssign for crate::num::Wrapping<u64> {}
impl crate::ops::SubAssign for crate::num::Wrapping<u8> {}
impl crate::ops::SubAssign for crate::num::Wrapping<usize> {}
impl crate::ops::SubAssign<i128> for crate::num::Saturating<i128> {}
impl crate::ops::SubAssign<i128> for crate::num::Wrapping<i128> {}
impl crate::ops::SubAssign<i16> for crate::num::Saturating<i16> {}
impl crate::ops::SubAssign<i16> for crate::num::Wrapping<i16> {}
impl crate::ops::SubAssign<i32> for crate::num::Saturating<i32> {}
impl crate::ops::SubAssign<i32> for crate::num::Wrapping<i32> {}
impl crate::ops::SubAssign<i64> for crate::num::Saturating<i64> {}
impl crate::ops::SubAssign<i64> for crate::num::Wrapping<i64> {}
impl crate::ops::SubAssign<i8> for crate::num::Saturating<i8> {}
impl crate::ops::SubAssign<i8> for crate::num::Wrapping<i8> {}
impl crate::ops::SubAssign<isize> for crate::num::Saturating<isize> {}
impl crate::ops::SubAssign<isize> for crate::num::Wrapping<isize> {}
impl crate::ops::SubAssign<u128> for crate::num::Saturating<u128> {}
impl crate::ops::SubAssign<u128> for crate::num::Wrapping<u128> {}
impl crate::ops::SubAssign<u16> for crate::num::Saturating<u16> {}
impl crate::ops::SubAssign<u16> for crate::num::Wrapping<u16> {}
impl crate::ops::SubAssign<u32> for crate::num::Saturating<u32> {}
impl crate::ops::SubAssign<u32> for crate::num::Wrapping<u32> {}
impl crate::ops::SubAssign<u64> for crate::num::Saturating<u64> {}
impl crate::ops::SubAssign<u64> for crate::num::Wrapping<u64> {}
impl crate::ops::SubAssign<u8> for crate::num::Saturating<u8> {}
impl crate::ops::SubAssign<u8> for crate::num::Wrapping<u8> {}
impl crate::ops::SubAssign<usize> for crate::num::Saturating<usize> {}
impl crate::ops::SubAssign<usize> for crate::num::Wrapping<usize> {}
impl crate::str::FromStr for crate::num::NonZero<i128> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<i16> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<i32> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<i64> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<i8> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<isize> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<u128> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<u16> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<u32> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<u64> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<u8> {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for crate::num::NonZero<usize> {
type Err = crate::num::ParseIntError;
}
impl crate::unnameable::Step for crate::num::NonZero<u128> {}
impl crate::unnameable::Step for crate::num::NonZero<u16> {}
impl crate::unnameable::Step for crate::num::NonZero<u32> {}
impl crate::unnameable::Step for crate::num::NonZero<u64> {}
impl crate::unnameable::Step for crate::num::NonZero<u8> {}
impl crate::unnameable::Step for crate::num::NonZero<usize> {}
impl<T: crate::fmt::Binary> crate::fmt::Binary for crate::num::Saturating<T> {}
impl<T: crate::fmt::Binary> crate::fmt::Binary for crate::num::Wrapping<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::num::Saturating<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::num::Wrapping<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::num::Saturating<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::num::Wrapping<T> {}
impl<T: crate::fmt::LowerHex> crate::fmt::LowerHex for crate::num::Saturating<T> {}
impl<T: crate::fmt::LowerHex> crate::fmt::LowerHex for crate::num::Wrapping<T> {}
impl<T: crate::fmt::Octal> crate::fmt::Octal for crate::num::Saturating<T> {}
impl<T: crate::fmt::Octal> crate::fmt::Octal for crate::num::Wrapping<T> {}
impl<T: crate::fmt::UpperHex> crate::fmt::UpperHex for crate::num::Saturating<T> {}
impl<T: crate::fmt::UpperHex> crate::fmt::UpperHex for crate::num::Wrapping<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + Eq> Eq for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + Ord> Ord for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + PartialEq> PartialEq for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + PartialOrd> PartialOrd for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::Binary> crate::fmt::Binary for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::Debug> crate::fmt::Debug for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::Display> crate::fmt::Display for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::LowerExp> crate::fmt::LowerExp for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::LowerHex> crate::fmt::LowerHex for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::Octal> crate::fmt::Octal for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::UpperExp> crate::fmt::UpperExp for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::fmt::UpperHex> crate::fmt::UpperHex for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::hash::Hash> crate::hash::Hash for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::ops::BitOr<Output = T>> crate::ops::BitOr for crate::num::NonZero<T> {
type Output = Self;
}
impl<T: crate::unnameable::ZeroablePrimitive + crate::ops::BitOr<Output = T>> crate::ops::BitOr<T> for crate::num::NonZero<T> {
type Output = Self;
}
impl<T: crate::unnameable::ZeroablePrimitive> Clone for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive> Copy for crate::num::NonZero<T> {}
impl<T: crate::unnameable::ZeroablePrimitive> crate::num::NonZero<T> {
fn get(self) -> T;
fn new(_: T) -> Option<Self>;
fn new_unchecked(_: T) -> Self;
}
impl<T: crate::unnameable::ZeroablePrimitive> crate::ops::BitOrAssign for crate::num::NonZero<T> where Self: crate::ops::BitOr<Output = Self> {}
impl<T: crate::unnameable::ZeroablePrimitive> crate::ops::BitOrAssign<T> for crate::num::NonZero<T> where Self: crate::ops::BitOr<T, Output = Self> {}
}
pub mod ops {
pub use crate::collections::Bound;
pub trait Add<Rhs = Self> {
fn add(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait AddAssign<Rhs = Self> {
fn add_assign(&mut self, _: Rhs);
}
pub trait BitAnd<Rhs = Self> {
fn bitand(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait BitAndAssign<Rhs = Self> {
fn bitand_assign(&mut self, _: Rhs);
}
pub trait BitOr<Rhs = Self> {
fn bitor(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait BitOrAssign<Rhs = Self> {
fn bitor_assign(&mut self, _: Rhs);
}
pub trait BitXor<Rhs = Self> {
fn bitxor(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait BitXorAssign<Rhs = Self> {
fn bitxor_assign(&mut self, _: Rhs);
}
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ControlFlow<B, C = ()> { Continue(C), Break(B) }
pub trait Deref {
fn deref(&self) -> &Self::Target;
type Target;
}
pub trait DerefMut: crate::ops::Deref {
fn deref_mut(&mut self) -> &Self::Target;
}
pub trait Div<Rhs = Self> {
fn div(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait DivAssign<Rhs = Self> {
fn div_assign(&mut self, _: Rhs);
}
pub trait Drop {
fn drop(&mut self);
}
pub trait Fn<Args: crate::unnameable::Tuple>: FnMut<Args> {}
pub trait FnMut<Args: crate::unnameable::Tuple>: FnOnce<Args> {}
pub trait FnOnce<Args: crate::unnameable::Tuple> {
type Output;
}
pub trait Index<Idx> {
fn index(&self, _: Idx) -> &Self::Output;
type Output;
}
pub trait IndexMut<Idx>: crate::ops::Index<Idx> {
fn index_mut(&mut self, _: Idx) -> &Self::Output;
}
pub trait Mul<Rhs = Self> {
fn mul(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait MulAssign<Rhs = Self> {
fn mul_assign(&mut self, _: Rhs);
}
pub trait Neg {
fn neg(self) -> Self::Output;
type Output;
}
pub trait Not {
fn not(self) -> Self::Output;
type Output;
}
#[derive(Clone, Default, Eq, Hash, PartialEq)]
pub struct Range<Idx> { start: Idx, end: Idx }
pub trait RangeBounds<T> {
fn contains<U: PartialOrd<T>>(&self, _: &U) -> bool where T: PartialOrd<U>;
fn end_bound(&self) -> crate::collections::Bound<&T>;
fn start_bound(&self) -> crate::collections::Bound<&T>;
}
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct RangeFrom<Idx> { start: Idx }
#[derive(Clone, Copy, Default, Eq, Hash, PartialEq)]
pub struct RangeFull;
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct RangeInclusive<Idx>;
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct RangeTo<Idx> { end: Idx }
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct RangeToInclusive<Idx> { end: Idx }
pub trait Rem<Rhs = Self> {
fn rem(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait RemAssign<Rhs = Self> {
fn rem_assign(&mut self, _: Rhs);
}
pub trait Shl<Rhs = Self> {
fn shl(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait ShlAssign<Rhs = Self> {
fn shl_assign(&mut self, _: Rhs);
}
pub trait Shr<Rhs = Self> {
fn shr(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait ShrAssign<Rhs = Self> {
fn shr_assign(&mut self, _: Rhs);
}
pub trait Sub<Rhs = Self> {
fn sub(self, _: Rhs) -> Self::Output;
type Output;
}
pub trait SubAssign<Rhs = Self> {
fn sub_assign(&mut self, _: Rhs);
}
impl ExactSizeIterator for crate::ops::Range<crate::num::NonZero<u16>> {}
impl ExactSizeIterator for crate::ops::Range<crate::num::NonZero<u8>> {}
impl ExactSizeIterator for crate::ops::Range<crate::num::NonZero<usize>> {}
impl ExactSizeIterator for crate::ops::Range<i16> {}
impl ExactSizeIterator for crate::ops::Range<i32> {}
impl ExactSizeIterator for crate::ops::Range<i8> {}
impl ExactSizeIterator for crate::ops::Range<isize> {}
impl ExactSizeIterator for crate::ops::Range<u16> {}
impl ExactSizeIterator for crate::ops::Range<u32> {}
impl ExactSizeIterator for crate::ops::Range<u8> {}
impl ExactSizeIterator for crate::ops::Range<usize> {}
impl ExactSizeIterator for crate::ops::RangeInclusive<crate::num::NonZero<u16>> {}
impl ExactSizeIterator for crate::ops::RangeInclusive<crate::num::NonZero<u8>> {}
impl ExactSizeIterator for crate::ops::RangeInclusive<crate::num::NonZero<usize>> {}
impl ExactSizeIterator for crate::ops::RangeInclusive<i16> {}
impl ExactSizeIterator for crate::ops::RangeInclusive<i8> {}
impl ExactSizeIterator for crate::ops::RangeInclusive<u16> {}
impl ExactSizeIterator for crate::ops::RangeInclusive<u8> {}
impl crate::fmt::Debug for crate::ops::RangeFull {}
impl crate::ops::Add for f32 {
type Output = f32;
}
impl crate::ops::Add for f64 {
type Output = f64;
}
impl crate::ops::Add for i128 {
type Output = i128;
}
impl crate::ops::Add for i16 {
type Output = i16;
}
impl crate::ops::Add for i32 {
type Output = i32;
}
impl crate::ops::Add for i64 {
type Output = i64;
}
impl crate::ops::Add for i8 {
type Output = i8;
}
impl crate::ops::Add for isize {
type Output = isize;
}
impl crate::ops::Add for u128 {
type Output = u128;
}
impl crate::ops::Add for u16 {
type Output = u16;
}
impl crate::ops::Add for u32 {
type Output = u32;
}
impl crate::ops::Add for u64 {
type Output = u64;
}
impl crate::ops::Add for u8 {
type Output = u8;
}
impl crate::ops::Add for usize {
type Output = usize;
}
impl crate::ops::AddAssign for f32 {}
impl crate::ops::AddAssign for f64 {}
impl crate::ops::AddAssign for i128 {}
impl crate::ops::AddAssign for i16 {}
impl crate::ops::AddAssign for i32 {}
impl crate::ops::AddAssign for i64 {}
impl crate::ops::AddAssign for i8 {}
impl crate::ops::AddAssign for isize {}
impl crate::ops::AddAssign for u128 {}
impl crate::ops::AddAssign for u16 {}
impl crate::ops::AddAssign for u32 {}
impl crate::ops::AddAssign for u64 {}
impl crate::ops::AddAssign for u8 {}
impl crate::ops::AddAssign for usize {}
impl crate::ops::BitAnd for bool {
type Output = bool;
}
impl crate::ops::BitAnd for i128 {
type Output = i128;
}
impl crate::ops::BitAnd for i16 {
type Output = i16;
}
impl crate::ops::BitAnd for i32 {
type Output = i32;
}
impl crate::ops::BitAnd for i64 {
type Output = i64;
}
impl crate::ops::BitAnd for i8 {
type Output = i8;
}
impl crate::ops::BitAnd for isize {
type Output = isize;
}
impl crate::ops::BitAnd for u128 {
type Output = u128;
}
impl crate::ops::BitAnd for u16 {
type Output = u16;
}
impl crate::ops::BitAnd for u32 {
type Output = u32;
}
impl crate::ops::BitAnd for u64 {
type Output = u64;
}
impl crate::ops::BitAnd for u8 {
type Output = u8;
}
impl crate::ops::BitAnd for usize {
type Output = usize;
}
impl crate::ops::BitAnd<&bool> for &bool {
type Output = <bool as crate::ops::BitAnd<bool>>::Output;
}
impl crate::ops::BitAnd<&bool> for bool {
type Output = <bool as crate::ops::BitAnd<bool>>::Output;
}
impl crate::ops::BitAnd<&crate::net::Ipv4Addr> for &crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitAnd<&crate::net::Ipv6Addr> for &crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitAnd<bool> for &bool {
type Output = <bool as crate::ops::BitAnd<bool>>::Output;
}
impl crate::ops::BitAnd<crate::net::Ipv4Addr> for &crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitAnd<crate::net::Ipv6Addr> for &crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitAndAssign for bool {}
impl crate::ops::BitAndAssign for i128 {}
impl crate::ops::BitAndAssign for i16 {}
impl crate::ops::BitAndAssign for i32 {}
impl crate::ops::BitAndAssign for i64 {}
impl crate::ops::BitAndAssign for i8 {}
impl crate::ops::BitAndAssign for isize {}
impl crate::ops::BitAndAssign for u128 {}
impl crate::ops::BitAndAssign for u16 {}
impl crate::ops::BitAndAssign for u32 {}
impl crate::ops::BitAndAssign for u64 {}
impl crate::ops::BitAndAssign for u8 {}
impl crate::ops::BitAndAssign for usize {}
impl crate::ops::BitAndAssign<&bool> for bool {}
impl crate::ops::BitOr for bool {
type Output = bool;
}
impl crate::ops::BitOr for i128 {
type Output = i128;
}
impl crate::ops::BitOr for i16 {
type Output = i16;
}
impl crate::ops::BitOr for i32 {
type Output = i32;
}
impl crate::ops::BitOr for i64 {
type Output = i64;
}
impl crate::ops::BitOr for i8 {
type Output = i8;
}
impl crate::ops::BitOr for isize {
type Output = isize;
}
impl crate::ops::BitOr for u128 {
type Output = u128;
}
impl crate::ops::BitOr for u16 {
type Output = u16;
}
impl crate::ops::BitOr for u32 {
type Output = u32;
}
impl crate::ops::BitOr for u64 {
type Output = u64;
}
impl crate::ops::BitOr for u8 {
type Output = u8;
}
impl crate::ops::BitOr for usize {
type Output = usize;
}
impl crate::ops::BitOr<&bool> for &bool {
type Output = <bool as crate::ops::BitOr<bool>>::Output;
}
impl crate::ops::BitOr<&bool> for bool {
type Output = <bool as crate::ops::BitOr<bool>>::Output;
}
impl crate::ops::BitOr<&crate::net::Ipv4Addr> for &crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitOr<&crate::net::Ipv6Addr> for &crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitOr<bool> for &bool {
type Output = <bool as crate::ops::BitOr<bool>>::Output;
}
impl crate::ops::BitOr<crate::net::Ipv4Addr> for &crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::BitOr<crate::net::Ipv6Addr> for &crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::BitOrAssign for bool {}
impl crate::ops::BitOrAssign for i128 {}
impl crate::ops::BitOrAssign for i16 {}
impl crate::ops::BitOrAssign for i32 {}
impl crate::ops::BitOrAssign for i64 {}
impl crate::ops::BitOrAssign for i8 {}
impl crate::ops::BitOrAssign for isize {}
impl crate::ops::BitOrAssign for u128 {}
impl crate::ops::BitOrAssign for u16 {}
impl crate::ops::BitOrAssign for u32 {}
impl crate::ops::BitOrAssign for u64 {}
impl crate::ops::BitOrAssign for u8 {}
impl crate::ops::BitOrAssign for usize {}
impl crate::ops::BitOrAssign<&bool> for bool {}
impl crate::ops::BitXor for bool {
type Output = bool;
}
impl crate::ops::BitXor for i128 {
type Output = i128;
}
impl crate::ops::BitXor for i16 {
type Output = i16;
}
impl crate::ops::BitXor for i32 {
type Output = i32;
}
impl crate::ops::BitXor for i64 {
type Output = i64;
}
impl crate::ops::BitXor for i8 {
type Output = i8;
}
impl crate::ops::BitXor for isize {
type Output = isize;
}
impl crate::ops::BitXor for u128 {
type Output = u128;
}
impl crate::ops::BitXor for u16 {
type Output = u16;
}
impl crate::ops::BitXor for u32 {
type Output = u32;
}
impl crate::ops::BitXor for u64 {
type Output = u64;
}
impl crate::ops::BitXor for u8 {
type Output = u8;
}
impl crate::ops::BitXor for usize {
type Output = usize;
}
impl crate::ops::BitXor<&bool> for &bool {
type Output = <bool as crate::ops::BitXor<bool>>::Output;
}
impl crate::ops::BitXor<&bool> for bool {
type Output = <bool as crate::ops::BitXor<bool>>::Output;
}
impl crate::ops::BitXor<bool> for &bool {
type Output = <bool as crate::ops::BitXor<bool>>::Output;
}
impl crate::ops::BitXorAssign for bool {}
impl crate::ops::BitXorAssign for i128 {}
impl crate::ops::BitXorAssign for i16 {}
impl crate::ops::BitXorAssign for i32 {}
impl crate::ops::BitXorAssign for i64 {}
impl crate::ops::BitXorAssign for i8 {}
impl crate::ops::BitXorAssign for isize {}
impl crate::ops::BitXorAssign for u128 {}
impl crate::ops::BitXorAssign for u16 {}
impl crate::ops::BitXorAssign for u32 {}
impl crate::ops::BitXorAssign for u64 {}
impl crate::ops::BitXorAssign for u8 {}
impl crate::ops::BitXorAssign for usize {}
impl crate::ops::BitXorAssign<&bool> for bool {}
impl crate::ops::Div for f32 {
type Output = f32;
}
impl crate::ops::Div for f64 {
type Output = f64;
}
impl crate::ops::Div for i128 {
type Output = i128;
}
impl crate::ops::Div for i16 {
type Output = i16;
}
impl crate::ops::Div for i32 {
type Output = i32;
}
impl crate::ops::Div for i64 {
type Output = i64;
}
impl crate::ops::Div for i8 {
type Output = i8;
}
impl crate::ops::Div for isize {
type Output = isize;
}
impl crate::ops::Div for u128 {
type Output = u128;
}
impl crate::ops::Div for u16 {
type Output = u16;
}
impl crate::ops::Div for u32 {
type Output = u32;
}
impl crate::ops::Div for u64 {
type Output = u64;
}
impl crate::ops::Div for u8 {
type Output = u8;
}
impl crate::ops::Div for usize {
type Output = usize;
}
impl crate::ops::Div<crate::num::NonZero<u128>> for u128 {
type Output = u128;
}
impl crate::ops::Div<crate::num::NonZero<u16>> for u16 {
type Output = u16;
}
impl crate::ops::Div<crate::num::NonZero<u32>> for u32 {
type Output = u32;
}
impl crate::ops::Div<crate::num::NonZero<u64>> for u64 {
type Output = u64;
}
impl crate::ops::Div<crate::num::NonZero<u8>> for u8 {
type Output = u8;
}
impl crate::ops::Div<crate::num::NonZero<usize>> for usize {
type Output = usize;
}
impl crate::ops::DivAssign for f32 {}
impl crate::ops::DivAssign for f64 {}
impl crate::ops::DivAssign for i128 {}
impl crate::ops::DivAssign for i16 {}
impl crate::ops::DivAssign for i32 {}
impl crate::ops::DivAssign for i64 {}
impl crate::ops::DivAssign for i8 {}
impl crate::ops::DivAssign for isize {}
impl crate::ops::DivAssign for u128 {}
impl crate::ops::DivAssign for u16 {}
impl crate::ops::DivAssign for u32 {}
impl crate::ops::DivAssign for u64 {}
impl crate::ops::DivAssign for u8 {}
impl crate::ops::DivAssign for usize {}
impl crate::ops::DivAssign<crate::num::NonZero<u128>> for u128 {}
impl crate::ops::DivAssign<crate::num::NonZero<u16>> for u16 {}
impl crate::ops::DivAssign<crate::num::NonZero<u32>> for u32 {}
impl crate::ops::DivAssign<crate::num::NonZero<u64>> for u64 {}
impl crate::ops::DivAssign<crate::num::NonZero<u8>> for u8 {}
impl crate::ops::DivAssign<crate::num::NonZero<usize>> for usize {}
impl crate::ops::Mul for f32 {
type Output = f32;
}
impl crate::ops::Mul for f64 {
type Output = f64;
}
impl crate::ops::Mul for i128 {
type Output = i128;
}
impl crate::ops::Mul for i16 {
type Output = i16;
}
impl crate::ops::Mul for i32 {
type Output = i32;
}
impl crate::ops::Mul for i64 {
type Output = i64;
}
impl crate::ops::Mul for i8 {
type Output = i8;
}
impl crate::ops::Mul for isize {
type Output = isize;
}
impl crate::ops::Mul for u128 {
type Output = u128;
}
impl crate::ops::Mul for u16 {
type Output = u16;
}
impl crate::ops::Mul for u32 {
type Output = u32;
}
impl crate::ops::Mul for u64 {
type Output = u64;
}
impl crate::ops::Mul for u8 {
type Output = u8;
}
impl crate::ops::Mul for usize {
type Output = usize;
}
impl crate::ops::Mul<crate::time::Duration> for u32 {
type Output = crate::time::Duration;
}
impl crate::ops::MulAssign for f32 {}
impl crate::ops::MulAssign for f64 {}
impl crate::ops::MulAssign for i128 {}
impl crate::ops::MulAssign for i16 {}
impl crate::ops::MulAssign for i32 {}
impl crate::ops::MulAssign for i64 {}
impl crate::ops::MulAssign for i8 {}
impl crate::ops::MulAssign for isize {}
impl crate::ops::MulAssign for u128 {}
impl crate::ops::MulAssign for u16 {}
impl crate::ops::MulAssign for u32 {}
impl crate::ops::MulAssign for u64 {}
impl crate::ops::MulAssign for u8 {}
impl crate::ops::MulAssign for usize {}
impl crate::ops::Neg for f32 {
type Output = f32;
}
impl crate::ops::Neg for f64 {
type Output = f64;
}
impl crate::ops::Neg for i128 {
type Output = i128;
}
impl crate::ops::Neg for i16 {
type Output = i16;
}
impl crate::ops::Neg for i32 {
type Output = i32;
}
impl crate::ops::Neg for i64 {
type Output = i64;
}
impl crate::ops::Neg for i8 {
type Output = i8;
}
impl crate::ops::Neg for isize {
type Output = isize;
}
impl crate::ops::Not for ! {
type Output = !;
}
impl crate::ops::Not for &bool {
type Output = <bool as crate::ops::Not>::Output;
}
impl crate::ops::Not for &crate::net::Ipv4Addr {
type Output = crate::net::Ipv4Addr;
}
impl crate::ops::Not for &crate::net::Ipv6Addr {
type Output = crate::net::Ipv6Addr;
}
impl crate::ops::Not for bool {
type Output = bool;
}
impl crate::ops::Not for i128 {
type Output = i128;
}
impl crate::ops::Not for i16 {
type Output = i16;
}
impl crate::ops::Not for i32 {
type Output = i32;
}
impl crate::ops::Not for i64 {
type Output = i64;
}
impl crate::ops::Not for i8 {
type Output = i8;
}
impl crate::ops::Not for isize {
type Output = isize;
}
impl crate::ops::Not for u128 {
type Output = u128;
}
impl crate::ops::Not for u16 {
type Output = u16;
}
impl crate::ops::Not for u32 {
type Output = u32;
}
impl crate::ops::Not for u64 {
type Output = u64;
}
impl crate::ops::Not for u8 {
type Output = u8;
}
impl crate::ops::Not for usize {
type Output = usize;
}
impl crate::ops::Rem for f32 {
type Output = f32;
}
impl crate::ops::Rem for f64 {
type Output = f64;
}
impl crate::ops::Rem for i128 {
type Output = i128;
}
impl crate::ops::Rem for i16 {
type Output = i16;
}
impl crate::ops::Rem for i32 {
type Output = i32;
}
impl crate::ops::Rem for i64 {
type Output = i64;
}
impl crate::ops::Rem for i8 {
type Output = i8;
}
impl crate::ops::Rem for isize {
type Output = isize;
}
impl crate::ops::Rem for u128 {
type Output = u128;
}
impl crate::ops::Rem for u16 {
type Output = u16;
}
impl crate::ops::Rem for u32 {
type Output = u32;
}
impl crate::ops::Rem for u64 {
type Output = u64;
}
impl crate::ops::Rem for u8 {
type Output = u8;
}
impl crate::ops::Rem for usize {
type Output = usize;
}
impl crate::ops::Rem<crate::num::NonZero<u128>> for u128 {
type Output = u128;
}
impl crate::ops::Rem<crate::num::NonZero<u16>> for u16 {
type Output = u16;
}
impl crate::ops::Rem<crate::num::NonZero<u32>> for u32 {
type Output = u32;
}
impl crate::ops::Rem<crate::num::NonZero<u64>> for u64 {
type Output = u64;
}
impl crate::ops::Rem<crate::num::NonZero<u8>> for u8 {
type Output = u8;
}
impl crate::ops::Rem<crate::num::NonZero<usize>> for usize {
type Output = usize;
}
impl crate::ops::RemAssign for f32 {}
impl crate::ops::RemAssign for f64 {}
impl crate::ops::RemAssign for i128 {}
impl crate::ops::RemAssign for i16 {}
impl crate::ops::RemAssign for i32 {}
impl crate::ops::RemAssign for i64 {}
impl crate::ops::RemAssign for i8 {}
impl crate::ops::RemAssign for isize {}
impl crate::ops::RemAssign for u128 {}
impl crate::ops::RemAssign for u16 {}
impl crate::ops::RemAssign for u32 {}
impl crate::ops::RemAssign for u64 {}
impl crate::ops::RemAssign for u8 {}
impl crate::ops::RemAssign for usize {}
impl crate::ops::RemAssign<crate::num::NonZero<u128>> for u128 {}
impl crate::ops::RemAssign<crate::num::NonZero<u16>> for u16 {}
impl crate::ops::RemAssign<crate::num::NonZero<u32>> for u32 {}
impl crate::ops::RemAssign<crate::num::NonZero<u64>> for u64 {}
impl crate::ops::RemAssign<crate::num::NonZero<u8>> for u8 {}
impl crate::ops::RemAssign<crate::num::NonZero<usize>> for usize {}
impl crate::ops::Shl<i128> for i128 {
type Output = i128;
}
impl crate::ops::Shl<i16> for i16 {
type Output = i16;
}
impl crate::ops::Shl<i32> for i32 {
type Output = i32;
}
impl crate::ops::Shl<i64> for i64 {
type Output = i64;
}
impl crate::ops::Shl<i8> for i8 {
type Output = i8;
}
impl crate::ops::Shl<isize> for isize {
type Output = isize;
}
impl crate::ops::Shl<u128> for u128 {
type Output = u128;
}
impl crate::ops::Shl<u16> for u16 {
type Output = u16;
}
impl crate::ops::Shl<u32> for u32 {
type Output = u32;
}
impl crate::ops::Shl<u64> for u64 {
type Output = u64;
}
impl crate::ops::Shl<u8> for u8 {
type Output = u8;
}
impl crate::ops::Shl<usize> for usize {
type Output = usize;
}
impl crate::ops::ShlAssign<i128> for i128 {}
impl crate::ops::ShlAssign<i16> for i16 {}
impl crate::ops::ShlAssign<i32> for i32 {}
impl crate::ops::ShlAssign<i64> for i64 {}
impl crate::ops::ShlAssign<i8> for i8 {}
impl crate::ops::ShlAssign<isize> for isize {}
impl crate::ops::ShlAssign<u128> for u128 {}
impl crate::ops::ShlAssign<u16> for u16 {}
impl crate::ops::ShlAssign<u32> for u32 {}
impl crate::ops::ShlAssign<u64> for u64 {}
impl crate::ops::ShlAssign<u8> for u8 {}
impl crate::ops::ShlAssign<usize> for usize {}
impl crate::ops::Shr<i128> for i128 {
type Output = i128;
}
impl crate::ops::Shr<i16> for i16 {
type Output = i16;
}
impl crate::ops::Shr<i32> for i32 {
type Output = i32;
}
impl crate::ops::Shr<i64> for i64 {
type Output = i64;
}
impl crate::ops::Shr<i8> for i8 {
type Output = i8;
}
impl crate::ops::Shr<isize> for isize {
type Output = isize;
}
impl crate::ops::Shr<u128> for u128 {
type Output = u128;
}
impl crate::ops::Shr<u16> for u16 {
type Output = u16;
}
impl crate::ops::Shr<u32> for u32 {
type Output = u32;
}
impl crate::ops::Shr<u64> for u64 {
type Output = u64;
}
impl crate::ops::Shr<u8> for u8 {
type Output = u8;
}
impl crate::ops::Shr<usize> for usize {
type Output = usize;
}
impl crate::ops::ShrAssign<i128> for i128 {}
impl crate::ops::ShrAssign<i16> for i16 {}
impl crate::ops::ShrAssign<i32> for i32 {}
impl crate::ops::ShrAssign<i64> for i64 {}
impl crate::ops::ShrAssign<i8> for i8 {}
impl crate::ops::ShrAssign<isize> for isize {}
impl crate::ops::ShrAssign<u128> for u128 {}
impl crate::ops::ShrAssign<u16> for u16 {}
impl crate::ops::ShrAssign<u32> for u32 {}
impl crate::ops::ShrAssign<u64> for u64 {}
impl crate::ops::ShrAssign<u8> for u8 {}
impl crate::ops::ShrAssign<usize> for usize {}
impl crate::ops::Sub for f32 {
type Output = f32;
}
impl crate::ops::Sub for f64 {
type Output = f64;
}
impl crate::ops::Sub for i128 {
type Output = i128;
}
impl crate::ops::Sub for i16 {
type Output = i16;
}
impl crate::ops::Sub for i32 {
type Output = i32;
}
impl crate::ops::Sub for i64 {
type Output = i64;
}
impl crate::ops::Sub for i8 {
type Output = i8;
}
impl crate::ops::Sub for isize {
type Output = isize;
}
impl crate::ops::Sub for u128 {
type Output = u128;
}
impl crate::ops::Sub for u16 {
type Output = u16;
}
impl crate::ops::Sub for u32 {
type Output = u32;
}
impl crate::ops::Sub for u64 {
type Output = u64;
}
impl crate::ops::Sub for u8 {
type Output = u8;
}
impl crate::ops::Sub for usize {
type Output = usize;
}
impl crate::ops::SubAssign for f32 {}
impl crate::ops::SubAssign for f64 {}
impl crate::ops::SubAssign for i128 {}
impl crate::ops::SubAssign for i16 {}
impl crate::ops::SubAssign for i32 {}
impl crate::ops::SubAssign for i64 {}
impl crate::ops::SubAssign for i8 {}
impl crate::ops::SubAssign for isize {}
impl crate::ops::SubAssign for u128 {}
impl crate::ops::SubAssign for u16 {}
impl crate::ops::SubAssign for u32 {}
impl crate::ops::SubAssign for u64 {}
impl crate::ops::SubAssign for u8 {}
impl crate::ops::SubAssign for usize {}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::ops::Range<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::ops::RangeFrom<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::ops::RangeFull {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::ops::RangeInclusive<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::ops::RangeTo<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::ops::RangeToInclusive<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<str> for crate::ops::Range<usize> {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::ops::RangeFrom<usize> {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::ops::RangeFull {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::ops::RangeInclusive<usize> {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::ops::RangeTo<usize> {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::ops::RangeToInclusive<usize> {
type Output = str;
}
impl crate::unnameable::GetDisjointMutIndex for crate::ops::Range<usize> {}
impl crate::unnameable::GetDisjointMutIndex for crate::ops::RangeInclusive<usize> {}
impl crate::unnameable::Sealed__ for crate::ops::Range<usize> {}
impl crate::unnameable::Sealed__ for crate::ops::RangeFrom<usize> {}
impl crate::unnameable::Sealed__ for crate::ops::RangeFull {}
impl crate::unnameable::Sealed__ for crate::ops::RangeInclusive<usize> {}
impl crate::unnameable::Sealed__ for crate::ops::RangeTo<usize> {}
impl crate::unnameable::Sealed__ for crate::ops::RangeToInclusive<usize> {}
impl crate::unnameable::Sealed____ for crate::ops::Range<usize> {}
impl crate::unnameable::Sealed____ for crate::ops::RangeInclusive<usize> {}
impl<A: crate::unnameable::Step> DoubleEndedIterator for crate::ops::Range<A> {}
impl<A: crate::unnameable::Step> DoubleEndedIterator for crate::ops::RangeInclusive<A> {}
impl<A: crate::unnameable::Step> Iterator for crate::ops::Range<A> {
type Item = A;
}
impl<A: crate::unnameable::Step> Iterator for crate::ops::RangeFrom<A> {
type Item = A;
}
impl<A: crate::unnameable::Step> Iterator for crate::ops::RangeInclusive<A> {
type Item = A;
}
impl<A: crate::unnameable::Tuple, F: Fn<A>> Fn<A> for &F {}
impl<A: crate::unnameable::Tuple, F: Fn<A>> FnMut<A> for &F {}
impl<A: crate::unnameable::Tuple, F: Fn<A>> FnOnce<A> for &F {
type Output = F::Output;
}
impl<A: crate::unnameable::Tuple, F: FnMut<A>> FnMut<A> for &F {}
impl<A: crate::unnameable::Tuple, F: FnMut<A>> FnOnce<A> for &F {
type Output = F::Output;
}
impl<B, C> crate::ops::ControlFlow<B, C> {
fn break_ok(self) -> crate::result::Result<B, C>;
fn break_value(self) -> Option<B>;
fn continue_ok(self) -> crate::result::Result<C, B>;
fn continue_value(self) -> Option<C>;
fn is_break(&self) -> bool;
fn is_continue(&self) -> bool;
fn map_break<T, F: FnOnce<(B,), Output = T>>(self, _: F) -> crate::ops::ControlFlow<T, C>;
fn map_continue<T, F: FnOnce<(C,), Output = T>>(self, _: F) -> crate::ops::ControlFlow<B, T>;
}
impl<B, C> crate::unnameable::FromResidual<crate::ops::ControlFlow<B, crate::convert::Infallible>> for crate::ops::ControlFlow<B, C> {}
impl<B, C> crate::unnameable::Residual<C> for crate::ops::ControlFlow<B, crate::convert::Infallible> {
type TryType = crate::ops::ControlFlow<B, C>;
}
impl<B, C> crate::unnameable::Try for crate::ops::ControlFlow<B, C> {
type Output = C;
type Residual = crate::ops::ControlFlow<B, crate::convert::Infallible>;
}
impl<I: crate::slice::SliceIndex<str>> crate::ops::Index<I> for str {
type Output = I::Output;
}
impl<I: crate::slice::SliceIndex<str>> crate::ops::IndexMut<I> for str {}
impl<Idx: PartialOrd<Idx>> crate::ops::Range<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
fn is_empty(&self) -> bool where Idx: PartialOrd<Idx>;
}
impl<Idx: PartialOrd<Idx>> crate::ops::RangeFrom<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
}
impl<Idx: PartialOrd<Idx>> crate::ops::RangeInclusive<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
fn is_empty(&self) -> bool where Idx: PartialOrd;
}
impl<Idx: PartialOrd<Idx>> crate::ops::RangeTo<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
}
impl<Idx: PartialOrd<Idx>> crate::ops::RangeToInclusive<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::ops::Range<Idx> {}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::ops::RangeFrom<Idx> {}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::ops::RangeInclusive<Idx> {}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::ops::RangeTo<Idx> {}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::ops::RangeToInclusive<Idx> {}
impl<Idx> crate::ops::RangeInclusive<Idx> {
fn end(&self) -> &Idx;
fn into_inner(self) -> (Idx, Idx);
fn new(_: Idx, _: Idx) -> Self;
fn start(&self) -> &Idx;
}
impl<T, I, const N: usize> crate::ops::Index<I> for [T; 0] where [T]: crate::ops::Index<I> {
type Output = <[T] as crate::ops::Index<I>>::Output;
}
impl<T, I, const N: usize> crate::ops::IndexMut<I> for [T; 0] where [T]: crate::ops::IndexMut<I> {}
impl<T, I: crate::slice::SliceIndex<[T]>> crate::ops::Index<I> for [T] {
type Output = I::Output;
}
impl<T, I: crate::slice::SliceIndex<[T]>> crate::ops::IndexMut<I> for [T] {}
impl<T: Eq + crate::hash::Hash + Clone, S: crate::hash::BuildHasher + Default> crate::ops::BitAnd<&crate::collections::HashSet<T, S>> for &crate::collections::HashSet<T, S> {
type Output = crate::collections::HashSet<T, S>;
}
impl<T: Eq + crate::hash::Hash + Clone, S: crate::hash::BuildHasher + Default> crate::ops::BitOr<&crate::collections::HashSet<T, S>> for &crate::collections::HashSet<T, S> {
type Output = crate::collections::HashSet<T, S>;
}
impl<T: Eq + crate::hash::Hash + Clone, S: crate::hash::BuildHasher + Default> crate::ops::BitXor<&crate::collections::HashSet<T, S>> for &crate::collections::HashSet<T, S> {
type Output = crate::collections::HashSet<T, S>;
}
impl<T: Eq + crate::hash::Hash + Clone, S: crate::hash::BuildHasher + Default> crate::ops::Sub<&crate::collections::HashSet<T, S>> for &crate::collections::HashSet<T, S> {
type Output = crate::collections::HashSet<T, S>;
}
impl<T: Ord + Clone> crate::ops::BitAnd<&crate::collections::BTreeSet<T>> for &crate::collections::BTreeSet<T> {
type Output = crate::collections::BTreeSet<T>;
}
impl<T: Ord + Clone> crate::ops::BitOr<&crate::collections::BTreeSet<T>> for &crate::collections::BTreeSet<T> {
type Output = crate::collections::BTreeSet<T>;
}
impl<T: Ord + Clone> crate::ops::BitXor<&crate::collections::BTreeSet<T>> for &crate::collections::BTreeSet<T> {
type Output = crate::collections::BTreeSet<T>;
}
impl<T: Ord + Clone> crate::ops::Sub<&crate::collections::BTreeSet<T>> for &crate::collections::BTreeSet<T> {
type Output = crate::collections::BTreeSet<T>;
}
impl<T: crate::unnameable::CloneFromCell> crate::unnameable::CloneFromCell for crate::ops::Range<T> {}
impl<T: crate::unnameable::ZeroablePrimitive + crate::ops::BitOr<Output = T>> crate::ops::BitOr<crate::num::NonZero<T>> for T {
type Output = crate::num::NonZero<T>;
}
impl<T> From<crate::range::Range<T>> for crate::ops::Range<T> {}
impl<T> From<crate::range::RangeFrom<T>> for crate::ops::RangeFrom<T> {}
impl<T> From<crate::range::RangeInclusive<T>> for crate::ops::RangeInclusive<T> {}
impl<T> From<crate::range::RangeToInclusive<T>> for crate::ops::RangeToInclusive<T> {}
impl<T> crate::ops::Deref for &T {
type Target = T;
}
impl<T> crate::ops::DerefMut for &T {}
impl<T> crate::ops::RangeBounds<T> for (crate::collections::Bound<&T>, crate::collections::Bound<&T>) {}
impl<T> crate::ops::RangeBounds<T> for (crate::collections::Bound<T>, crate::collections::Bound<T>) {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::Range<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::Range<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeFrom<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeFrom<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeFull {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeInclusive<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeInclusive<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeTo<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeTo<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeToInclusive<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::ops::RangeToInclusive<T> {}
impl<T> crate::slice::SliceIndex<[T]> for crate::ops::Range<usize> {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::ops::RangeFrom<usize> {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::ops::RangeFull {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::ops::RangeInclusive<usize> {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::ops::RangeTo<usize> {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::ops::RangeToInclusive<usize> {
type Output = [T];
}
impl<T> crate::unnameable::OneSidedRange<T> for crate::ops::RangeFrom<T> where Self: crate::ops::RangeBounds<T> {}
impl<T> crate::unnameable::OneSidedRange<T> for crate::ops::RangeTo<T> where Self: crate::ops::RangeBounds<T> {}
impl<T> crate::unnameable::OneSidedRange<T> for crate::ops::RangeToInclusive<T> where Self: crate::ops::RangeBounds<T> {}
}
pub mod option {
#[derive(Clone, Debug)]
pub struct IntoIter<A>;
#[derive(Debug)]
pub struct Iter<A>;
#[derive(Debug)]
pub struct IterMut<A>;
#[derive(Copy, Debug, Eq, Hash)]
pub enum Option<T> { None, Some(T) }
impl<A, V: crate::iter::FromIterator<A>> crate::iter::FromIterator<Option<A>> for Option<V> {}
impl<A> Clone for crate::option::Iter<A> {}
impl<A> DoubleEndedIterator for crate::option::IntoIter<A> {}
impl<A> DoubleEndedIterator for crate::option::Iter<A> {}
impl<A> DoubleEndedIterator for crate::option::IterMut<A> {}
impl<A> ExactSizeIterator for crate::option::IntoIter<A> {}
impl<A> ExactSizeIterator for crate::option::Iter<A> {}
impl<A> ExactSizeIterator for crate::option::IterMut<A> {}
impl<A> Iterator for crate::option::IntoIter<A> {
type Item = A;
}
impl<A> Iterator for crate::option::Iter<A> {
type Item = &A;
}
impl<A> Iterator for crate::option::IterMut<A> {
type Item = &A;
}
impl<T, E> Option<crate::result::Result<T, E>> {
fn transpose(self) -> crate::result::Result<Option<T>, E>;
}
impl<T, U> Option<(T, U)> {
fn unzip(self) -> (Option<T>, Option<U>);
}
impl<T: Clone> Clone for Option<T> {}
impl<T: Ord> Ord for Option<T> {}
impl<T: PartialEq> PartialEq for Option<T> {}
impl<T: PartialOrd> PartialOrd for Option<T> {}
impl<T: crate::iter::Product<U>, U> crate::iter::Product<Option<U>> for Option<T> {}
impl<T: crate::iter::Sum<U>, U> crate::iter::Sum<Option<U>> for Option<T> {}
impl<T: crate::unnameable::CloneFromCell> crate::unnameable::CloneFromCell for Option<T> {}
impl<T> Default for Option<T> {}
impl<T> From<&Option<T>> for Option<&T> {}
impl<T> From<T> for Option<T> {}
impl<T> IntoIterator for Option<T> {
type IntoIter = crate::option::IntoIter<T>;
type Item = T;
}
impl<T> Option<&T> {
fn cloned(self) -> Option<T> where T: Clone;
fn copied(self) -> Option<T> where T: Copy;
}
impl<T> Option<Option<T>> {
fn flatten(self) -> Option<T>;
}
impl<T> Option<T> {
fn and<U>(self, _: Option<U>) -> Option<U>;
fn and_then<U, F: FnOnce<(T,), Output = Option<U>>>(self, _: F) -> Option<U>;
fn as_deref(&self) -> Option<&T::Target> where T: crate::ops::Deref;
fn as_deref_mut(&mut self) -> Option<&T::Target> where T: crate::ops::DerefMut;
fn as_mut(&mut self) -> Option<&T>;
fn as_mut_slice(&mut self) -> &[T];
fn as_pin_mut(self: crate::pin::Pin<&Self>) -> Option<crate::pin::Pin<&T>>;
fn as_pin_ref(self: crate::pin::Pin<&Self>) -> Option<crate::pin::Pin<&T>>;
fn as_ref(&self) -> Option<&T>;
fn as_slice(&self) -> &[T];
fn expect(self, _: &str) -> T;
fn filter<P: FnOnce<(&T,), Output = bool>>(self, _: P) -> Self;
fn get_or_insert(&mut self, _: T) -> &T;
fn get_or_insert_default(&mut self) -> &T where T: Default;
fn get_or_insert_with<F: FnOnce<(), Output = T>>(&mut self, _: F) -> &T;
fn insert(&mut self, _: T) -> &T;
fn inspect<F: FnOnce<(&T,), Output = ()>>(self, _: F) -> Self;
fn is_none(&self) -> bool;
fn is_none_or(self, _: impl FnOnce<(T,), Output = bool>) -> bool;
fn is_some(&self) -> bool;
fn is_some_and(self, _: impl FnOnce<(T,), Output = bool>) -> bool;
fn iter(&self) -> crate::option::Iter<T>;
fn iter_mut(&mut self) -> crate::option::IterMut<T>;
fn map<U, F: FnOnce<(T,), Output = U>>(self, _: F) -> Option<U>;
fn map_or<U, F: FnOnce<(T,), Output = U>>(self, _: U, _: F) -> U;
fn map_or_else<U, D: FnOnce<(), Output = U>, F: FnOnce<(T,), Output = U>>(self, _: D, _: F) -> U;
fn ok_or<E>(self, _: E) -> crate::result::Result<T, E>;
fn ok_or_else<E, F: FnOnce<(), Output = E>>(self, _: F) -> crate::result::Result<T, E>;
fn or(self, _: Option<T>) -> Option<T>;
fn or_else<F: FnOnce<(), Output = Option<T>>>(self, _: F) -> Option<T>;
fn replace(&mut self, _: T) -> Option<T>;
fn take(&mut self) -> Option<T>;
fn take_if<P: FnOnce<(&T,), Output = bool>>(&mut self, _: P) -> Option<T>;
fn unwrap(self) -> T;
fn unwrap_or(self, _: T) -> T;
fn unwrap_or_default(self) -> T where T: Default;
fn unwrap_or_else<F: FnOnce<(), Output = T>>(self, _: F) -> T;
fn unwrap_unchecked(self) -> T;
fn xor(self, _: Option<T>) -> Option<T>;
fn zip<U>(self, _: Option<U>) -> Option<(T, U)>;
}
impl<T> crate::unnameable::FromResidual<Option<crate::convert::Infallible>> for Option<T> {}
impl<T> crate::unnameable::FromResidual<crate::unnameable::Yeet<()>> for Option<T> {}
impl<T> crate::unnameable::Residual<T> for Option<crate::convert::Infallible> {
type TryType = Option<T>;
}
impl<T> crate::unnameable::Try for Option<T> {
type Output = T;
type Residual = Option<crate::convert::Infallible>;
}
}
pub mod os {
pub mod fd {
pub trait AsFd {
fn as_fd(&self) -> crate::os::fd::BorrowedFd;
}
pub trait AsRawFd {
fn as_raw_fd(&self) -> crate::os::fd::RawFd;
}
#[derive(Clone, Copy)]
pub struct BorrowedFd;
pub trait FromRawFd {
fn from_raw_fd(_: crate::os::fd::RawFd) -> Self;
}
pub trait IntoRawFd {
fn into_raw_fd(self) -> crate::os::fd::RawFd;
}
pub struct OwnedFd;
pub type RawFd = crate::os::raw::c_int;
impl Drop for crate::os::fd::OwnedFd {}
impl From<crate::fs::File> for crate::os::fd::OwnedFd {}
impl From<crate::io::PipeReader> for crate::os::fd::OwnedFd {}
impl From<crate::io::PipeWriter> for crate::os::fd::OwnedFd {}
impl From<crate::net::TcpListener> for crate::os::fd::OwnedFd {}
impl From<crate::net::TcpStream> for crate::os::fd::OwnedFd {}
impl From<crate::net::UdpSocket> for crate::os::fd::OwnedFd {}
impl From<crate::os::linux::process::PidFd> for crate::os::fd::OwnedFd {}
impl From<crate::os::unix::net::UnixDatagram> for crate::os::fd::OwnedFd {}
impl From<crate::os::unix::net::UnixListener> for crate::os::fd::OwnedFd {}
impl From<crate::os::unix::net::UnixStream> for crate::os::fd::OwnedFd {}
impl From<crate::process::ChildStderr> for crate::os::fd::OwnedFd {}
impl From<crate::process::ChildStdin> for crate::os::fd::OwnedFd {}
impl From<crate::process::ChildStdout> for crate::os::fd::OwnedFd {}
impl From<crate::unnameable::Dir> for crate::os::fd::OwnedFd {}
impl crate::fmt::Debug for crate::os::fd::BorrowedFd {}
impl crate::fmt::Debug for crate::os::fd::OwnedFd {}
impl crate::io::IsTerminal for crate::os::fd::BorrowedFd {}
impl crate::io::IsTerminal for crate::os::fd::OwnedFd {}
impl crate::os::fd::AsFd for crate::os::fd::BorrowedFd {}
impl crate::os::fd::AsFd for crate::os::fd::OwnedFd {}
impl crate::os::fd::AsRawFd for crate::os::fd::BorrowedFd {}
impl crate::os::fd::AsRawFd for crate::os::fd::OwnedFd {}
impl crate::os::fd::AsRawFd for crate::os::fd::RawFd {}
impl crate::os::fd::BorrowedFd {
fn borrow_raw(_: crate::os::fd::RawFd) -> Self;
fn try_clone_to_owned(&self) -> crate::io::Result<crate::os::fd::OwnedFd>;
}
impl crate::os::fd::FromRawFd for crate::os::fd::OwnedFd {}
impl crate::os::fd::FromRawFd for crate::os::fd::RawFd {}
impl crate::os::fd::IntoRawFd for crate::os::fd::OwnedFd {}
impl crate::os::fd::IntoRawFd for crate::os::fd::RawFd {}
impl crate::os::fd::OwnedFd {
fn try_clone(&self) -> crate::io::Result<Self>;
}
impl crate::unnameable::Sealed_ for crate::os::fd::BorrowedFd {}
impl crate::unnameable::Sealed_ for crate::os::fd::OwnedFd {}
impl<T: crate::os::fd::AsFd> crate::os::fd::AsFd for &T {}
}
pub mod linux {
pub mod fs {
pub trait MetadataExt {
fn as_raw_stat(&self) -> &crate::os::linux::raw::stat;
fn st_atime(&self) -> i64;
fn st_atime_nsec(&self) -> i64;
fn st_blksize(&self) -> u64;
fn st_blocks(&self) -> u64;
fn st_ctime(&self) -> i64;
fn st_ctime_nsec(&self) -> i64;
fn st_dev(&self) -> u64;
fn st_gid(&self) -> u32;
fn st_ino(&self) -> u64;
fn st_mode(&self) -> u32;
fn st_mtime(&self) -> i64;
fn st_mtime_nsec(&self) -> i64;
fn st_nlink(&self) -> u64;
fn st_rdev(&self) -> u64;
fn st_size(&self) -> u64;
fn st_uid(&self) -> u32;
}
}
pub mod net {
pub trait SocketAddrExt: crate::unnameable::Sealed_ {
fn as_abstract_name(&self) -> Option<&[u8]>;
fn from_abstract_name<N: AsRef<[u8]>>(_: N) -> crate::io::Result<crate::os::unix::net::SocketAddr>;
}
pub trait TcpStreamExt: crate::unnameable::Sealed_ {
fn quickack(&self) -> crate::io::Result<bool>;
fn set_quickack(&self, _: bool) -> crate::io::Result<()>;
}
}
pub mod process {
pub trait ChildExt: crate::unnameable::Sealed_ {
fn into_pidfd(self) -> crate::result::Result<crate::os::linux::process::PidFd, Self>;
fn pidfd(&self) -> crate::io::Result<&crate::os::linux::process::PidFd>;
}
pub trait CommandExt: crate::unnameable::Sealed_ {
fn create_pidfd(&mut self, _: bool) -> &crate::process::Command;
}
#[derive(Debug)]
pub struct PidFd;
impl From<crate::os::fd::OwnedFd> for crate::os::linux::process::PidFd {}
impl crate::os::fd::AsFd for crate::os::linux::process::PidFd {}
impl crate::os::fd::AsRawFd for crate::os::linux::process::PidFd {}
impl crate::os::fd::FromRawFd for crate::os::linux::process::PidFd {}
impl crate::os::fd::IntoRawFd for crate::os::linux::process::PidFd {}
impl crate::os::linux::process::PidFd {
fn kill(&self) -> crate::io::Result<()>;
fn try_wait(&self) -> crate::io::Result<Option<crate::process::ExitStatus>>;
fn wait(&self) -> crate::io::Result<crate::process::ExitStatus>;
}
}
pub mod raw {
pub type blkcnt_t = u64;
pub type blksize_t = u64;
pub type dev_t = u64;
pub type ino_t = u64;
pub type mode_t = u32;
pub type nlink_t = u64;
pub type off_t = u64;
pub type pthread_t = crate::os::raw::c_ulong;
#[derive(Clone)]
pub struct stat { st_dev: u64, st_ino: u64, st_nlink: u64, st_mode: u32, st_uid: u32, st_gid: u32, __pad0: crate::os::raw::c_int, st_rdev: u64, st_size: i64, st_blksize: i64, st_blocks: i64, st_atime: i64, st_atime_nsec: crate::os::raw::c_long, st_mtime: i64, st_mtime_nsec: crate::os::raw::c_long, st_ctime: i64, st_ctime_nsec: crate::os::raw::c_long, __unused: [crate::os::raw::c_long; 0] }
pub type time_t = i64;
}
}
pub mod raw {
pub type c_char = crate::ffi::c_char;
pub type c_double = crate::ffi::c_double;
pub type c_float = crate::ffi::c_float;
pub type c_int = crate::ffi::c_int;
pub type c_long = crate::ffi::c_long;
pub type c_longlong = crate::ffi::c_longlong;
pub type c_schar = crate::ffi::c_schar;
pub type c_short = crate::ffi::c_short;
pub type c_uchar = crate::ffi::c_uchar;
pub type c_uint = crate::ffi::c_uint;
pub type c_ulong = crate::ffi::c_ulong;
pub type c_ulonglong = crate::ffi::c_ulonglong;
pub type c_ushort = crate::ffi::c_ushort;
pub type c_void = crate::ffi::c_void;
}
pub mod unix {
pub mod ffi {
pub trait OsStrExt: crate::unnameable::Sealed_ {
fn as_bytes(&self) -> &[u8];
fn from_bytes(_: &[u8]) -> &Self;
}
pub trait OsStringExt: crate::unnameable::Sealed_ {
fn from_vec(_: Vec<u8>) -> Self;
fn into_vec(self) -> Vec<u8>;
}
}
pub mod fs {
pub trait DirBuilderExt {
fn mode(&mut self, _: u32) -> &Self;
}
pub trait DirEntryExt {
fn ino(&self) -> u64;
}
pub trait FileExt {
fn read_at(&self, _: &[u8], _: u64) -> crate::io::Result<usize>;
fn read_exact_at(&self, _: &[u8], _: u64) -> crate::io::Result<()>;
fn write_all_at(&self, _: &[u8], _: u64) -> crate::io::Result<()>;
fn write_at(&self, _: &[u8], _: u64) -> crate::io::Result<usize>;
}
pub trait FileTypeExt {
fn is_block_device(&self) -> bool;
fn is_char_device(&self) -> bool;
fn is_fifo(&self) -> bool;
fn is_socket(&self) -> bool;
}
pub trait MetadataExt {
fn atime(&self) -> i64;
fn atime_nsec(&self) -> i64;
fn blksize(&self) -> u64;
fn blocks(&self) -> u64;
fn ctime(&self) -> i64;
fn ctime_nsec(&self) -> i64;
fn dev(&self) -> u64;
fn gid(&self) -> u32;
fn ino(&self) -> u64;
fn mode(&self) -> u32;
fn mtime(&self) -> i64;
fn mtime_nsec(&self) -> i64;
fn nlink(&self) -> u64;
fn rdev(&self) -> u64;
fn size(&self) -> u64;
fn uid(&self) -> u32;
}
pub trait OpenOptionsExt {
fn custom_flags(&mut self, _: i32) -> &Self;
fn mode(&mut self, _: u32) -> &Self;
}
pub trait PermissionsExt {
fn from_mode(_: u32) -> Self;
fn mode(&self) -> u32;
fn set_mode(&mut self, _: u32);
}
pub fn chown<P: AsRef<crate::path::Path>>(_: P, _: Option<u32>, _: Option<u32>) -> crate::io::Result<()>;
pub fn chroot<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<()>;
pub fn fchown<F: crate::os::fd::AsFd>(_: F, _: Option<u32>, _: Option<u32>) -> crate::io::Result<()>;
pub fn lchown<P: AsRef<crate::path::Path>>(_: P, _: Option<u32>, _: Option<u32>) -> crate::io::Result<()>;
pub fn symlink<P: AsRef<crate::path::Path>, Q: AsRef<crate::path::Path>>(_: P, _: Q) -> crate::io::Result<()>;
}
pub mod io {
pub use crate::os::fd::AsFd;
pub use crate::os::fd::AsRawFd;
pub use crate::os::fd::BorrowedFd;
pub use crate::os::fd::FromRawFd;
pub use crate::os::fd::IntoRawFd;
pub use crate::os::fd::OwnedFd;
pub use crate::os::fd::RawFd;
}
pub mod net {
#[derive(Debug)]
pub struct Incoming;
#[derive(Clone)]
pub struct SocketAddr;
pub struct UnixDatagram;
pub struct UnixListener;
pub struct UnixStream;
impl From<crate::os::fd::OwnedFd> for crate::os::unix::net::UnixDatagram {}
impl From<crate::os::fd::OwnedFd> for crate::os::unix::net::UnixListener {}
impl From<crate::os::fd::OwnedFd> for crate::os::unix::net::UnixStream {}
impl Iterator for crate::os::unix::net::Incoming {
type Item = crate::io::Result<crate::os::unix::net::UnixStream>;
}
impl crate::fmt::Debug for crate::os::unix::net::SocketAddr {}
impl crate::fmt::Debug for crate::os::unix::net::UnixDatagram {}
impl crate::fmt::Debug for crate::os::unix::net::UnixListener {}
impl crate::fmt::Debug for crate::os::unix::net::UnixStream {}
impl crate::io::Read for crate::os::unix::net::UnixStream {}
impl crate::io::Write for crate::os::unix::net::UnixStream {}
impl crate::os::fd::AsFd for crate::os::unix::net::UnixDatagram {}
impl crate::os::fd::AsFd for crate::os::unix::net::UnixListener {}
impl crate::os::fd::AsFd for crate::os::unix::net::UnixStream {}
impl crate::os::fd::AsRawFd for crate::os::unix::net::UnixDatagram {}
impl crate::os::fd::AsRawFd for crate::os::unix::net::UnixListener {}
impl crate::os::fd::AsRawFd for crate::os::unix::net::UnixStream {}
impl crate::os::fd::FromRawFd for crate::os::unix::net::UnixDatagram {}
impl crate::os::fd::FromRawFd for crate::os::unix::net::UnixListener {}
impl crate::os::fd::FromRawFd for crate::os::unix::net::UnixStream {}
impl crate::os::fd::IntoRawFd for crate::os::unix::net::UnixDatagram {}
impl crate::os::fd::IntoRawFd for crate::os::unix::net::UnixListener {}
impl crate::os::fd::IntoRawFd for crate::os::unix::net::UnixStream {}
impl crate::os::linux::net::SocketAddrExt for crate::os::unix::net::SocketAddr {}
impl crate::os::unix::net::SocketAddr {
fn as_pathname(&self) -> Option<&crate::path::Path>;
fn from_pathname<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::os::unix::net::SocketAddr>;
fn is_unnamed(&self) -> bool;
}
impl crate::os::unix::net::UnixDatagram {
fn bind<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::os::unix::net::UnixDatagram>;
fn bind_addr(_: &crate::os::unix::net::SocketAddr) -> crate::io::Result<crate::os::unix::net::UnixDatagram>;
fn connect<P: AsRef<crate::path::Path>>(&self, _: P) -> crate::io::Result<()>;
fn connect_addr(&self, _: &crate::os::unix::net::SocketAddr) -> crate::io::Result<()>;
fn local_addr(&self) -> crate::io::Result<crate::os::unix::net::SocketAddr>;
fn pair() -> crate::io::Result<(crate::os::unix::net::UnixDatagram, crate::os::unix::net::UnixDatagram)>;
fn peer_addr(&self) -> crate::io::Result<crate::os::unix::net::SocketAddr>;
fn read_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
fn recv(&self, _: &[u8]) -> crate::io::Result<usize>;
fn recv_from(&self, _: &[u8]) -> crate::io::Result<(usize, crate::os::unix::net::SocketAddr)>;
fn send(&self, _: &[u8]) -> crate::io::Result<usize>;
fn send_to<P: AsRef<crate::path::Path>>(&self, _: &[u8], _: P) -> crate::io::Result<usize>;
fn send_to_addr(&self, _: &[u8], _: &crate::os::unix::net::SocketAddr) -> crate::io::Result<usize>;
fn set_nonblocking(&self, _: bool) -> crate::io::Result<()>;
fn set_read_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn set_write_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn shutdown(&self, _: crate::net::Shutdown) -> crate::io::Result<()>;
fn take_error(&self) -> crate::io::Result<Option<crate::io::Error>>;
fn try_clone(&self) -> crate::io::Result<crate::os::unix::net::UnixDatagram>;
fn unbound() -> crate::io::Result<crate::os::unix::net::UnixDatagram>;
fn write_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
}
impl crate::os::unix::net::UnixListener {
fn accept(&self) -> crate::io::Result<(crate::os::unix::net::UnixStream, crate::os::unix::net::SocketAddr)>;
fn bind<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::os::unix::net::UnixListener>;
fn bind_addr(_: &crate::os::unix::net::SocketAddr) -> crate::io::Result<crate::os::unix::net::UnixListener>;
fn incoming(&self) -> crate::os::unix::net::Incoming;
fn local_addr(&self) -> crate::io::Result<crate::os::unix::net::SocketAddr>;
fn set_nonblocking(&self, _: bool) -> crate::io::Result<()>;
fn take_error(&self) -> crate::io::Result<Option<crate::io::Error>>;
fn try_clone(&self) -> crate::io::Result<crate::os::unix::net::UnixListener>;
}
impl crate::os::unix::net::UnixStream {
fn connect<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::os::unix::net::UnixStream>;
fn connect_addr(_: &crate::os::unix::net::SocketAddr) -> crate::io::Result<crate::os::unix::net::UnixStream>;
fn local_addr(&self) -> crate::io::Result<crate::os::unix::net::SocketAddr>;
fn pair() -> crate::io::Result<(crate::os::unix::net::UnixStream, crate::os::unix::net::UnixStream)>;
fn peer_addr(&self) -> crate::io::Result<crate::os::unix::net::SocketAddr>;
fn read_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
fn set_nonblocking(&self, _: bool) -> crate::io::Result<()>;
fn set_read_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn set_write_timeout(&self, _: Option<crate::time::Duration>) -> crate::io::Result<()>;
fn shutdown(&self, _: crate::net::Shutdown) -> crate::io::Result<()>;
fn take_error(&self) -> crate::io::Result<Option<crate::io::Error>>;
fn try_clone(&self) -> crate::io::Result<crate::os::unix::net::UnixStream>;
fn write_timeout(&self) -> crate::io::Result<Option<crate::time::Duration>>;
}
impl crate::unnameable::Sealed_ for crate::os::unix::net::SocketAddr {}
impl crate::unnameable::Sealed_ for crate::os::unix::net::UnixDatagram {}
impl crate::unnameable::Sealed_ for crate::os::unix::net::UnixStream {}
}
pub mod prelude {
pub use crate::os::fd::AsFd;
pub use crate::os::fd::AsRawFd;
pub use crate::os::fd::BorrowedFd;
pub use crate::os::unix::process::CommandExt;
pub use crate::os::unix::fs::DirEntryExt;
pub use crate::os::unix::process::ExitStatusExt;
pub use crate::os::unix::fs::FileExt;
pub use crate::os::unix::fs::FileTypeExt;
pub use crate::os::fd::FromRawFd;
pub use crate::os::fd::IntoRawFd;
pub use crate::os::unix::thread::JoinHandleExt;
pub use crate::os::unix::fs::MetadataExt;
pub use crate::os::unix::fs::OpenOptionsExt;
pub use crate::os::unix::ffi::OsStrExt;
pub use crate::os::unix::ffi::OsStringExt;
pub use crate::os::fd::OwnedFd;
pub use crate::os::unix::fs::PermissionsExt;
pub use crate::os::fd::RawFd;
}
pub mod process {
pub trait CommandExt: crate::unnameable::Sealed_ {
fn arg0<S: AsRef<crate::ffi::OsStr>>(&mut self, _: S) -> &crate::process::Command;
fn before_exec<F: FnMut<(), Output = crate::io::Result<()>>>(&mut self, _: F) -> &crate::process::Command;
fn exec(&mut self) -> crate::io::Error;
fn gid(&mut self, _: GroupId) -> &crate::process::Command;
fn pre_exec<F: FnMut<(), Output = crate::io::Result<()>>>(&mut self, _: F) -> &crate::process::Command;
fn process_group(&mut self, _: i32) -> &crate::process::Command;
fn uid(&mut self, _: UserId) -> &crate::process::Command;
}
pub trait ExitStatusExt: crate::unnameable::Sealed_ {
fn continued(&self) -> bool;
fn core_dumped(&self) -> bool;
fn from_raw(_: i32) -> Self;
fn into_raw(self) -> i32;
fn signal(&self) -> Option<i32>;
fn stopped_signal(&self) -> Option<i32>;
}
pub fn parent_id() -> u32;
}
pub mod raw {
pub use crate::os::linux::raw::blkcnt_t;
pub use crate::os::linux::raw::blksize_t;
pub use crate::os::linux::raw::dev_t;
pub use crate::os::linux::raw::ino_t;
pub use crate::os::linux::raw::mode_t;
pub use crate::os::linux::raw::nlink_t;
pub use crate::os::linux::raw::off_t;
pub use crate::os::linux::raw::pthread_t;
pub use crate::os::linux::raw::time_t;
pub type gid_t = u32;
pub type pid_t = i32;
pub type uid_t = u32;
}
pub mod thread {
pub trait JoinHandleExt {
fn as_pthread_t(&self) -> crate::os::unix::thread::RawPthread;
fn into_pthread_t(self) -> crate::os::unix::thread::RawPthread;
}
pub type RawPthread = crate::os::linux::raw::pthread_t;
}
}
}
pub mod panic {
pub struct AssertUnwindSafe<T>;
#[derive(Clone, Copy)]
pub struct Location;
#[derive(Debug)]
pub struct PanicHookInfo;
pub type PanicInfo = crate::panic::PanicHookInfo;
pub trait RefUnwindSafe {}
pub trait UnwindSafe {}
pub fn catch_unwind<F: FnOnce<(), Output = R>, R>(_: F) -> crate::thread::Result<R>;
pub fn panic_any<M: crate::any::Any>(_: M) -> !;
pub fn resume_unwind(_: Box<dyn crate::any::Any>) -> !;
pub fn set_hook(_: Box<dyn Fn<(&crate::panic::PanicHookInfo,), Output = ()>>);
pub fn take_hook() -> Box<dyn Fn<(&crate::panic::PanicHookInfo,), Output = ()>>;
impl Eq for crate::panic::Location {}
impl Ord for crate::panic::Location {}
impl PartialEq for crate::panic::Location {}
impl PartialOrd for crate::panic::Location {}
impl crate::fmt::Debug for crate::panic::Location {}
impl crate::fmt::Display for crate::panic::Location {}
impl crate::fmt::Display for crate::panic::PanicHookInfo {}
impl crate::hash::Hash for crate::panic::Location {}
impl crate::panic::Location {
fn caller() -> &crate::panic::Location;
fn column(&self) -> u32;
fn file(&self) -> &str;
fn file_as_c_str(&self) -> &crate::ffi::CStr;
fn line(&self) -> u32;
}
impl crate::panic::PanicHookInfo {
fn location(&self) -> Option<&crate::panic::Location>;
fn payload(&self) -> &dyn crate::any::Any;
fn payload_as_str(&self) -> Option<&str>;
}
impl<F: crate::future::Future> crate::future::Future for crate::panic::AssertUnwindSafe<F> {
type Output = F::Output;
}
impl<R, F: FnOnce<(), Output = R>> FnOnce<()> for crate::panic::AssertUnwindSafe<F> {
type Output = R;
}
impl<T: Default> Default for crate::panic::AssertUnwindSafe<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::panic::AssertUnwindSafe<T> {}
impl<T> From<T> for crate::panic::AssertUnwindSafe<T> {}
impl<T> crate::ops::Deref for crate::panic::AssertUnwindSafe<T> {
type Target = T;
}
impl<T> crate::ops::DerefMut for crate::panic::AssertUnwindSafe<T> {}
}
pub mod path {
#[derive(Clone, Copy, Debug)]
pub struct Ancestors;
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Component { Prefix(crate::path::PrefixComponent), RootDir, CurDir, ParentDir, Normal(&crate::ffi::OsStr) }
#[derive(Clone)]
pub struct Components;
pub struct Display;
#[derive(Clone)]
pub struct Iter;
pub const MAIN_SEPARATOR: char = 0;
pub const MAIN_SEPARATOR_STR: &str = 0;
pub struct Path;
pub struct PathBuf;
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Prefix { Verbatim(&crate::ffi::OsStr), VerbatimUNC(&crate::ffi::OsStr, &crate::ffi::OsStr), VerbatimDisk(u8), DeviceNS(&crate::ffi::OsStr), UNC(&crate::ffi::OsStr, &crate::ffi::OsStr), Disk(u8) }
#[derive(Clone, Copy, Debug, Eq)]
pub struct PrefixComponent;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StripPrefixError;
pub fn absolute<P: AsRef<crate::path::Path>>(_: P) -> crate::io::Result<crate::path::PathBuf>;
pub fn is_separator(_: char) -> bool;
impl AsRef<crate::ffi::OsStr> for crate::path::Component {}
impl AsRef<crate::ffi::OsStr> for crate::path::Components {}
impl AsRef<crate::ffi::OsStr> for crate::path::Iter {}
impl AsRef<crate::ffi::OsStr> for crate::path::Path {}
impl AsRef<crate::ffi::OsStr> for crate::path::PathBuf {}
impl AsRef<crate::path::Path> for crate::path::Component {}
impl AsRef<crate::path::Path> for crate::path::Components {}
impl AsRef<crate::path::Path> for crate::path::Iter {}
impl AsRef<crate::path::Path> for crate::path::Path {}
impl AsRef<crate::path::Path> for crate::path::PathBuf {}
impl Clone for crate::path::PathBuf {}
impl Default for crate::path::PathBuf {}
impl DoubleEndedIterator for crate::path::Components {}
impl DoubleEndedIterator for crate::path::Iter {}
impl Eq for crate::path::Components {}
impl Eq for crate::path::Path {}
impl Eq for crate::path::PathBuf {}
impl From<Box<crate::path::Path>> for crate::path::PathBuf {}
impl From<String> for crate::path::PathBuf {}
impl From<crate::borrow::Cow<crate::path::Path>> for crate::path::PathBuf {}
impl From<crate::ffi::OsString> for crate::path::PathBuf {}
impl Iterator for crate::path::Ancestors {
type Item = &crate::path::Path;
}
impl Iterator for crate::path::Components {
type Item = crate::path::Component;
}
impl Iterator for crate::path::Iter {
type Item = &crate::ffi::OsStr;
}
impl Ord for crate::path::Components {}
impl Ord for crate::path::Path {}
impl Ord for crate::path::PathBuf {}
impl Ord for crate::path::PrefixComponent {}
impl PartialEq for crate::path::Components {}
impl PartialEq for crate::path::Path {}
impl PartialEq for crate::path::PathBuf {}
impl PartialEq for crate::path::PrefixComponent {}
impl PartialEq<&crate::ffi::OsStr> for crate::path::Path {}
impl PartialEq<&crate::ffi::OsStr> for crate::path::PathBuf {}
impl PartialEq<&crate::path::Path> for crate::path::PathBuf {}
impl PartialEq<String> for crate::path::Path {}
impl PartialEq<String> for crate::path::PathBuf {}
impl PartialEq<crate::borrow::Cow<crate::ffi::OsStr>> for crate::path::Path {}
impl PartialEq<crate::borrow::Cow<crate::ffi::OsStr>> for crate::path::PathBuf {}
impl PartialEq<crate::borrow::Cow<crate::path::Path>> for crate::path::Path {}
impl PartialEq<crate::borrow::Cow<crate::path::Path>> for crate::path::PathBuf {}
impl PartialEq<crate::ffi::OsStr> for crate::path::Path {}
impl PartialEq<crate::ffi::OsStr> for crate::path::PathBuf {}
impl PartialEq<crate::ffi::OsString> for crate::path::Path {}
impl PartialEq<crate::ffi::OsString> for crate::path::PathBuf {}
impl PartialEq<crate::path::Path> for crate::path::PathBuf {}
impl PartialEq<crate::path::PathBuf> for crate::path::Path {}
impl PartialEq<str> for crate::path::Path {}
impl PartialEq<str> for crate::path::PathBuf {}
impl PartialOrd for crate::path::Components {}
impl PartialOrd for crate::path::Path {}
impl PartialOrd for crate::path::PathBuf {}
impl PartialOrd for crate::path::PrefixComponent {}
impl PartialOrd<&crate::ffi::OsStr> for crate::path::Path {}
impl PartialOrd<&crate::ffi::OsStr> for crate::path::PathBuf {}
impl PartialOrd<&crate::path::Path> for crate::path::PathBuf {}
impl PartialOrd<crate::borrow::Cow<crate::ffi::OsStr>> for crate::path::Path {}
impl PartialOrd<crate::borrow::Cow<crate::ffi::OsStr>> for crate::path::PathBuf {}
impl PartialOrd<crate::borrow::Cow<crate::path::Path>> for crate::path::Path {}
impl PartialOrd<crate::borrow::Cow<crate::path::Path>> for crate::path::PathBuf {}
impl PartialOrd<crate::ffi::OsStr> for crate::path::Path {}
impl PartialOrd<crate::ffi::OsStr> for crate::path::PathBuf {}
impl PartialOrd<crate::ffi::OsString> for crate::path::Path {}
impl PartialOrd<crate::ffi::OsString> for crate::path::PathBuf {}
impl PartialOrd<crate::path::Path> for crate::path::PathBuf {}
impl PartialOrd<crate::path::PathBuf> for crate::path::Path {}
impl ToOwned for crate::path::Path {
type Owned = crate::path::PathBuf;
}
impl crate::borrow::Borrow<crate::path::Path> for crate::path::PathBuf {}
impl crate::error::Error for crate::path::StripPrefixError {}
impl crate::fmt::Debug for crate::path::Components {}
impl crate::fmt::Debug for crate::path::Display {}
impl crate::fmt::Debug for crate::path::Iter {}
impl crate::fmt::Debug for crate::path::Path {}
impl crate::fmt::Debug for crate::path::PathBuf {}
impl crate::fmt::Display for crate::path::Display {}
impl crate::fmt::Display for crate::path::StripPrefixError {}
impl crate::hash::Hash for crate::path::Path {}
impl crate::hash::Hash for crate::path::PathBuf {}
impl crate::hash::Hash for crate::path::PrefixComponent {}
impl crate::ops::Deref for crate::path::PathBuf {
type Target = crate::path::Path;
}
impl crate::ops::DerefMut for crate::path::PathBuf {}
impl crate::path::Component {
fn as_os_str(self) -> &crate::ffi::OsStr;
}
impl crate::path::Components {
fn as_path(&self) -> &crate::path::Path;
}
impl crate::path::Iter {
fn as_path(&self) -> &crate::path::Path;
}
impl crate::path::Path {
fn ancestors(&self) -> crate::path::Ancestors;
fn as_mut_os_str(&mut self) -> &crate::ffi::OsStr;
fn as_os_str(&self) -> &crate::ffi::OsStr;
fn canonicalize(&self) -> crate::io::Result<crate::path::PathBuf>;
fn components(&self) -> crate::path::Components;
fn display(&self) -> crate::path::Display;
fn ends_with<P: AsRef<crate::path::Path>>(&self, _: P) -> bool;
fn exists(&self) -> bool;
fn extension(&self) -> Option<&crate::ffi::OsStr>;
fn file_name(&self) -> Option<&crate::ffi::OsStr>;
fn file_prefix(&self) -> Option<&crate::ffi::OsStr>;
fn file_stem(&self) -> Option<&crate::ffi::OsStr>;
fn has_root(&self) -> bool;
fn into_path_buf(self: Box<Self>) -> crate::path::PathBuf;
fn is_absolute(&self) -> bool;
fn is_dir(&self) -> bool;
fn is_file(&self) -> bool;
fn is_relative(&self) -> bool;
fn is_symlink(&self) -> bool;
fn iter(&self) -> crate::path::Iter;
fn join<P: AsRef<crate::path::Path>>(&self, _: P) -> crate::path::PathBuf;
fn metadata(&self) -> crate::io::Result<crate::fs::Metadata>;
fn new<S: AsRef<crate::ffi::OsStr>>(_: &S) -> &crate::path::Path;
fn parent(&self) -> Option<&crate::path::Path>;
fn read_dir(&self) -> crate::io::Result<crate::fs::ReadDir>;
fn read_link(&self) -> crate::io::Result<crate::path::PathBuf>;
fn starts_with<P: AsRef<crate::path::Path>>(&self, _: P) -> bool;
fn strip_prefix<P: AsRef<crate::path::Path>>(&self, _: P) -> crate::result::Result<&crate::path::Path, crate::path::StripPrefixError>;
fn symlink_metadata(&self) -> crate::io::Result<crate::fs::Metadata>;
fn to_path_buf(&self) -> crate::path::PathBuf;
fn to_str(&self) -> Option<&str>;
fn to_string_lossy(&self) -> crate::borrow::Cow<str>;
fn try_exists(&self) -> crate::io::Result<bool>;
fn with_added_extension<S: AsRef<crate::ffi::OsStr>>(&self, _: S) -> crate::path::PathBuf;
fn with_extension<S: AsRef<crate::ffi::OsStr>>(&self, _: S) -> crate::path::PathBuf;
fn with_file_name<S: AsRef<crate::ffi::OsStr>>(&self, _: S) -> crate::path::PathBuf;
}
impl crate::path::PathBuf {
fn add_extension<S: AsRef<crate::ffi::OsStr>>(&mut self, _: S) -> bool;
fn as_mut_os_string(&mut self) -> &crate::ffi::OsString;
fn as_path(&self) -> &crate::path::Path;
fn capacity(&self) -> usize;
fn clear(&mut self);
fn into_boxed_path(self) -> Box<crate::path::Path>;
fn into_os_string(self) -> crate::ffi::OsString;
fn leak(self) -> &crate::path::Path;
fn new() -> crate::path::PathBuf;
fn pop(&mut self) -> bool;
fn push<P: AsRef<crate::path::Path>>(&mut self, _: P);
fn reserve(&mut self, _: usize);
fn reserve_exact(&mut self, _: usize);
fn set_extension<S: AsRef<crate::ffi::OsStr>>(&mut self, _: S) -> bool;
fn set_file_name<S: AsRef<crate::ffi::OsStr>>(&mut self, _: S);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn try_reserve_exact(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn with_capacity(_: usize) -> crate::path::PathBuf;
}
impl crate::path::Prefix {
fn is_verbatim(&self) -> bool;
}
impl crate::path::PrefixComponent {
fn as_os_str(&self) -> &crate::ffi::OsStr;
fn kind(&self) -> crate::path::Prefix;
}
impl crate::str::FromStr for crate::path::PathBuf {
type Err = crate::convert::Infallible;
}
impl crate::unnameable::CloneToUninit for crate::path::Path {}
impl<P: AsRef<crate::path::Path>> Extend<P> for crate::path::PathBuf {}
impl<P: AsRef<crate::path::Path>> crate::iter::FromIterator<P> for crate::path::PathBuf {}
impl<T: AsRef<crate::ffi::OsStr>> From<&T> for crate::path::PathBuf {}
}
pub mod pin {
#[derive(Clone, Copy)]
pub struct Pin<Ptr>;
impl<P: crate::ops::DerefMut> crate::future::Future for crate::pin::Pin<P> {
type Output = <<P as crate::ops::Deref>::Target as crate::future::Future>::Output;
}
impl<Ptr: crate::fmt::Debug> crate::fmt::Debug for crate::pin::Pin<Ptr> {}
impl<Ptr: crate::fmt::Display> crate::fmt::Display for crate::pin::Pin<Ptr> {}
impl<Ptr: crate::fmt::Pointer> crate::fmt::Pointer for crate::pin::Pin<Ptr> {}
impl<Ptr: crate::ops::Deref, Q: crate::ops::Deref> PartialEq<crate::pin::Pin<Q>> for crate::pin::Pin<Ptr> where Ptr::Target: PartialEq<Q::Target> {}
impl<Ptr: crate::ops::Deref, Q: crate::ops::Deref> PartialOrd<crate::pin::Pin<Q>> for crate::pin::Pin<Ptr> where Ptr::Target: PartialOrd<Q::Target> {}
impl<Ptr: crate::ops::Deref> Eq for crate::pin::Pin<Ptr> {}
impl<Ptr: crate::ops::Deref> Ord for crate::pin::Pin<Ptr> {}
impl<Ptr: crate::ops::Deref> crate::hash::Hash for crate::pin::Pin<Ptr> {}
impl<Ptr: crate::ops::Deref> crate::ops::Deref for crate::pin::Pin<Ptr> {
type Target = Ptr::Target;
}
impl<Ptr: crate::ops::Deref> crate::ops::DerefMut for crate::pin::Pin<Ptr> where crate::unnameable::PinHelper<Ptr>: crate::unnameable::PinDerefMutHelper<Target = Self::Target> {}
impl<Ptr: crate::ops::Deref> crate::pin::Pin<Ptr> {
fn as_ref(&self) -> crate::pin::Pin<&Ptr::Target> where Ptr: crate::ops::Deref;
fn into_inner(_: crate::pin::Pin<Ptr>) -> Ptr;
fn into_inner_unchecked(_: crate::pin::Pin<Ptr>) -> Ptr;
fn new(_: Ptr) -> crate::pin::Pin<Ptr>;
fn new_unchecked(_: Ptr) -> crate::pin::Pin<Ptr>;
}
impl<Ptr: crate::ops::DerefMut> crate::pin::Pin<Ptr> {
fn as_deref_mut(self: crate::pin::Pin<&Self>) -> crate::pin::Pin<&Ptr::Target> where Ptr: crate::ops::DerefMut;
fn as_mut(&mut self) -> crate::pin::Pin<&Ptr::Target> where Ptr: crate::ops::DerefMut;
fn set(&mut self, _: Ptr::Target);
}
impl<T> Default for crate::pin::Pin<Box<T>> where Box<T>: Default {}
impl<T> Default for crate::pin::Pin<crate::rc::Rc<T>> where crate::rc::Rc<T>: Default {}
impl<T> Default for crate::pin::Pin<crate::sync::Arc<T>> where crate::sync::Arc<T>: Default {}
impl<T> From<Box<T>> for crate::pin::Pin<Box<T>> {}
impl<T> crate::pin::Pin<&T> {
fn get_mut(self) -> &T;
fn get_ref(self) -> &T;
fn get_unchecked_mut(self) -> &T;
fn into_ref(self) -> crate::pin::Pin<&T>;
fn map_unchecked<U, F: FnOnce<(&T,), Output = &U>>(self, _: F) -> crate::pin::Pin<&U>;
fn map_unchecked_mut<U, F: FnOnce<(&T,), Output = &U>>(self, _: F) -> crate::pin::Pin<&U>;
fn static_mut(_: &T) -> crate::pin::Pin<&T>;
fn static_ref(_: &T) -> crate::pin::Pin<&T>;
}
}
pub mod prelude {
pub mod rust_2015 {
pub use crate::convert::AsMut;
pub use crate::convert::AsRef;
pub use crate::boxed::Box;
pub use crate::clone::Clone;
pub use crate::marker::Copy;
pub use crate::default::Default;
pub use crate::iter::DoubleEndedIterator;
pub use crate::ops::Drop;
pub use crate::cmp::Eq;
pub use crate::result::Result::Err;
pub use crate::iter::ExactSizeIterator;
pub use crate::iter::Extend;
pub use crate::ops::Fn;
pub use crate::ops::FnMut;
pub use crate::ops::FnOnce;
pub use crate::convert::From;
pub use crate::convert::Into;
pub use crate::iter::IntoIterator;
pub use crate::iter::Iterator;
pub use crate::option::Option::None;
pub use crate::result::Result::Ok;
pub use crate::option::Option;
pub use crate::cmp::Ord;
pub use crate::cmp::PartialEq;
pub use crate::cmp::PartialOrd;
pub use crate::result::Result;
pub use crate::marker::Send;
pub use crate::marker::Sized;
pub use crate::option::Option::Some;
pub use crate::string::String;
pub use crate::marker::Sync;
pub use crate::borrow::ToOwned;
pub use crate::string::ToString;
pub use crate::marker::Unpin;
pub use crate::vec::Vec;
pub use crate::mem::align_of;
pub use crate::mem::align_of_val;
pub use crate::mem::drop;
pub use crate::mem::size_of;
pub use crate::mem::size_of_val;
pub trait AsyncFn<Args: crate::unnameable::Tuple>: AsyncFnMut<Args> {}
pub trait AsyncFnMut<Args: crate::unnameable::Tuple>: AsyncFnOnce<Args> {
type CallRefFuture: crate::future::Future<Output = Self::Output>;
}
pub trait AsyncFnOnce<Args: crate::unnameable::Tuple> {
type CallOnceFuture: crate::future::Future<Output = Self::Output>;
type Output;
}
impl<A: crate::unnameable::Tuple, F: AsyncFn<A>> AsyncFn<A> for &F {}
impl<A: crate::unnameable::Tuple, F: AsyncFn<A>> AsyncFnMut<A> for &F {
type CallRefFuture = F::CallRefFuture;
}
impl<A: crate::unnameable::Tuple, F: AsyncFn<A>> AsyncFnOnce<A> for &F {
type CallOnceFuture = F::CallRefFuture;
type Output = F::Output;
}
impl<A: crate::unnameable::Tuple, F: AsyncFnMut<A>> AsyncFnMut<A> for &F {
type CallRefFuture = F::CallRefFuture;
}
impl<A: crate::unnameable::Tuple, F: AsyncFnMut<A>> AsyncFnOnce<A> for &F {
type CallOnceFuture = F::CallRefFuture;
type Output = F::Output;
}
}
pub mod rust_2018 {
pub use crate::convert::AsMut;
pub use crate::convert::AsRef;
pub use crate::prelude::rust_2015::AsyncFn;
pub use crate::prelude::rust_2015::AsyncFnMut;
pub use crate::prelude::rust_2015::AsyncFnOnce;
pub use crate::boxed::Box;
pub use crate::clone::Clone;
pub use crate::marker::Copy;
pub use crate::default::Default;
pub use crate::iter::DoubleEndedIterator;
pub use crate::ops::Drop;
pub use crate::cmp::Eq;
pub use crate::result::Result::Err;
pub use crate::iter::ExactSizeIterator;
pub use crate::iter::Extend;
pub use crate::ops::Fn;
pub use crate::ops::FnMut;
pub use crate::ops::FnOnce;
pub use crate::convert::From;
pub use crate::convert::Into;
pub use crate::iter::IntoIterator;
pub use crate::iter::Iterator;
pub use crate::option::Option::None;
pub use crate::result::Result::Ok;
pub use crate::option::Option;
pub use crate::cmp::Ord;
pub use crate::cmp::PartialEq;
pub use crate::cmp::PartialOrd;
pub use crate::result::Result;
pub use crate::marker::Send;
pub use crate::marker::Sized;
pub use crate::option::Option::Some;
pub use crate::string::String;
pub use crate::marker::Sync;
pub use crate::borrow::ToOwned;
pub use crate::string::ToString;
pub use crate::marker::Unpin;
pub use crate::vec::Vec;
pub use crate::mem::align_of;
pub use crate::mem::align_of_val;
pub use crate::mem::drop;
pub use crate::mem::size_of;
pub use crate::mem::size_of_val;
}
pub mod rust_2021 {
pub use crate::convert::AsMut;
pub use crate::convert::AsRef;
pub use crate::prelude::rust_2015::AsyncFn;
pub use crate::prelude::rust_2015::AsyncFnMut;
pub use crate::prelude::rust_2015::AsyncFnOnce;
pub use crate::boxed::Box;
pub use crate::clone::Clone;
pub use crate::marker::Copy;
pub use crate::default::Default;
pub use crate::iter::DoubleEndedIterator;
pub use crate::ops::Drop;
pub use crate::cmp::Eq;
pub use crate::result::Result::Err;
pub use crate::iter::ExactSizeIterator;
pub use crate::iter::Extend;
pub use crate::ops::Fn;
pub use crate::ops::FnMut;
pub use crate::ops::FnOnce;
pub use crate::convert::From;
pub use crate::iter::FromIterator;
pub use crate::convert::Into;
pub use crate::iter::IntoIterator;
pub use crate::iter::Iterator;
pub use crate::option::Option::None;
pub use crate::result::Result::Ok;
pub use crate::option::Option;
pub use crate::cmp::Ord;
pub use crate::cmp::PartialEq;
pub use crate::cmp::PartialOrd;
pub use crate::result::Result;
pub use crate::marker::Send;
pub use crate::marker::Sized;
pub use crate::option::Option::Some;
pub use crate::string::String;
pub use crate::marker::Sync;
pub use crate::borrow::ToOwned;
pub use crate::string::ToString;
pub use crate::convert::TryFrom;
pub use crate::convert::TryInto;
pub use crate::marker::Unpin;
pub use crate::vec::Vec;
pub use crate::mem::align_of;
pub use crate::mem::align_of_val;
pub use crate::mem::drop;
pub use crate::mem::size_of;
pub use crate::mem::size_of_val;
}
pub mod rust_2024 {
pub use crate::convert::AsMut;
pub use crate::convert::AsRef;
pub use crate::prelude::rust_2015::AsyncFn;
pub use crate::prelude::rust_2015::AsyncFnMut;
pub use crate::prelude::rust_2015::AsyncFnOnce;
pub use crate::boxed::Box;
pub use crate::clone::Clone;
pub use crate::marker::Copy;
pub use crate::default::Default;
pub use crate::iter::DoubleEndedIterator;
pub use crate::ops::Drop;
pub use crate::cmp::Eq;
pub use crate::result::Result::Err;
pub use crate::iter::ExactSizeIterator;
pub use crate::iter::Extend;
pub use crate::ops::Fn;
pub use crate::ops::FnMut;
pub use crate::ops::FnOnce;
pub use crate::convert::From;
pub use crate::iter::FromIterator;
pub use crate::future::Future;
pub use crate::convert::Into;
pub use crate::future::IntoFuture;
pub use crate::iter::IntoIterator;
pub use crate::iter::Iterator;
pub use crate::option::Option::None;
pub use crate::result::Result::Ok;
pub use crate::option::Option;
pub use crate::cmp::Ord;
pub use crate::cmp::PartialEq;
pub use crate::cmp::PartialOrd;
pub use crate::result::Result;
pub use crate::marker::Send;
pub use crate::marker::Sized;
pub use crate::option::Option::Some;
pub use crate::string::String;
pub use crate::marker::Sync;
pub use crate::borrow::ToOwned;
pub use crate::string::ToString;
pub use crate::convert::TryFrom;
pub use crate::convert::TryInto;
pub use crate::marker::Unpin;
pub use crate::vec::Vec;
pub use crate::mem::align_of;
pub use crate::mem::align_of_val;
pub use crate::mem::drop;
pub use crate::mem::size_of;
pub use crate::mem::size_of_val;
}
pub mod v1 {
pub use crate::convert::AsMut;
pub use crate::convert::AsRef;
pub use crate::prelude::rust_2015::AsyncFn;
pub use crate::prelude::rust_2015::AsyncFnMut;
pub use crate::prelude::rust_2015::AsyncFnOnce;
pub use crate::boxed::Box;
pub use crate::clone::Clone;
pub use crate::marker::Copy;
pub use crate::default::Default;
pub use crate::iter::DoubleEndedIterator;
pub use crate::ops::Drop;
pub use crate::cmp::Eq;
pub use crate::result::Result::Err;
pub use crate::iter::ExactSizeIterator;
pub use crate::iter::Extend;
pub use crate::ops::Fn;
pub use crate::ops::FnMut;
pub use crate::ops::FnOnce;
pub use crate::convert::From;
pub use crate::convert::Into;
pub use crate::iter::IntoIterator;
pub use crate::iter::Iterator;
pub use crate::option::Option::None;
pub use crate::result::Result::Ok;
pub use crate::option::Option;
pub use crate::cmp::Ord;
pub use crate::cmp::PartialEq;
pub use crate::cmp::PartialOrd;
pub use crate::result::Result;
pub use crate::marker::Send;
pub use crate::marker::Sized;
pub use crate::option::Option::Some;
pub use crate::string::String;
pub use crate::marker::Sync;
pub use crate::borrow::ToOwned;
pub use crate::string::ToString;
pub use crate::marker::Unpin;
pub use crate::vec::Vec;
pub use crate::mem::align_of;
pub use crate::mem::align_of_val;
pub use crate::mem::drop;
pub use crate::mem::size_of;
pub use crate::mem::size_of_val;
}
}
pub mod primitive {
impl [u8] {
fn eq_ignore_ascii_case(&self, _: &[u8]) -> bool;
fn escape_ascii(&self) -> crate::slice::EscapeAscii;
fn is_ascii(&self) -> bool;
fn make_ascii_lowercase(&mut self);
fn make_ascii_uppercase(&mut self);
fn to_ascii_lowercase(&self) -> Vec<u8>;
fn to_ascii_uppercase(&self) -> Vec<u8>;
fn trim_ascii(&self) -> &[u8];
fn trim_ascii_end(&self) -> &[u8];
fn trim_ascii_start(&self) -> &[u8];
fn utf8_chunks(&self) -> crate::str::Utf8Chunks;
}
impl bool {
fn then<T, F: FnOnce<(), Output = T>>(self, _: F) -> Option<T>;
fn then_some<T>(self, _: T) -> Option<T>;
}
impl char {
const MAX: char = 0;
const MAX_LEN_UTF16: usize = 0;
const MAX_LEN_UTF8: usize = 0;
const MIN: char = 0;
const REPLACEMENT_CHARACTER: char = 0;
const UNICODE_VERSION: (u8, u8, u8) = 0;
fn decode_utf16<I: IntoIterator<Item = u16>>(_: I) -> crate::char::DecodeUtf16<I::IntoIter>;
fn encode_utf16(self, _: &[u16]) -> &[u16];
fn encode_utf8(self, _: &[u8]) -> &str;
fn eq_ignore_ascii_case(&self, _: &char) -> bool;
fn escape_debug(self) -> crate::char::EscapeDebug;
fn escape_default(self) -> crate::char::EscapeDefault;
fn escape_unicode(self) -> crate::char::EscapeUnicode;
fn from_digit(_: u32, _: u32) -> Option<char>;
fn from_u32(_: u32) -> Option<char>;
fn from_u32_unchecked(_: u32) -> char;
fn is_alphabetic(self) -> bool;
fn is_alphanumeric(self) -> bool;
fn is_ascii(&self) -> bool;
fn is_ascii_alphabetic(&self) -> bool;
fn is_ascii_alphanumeric(&self) -> bool;
fn is_ascii_control(&self) -> bool;
fn is_ascii_digit(&self) -> bool;
fn is_ascii_graphic(&self) -> bool;
fn is_ascii_hexdigit(&self) -> bool;
fn is_ascii_lowercase(&self) -> bool;
fn is_ascii_punctuation(&self) -> bool;
fn is_ascii_uppercase(&self) -> bool;
fn is_ascii_whitespace(&self) -> bool;
fn is_control(self) -> bool;
fn is_digit(self, _: u32) -> bool;
fn is_lowercase(self) -> bool;
fn is_numeric(self) -> bool;
fn is_uppercase(self) -> bool;
fn is_whitespace(self) -> bool;
fn len_utf16(self) -> usize;
fn len_utf8(self) -> usize;
fn make_ascii_lowercase(&mut self);
fn make_ascii_uppercase(&mut self);
fn to_ascii_lowercase(&self) -> char;
fn to_ascii_uppercase(&self) -> char;
fn to_digit(self, _: u32) -> Option<u32>;
fn to_lowercase(self) -> crate::char::ToLowercase;
fn to_uppercase(self) -> crate::char::ToUppercase;
}
impl f32 {
const DIGITS: u32 = 0;
const EPSILON: f32 = 0;
const INFINITY: f32 = 0;
const MANTISSA_DIGITS: u32 = 0;
const MAX: f32 = 0;
const MAX_10_EXP: i32 = 0;
const MAX_EXP: i32 = 0;
const MIN: f32 = 0;
const MIN_10_EXP: i32 = 0;
const MIN_EXP: i32 = 0;
const MIN_POSITIVE: f32 = 0;
const NAN: f32 = 0;
const NEG_INFINITY: f32 = 0;
const RADIX: u32 = 0;
fn abs(self) -> f32;
fn abs_sub(self, _: f32) -> f32;
fn acos(self) -> f32;
fn acosh(self) -> f32;
fn asin(self) -> f32;
fn asinh(self) -> f32;
fn atan(self) -> f32;
fn atan2(self, _: f32) -> f32;
fn atanh(self) -> f32;
fn cbrt(self) -> f32;
fn ceil(self) -> f32;
fn clamp(self, _: f32, _: f32) -> f32;
fn classify(self) -> crate::num::FpCategory;
fn copysign(self, _: f32) -> f32;
fn cos(self) -> f32;
fn cosh(self) -> f32;
fn div_euclid(self, _: f32) -> f32;
fn exp(self) -> f32;
fn exp2(self) -> f32;
fn exp_m1(self) -> f32;
fn floor(self) -> f32;
fn fract(self) -> f32;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_bits(_: u32) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn hypot(self, _: f32) -> f32;
fn is_finite(self) -> bool;
fn is_infinite(self) -> bool;
fn is_nan(self) -> bool;
fn is_normal(self) -> bool;
fn is_sign_negative(self) -> bool;
fn is_sign_positive(self) -> bool;
fn is_subnormal(self) -> bool;
fn ln(self) -> f32;
fn ln_1p(self) -> f32;
fn log(self, _: f32) -> f32;
fn log10(self) -> f32;
fn log2(self) -> f32;
fn max(self, _: f32) -> f32;
fn midpoint(self, _: f32) -> f32;
fn min(self, _: f32) -> f32;
fn mul_add(self, _: f32, _: f32) -> f32;
fn next_down(self) -> Self;
fn next_up(self) -> Self;
fn powf(self, _: f32) -> f32;
fn powi(self, _: i32) -> f32;
fn recip(self) -> f32;
fn rem_euclid(self, _: f32) -> f32;
fn round(self) -> f32;
fn round_ties_even(self) -> f32;
fn signum(self) -> f32;
fn sin(self) -> f32;
fn sin_cos(self) -> (f32, f32);
fn sinh(self) -> f32;
fn sqrt(self) -> f32;
fn tan(self) -> f32;
fn tanh(self) -> f32;
fn to_be_bytes(self) -> [u8; 0];
fn to_bits(self) -> u32;
fn to_degrees(self) -> f32;
fn to_int_unchecked<Int>(self) -> Int where Self: crate::unnameable::FloatToInt<Int>;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn to_radians(self) -> f32;
fn total_cmp(&self, _: &Self) -> crate::cmp::Ordering;
fn trunc(self) -> f32;
}
impl f64 {
const DIGITS: u32 = 0;
const EPSILON: f64 = 0;
const INFINITY: f64 = 0;
const MANTISSA_DIGITS: u32 = 0;
const MAX: f64 = 0;
const MAX_10_EXP: i32 = 0;
const MAX_EXP: i32 = 0;
const MIN: f64 = 0;
const MIN_10_EXP: i32 = 0;
const MIN_EXP: i32 = 0;
const MIN_POSITIVE: f64 = 0;
const NAN: f64 = 0;
const NEG_INFINITY: f64 = 0;
const RADIX: u32 = 0;
fn abs(self) -> f64;
fn abs_sub(self, _: f64) -> f64;
fn acos(self) -> f64;
fn acosh(self) -> f64;
fn asin(self) -> f64;
fn asinh(self) -> f64;
fn atan(self) -> f64;
fn atan2(self, _: f64) -> f64;
fn atanh(self) -> f64;
fn cbrt(self) -> f64;
fn ceil(self) -> f64;
fn clamp(self, _: f64, _: f64) -> f64;
fn classify(self) -> crate::num::FpCategory;
fn copysign(self, _: f64) -> f64;
fn cos(self) -> f64;
fn cosh(self) -> f64;
fn div_euclid(self, _: f64) -> f64;
fn exp(self) -> f64;
fn exp2(self) -> f64;
fn exp_m1(self) -> f64;
fn floor(self) -> f64;
fn fract(self) -> f64;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_bits(_: u64) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn hypot(self, _: f64) -> f64;
fn is_finite(self) -> bool;
fn is_infinite(self) -> bool;
fn is_nan(self) -> bool;
fn is_normal(self) -> bool;
fn is_sign_negative(self) -> bool;
fn is_sign_positive(self) -> bool;
fn is_subnormal(self) -> bool;
fn ln(self) -> f64;
fn ln_1p(self) -> f64;
fn log(self, _: f64) -> f64;
fn log10(self) -> f64;
fn log2(self) -> f64;
fn max(self, _: f64) -> f64;
fn midpoint(self, _: f64) -> f64;
fn min(self, _: f64) -> f64;
fn mul_add(self, _: f64, _: f64) -> f64;
fn next_down(self) -> Self;
fn next_up(self) -> Self;
fn powf(self, _: f64) -> f64;
fn powi(self, _: i32) -> f64;
fn recip(self) -> f64;
fn rem_euclid(self, _: f64) -> f64;
fn round(self) -> f64;
fn round_ties_even(self) -> f64;
fn signum(self) -> f64;
fn sin(self) -> f64;
fn sin_cos(self) -> (f64, f64);
fn sinh(self) -> f64;
fn sqrt(self) -> f64;
fn tan(self) -> f64;
fn tanh(self) -> f64;
fn to_be_bytes(self) -> [u8; 0];
fn to_bits(self) -> u64;
fn to_degrees(self) -> f64;
fn to_int_unchecked<Int>(self) -> Int where Self: crate::unnameable::FloatToInt<Int>;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn to_radians(self) -> f64;
fn total_cmp(&self, _: &Self) -> crate::cmp::Ordering;
fn trunc(self) -> f64;
}
impl i128 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn abs_diff(self, _: Self) -> u128;
fn cast_unsigned(self) -> u128;
fn checked_abs(self) -> Option<Self>;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_unsigned(self, _: u128) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_isqrt(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_unsigned(self, _: u128) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<i128, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: Self) -> Self;
fn min_value() -> Self;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_unsigned(self, _: u128) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_unsigned(self, _: u128) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_abs(self) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_unsigned(self, _: u128) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_unsigned(self, _: u128) -> Self;
fn signum(self) -> Self;
fn strict_abs(self) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_unsigned(self, _: u128) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_unsigned(self, _: u128) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> i128;
fn unbounded_shr(self, _: u32) -> i128;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_neg(self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn unsigned_abs(self) -> u128;
fn wrapping_abs(self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_unsigned(self, _: u128) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_unsigned(self, _: u128) -> Self;
}
impl i16 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn abs_diff(self, _: Self) -> u16;
fn cast_unsigned(self) -> u16;
fn checked_abs(self) -> Option<Self>;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_unsigned(self, _: u16) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_isqrt(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_unsigned(self, _: u16) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<i16, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: i16) -> i16;
fn min_value() -> Self;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_unsigned(self, _: u16) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_unsigned(self, _: u16) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_abs(self) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_unsigned(self, _: u16) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_unsigned(self, _: u16) -> Self;
fn signum(self) -> Self;
fn strict_abs(self) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_unsigned(self, _: u16) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_unsigned(self, _: u16) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> i16;
fn unbounded_shr(self, _: u32) -> i16;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_neg(self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn unsigned_abs(self) -> u16;
fn wrapping_abs(self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_unsigned(self, _: u16) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_unsigned(self, _: u16) -> Self;
}
impl i32 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn abs_diff(self, _: Self) -> u32;
fn cast_unsigned(self) -> u32;
fn checked_abs(self) -> Option<Self>;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_unsigned(self, _: u32) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_isqrt(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_unsigned(self, _: u32) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<i32, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: i32) -> i32;
fn min_value() -> Self;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_unsigned(self, _: u32) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_unsigned(self, _: u32) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_abs(self) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_unsigned(self, _: u32) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_unsigned(self, _: u32) -> Self;
fn signum(self) -> Self;
fn strict_abs(self) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_unsigned(self, _: u32) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_unsigned(self, _: u32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> i32;
fn unbounded_shr(self, _: u32) -> i32;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_neg(self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn unsigned_abs(self) -> u32;
fn wrapping_abs(self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_unsigned(self, _: u32) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_unsigned(self, _: u32) -> Self;
}
impl i64 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn abs_diff(self, _: Self) -> u64;
fn cast_unsigned(self) -> u64;
fn checked_abs(self) -> Option<Self>;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_unsigned(self, _: u64) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_isqrt(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_unsigned(self, _: u64) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<i64, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: Self) -> Self;
fn min_value() -> Self;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_unsigned(self, _: u64) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_unsigned(self, _: u64) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_abs(self) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_unsigned(self, _: u64) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_unsigned(self, _: u64) -> Self;
fn signum(self) -> Self;
fn strict_abs(self) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_unsigned(self, _: u64) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_unsigned(self, _: u64) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> i64;
fn unbounded_shr(self, _: u32) -> i64;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_neg(self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn unsigned_abs(self) -> u64;
fn wrapping_abs(self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_unsigned(self, _: u64) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_unsigned(self, _: u64) -> Self;
}
impl i8 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn abs_diff(self, _: Self) -> u8;
fn cast_unsigned(self) -> u8;
fn checked_abs(self) -> Option<Self>;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_unsigned(self, _: u8) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_isqrt(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_unsigned(self, _: u8) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<i8, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: i8) -> i8;
fn min_value() -> Self;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_unsigned(self, _: u8) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_unsigned(self, _: u8) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_abs(self) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_unsigned(self, _: u8) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_unsigned(self, _: u8) -> Self;
fn signum(self) -> Self;
fn strict_abs(self) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_unsigned(self, _: u8) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_unsigned(self, _: u8) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> i8;
fn unbounded_shr(self, _: u32) -> i8;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_neg(self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn unsigned_abs(self) -> u8;
fn wrapping_abs(self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_unsigned(self, _: u8) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_unsigned(self, _: u8) -> Self;
}
impl isize {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs(self) -> Self;
fn abs_diff(self, _: Self) -> usize;
fn cast_unsigned(self) -> usize;
fn checked_abs(self) -> Option<Self>;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_unsigned(self, _: usize) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_isqrt(self) -> Option<Self>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_unsigned(self, _: usize) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<isize, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_negative(self) -> bool;
fn is_positive(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: Self) -> Self;
fn min_value() -> Self;
fn overflowing_abs(self) -> (Self, bool);
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_unsigned(self, _: usize) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_unsigned(self, _: usize) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_abs(self) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_unsigned(self, _: usize) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_neg(self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_unsigned(self, _: usize) -> Self;
fn signum(self) -> Self;
fn strict_abs(self) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_unsigned(self, _: usize) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_unsigned(self, _: usize) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> isize;
fn unbounded_shr(self, _: u32) -> isize;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_neg(self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn unsigned_abs(self) -> usize;
fn wrapping_abs(self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_unsigned(self, _: usize) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_unsigned(self, _: usize) -> Self;
}
impl str {
fn as_bytes(&self) -> &[u8];
fn as_bytes_mut(&mut self) -> &[u8];
fn as_mut_ptr(&mut self) -> *const u8;
fn as_ptr(&self) -> *const u8;
fn bytes(&self) -> crate::str::Bytes;
fn ceil_char_boundary(&self, _: usize) -> usize;
fn char_indices(&self) -> crate::str::CharIndices;
fn chars(&self) -> crate::str::Chars;
fn contains<P: crate::str::pattern::Pattern>(&self, _: P) -> bool;
fn encode_utf16(&self) -> crate::str::EncodeUtf16;
fn ends_with<P: crate::str::pattern::Pattern>(&self, _: P) -> bool where P::Searcher: crate::str::pattern::ReverseSearcher;
fn eq_ignore_ascii_case(&self, _: &str) -> bool;
fn escape_debug(&self) -> crate::str::EscapeDebug;
fn escape_default(&self) -> crate::str::EscapeDefault;
fn escape_unicode(&self) -> crate::str::EscapeUnicode;
fn find<P: crate::str::pattern::Pattern>(&self, _: P) -> Option<usize>;
fn floor_char_boundary(&self, _: usize) -> usize;
fn from_utf8(_: &[u8]) -> crate::result::Result<&str, crate::str::Utf8Error>;
fn from_utf8_mut(_: &[u8]) -> crate::result::Result<&str, crate::str::Utf8Error>;
fn from_utf8_unchecked(_: &[u8]) -> &str;
fn from_utf8_unchecked_mut(_: &[u8]) -> &str;
fn get<I: crate::slice::SliceIndex<str>>(&self, _: I) -> Option<&I::Output>;
fn get_mut<I: crate::slice::SliceIndex<str>>(&mut self, _: I) -> Option<&I::Output>;
fn get_unchecked<I: crate::slice::SliceIndex<str>>(&self, _: I) -> &I::Output;
fn get_unchecked_mut<I: crate::slice::SliceIndex<str>>(&mut self, _: I) -> &I::Output;
fn into_boxed_bytes(self: Box<Self>) -> Box<[u8]>;
fn into_string(self: Box<Self>) -> String;
fn is_ascii(&self) -> bool;
fn is_char_boundary(&self, _: usize) -> bool;
fn is_empty(&self) -> bool;
fn len(&self) -> usize;
fn lines(&self) -> crate::str::Lines;
fn lines_any(&self) -> crate::str::LinesAny;
fn make_ascii_lowercase(&mut self);
fn make_ascii_uppercase(&mut self);
fn match_indices<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::MatchIndices<P>;
fn matches<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::Matches<P>;
fn parse<F: crate::str::FromStr>(&self) -> crate::result::Result<F, F::Err>;
fn repeat(&self, _: usize) -> String;
fn replace<P: crate::str::pattern::Pattern>(&self, _: P, _: &str) -> String;
fn replacen<P: crate::str::pattern::Pattern>(&self, _: P, _: &str, _: usize) -> String;
fn rfind<P: crate::str::pattern::Pattern>(&self, _: P) -> Option<usize> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn rmatch_indices<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::RMatchIndices<P> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn rmatches<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::RMatches<P> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn rsplit<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::RSplit<P> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn rsplit_once<P: crate::str::pattern::Pattern>(&self, _: P) -> Option<(&str, &str)> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn rsplit_terminator<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::RSplitTerminator<P> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn rsplitn<P: crate::str::pattern::Pattern>(&self, _: usize, _: P) -> crate::str::RSplitN<P> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn slice_mut_unchecked(&mut self, _: usize, _: usize) -> &str;
fn slice_unchecked(&self, _: usize, _: usize) -> &str;
fn split<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::Split<P>;
fn split_ascii_whitespace(&self) -> crate::str::SplitAsciiWhitespace;
fn split_at(&self, _: usize) -> (&str, &str);
fn split_at_checked(&self, _: usize) -> Option<(&str, &str)>;
fn split_at_mut(&mut self, _: usize) -> (&str, &str);
fn split_at_mut_checked(&mut self, _: usize) -> Option<(&str, &str)>;
fn split_inclusive<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::SplitInclusive<P>;
fn split_once<P: crate::str::pattern::Pattern>(&self, _: P) -> Option<(&str, &str)>;
fn split_terminator<P: crate::str::pattern::Pattern>(&self, _: P) -> crate::str::SplitTerminator<P>;
fn split_whitespace(&self) -> crate::str::SplitWhitespace;
fn splitn<P: crate::str::pattern::Pattern>(&self, _: usize, _: P) -> crate::str::SplitN<P>;
fn starts_with<P: crate::str::pattern::Pattern>(&self, _: P) -> bool;
fn strip_prefix<P: crate::str::pattern::Pattern>(&self, _: P) -> Option<&str>;
fn strip_suffix<P: crate::str::pattern::Pattern>(&self, _: P) -> Option<&str> where P::Searcher: crate::str::pattern::ReverseSearcher;
fn to_ascii_lowercase(&self) -> String;
fn to_ascii_uppercase(&self) -> String;
fn to_lowercase(&self) -> String;
fn to_uppercase(&self) -> String;
fn trim(&self) -> &str;
fn trim_ascii(&self) -> &str;
fn trim_ascii_end(&self) -> &str;
fn trim_ascii_start(&self) -> &str;
fn trim_end(&self) -> &str;
fn trim_end_matches<P: crate::str::pattern::Pattern>(&self, _: P) -> &str where P::Searcher: crate::str::pattern::ReverseSearcher;
fn trim_left(&self) -> &str;
fn trim_left_matches<P: crate::str::pattern::Pattern>(&self, _: P) -> &str;
fn trim_matches<P: crate::str::pattern::Pattern>(&self, _: P) -> &str where P::Searcher: crate::str::pattern::DoubleEndedSearcher;
fn trim_right(&self) -> &str;
fn trim_right_matches<P: crate::str::pattern::Pattern>(&self, _: P) -> &str where P::Searcher: crate::str::pattern::ReverseSearcher;
fn trim_start(&self) -> &str;
fn trim_start_matches<P: crate::str::pattern::Pattern>(&self, _: P) -> &str;
}
impl u128 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs_diff(self, _: Self) -> Self;
fn bit_width(self) -> u32;
fn borrowing_sub(self, _: Self, _: bool) -> (Self, bool);
fn carrying_add(self, _: Self, _: bool) -> (Self, bool);
fn carrying_mul(self, _: Self, _: Self) -> (Self, Self);
fn carrying_mul_add(self, _: Self, _: Self, _: Self) -> (Self, Self);
fn cast_signed(self) -> i128;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_signed(self, _: i128) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_next_multiple_of(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_signed_diff(self, _: Self) -> Option<i128>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_signed(self, _: i128) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_ceil(self, _: Self) -> Self;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<u128, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_multiple_of(self, _: Self) -> bool;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: u128) -> u128;
fn min_value() -> Self;
fn next_multiple_of(self, _: Self) -> Self;
fn next_power_of_two(self) -> Self;
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_signed(self, _: i128) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_signed(self, _: i128) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_signed(self, _: i128) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_signed(self, _: i128) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_signed(self, _: i128) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_signed(self, _: i128) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> u128;
fn unbounded_shr(self, _: u32) -> u128;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_signed(self, _: i128) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_signed(self, _: i128) -> Self;
}
impl u16 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs_diff(self, _: Self) -> Self;
fn bit_width(self) -> u32;
fn borrowing_sub(self, _: Self, _: bool) -> (Self, bool);
fn carrying_add(self, _: Self, _: bool) -> (Self, bool);
fn carrying_mul(self, _: Self, _: Self) -> (Self, Self);
fn carrying_mul_add(self, _: Self, _: Self, _: Self) -> (Self, Self);
fn cast_signed(self) -> i16;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_signed(self, _: i16) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_next_multiple_of(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_signed_diff(self, _: Self) -> Option<i16>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_signed(self, _: i16) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_ceil(self, _: Self) -> Self;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<u16, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_multiple_of(self, _: Self) -> bool;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: u16) -> u16;
fn min_value() -> Self;
fn next_multiple_of(self, _: Self) -> Self;
fn next_power_of_two(self) -> Self;
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_signed(self, _: i16) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_signed(self, _: i16) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_signed(self, _: i16) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_signed(self, _: i16) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_signed(self, _: i16) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_signed(self, _: i16) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> u16;
fn unbounded_shr(self, _: u32) -> u16;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_signed(self, _: i16) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_signed(self, _: i16) -> Self;
}
impl u32 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs_diff(self, _: Self) -> Self;
fn bit_width(self) -> u32;
fn borrowing_sub(self, _: Self, _: bool) -> (Self, bool);
fn carrying_add(self, _: Self, _: bool) -> (Self, bool);
fn carrying_mul(self, _: Self, _: Self) -> (Self, Self);
fn carrying_mul_add(self, _: Self, _: Self, _: Self) -> (Self, Self);
fn cast_signed(self) -> i32;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_signed(self, _: i32) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_next_multiple_of(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_signed_diff(self, _: Self) -> Option<i32>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_signed(self, _: i32) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_ceil(self, _: Self) -> Self;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<u32, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_multiple_of(self, _: Self) -> bool;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: u32) -> u32;
fn min_value() -> Self;
fn next_multiple_of(self, _: Self) -> Self;
fn next_power_of_two(self) -> Self;
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_signed(self, _: i32) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_signed(self, _: i32) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_signed(self, _: i32) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_signed(self, _: i32) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_signed(self, _: i32) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_signed(self, _: i32) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> u32;
fn unbounded_shr(self, _: u32) -> u32;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_signed(self, _: i32) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_signed(self, _: i32) -> Self;
}
impl u64 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs_diff(self, _: Self) -> Self;
fn bit_width(self) -> u32;
fn borrowing_sub(self, _: Self, _: bool) -> (Self, bool);
fn carrying_add(self, _: Self, _: bool) -> (Self, bool);
fn carrying_mul(self, _: Self, _: Self) -> (Self, Self);
fn carrying_mul_add(self, _: Self, _: Self, _: Self) -> (Self, Self);
fn cast_signed(self) -> i64;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_signed(self, _: i64) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_next_multiple_of(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_signed_diff(self, _: Self) -> Option<i64>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_signed(self, _: i64) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_ceil(self, _: Self) -> Self;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<u64, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_multiple_of(self, _: Self) -> bool;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: u64) -> u64;
fn min_value() -> Self;
fn next_multiple_of(self, _: Self) -> Self;
fn next_power_of_two(self) -> Self;
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_signed(self, _: i64) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_signed(self, _: i64) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_signed(self, _: i64) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_signed(self, _: i64) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_signed(self, _: i64) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_signed(self, _: i64) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> u64;
fn unbounded_shr(self, _: u32) -> u64;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_signed(self, _: i64) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_signed(self, _: i64) -> Self;
}
impl u8 {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs_diff(self, _: Self) -> Self;
fn bit_width(self) -> u32;
fn borrowing_sub(self, _: Self, _: bool) -> (Self, bool);
fn carrying_add(self, _: Self, _: bool) -> (Self, bool);
fn carrying_mul(self, _: Self, _: Self) -> (Self, Self);
fn carrying_mul_add(self, _: Self, _: Self, _: Self) -> (Self, Self);
fn cast_signed(self) -> i8;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_signed(self, _: i8) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_next_multiple_of(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_signed_diff(self, _: Self) -> Option<i8>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_signed(self, _: i8) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_ceil(self, _: Self) -> Self;
fn div_euclid(self, _: Self) -> Self;
fn eq_ignore_ascii_case(&self, _: &u8) -> bool;
fn escape_ascii(self) -> crate::ascii::EscapeDefault;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<u8, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_ascii(&self) -> bool;
fn is_ascii_alphabetic(&self) -> bool;
fn is_ascii_alphanumeric(&self) -> bool;
fn is_ascii_control(&self) -> bool;
fn is_ascii_digit(&self) -> bool;
fn is_ascii_graphic(&self) -> bool;
fn is_ascii_hexdigit(&self) -> bool;
fn is_ascii_lowercase(&self) -> bool;
fn is_ascii_punctuation(&self) -> bool;
fn is_ascii_uppercase(&self) -> bool;
fn is_ascii_whitespace(&self) -> bool;
fn is_multiple_of(self, _: Self) -> bool;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn make_ascii_lowercase(&mut self);
fn make_ascii_uppercase(&mut self);
fn max_value() -> Self;
fn midpoint(self, _: u8) -> u8;
fn min_value() -> Self;
fn next_multiple_of(self, _: Self) -> Self;
fn next_power_of_two(self) -> Self;
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_signed(self, _: i8) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_signed(self, _: i8) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_signed(self, _: i8) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_signed(self, _: i8) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_signed(self, _: i8) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_signed(self, _: i8) -> Self;
fn swap_bytes(self) -> Self;
fn to_ascii_lowercase(&self) -> u8;
fn to_ascii_uppercase(&self) -> u8;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> u8;
fn unbounded_shr(self, _: u32) -> u8;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_signed(self, _: i8) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_signed(self, _: i8) -> Self;
}
impl usize {
const BITS: u32 = 0;
const MAX: Self = 0;
const MIN: Self = 0;
fn abs_diff(self, _: Self) -> Self;
fn bit_width(self) -> u32;
fn borrowing_sub(self, _: Self, _: bool) -> (Self, bool);
fn carrying_add(self, _: Self, _: bool) -> (Self, bool);
fn carrying_mul(self, _: Self, _: Self) -> (Self, Self);
fn carrying_mul_add(self, _: Self, _: Self, _: Self) -> (Self, Self);
fn cast_signed(self) -> isize;
fn checked_add(self, _: Self) -> Option<Self>;
fn checked_add_signed(self, _: isize) -> Option<Self>;
fn checked_div(self, _: Self) -> Option<Self>;
fn checked_div_euclid(self, _: Self) -> Option<Self>;
fn checked_ilog(self, _: Self) -> Option<u32>;
fn checked_ilog10(self) -> Option<u32>;
fn checked_ilog2(self) -> Option<u32>;
fn checked_mul(self, _: Self) -> Option<Self>;
fn checked_neg(self) -> Option<Self>;
fn checked_next_multiple_of(self, _: Self) -> Option<Self>;
fn checked_next_power_of_two(self) -> Option<Self>;
fn checked_pow(self, _: u32) -> Option<Self>;
fn checked_rem(self, _: Self) -> Option<Self>;
fn checked_rem_euclid(self, _: Self) -> Option<Self>;
fn checked_shl(self, _: u32) -> Option<Self>;
fn checked_shr(self, _: u32) -> Option<Self>;
fn checked_signed_diff(self, _: Self) -> Option<isize>;
fn checked_sub(self, _: Self) -> Option<Self>;
fn checked_sub_signed(self, _: isize) -> Option<Self>;
fn count_ones(self) -> u32;
fn count_zeros(self) -> u32;
fn div_ceil(self, _: Self) -> Self;
fn div_euclid(self, _: Self) -> Self;
fn from_be(_: Self) -> Self;
fn from_be_bytes(_: [u8; 0]) -> Self;
fn from_le(_: Self) -> Self;
fn from_le_bytes(_: [u8; 0]) -> Self;
fn from_ne_bytes(_: [u8; 0]) -> Self;
fn from_str_radix(_: &str, _: u32) -> crate::result::Result<usize, crate::num::ParseIntError>;
fn highest_one(self) -> Option<u32>;
fn ilog(self, _: Self) -> u32;
fn ilog10(self) -> u32;
fn ilog2(self) -> u32;
fn is_multiple_of(self, _: Self) -> bool;
fn is_power_of_two(self) -> bool;
fn isolate_highest_one(self) -> Self;
fn isolate_lowest_one(self) -> Self;
fn isqrt(self) -> Self;
fn leading_ones(self) -> u32;
fn leading_zeros(self) -> u32;
fn lowest_one(self) -> Option<u32>;
fn max_value() -> Self;
fn midpoint(self, _: usize) -> usize;
fn min_value() -> Self;
fn next_multiple_of(self, _: Self) -> Self;
fn next_power_of_two(self) -> Self;
fn overflowing_add(self, _: Self) -> (Self, bool);
fn overflowing_add_signed(self, _: isize) -> (Self, bool);
fn overflowing_div(self, _: Self) -> (Self, bool);
fn overflowing_div_euclid(self, _: Self) -> (Self, bool);
fn overflowing_mul(self, _: Self) -> (Self, bool);
fn overflowing_neg(self) -> (Self, bool);
fn overflowing_pow(self, _: u32) -> (Self, bool);
fn overflowing_rem(self, _: Self) -> (Self, bool);
fn overflowing_rem_euclid(self, _: Self) -> (Self, bool);
fn overflowing_shl(self, _: u32) -> (Self, bool);
fn overflowing_shr(self, _: u32) -> (Self, bool);
fn overflowing_sub(self, _: Self) -> (Self, bool);
fn overflowing_sub_signed(self, _: isize) -> (Self, bool);
fn pow(self, _: u32) -> Self;
fn rem_euclid(self, _: Self) -> Self;
fn reverse_bits(self) -> Self;
fn rotate_left(self, _: u32) -> Self;
fn rotate_right(self, _: u32) -> Self;
fn saturating_add(self, _: Self) -> Self;
fn saturating_add_signed(self, _: isize) -> Self;
fn saturating_div(self, _: Self) -> Self;
fn saturating_mul(self, _: Self) -> Self;
fn saturating_pow(self, _: u32) -> Self;
fn saturating_sub(self, _: Self) -> Self;
fn saturating_sub_signed(self, _: isize) -> Self;
fn strict_add(self, _: Self) -> Self;
fn strict_add_signed(self, _: isize) -> Self;
fn strict_div(self, _: Self) -> Self;
fn strict_div_euclid(self, _: Self) -> Self;
fn strict_mul(self, _: Self) -> Self;
fn strict_neg(self) -> Self;
fn strict_pow(self, _: u32) -> Self;
fn strict_rem(self, _: Self) -> Self;
fn strict_rem_euclid(self, _: Self) -> Self;
fn strict_shl(self, _: u32) -> Self;
fn strict_shr(self, _: u32) -> Self;
fn strict_sub(self, _: Self) -> Self;
fn strict_sub_signed(self, _: isize) -> Self;
fn swap_bytes(self) -> Self;
fn to_be(self) -> Self;
fn to_be_bytes(self) -> [u8; 0];
fn to_le(self) -> Self;
fn to_le_bytes(self) -> [u8; 0];
fn to_ne_bytes(self) -> [u8; 0];
fn trailing_ones(self) -> u32;
fn trailing_zeros(self) -> u32;
fn unbounded_shl(self, _: u32) -> usize;
fn unbounded_shr(self, _: u32) -> usize;
fn unchecked_add(self, _: Self) -> Self;
fn unchecked_mul(self, _: Self) -> Self;
fn unchecked_shl(self, _: u32) -> Self;
fn unchecked_shr(self, _: u32) -> Self;
fn unchecked_sub(self, _: Self) -> Self;
fn wrapping_add(self, _: Self) -> Self;
fn wrapping_add_signed(self, _: isize) -> Self;
fn wrapping_div(self, _: Self) -> Self;
fn wrapping_div_euclid(self, _: Self) -> Self;
fn wrapping_mul(self, _: Self) -> Self;
fn wrapping_neg(self) -> Self;
fn wrapping_pow(self, _: u32) -> Self;
fn wrapping_rem(self, _: Self) -> Self;
fn wrapping_rem_euclid(self, _: Self) -> Self;
fn wrapping_shl(self, _: u32) -> Self;
fn wrapping_shr(self, _: u32) -> Self;
fn wrapping_sub(self, _: Self) -> Self;
fn wrapping_sub_signed(self, _: isize) -> Self;
}
impl<T, const N: usize> [T; 0] {
fn as_mut_slice(&mut self) -> &[T];
fn as_slice(&self) -> &[T];
fn each_mut(&mut self) -> [&T; 0];
fn each_ref(&self) -> [&T; 0];
fn map<F: FnMut<(T,), Output = U>, U>(self, _: F) -> [U; 0];
}
impl<T, const N: usize> [[T; 0]] {
fn as_flattened(&self) -> &[T];
fn as_flattened_mut(&mut self) -> &[T];
}
impl<T> *const T {
fn add(self, _: usize) -> Self;
fn addr(self) -> usize;
fn align_offset(self, _: usize) -> usize;
fn as_mut(self) -> Option<&T>;
fn as_mut_unchecked(self) -> &T;
fn as_ref(self) -> Option<&T>;
fn as_ref_unchecked(self) -> &T;
fn byte_add(self, _: usize) -> Self;
fn byte_offset(self, _: isize) -> Self;
fn byte_offset_from<U>(self, _: *const U) -> isize;
fn byte_offset_from_unsigned<U>(self, _: *const U) -> usize;
fn byte_sub(self, _: usize) -> Self;
fn cast<U>(self) -> *const U;
fn cast_const(self) -> *const T;
fn cast_mut(self) -> *const T;
fn copy_from(self, _: *const T, _: usize);
fn copy_from_nonoverlapping(self, _: *const T, _: usize);
fn copy_to(self, _: *const T, _: usize);
fn copy_to_nonoverlapping(self, _: *const T, _: usize);
fn drop_in_place(self);
fn expose_provenance(self) -> usize;
fn is_aligned(self) -> bool;
fn is_null(self) -> bool;
fn map_addr(self, _: impl FnOnce<(usize,), Output = usize>) -> Self;
fn offset(self, _: isize) -> *const T;
fn offset_from(self, _: *const T) -> isize;
fn offset_from_unsigned(self, _: *const T) -> usize;
fn read(self) -> T;
fn read_unaligned(self) -> T;
fn read_volatile(self) -> T;
fn replace(self, _: T) -> T;
fn sub(self, _: usize) -> Self;
fn swap(self, _: *const T);
fn with_addr(self, _: usize) -> Self;
fn wrapping_add(self, _: usize) -> Self;
fn wrapping_byte_add(self, _: usize) -> Self;
fn wrapping_byte_offset(self, _: isize) -> Self;
fn wrapping_byte_sub(self, _: usize) -> Self;
fn wrapping_offset(self, _: isize) -> *const T;
fn wrapping_sub(self, _: usize) -> Self;
fn write(self, _: T);
fn write_bytes(self, _: u8, _: usize);
fn write_unaligned(self, _: T);
fn write_volatile(self, _: T);
}
impl<T> *const [T] {
fn as_array<const N: usize>(self) -> Option<*const [T; 0]>;
fn as_mut_array<const N: usize>(self) -> Option<*const [T; 0]>;
fn is_empty(self) -> bool;
fn len(self) -> usize;
}
impl<T> [T] {
fn align_to<U>(&self) -> (&[T], &[U], &[T]);
fn align_to_mut<U>(&mut self) -> (&[T], &[U], &[T]);
fn array_windows<const N: usize>(&self) -> crate::slice::ArrayWindows<T, N>;
fn as_array<const N: usize>(&self) -> Option<&[T; 0]>;
fn as_chunks<const N: usize>(&self) -> (&[[T; 0]], &[T]);
fn as_chunks_mut<const N: usize>(&mut self) -> (&[[T; 0]], &[T]);
fn as_chunks_unchecked<const N: usize>(&self) -> &[[T; 0]];
fn as_chunks_unchecked_mut<const N: usize>(&mut self) -> &[[T; 0]];
fn as_mut_array<const N: usize>(&mut self) -> Option<&[T; 0]>;
fn as_mut_ptr(&mut self) -> *const T;
fn as_mut_ptr_range(&mut self) -> crate::ops::Range<*const T>;
fn as_ptr(&self) -> *const T;
fn as_ptr_range(&self) -> crate::ops::Range<*const T>;
fn as_rchunks<const N: usize>(&self) -> (&[T], &[[T; 0]]);
fn as_rchunks_mut<const N: usize>(&mut self) -> (&[T], &[[T; 0]]);
fn binary_search(&self, _: &T) -> crate::result::Result<usize, usize> where T: Ord;
fn binary_search_by<F: FnMut<(&T,), Output = crate::cmp::Ordering>>(&self, _: F) -> crate::result::Result<usize, usize>;
fn binary_search_by_key<B: Ord, F: FnMut<(&T,), Output = B>>(&self, _: &B, _: F) -> crate::result::Result<usize, usize>;
fn chunk_by<F: FnMut<(&T, &T), Output = bool>>(&self, _: F) -> crate::slice::ChunkBy<T, F>;
fn chunk_by_mut<F: FnMut<(&T, &T), Output = bool>>(&mut self, _: F) -> crate::slice::ChunkByMut<T, F>;
fn chunks(&self, _: usize) -> crate::slice::Chunks<T>;
fn chunks_exact(&self, _: usize) -> crate::slice::ChunksExact<T>;
fn chunks_exact_mut(&mut self, _: usize) -> crate::slice::ChunksExactMut<T>;
fn chunks_mut(&mut self, _: usize) -> crate::slice::ChunksMut<T>;
fn clone_from_slice(&mut self, _: &[T]) where T: Clone;
fn concat(&self) -> <Self as crate::unnameable::Concat<Item>>::Output where Self: crate::unnameable::Concat<Item>;
fn connect<Separator>(&self, _: Separator) -> <Self as crate::unnameable::Join<Separator>>::Output where Self: crate::unnameable::Join<Separator>;
fn contains(&self, _: &T) -> bool where T: PartialEq;
fn copy_from_slice(&mut self, _: &[T]) where T: Copy;
fn copy_within<R: crate::ops::RangeBounds<usize>>(&mut self, _: R, _: usize) where T: Copy;
fn element_offset(&self, _: &T) -> Option<usize>;
fn ends_with(&self, _: &[T]) -> bool where T: PartialEq;
fn fill(&mut self, _: T) where T: Clone;
fn fill_with<F: FnMut<(), Output = T>>(&mut self, _: F);
fn first(&self) -> Option<&T>;
fn first_chunk<const N: usize>(&self) -> Option<&[T; 0]>;
fn first_chunk_mut<const N: usize>(&mut self) -> Option<&[T; 0]>;
fn first_mut(&mut self) -> Option<&T>;
fn get<I: crate::slice::SliceIndex<Self>>(&self, _: I) -> Option<&I::Output>;
fn get_disjoint_mut<I: crate::unnameable::GetDisjointMutIndex + crate::slice::SliceIndex<Self>, const N: usize>(&mut self, _: [I; 0]) -> crate::result::Result<[&I::Output; 0], crate::slice::GetDisjointMutError>;
fn get_disjoint_unchecked_mut<I: crate::unnameable::GetDisjointMutIndex + crate::slice::SliceIndex<Self>, const N: usize>(&mut self, _: [I; 0]) -> [&I::Output; 0];
fn get_mut<I: crate::slice::SliceIndex<Self>>(&mut self, _: I) -> Option<&I::Output>;
fn get_unchecked<I: crate::slice::SliceIndex<Self>>(&self, _: I) -> &I::Output;
fn get_unchecked_mut<I: crate::slice::SliceIndex<Self>>(&mut self, _: I) -> &I::Output;
fn into_vec(self: Box<Self>) -> Vec<T>;
fn is_empty(&self) -> bool;
fn is_sorted(&self) -> bool where T: PartialOrd;
fn is_sorted_by<F: FnMut<(&T, &T), Output = bool>>(&self, _: F) -> bool;
fn is_sorted_by_key<F: FnMut<(&T,), Output = K>, K: PartialOrd>(&self, _: F) -> bool;
fn iter(&self) -> crate::slice::Iter<T>;
fn iter_mut(&mut self) -> crate::slice::IterMut<T>;
fn join<Separator>(&self, _: Separator) -> <Self as crate::unnameable::Join<Separator>>::Output where Self: crate::unnameable::Join<Separator>;
fn last(&self) -> Option<&T>;
fn last_chunk<const N: usize>(&self) -> Option<&[T; 0]>;
fn last_chunk_mut<const N: usize>(&mut self) -> Option<&[T; 0]>;
fn last_mut(&mut self) -> Option<&T>;
fn len(&self) -> usize;
fn partition_point<P: FnMut<(&T,), Output = bool>>(&self, _: P) -> usize;
fn rchunks(&self, _: usize) -> crate::slice::RChunks<T>;
fn rchunks_exact(&self, _: usize) -> crate::slice::RChunksExact<T>;
fn rchunks_exact_mut(&mut self, _: usize) -> crate::slice::RChunksExactMut<T>;
fn rchunks_mut(&mut self, _: usize) -> crate::slice::RChunksMut<T>;
fn repeat(&self, _: usize) -> Vec<T> where T: Copy;
fn reverse(&mut self);
fn rotate_left(&mut self, _: usize);
fn rotate_right(&mut self, _: usize);
fn rsplit<F: FnMut<(&T,), Output = bool>>(&self, _: F) -> crate::slice::RSplit<T, F>;
fn rsplit_mut<F: FnMut<(&T,), Output = bool>>(&mut self, _: F) -> crate::slice::RSplitMut<T, F>;
fn rsplitn<F: FnMut<(&T,), Output = bool>>(&self, _: usize, _: F) -> crate::slice::RSplitN<T, F>;
fn rsplitn_mut<F: FnMut<(&T,), Output = bool>>(&mut self, _: usize, _: F) -> crate::slice::RSplitNMut<T, F>;
fn select_nth_unstable(&mut self, _: usize) -> (&[T], &T, &[T]) where T: Ord;
fn select_nth_unstable_by<F: FnMut<(&T, &T), Output = crate::cmp::Ordering>>(&mut self, _: usize, _: F) -> (&[T], &T, &[T]);
fn select_nth_unstable_by_key<K: Ord, F: FnMut<(&T,), Output = K>>(&mut self, _: usize, _: F) -> (&[T], &T, &[T]);
fn sort(&mut self) where T: Ord;
fn sort_by<F: FnMut<(&T, &T), Output = crate::cmp::Ordering>>(&mut self, _: F);
fn sort_by_cached_key<K: Ord, F: FnMut<(&T,), Output = K>>(&mut self, _: F);
fn sort_by_key<K: Ord, F: FnMut<(&T,), Output = K>>(&mut self, _: F);
fn sort_unstable(&mut self) where T: Ord;
fn sort_unstable_by<F: FnMut<(&T, &T), Output = crate::cmp::Ordering>>(&mut self, _: F);
fn sort_unstable_by_key<K: Ord, F: FnMut<(&T,), Output = K>>(&mut self, _: F);
fn split<F: FnMut<(&T,), Output = bool>>(&self, _: F) -> crate::slice::Split<T, F>;
fn split_at(&self, _: usize) -> (&[T], &[T]);
fn split_at_checked(&self, _: usize) -> Option<(&[T], &[T])>;
fn split_at_mut(&mut self, _: usize) -> (&[T], &[T]);
fn split_at_mut_checked(&mut self, _: usize) -> Option<(&[T], &[T])>;
fn split_at_mut_unchecked(&mut self, _: usize) -> (&[T], &[T]);
fn split_at_unchecked(&self, _: usize) -> (&[T], &[T]);
fn split_first(&self) -> Option<(&T, &[T])>;
fn split_first_chunk<const N: usize>(&self) -> Option<(&[T; 0], &[T])>;
fn split_first_chunk_mut<const N: usize>(&mut self) -> Option<(&[T; 0], &[T])>;
fn split_first_mut(&mut self) -> Option<(&T, &[T])>;
fn split_inclusive<F: FnMut<(&T,), Output = bool>>(&self, _: F) -> crate::slice::SplitInclusive<T, F>;
fn split_inclusive_mut<F: FnMut<(&T,), Output = bool>>(&mut self, _: F) -> crate::slice::SplitInclusiveMut<T, F>;
fn split_last(&self) -> Option<(&T, &[T])>;
fn split_last_chunk<const N: usize>(&self) -> Option<(&[T], &[T; 0])>;
fn split_last_chunk_mut<const N: usize>(&mut self) -> Option<(&[T], &[T; 0])>;
fn split_last_mut(&mut self) -> Option<(&T, &[T])>;
fn split_mut<F: FnMut<(&T,), Output = bool>>(&mut self, _: F) -> crate::slice::SplitMut<T, F>;
fn split_off<R: crate::unnameable::OneSidedRange<usize>>(self: &&Self, _: R) -> Option<&Self>;
fn split_off_first(self: &&Self) -> Option<&T>;
fn split_off_first_mut(self: &&Self) -> Option<&T>;
fn split_off_last(self: &&Self) -> Option<&T>;
fn split_off_last_mut(self: &&Self) -> Option<&T>;
fn split_off_mut<R: crate::unnameable::OneSidedRange<usize>>(self: &&Self, _: R) -> Option<&Self>;
fn splitn<F: FnMut<(&T,), Output = bool>>(&self, _: usize, _: F) -> crate::slice::SplitN<T, F>;
fn splitn_mut<F: FnMut<(&T,), Output = bool>>(&mut self, _: usize, _: F) -> crate::slice::SplitNMut<T, F>;
fn starts_with(&self, _: &[T]) -> bool where T: PartialEq;
fn strip_prefix<P: crate::unnameable::SlicePattern<Item = T>>(&self, _: &P) -> Option<&[T]> where T: PartialEq;
fn strip_suffix<P: crate::unnameable::SlicePattern<Item = T>>(&self, _: &P) -> Option<&[T]> where T: PartialEq;
fn swap(&mut self, _: usize, _: usize);
fn swap_with_slice(&mut self, _: &[T]);
fn to_vec(&self) -> Vec<T> where T: Clone;
fn windows(&self, _: usize) -> crate::slice::Windows<T>;
}
impl<T> [crate::mem::MaybeUninit<T>] {
fn assume_init_drop(&mut self);
fn assume_init_mut(&mut self) -> &[T];
fn assume_init_ref(&self) -> &[T];
fn write_clone_of_slice(&mut self, _: &[T]) -> &[T] where T: Clone;
fn write_copy_of_slice(&mut self, _: &[T]) -> &[T] where T: Copy;
}
}
pub mod process {
pub struct Child { stdin: Option<crate::process::ChildStdin>, stdout: Option<crate::process::ChildStdout>, stderr: Option<crate::process::ChildStderr> }
pub struct ChildStderr;
pub struct ChildStdin;
pub struct ChildStdout;
pub struct Command;
#[derive(Debug)]
pub struct CommandArgs;
pub struct CommandEnvs;
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExitCode;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ExitStatus;
#[derive(Clone, Eq, PartialEq)]
pub struct Output { status: crate::process::ExitStatus, stdout: Vec<u8>, stderr: Vec<u8> }
pub struct Stdio;
pub trait Termination {
fn report(self) -> crate::process::ExitCode;
}
pub fn abort() -> !;
pub fn exit(_: i32) -> !;
pub fn id() -> u32;
impl Default for crate::process::ExitCode {}
impl Default for crate::process::ExitStatus {}
impl ExactSizeIterator for crate::process::CommandArgs {}
impl ExactSizeIterator for crate::process::CommandEnvs {}
impl From<crate::fs::File> for crate::process::Stdio {}
impl From<crate::io::PipeReader> for crate::process::Stdio {}
impl From<crate::io::PipeWriter> for crate::process::Stdio {}
impl From<crate::io::Stderr> for crate::process::Stdio {}
impl From<crate::io::Stdout> for crate::process::Stdio {}
impl From<crate::os::fd::OwnedFd> for crate::process::ChildStderr {}
impl From<crate::os::fd::OwnedFd> for crate::process::ChildStdin {}
impl From<crate::os::fd::OwnedFd> for crate::process::ChildStdout {}
impl From<crate::os::fd::OwnedFd> for crate::process::Stdio {}
impl From<crate::process::ChildStderr> for crate::process::Stdio {}
impl From<crate::process::ChildStdin> for crate::process::Stdio {}
impl From<crate::process::ChildStdout> for crate::process::Stdio {}
impl From<crate::unnameable::ExitStatusError> for crate::process::ExitStatus {}
impl From<u8> for crate::process::ExitCode {}
impl Iterator for crate::process::CommandArgs {
type Item = &crate::ffi::OsStr;
}
impl Iterator for crate::process::CommandEnvs {
type Item = (&crate::ffi::OsStr, Option<&crate::ffi::OsStr>);
}
impl crate::fmt::Debug for crate::process::Child {}
impl crate::fmt::Debug for crate::process::ChildStderr {}
impl crate::fmt::Debug for crate::process::ChildStdin {}
impl crate::fmt::Debug for crate::process::ChildStdout {}
impl crate::fmt::Debug for crate::process::Command {}
impl crate::fmt::Debug for crate::process::CommandEnvs {}
impl crate::fmt::Debug for crate::process::Output {}
impl crate::fmt::Debug for crate::process::Stdio {}
impl crate::fmt::Display for crate::process::ExitStatus {}
impl crate::io::Read for crate::process::ChildStderr {}
impl crate::io::Read for crate::process::ChildStdout {}
impl crate::io::Write for crate::process::ChildStdin {}
impl crate::os::fd::AsFd for crate::process::ChildStderr {}
impl crate::os::fd::AsFd for crate::process::ChildStdin {}
impl crate::os::fd::AsFd for crate::process::ChildStdout {}
impl crate::os::fd::AsRawFd for crate::process::ChildStderr {}
impl crate::os::fd::AsRawFd for crate::process::ChildStdin {}
impl crate::os::fd::AsRawFd for crate::process::ChildStdout {}
impl crate::os::fd::FromRawFd for crate::process::Stdio {}
impl crate::os::fd::IntoRawFd for crate::process::ChildStderr {}
impl crate::os::fd::IntoRawFd for crate::process::ChildStdin {}
impl crate::os::fd::IntoRawFd for crate::process::ChildStdout {}
impl crate::os::linux::process::ChildExt for crate::process::Child {}
impl crate::os::linux::process::CommandExt for crate::process::Command {}
impl crate::os::unix::process::CommandExt for crate::process::Command {}
impl crate::os::unix::process::ExitStatusExt for crate::process::ExitStatus {}
impl crate::process::Child {
fn id(&self) -> u32;
fn kill(&mut self) -> crate::io::Result<()>;
fn try_wait(&mut self) -> crate::io::Result<Option<crate::process::ExitStatus>>;
fn wait(&mut self) -> crate::io::Result<crate::process::ExitStatus>;
fn wait_with_output(self) -> crate::io::Result<crate::process::Output>;
}
impl crate::process::Command {
fn arg<S: AsRef<crate::ffi::OsStr>>(&mut self, _: S) -> &crate::process::Command;
fn args<I: IntoIterator<Item = S>, S: AsRef<crate::ffi::OsStr>>(&mut self, _: I) -> &crate::process::Command;
fn current_dir<P: AsRef<crate::path::Path>>(&mut self, _: P) -> &crate::process::Command;
fn env<K: AsRef<crate::ffi::OsStr>, V: AsRef<crate::ffi::OsStr>>(&mut self, _: K, _: V) -> &crate::process::Command;
fn env_clear(&mut self) -> &crate::process::Command;
fn env_remove<K: AsRef<crate::ffi::OsStr>>(&mut self, _: K) -> &crate::process::Command;
fn envs<I: IntoIterator<Item = (K, V)>, K: AsRef<crate::ffi::OsStr>, V: AsRef<crate::ffi::OsStr>>(&mut self, _: I) -> &crate::process::Command;
fn get_args(&self) -> crate::process::CommandArgs;
fn get_current_dir(&self) -> Option<&crate::path::Path>;
fn get_envs(&self) -> crate::process::CommandEnvs;
fn get_program(&self) -> &crate::ffi::OsStr;
fn new<S: AsRef<crate::ffi::OsStr>>(_: S) -> crate::process::Command;
fn output(&mut self) -> crate::io::Result<crate::process::Output>;
fn spawn(&mut self) -> crate::io::Result<crate::process::Child>;
fn status(&mut self) -> crate::io::Result<crate::process::ExitStatus>;
fn stderr<T: Into<crate::process::Stdio>>(&mut self, _: T) -> &crate::process::Command;
fn stdin<T: Into<crate::process::Stdio>>(&mut self, _: T) -> &crate::process::Command;
fn stdout<T: Into<crate::process::Stdio>>(&mut self, _: T) -> &crate::process::Command;
}
impl crate::process::ExitCode {
const FAILURE: crate::process::ExitCode = 0;
const SUCCESS: crate::process::ExitCode = 0;
}
impl crate::process::ExitStatus {
fn code(&self) -> Option<i32>;
fn success(&self) -> bool;
}
impl crate::process::Stdio {
fn inherit() -> crate::process::Stdio;
fn null() -> crate::process::Stdio;
fn piped() -> crate::process::Stdio;
}
impl crate::process::Termination for ! {}
impl crate::process::Termination for () {}
impl crate::process::Termination for crate::process::ExitCode {}
impl crate::unnameable::Sealed_ for crate::process::Child {}
impl crate::unnameable::Sealed_ for crate::process::Command {}
impl crate::unnameable::Sealed_ for crate::process::ExitCode {}
impl crate::unnameable::Sealed_ for crate::process::ExitStatus {}
}
pub mod ptr {
pub struct NonNull<T>;
pub fn addr_eq<T, U>(_: *const T, _: *const U) -> bool;
pub fn copy<T>(_: *const T, _: *const T, _: usize);
pub fn copy_nonoverlapping<T>(_: *const T, _: *const T, _: usize);
pub fn dangling<T>() -> *const T;
pub fn dangling_mut<T>() -> *const T;
pub fn drop_in_place<T>(_: *const T);
pub fn eq<T>(_: *const T, _: *const T) -> bool;
pub fn fn_addr_eq<T: crate::unnameable::FnPtr, U: crate::unnameable::FnPtr>(_: T, _: U) -> bool;
pub fn from_mut<T>(_: &T) -> *const T;
pub fn from_ref<T>(_: &T) -> *const T;
pub fn hash<T, S: crate::hash::Hasher>(_: *const T, _: &S);
pub fn null<T: crate::unnameable::Thin>() -> *const T;
pub fn null_mut<T: crate::unnameable::Thin>() -> *const T;
pub fn read<T>(_: *const T) -> T;
pub fn read_unaligned<T>(_: *const T) -> T;
pub fn read_volatile<T>(_: *const T) -> T;
pub fn replace<T>(_: *const T, _: T) -> T;
pub fn slice_from_raw_parts<T>(_: *const T, _: usize) -> *const [T];
pub fn slice_from_raw_parts_mut<T>(_: *const T, _: usize) -> *const [T];
pub fn swap<T>(_: *const T, _: *const T);
pub fn swap_nonoverlapping<T>(_: *const T, _: *const T, _: usize);
pub fn with_exposed_provenance<T>(_: usize) -> *const T;
pub fn with_exposed_provenance_mut<T>(_: usize) -> *const T;
pub fn without_provenance<T>(_: usize) -> *const T;
pub fn without_provenance_mut<T>(_: usize) -> *const T;
pub fn write<T>(_: *const T, _: T);
pub fn write_bytes<T>(_: *const T, _: u8, _: usize);
pub fn write_unaligned<T>(_: *const T, _: T);
pub fn write_volatile<T>(_: *const T, _: T);
impl<T> Clone for crate::ptr::NonNull<T> {}
impl<T> Copy for crate::ptr::NonNull<T> {}
impl<T> Eq for crate::ptr::NonNull<T> {}
impl<T> From<&T> for crate::ptr::NonNull<T> {}
impl<T> From<crate::unnameable::Unique<T>> for crate::ptr::NonNull<T> {}
impl<T> Ord for crate::ptr::NonNull<T> {}
impl<T> PartialEq for crate::ptr::NonNull<T> {}
impl<T> PartialOrd for crate::ptr::NonNull<T> {}
impl<T> crate::fmt::Debug for crate::ptr::NonNull<T> {}
impl<T> crate::fmt::Pointer for crate::ptr::NonNull<T> {}
impl<T> crate::hash::Hash for crate::ptr::NonNull<T> {}
impl<T> crate::ptr::NonNull<T> {
fn add(self, _: usize) -> Self;
fn addr(self) -> crate::num::NonZero<usize>;
fn align_offset(self, _: usize) -> usize;
fn as_mut(&mut self) -> &T;
fn as_ptr(self) -> *const T;
fn as_ref(&self) -> &T;
fn byte_add(self, _: usize) -> Self;
fn byte_offset(self, _: isize) -> Self;
fn byte_offset_from<U>(self, _: crate::ptr::NonNull<U>) -> isize;
fn byte_offset_from_unsigned<U>(self, _: crate::ptr::NonNull<U>) -> usize;
fn byte_sub(self, _: usize) -> Self;
fn cast<U>(self) -> crate::ptr::NonNull<U>;
fn copy_from(self, _: crate::ptr::NonNull<T>, _: usize);
fn copy_from_nonoverlapping(self, _: crate::ptr::NonNull<T>, _: usize);
fn copy_to(self, _: crate::ptr::NonNull<T>, _: usize);
fn copy_to_nonoverlapping(self, _: crate::ptr::NonNull<T>, _: usize);
fn dangling() -> Self;
fn drop_in_place(self);
fn expose_provenance(self) -> crate::num::NonZero<usize>;
fn from_mut(_: &T) -> Self;
fn from_ref(_: &T) -> Self;
fn is_aligned(self) -> bool;
fn map_addr(self, _: impl FnOnce<(crate::num::NonZero<usize>,), Output = crate::num::NonZero<usize>>) -> Self;
fn new(_: *const T) -> Option<Self>;
fn new_unchecked(_: *const T) -> Self;
fn offset(self, _: isize) -> Self;
fn offset_from(self, _: crate::ptr::NonNull<T>) -> isize;
fn offset_from_unsigned(self, _: crate::ptr::NonNull<T>) -> usize;
fn read(self) -> T;
fn read_unaligned(self) -> T;
fn read_volatile(self) -> T;
fn replace(self, _: T) -> T;
fn sub(self, _: usize) -> Self;
fn swap(self, _: crate::ptr::NonNull<T>);
fn with_addr(self, _: crate::num::NonZero<usize>) -> Self;
fn with_exposed_provenance(_: crate::num::NonZero<usize>) -> Self;
fn without_provenance(_: crate::num::NonZero<usize>) -> Self;
fn write(self, _: T);
fn write_bytes(self, _: u8, _: usize);
fn write_unaligned(self, _: T);
fn write_volatile(self, _: T);
}
impl<T> crate::ptr::NonNull<[T]> {
fn is_empty(self) -> bool;
fn len(self) -> usize;
fn slice_from_raw_parts(_: crate::ptr::NonNull<T>, _: usize) -> Self;
}
}
pub mod range {
#[derive(Clone, Copy, Default, Eq, Hash, PartialEq)]
pub struct Range<Idx> { start: Idx, end: Idx }
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct RangeFrom<Idx> { start: Idx }
#[derive(Clone, Debug)]
pub struct RangeFromIter<A>;
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct RangeInclusive<Idx> { start: Idx, last: Idx }
#[derive(Clone, Debug)]
pub struct RangeInclusiveIter<A>;
#[derive(Clone, Debug)]
pub struct RangeIter<A>;
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct RangeToInclusive<Idx> { last: Idx }
impl ExactSizeIterator for crate::range::RangeInclusiveIter<i8> {}
impl ExactSizeIterator for crate::range::RangeInclusiveIter<u8> {}
impl ExactSizeIterator for crate::range::RangeIter<i16> {}
impl ExactSizeIterator for crate::range::RangeIter<i8> {}
impl ExactSizeIterator for crate::range::RangeIter<isize> {}
impl ExactSizeIterator for crate::range::RangeIter<u16> {}
impl ExactSizeIterator for crate::range::RangeIter<u8> {}
impl ExactSizeIterator for crate::range::RangeIter<usize> {}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::range::Range<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::range::RangeFrom<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::range::RangeInclusive<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for crate::range::RangeToInclusive<usize> {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<str> for crate::range::Range<usize> {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::range::RangeFrom<usize> {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::range::RangeInclusive<usize> {
type Output = str;
}
impl crate::slice::SliceIndex<str> for crate::range::RangeToInclusive<usize> {
type Output = str;
}
impl crate::unnameable::GetDisjointMutIndex for crate::range::Range<usize> {}
impl crate::unnameable::GetDisjointMutIndex for crate::range::RangeInclusive<usize> {}
impl crate::unnameable::Sealed__ for crate::range::Range<usize> {}
impl crate::unnameable::Sealed__ for crate::range::RangeFrom<usize> {}
impl crate::unnameable::Sealed__ for crate::range::RangeInclusive<usize> {}
impl crate::unnameable::Sealed__ for crate::range::RangeToInclusive<usize> {}
impl crate::unnameable::Sealed____ for crate::range::Range<usize> {}
impl crate::unnameable::Sealed____ for crate::range::RangeInclusive<usize> {}
impl<A: crate::unnameable::Step> DoubleEndedIterator for crate::range::RangeInclusiveIter<A> {}
impl<A: crate::unnameable::Step> DoubleEndedIterator for crate::range::RangeIter<A> {}
impl<A: crate::unnameable::Step> IntoIterator for crate::range::Range<A> {
type IntoIter = crate::range::RangeIter<A>;
type Item = A;
}
impl<A: crate::unnameable::Step> IntoIterator for crate::range::RangeFrom<A> {
type IntoIter = crate::range::RangeFromIter<A>;
type Item = A;
}
impl<A: crate::unnameable::Step> IntoIterator for crate::range::RangeInclusive<A> {
type IntoIter = crate::range::RangeInclusiveIter<A>;
type Item = A;
}
impl<A: crate::unnameable::Step> Iterator for crate::range::RangeFromIter<A> {
type Item = A;
}
impl<A: crate::unnameable::Step> Iterator for crate::range::RangeInclusiveIter<A> {
type Item = A;
}
impl<A: crate::unnameable::Step> Iterator for crate::range::RangeIter<A> {
type Item = A;
}
impl<Idx: PartialOrd<Idx>> crate::range::Range<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
fn is_empty(&self) -> bool where Idx: PartialOrd;
}
impl<Idx: PartialOrd<Idx>> crate::range::RangeFrom<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
}
impl<Idx: PartialOrd<Idx>> crate::range::RangeInclusive<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
fn is_empty(&self) -> bool where Idx: PartialOrd;
}
impl<Idx: PartialOrd<Idx>> crate::range::RangeToInclusive<Idx> {
fn contains<U: PartialOrd<Idx>>(&self, _: &U) -> bool where Idx: PartialOrd<U>;
}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::range::Range<Idx> {}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::range::RangeFrom<Idx> {}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::range::RangeInclusive<Idx> {}
impl<Idx: crate::fmt::Debug> crate::fmt::Debug for crate::range::RangeToInclusive<Idx> {}
impl<Idx: crate::unnameable::Step> crate::range::Range<Idx> {
fn iter(&self) -> crate::range::RangeIter<Idx>;
}
impl<Idx: crate::unnameable::Step> crate::range::RangeFrom<Idx> {
fn iter(&self) -> crate::range::RangeFromIter<Idx>;
}
impl<Idx: crate::unnameable::Step> crate::range::RangeInclusive<Idx> {
fn iter(&self) -> crate::range::RangeInclusiveIter<Idx>;
}
impl<T: crate::unnameable::CloneFromCell> crate::unnameable::CloneFromCell for crate::range::Range<T> {}
impl<T> From<crate::ops::Range<T>> for crate::range::Range<T> {}
impl<T> From<crate::ops::RangeFrom<T>> for crate::range::RangeFrom<T> {}
impl<T> From<crate::ops::RangeInclusive<T>> for crate::range::RangeInclusive<T> {}
impl<T> From<crate::ops::RangeToInclusive<T>> for crate::range::RangeToInclusive<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::Range<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::Range<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::RangeFrom<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::RangeFrom<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::RangeInclusive<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::RangeInclusive<T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::RangeToInclusive<&T> {}
impl<T> crate::ops::RangeBounds<T> for crate::range::RangeToInclusive<T> {}
impl<T> crate::slice::SliceIndex<[T]> for crate::range::Range<usize> {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::range::RangeFrom<usize> {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::range::RangeInclusive<usize> {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for crate::range::RangeToInclusive<usize> {
type Output = [T];
}
impl<T> crate::unnameable::OneSidedRange<T> for crate::range::RangeFrom<T> where Self: crate::ops::RangeBounds<T> {}
impl<T> crate::unnameable::OneSidedRange<T> for crate::range::RangeToInclusive<T> where Self: crate::ops::RangeBounds<T> {}
}
pub mod rc {
pub struct Rc<T>;
pub struct Weak<T>;
impl Default for crate::rc::Rc<crate::ffi::CStr> {}
impl Default for crate::rc::Rc<str> {}
impl From<&crate::ffi::CStr> for crate::rc::Rc<crate::ffi::CStr> {}
impl From<&crate::ffi::OsStr> for crate::rc::Rc<crate::ffi::OsStr> {}
impl From<&crate::path::Path> for crate::rc::Rc<crate::path::Path> {}
impl From<&str> for crate::rc::Rc<str> {}
impl From<String> for crate::rc::Rc<str> {}
impl From<crate::ffi::CString> for crate::rc::Rc<crate::ffi::CStr> {}
impl From<crate::ffi::OsString> for crate::rc::Rc<crate::ffi::OsStr> {}
impl From<crate::path::PathBuf> for crate::rc::Rc<crate::path::Path> {}
impl From<crate::rc::Rc<[u8]>> for crate::rc::Rc<crate::unnameable::ByteStr> {}
impl From<crate::rc::Rc<crate::unnameable::ByteStr>> for crate::rc::Rc<[u8]> {}
impl From<crate::rc::Rc<str>> for crate::rc::Rc<[u8]> {}
impl crate::rc::Rc<dyn crate::any::Any> {
fn downcast<T: crate::any::Any>(self) -> crate::result::Result<crate::rc::Rc<T>, Self>;
}
impl<B: ToOwned> From<crate::borrow::Cow<B>> for crate::rc::Rc<B> where crate::rc::Rc<B>: From<&B> + From<B::Owned> {}
impl<T, const N: usize> From<[T; 0]> for crate::rc::Rc<[T]> {}
impl<T, const N: usize> crate::convert::TryFrom<crate::rc::Rc<[T]>> for crate::rc::Rc<[T; 0]> {
type Error = crate::rc::Rc<[T]>;
}
impl<T: Clone> From<&[T]> for crate::rc::Rc<[T]> {}
impl<T: Clone> crate::rc::Rc<T> {
fn unwrap_or_clone(_: Self) -> T;
}
impl<T: Default> Default for crate::rc::Rc<T> {}
impl<T: Eq> Eq for crate::rc::Rc<T> {}
impl<T: Ord> Ord for crate::rc::Rc<T> {}
impl<T: PartialEq> PartialEq for crate::rc::Rc<T> {}
impl<T: PartialOrd> PartialOrd for crate::rc::Rc<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::rc::Rc<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::rc::Rc<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for crate::rc::Rc<T> {}
impl<T: crate::os::fd::AsFd> crate::os::fd::AsFd for crate::rc::Rc<T> {}
impl<T: crate::os::fd::AsRawFd> crate::os::fd::AsRawFd for crate::rc::Rc<T> {}
impl<T: crate::unnameable::CloneToUninit> crate::rc::Rc<T> {
fn make_mut(_: &Self) -> &T;
}
impl<T> AsRef<T> for crate::rc::Rc<T> {}
impl<T> Clone for crate::rc::Rc<T> {}
impl<T> Clone for crate::rc::Weak<T> {}
impl<T> Default for crate::rc::Rc<[T]> {}
impl<T> Default for crate::rc::Weak<T> {}
impl<T> Drop for crate::rc::Rc<T> {}
impl<T> Drop for crate::rc::Weak<T> {}
impl<T> From<Box<T>> for crate::rc::Rc<T> {}
impl<T> From<T> for crate::rc::Rc<T> {}
impl<T> From<Vec<T>> for crate::rc::Rc<[T]> {}
impl<T> crate::borrow::Borrow<T> for crate::rc::Rc<T> {}
impl<T> crate::fmt::Debug for crate::rc::Weak<T> {}
impl<T> crate::fmt::Pointer for crate::rc::Rc<T> {}
impl<T> crate::iter::FromIterator<T> for crate::rc::Rc<[T]> {}
impl<T> crate::ops::Deref for crate::rc::Rc<T> {
type Target = T;
}
impl<T> crate::rc::Rc<T> {
fn as_ptr(_: &Self) -> *const T;
fn decrement_strong_count(_: *const T);
fn downgrade(_: &Self) -> crate::rc::Weak<T> where A: Clone;
fn from_raw(_: *const T) -> Self;
fn get_mut(_: &Self) -> Option<&T>;
fn increment_strong_count(_: *const T);
fn into_inner(_: Self) -> Option<T>;
fn into_raw(_: Self) -> *const T;
fn new(_: T) -> crate::rc::Rc<T>;
fn new_cyclic<F: FnOnce<(&crate::rc::Weak<T>,), Output = T>>(_: F) -> crate::rc::Rc<T>;
fn new_uninit() -> crate::rc::Rc<crate::mem::MaybeUninit<T>>;
fn new_zeroed() -> crate::rc::Rc<crate::mem::MaybeUninit<T>>;
fn pin(_: T) -> crate::pin::Pin<crate::rc::Rc<T>>;
fn ptr_eq(_: &Self, _: &Self) -> bool;
fn strong_count(_: &Self) -> usize;
fn try_unwrap(_: Self) -> crate::result::Result<T, Self>;
fn weak_count(_: &Self) -> usize;
}
impl<T> crate::rc::Rc<[T]> {
fn new_uninit_slice(_: usize) -> crate::rc::Rc<[crate::mem::MaybeUninit<T>]>;
fn new_zeroed_slice(_: usize) -> crate::rc::Rc<[crate::mem::MaybeUninit<T>]>;
}
impl<T> crate::rc::Rc<[crate::mem::MaybeUninit<T>]> {
fn assume_init(self) -> crate::rc::Rc<[T]>;
}
impl<T> crate::rc::Rc<crate::mem::MaybeUninit<T>> {
fn assume_init(self) -> crate::rc::Rc<T>;
}
impl<T> crate::rc::Weak<T> {
fn as_ptr(&self) -> *const T;
fn from_raw(_: *const T) -> Self;
fn into_raw(self) -> *const T;
fn new() -> crate::rc::Weak<T>;
fn ptr_eq(&self, _: &Self) -> bool;
fn strong_count(&self) -> usize;
fn upgrade(&self) -> Option<crate::rc::Rc<T>> where A: Clone;
fn weak_count(&self) -> usize;
}
impl<T> crate::unnameable::CloneFromCell for crate::rc::Rc<T> {}
impl<T> crate::unnameable::CloneFromCell for crate::rc::Weak<T> {}
}
pub mod result {
#[derive(Clone, Debug)]
pub struct IntoIter<T>;
#[derive(Debug)]
pub struct Iter<T>;
#[derive(Debug)]
pub struct IterMut<T>;
#[derive(Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Result<T, E> { Ok(T), Err(E) }
impl<A, E, V: crate::iter::FromIterator<A>> crate::iter::FromIterator<crate::result::Result<A, E>> for crate::result::Result<V, E> {}
impl<T, E, F: From<E>> crate::unnameable::FromResidual<crate::result::Result<crate::convert::Infallible, E>> for crate::result::Result<T, F> {}
impl<T, E, F: From<E>> crate::unnameable::FromResidual<crate::unnameable::Yeet<E>> for crate::result::Result<T, F> {}
impl<T, E> IntoIterator for crate::result::Result<T, E> {
type IntoIter = crate::result::IntoIter<T>;
type Item = T;
}
impl<T, E> crate::result::Result<&T, E> {
fn cloned(self) -> crate::result::Result<T, E> where T: Clone;
fn copied(self) -> crate::result::Result<T, E> where T: Copy;
}
impl<T, E> crate::result::Result<Option<T>, E> {
fn transpose(self) -> Option<crate::result::Result<T, E>>;
}
impl<T, E> crate::result::Result<T, E> {
fn and<U>(self, _: crate::result::Result<U, E>) -> crate::result::Result<U, E>;
fn and_then<U, F: FnOnce<(T,), Output = crate::result::Result<U, E>>>(self, _: F) -> crate::result::Result<U, E>;
fn as_deref(&self) -> crate::result::Result<&T::Target, &E> where T: crate::ops::Deref;
fn as_deref_mut(&mut self) -> crate::result::Result<&T::Target, &E> where T: crate::ops::DerefMut;
fn as_mut(&mut self) -> crate::result::Result<&T, &E>;
fn as_ref(&self) -> crate::result::Result<&T, &E>;
fn err(self) -> Option<E>;
fn expect(self, _: &str) -> T where E: crate::fmt::Debug;
fn expect_err(self, _: &str) -> E where T: crate::fmt::Debug;
fn inspect<F: FnOnce<(&T,), Output = ()>>(self, _: F) -> Self;
fn inspect_err<F: FnOnce<(&E,), Output = ()>>(self, _: F) -> Self;
fn is_err(&self) -> bool;
fn is_err_and<F: FnOnce<(E,), Output = bool>>(self, _: F) -> bool;
fn is_ok(&self) -> bool;
fn is_ok_and<F: FnOnce<(T,), Output = bool>>(self, _: F) -> bool;
fn iter(&self) -> crate::result::Iter<T>;
fn iter_mut(&mut self) -> crate::result::IterMut<T>;
fn map<U, F: FnOnce<(T,), Output = U>>(self, _: F) -> crate::result::Result<U, E>;
fn map_err<F, O: FnOnce<(E,), Output = F>>(self, _: O) -> crate::result::Result<T, F>;
fn map_or<U, F: FnOnce<(T,), Output = U>>(self, _: U, _: F) -> U;
fn map_or_else<U, D: FnOnce<(E,), Output = U>, F: FnOnce<(T,), Output = U>>(self, _: D, _: F) -> U;
fn ok(self) -> Option<T>;
fn or<F>(self, _: crate::result::Result<T, F>) -> crate::result::Result<T, F>;
fn or_else<F, O: FnOnce<(E,), Output = crate::result::Result<T, F>>>(self, _: O) -> crate::result::Result<T, F>;
fn unwrap(self) -> T where E: crate::fmt::Debug;
fn unwrap_err(self) -> E where T: crate::fmt::Debug;
fn unwrap_err_unchecked(self) -> E;
fn unwrap_or(self, _: T) -> T;
fn unwrap_or_default(self) -> T where T: Default;
fn unwrap_or_else<F: FnOnce<(E,), Output = T>>(self, _: F) -> T;
fn unwrap_unchecked(self) -> T;
}
impl<T, E> crate::result::Result<crate::result::Result<T, E>, E> {
fn flatten(self) -> crate::result::Result<T, E>;
}
impl<T, E> crate::unnameable::Residual<T> for crate::result::Result<crate::convert::Infallible, E> {
type TryType = crate::result::Result<T, E>;
}
impl<T, E> crate::unnameable::Try for crate::result::Result<T, E> {
type Output = T;
type Residual = crate::result::Result<crate::convert::Infallible, E>;
}
impl<T: Clone, E: Clone> Clone for crate::result::Result<T, E> {}
impl<T: crate::iter::Product<U>, U, E> crate::iter::Product<crate::result::Result<U, E>> for crate::result::Result<T, E> {}
impl<T: crate::iter::Sum<U>, U, E> crate::iter::Sum<crate::result::Result<U, E>> for crate::result::Result<T, E> {}
impl<T: crate::process::Termination, E: crate::fmt::Debug> crate::process::Termination for crate::result::Result<T, E> {}
impl<T: crate::unnameable::CloneFromCell, E: crate::unnameable::CloneFromCell> crate::unnameable::CloneFromCell for crate::result::Result<T, E> {}
impl<T> Clone for crate::result::Iter<T> {}
impl<T> DoubleEndedIterator for crate::result::IntoIter<T> {}
impl<T> DoubleEndedIterator for crate::result::Iter<T> {}
impl<T> DoubleEndedIterator for crate::result::IterMut<T> {}
impl<T> ExactSizeIterator for crate::result::IntoIter<T> {}
impl<T> ExactSizeIterator for crate::result::Iter<T> {}
impl<T> ExactSizeIterator for crate::result::IterMut<T> {}
impl<T> Iterator for crate::result::IntoIter<T> {
type Item = T;
}
impl<T> Iterator for crate::result::Iter<T> {
type Item = &T;
}
impl<T> Iterator for crate::result::IterMut<T> {
type Item = &T;
}
}
pub mod rt {
pub fn begin_panic<M: crate::any::Any>(_: M) -> !;
pub fn panic_display<T: crate::fmt::Display>(_: &T) -> !;
pub fn panic_fmt(_: crate::fmt::Arguments) -> !;
pub mod panic_count {
#[derive(Debug)]
pub enum MustAbort { AlwaysAbort, PanicInHook }
pub fn count_is_zero() -> bool;
pub fn decrease();
pub fn finished_panic_hook();
pub fn get_count() -> usize;
pub fn increase(_: bool) -> Option<crate::rt::panic_count::MustAbort>;
pub fn set_always_abort();
}
}
pub mod slice {
#[derive(Debug)]
pub struct ArrayWindows<T, const N: usize>;
pub struct ChunkBy<T, P>;
pub struct ChunkByMut<T, P>;
#[derive(Debug)]
pub struct Chunks<T>;
#[derive(Debug)]
pub struct ChunksExact<T>;
#[derive(Debug)]
pub struct ChunksExactMut<T>;
#[derive(Debug)]
pub struct ChunksMut<T>;
#[derive(Clone)]
pub struct EscapeAscii;
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum GetDisjointMutError { IndexOutOfBounds, OverlappingIndices }
pub struct Iter<T>;
pub struct IterMut<T>;
#[derive(Debug)]
pub struct RChunks<T>;
#[derive(Debug)]
pub struct RChunksExact<T>;
#[derive(Debug)]
pub struct RChunksExactMut<T>;
#[derive(Debug)]
pub struct RChunksMut<T>;
pub struct RSplit<T, P: FnMut<(&T,), Output = bool>>;
pub struct RSplitMut<T, P: FnMut<(&T,), Output = bool>>;
pub struct RSplitN<T, P: FnMut<(&T,), Output = bool>>;
pub struct RSplitNMut<T, P: FnMut<(&T,), Output = bool>>;
pub trait SliceIndex<T>: crate::unnameable::Sealed__ {
type Output;
}
pub struct Split<T, P: FnMut<(&T,), Output = bool>>;
pub struct SplitInclusive<T, P: FnMut<(&T,), Output = bool>>;
pub struct SplitInclusiveMut<T, P: FnMut<(&T,), Output = bool>>;
pub struct SplitMut<T, P: FnMut<(&T,), Output = bool>>;
pub struct SplitN<T, P: FnMut<(&T,), Output = bool>>;
pub struct SplitNMut<T, P: FnMut<(&T,), Output = bool>>;
#[derive(Debug)]
pub struct Windows<T>;
pub fn from_mut<T>(_: &T) -> &[T];
pub fn from_raw_parts<T>(_: *const T, _: usize) -> &[T];
pub fn from_raw_parts_mut<T>(_: *const T, _: usize) -> &[T];
pub fn from_ref<T>(_: &T) -> &[T];
impl DoubleEndedIterator for crate::slice::EscapeAscii {}
impl Iterator for crate::slice::EscapeAscii {
type Item = u8;
}
impl crate::error::Error for crate::slice::GetDisjointMutError {}
impl crate::fmt::Debug for crate::slice::EscapeAscii {}
impl crate::fmt::Display for crate::slice::EscapeAscii {}
impl crate::fmt::Display for crate::slice::GetDisjointMutError {}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for (crate::collections::Bound<usize>, crate::collections::Bound<usize>) {
type Output = crate::unnameable::ByteStr;
}
impl crate::slice::SliceIndex<crate::unnameable::ByteStr> for usize {
type Output = u8;
}
impl crate::slice::SliceIndex<str> for (crate::collections::Bound<usize>, crate::collections::Bound<usize>) {
type Output = str;
}
impl<T, P: Clone + FnMut<(&T,), Output = bool>> Clone for crate::slice::RSplit<T, P> {}
impl<T, P: Clone + FnMut<(&T,), Output = bool>> Clone for crate::slice::Split<T, P> {}
impl<T, P: Clone + FnMut<(&T,), Output = bool>> Clone for crate::slice::SplitInclusive<T, P> {}
impl<T, P: Clone> Clone for crate::slice::ChunkBy<T, P> {}
impl<T, P: FnMut<(&T, &T), Output = bool>> DoubleEndedIterator for crate::slice::ChunkBy<T, P> {}
impl<T, P: FnMut<(&T, &T), Output = bool>> DoubleEndedIterator for crate::slice::ChunkByMut<T, P> {}
impl<T, P: FnMut<(&T, &T), Output = bool>> Iterator for crate::slice::ChunkBy<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T, &T), Output = bool>> Iterator for crate::slice::ChunkByMut<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> DoubleEndedIterator for crate::slice::RSplit<T, P> {}
impl<T, P: FnMut<(&T,), Output = bool>> DoubleEndedIterator for crate::slice::RSplitMut<T, P> {}
impl<T, P: FnMut<(&T,), Output = bool>> DoubleEndedIterator for crate::slice::Split<T, P> {}
impl<T, P: FnMut<(&T,), Output = bool>> DoubleEndedIterator for crate::slice::SplitInclusive<T, P> {}
impl<T, P: FnMut<(&T,), Output = bool>> DoubleEndedIterator for crate::slice::SplitInclusiveMut<T, P> {}
impl<T, P: FnMut<(&T,), Output = bool>> DoubleEndedIterator for crate::slice::SplitMut<T, P> {}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::RSplit<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::RSplitMut<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::RSplitN<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::RSplitNMut<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::Split<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::SplitInclusive<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::SplitInclusiveMut<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::SplitMut<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::SplitN<T, P> {
type Item = &[T];
}
impl<T, P: FnMut<(&T,), Output = bool>> Iterator for crate::slice::SplitNMut<T, P> {
type Item = &[T];
}
impl<T, const N: usize> Clone for crate::slice::ArrayWindows<T, N> {}
impl<T, const N: usize> DoubleEndedIterator for crate::slice::ArrayWindows<T, N> {}
impl<T, const N: usize> ExactSizeIterator for crate::slice::ArrayWindows<T, N> {}
impl<T, const N: usize> Iterator for crate::slice::ArrayWindows<T, N> {
type Item = &[T; 0];
}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::RSplit<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::RSplitMut<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::RSplitN<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::RSplitNMut<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::Split<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::SplitInclusive<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::SplitInclusiveMut<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::SplitMut<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::SplitN<T, P> {}
impl<T: crate::fmt::Debug, P: FnMut<(&T,), Output = bool>> crate::fmt::Debug for crate::slice::SplitNMut<T, P> {}
impl<T: crate::fmt::Debug, P> crate::fmt::Debug for crate::slice::ChunkBy<T, P> {}
impl<T: crate::fmt::Debug, P> crate::fmt::Debug for crate::slice::ChunkByMut<T, P> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::slice::Iter<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::slice::IterMut<T> {}
impl<T> AsRef<[T]> for crate::slice::Iter<T> {}
impl<T> AsRef<[T]> for crate::slice::IterMut<T> {}
impl<T> Clone for crate::slice::Chunks<T> {}
impl<T> Clone for crate::slice::ChunksExact<T> {}
impl<T> Clone for crate::slice::Iter<T> {}
impl<T> Clone for crate::slice::RChunks<T> {}
impl<T> Clone for crate::slice::RChunksExact<T> {}
impl<T> Clone for crate::slice::Windows<T> {}
impl<T> Default for crate::slice::Iter<T> {}
impl<T> Default for crate::slice::IterMut<T> {}
impl<T> DoubleEndedIterator for crate::slice::Chunks<T> {}
impl<T> DoubleEndedIterator for crate::slice::ChunksExact<T> {}
impl<T> DoubleEndedIterator for crate::slice::ChunksExactMut<T> {}
impl<T> DoubleEndedIterator for crate::slice::ChunksMut<T> {}
impl<T> DoubleEndedIterator for crate::slice::Iter<T> {}
impl<T> DoubleEndedIterator for crate::slice::IterMut<T> {}
impl<T> DoubleEndedIterator for crate::slice::RChunks<T> {}
impl<T> DoubleEndedIterator for crate::slice::RChunksExact<T> {}
impl<T> DoubleEndedIterator for crate::slice::RChunksExactMut<T> {}
impl<T> DoubleEndedIterator for crate::slice::RChunksMut<T> {}
impl<T> DoubleEndedIterator for crate::slice::Windows<T> {}
impl<T> ExactSizeIterator for crate::slice::Chunks<T> {}
impl<T> ExactSizeIterator for crate::slice::ChunksExact<T> {}
impl<T> ExactSizeIterator for crate::slice::ChunksExactMut<T> {}
impl<T> ExactSizeIterator for crate::slice::ChunksMut<T> {}
impl<T> ExactSizeIterator for crate::slice::Iter<T> {}
impl<T> ExactSizeIterator for crate::slice::IterMut<T> {}
impl<T> ExactSizeIterator for crate::slice::RChunks<T> {}
impl<T> ExactSizeIterator for crate::slice::RChunksExact<T> {}
impl<T> ExactSizeIterator for crate::slice::RChunksExactMut<T> {}
impl<T> ExactSizeIterator for crate::slice::RChunksMut<T> {}
impl<T> ExactSizeIterator for crate::slice::Windows<T> {}
impl<T> Iterator for crate::slice::Chunks<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::ChunksExact<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::ChunksExactMut<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::ChunksMut<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::Iter<T> {
type Item = &T;
}
impl<T> Iterator for crate::slice::IterMut<T> {
type Item = &T;
}
impl<T> Iterator for crate::slice::RChunks<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::RChunksExact<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::RChunksExactMut<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::RChunksMut<T> {
type Item = &[T];
}
impl<T> Iterator for crate::slice::Windows<T> {
type Item = &[T];
}
impl<T> crate::slice::ChunksExact<T> {
fn remainder(&self) -> &[T];
}
impl<T> crate::slice::ChunksExactMut<T> {
fn into_remainder(self) -> &[T];
}
impl<T> crate::slice::Iter<T> {
fn as_slice(&self) -> &[T];
}
impl<T> crate::slice::IterMut<T> {
fn as_slice(&self) -> &[T];
fn into_slice(self) -> &[T];
}
impl<T> crate::slice::RChunksExact<T> {
fn remainder(&self) -> &[T];
}
impl<T> crate::slice::RChunksExactMut<T> {
fn into_remainder(self) -> &[T];
}
impl<T> crate::slice::SliceIndex<[T]> for (crate::collections::Bound<usize>, crate::collections::Bound<usize>) {
type Output = [T];
}
impl<T> crate::slice::SliceIndex<[T]> for usize {
type Output = T;
}
}
pub mod str {
#[derive(Clone, Debug)]
pub struct Bytes;
#[derive(Clone, Debug)]
pub struct CharIndices;
#[derive(Clone)]
pub struct Chars;
#[derive(Clone)]
pub struct EncodeUtf16;
#[derive(Clone, Debug)]
pub struct EscapeDebug;
#[derive(Clone, Debug)]
pub struct EscapeDefault;
#[derive(Clone, Debug)]
pub struct EscapeUnicode;
pub trait FromStr {
fn from_str(_: &str) -> crate::result::Result<Self, Self::Err>;
type Err;
}
#[derive(Clone, Debug)]
pub struct Lines;
#[derive(Clone, Debug)]
pub struct LinesAny;
pub struct MatchIndices<P: crate::str::pattern::Pattern>;
pub struct Matches<P: crate::str::pattern::Pattern>;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ParseBoolError;
pub struct RMatchIndices<P: crate::str::pattern::Pattern>;
pub struct RMatches<P: crate::str::pattern::Pattern>;
pub struct RSplit<P: crate::str::pattern::Pattern>;
pub struct RSplitN<P: crate::str::pattern::Pattern>;
pub struct RSplitTerminator<P: crate::str::pattern::Pattern>;
pub struct Split<P: crate::str::pattern::Pattern>;
#[derive(Clone, Debug)]
pub struct SplitAsciiWhitespace;
pub struct SplitInclusive<P: crate::str::pattern::Pattern>;
pub struct SplitN<P: crate::str::pattern::Pattern>;
pub struct SplitTerminator<P: crate::str::pattern::Pattern>;
#[derive(Clone, Debug)]
pub struct SplitWhitespace;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Utf8Chunk;
#[derive(Clone)]
pub struct Utf8Chunks;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Utf8Error;
pub fn from_boxed_utf8_unchecked(_: Box<[u8]>) -> Box<str>;
pub fn from_utf8(_: &[u8]) -> crate::result::Result<&str, crate::str::Utf8Error>;
pub fn from_utf8_mut(_: &[u8]) -> crate::result::Result<&str, crate::str::Utf8Error>;
pub fn from_utf8_unchecked(_: &[u8]) -> &str;
pub fn from_utf8_unchecked_mut(_: &[u8]) -> &str;
impl DoubleEndedIterator for crate::str::Bytes {}
impl DoubleEndedIterator for crate::str::CharIndices {}
impl DoubleEndedIterator for crate::str::Chars {}
impl DoubleEndedIterator for crate::str::Lines {}
impl DoubleEndedIterator for crate::str::LinesAny {}
impl DoubleEndedIterator for crate::str::SplitAsciiWhitespace {}
impl DoubleEndedIterator for crate::str::SplitWhitespace {}
impl ExactSizeIterator for crate::str::Bytes {}
impl Iterator for crate::str::Bytes {
type Item = u8;
}
impl Iterator for crate::str::CharIndices {
type Item = (usize, char);
}
impl Iterator for crate::str::Chars {
type Item = char;
}
impl Iterator for crate::str::EncodeUtf16 {
type Item = u16;
}
impl Iterator for crate::str::EscapeDebug {
type Item = char;
}
impl Iterator for crate::str::EscapeDefault {
type Item = char;
}
impl Iterator for crate::str::EscapeUnicode {
type Item = char;
}
impl Iterator for crate::str::Lines {
type Item = &str;
}
impl Iterator for crate::str::LinesAny {
type Item = &str;
}
impl Iterator for crate::str::SplitAsciiWhitespace {
type Item = &str;
}
impl Iterator for crate::str::SplitWhitespace {
type Item = &str;
}
impl Iterator for crate::str::Utf8Chunks {
type Item = crate::str::Utf8Chunk;
}
impl crate::error::Error for crate::str::ParseBoolError {}
impl crate::error::Error for crate::str::Utf8Error {}
impl crate::fmt::Debug for crate::str::Chars {}
impl crate::fmt::Debug for crate::str::EncodeUtf16 {}
impl crate::fmt::Debug for crate::str::Utf8Chunks {}
impl crate::fmt::Display for crate::str::EscapeDebug {}
impl crate::fmt::Display for crate::str::EscapeDefault {}
impl crate::fmt::Display for crate::str::EscapeUnicode {}
impl crate::fmt::Display for crate::str::ParseBoolError {}
impl crate::fmt::Display for crate::str::Utf8Error {}
impl crate::str::CharIndices {
fn as_str(&self) -> &str;
fn offset(&self) -> usize;
}
impl crate::str::Chars {
fn as_str(&self) -> &str;
}
impl crate::str::FromStr for bool {
type Err = crate::str::ParseBoolError;
}
impl crate::str::FromStr for char {
type Err = crate::char::ParseCharError;
}
impl crate::str::FromStr for f32 {
type Err = crate::num::ParseFloatError;
}
impl crate::str::FromStr for f64 {
type Err = crate::num::ParseFloatError;
}
impl crate::str::FromStr for i128 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for i16 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for i32 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for i64 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for i8 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for isize {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for u128 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for u16 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for u32 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for u64 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for u8 {
type Err = crate::num::ParseIntError;
}
impl crate::str::FromStr for usize {
type Err = crate::num::ParseIntError;
}
impl crate::str::Utf8Chunk {
fn invalid(&self) -> &[u8];
fn valid(&self) -> &str;
}
impl crate::str::Utf8Error {
fn error_len(&self) -> Option<usize>;
fn valid_up_to(&self) -> usize;
}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::MatchIndices<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::Matches<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::RMatchIndices<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::RMatches<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::RSplit<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::RSplitN<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::RSplitTerminator<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::Split<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::SplitInclusive<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::SplitN<P> {}
impl<P: crate::str::pattern::Pattern> Clone for crate::str::SplitTerminator<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::MatchIndices<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::Matches<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::RMatchIndices<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::RMatches<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::RSplit<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::RSplitTerminator<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::Split<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::SplitInclusive<P> {}
impl<P: crate::str::pattern::Pattern> DoubleEndedIterator for crate::str::SplitTerminator<P> {}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::MatchIndices<P> {
type Item = (usize, &str);
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::Matches<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::RMatchIndices<P> {
type Item = (usize, &str);
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::RMatches<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::RSplit<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::RSplitN<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::RSplitTerminator<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::Split<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::SplitInclusive<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::SplitN<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> Iterator for crate::str::SplitTerminator<P> {
type Item = &str;
}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::MatchIndices<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::Matches<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::RMatchIndices<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::RMatches<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::RSplit<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::RSplitN<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::RSplitTerminator<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::Split<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::SplitInclusive<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::SplitN<P> {}
impl<P: crate::str::pattern::Pattern> crate::fmt::Debug for crate::str::SplitTerminator<P> {}
pub mod pattern {
#[derive(Clone, Debug)]
pub struct CharArrayRefSearcher<const N: usize>;
#[derive(Clone, Debug)]
pub struct CharArraySearcher<const N: usize>;
#[derive(Clone)]
pub struct CharPredicateSearcher<F: FnMut<(char,), Output = bool>>;
#[derive(Clone, Debug)]
pub struct CharSearcher;
#[derive(Clone, Debug)]
pub struct CharSliceSearcher;
pub trait DoubleEndedSearcher: crate::str::pattern::ReverseSearcher {}
pub trait Pattern {
fn as_utf8_pattern(&self) -> Option<crate::str::pattern::Utf8Pattern>;
fn into_searcher(self, _: &str) -> Self::Searcher;
fn is_contained_in(self, _: &str) -> bool;
fn is_prefix_of(self, _: &str) -> bool;
fn is_suffix_of(self, _: &str) -> bool where Self::Searcher: crate::str::pattern::ReverseSearcher;
fn strip_prefix_of(self, _: &str) -> Option<&str>;
fn strip_suffix_of(self, _: &str) -> Option<&str> where Self::Searcher: crate::str::pattern::ReverseSearcher;
type Searcher: crate::str::pattern::Searcher;
}
pub trait ReverseSearcher: crate::str::pattern::Searcher {
fn next_back(&mut self) -> crate::str::pattern::SearchStep;
fn next_match_back(&mut self) -> Option<(usize, usize)>;
fn next_reject_back(&mut self) -> Option<(usize, usize)>;
}
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SearchStep { Match(usize, usize), Reject(usize, usize), Done }
pub trait Searcher {
fn haystack(&self) -> &str;
fn next(&mut self) -> crate::str::pattern::SearchStep;
fn next_match(&mut self) -> Option<(usize, usize)>;
fn next_reject(&mut self) -> Option<(usize, usize)>;
}
#[derive(Clone, Debug)]
pub struct StrSearcher;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Utf8Pattern { StringPattern(&str), CharPattern(char) }
impl crate::str::pattern::DoubleEndedSearcher for crate::str::pattern::CharSearcher {}
impl crate::str::pattern::DoubleEndedSearcher for crate::str::pattern::CharSliceSearcher {}
impl crate::str::pattern::Pattern for &&str {
type Searcher = crate::str::pattern::StrSearcher;
}
impl crate::str::pattern::Pattern for &String {
type Searcher = <&str as crate::str::pattern::Pattern>::Searcher;
}
impl crate::str::pattern::Pattern for &[char] {
type Searcher = crate::str::pattern::CharSliceSearcher;
}
impl crate::str::pattern::Pattern for &str {
type Searcher = crate::str::pattern::StrSearcher;
}
impl crate::str::pattern::Pattern for char {
type Searcher = crate::str::pattern::CharSearcher;
}
impl crate::str::pattern::ReverseSearcher for crate::str::pattern::CharSearcher {}
impl crate::str::pattern::ReverseSearcher for crate::str::pattern::CharSliceSearcher {}
impl crate::str::pattern::ReverseSearcher for crate::str::pattern::StrSearcher {}
impl crate::str::pattern::Searcher for crate::str::pattern::CharSearcher {}
impl crate::str::pattern::Searcher for crate::str::pattern::CharSliceSearcher {}
impl crate::str::pattern::Searcher for crate::str::pattern::StrSearcher {}
impl<F: FnMut<(char,), Output = bool>> crate::fmt::Debug for crate::str::pattern::CharPredicateSearcher<F> {}
impl<F: FnMut<(char,), Output = bool>> crate::str::pattern::DoubleEndedSearcher for crate::str::pattern::CharPredicateSearcher<F> {}
impl<F: FnMut<(char,), Output = bool>> crate::str::pattern::Pattern for F {
type Searcher = crate::str::pattern::CharPredicateSearcher<F>;
}
impl<F: FnMut<(char,), Output = bool>> crate::str::pattern::ReverseSearcher for crate::str::pattern::CharPredicateSearcher<F> {}
impl<F: FnMut<(char,), Output = bool>> crate::str::pattern::Searcher for crate::str::pattern::CharPredicateSearcher<F> {}
impl<const N: usize> crate::str::pattern::DoubleEndedSearcher for crate::str::pattern::CharArrayRefSearcher<N> {}
impl<const N: usize> crate::str::pattern::DoubleEndedSearcher for crate::str::pattern::CharArraySearcher<N> {}
impl<const N: usize> crate::str::pattern::Pattern for &[char; 0] {
type Searcher = crate::str::pattern::CharArrayRefSearcher<N>;
}
impl<const N: usize> crate::str::pattern::Pattern for [char; 0] {
type Searcher = crate::str::pattern::CharArraySearcher<N>;
}
impl<const N: usize> crate::str::pattern::ReverseSearcher for crate::str::pattern::CharArrayRefSearcher<N> {}
impl<const N: usize> crate::str::pattern::ReverseSearcher for crate::str::pattern::CharArraySearcher<N> {}
impl<const N: usize> crate::str::pattern::Searcher for crate::str::pattern::CharArrayRefSearcher<N> {}
impl<const N: usize> crate::str::pattern::Searcher for crate::str::pattern::CharArraySearcher<N> {}
}
}
pub mod string {
pub struct Drain;
#[derive(Debug)]
pub struct FromUtf16Error;
#[derive(Debug, Eq, PartialEq)]
pub struct FromUtf8Error;
pub type ParseError = crate::convert::Infallible;
#[derive(Eq, Ord, PartialEq, PartialOrd)]
pub struct String;
pub trait ToString {
fn to_string(&self) -> String;
}
impl AsMut<str> for String {}
impl AsRef<[u8]> for String {}
impl AsRef<[u8]> for crate::string::Drain {}
impl AsRef<crate::ffi::OsStr> for String {}
impl AsRef<crate::path::Path> for String {}
impl AsRef<str> for String {}
impl AsRef<str> for crate::string::Drain {}
impl Clone for String {}
impl Default for String {}
impl DoubleEndedIterator for crate::string::Drain {}
impl Drop for crate::string::Drain {}
impl Extend<&char> for String {}
impl Extend<&crate::unnameable::AsciiChar> for String {}
impl Extend<&str> for String {}
impl Extend<Box<str>> for String {}
impl Extend<String> for String {}
impl Extend<char> for String {}
impl Extend<crate::borrow::Cow<str>> for String {}
impl Extend<crate::unnameable::AsciiChar> for String {}
impl From<&String> for String {}
impl From<&str> for String {}
impl From<Box<str>> for String {}
impl From<char> for String {}
impl From<crate::borrow::Cow<str>> for String {}
impl Iterator for crate::string::Drain {
type Item = char;
}
impl PartialEq<&str> for String {}
impl PartialEq<crate::borrow::Cow<str>> for String {}
impl PartialEq<crate::path::Path> for String {}
impl PartialEq<crate::path::PathBuf> for String {}
impl PartialEq<crate::unnameable::ByteStr> for String {}
impl PartialEq<crate::unnameable::ByteString> for String {}
impl PartialEq<str> for String {}
impl String {
fn as_bytes(&self) -> &[u8];
fn as_mut_str(&mut self) -> &str;
fn as_mut_vec(&mut self) -> &Vec<u8>;
fn as_str(&self) -> &str;
fn capacity(&self) -> usize;
fn clear(&mut self);
fn drain<R: crate::ops::RangeBounds<usize>>(&mut self, _: R) -> crate::string::Drain;
fn extend_from_within<R: crate::ops::RangeBounds<usize>>(&mut self, _: R);
fn from_raw_parts(_: *const u8, _: usize, _: usize) -> String;
fn from_utf16(_: &[u16]) -> crate::result::Result<String, crate::string::FromUtf16Error>;
fn from_utf16_lossy(_: &[u16]) -> String;
fn from_utf8(_: Vec<u8>) -> crate::result::Result<String, crate::string::FromUtf8Error>;
fn from_utf8_lossy(_: &[u8]) -> crate::borrow::Cow<str>;
fn from_utf8_unchecked(_: Vec<u8>) -> String;
fn insert(&mut self, _: usize, _: char);
fn insert_str(&mut self, _: usize, _: &str);
fn into_boxed_str(self) -> Box<str>;
fn into_bytes(self) -> Vec<u8>;
fn into_raw_parts(self) -> (*const u8, usize, usize);
fn is_empty(&self) -> bool;
fn leak(self) -> &str;
fn len(&self) -> usize;
fn new() -> String;
fn pop(&mut self) -> Option<char>;
fn push(&mut self, _: char);
fn push_str(&mut self, _: &str);
fn remove(&mut self, _: usize) -> char;
fn replace_range<R: crate::ops::RangeBounds<usize>>(&mut self, _: R, _: &str);
fn reserve(&mut self, _: usize);
fn reserve_exact(&mut self, _: usize);
fn retain<F: FnMut<(char,), Output = bool>>(&mut self, _: F);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn split_off(&mut self, _: usize) -> String;
fn truncate(&mut self, _: usize);
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn try_reserve_exact(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn with_capacity(_: usize) -> String;
}
impl crate::borrow::Borrow<str> for String {}
impl crate::borrow::BorrowMut<str> for String {}
impl crate::convert::TryFrom<&crate::unnameable::ByteStr> for String {
type Error = crate::str::Utf8Error;
}
impl crate::convert::TryFrom<Vec<u8>> for String {
type Error = crate::string::FromUtf8Error;
}
impl crate::convert::TryFrom<crate::ffi::CString> for String {
type Error = crate::ffi::IntoStringError;
}
impl crate::convert::TryFrom<crate::unnameable::ByteString> for String {
type Error = crate::string::FromUtf8Error;
}
impl crate::error::Error for crate::string::FromUtf16Error {}
impl crate::error::Error for crate::string::FromUtf8Error {}
impl crate::fmt::Debug for String {}
impl crate::fmt::Debug for crate::string::Drain {}
impl crate::fmt::Display for String {}
impl crate::fmt::Display for crate::string::FromUtf16Error {}
impl crate::fmt::Display for crate::string::FromUtf8Error {}
impl crate::fmt::Write for String {}
impl crate::hash::Hash for String {}
impl crate::iter::FromIterator<&char> for String {}
impl crate::iter::FromIterator<&crate::unnameable::AsciiChar> for String {}
impl crate::iter::FromIterator<&str> for String {}
impl crate::iter::FromIterator<Box<str>> for String {}
impl crate::iter::FromIterator<String> for String {}
impl crate::iter::FromIterator<char> for String {}
impl crate::iter::FromIterator<crate::borrow::Cow<str>> for String {}
impl crate::iter::FromIterator<crate::unnameable::AsciiChar> for String {}
impl crate::net::ToSocketAddrs for String {
type Iter = crate::vec::IntoIter<crate::net::SocketAddr>;
}
impl crate::ops::Add<&str> for String {
type Output = String;
}
impl crate::ops::AddAssign<&str> for String {}
impl crate::ops::Deref for String {
type Target = str;
}
impl crate::ops::DerefMut for String {}
impl crate::str::FromStr for String {
type Err = crate::convert::Infallible;
}
impl crate::string::Drain {
fn as_str(&self) -> &str;
}
impl crate::string::FromUtf8Error {
fn as_bytes(&self) -> &[u8];
fn into_bytes(self) -> Vec<u8>;
fn utf8_error(&self) -> crate::str::Utf8Error;
}
impl<I: crate::slice::SliceIndex<str>> crate::ops::Index<I> for String {
type Output = I::Output;
}
impl<I: crate::slice::SliceIndex<str>> crate::ops::IndexMut<I> for String {}
impl<T: crate::fmt::Display> ToString for T {}
}
pub mod sync {
pub struct Arc<T>;
pub struct Barrier;
pub struct BarrierWaitResult;
pub struct Condvar;
pub struct LazyLock<T, F = fn() -> T>;
pub type LockResult<T> = crate::result::Result<T, crate::sync::PoisonError<T>>;
pub struct Mutex<T>;
pub struct MutexGuard<T>;
pub const ONCE_INIT: crate::sync::Once = 0;
pub struct Once;
pub struct OnceLock<T>;
pub struct OnceState;
pub struct PoisonError<T>;
pub struct RwLock<T>;
pub struct RwLockReadGuard<T>;
pub struct RwLockWriteGuard<T>;
pub enum TryLockError<T> { Poisoned(crate::sync::PoisonError<T>), WouldBlock }
pub type TryLockResult<Guard> = crate::result::Result<Guard, crate::sync::TryLockError<Guard>>;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WaitTimeoutResult;
pub struct Weak<T>;
impl Default for crate::sync::Arc<crate::ffi::CStr> {}
impl Default for crate::sync::Arc<str> {}
impl Default for crate::sync::Condvar {}
impl From<&crate::ffi::CStr> for crate::sync::Arc<crate::ffi::CStr> {}
impl From<&crate::ffi::OsStr> for crate::sync::Arc<crate::ffi::OsStr> {}
impl From<&crate::path::Path> for crate::sync::Arc<crate::path::Path> {}
impl From<&str> for crate::sync::Arc<str> {}
impl From<String> for crate::sync::Arc<str> {}
impl From<crate::ffi::CString> for crate::sync::Arc<crate::ffi::CStr> {}
impl From<crate::ffi::OsString> for crate::sync::Arc<crate::ffi::OsStr> {}
impl From<crate::path::PathBuf> for crate::sync::Arc<crate::path::Path> {}
impl From<crate::sync::Arc<[u8]>> for crate::sync::Arc<crate::unnameable::ByteStr> {}
impl From<crate::sync::Arc<crate::unnameable::ByteStr>> for crate::sync::Arc<[u8]> {}
impl From<crate::sync::Arc<str>> for crate::sync::Arc<[u8]> {}
impl crate::fmt::Debug for crate::sync::Barrier {}
impl crate::fmt::Debug for crate::sync::BarrierWaitResult {}
impl crate::fmt::Debug for crate::sync::Condvar {}
impl crate::fmt::Debug for crate::sync::Once {}
impl crate::fmt::Debug for crate::sync::OnceState {}
impl crate::sync::Arc<dyn crate::any::Any> {
fn downcast<T: crate::any::Any>(self) -> crate::result::Result<crate::sync::Arc<T>, Self>;
}
impl crate::sync::Barrier {
fn new(_: usize) -> crate::sync::Barrier;
fn wait(&self) -> crate::sync::BarrierWaitResult;
}
impl crate::sync::BarrierWaitResult {
fn is_leader(&self) -> bool;
}
impl crate::sync::Condvar {
fn new() -> crate::sync::Condvar;
fn notify_all(&self);
fn notify_one(&self);
fn wait<T>(&self, _: crate::sync::MutexGuard<T>) -> crate::sync::LockResult<crate::sync::MutexGuard<T>>;
fn wait_timeout<T>(&self, _: crate::sync::MutexGuard<T>, _: crate::time::Duration) -> crate::sync::LockResult<(crate::sync::MutexGuard<T>, crate::sync::WaitTimeoutResult)>;
fn wait_timeout_ms<T>(&self, _: crate::sync::MutexGuard<T>, _: u32) -> crate::sync::LockResult<(crate::sync::MutexGuard<T>, bool)>;
fn wait_timeout_while<T, F: FnMut<(&T,), Output = bool>>(&self, _: crate::sync::MutexGuard<T>, _: crate::time::Duration, _: F) -> crate::sync::LockResult<(crate::sync::MutexGuard<T>, crate::sync::WaitTimeoutResult)>;
fn wait_while<T, F: FnMut<(&T,), Output = bool>>(&self, _: crate::sync::MutexGuard<T>, _: F) -> crate::sync::LockResult<crate::sync::MutexGuard<T>>;
}
impl crate::sync::Once {
fn call_once<F: FnOnce<(), Output = ()>>(&self, _: F);
fn call_once_force<F: FnOnce<(&crate::sync::OnceState,), Output = ()>>(&self, _: F);
fn is_completed(&self) -> bool;
fn new() -> crate::sync::Once;
fn wait(&self);
fn wait_force(&self);
}
impl crate::sync::OnceState {
fn is_poisoned(&self) -> bool;
}
impl crate::sync::WaitTimeoutResult {
fn timed_out(&self) -> bool;
}
impl<B: ToOwned> From<crate::borrow::Cow<B>> for crate::sync::Arc<B> where crate::sync::Arc<B>: From<&B> + From<B::Owned> {}
impl<R: crate::io::Read + crate::unnameable::IoHandle> crate::io::Read for crate::sync::Arc<R> where &R: crate::io::Read {}
impl<S: crate::io::Seek + crate::unnameable::IoHandle> crate::io::Seek for crate::sync::Arc<S> where &S: crate::io::Seek {}
impl<T, F: FnOnce<(), Output = T>> crate::ops::Deref for crate::sync::LazyLock<T, F> {
type Target = T;
}
impl<T, F: FnOnce<(), Output = T>> crate::ops::DerefMut for crate::sync::LazyLock<T, F> {}
impl<T, F: FnOnce<(), Output = T>> crate::sync::LazyLock<T, F> {
fn force(_: &crate::sync::LazyLock<T, F>) -> &T;
fn force_mut(_: &crate::sync::LazyLock<T, F>) -> &T;
fn new(_: F) -> crate::sync::LazyLock<T, F>;
}
impl<T, F> Drop for crate::sync::LazyLock<T, F> {}
impl<T, F> From<T> for crate::sync::LazyLock<T, F> {}
impl<T, F> crate::sync::LazyLock<T, F> {
fn get(_: &crate::sync::LazyLock<T, F>) -> Option<&T>;
fn get_mut(_: &crate::sync::LazyLock<T, F>) -> Option<&T>;
}
impl<T, const N: usize> From<[T; 0]> for crate::sync::Arc<[T]> {}
impl<T, const N: usize> crate::convert::TryFrom<crate::sync::Arc<[T]>> for crate::sync::Arc<[T; 0]> {
type Error = crate::sync::Arc<[T]>;
}
impl<T: Clone> Clone for crate::sync::OnceLock<T> {}
impl<T: Clone> From<&[T]> for crate::sync::Arc<[T]> {}
impl<T: Clone> crate::sync::Arc<T> {
fn unwrap_or_clone(_: Self) -> T;
}
impl<T: Default> Default for crate::sync::Arc<T> {}
impl<T: Default> Default for crate::sync::LazyLock<T> {}
impl<T: Default> Default for crate::sync::Mutex<T> {}
impl<T: Default> Default for crate::sync::RwLock<T> {}
impl<T: Eq> Eq for crate::sync::Arc<T> {}
impl<T: Eq> Eq for crate::sync::OnceLock<T> {}
impl<T: Ord> Ord for crate::sync::Arc<T> {}
impl<T: PartialEq> PartialEq for crate::sync::Arc<T> {}
impl<T: PartialEq> PartialEq for crate::sync::OnceLock<T> {}
impl<T: PartialOrd> PartialOrd for crate::sync::Arc<T> {}
impl<T: crate::error::Error> crate::error::Error for crate::sync::Arc<T> {}
impl<T: crate::fmt::Debug, F> crate::fmt::Debug for crate::sync::LazyLock<T, F> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::sync::Arc<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::sync::Mutex<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::sync::MutexGuard<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::sync::OnceLock<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::sync::RwLock<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::sync::RwLockReadGuard<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::sync::RwLockWriteGuard<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::sync::Arc<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::sync::MutexGuard<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::sync::RwLockReadGuard<T> {}
impl<T: crate::fmt::Display> crate::fmt::Display for crate::sync::RwLockWriteGuard<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for crate::sync::Arc<T> {}
impl<T: crate::os::fd::AsFd> crate::os::fd::AsFd for crate::sync::Arc<T> {}
impl<T: crate::os::fd::AsRawFd> crate::os::fd::AsRawFd for crate::sync::Arc<T> {}
impl<T: crate::unnameable::CloneToUninit> crate::sync::Arc<T> {
fn make_mut(_: &Self) -> &T;
}
impl<T> AsRef<T> for crate::sync::Arc<T> {}
impl<T> Clone for crate::sync::Arc<T> {}
impl<T> Clone for crate::sync::Weak<T> {}
impl<T> Default for crate::sync::Arc<[T]> {}
impl<T> Default for crate::sync::OnceLock<T> {}
impl<T> Default for crate::sync::Weak<T> {}
impl<T> Drop for crate::sync::Arc<T> {}
impl<T> Drop for crate::sync::MutexGuard<T> {}
impl<T> Drop for crate::sync::OnceLock<T> {}
impl<T> Drop for crate::sync::RwLockReadGuard<T> {}
impl<T> Drop for crate::sync::RwLockWriteGuard<T> {}
impl<T> Drop for crate::sync::Weak<T> {}
impl<T> From<Box<T>> for crate::sync::Arc<T> {}
impl<T> From<T> for crate::sync::Arc<T> {}
impl<T> From<T> for crate::sync::Mutex<T> {}
impl<T> From<T> for crate::sync::OnceLock<T> {}
impl<T> From<T> for crate::sync::RwLock<T> {}
impl<T> From<Vec<T>> for crate::sync::Arc<[T]> {}
impl<T> From<crate::sync::PoisonError<T>> for crate::sync::TryLockError<T> {}
impl<T> crate::borrow::Borrow<T> for crate::sync::Arc<T> {}
impl<T> crate::error::Error for crate::sync::PoisonError<T> {}
impl<T> crate::error::Error for crate::sync::TryLockError<T> {}
impl<T> crate::fmt::Debug for crate::sync::PoisonError<T> {}
impl<T> crate::fmt::Debug for crate::sync::TryLockError<T> {}
impl<T> crate::fmt::Debug for crate::sync::Weak<T> {}
impl<T> crate::fmt::Display for crate::sync::PoisonError<T> {}
impl<T> crate::fmt::Display for crate::sync::TryLockError<T> {}
impl<T> crate::fmt::Pointer for crate::sync::Arc<T> {}
impl<T> crate::iter::FromIterator<T> for crate::sync::Arc<[T]> {}
impl<T> crate::ops::Deref for crate::sync::Arc<T> {
type Target = T;
}
impl<T> crate::ops::Deref for crate::sync::MutexGuard<T> {
type Target = T;
}
impl<T> crate::ops::Deref for crate::sync::RwLockReadGuard<T> {
type Target = T;
}
impl<T> crate::ops::Deref for crate::sync::RwLockWriteGuard<T> {
type Target = T;
}
impl<T> crate::ops::DerefMut for crate::sync::MutexGuard<T> {}
impl<T> crate::ops::DerefMut for crate::sync::RwLockWriteGuard<T> {}
impl<T> crate::sync::Arc<T> {
fn as_ptr(_: &Self) -> *const T;
fn decrement_strong_count(_: *const T);
fn downgrade(_: &Self) -> crate::sync::Weak<T> where A: Clone;
fn from_raw(_: *const T) -> Self;
fn get_mut(_: &Self) -> Option<&T>;
fn increment_strong_count(_: *const T);
fn into_inner(_: Self) -> Option<T>;
fn into_raw(_: Self) -> *const T;
fn new(_: T) -> crate::sync::Arc<T>;
fn new_cyclic<F: FnOnce<(&crate::sync::Weak<T>,), Output = T>>(_: F) -> crate::sync::Arc<T>;
fn new_uninit() -> crate::sync::Arc<crate::mem::MaybeUninit<T>>;
fn new_zeroed() -> crate::sync::Arc<crate::mem::MaybeUninit<T>>;
fn pin(_: T) -> crate::pin::Pin<crate::sync::Arc<T>>;
fn ptr_eq(_: &Self, _: &Self) -> bool;
fn strong_count(_: &Self) -> usize;
fn try_unwrap(_: Self) -> crate::result::Result<T, Self>;
fn weak_count(_: &Self) -> usize;
}
impl<T> crate::sync::Arc<[T]> {
fn new_uninit_slice(_: usize) -> crate::sync::Arc<[crate::mem::MaybeUninit<T>]>;
fn new_zeroed_slice(_: usize) -> crate::sync::Arc<[crate::mem::MaybeUninit<T>]>;
}
impl<T> crate::sync::Arc<[crate::mem::MaybeUninit<T>]> {
fn assume_init(self) -> crate::sync::Arc<[T]>;
}
impl<T> crate::sync::Arc<crate::mem::MaybeUninit<T>> {
fn assume_init(self) -> crate::sync::Arc<T>;
}
impl<T> crate::sync::Mutex<T> {
fn clear_poison(&self);
fn get_mut(&mut self) -> crate::sync::LockResult<&T>;
fn into_inner(self) -> crate::sync::LockResult<T>;
fn is_poisoned(&self) -> bool;
fn lock(&self) -> crate::sync::LockResult<crate::sync::MutexGuard<T>>;
fn new(_: T) -> crate::sync::Mutex<T>;
fn try_lock(&self) -> crate::sync::TryLockResult<crate::sync::MutexGuard<T>>;
}
impl<T> crate::sync::OnceLock<T> {
fn get(&self) -> Option<&T>;
fn get_mut(&mut self) -> Option<&T>;
fn get_or_init<F: FnOnce<(), Output = T>>(&self, _: F) -> &T;
fn into_inner(self) -> Option<T>;
fn new() -> crate::sync::OnceLock<T>;
fn set(&self, _: T) -> crate::result::Result<(), T>;
fn take(&mut self) -> Option<T>;
fn wait(&self) -> &T;
}
impl<T> crate::sync::PoisonError<T> {
fn get_mut(&mut self) -> &T;
fn get_ref(&self) -> &T;
fn into_inner(self) -> T;
fn new(_: T) -> crate::sync::PoisonError<T>;
}
impl<T> crate::sync::RwLock<T> {
fn clear_poison(&self);
fn get_mut(&mut self) -> crate::sync::LockResult<&T>;
fn into_inner(self) -> crate::sync::LockResult<T>;
fn is_poisoned(&self) -> bool;
fn new(_: T) -> crate::sync::RwLock<T>;
fn read(&self) -> crate::sync::LockResult<crate::sync::RwLockReadGuard<T>>;
fn try_read(&self) -> crate::sync::TryLockResult<crate::sync::RwLockReadGuard<T>>;
fn try_write(&self) -> crate::sync::TryLockResult<crate::sync::RwLockWriteGuard<T>>;
fn write(&self) -> crate::sync::LockResult<crate::sync::RwLockWriteGuard<T>>;
}
impl<T> crate::sync::RwLockWriteGuard<T> {
fn downgrade(_: Self) -> crate::sync::RwLockReadGuard<T>;
}
impl<T> crate::sync::Weak<T> {
fn as_ptr(&self) -> *const T;
fn from_raw(_: *const T) -> Self;
fn into_raw(self) -> *const T;
fn new() -> crate::sync::Weak<T>;
fn ptr_eq(&self, _: &Self) -> bool;
fn strong_count(&self) -> usize;
fn upgrade(&self) -> Option<crate::sync::Arc<T>> where A: Clone;
fn weak_count(&self) -> usize;
}
impl<T> crate::unnameable::CloneFromCell for crate::sync::Arc<T> {}
impl<T> crate::unnameable::CloneFromCell for crate::sync::Weak<T> {}
impl<W: crate::io::Write + crate::unnameable::IoHandle> crate::io::Write for crate::sync::Arc<W> where &W: crate::io::Write {}
pub mod atomic {
pub const ATOMIC_BOOL_INIT: crate::sync::atomic::AtomicBool = 0;
pub const ATOMIC_ISIZE_INIT: crate::sync::atomic::AtomicIsize = 0;
pub const ATOMIC_USIZE_INIT: crate::sync::atomic::AtomicUsize = 0;
pub type AtomicBool = crate::unnameable::Atomic<bool>;
pub type AtomicI16 = crate::unnameable::Atomic<i16>;
pub type AtomicI32 = crate::unnameable::Atomic<i32>;
pub type AtomicI64 = crate::unnameable::Atomic<i64>;
pub type AtomicI8 = crate::unnameable::Atomic<i8>;
pub type AtomicIsize = crate::unnameable::Atomic<isize>;
pub type AtomicPtr<T> = crate::unnameable::Atomic<*const T>;
pub type AtomicU16 = crate::unnameable::Atomic<u16>;
pub type AtomicU32 = crate::unnameable::Atomic<u32>;
pub type AtomicU64 = crate::unnameable::Atomic<u64>;
pub type AtomicU8 = crate::unnameable::Atomic<u8>;
pub type AtomicUsize = crate::unnameable::Atomic<usize>;
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Ordering { Relaxed, Release, Acquire, AcqRel, SeqCst }
pub fn compiler_fence(_: crate::sync::atomic::Ordering);
pub fn fence(_: crate::sync::atomic::Ordering);
pub fn spin_loop_hint();
impl Default for crate::sync::atomic::AtomicBool {}
impl Default for crate::sync::atomic::AtomicI16 {}
impl Default for crate::sync::atomic::AtomicI32 {}
impl Default for crate::sync::atomic::AtomicI64 {}
impl Default for crate::sync::atomic::AtomicI8 {}
impl Default for crate::sync::atomic::AtomicIsize {}
impl Default for crate::sync::atomic::AtomicU16 {}
impl Default for crate::sync::atomic::AtomicU32 {}
impl Default for crate::sync::atomic::AtomicU64 {}
impl Default for crate::sync::atomic::AtomicU8 {}
impl Default for crate::sync::atomic::AtomicUsize {}
impl From<bool> for crate::sync::atomic::AtomicBool {}
impl From<i16> for crate::sync::atomic::AtomicI16 {}
impl From<i32> for crate::sync::atomic::AtomicI32 {}
impl From<i64> for crate::sync::atomic::AtomicI64 {}
impl From<i8> for crate::sync::atomic::AtomicI8 {}
impl From<isize> for crate::sync::atomic::AtomicIsize {}
impl From<u16> for crate::sync::atomic::AtomicU16 {}
impl From<u32> for crate::sync::atomic::AtomicU32 {}
impl From<u64> for crate::sync::atomic::AtomicU64 {}
impl From<u8> for crate::sync::atomic::AtomicU8 {}
impl From<usize> for crate::sync::atomic::AtomicUsize {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicBool {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicI16 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicI32 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicI64 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicI8 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicIsize {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicU16 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicU32 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicU64 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicU8 {}
impl crate::fmt::Debug for crate::sync::atomic::AtomicUsize {}
impl crate::sync::atomic::AtomicBool {
fn as_ptr(&self) -> *const bool;
fn compare_and_swap(&self, _: bool, _: bool, _: crate::sync::atomic::Ordering) -> bool;
fn compare_exchange(&self, _: bool, _: bool, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<bool, bool>;
fn compare_exchange_weak(&self, _: bool, _: bool, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<bool, bool>;
fn fetch_and(&self, _: bool, _: crate::sync::atomic::Ordering) -> bool;
fn fetch_nand(&self, _: bool, _: crate::sync::atomic::Ordering) -> bool;
fn fetch_not(&self, _: crate::sync::atomic::Ordering) -> bool;
fn fetch_or(&self, _: bool, _: crate::sync::atomic::Ordering) -> bool;
fn fetch_update<F: FnMut<(bool,), Output = Option<bool>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<bool, bool>;
fn fetch_xor(&self, _: bool, _: crate::sync::atomic::Ordering) -> bool;
fn from_ptr(_: *const bool) -> &crate::sync::atomic::AtomicBool;
fn get_mut(&mut self) -> &bool;
fn into_inner(self) -> bool;
fn load(&self, _: crate::sync::atomic::Ordering) -> bool;
fn new(_: bool) -> crate::sync::atomic::AtomicBool;
fn store(&self, _: bool, _: crate::sync::atomic::Ordering);
fn swap(&self, _: bool, _: crate::sync::atomic::Ordering) -> bool;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(bool,), Output = Option<bool>>) -> crate::result::Result<bool, bool>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(bool,), Output = bool>) -> bool;
}
impl crate::sync::atomic::AtomicI16 {
fn as_ptr(&self) -> *const i16;
fn compare_and_swap(&self, _: i16, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn compare_exchange(&self, _: i16, _: i16, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i16, i16>;
fn compare_exchange_weak(&self, _: i16, _: i16, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i16, i16>;
fn fetch_add(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn fetch_and(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn fetch_max(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn fetch_min(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn fetch_nand(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn fetch_or(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn fetch_sub(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn fetch_update<F: FnMut<(i16,), Output = Option<i16>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<i16, i16>;
fn fetch_xor(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn from_ptr(_: *const i16) -> &crate::sync::atomic::AtomicI16;
fn get_mut(&mut self) -> &i16;
fn into_inner(self) -> i16;
fn load(&self, _: crate::sync::atomic::Ordering) -> i16;
fn new(_: i16) -> Self;
fn store(&self, _: i16, _: crate::sync::atomic::Ordering);
fn swap(&self, _: i16, _: crate::sync::atomic::Ordering) -> i16;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i16,), Output = Option<i16>>) -> crate::result::Result<i16, i16>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i16,), Output = i16>) -> i16;
}
impl crate::sync::atomic::AtomicI32 {
fn as_ptr(&self) -> *const i32;
fn compare_and_swap(&self, _: i32, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn compare_exchange(&self, _: i32, _: i32, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i32, i32>;
fn compare_exchange_weak(&self, _: i32, _: i32, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i32, i32>;
fn fetch_add(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn fetch_and(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn fetch_max(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn fetch_min(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn fetch_nand(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn fetch_or(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn fetch_sub(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn fetch_update<F: FnMut<(i32,), Output = Option<i32>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<i32, i32>;
fn fetch_xor(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn from_ptr(_: *const i32) -> &crate::sync::atomic::AtomicI32;
fn get_mut(&mut self) -> &i32;
fn into_inner(self) -> i32;
fn load(&self, _: crate::sync::atomic::Ordering) -> i32;
fn new(_: i32) -> Self;
fn store(&self, _: i32, _: crate::sync::atomic::Ordering);
fn swap(&self, _: i32, _: crate::sync::atomic::Ordering) -> i32;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i32,), Output = Option<i32>>) -> crate::result::Result<i32, i32>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i32,), Output = i32>) -> i32;
}
impl crate::sync::atomic::AtomicI64 {
fn as_ptr(&self) -> *const i64;
fn compare_and_swap(&self, _: i64, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn compare_exchange(&self, _: i64, _: i64, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i64, i64>;
fn compare_exchange_weak(&self, _: i64, _: i64, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i64, i64>;
fn fetch_add(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn fetch_and(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn fetch_max(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn fetch_min(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn fetch_nand(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn fetch_or(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn fetch_sub(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn fetch_update<F: FnMut<(i64,), Output = Option<i64>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<i64, i64>;
fn fetch_xor(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn from_ptr(_: *const i64) -> &crate::sync::atomic::AtomicI64;
fn get_mut(&mut self) -> &i64;
fn into_inner(self) -> i64;
fn load(&self, _: crate::sync::atomic::Ordering) -> i64;
fn new(_: i64) -> Self;
fn store(&self, _: i64, _: crate::sync::atomic::Ordering);
fn swap(&self, _: i64, _: crate::sync::atomic::Ordering) -> i64;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i64,), Output = Option<i64>>) -> crate::result::Result<i64, i64>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i64,), Output = i64>) -> i64;
}
impl crate::sync::atomic::AtomicI8 {
fn as_ptr(&self) -> *const i8;
fn compare_and_swap(&self, _: i8, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn compare_exchange(&self, _: i8, _: i8, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i8, i8>;
fn compare_exchange_weak(&self, _: i8, _: i8, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<i8, i8>;
fn fetch_add(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn fetch_and(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn fetch_max(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn fetch_min(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn fetch_nand(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn fetch_or(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn fetch_sub(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn fetch_update<F: FnMut<(i8,), Output = Option<i8>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<i8, i8>;
fn fetch_xor(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn from_ptr(_: *const i8) -> &crate::sync::atomic::AtomicI8;
fn get_mut(&mut self) -> &i8;
fn into_inner(self) -> i8;
fn load(&self, _: crate::sync::atomic::Ordering) -> i8;
fn new(_: i8) -> Self;
fn store(&self, _: i8, _: crate::sync::atomic::Ordering);
fn swap(&self, _: i8, _: crate::sync::atomic::Ordering) -> i8;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i8,), Output = Option<i8>>) -> crate::result::Result<i8, i8>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(i8,), Output = i8>) -> i8;
}
impl crate::sync::atomic::AtomicIsize {
fn as_ptr(&self) -> *const isize;
fn compare_and_swap(&self, _: isize, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn compare_exchange(&self, _: isize, _: isize, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<isize, isize>;
fn compare_exchange_weak(&self, _: isize, _: isize, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<isize, isize>;
fn fetch_add(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn fetch_and(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn fetch_max(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn fetch_min(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn fetch_nand(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn fetch_or(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn fetch_sub(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn fetch_update<F: FnMut<(isize,), Output = Option<isize>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<isize, isize>;
fn fetch_xor(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn from_ptr(_: *const isize) -> &crate::sync::atomic::AtomicIsize;
fn get_mut(&mut self) -> &isize;
fn into_inner(self) -> isize;
fn load(&self, _: crate::sync::atomic::Ordering) -> isize;
fn new(_: isize) -> Self;
fn store(&self, _: isize, _: crate::sync::atomic::Ordering);
fn swap(&self, _: isize, _: crate::sync::atomic::Ordering) -> isize;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(isize,), Output = Option<isize>>) -> crate::result::Result<isize, isize>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(isize,), Output = isize>) -> isize;
}
impl crate::sync::atomic::AtomicU16 {
fn as_ptr(&self) -> *const u16;
fn compare_and_swap(&self, _: u16, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn compare_exchange(&self, _: u16, _: u16, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u16, u16>;
fn compare_exchange_weak(&self, _: u16, _: u16, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u16, u16>;
fn fetch_add(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn fetch_and(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn fetch_max(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn fetch_min(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn fetch_nand(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn fetch_or(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn fetch_sub(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn fetch_update<F: FnMut<(u16,), Output = Option<u16>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<u16, u16>;
fn fetch_xor(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn from_ptr(_: *const u16) -> &crate::sync::atomic::AtomicU16;
fn get_mut(&mut self) -> &u16;
fn into_inner(self) -> u16;
fn load(&self, _: crate::sync::atomic::Ordering) -> u16;
fn new(_: u16) -> Self;
fn store(&self, _: u16, _: crate::sync::atomic::Ordering);
fn swap(&self, _: u16, _: crate::sync::atomic::Ordering) -> u16;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u16,), Output = Option<u16>>) -> crate::result::Result<u16, u16>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u16,), Output = u16>) -> u16;
}
impl crate::sync::atomic::AtomicU32 {
fn as_ptr(&self) -> *const u32;
fn compare_and_swap(&self, _: u32, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn compare_exchange(&self, _: u32, _: u32, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u32, u32>;
fn compare_exchange_weak(&self, _: u32, _: u32, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u32, u32>;
fn fetch_add(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn fetch_and(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn fetch_max(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn fetch_min(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn fetch_nand(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn fetch_or(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn fetch_sub(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn fetch_update<F: FnMut<(u32,), Output = Option<u32>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<u32, u32>;
fn fetch_xor(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn from_ptr(_: *const u32) -> &crate::sync::atomic::AtomicU32;
fn get_mut(&mut self) -> &u32;
fn into_inner(self) -> u32;
fn load(&self, _: crate::sync::atomic::Ordering) -> u32;
fn new(_: u32) -> Self;
fn store(&self, _: u32, _: crate::sync::atomic::Ordering);
fn swap(&self, _: u32, _: crate::sync::atomic::Ordering) -> u32;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u32,), Output = Option<u32>>) -> crate::result::Result<u32, u32>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u32,), Output = u32>) -> u32;
}
impl crate::sync::atomic::AtomicU64 {
fn as_ptr(&self) -> *const u64;
fn compare_and_swap(&self, _: u64, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn compare_exchange(&self, _: u64, _: u64, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u64, u64>;
fn compare_exchange_weak(&self, _: u64, _: u64, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u64, u64>;
fn fetch_add(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn fetch_and(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn fetch_max(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn fetch_min(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn fetch_nand(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn fetch_or(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn fetch_sub(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn fetch_update<F: FnMut<(u64,), Output = Option<u64>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<u64, u64>;
fn fetch_xor(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn from_ptr(_: *const u64) -> &crate::sync::atomic::AtomicU64;
fn get_mut(&mut self) -> &u64;
fn into_inner(self) -> u64;
fn load(&self, _: crate::sync::atomic::Ordering) -> u64;
fn new(_: u64) -> Self;
fn store(&self, _: u64, _: crate::sync::atomic::Ordering);
fn swap(&self, _: u64, _: crate::sync::atomic::Ordering) -> u64;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u64,), Output = Option<u64>>) -> crate::result::Result<u64, u64>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u64,), Output = u64>) -> u64;
}
impl crate::sync::atomic::AtomicU8 {
fn as_ptr(&self) -> *const u8;
fn compare_and_swap(&self, _: u8, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn compare_exchange(&self, _: u8, _: u8, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u8, u8>;
fn compare_exchange_weak(&self, _: u8, _: u8, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<u8, u8>;
fn fetch_add(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn fetch_and(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn fetch_max(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn fetch_min(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn fetch_nand(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn fetch_or(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn fetch_sub(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn fetch_update<F: FnMut<(u8,), Output = Option<u8>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<u8, u8>;
fn fetch_xor(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn from_ptr(_: *const u8) -> &crate::sync::atomic::AtomicU8;
fn get_mut(&mut self) -> &u8;
fn into_inner(self) -> u8;
fn load(&self, _: crate::sync::atomic::Ordering) -> u8;
fn new(_: u8) -> Self;
fn store(&self, _: u8, _: crate::sync::atomic::Ordering);
fn swap(&self, _: u8, _: crate::sync::atomic::Ordering) -> u8;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u8,), Output = Option<u8>>) -> crate::result::Result<u8, u8>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(u8,), Output = u8>) -> u8;
}
impl crate::sync::atomic::AtomicUsize {
fn as_ptr(&self) -> *const usize;
fn compare_and_swap(&self, _: usize, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn compare_exchange(&self, _: usize, _: usize, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<usize, usize>;
fn compare_exchange_weak(&self, _: usize, _: usize, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<usize, usize>;
fn fetch_add(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn fetch_and(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn fetch_max(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn fetch_min(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn fetch_nand(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn fetch_or(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn fetch_sub(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn fetch_update<F: FnMut<(usize,), Output = Option<usize>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<usize, usize>;
fn fetch_xor(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn from_ptr(_: *const usize) -> &crate::sync::atomic::AtomicUsize;
fn get_mut(&mut self) -> &usize;
fn into_inner(self) -> usize;
fn load(&self, _: crate::sync::atomic::Ordering) -> usize;
fn new(_: usize) -> Self;
fn store(&self, _: usize, _: crate::sync::atomic::Ordering);
fn swap(&self, _: usize, _: crate::sync::atomic::Ordering) -> usize;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(usize,), Output = Option<usize>>) -> crate::result::Result<usize, usize>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(usize,), Output = usize>) -> usize;
}
impl<T> Default for crate::sync::atomic::AtomicPtr<T> {}
impl<T> From<*const T> for crate::sync::atomic::AtomicPtr<T> {}
impl<T> crate::fmt::Debug for crate::sync::atomic::AtomicPtr<T> {}
impl<T> crate::fmt::Pointer for crate::sync::atomic::AtomicPtr<T> {}
impl<T> crate::sync::atomic::AtomicPtr<T> {
fn as_ptr(&self) -> *const *const T;
fn compare_and_swap(&self, _: *const T, _: *const T, _: crate::sync::atomic::Ordering) -> *const T;
fn compare_exchange(&self, _: *const T, _: *const T, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<*const T, *const T>;
fn compare_exchange_weak(&self, _: *const T, _: *const T, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering) -> crate::result::Result<*const T, *const T>;
fn fetch_and(&self, _: usize, _: crate::sync::atomic::Ordering) -> *const T;
fn fetch_byte_add(&self, _: usize, _: crate::sync::atomic::Ordering) -> *const T;
fn fetch_byte_sub(&self, _: usize, _: crate::sync::atomic::Ordering) -> *const T;
fn fetch_or(&self, _: usize, _: crate::sync::atomic::Ordering) -> *const T;
fn fetch_ptr_add(&self, _: usize, _: crate::sync::atomic::Ordering) -> *const T;
fn fetch_ptr_sub(&self, _: usize, _: crate::sync::atomic::Ordering) -> *const T;
fn fetch_update<F: FnMut<(*const T,), Output = Option<*const T>>>(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: F) -> crate::result::Result<*const T, *const T>;
fn fetch_xor(&self, _: usize, _: crate::sync::atomic::Ordering) -> *const T;
fn from_ptr(_: *const *const T) -> &crate::sync::atomic::AtomicPtr<T>;
fn get_mut(&mut self) -> &*const T;
fn into_inner(self) -> *const T;
fn load(&self, _: crate::sync::atomic::Ordering) -> *const T;
fn new(_: *const T) -> crate::sync::atomic::AtomicPtr<T>;
fn store(&self, _: *const T, _: crate::sync::atomic::Ordering);
fn swap(&self, _: *const T, _: crate::sync::atomic::Ordering) -> *const T;
fn try_update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(*const T,), Output = Option<*const T>>) -> crate::result::Result<*const T, *const T>;
fn update(&self, _: crate::sync::atomic::Ordering, _: crate::sync::atomic::Ordering, _: impl FnMut<(*const T,), Output = *const T>) -> *const T;
}
}
pub mod mpsc {
#[derive(Debug)]
pub struct IntoIter<T>;
#[derive(Debug)]
pub struct Iter<T>;
pub struct Receiver<T>;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RecvError;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RecvTimeoutError { Timeout, Disconnected }
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct SendError<T>;
pub struct Sender<T>;
pub struct SyncSender<T>;
#[derive(Debug)]
pub struct TryIter<T>;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TryRecvError { Empty, Disconnected }
#[derive(Clone, Copy, Eq, PartialEq)]
pub enum TrySendError<T> { Full(T), Disconnected(T) }
pub fn channel<T>() -> (crate::sync::mpsc::Sender<T>, crate::sync::mpsc::Receiver<T>);
pub fn sync_channel<T>(_: usize) -> (crate::sync::mpsc::SyncSender<T>, crate::sync::mpsc::Receiver<T>);
impl From<crate::sync::mpsc::RecvError> for crate::sync::mpsc::RecvTimeoutError {}
impl From<crate::sync::mpsc::RecvError> for crate::sync::mpsc::TryRecvError {}
impl crate::error::Error for crate::sync::mpsc::RecvError {}
impl crate::error::Error for crate::sync::mpsc::RecvTimeoutError {}
impl crate::error::Error for crate::sync::mpsc::TryRecvError {}
impl crate::fmt::Display for crate::sync::mpsc::RecvError {}
impl crate::fmt::Display for crate::sync::mpsc::RecvTimeoutError {}
impl crate::fmt::Display for crate::sync::mpsc::TryRecvError {}
impl<T> Clone for crate::sync::mpsc::Sender<T> {}
impl<T> Clone for crate::sync::mpsc::SyncSender<T> {}
impl<T> From<crate::sync::mpsc::SendError<T>> for crate::sync::mpsc::TrySendError<T> {}
impl<T> IntoIterator for crate::sync::mpsc::Receiver<T> {
type IntoIter = crate::sync::mpsc::IntoIter<T>;
type Item = T;
}
impl<T> Iterator for crate::sync::mpsc::IntoIter<T> {
type Item = T;
}
impl<T> Iterator for crate::sync::mpsc::Iter<T> {
type Item = T;
}
impl<T> Iterator for crate::sync::mpsc::TryIter<T> {
type Item = T;
}
impl<T> crate::error::Error for crate::sync::mpsc::SendError<T> {}
impl<T> crate::error::Error for crate::sync::mpsc::TrySendError<T> {}
impl<T> crate::fmt::Debug for crate::sync::mpsc::Receiver<T> {}
impl<T> crate::fmt::Debug for crate::sync::mpsc::SendError<T> {}
impl<T> crate::fmt::Debug for crate::sync::mpsc::Sender<T> {}
impl<T> crate::fmt::Debug for crate::sync::mpsc::SyncSender<T> {}
impl<T> crate::fmt::Debug for crate::sync::mpsc::TrySendError<T> {}
impl<T> crate::fmt::Display for crate::sync::mpsc::SendError<T> {}
impl<T> crate::fmt::Display for crate::sync::mpsc::TrySendError<T> {}
impl<T> crate::sync::mpsc::Receiver<T> {
fn iter(&self) -> crate::sync::mpsc::Iter<T>;
fn recv(&self) -> crate::result::Result<T, crate::sync::mpsc::RecvError>;
fn recv_timeout(&self, _: crate::time::Duration) -> crate::result::Result<T, crate::sync::mpsc::RecvTimeoutError>;
fn try_iter(&self) -> crate::sync::mpsc::TryIter<T>;
fn try_recv(&self) -> crate::result::Result<T, crate::sync::mpsc::TryRecvError>;
}
impl<T> crate::sync::mpsc::Sender<T> {
fn send(&self, _: T) -> crate::result::Result<(), crate::sync::mpsc::SendError<T>>;
}
impl<T> crate::sync::mpsc::SyncSender<T> {
fn send(&self, _: T) -> crate::result::Result<(), crate::sync::mpsc::SendError<T>>;
fn try_send(&self, _: T) -> crate::result::Result<(), crate::sync::mpsc::TrySendError<T>>;
}
}
}
pub mod task {
pub struct Context;
#[derive(Debug)]
pub struct ContextBuilder;
pub struct LocalWaker;
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Poll<T> { Ready(T), Pending }
#[derive(Debug, PartialEq)]
pub struct RawWaker;
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawWakerVTable;
pub trait Wake {
fn wake(self: crate::sync::Arc<Self>);
fn wake_by_ref(self: &crate::sync::Arc<Self>);
}
pub struct Waker;
impl AsRef<crate::task::LocalWaker> for crate::task::Waker {}
impl Clone for crate::task::LocalWaker {}
impl Clone for crate::task::Waker {}
impl Drop for crate::task::LocalWaker {}
impl Drop for crate::task::Waker {}
impl crate::fmt::Debug for crate::task::Context {}
impl crate::fmt::Debug for crate::task::LocalWaker {}
impl crate::fmt::Debug for crate::task::Waker {}
impl crate::task::Context {
fn from_waker(_: &crate::task::Waker) -> Self;
fn waker(&self) -> &crate::task::Waker;
}
impl crate::task::RawWaker {
fn new(_: *const (), _: &crate::task::RawWakerVTable) -> crate::task::RawWaker;
}
impl crate::task::RawWakerVTable {
fn new(_: fn(*const ()) -> crate::task::RawWaker, _: fn(*const ()), _: fn(*const ()), _: fn(*const ())) -> Self;
}
impl crate::task::Waker {
fn data(&self) -> *const ();
fn from_raw(_: crate::task::RawWaker) -> crate::task::Waker;
fn new(_: *const (), _: &crate::task::RawWakerVTable) -> Self;
fn noop() -> &crate::task::Waker;
fn vtable(&self) -> &crate::task::RawWakerVTable;
fn wake(self);
fn wake_by_ref(&self);
fn will_wake(&self, _: &crate::task::Waker) -> bool;
}
impl<T, E, F: From<E>> crate::unnameable::FromResidual<crate::result::Result<crate::convert::Infallible, E>> for crate::task::Poll<Option<crate::result::Result<T, F>>> {}
impl<T, E, F: From<E>> crate::unnameable::FromResidual<crate::result::Result<crate::convert::Infallible, E>> for crate::task::Poll<crate::result::Result<T, F>> {}
impl<T, E> crate::task::Poll<Option<crate::result::Result<T, E>>> {
fn map_err<U, F: FnOnce<(E,), Output = U>>(self, _: F) -> crate::task::Poll<Option<crate::result::Result<T, U>>>;
fn map_ok<U, F: FnOnce<(T,), Output = U>>(self, _: F) -> crate::task::Poll<Option<crate::result::Result<U, E>>>;
}
impl<T, E> crate::task::Poll<crate::result::Result<T, E>> {
fn map_err<U, F: FnOnce<(E,), Output = U>>(self, _: F) -> crate::task::Poll<crate::result::Result<T, U>>;
fn map_ok<U, F: FnOnce<(T,), Output = U>>(self, _: F) -> crate::task::Poll<crate::result::Result<U, E>>;
}
impl<T, E> crate::unnameable::Try for crate::task::Poll<Option<crate::result::Result<T, E>>> {
type Output = crate::task::Poll<Option<T>>;
type Residual = crate::result::Result<crate::convert::Infallible, E>;
}
impl<T, E> crate::unnameable::Try for crate::task::Poll<crate::result::Result<T, E>> {
type Output = crate::task::Poll<T>;
type Residual = crate::result::Result<crate::convert::Infallible, E>;
}
impl<T> From<T> for crate::task::Poll<T> {}
impl<T> crate::task::Poll<T> {
fn is_pending(&self) -> bool;
fn is_ready(&self) -> bool;
fn map<U, F: FnOnce<(T,), Output = U>>(self, _: F) -> crate::task::Poll<U>;
}
impl<W: crate::task::Wake> From<crate::sync::Arc<W>> for crate::task::RawWaker {}
impl<W: crate::task::Wake> From<crate::sync::Arc<W>> for crate::task::Waker {}
impl<W: crate::unnameable::LocalWake> From<crate::rc::Rc<W>> for crate::task::LocalWaker {}
impl<W: crate::unnameable::LocalWake> From<crate::rc::Rc<W>> for crate::task::RawWaker {}
}
pub mod thread {
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct AccessError;
#[derive(Debug)]
pub struct Builder;
pub struct JoinHandle<T>;
pub struct LocalKey<T>;
pub type Result<T> = crate::result::Result<T, Box<dyn crate::any::Any>>;
pub struct Scope;
pub struct ScopedJoinHandle<T>;
#[derive(Clone)]
pub struct Thread;
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ThreadId;
pub fn available_parallelism() -> crate::io::Result<crate::num::NonZero<usize>>;
pub fn current() -> crate::thread::Thread;
pub fn panicking() -> bool;
pub fn park();
pub fn park_timeout(_: crate::time::Duration);
pub fn park_timeout_ms(_: u32);
pub fn scope<F: FnOnce<(&crate::thread::Scope,), Output = T>, T>(_: F) -> T;
pub fn sleep(_: crate::time::Duration);
pub fn sleep_ms(_: u32);
pub fn spawn<F: FnOnce<(), Output = T>, T>(_: F) -> crate::thread::JoinHandle<T>;
pub fn yield_now();
impl crate::error::Error for crate::thread::AccessError {}
impl crate::fmt::Debug for crate::thread::AccessError {}
impl crate::fmt::Debug for crate::thread::Scope {}
impl crate::fmt::Debug for crate::thread::Thread {}
impl crate::fmt::Display for crate::thread::AccessError {}
impl crate::thread::Builder {
fn name(self, _: String) -> crate::thread::Builder;
fn new() -> crate::thread::Builder;
fn spawn<F: FnOnce<(), Output = T>, T>(self, _: F) -> crate::io::Result<crate::thread::JoinHandle<T>>;
fn spawn_scoped<F: FnOnce<(), Output = T>, T>(self, _: &crate::thread::Scope, _: F) -> crate::io::Result<crate::thread::ScopedJoinHandle<T>>;
fn spawn_unchecked<F: FnOnce<(), Output = T>, T>(self, _: F) -> crate::io::Result<crate::thread::JoinHandle<T>>;
fn stack_size(self, _: usize) -> crate::thread::Builder;
}
impl crate::thread::Scope {
fn spawn<F: FnOnce<(), Output = T>, T>(&self, _: F) -> crate::thread::ScopedJoinHandle<T>;
}
impl crate::thread::Thread {
fn id(&self) -> crate::thread::ThreadId;
fn name(&self) -> Option<&str>;
fn unpark(&self);
}
impl<T> crate::fmt::Debug for crate::thread::JoinHandle<T> {}
impl<T> crate::fmt::Debug for crate::thread::LocalKey<T> {}
impl<T> crate::fmt::Debug for crate::thread::ScopedJoinHandle<T> {}
impl<T> crate::os::unix::thread::JoinHandleExt for crate::thread::JoinHandle<T> {}
impl<T> crate::thread::JoinHandle<T> {
fn is_finished(&self) -> bool;
fn join(self) -> crate::thread::Result<T>;
fn thread(&self) -> &crate::thread::Thread;
}
impl<T> crate::thread::LocalKey<T> {
fn try_with<F: FnOnce<(&T,), Output = R>, R>(&self, _: F) -> crate::result::Result<R, crate::thread::AccessError>;
fn with<F: FnOnce<(&T,), Output = R>, R>(&self, _: F) -> R;
}
impl<T> crate::thread::LocalKey<crate::cell::Cell<T>> {
fn get(&self) -> T where T: Copy;
fn replace(&self, _: T) -> T;
fn set(&self, _: T);
fn take(&self) -> T where T: Default;
}
impl<T> crate::thread::LocalKey<crate::cell::RefCell<T>> {
fn replace(&self, _: T) -> T;
fn set(&self, _: T);
fn take(&self) -> T where T: Default;
fn with_borrow<F: FnOnce<(&T,), Output = R>, R>(&self, _: F) -> R;
fn with_borrow_mut<F: FnOnce<(&T,), Output = R>, R>(&self, _: F) -> R;
}
impl<T> crate::thread::ScopedJoinHandle<T> {
fn is_finished(&self) -> bool;
fn join(self) -> crate::thread::Result<T>;
fn thread(&self) -> &crate::thread::Thread;
}
pub mod panicking {
pub use crate::panic::set_hook;
pub use crate::panic::take_hook;
pub fn catch_unwind<R, F: FnOnce<(), Output = R>>(_: F) -> crate::result::Result<R, Box<dyn crate::any::Any>>;
pub fn panic_handler(_: &crate::unnameable::PanicInfo) -> !;
pub fn panicking() -> bool;
pub fn resume_unwind(_: Box<dyn crate::any::Any>) -> !;
}
}
pub mod time {
#[derive(Clone, Copy, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Duration;
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Instant;
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SystemTime;
#[derive(Clone, Debug)]
pub struct SystemTimeError;
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TryFromFloatSecsError;
pub const UNIX_EPOCH: crate::time::SystemTime = 0;
impl crate::error::Error for crate::time::SystemTimeError {}
impl crate::error::Error for crate::time::TryFromFloatSecsError {}
impl crate::fmt::Debug for crate::time::Duration {}
impl crate::fmt::Debug for crate::time::Instant {}
impl crate::fmt::Debug for crate::time::SystemTime {}
impl crate::fmt::Display for crate::time::SystemTimeError {}
impl crate::fmt::Display for crate::time::TryFromFloatSecsError {}
impl crate::iter::Sum for crate::time::Duration {}
impl crate::iter::Sum<&crate::time::Duration> for crate::time::Duration {}
impl crate::ops::Add for crate::time::Duration {
type Output = crate::time::Duration;
}
impl crate::ops::Add<crate::time::Duration> for crate::time::Instant {
type Output = crate::time::Instant;
}
impl crate::ops::Add<crate::time::Duration> for crate::time::SystemTime {
type Output = crate::time::SystemTime;
}
impl crate::ops::AddAssign for crate::time::Duration {}
impl crate::ops::AddAssign<crate::time::Duration> for crate::time::Instant {}
impl crate::ops::AddAssign<crate::time::Duration> for crate::time::SystemTime {}
impl crate::ops::Div<u32> for crate::time::Duration {
type Output = crate::time::Duration;
}
impl crate::ops::DivAssign<u32> for crate::time::Duration {}
impl crate::ops::Mul<u32> for crate::time::Duration {
type Output = crate::time::Duration;
}
impl crate::ops::MulAssign<u32> for crate::time::Duration {}
impl crate::ops::Sub for crate::time::Duration {
type Output = crate::time::Duration;
}
impl crate::ops::Sub<crate::time::Duration> for crate::time::Instant {
type Output = crate::time::Instant;
}
impl crate::ops::Sub<crate::time::Duration> for crate::time::SystemTime {
type Output = crate::time::SystemTime;
}
impl crate::ops::Sub<crate::time::Instant> for crate::time::Instant {
type Output = crate::time::Duration;
}
impl crate::ops::SubAssign for crate::time::Duration {}
impl crate::ops::SubAssign<crate::time::Duration> for crate::time::Instant {}
impl crate::ops::SubAssign<crate::time::Duration> for crate::time::SystemTime {}
impl crate::time::Duration {
const MAX: crate::time::Duration = 0;
const ZERO: crate::time::Duration = 0;
fn abs_diff(self, _: crate::time::Duration) -> crate::time::Duration;
fn as_micros(&self) -> u128;
fn as_millis(&self) -> u128;
fn as_nanos(&self) -> u128;
fn as_secs(&self) -> u64;
fn as_secs_f32(&self) -> f32;
fn as_secs_f64(&self) -> f64;
fn checked_add(self, _: crate::time::Duration) -> Option<crate::time::Duration>;
fn checked_div(self, _: u32) -> Option<crate::time::Duration>;
fn checked_mul(self, _: u32) -> Option<crate::time::Duration>;
fn checked_sub(self, _: crate::time::Duration) -> Option<crate::time::Duration>;
fn div_duration_f32(self, _: crate::time::Duration) -> f32;
fn div_duration_f64(self, _: crate::time::Duration) -> f64;
fn div_f32(self, _: f32) -> crate::time::Duration;
fn div_f64(self, _: f64) -> crate::time::Duration;
fn from_hours(_: u64) -> crate::time::Duration;
fn from_micros(_: u64) -> crate::time::Duration;
fn from_millis(_: u64) -> crate::time::Duration;
fn from_mins(_: u64) -> crate::time::Duration;
fn from_nanos(_: u64) -> crate::time::Duration;
fn from_nanos_u128(_: u128) -> crate::time::Duration;
fn from_secs(_: u64) -> crate::time::Duration;
fn from_secs_f32(_: f32) -> crate::time::Duration;
fn from_secs_f64(_: f64) -> crate::time::Duration;
fn is_zero(&self) -> bool;
fn mul_f32(self, _: f32) -> crate::time::Duration;
fn mul_f64(self, _: f64) -> crate::time::Duration;
fn new(_: u64, _: u32) -> crate::time::Duration;
fn saturating_add(self, _: crate::time::Duration) -> crate::time::Duration;
fn saturating_mul(self, _: u32) -> crate::time::Duration;
fn saturating_sub(self, _: crate::time::Duration) -> crate::time::Duration;
fn subsec_micros(&self) -> u32;
fn subsec_millis(&self) -> u32;
fn subsec_nanos(&self) -> u32;
fn try_from_secs_f32(_: f32) -> crate::result::Result<crate::time::Duration, crate::time::TryFromFloatSecsError>;
fn try_from_secs_f64(_: f64) -> crate::result::Result<crate::time::Duration, crate::time::TryFromFloatSecsError>;
}
impl crate::time::Instant {
fn checked_add(&self, _: crate::time::Duration) -> Option<crate::time::Instant>;
fn checked_duration_since(&self, _: crate::time::Instant) -> Option<crate::time::Duration>;
fn checked_sub(&self, _: crate::time::Duration) -> Option<crate::time::Instant>;
fn duration_since(&self, _: crate::time::Instant) -> crate::time::Duration;
fn elapsed(&self) -> crate::time::Duration;
fn now() -> crate::time::Instant;
fn saturating_duration_since(&self, _: crate::time::Instant) -> crate::time::Duration;
}
impl crate::time::SystemTime {
const UNIX_EPOCH: crate::time::SystemTime = 0;
fn checked_add(&self, _: crate::time::Duration) -> Option<crate::time::SystemTime>;
fn checked_sub(&self, _: crate::time::Duration) -> Option<crate::time::SystemTime>;
fn duration_since(&self, _: crate::time::SystemTime) -> crate::result::Result<crate::time::Duration, crate::time::SystemTimeError>;
fn elapsed(&self) -> crate::result::Result<crate::time::Duration, crate::time::SystemTimeError>;
fn now() -> crate::time::SystemTime;
}
impl crate::time::SystemTimeError {
fn duration(&self) -> crate::time::Duration;
}
}
pub mod u128 {
pub const MAX: u128 = 0;
pub const MIN: u128 = 0;
}
pub mod u16 {
pub const MAX: u16 = 0;
pub const MIN: u16 = 0;
}
pub mod u32 {
pub const MAX: u32 = 0;
pub const MIN: u32 = 0;
}
pub mod u64 {
pub const MAX: u64 = 0;
pub const MIN: u64 = 0;
}
pub mod u8 {
pub const MAX: u8 = 0;
pub const MIN: u8 = 0;
}
pub mod unnameable {
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Alignment;
#[derive(Clone, Copy)]
pub struct Argument;
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum AsciiChar { Null, StartOfHeading, StartOfText, EndOfText, EndOfTransmission, Enquiry, Acknowledge, Bell, Backspace, CharacterTabulation, LineFeed, LineTabulation, FormFeed, CarriageReturn, ShiftOut, ShiftIn, DataLinkEscape, DeviceControlOne, DeviceControlTwo, DeviceControlThree, DeviceControlFour, NegativeAcknowledge, SynchronousIdle, EndOfTransmissionBlock, Cancel, EndOfMedium, Substitute, Escape, InformationSeparatorFour, InformationSeparatorThree, InformationSeparatorTwo, InformationSeparatorOne, Space, ExclamationMark, QuotationMark, NumberSign, DollarSign, PercentSign, Ampersand, Apostrophe, LeftParenthesis, RightParenthesis, Asterisk, PlusSign, Comma, HyphenMinus, FullStop, Solidus, Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9, Colon, Semicolon, LessThanSign, EqualsSign, GreaterThanSign, QuestionMark, CommercialAt, CapitalA, CapitalB, CapitalC, CapitalD, CapitalE, CapitalF, CapitalG, CapitalH, CapitalI, CapitalJ, CapitalK, CapitalL, CapitalM, CapitalN, CapitalO, CapitalP, CapitalQ, CapitalR, CapitalS, CapitalT, CapitalU, CapitalV, CapitalW, CapitalX, CapitalY, CapitalZ, LeftSquareBracket, ReverseSolidus, RightSquareBracket, CircumflexAccent, LowLine, GraveAccent, SmallA, SmallB, SmallC, SmallD, SmallE, SmallF, SmallG, SmallH, SmallI, SmallJ, SmallK, SmallL, SmallM, SmallN, SmallO, SmallP, SmallQ, SmallR, SmallS, SmallT, SmallU, SmallV, SmallW, SmallX, SmallY, SmallZ, LeftCurlyBracket, VerticalLine, RightCurlyBracket, Tilde, Delete }
pub struct Atomic<T: crate::unnameable::AtomicPrimitive>;
pub trait AtomicPrimitive: Copy + crate::unnameable::Sealed {
type Storage;
}
pub struct ByteStr([u8]);
#[derive(Clone)]
pub struct ByteString(Vec<u8>);
pub trait CloneFromCell: Clone {}
pub trait CloneToUninit {
fn clone_to_uninit(&self, _: *const u8);
}
pub trait Concat {
type Output;
}
pub struct Dir;
#[derive(Clone, Debug, Eq)]
pub struct EnvKey;
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ExitStatusError;
pub trait FloatToInt<Int>: crate::unnameable::Sealed_____ {}
pub trait FnPtr: Copy + Clone {
fn addr(self) -> *const ();
}
pub trait FromResidual<R = <Self as crate::unnameable::Try>::Residual> {}
pub trait GetDisjointMutIndex: Clone + crate::unnameable::Sealed____ {}
pub trait IoHandle {}
pub trait Join<Separator> {
type Output;
}
pub trait LocalWake {}
#[derive(Clone, Copy)]
pub struct NonZeroCharInner;
#[derive(Clone, Copy)]
pub struct NonZeroI128Inner;
#[derive(Clone, Copy)]
pub struct NonZeroI16Inner;
#[derive(Clone, Copy)]
pub struct NonZeroI32Inner;
#[derive(Clone, Copy)]
pub struct NonZeroI64Inner;
#[derive(Clone, Copy)]
pub struct NonZeroI8Inner;
#[derive(Clone, Copy)]
pub struct NonZeroIsizeInner;
#[derive(Clone, Copy)]
pub struct NonZeroU128Inner;
#[derive(Clone, Copy)]
pub struct NonZeroU16Inner;
#[derive(Clone, Copy)]
pub struct NonZeroU32Inner;
#[derive(Clone, Copy)]
pub struct NonZeroU64Inner;
#[derive(Clone, Copy)]
pub struct NonZeroU8Inner;
#[derive(Clone, Copy)]
pub struct NonZeroUsizeInner;
pub trait OneSidedRange<T>: crate::ops::RangeBounds<T> {
fn bound(self) -> (crate::unnameable::OneSidedRangeBound, T);
}
pub enum OneSidedRangeBound { StartInclusive, End, EndInclusive }
pub struct OwnedHandle;
#[derive(Debug)]
pub struct PanicInfo;
pub struct PanicMessage;
pub trait PinDerefMutHelper {
fn deref_mut(&mut self) -> &Self::Target;
type Target;
}
pub struct PinHelper<Ptr>;
pub trait Pointee {
type Metadata: crate::fmt::Debug + Copy + Ord + crate::hash::Hash;
}
pub type RawOsError = _;
pub trait Residual<O> {
type TryType: crate::unnameable::Try<Output = O, Residual = Self>;
}
pub trait Sealed {}
pub trait Sealed_ {}
pub trait Sealed__ {}
pub trait Sealed___ {}
pub trait Sealed____ {}
pub trait Sealed_____ {}
pub trait SlicePattern {
fn as_slice(&self) -> &[Self::Item];
type Item;
}
pub trait Step: Clone + PartialOrd {
fn backward(_: Self, _: usize) -> Self;
fn backward_checked(_: Self, _: usize) -> Option<Self>;
fn backward_unchecked(_: Self, _: usize) -> Self;
fn forward(_: Self, _: usize) -> Self;
fn forward_checked(_: Self, _: usize) -> Option<Self>;
fn forward_unchecked(_: Self, _: usize) -> Self;
fn steps_between(_: &Self, _: &Self) -> (usize, Option<usize>);
}
pub trait Thin: crate::unnameable::Pointee<Metadata = ()> {}
pub trait Try: crate::unnameable::FromResidual {
type Output;
type Residual: crate::unnameable::Residual<Self::Output>;
}
#[derive(Debug, Eq, PartialEq)]
pub enum TryReserveErrorKind { CapacityOverflow, AllocError { layout: crate::alloc::Layout, non_exhaustive: () } }
pub trait Tuple {}
pub struct Unique<T>;
#[derive(Debug)]
pub struct Yeet<T>(T);
pub trait ZeroablePrimitive: Copy + crate::unnameable::Sealed___ {
type NonZeroInner: Copy;
}
impl AsMut<[u8]> for crate::unnameable::ByteStr {}
impl AsMut<[u8]> for crate::unnameable::ByteString {}
impl AsMut<crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl AsRef<[u8]> for crate::unnameable::ByteStr {}
impl AsRef<[u8]> for crate::unnameable::ByteString {}
impl AsRef<crate::ffi::OsStr> for crate::unnameable::EnvKey {}
impl AsRef<crate::unnameable::ByteStr> for crate::unnameable::ByteStr {}
impl AsRef<crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl Clone for crate::unnameable::TryReserveErrorKind {}
impl Default for crate::unnameable::Alignment {}
impl Default for crate::unnameable::AsciiChar {}
impl Default for crate::unnameable::ByteString {}
impl Eq for crate::unnameable::ByteStr {}
impl Eq for crate::unnameable::ByteString {}
impl Eq for crate::unnameable::NonZeroCharInner {}
impl Eq for crate::unnameable::NonZeroI128Inner {}
impl Eq for crate::unnameable::NonZeroI16Inner {}
impl Eq for crate::unnameable::NonZeroI32Inner {}
impl Eq for crate::unnameable::NonZeroI64Inner {}
impl Eq for crate::unnameable::NonZeroI8Inner {}
impl Eq for crate::unnameable::NonZeroIsizeInner {}
impl Eq for crate::unnameable::NonZeroU128Inner {}
impl Eq for crate::unnameable::NonZeroU16Inner {}
impl Eq for crate::unnameable::NonZeroU32Inner {}
impl Eq for crate::unnameable::NonZeroU64Inner {}
impl Eq for crate::unnameable::NonZeroU8Inner {}
impl Eq for crate::unnameable::NonZeroUsizeInner {}
impl From<&crate::ffi::OsStr> for crate::unnameable::EnvKey {}
impl From<&crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl From<crate::alloc::LayoutError> for crate::unnameable::TryReserveErrorKind {}
impl From<crate::ffi::OsString> for crate::unnameable::EnvKey {}
impl From<crate::os::fd::OwnedFd> for crate::unnameable::Dir {}
impl From<crate::unnameable::Dir> for crate::unnameable::OwnedHandle {}
impl From<crate::unnameable::OwnedHandle> for crate::unnameable::Dir {}
impl Ord for crate::unnameable::Alignment {}
impl Ord for crate::unnameable::ByteStr {}
impl Ord for crate::unnameable::ByteString {}
impl Ord for crate::unnameable::EnvKey {}
impl Ord for crate::unnameable::NonZeroCharInner {}
impl Ord for crate::unnameable::NonZeroI128Inner {}
impl Ord for crate::unnameable::NonZeroI16Inner {}
impl Ord for crate::unnameable::NonZeroI32Inner {}
impl Ord for crate::unnameable::NonZeroI64Inner {}
impl Ord for crate::unnameable::NonZeroI8Inner {}
impl Ord for crate::unnameable::NonZeroIsizeInner {}
impl Ord for crate::unnameable::NonZeroU128Inner {}
impl Ord for crate::unnameable::NonZeroU16Inner {}
impl Ord for crate::unnameable::NonZeroU32Inner {}
impl Ord for crate::unnameable::NonZeroU64Inner {}
impl Ord for crate::unnameable::NonZeroU8Inner {}
impl Ord for crate::unnameable::NonZeroUsizeInner {}
impl PartialEq for crate::unnameable::ByteString {}
impl PartialEq for crate::unnameable::EnvKey {}
impl PartialEq for crate::unnameable::NonZeroCharInner {}
impl PartialEq for crate::unnameable::NonZeroI128Inner {}
impl PartialEq for crate::unnameable::NonZeroI16Inner {}
impl PartialEq for crate::unnameable::NonZeroI32Inner {}
impl PartialEq for crate::unnameable::NonZeroI64Inner {}
impl PartialEq for crate::unnameable::NonZeroI8Inner {}
impl PartialEq for crate::unnameable::NonZeroIsizeInner {}
impl PartialEq for crate::unnameable::NonZeroU128Inner {}
impl PartialEq for crate::unnameable::NonZeroU16Inner {}
impl PartialEq for crate::unnameable::NonZeroU32Inner {}
impl PartialEq for crate::unnameable::NonZeroU64Inner {}
impl PartialEq for crate::unnameable::NonZeroU8Inner {}
impl PartialEq for crate::unnameable::NonZeroUsizeInner {}
impl PartialEq<&[u8]> for crate::unnameable::ByteStr {}
impl PartialEq<&[u8]> for crate::unnameable::ByteString {}
impl PartialEq<&crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl PartialEq<&str> for crate::unnameable::ByteStr {}
impl PartialEq<&str> for crate::unnameable::ByteString {}
impl PartialEq<String> for crate::unnameable::ByteStr {}
impl PartialEq<String> for crate::unnameable::ByteString {}
impl PartialEq<Vec<u8>> for crate::unnameable::ByteStr {}
impl PartialEq<Vec<u8>> for crate::unnameable::ByteString {}
impl PartialEq<[u8]> for crate::unnameable::ByteStr {}
impl PartialEq<[u8]> for crate::unnameable::ByteString {}
impl PartialEq<crate::borrow::Cow<[u8]>> for crate::unnameable::ByteString {}
impl PartialEq<crate::borrow::Cow<crate::unnameable::ByteStr>> for crate::unnameable::ByteString {}
impl PartialEq<crate::borrow::Cow<str>> for crate::unnameable::ByteString {}
impl PartialEq<crate::unnameable::ByteStr> for crate::unnameable::ByteStr {}
impl PartialEq<crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl PartialEq<crate::unnameable::ByteString> for crate::unnameable::ByteStr {}
impl PartialEq<str> for crate::unnameable::ByteStr {}
impl PartialEq<str> for crate::unnameable::ByteString {}
impl PartialEq<str> for crate::unnameable::EnvKey {}
impl PartialOrd for crate::unnameable::Alignment {}
impl PartialOrd for crate::unnameable::ByteStr {}
impl PartialOrd for crate::unnameable::ByteString {}
impl PartialOrd for crate::unnameable::EnvKey {}
impl PartialOrd for crate::unnameable::NonZeroCharInner {}
impl PartialOrd for crate::unnameable::NonZeroI128Inner {}
impl PartialOrd for crate::unnameable::NonZeroI16Inner {}
impl PartialOrd for crate::unnameable::NonZeroI32Inner {}
impl PartialOrd for crate::unnameable::NonZeroI64Inner {}
impl PartialOrd for crate::unnameable::NonZeroI8Inner {}
impl PartialOrd for crate::unnameable::NonZeroIsizeInner {}
impl PartialOrd for crate::unnameable::NonZeroU128Inner {}
impl PartialOrd for crate::unnameable::NonZeroU16Inner {}
impl PartialOrd for crate::unnameable::NonZeroU32Inner {}
impl PartialOrd for crate::unnameable::NonZeroU64Inner {}
impl PartialOrd for crate::unnameable::NonZeroU8Inner {}
impl PartialOrd for crate::unnameable::NonZeroUsizeInner {}
impl PartialOrd<&crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl PartialOrd<crate::borrow::Cow<[u8]>> for crate::unnameable::ByteString {}
impl PartialOrd<crate::borrow::Cow<crate::unnameable::ByteStr>> for crate::unnameable::ByteString {}
impl PartialOrd<crate::borrow::Cow<str>> for crate::unnameable::ByteString {}
impl PartialOrd<crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl PartialOrd<crate::unnameable::ByteString> for crate::unnameable::ByteStr {}
impl PartialOrd<str> for crate::unnameable::EnvKey {}
impl ToOwned for crate::unnameable::ByteStr {
type Owned = crate::unnameable::ByteString;
}
impl crate::borrow::Borrow<[u8]> for crate::unnameable::ByteStr {}
impl crate::borrow::Borrow<[u8]> for crate::unnameable::ByteString {}
impl crate::borrow::Borrow<crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl crate::borrow::BorrowMut<[u8]> for crate::unnameable::ByteStr {}
impl crate::borrow::BorrowMut<[u8]> for crate::unnameable::ByteString {}
impl crate::borrow::BorrowMut<crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl crate::convert::TryFrom<crate::num::NonZero<usize>> for crate::unnameable::Alignment {
type Error = crate::num::TryFromIntError;
}
impl crate::convert::TryFrom<usize> for crate::unnameable::Alignment {
type Error = crate::num::TryFromIntError;
}
impl crate::error::Error for crate::unnameable::ExitStatusError {}
impl crate::fmt::Debug for crate::unnameable::Alignment {}
impl crate::fmt::Debug for crate::unnameable::AsciiChar {}
impl crate::fmt::Debug for crate::unnameable::ByteStr {}
impl crate::fmt::Debug for crate::unnameable::ByteString {}
impl crate::fmt::Debug for crate::unnameable::Dir {}
impl crate::fmt::Debug for crate::unnameable::NonZeroCharInner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroI128Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroI16Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroI32Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroI64Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroI8Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroIsizeInner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroU128Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroU16Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroU32Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroU64Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroU8Inner {}
impl crate::fmt::Debug for crate::unnameable::NonZeroUsizeInner {}
impl crate::fmt::Debug for crate::unnameable::PanicMessage {}
impl crate::fmt::Display for crate::unnameable::AsciiChar {}
impl crate::fmt::Display for crate::unnameable::ByteStr {}
impl crate::fmt::Display for crate::unnameable::ByteString {}
impl crate::fmt::Display for crate::unnameable::ExitStatusError {}
impl crate::fmt::Display for crate::unnameable::PanicInfo {}
impl crate::fmt::Display for crate::unnameable::PanicMessage {}
impl crate::hash::Hash for crate::unnameable::Alignment {}
impl crate::hash::Hash for crate::unnameable::ByteStr {}
impl crate::hash::Hash for crate::unnameable::ByteString {}
impl crate::hash::Hash for crate::unnameable::NonZeroCharInner {}
impl crate::hash::Hash for crate::unnameable::NonZeroI128Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroI16Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroI32Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroI64Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroI8Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroIsizeInner {}
impl crate::hash::Hash for crate::unnameable::NonZeroU128Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroU16Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroU32Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroU64Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroU8Inner {}
impl crate::hash::Hash for crate::unnameable::NonZeroUsizeInner {}
impl crate::iter::FromIterator<&[u8]> for crate::unnameable::ByteString {}
impl crate::iter::FromIterator<&crate::unnameable::ByteStr> for crate::unnameable::ByteString {}
impl crate::iter::FromIterator<&str> for crate::unnameable::ByteString {}
impl crate::iter::FromIterator<char> for crate::unnameable::ByteString {}
impl crate::iter::FromIterator<crate::unnameable::ByteString> for crate::unnameable::ByteString {}
impl crate::iter::FromIterator<u8> for crate::unnameable::ByteString {}
impl crate::ops::Deref for crate::unnameable::ByteStr {
type Target = [u8];
}
impl crate::ops::Deref for crate::unnameable::ByteString {
type Target = Vec<u8>;
}
impl crate::ops::DerefMut for crate::unnameable::ByteStr {}
impl crate::ops::DerefMut for crate::unnameable::ByteString {}
impl crate::ops::Index<crate::ops::Range<usize>> for crate::unnameable::ByteString {
type Output = crate::unnameable::ByteStr;
}
impl crate::ops::Index<crate::ops::RangeFrom<usize>> for crate::unnameable::ByteString {
type Output = crate::unnameable::ByteStr;
}
impl crate::ops::Index<crate::ops::RangeFull> for crate::unnameable::ByteString {
type Output = crate::unnameable::ByteStr;
}
impl crate::ops::Index<crate::ops::RangeInclusive<usize>> for crate::unnameable::ByteString {
type Output = crate::unnameable::ByteStr;
}
impl crate::ops::Index<crate::ops::RangeTo<usize>> for crate::unnameable::ByteString {
type Output = crate::unnameable::ByteStr;
}
impl crate::ops::Index<crate::ops::RangeToInclusive<usize>> for crate::unnameable::ByteString {
type Output = crate::unnameable::ByteStr;
}
impl crate::ops::Index<usize> for crate::unnameable::ByteString {
type Output = u8;
}
impl crate::ops::IndexMut<crate::ops::Range<usize>> for crate::unnameable::ByteString {}
impl crate::ops::IndexMut<crate::ops::RangeFrom<usize>> for crate::unnameable::ByteString {}
impl crate::ops::IndexMut<crate::ops::RangeFull> for crate::unnameable::ByteString {}
impl crate::ops::IndexMut<crate::ops::RangeInclusive<usize>> for crate::unnameable::ByteString {}
impl crate::ops::IndexMut<crate::ops::RangeTo<usize>> for crate::unnameable::ByteString {}
impl crate::ops::IndexMut<crate::ops::RangeToInclusive<usize>> for crate::unnameable::ByteString {}
impl crate::ops::IndexMut<usize> for crate::unnameable::ByteString {}
impl crate::os::fd::AsFd for crate::unnameable::Dir {}
impl crate::os::fd::AsRawFd for crate::unnameable::Dir {}
impl crate::os::fd::FromRawFd for crate::unnameable::Dir {}
impl crate::os::fd::IntoRawFd for crate::unnameable::Dir {}
impl crate::os::unix::process::ExitStatusExt for crate::unnameable::ExitStatusError {}
impl crate::str::FromStr for crate::unnameable::ByteString {
type Err = crate::convert::Infallible;
}
impl crate::unnameable::Argument {
fn from_usize(_: &usize) -> crate::unnameable::Argument;
fn new_binary<T: crate::fmt::Binary>(_: &T) -> crate::unnameable::Argument;
fn new_debug<T: crate::fmt::Debug>(_: &T) -> crate::unnameable::Argument;
fn new_debug_noop<T: crate::fmt::Debug>(_: &T) -> crate::unnameable::Argument;
fn new_display<T: crate::fmt::Display>(_: &T) -> crate::unnameable::Argument;
fn new_lower_exp<T: crate::fmt::LowerExp>(_: &T) -> crate::unnameable::Argument;
fn new_lower_hex<T: crate::fmt::LowerHex>(_: &T) -> crate::unnameable::Argument;
fn new_octal<T: crate::fmt::Octal>(_: &T) -> crate::unnameable::Argument;
fn new_pointer<T: crate::fmt::Pointer>(_: &T) -> crate::unnameable::Argument;
fn new_upper_exp<T: crate::fmt::UpperExp>(_: &T) -> crate::unnameable::Argument;
fn new_upper_hex<T: crate::fmt::UpperHex>(_: &T) -> crate::unnameable::Argument;
}
impl crate::unnameable::CloneToUninit for crate::unnameable::ByteStr {}
impl crate::unnameable::CloneToUninit for str {}
impl crate::unnameable::ExitStatusError {
fn code(&self) -> Option<i32>;
fn code_nonzero(&self) -> Option<crate::num::NonZero<i32>>;
fn into_status(&self) -> crate::process::ExitStatus;
}
impl crate::unnameable::FloatToInt<i128> for f32 {}
impl crate::unnameable::FloatToInt<i128> for f64 {}
impl crate::unnameable::FloatToInt<i16> for f32 {}
impl crate::unnameable::FloatToInt<i16> for f64 {}
impl crate::unnameable::FloatToInt<i32> for f32 {}
impl crate::unnameable::FloatToInt<i32> for f64 {}
impl crate::unnameable::FloatToInt<i64> for f32 {}
impl crate::unnameable::FloatToInt<i64> for f64 {}
impl crate::unnameable::FloatToInt<i8> for f32 {}
impl crate::unnameable::FloatToInt<i8> for f64 {}
impl crate::unnameable::FloatToInt<isize> for f32 {}
impl crate::unnameable::FloatToInt<isize> for f64 {}
impl crate::unnameable::FloatToInt<u128> for f32 {}
impl crate::unnameable::FloatToInt<u128> for f64 {}
impl crate::unnameable::FloatToInt<u16> for f32 {}
impl crate::unnameable::FloatToInt<u16> for f64 {}
impl crate::unnameable::FloatToInt<u32> for f32 {}
impl crate::unnameable::FloatToInt<u32> for f64 {}
impl crate::unnameable::FloatToInt<u64> for f32 {}
impl crate::unnameable::FloatToInt<u64> for f64 {}
impl crate::unnameable::FloatToInt<u8> for f32 {}
impl crate::unnameable::FloatToInt<u8> for f64 {}
impl crate::unnameable::FloatToInt<usize> for f32 {}
impl crate::unnameable::FloatToInt<usize> for f64 {}
impl crate::unnameable::GetDisjointMutIndex for usize {}
impl crate::unnameable::NonZeroCharInner {
fn as_inner(self) -> char;
fn new(_: char) -> Option<Self>;
fn new_unchecked(_: char) -> Self;
}
impl crate::unnameable::NonZeroI128Inner {
fn as_inner(self) -> i128;
fn new(_: i128) -> Option<Self>;
fn new_unchecked(_: i128) -> Self;
}
impl crate::unnameable::NonZeroI16Inner {
fn as_inner(self) -> i16;
fn new(_: i16) -> Option<Self>;
fn new_unchecked(_: i16) -> Self;
}
impl crate::unnameable::NonZeroI32Inner {
fn as_inner(self) -> i32;
fn new(_: i32) -> Option<Self>;
fn new_unchecked(_: i32) -> Self;
}
impl crate::unnameable::NonZeroI64Inner {
fn as_inner(self) -> i64;
fn new(_: i64) -> Option<Self>;
fn new_unchecked(_: i64) -> Self;
}
impl crate::unnameable::NonZeroI8Inner {
fn as_inner(self) -> i8;
fn new(_: i8) -> Option<Self>;
fn new_unchecked(_: i8) -> Self;
}
impl crate::unnameable::NonZeroIsizeInner {
fn as_inner(self) -> isize;
fn new(_: isize) -> Option<Self>;
fn new_unchecked(_: isize) -> Self;
}
impl crate::unnameable::NonZeroU128Inner {
fn as_inner(self) -> u128;
fn new(_: u128) -> Option<Self>;
fn new_unchecked(_: u128) -> Self;
}
impl crate::unnameable::NonZeroU16Inner {
fn as_inner(self) -> u16;
fn new(_: u16) -> Option<Self>;
fn new_unchecked(_: u16) -> Self;
}
impl crate::unnameable::NonZeroU32Inner {
fn as_inner(self) -> u32;
fn new(_: u32) -> Option<Self>;
fn new_unchecked(_: u32) -> Self;
}
impl crate::unnameable::NonZeroU64Inner {
fn as_inner(self) -> u64;
fn new(_: u64) -> Option<Self>;
fn new_unchecked(_: u64) -> Self;
}
impl crate::unnameable::NonZeroU8Inner {
fn as_inner(self) -> u8;
fn new(_: u8) -> Option<Self>;
fn new_unchecked(_: u8) -> Self;
}
impl crate::unnameable::NonZeroUsizeInner {
fn as_inner(self) -> usize;
fn new(_: usize) -> Option<Self>;
fn new_unchecked(_: usize) -> Self;
}
impl crate::unnameable::PanicInfo {
fn location(&self) -> Option<&crate::panic::Location>;
fn message(&self) -> crate::unnameable::PanicMessage;
fn payload(&self) -> &dyn crate::any::Any;
}
impl crate::unnameable::PanicMessage {
fn as_str(&self) -> Option<&str>;
}
impl crate::unnameable::Sealed_ for crate::unnameable::ExitStatusError {}
impl crate::unnameable::Sealed__ for (crate::collections::Bound<usize>, crate::collections::Bound<usize>) {}
impl crate::unnameable::Sealed__ for usize {}
impl crate::unnameable::Sealed___ for char {}
impl crate::unnameable::Sealed___ for i128 {}
impl crate::unnameable::Sealed___ for i16 {}
impl crate::unnameable::Sealed___ for i32 {}
impl crate::unnameable::Sealed___ for i64 {}
impl crate::unnameable::Sealed___ for i8 {}
impl crate::unnameable::Sealed___ for isize {}
impl crate::unnameable::Sealed___ for u128 {}
impl crate::unnameable::Sealed___ for u16 {}
impl crate::unnameable::Sealed___ for u32 {}
impl crate::unnameable::Sealed___ for u64 {}
impl crate::unnameable::Sealed___ for u8 {}
impl crate::unnameable::Sealed___ for usize {}
impl crate::unnameable::Sealed____ for usize {}
impl crate::unnameable::Sealed_____ for f32 {}
impl crate::unnameable::Sealed_____ for f64 {}
impl crate::unnameable::Step for char {}
impl crate::unnameable::Step for crate::unnameable::AsciiChar {}
impl crate::unnameable::Step for i128 {}
impl crate::unnameable::Step for i16 {}
impl crate::unnameable::Step for i32 {}
impl crate::unnameable::Step for i64 {}
impl crate::unnameable::Step for i8 {}
impl crate::unnameable::Step for isize {}
impl crate::unnameable::Step for u128 {}
impl crate::unnameable::Step for u16 {}
impl crate::unnameable::Step for u32 {}
impl crate::unnameable::Step for u64 {}
impl crate::unnameable::Step for u8 {}
impl crate::unnameable::Step for usize {}
impl crate::unnameable::ZeroablePrimitive for char {
type NonZeroInner = crate::unnameable::NonZeroCharInner;
}
impl crate::unnameable::ZeroablePrimitive for i128 {
type NonZeroInner = crate::unnameable::NonZeroI128Inner;
}
impl crate::unnameable::ZeroablePrimitive for i16 {
type NonZeroInner = crate::unnameable::NonZeroI16Inner;
}
impl crate::unnameable::ZeroablePrimitive for i32 {
type NonZeroInner = crate::unnameable::NonZeroI32Inner;
}
impl crate::unnameable::ZeroablePrimitive for i64 {
type NonZeroInner = crate::unnameable::NonZeroI64Inner;
}
impl crate::unnameable::ZeroablePrimitive for i8 {
type NonZeroInner = crate::unnameable::NonZeroI8Inner;
}
impl crate::unnameable::ZeroablePrimitive for isize {
type NonZeroInner = crate::unnameable::NonZeroIsizeInner;
}
impl crate::unnameable::ZeroablePrimitive for u128 {
type NonZeroInner = crate::unnameable::NonZeroU128Inner;
}
impl crate::unnameable::ZeroablePrimitive for u16 {
type NonZeroInner = crate::unnameable::NonZeroU16Inner;
}
impl crate::unnameable::ZeroablePrimitive for u32 {
type NonZeroInner = crate::unnameable::NonZeroU32Inner;
}
impl crate::unnameable::ZeroablePrimitive for u64 {
type NonZeroInner = crate::unnameable::NonZeroU64Inner;
}
impl crate::unnameable::ZeroablePrimitive for u8 {
type NonZeroInner = crate::unnameable::NonZeroU8Inner;
}
impl crate::unnameable::ZeroablePrimitive for usize {
type NonZeroInner = crate::unnameable::NonZeroUsizeInner;
}
impl<I: crate::slice::SliceIndex<crate::unnameable::ByteStr>> crate::ops::Index<I> for crate::unnameable::ByteStr {
type Output = I::Output;
}
impl<I: crate::slice::SliceIndex<crate::unnameable::ByteStr>> crate::ops::IndexMut<I> for crate::unnameable::ByteStr {}
impl<Ptr: crate::ops::DerefMut> crate::unnameable::PinDerefMutHelper for crate::unnameable::PinHelper<Ptr> {
type Target = Ptr::Target;
}
impl<S: crate::borrow::Borrow<crate::ffi::OsStr>> crate::unnameable::Join<&crate::ffi::OsStr> for [S] {
type Output = crate::ffi::OsString;
}
impl<S: crate::borrow::Borrow<str>> crate::unnameable::Concat<str> for [S] {
type Output = String;
}
impl<S: crate::borrow::Borrow<str>> crate::unnameable::Join<&str> for [S] {
type Output = String;
}
impl<T, const N: usize> crate::unnameable::SlicePattern for [T; 0] {
type Item = T;
}
impl<T: Clone, V: crate::borrow::Borrow<[T]>> crate::unnameable::Concat<T> for [V] {
type Output = Vec<T>;
}
impl<T: Clone, V: crate::borrow::Borrow<[T]>> crate::unnameable::Join<&T> for [V] {
type Output = Vec<T>;
}
impl<T: Clone, V: crate::borrow::Borrow<[T]>> crate::unnameable::Join<&[T]> for [V] {
type Output = Vec<T>;
}
impl<T: Clone> crate::unnameable::CloneToUninit for T {}
impl<T: Clone> crate::unnameable::CloneToUninit for [T] {}
impl<T: crate::unnameable::CloneFromCell, const N: usize> crate::unnameable::CloneFromCell for [T; 0] {}
impl<T> Clone for crate::unnameable::Unique<T> {}
impl<T> Copy for crate::unnameable::Unique<T> {}
impl<T> From<&T> for crate::unnameable::Unique<T> {}
impl<T> From<crate::ptr::NonNull<T>> for crate::unnameable::Unique<T> {}
impl<T> crate::fmt::Debug for crate::unnameable::Unique<T> {}
impl<T> crate::fmt::Pointer for crate::unnameable::Unique<T> {}
impl<T> crate::unnameable::SlicePattern for [T] {
type Item = T;
}
impl<T> crate::unnameable::Unique<T> {
fn as_mut(&mut self) -> &T;
fn as_non_null_ptr(self) -> crate::ptr::NonNull<T>;
fn as_ptr(self) -> *const T;
fn as_ref(&self) -> &T;
fn cast<U>(self) -> crate::unnameable::Unique<U>;
fn dangling() -> Self;
fn from_non_null(_: crate::ptr::NonNull<T>) -> Self;
fn new(_: *const T) -> Option<Self>;
fn new_unchecked(_: *const T) -> Self;
}
impl<const N: usize> PartialEq<&[u8; 0]> for crate::unnameable::ByteStr {}
impl<const N: usize> PartialEq<&[u8; 0]> for crate::unnameable::ByteString {}
impl<const N: usize> PartialEq<[u8; 0]> for crate::unnameable::ByteStr {}
impl<const N: usize> PartialEq<[u8; 0]> for crate::unnameable::ByteString {}
}
pub mod usize {
pub const MAX: usize = 0;
pub const MIN: usize = 0;
}
pub mod vec {
pub struct Drain<T>;
pub struct ExtractIf<T, F>;
pub struct IntoIter<T>;
#[derive(Debug)]
pub struct Splice<I: Iterator>;
pub struct Vec<T>;
pub fn from_elem<T: Clone>(_: T, _: usize) -> Vec<T>;
impl From<&str> for Vec<u8> {}
impl From<String> for Vec<u8> {}
impl From<crate::ffi::CString> for Vec<u8> {}
impl From<crate::unnameable::ByteString> for Vec<u8> {}
impl PartialEq<crate::unnameable::ByteStr> for Vec<u8> {}
impl PartialEq<crate::unnameable::ByteString> for Vec<u8> {}
impl crate::io::Write for Vec<u8> {}
impl<I: Iterator> DoubleEndedIterator for crate::vec::Splice<I> {}
impl<I: Iterator> Drop for crate::vec::Splice<I> {}
impl<I: Iterator> ExactSizeIterator for crate::vec::Splice<I> {}
impl<I: Iterator> Iterator for crate::vec::Splice<I> {
type Item = I::Item;
}
impl<T, F: FnMut<(&T,), Output = bool>> Iterator for crate::vec::ExtractIf<T, F> {
type Item = T;
}
impl<T, F> Drop for crate::vec::ExtractIf<T, F> {}
impl<T, I: crate::slice::SliceIndex<[T]>> crate::ops::Index<I> for Vec<T> {
type Output = I::Output;
}
impl<T, I: crate::slice::SliceIndex<[T]>> crate::ops::IndexMut<I> for Vec<T> {}
impl<T, const N: usize> From<[T; 0]> for Vec<T> {}
impl<T, const N: usize> Vec<[T; 0]> {
fn into_flattened(self) -> Vec<T>;
}
impl<T: Clone, const N: usize> From<&[T; 0]> for Vec<T> {}
impl<T: Clone> Clone for Vec<T> {}
impl<T: Clone> Clone for crate::vec::IntoIter<T> {}
impl<T: Clone> From<&[T]> for Vec<T> {}
impl<T: Clone> Vec<T> {
fn extend_from_slice(&mut self, _: &[T]);
fn extend_from_within<R: crate::ops::RangeBounds<usize>>(&mut self, _: R);
fn resize(&mut self, _: usize, _: T);
}
impl<T: Copy> Extend<&T> for Vec<T> {}
impl<T: Eq> Eq for Vec<T> {}
impl<T: Ord> Ord for Vec<T> {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<&[U; 0]> for Vec<T> {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; 0]> for Vec<T> {}
impl<T: PartialEq<U>, U> PartialEq<&[U]> for Vec<T> {}
impl<T: PartialEq<U>, U> PartialEq<Vec<U>> for Vec<T> {}
impl<T: PartialEq<U>, U> PartialEq<[U]> for Vec<T> {}
impl<T: PartialEq> Vec<T> {
fn dedup(&mut self);
}
impl<T: PartialOrd> PartialOrd<Vec<T>> for Vec<T> {}
impl<T: crate::fmt::Debug, F> crate::fmt::Debug for crate::vec::ExtractIf<T, F> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for Vec<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::vec::Drain<T> {}
impl<T: crate::fmt::Debug> crate::fmt::Debug for crate::vec::IntoIter<T> {}
impl<T: crate::hash::Hash> crate::hash::Hash for Vec<T> {}
impl<T> AsMut<Vec<T>> for Vec<T> {}
impl<T> AsMut<[T]> for Vec<T> {}
impl<T> AsRef<Vec<T>> for Vec<T> {}
impl<T> AsRef<[T]> for Vec<T> {}
impl<T> AsRef<[T]> for crate::vec::Drain<T> {}
impl<T> AsRef<[T]> for crate::vec::IntoIter<T> {}
impl<T> Default for Vec<T> {}
impl<T> Default for crate::vec::IntoIter<T> {}
impl<T> DoubleEndedIterator for crate::vec::Drain<T> {}
impl<T> DoubleEndedIterator for crate::vec::IntoIter<T> {}
impl<T> Drop for Vec<T> {}
impl<T> Drop for crate::vec::Drain<T> {}
impl<T> Drop for crate::vec::IntoIter<T> {}
impl<T> ExactSizeIterator for crate::vec::Drain<T> {}
impl<T> ExactSizeIterator for crate::vec::IntoIter<T> {}
impl<T> Extend<T> for Vec<T> {}
impl<T> From<Box<[T]>> for Vec<T> {}
impl<T> From<crate::borrow::Cow<[T]>> for Vec<T> where [T]: ToOwned<Owned = Vec<T>> {}
impl<T> From<crate::collections::BinaryHeap<T>> for Vec<T> {}
impl<T> From<crate::collections::VecDeque<T>> for Vec<T> {}
impl<T> IntoIterator for Vec<T> {
type IntoIter = crate::vec::IntoIter<T>;
type Item = T;
}
impl<T> Iterator for crate::vec::Drain<T> {
type Item = T;
}
impl<T> Iterator for crate::vec::IntoIter<T> {
type Item = T;
}
impl<T> Vec<T> {
fn append(&mut self, _: &Self);
fn as_mut_ptr(&mut self) -> *const T;
fn as_mut_slice(&mut self) -> &[T];
fn as_ptr(&self) -> *const T;
fn as_slice(&self) -> &[T];
fn capacity(&self) -> usize;
fn clear(&mut self);
fn dedup_by<F: FnMut<(&T, &T), Output = bool>>(&mut self, _: F);
fn dedup_by_key<F: FnMut<(&T,), Output = K>, K: PartialEq>(&mut self, _: F);
fn drain<R: crate::ops::RangeBounds<usize>>(&mut self, _: R) -> crate::vec::Drain<T>;
fn extract_if<F: FnMut<(&T,), Output = bool>, R: crate::ops::RangeBounds<usize>>(&mut self, _: R, _: F) -> crate::vec::ExtractIf<T, F>;
fn from_raw_parts(_: *const T, _: usize, _: usize) -> Self;
fn insert(&mut self, _: usize, _: T);
fn insert_mut(&mut self, _: usize, _: T) -> &T;
fn into_boxed_slice(self) -> Box<[T]>;
fn into_raw_parts(self) -> (*const T, usize, usize);
fn is_empty(&self) -> bool;
fn leak(self) -> &[T];
fn len(&self) -> usize;
fn new() -> Self;
fn pop(&mut self) -> Option<T>;
fn pop_if(&mut self, _: impl FnOnce<(&T,), Output = bool>) -> Option<T>;
fn push(&mut self, _: T);
fn push_mut(&mut self, _: T) -> &T;
fn remove(&mut self, _: usize) -> T;
fn reserve(&mut self, _: usize);
fn reserve_exact(&mut self, _: usize);
fn resize_with<F: FnMut<(), Output = T>>(&mut self, _: usize, _: F);
fn retain<F: FnMut<(&T,), Output = bool>>(&mut self, _: F);
fn retain_mut<F: FnMut<(&T,), Output = bool>>(&mut self, _: F);
fn set_len(&mut self, _: usize);
fn shrink_to(&mut self, _: usize);
fn shrink_to_fit(&mut self);
fn spare_capacity_mut(&mut self) -> &[crate::mem::MaybeUninit<T>];
fn splice<R: crate::ops::RangeBounds<usize>, I: IntoIterator<Item = T>>(&mut self, _: R, _: I) -> crate::vec::Splice<I::IntoIter>;
fn split_off(&mut self, _: usize) -> Self where A: Clone;
fn swap_remove(&mut self, _: usize) -> T;
fn truncate(&mut self, _: usize);
fn try_reserve(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn try_reserve_exact(&mut self, _: usize) -> crate::result::Result<(), crate::collections::TryReserveError>;
fn with_capacity(_: usize) -> Self;
}
impl<T> crate::borrow::Borrow<[T]> for Vec<T> {}
impl<T> crate::borrow::BorrowMut<[T]> for Vec<T> {}
impl<T> crate::iter::FromIterator<T> for Vec<T> {}
impl<T> crate::ops::Deref for Vec<T> {
type Target = [T];
}
impl<T> crate::ops::DerefMut for Vec<T> {}
impl<T> crate::vec::Drain<T> {
fn as_slice(&self) -> &[T];
}
impl<T> crate::vec::IntoIter<T> {
fn as_mut_slice(&mut self) -> &[T];
fn as_slice(&self) -> &[T];
}
}
