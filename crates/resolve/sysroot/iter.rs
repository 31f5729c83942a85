// `std::iter`: signatures in our own words and order; read, never compiled.

pub trait Iterator {
    type Item;
    fn next(&mut self) -> Option<Self::Item>;
    fn size_hint(&self) -> (usize, Option<usize>);
    fn count(self) -> usize;
    fn last(self) -> Option<Self::Item>;
    fn nth(&mut self, n: usize) -> Option<Self::Item>;
    fn step_by(self, step: usize) -> StepBy<Self>;
    fn chain<U: IntoIterator<Item = Self::Item>>(self, other: U) -> Chain<Self, U::IntoIter>;
    fn zip<U: IntoIterator>(self, other: U) -> Zip<Self, U::IntoIter>;
    fn map<B, F: FnMut(Self::Item) -> B>(self, f: F) -> Map<Self, F>;
    fn for_each<F: FnMut(Self::Item)>(self, f: F);
    fn filter<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Filter<Self, P>;
    fn filter_map<B, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> FilterMap<Self, F>;
    fn enumerate(self) -> Enumerate<Self>;
    fn peekable(self) -> Peekable<Self>;
    fn skip_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> SkipWhile<Self, P>;
    fn take_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> TakeWhile<Self, P>;
    fn map_while<B, P: FnMut(Self::Item) -> Option<B>>(self, predicate: P) -> MapWhile<Self, P>;
    fn skip(self, n: usize) -> Skip<Self>;
    fn take(self, n: usize) -> Take<Self>;
    fn scan<St, B, F: FnMut(&mut St, Self::Item) -> Option<B>>(self, initial_state: St, f: F) -> Scan<Self, St, F>;
    fn flat_map<U: IntoIterator, F: FnMut(Self::Item) -> U>(self, f: F) -> FlatMap<Self, U, F>;
    fn flatten(self) -> Flatten<Self> where Self::Item: IntoIterator;
    fn fuse(self) -> Fuse<Self>;
    fn inspect<F: FnMut(&Self::Item)>(self, f: F) -> Inspect<Self, F>;
    fn by_ref(&mut self) -> &mut Self;
    fn collect<B: FromIterator<Self::Item>>(self) -> B;
    fn partition<B, F: FnMut(&Self::Item) -> bool>(self, f: F) -> (B, B) where B: Default + Extend<Self::Item>;
    fn try_fold<B, F: FnMut(B, Self::Item) -> R, R: crate::ops::Try<Output = B>>(&mut self, init: B, f: F) -> R;
    fn try_for_each<F: FnMut(Self::Item) -> R, R>(&mut self, f: F) -> R;
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B;
    fn reduce<F: FnMut(Self::Item, Self::Item) -> Self::Item>(self, f: F) -> Option<Self::Item>;
    fn all<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool;
    fn any<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool;
    fn find<P: FnMut(&Self::Item) -> bool>(&mut self, predicate: P) -> Option<Self::Item>;
    fn find_map<B, F: FnMut(Self::Item) -> Option<B>>(&mut self, f: F) -> Option<B>;
    fn position<P: FnMut(Self::Item) -> bool>(&mut self, predicate: P) -> Option<usize>;
    fn rposition<P: FnMut(Self::Item) -> bool>(&mut self, predicate: P) -> Option<usize>;
    fn max(self) -> Option<Self::Item>;
    fn min(self) -> Option<Self::Item>;
    fn max_by_key<B: Ord, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>;
    fn max_by<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(self, compare: F) -> Option<Self::Item>;
    fn min_by_key<B: Ord, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>;
    fn min_by<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(self, compare: F) -> Option<Self::Item>;
    fn rev(self) -> Rev<Self>;
    fn unzip<A, B, FromA: Default + Extend<A>, FromB: Default + Extend<B>>(self) -> (FromA, FromB) where Self: Iterator<Item = (A, B)>;
    fn copied<'a, T>(self) -> Copied<Self> where Self: Iterator<Item = &'a T>;
    fn cloned<'a, T>(self) -> Cloned<Self> where Self: Iterator<Item = &'a T>;
    fn cycle(self) -> Cycle<Self>;
    fn sum<S: Sum<Self::Item>>(self) -> S;
    fn product<P: Product<Self::Item>>(self) -> P;
    fn cmp<I: IntoIterator<Item = Self::Item>>(self, other: I) -> Ordering;
    fn partial_cmp<I: IntoIterator>(self, other: I) -> Option<Ordering>;
    fn eq<I: IntoIterator>(self, other: I) -> bool;
    fn ne<I: IntoIterator>(self, other: I) -> bool;
    fn lt<I: IntoIterator>(self, other: I) -> bool;
    fn is_sorted(self) -> bool;
}
pub trait DoubleEndedIterator: Iterator {
    fn next_back(&mut self) -> Option<Self::Item>;
    fn nth_back(&mut self, n: usize) -> Option<Self::Item>;
    fn rfold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B;
    fn rfind<P: FnMut(&Self::Item) -> bool>(&mut self, predicate: P) -> Option<Self::Item>;
}
pub trait ExactSizeIterator: Iterator { fn len(&self) -> usize; }
pub trait FusedIterator: Iterator {}
pub trait IntoIterator {
    type Item;
    type IntoIter: Iterator<Item = Self::Item>;
    fn into_iter(self) -> Self::IntoIter;
}
impl<I: Iterator> IntoIterator for I { type Item = I::Item; type IntoIter = I; fn into_iter(self) -> I; }
pub trait FromIterator<A>: Sized { fn from_iter<T: IntoIterator<Item = A>>(iter: T) -> Self; }
impl FromIterator<()> for () {}
pub trait Extend<A> { fn extend<T: IntoIterator<Item = A>>(&mut self, iter: T); }
pub trait Sum<A = Self>: Sized { fn sum<I: Iterator<Item = A>>(iter: I) -> Self; }
pub trait Product<A = Self>: Sized { fn product<I: Iterator<Item = A>>(iter: I) -> Self; }
impl<I: Iterator> Iterator for &mut I { type Item = I::Item; }
impl<I: DoubleEndedIterator> DoubleEndedIterator for &mut I {}
impl<I: ExactSizeIterator> ExactSizeIterator for &mut I {}
#[derive(Clone, Debug)]
pub struct StepBy<I>;
impl<I: Iterator> Iterator for StepBy<I> { type Item = I::Item; }
#[derive(Clone, Debug)]
pub struct Chain<A, B>;
impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Chain<A, B> { type Item = A::Item; }
impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Chain<A, B> {}
#[derive(Clone, Debug)]
pub struct Zip<A, B>;
impl<A: Iterator, B: Iterator> Iterator for Zip<A, B> { type Item = (A::Item, B::Item); }
impl<A: DoubleEndedIterator, B: DoubleEndedIterator> DoubleEndedIterator for Zip<A, B> {}
#[derive(Clone)]
pub struct Map<I, F>;
impl<B, I: Iterator, F: FnMut(I::Item) -> B> Iterator for Map<I, F> { type Item = B; }
impl<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> B> DoubleEndedIterator for Map<I, F> {}
impl<B, I: ExactSizeIterator, F: FnMut(I::Item) -> B> ExactSizeIterator for Map<I, F> {}
#[derive(Clone)]
pub struct Filter<I, P>;
impl<I: Iterator, P> Iterator for Filter<I, P> { type Item = I::Item; }
impl<I: DoubleEndedIterator, P> DoubleEndedIterator for Filter<I, P> {}
#[derive(Clone)]
pub struct FilterMap<I, F>;
impl<B, I: Iterator, F: FnMut(I::Item) -> Option<B>> Iterator for FilterMap<I, F> { type Item = B; }
impl<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> Option<B>> DoubleEndedIterator for FilterMap<I, F> {}
#[derive(Clone, Debug)]
pub struct Enumerate<I>;
impl<I: Iterator> Iterator for Enumerate<I> { type Item = (usize, I::Item); }
impl<I: DoubleEndedIterator> DoubleEndedIterator for Enumerate<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for Enumerate<I> {}
#[derive(Clone, Debug)]
pub struct Peekable<I>;
impl<I: Iterator> Iterator for Peekable<I> { type Item = I::Item; }
impl<I: DoubleEndedIterator> DoubleEndedIterator for Peekable<I> {}
impl<I: Iterator> Peekable<I> {
    fn peek(&mut self) -> Option<&I::Item>;
    fn peek_mut(&mut self) -> Option<&mut I::Item>;
    fn next_if<F: FnOnce(&I::Item) -> bool>(&mut self, func: F) -> Option<I::Item>;
    fn next_if_eq<T>(&mut self, expected: &T) -> Option<I::Item>;
}
#[derive(Clone)]
pub struct SkipWhile<I, P>;
impl<I: Iterator, P> Iterator for SkipWhile<I, P> { type Item = I::Item; }
#[derive(Clone)]
pub struct TakeWhile<I, P>;
impl<I: Iterator, P> Iterator for TakeWhile<I, P> { type Item = I::Item; }
#[derive(Clone)]
pub struct MapWhile<I, P>;
impl<B, I: Iterator, P: FnMut(I::Item) -> Option<B>> Iterator for MapWhile<I, P> { type Item = B; }
#[derive(Clone, Debug)]
pub struct Skip<I>;
impl<I: Iterator> Iterator for Skip<I> { type Item = I::Item; }
impl<I: DoubleEndedIterator> DoubleEndedIterator for Skip<I> {}
#[derive(Clone, Debug)]
pub struct Take<I>;
impl<I: Iterator> Iterator for Take<I> { type Item = I::Item; }
impl<I: DoubleEndedIterator> DoubleEndedIterator for Take<I> {}
impl<I> Take<I> { fn get_ref(&self) -> &I; }
#[derive(Clone)]
pub struct Scan<I, St, F>;
impl<B, I: Iterator, St, F: FnMut(&mut St, I::Item) -> Option<B>> Iterator for Scan<I, St, F> { type Item = B; }
#[derive(Clone)]
pub struct FlatMap<I, U, F>;
impl<I: Iterator, U: IntoIterator, F: FnMut(I::Item) -> U> Iterator for FlatMap<I, U, F> { type Item = U::Item; }
#[derive(Clone, Debug)]
pub struct Flatten<I>;
impl<I: Iterator> Iterator for Flatten<I> where I::Item: IntoIterator { type Item = <<I as Iterator>::Item as IntoIterator>::Item; }
#[derive(Clone, Debug)]
pub struct Fuse<I>;
impl<I: Iterator> Iterator for Fuse<I> { type Item = I::Item; }
#[derive(Clone)]
pub struct Inspect<I, F>;
impl<I: Iterator, F> Iterator for Inspect<I, F> { type Item = I::Item; }
#[derive(Clone, Debug)]
pub struct Rev<I>;
impl<I: DoubleEndedIterator> Iterator for Rev<I> { type Item = I::Item; }
impl<I: DoubleEndedIterator> DoubleEndedIterator for Rev<I> {}
impl<I: ExactSizeIterator> ExactSizeIterator for Rev<I> {}
#[derive(Clone, Debug)]
pub struct Copied<I>;
impl<'a, T: 'a, I: Iterator<Item = &'a T>> Iterator for Copied<I> { type Item = T; }
impl<'a, T: 'a, I: DoubleEndedIterator<Item = &'a T>> DoubleEndedIterator for Copied<I> {}
impl<'a, T: 'a, I: ExactSizeIterator<Item = &'a T>> ExactSizeIterator for Copied<I> {}
#[derive(Clone, Debug)]
pub struct Cloned<I>;
impl<'a, T: 'a, I: Iterator<Item = &'a T>> Iterator for Cloned<I> { type Item = T; }
impl<'a, T: 'a, I: DoubleEndedIterator<Item = &'a T>> DoubleEndedIterator for Cloned<I> {}
impl<'a, T: 'a, I: ExactSizeIterator<Item = &'a T>> ExactSizeIterator for Cloned<I> {}
#[derive(Clone, Debug)]
pub struct Cycle<I>;
impl<I: Iterator> Iterator for Cycle<I> { type Item = I::Item; }
#[derive(Clone, Debug)]
pub struct Empty<T>;
impl<T> Iterator for Empty<T> { type Item = T; }
pub fn empty<T>() -> Empty<T>;
#[derive(Clone, Debug)]
pub struct Once<T>;
impl<T> Iterator for Once<T> { type Item = T; }
impl<T> DoubleEndedIterator for Once<T> {}
pub fn once<T>(value: T) -> Once<T>;
pub struct OnceWith<F>;
impl<A, F: FnOnce() -> A> Iterator for OnceWith<F> { type Item = A; }
pub fn once_with<A, F: FnOnce() -> A>(make: F) -> OnceWith<F>;
#[derive(Clone, Debug)]
pub struct Repeat<T>;
impl<T> Iterator for Repeat<T> { type Item = T; }
pub fn repeat<T>(elt: T) -> Repeat<T>;
pub fn repeat_n<T>(elt: T, count: usize) -> Take<Repeat<T>>;
pub struct RepeatWith<F>;
impl<A, F: FnMut() -> A> Iterator for RepeatWith<F> { type Item = A; }
pub fn repeat_with<A, F: FnMut() -> A>(repeater: F) -> RepeatWith<F>;
pub struct FromFn<F>;
impl<T, F: FnMut() -> Option<T>> Iterator for FromFn<F> { type Item = T; }
pub fn from_fn<T, F: FnMut() -> Option<T>>(f: F) -> FromFn<F>;
pub struct Successors<T, F>;
impl<T, F: FnMut(&T) -> Option<T>> Iterator for Successors<T, F> { type Item = T; }
pub fn successors<T, F: FnMut(&T) -> Option<T>>(first: Option<T>, succ: F) -> Successors<T, F>;
pub fn zip<A: IntoIterator, B: IntoIterator>(a: A, b: B) -> Zip<A::IntoIter, B::IntoIter>;
use crate::cmp::Ordering;
