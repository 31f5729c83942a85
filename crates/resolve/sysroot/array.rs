// `std::array`: signatures in our own words and order; read, never compiled.

#[derive(Clone, Copy, Debug)]
pub struct TryFromSliceError;
pub struct IntoIter<T>;
impl<T> Iterator for IntoIter<T> { type Item = T; }
impl<T> DoubleEndedIterator for IntoIter<T> {}
impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T, const N: usize> IntoIterator for [T; N] { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; }
impl<T, const N: usize> IntoIterator for &[T; N] { type Item = &T; type IntoIter = crate::slice::Iter<T>; fn into_iter(self) -> crate::slice::Iter<T>; }
impl<T, const N: usize> [T; N] {
    fn map<F: FnMut(T) -> U, U>(self, f: F) -> [U; N];
    fn as_slice(&self) -> &[T];
    fn as_mut_slice(&mut self) -> &mut [T];
    fn each_ref(&self) -> [&T; N];
}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for [T; N] {}
impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U]> for [T; N] {}
pub fn from_fn<T, const N: usize, F: FnMut(usize) -> T>(f: F) -> [T; N];
pub fn from_ref<T>(s: &T) -> &[T; 1];
