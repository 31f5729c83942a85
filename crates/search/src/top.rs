//! [`Top`]: the k best scores.

use std::cmp::Ordering;

/// Collects the `most` best pairs of score and number; ties go to the smaller number.
#[derive(Debug)]
pub(crate) struct Top {
    most: usize,
    kept: Vec<(u32, f32)>,
    /// Threshold: a lower score cannot be among the best.
    least: f32,
}

impl Top {
    pub(crate) fn new(most: usize) -> Self {
        let capacity = most.saturating_mul(2).clamp(16, 2048);
        Self { most, kept: Vec::with_capacity(capacity), least: f32::NEG_INFINITY }
    }

    /// Raises the threshold: at least `most` pairs with this score or more will be added.
    pub(crate) fn expect(&mut self, score: f32) {
        // Pairs with exactly this score must still be accepted.
        self.least = self.least.max(score.next_down());
    }

    /// The threshold: a lower score cannot be among the best, nor an equal score with a greater
    /// number than all before (unless the threshold is minus infinity).
    #[inline]
    pub(crate) fn least(&self) -> f32 {
        self.least
    }

    #[inline]
    pub(crate) fn push(&mut self, number: u32, score: f32) {
        if score < self.least {
            return;
        }
        self.kept.push((number, score));
        if self.kept.len() >= self.most.saturating_mul(2).max(16) {
            self.shrink();
        }
    }

    /// Drops all but the best.
    fn shrink(&mut self) {
        if self.kept.len() <= self.most {
            return;
        }
        let Some(last) = self.most.checked_sub(1) else { return self.kept.clear() };
        self.kept.select_nth_unstable_by(last, better);
        self.kept.truncate(self.most);
        self.least = self.kept.last().map_or(self.least, |(_, score)| *score);
    }

    /// The best, unordered.
    pub(crate) fn into_best(mut self) -> Vec<(u32, f32)> {
        self.shrink();
        self.kept
    }

    /// Best first.
    pub(crate) fn into_sorted(self) -> Vec<(u32, f32)> {
        let mut best = self.into_best();
        best.sort_unstable_by(better);
        best
    }
}

/// Order: greater score first, then smaller number.
pub(crate) fn better(a: &(u32, f32), b: &(u32, f32)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
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

    #[test]
    fn of_many_the_best_are_those_of_sorting() {
        for most in [0, 1, 7, 40] {
            let score = |number: u32| ((number * 7_919) % 101) as f32;
            let mut top = Top::new(most);
            (0..1_000).for_each(|number| top.push(number, score(number)));
            let mut all: Vec<(u32, f32)> = (0..1_000).map(|n| (n, score(n))).collect();
            all.sort_by(better);
            all.truncate(most);
            assert_eq!(top.into_sorted(), all);
        }
    }
}
