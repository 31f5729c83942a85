//! Room to add scores up in: one number for each place, kept from query to query.

use std::sync::Mutex;

use crate::vectors::RowSet;

/// So many places have their greatest score kept: whoever looks for the best passes over most.
pub(crate) const GROUP: usize = 64;

/// Scores of places.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    /// A whole number of groups; those behind the last place have 0.
    scores: Vec<f32>,
    /// The greatest of each group, known once [`Scores::finish`] has run, as is the next.
    greatest: Vec<f32>,
    max: f32,
}

impl Scores {
    /// Makes room for `len` places, all 0.
    fn fit(&mut self, len: usize) {
        self.scores.fill(0.0);
        self.scores.resize(len.next_multiple_of(GROUP), 0.0);
        self.greatest.clear();
        self.max = 0.0;
    }

    /// Adds to a place; one that is not there is passed over.
    #[inline]
    pub(crate) fn add(&mut self, place: u32, score: f32) {
        if let Some(slot) = self.scores.get_mut(place as usize) {
            *slot += score;
        }
    }

    /// The scores from a place on, to be added to.
    #[inline]
    pub(crate) fn from(&mut self, start: usize) -> Option<&mut [f32]> {
        self.scores.get_mut(start..)
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> f32 {
        self.scores.get(place as usize).copied().unwrap_or(0.0)
    }

    /// Of all places, and of some behind them, which have 0.
    pub(crate) fn all(&self) -> &[f32] {
        &self.scores
    }

    /// The scores of some places; none where they are not all there.
    #[inline]
    pub(crate) fn slice(&self, start: u32, end: u32) -> &[f32] {
        self.scores.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The greatest score of each [`GROUP`] of places.
    pub(crate) fn greatest(&self) -> &[f32] {
        &self.greatest
    }

    /// All groups: the first place, the scores, and the greatest of these.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (u32, &[f32], f32)> {
        let groups = self.scores.chunks_exact(GROUP).zip(&self.greatest);
        (0u32..).zip(groups).map(|(n, (scores, most))| (n * GROUP as u32, scores, *most))
    }

    /// What no score of some places is above.
    #[inline]
    pub(crate) fn bound(&self, start: u32, end: u32) -> f32 {
        let (first, last) = (start as usize / GROUP, end.saturating_sub(1) as usize / GROUP);
        let of = |group: usize| self.greatest.get(group).copied().unwrap_or(0.0);
        let ends = of(first).max(of(last));
        if last <= first + 1 {
            return ends;
        }
        (first + 1..last).map(of).fold(ends, f32::max)
    }

    /// Finds the greatest scores, once all is added.
    pub(crate) fn finish(&mut self) {
        self.greatest.clear();
        self.greatest.extend(self.scores.chunks_exact(GROUP).map(max_of));
        self.max = max_of(&self.greatest);
    }

    /// The greatest score of all.
    pub(crate) fn max(&self) -> f32 {
        self.max
    }
}

/// The greatest; in lanes, which a processor takes at once.
#[inline]
pub(crate) fn max_of(scores: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let chunks = scores.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, score) in lanes.iter_mut().zip(chunk) {
            *lane = if *score > *lane { *score } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(0.0, |max, score| if *score > max { *score } else { max })
}

/// What one query adds up.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Of documents.
    pub(crate) items: Scores,
    /// Of files, by their texts.
    pub(crate) files: Scores,
    /// Of files, by their paths.
    pub(crate) paths: Scores,
    /// Of candidates: by feature, empty between queries.
    pub(crate) values: Vec<Vec<f32>>,
    /// Documents that are candidates; none between queries.
    pub(crate) known: RowSet,
}

/// Rooms that no query uses just now.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    free: Mutex<Vec<Scratch>>,
}

impl Pool {
    /// A clear room.
    pub(crate) fn take(&self, documents: u32, files: u32) -> Scratch {
        let mut free = self.free.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut scratch = free.pop().unwrap_or_default();
        drop(free);
        scratch.items.fit(documents as usize);
        scratch.files.fit(files as usize);
        scratch.paths.fit(files as usize);
        scratch.known.fit(documents as usize);
        scratch
    }

    /// Takes a room back.
    pub(crate) fn give_back(&self, mut scratch: Scratch) {
        scratch.values.iter_mut().for_each(Vec::clear);
        self.free.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(scratch);
    }
}
