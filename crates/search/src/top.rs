//! The best of many.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Keeps the `most` best pairs of score and number; of equals the smaller number.
#[derive(Debug)]
pub(crate) struct Top {
    most: usize,
    heap: BinaryHeap<Scored>,
}

/// Ordered so that the worst stands on top of the heap.
#[derive(Clone, Copy, Debug)]
struct Scored {
    score: f32,
    number: u32,
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scored {}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.number.cmp(&other.number))
    }
}

impl Top {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, heap: BinaryHeap::with_capacity(most.min(1024)) }
    }

    #[inline]
    pub(crate) fn push(&mut self, number: u32, score: f32) {
        let new = Scored { score, number };
        if self.heap.len() < self.most {
            self.heap.push(new);
        } else if self.heap.peek().is_some_and(|worst| new < *worst) {
            self.heap.pop();
            self.heap.push(new);
        }
    }

    /// Best first.
    pub(crate) fn into_sorted(self) -> Vec<(u32, f32)> {
        let sorted = self.heap.into_sorted_vec();
        sorted.into_iter().map(|scored| (scored.number, scored.score)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_and_the_smaller_number_of_equals() {
        let mut top = Top::new(3);
        for (number, score) in [(9, 1.0), (1, 1.0), (5, 3.0), (4, 1.0), (2, 0.5)] {
            top.push(number, score);
        }
        assert_eq!(top.into_sorted(), [(5, 3.0), (1, 1.0), (4, 1.0)]);
    }
}
