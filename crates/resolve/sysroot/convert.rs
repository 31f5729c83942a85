// `std::convert`: signatures in our own words and order; read, never compiled.

pub trait From<T>: Sized { fn from(value: T) -> Self; }
pub trait Into<T>: Sized { fn into(self) -> T; }
pub trait TryFrom<T>: Sized {
    type Error;
    fn try_from(value: T) -> Result<Self, Self::Error>;
}
pub trait TryInto<T>: Sized {
    type Error;
    fn try_into(self) -> Result<T, Self::Error>;
}
pub trait AsRef<T> { fn as_ref(&self) -> &T; }
pub trait AsMut<T> { fn as_mut(&mut self) -> &mut T; }
impl<T, U> Into<U> for T where U: From<T> { fn into(self) -> U; }
impl<T> From<T> for T { fn from(value: T) -> T; }
impl<T, U> TryInto<U> for T where U: TryFrom<T> {
    type Error = U::Error;
    fn try_into(self) -> Result<U, U::Error>;
}
impl<T: AsRef<U>, U> AsRef<U> for &T { fn as_ref(&self) -> &U; }
impl<T: AsMut<U>, U> AsMut<U> for &mut T { fn as_mut(&mut self) -> &mut U; }
impl AsRef<str> for str { fn as_ref(&self) -> &str; }
impl AsRef<[u8]> for str { fn as_ref(&self) -> &[u8]; }
impl<T> AsRef<[T]> for [T] { fn as_ref(&self) -> &[T]; }
impl<T> AsMut<[T]> for [T] { fn as_mut(&mut self) -> &mut [T]; }
impl<T, const N: usize> AsRef<[T]> for [T; N] { fn as_ref(&self) -> &[T]; }
impl From<u8> for char {}
impl From<u8> for u32 {}
impl From<u8> for u64 {}
impl From<u8> for usize {}
impl From<u16> for u32 {}
impl From<u16> for usize {}
impl From<u16> for u64 {}
impl From<u32> for u64 {}
impl From<u32> for f64 {}
impl From<i32> for i64 {}
impl From<i32> for f64 {}
impl From<char> for u32 {}
impl From<bool> for u8 {}
impl From<bool> for usize {}
impl TryFrom<u32> for char { type Error = crate::char::CharTryFromError; }
impl TryFrom<usize> for u32 { type Error = crate::num::TryFromIntError; }
impl TryFrom<usize> for u16 { type Error = crate::num::TryFromIntError; }
impl TryFrom<usize> for u8 { type Error = crate::num::TryFromIntError; }
impl TryFrom<usize> for i32 { type Error = crate::num::TryFromIntError; }
impl TryFrom<u64> for usize { type Error = crate::num::TryFromIntError; }
impl TryFrom<u64> for u32 { type Error = crate::num::TryFromIntError; }
impl TryFrom<u128> for u64 { type Error = crate::num::TryFromIntError; }
impl TryFrom<i64> for usize { type Error = crate::num::TryFromIntError; }
impl TryFrom<i32> for u32 { type Error = crate::num::TryFromIntError; }
impl<T, const N: usize> TryFrom<&[T]> for [T; N] { type Error = crate::array::TryFromSliceError; }
pub enum Infallible {}
pub fn identity<T>(x: T) -> T;
