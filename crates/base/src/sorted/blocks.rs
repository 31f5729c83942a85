//! [`Blocks`]: elements in order, in blocks of limited size.

use std::cmp::Ordering;
use std::iter::Flatten;
use std::ops::{Bound, RangeBounds};
use std::slice;

/// Most elements of one block.
pub(super) const MOST: usize = 128;

/// Elements in order. No block is empty, and none has more than [`MOST`] elements.
#[derive(Clone)]
pub(super) struct Blocks<T> {
    blocks: Vec<Vec<T>>,
    len: usize,
}

/// The place of an element, or the one where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    block: usize,
    index: usize,
}

impl<T> Blocks<T> {
    pub(super) const fn new() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The place of the element that `order` calls equal, or where it belongs. `order` compares an element
    /// with what is looked for.
    pub(super) fn search(&self, order: &dyn Fn(&T) -> Ordering) -> Result<Place, Place> {
        let is_before = |it: &Vec<T>| it.last().is_some_and(|last| order(last) == Ordering::Less);
        let block = self.blocks.partition_point(is_before);
        let Some(found) = self.blocks.get(block) else { return Err(self.end()) };
        match found.binary_search_by(order) {
            Ok(index) => Ok(Place { block, index }),
            Err(index) => Err(Place { block, index }),
        }
    }

    /// The place after the last element.
    fn end(&self) -> Place {
        let block = self.blocks.len().saturating_sub(1);
        Place { block, index: self.blocks.last().map_or(0, Vec::len) }
    }

    pub(super) fn get(&self, place: Place) -> Option<&T> {
        self.blocks.get(place.block)?.get(place.index)
    }

    /// The element at the place that an insertion or a search gave.
    pub(super) fn at_mut(&mut self, place: Place) -> &mut T {
        &mut self.blocks[place.block][place.index]
    }

    pub(super) fn get_mut(&mut self, place: Place) -> Option<&mut T> {
        self.blocks.get_mut(place.block)?.get_mut(place.index)
    }

    pub(super) fn first(&self) -> Option<&T> {
        self.blocks.first()?.first()
    }

    pub(super) fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// Inserts an element at the place that [`Blocks::search`] gave; its place from then on.
    pub(super) fn insert(&mut self, place: Place, element: T) -> Place {
        self.len += 1;
        let is_last = place == self.end();
        let (blocks, mut place) = (&mut self.blocks, place);
        match blocks.get_mut(place.block) {
            Some(block) if block.len() < MOST => block.insert(place.index, element),
            // In order, as most come: full blocks stay full.
            Some(_) if is_last => {
                place = Place { block: place.block + 1, index: 0 };
                blocks.push(vec![element]);
            }
            Some(block) => {
                let half = block.split_off(MOST / 2);
                blocks.insert(place.block + 1, half);
                if place.index > MOST / 2 {
                    place = Place { block: place.block + 1, index: place.index - MOST / 2 };
                }
                if let Some(block) = blocks.get_mut(place.block) {
                    block.insert(place.index, element);
                }
            }
            None => blocks.push(vec![element]),
        }
        place
    }

    /// Removes the element at a place that [`Blocks::search`] found.
    pub(super) fn remove(&mut self, place: Place) -> Option<T> {
        let block = self.blocks.get_mut(place.block)?;
        let removed = (place.index < block.len()).then(|| block.remove(place.index))?;
        if block.is_empty() {
            self.blocks.remove(place.block);
        }
        self.len -= 1;
        Some(removed)
    }

    pub(super) fn pop_first(&mut self) -> Option<T> {
        self.remove(Place { block: 0, index: 0 })
    }

    pub(super) fn retain(&mut self, keep: &mut dyn FnMut(&mut T) -> bool) {
        self.blocks.iter_mut().for_each(|block| block.retain_mut(&mut *keep));
        self.blocks.retain(|block| !block.is_empty());
        self.len = self.blocks.iter().map(Vec::len).sum();
    }

    pub(super) fn iter(&self) -> Iter<'_, T> {
        Iter {
            blocks: &self.blocks,
            front: Place { block: 0, index: 0 },
            back: self.end(),
            left: self.len,
        }
    }

    /// The elements whose keys are within bounds.
    pub(super) fn range<'a, Q: Ord + ?Sized, R: RangeBounds<Q>>(
        &'a self,
        bounds: R,
        key: impl Fn(&T) -> &Q,
    ) -> Iter<'a, T> {
        let place = |of: &Q, after_equal: bool| match self.search(&|it| key(it).cmp(of)) {
            Ok(place) if after_equal => Place { index: place.index + 1, ..place },
            Ok(place) | Err(place) => place,
        };
        let front = match bounds.start_bound() {
            Bound::Unbounded => Place { block: 0, index: 0 },
            Bound::Included(of) => place(of, false),
            Bound::Excluded(of) => place(of, true),
        };
        let back = match bounds.end_bound() {
            Bound::Unbounded => self.end(),
            Bound::Included(of) => place(of, true),
            Bound::Excluded(of) => place(of, false),
        };
        let left = self.before(back).saturating_sub(self.before(front));
        Iter { blocks: &self.blocks, front, back, left }
    }

    /// Number of elements before a place.
    fn before(&self, place: Place) -> usize {
        self.blocks.iter().take(place.block).map(Vec::len).sum::<usize>() + place.index
    }

    pub(super) fn iter_mut(&mut self) -> Flatten<slice::IterMut<'_, Vec<T>>> {
        self.blocks.iter_mut().flatten()
    }

    pub(super) fn into_elements(self) -> IntoIter<T> {
        IntoIter { left: self.len, elements: self.blocks.into_iter().flatten() }
    }
}

/// The elements of [`Blocks`], borrowed.
pub struct Iter<'a, T> {
    blocks: &'a [Vec<T>],
    /// Place of the next element; its index may be the length of its block.
    front: Place,
    /// Place after the last element.
    back: Place,
    left: usize,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.left = self.left.checked_sub(1)?;
        let mut block = self.blocks.get(self.front.block)?;
        if self.front.index >= block.len() {
            self.front = Place { block: self.front.block + 1, index: 0 };
            block = self.blocks.get(self.front.block)?;
        }
        self.front.index += 1;
        block.get(self.front.index - 1)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        if self.back.index == 0 {
            let block = self.back.block.checked_sub(1)?;
            self.back = Place { block, index: self.blocks.get(block)?.len() };
        }
        self.back.index -= 1;
        self.blocks.get(self.back.block)?.get(self.back.index)
    }
}

/// The elements of [`Blocks`].
pub struct IntoIter<T> {
    elements: Flatten<std::vec::IntoIter<Vec<T>>>,
    left: usize,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left = self.left.saturating_sub(1);
        self.elements.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        self.left = self.left.saturating_sub(1);
        self.elements.next_back()
    }
}
