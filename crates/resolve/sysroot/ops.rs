// `std::ops`: signatures in our own words and order; read, never compiled.

pub trait Deref { type Target; fn deref(&self) -> &Self::Target; }
pub trait DerefMut: Deref { fn deref_mut(&mut self) -> &mut Self::Target; }
impl<T> Deref for &T { type Target = T; fn deref(&self) -> &T; }
impl<T> DerefMut for &mut T { fn deref_mut(&mut self) -> &mut T; }
pub trait Drop { fn drop(&mut self); }
pub trait Index<Idx> { type Output; fn index(&self, index: Idx) -> &Self::Output; }
pub trait IndexMut<Idx>: Index<Idx> { fn index_mut(&mut self, index: Idx) -> &mut Self::Output; }
pub trait FnOnce<Args> { type Output; }
pub trait FnMut<Args>: FnOnce<Args> {}
pub trait Fn<Args>: FnMut<Args> {}
pub trait AsyncFnOnce<Args> { type Output; }
pub trait AsyncFnMut<Args>: AsyncFnOnce<Args> {}
pub trait AsyncFn<Args>: AsyncFnMut<Args> {}
pub trait Neg { type Output; fn neg(self) -> Self::Output; }
pub trait Not { type Output; fn not(self) -> Self::Output; }
pub trait Add<Rhs = Self> { type Output; fn add(self, rhs: Rhs) -> Self::Output; }
pub trait Sub<Rhs = Self> { type Output; fn sub(self, rhs: Rhs) -> Self::Output; }
pub trait Mul<Rhs = Self> { type Output; fn mul(self, rhs: Rhs) -> Self::Output; }
pub trait Div<Rhs = Self> { type Output; fn div(self, rhs: Rhs) -> Self::Output; }
pub trait Rem<Rhs = Self> { type Output; fn rem(self, rhs: Rhs) -> Self::Output; }
pub trait BitAnd<Rhs = Self> { type Output; fn bitand(self, rhs: Rhs) -> Self::Output; }
pub trait BitOr<Rhs = Self> { type Output; fn bitor(self, rhs: Rhs) -> Self::Output; }
pub trait BitXor<Rhs = Self> { type Output; fn bitxor(self, rhs: Rhs) -> Self::Output; }
pub trait Shl<Rhs = Self> { type Output; fn shl(self, rhs: Rhs) -> Self::Output; }
pub trait Shr<Rhs = Self> { type Output; fn shr(self, rhs: Rhs) -> Self::Output; }
pub trait AddAssign<Rhs = Self> { fn add_assign(&mut self, rhs: Rhs); }
pub trait SubAssign<Rhs = Self> { fn sub_assign(&mut self, rhs: Rhs); }
pub trait MulAssign<Rhs = Self> { fn mul_assign(&mut self, rhs: Rhs); }
pub trait DivAssign<Rhs = Self> { fn div_assign(&mut self, rhs: Rhs); }
pub trait RemAssign<Rhs = Self> { fn rem_assign(&mut self, rhs: Rhs); }
pub trait BitAndAssign<Rhs = Self> { fn bitand_assign(&mut self, rhs: Rhs); }
pub trait BitOrAssign<Rhs = Self> { fn bitor_assign(&mut self, rhs: Rhs); }
pub trait BitXorAssign<Rhs = Self> { fn bitxor_assign(&mut self, rhs: Rhs); }
pub trait ShlAssign<Rhs = Self> { fn shl_assign(&mut self, rhs: Rhs); }
pub trait ShrAssign<Rhs = Self> { fn shr_assign(&mut self, rhs: Rhs); }
pub trait RangeBounds<T> {
    fn start_bound(&self) -> Bound<&T>;
    fn end_bound(&self) -> Bound<&T>;
    fn contains<U>(&self, item: &U) -> bool;
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound<T> { Included(T), Excluded(T), Unbounded }
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range<Idx> { pub start: Idx, pub end: Idx }
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RangeFrom<Idx> { pub start: Idx }
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RangeTo<Idx> { pub end: Idx }
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RangeFull;
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RangeInclusive<Idx>;
impl<Idx> RangeInclusive<Idx> {
    fn new(start: Idx, end: Idx) -> Self;
    fn start(&self) -> &Idx;
    fn end(&self) -> &Idx;
    fn contains<U>(&self, item: &U) -> bool;
    fn is_empty(&self) -> bool;
    fn into_inner(self) -> (Idx, Idx);
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RangeToInclusive<Idx> { pub end: Idx }
impl<Idx> Range<Idx> {
    fn contains<U>(&self, item: &U) -> bool;
    fn is_empty(&self) -> bool;
    // An inclusive range is read as one of these.
    fn into_inner(self) -> (Idx, Idx);
    fn start(&self) -> &Idx;
    fn end(&self) -> &Idx;
}
impl<Idx> RangeFrom<Idx> { fn contains<U>(&self, item: &U) -> bool; }
impl<Idx> RangeTo<Idx> { fn contains<U>(&self, item: &U) -> bool; }
impl<T> RangeBounds<T> for Range<T> {}
impl<T> RangeBounds<T> for RangeFrom<T> {}
impl<T> RangeBounds<T> for RangeTo<T> {}
impl<T> RangeBounds<T> for RangeInclusive<T> {}
impl<T> RangeBounds<T> for RangeFull {}
impl<A> Iterator for Range<A> { type Item = A; }
impl<A> DoubleEndedIterator for Range<A> {}
impl<A> ExactSizeIterator for Range<A> {}
impl<A> Iterator for RangeFrom<A> { type Item = A; }
impl<A> Iterator for RangeInclusive<A> { type Item = A; }
impl<A> DoubleEndedIterator for RangeInclusive<A> {}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFlow<B, C = ()> { Continue(C), Break(B) }
impl<B, C> ControlFlow<B, C> {
    fn is_break(&self) -> bool;
    fn is_continue(&self) -> bool;
    fn break_value(self) -> Option<B>;
}
pub trait Try { type Output; type Residual; }
impl<T> Try for Option<T> { type Output = T; type Residual = Option<crate::convert::Infallible>; }
impl<T, E> Try for Result<T, E> { type Output = T; type Residual = Result<crate::convert::Infallible, E>; }
impl<B, C> Try for ControlFlow<B, C> { type Output = C; type Residual = ControlFlow<B, crate::convert::Infallible>; }
