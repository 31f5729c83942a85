//! [`SortedSet`].

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::Peekable;
use std::marker::PhantomData;
use std::ops::RangeBounds;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::blocks::{Blocks, IntoIter, Iter, Place};

/// A set in the order of its elements; it does what `BTreeSet` does.
#[derive(Clone)]
pub struct SortedSet<T> {
    elements: Blocks<T>,
}

impl<T> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        Self { elements: Blocks::new() }
    }

    /// Number of elements.
    pub const fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is no element.
    pub const fn is_empty(&self) -> bool {
        self.elements.len() == 0
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.elements = Blocks::new();
    }

    /// The elements, in order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.elements.iter()
    }

    /// The least element.
    pub fn first(&self) -> Option<&T> {
        self.elements.first()
    }

    /// The greatest element.
    pub fn last(&self) -> Option<&T> {
        self.elements.last()
    }

    /// Removes the least element.
    pub fn pop_first(&mut self) -> Option<T> {
        self.elements.pop_first()
    }

    /// Removes the elements for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.elements.retain(&mut |element| keep(element));
    }
}

impl<T: Ord> SortedSet<T> {
    fn search<Q: Ord + ?Sized>(&self, element: &Q) -> Result<Place, Place>
    where
        T: Borrow<Q>,
    {
        self.elements.search(&|it| it.borrow().cmp(element))
    }

    /// Whether the element is here.
    pub fn contains<Q: Ord + ?Sized>(&self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.search(element).is_ok()
    }

    /// The element of the set that is equal.
    pub fn get<Q: Ord + ?Sized>(&self, element: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        self.elements.get(self.search(element).ok()?)
    }

    /// Inserts an element; whether it was not here.
    pub fn insert(&mut self, element: T) -> bool {
        let place = self.search(&element);
        if let Err(place) = place {
            self.elements.insert(place, element);
        }
        place.is_err()
    }

    /// Removes an element; whether it was here.
    pub fn remove<Q: Ord + ?Sized>(&mut self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.take(element).is_some()
    }

    /// Removes an element and returns it.
    pub fn take<Q: Ord + ?Sized>(&mut self, element: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        let place = self.search(element).ok()?;
        self.elements.remove(place)
    }

    /// Moves all elements of another set here.
    pub fn append(&mut self, other: &mut Self) {
        self.extend(std::mem::take(other));
    }

    /// The elements within bounds, in order.
    pub fn range<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, bounds: R) -> Iter<'_, T>
    where
        T: Borrow<Q>,
    {
        self.elements.range(bounds, |element| element.borrow())
    }

    /// The elements of this set or of another, in order.
    pub fn union<'a>(&'a self, other: &'a Self) -> Union<'a, T> {
        Union { one: self.iter().peekable(), other: other.iter().peekable() }
    }

    /// The elements of this set that are in another one too.
    pub fn intersection<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|element| other.contains(element))
    }

    /// The elements of this set that are not in another one.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|element| !other.contains(element))
    }

    /// The elements that are in one of two sets only, in order.
    pub fn symmetric_difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.union(other).filter(|element| self.contains(element) != other.contains(element))
    }

    /// Whether all elements are in another set.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|element| other.contains(element))
    }

    /// Whether no element is in another set.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.iter().any(|element| other.contains(element))
    }
}

/// The elements of two sets, in order, each once.
#[derive(Clone)]
pub struct Union<'a, T> {
    one: Peekable<Iter<'a, T>>,
    other: Peekable<Iter<'a, T>>,
}

impl<'a, T: Ord> Iterator for Union<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let order = match (self.one.peek(), self.other.peek()) {
            (Some(one), Some(other)) => one.cmp(other),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let one = if order.is_le() { self.one.next() } else { None };
        let other = if order.is_ge() { self.other.next() } else { None };
        one.or(other)
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: PartialEq> PartialEq for SortedSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for SortedSet<T> {}

impl<T: PartialOrd> PartialOrd for SortedSet<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<T: Ord> Ord for SortedSet<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<T: Hash> Hash for SortedSet<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|element| element.hash(state));
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<'a, T: Ord + Copy> Extend<&'a T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(*element);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut set = Self::new();
        set.extend(elements);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(elements: [T; N]) -> Self {
        elements.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_elements()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Serialize> Serialize for SortedSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for SortedSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(OfSet(PhantomData))
    }
}

/// Reads a set element by element.
struct OfSet<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Ord> Visitor<'de> for OfSet<T> {
    type Value = SortedSet<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut set = SortedSet::new();
        while let Some(element) = access.next_element()? {
            set.insert(element);
        }
        Ok(set)
    }
}
