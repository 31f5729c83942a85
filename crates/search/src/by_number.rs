//! Values by number, kept in the order of their coming: what a query gathers about a few hundred
//! documents and asks for again and again.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from numbers whose order is that of insertion.
#[derive(Clone, Debug)]
pub(crate) struct ByNumber<T> {
    places: HashMap<u32, u32, BuildHasherDefault<NumberHasher>>,
    entries: Vec<(u32, T)>,
}

impl<T> Default for ByNumber<T> {
    fn default() -> Self {
        Self { places: HashMap::default(), entries: Vec::new() }
    }
}

impl<T> ByNumber<T> {
    /// With room for so many.
    pub(crate) fn with_capacity(most: usize) -> Self {
        let places = HashMap::with_capacity_and_hasher(most, BuildHasherDefault::default());
        Self { places, entries: Vec::with_capacity(most) }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        if self.entries.is_empty() {
            return None;
        }
        let place = self.places.get(&number)?;
        self.entries.get(*place as usize).map(|(_, value)| value)
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        self.get(number).is_some()
    }

    /// The value of a number; what `new` gives where there is none yet.
    pub(crate) fn entry(&mut self, number: u32, new: impl FnOnce() -> T) -> &mut T {
        let next = self.entries.len() as u32;
        let place = *self.places.entry(number).or_insert(next);
        if place == next {
            self.entries.push((number, new()));
        }
        &mut self.entries[place as usize].1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.entries.iter().map(|(number, value)| (*number, value))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|(_, value)| value)
    }
}

impl<T: Default> FromIterator<u32> for ByNumber<T> {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut all = Self::default();
        for number in numbers {
            all.entry(number, T::default);
        }
        all
    }
}

/// One multiplication: numbers of documents are no attack.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_the_order_of_their_coming() {
        let mut all: ByNumber<u32> = ByNumber::default();
        for number in [9, 2, 9, 700_000, 2] {
            *all.entry(number, || 0) += 1;
        }
        assert_eq!(all.get(9), Some(&2));
        assert_eq!(all.get(3), None);
        let all: Vec<(u32, u32)> = all.iter().map(|(number, count)| (number, *count)).collect();
        assert_eq!(all, [(9, 2), (2, 2), (700_000, 1)]);
    }
}
