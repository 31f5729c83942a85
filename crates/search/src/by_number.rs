//! [`ByNumber`]: a small insertion-ordered hash map from numbers, for the few hundred documents of
//! a query.

/// A map from numbers whose order is that of insertion.
///
/// Invariant: the length of `slots` is 0 or a power of two and at least twice that of `entries`, so
/// that every probe sequence ends at a free slot.
#[derive(Clone, Debug)]
pub(crate) struct ByNumber<T> {
    /// Hash slots: number and index of its entry plus one; 0: free. Linear probing.
    slots: Vec<(u32, u32)>,
    entries: Vec<(u32, T)>,
}

impl<T> Default for ByNumber<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), entries: Vec::new() }
    }
}

impl<T> ByNumber<T> {
    /// An empty map with capacity for `count` entries.
    pub(crate) fn with_capacity(most: usize) -> Self {
        let slots = vec![(0, 0); (2 * most).next_power_of_two()];
        Self { slots, entries: Vec::with_capacity(most) }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        if self.entries.is_empty() {
            return None;
        }
        let place = self.slots[self.slot_of(number)].1.checked_sub(1)?;
        self.entries.get(place as usize).map(|(_, value)| value)
    }

    /// The value of a number; inserts the result of `new` where there is none.
    #[inline]
    pub(crate) fn entry(&mut self, number: u32, new: impl FnOnce() -> T) -> &mut T {
        if 2 * (self.entries.len() + 1) > self.slots.len() {
            self.grow();
        }
        let slot = self.slot_of(number);
        if self.slots[slot].1 == 0 {
            self.entries.push((number, new()));
            self.slots[slot] = (number, self.entries.len() as u32);
        }
        let place = self.slots[slot].1 as usize - 1;
        &mut self.entries[place].1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.entries.iter().map(|(number, value)| (*number, value))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The slot of a number, or the free slot for it. One multiplication is a sufficient hash:
    /// document numbers are not under an attacker's control.
    #[inline]
    fn slot_of(&self, number: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mixed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (mixed >> 32) as usize & mask;
        while self.slots[slot].1 != 0 && self.slots[slot].0 != number {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let len = (2 * self.slots.len()).max(32);
        self.slots.clear();
        self.slots.resize(len, (0, 0));
        for at in 0..self.entries.len() {
            let number = self.entries[at].0;
            let slot = self.slot_of(number);
            self.slots[slot] = (number, at as u32 + 1);
        }
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

    #[test]
    fn many_values_are_found_again() {
        for mut all in [ByNumber::default(), ByNumber::with_capacity(0), ByNumber::with_capacity(9)]
        {
            for number in 0..5_000u32 {
                *all.entry(number.wrapping_mul(65_536), || 0) += number;
            }
            for number in 0..5_000u32 {
                assert_eq!(all.get(number * 65_536), Some(&number), "{number}");
                assert_eq!(all.get(number * 65_536 + 1), None);
            }
            assert_eq!(all.iter().count(), 5_000);
        }
    }
}
