// `std::cmp`: signatures in our own words and order; read, never compiled.

pub trait PartialEq<Rhs = Self> {
    fn eq(&self, other: &Rhs) -> bool;
    fn ne(&self, other: &Rhs) -> bool;
}
pub trait Eq: PartialEq {}
pub trait PartialOrd<Rhs = Self>: PartialEq<Rhs> {
    fn partial_cmp(&self, other: &Rhs) -> Option<Ordering>;
    fn lt(&self, other: &Rhs) -> bool;
    fn le(&self, other: &Rhs) -> bool;
    fn gt(&self, other: &Rhs) -> bool;
    fn ge(&self, other: &Rhs) -> bool;
}
pub trait Ord: Eq + PartialOrd {
    fn cmp(&self, other: &Self) -> Ordering;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn clamp(self, min: Self, max: Self) -> Self;
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ordering { Less, Equal, Greater }
impl Ordering {
    fn is_eq(self) -> bool;
    fn is_ne(self) -> bool;
    fn is_lt(self) -> bool;
    fn is_gt(self) -> bool;
    fn is_le(self) -> bool;
    fn is_ge(self) -> bool;
    fn reverse(self) -> Ordering;
    fn then(self, other: Ordering) -> Ordering;
    fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering;
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reverse<T>(pub T);
impl<T: PartialOrd> PartialOrd for Reverse<T> {}
impl<T: Ord> Ord for Reverse<T> {}
pub fn max<T: Ord>(a: T, b: T) -> T;
pub fn min<T: Ord>(a: T, b: T) -> T;
impl<A: PartialEq<B>, B> PartialEq<&B> for &A {}
impl<A: Eq> Eq for &A {}
impl<A: PartialOrd<B>, B> PartialOrd<&B> for &A {}
impl<A: Ord> Ord for &A {}
impl PartialEq for str {}
impl Eq for str {}
impl PartialOrd for str {}
impl Ord for str {}
impl<T: PartialEq<U>, U> PartialEq<[U]> for [T] {}
impl<T: Eq> Eq for [T] {}
impl<T: PartialOrd> PartialOrd for [T] {}
impl<T: Ord> Ord for [T] {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for [T] {}
impl PartialEq for bool {} impl Eq for bool {} impl PartialOrd for bool {} impl Ord for bool {}
impl PartialEq for char {} impl Eq for char {} impl PartialOrd for char {} impl Ord for char {}
impl PartialEq for u8 {} impl Eq for u8 {} impl PartialOrd for u8 {} impl Ord for u8 {}
impl PartialEq for u16 {} impl Eq for u16 {} impl PartialOrd for u16 {} impl Ord for u16 {}
impl PartialEq for u32 {} impl Eq for u32 {} impl PartialOrd for u32 {} impl Ord for u32 {}
impl PartialEq for u64 {} impl Eq for u64 {} impl PartialOrd for u64 {} impl Ord for u64 {}
impl PartialEq for u128 {} impl Eq for u128 {} impl PartialOrd for u128 {} impl Ord for u128 {}
impl PartialEq for usize {} impl Eq for usize {} impl PartialOrd for usize {} impl Ord for usize {}
impl PartialEq for i8 {} impl Eq for i8 {} impl PartialOrd for i8 {} impl Ord for i8 {}
impl PartialEq for i16 {} impl Eq for i16 {} impl PartialOrd for i16 {} impl Ord for i16 {}
impl PartialEq for i32 {} impl Eq for i32 {} impl PartialOrd for i32 {} impl Ord for i32 {}
impl PartialEq for i64 {} impl Eq for i64 {} impl PartialOrd for i64 {} impl Ord for i64 {}
impl PartialEq for i128 {} impl Eq for i128 {} impl PartialOrd for i128 {} impl Ord for i128 {}
impl PartialEq for isize {} impl Eq for isize {} impl PartialOrd for isize {} impl Ord for isize {}
impl PartialEq for f32 {} impl PartialOrd for f32 {}
impl PartialEq for f64 {} impl PartialOrd for f64 {}
