//! Score buffers that are reused from query to query.

use std::sync::Mutex;

use crate::vectors::RowSet;

/// Number of scores in a group; the maximum per group lets a scan skip most documents.
pub(crate) const GROUP: usize = 64;

/// One score per document or file.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    /// Scores, padded with 0 to a whole number of groups.
    scores: Vec<f32>,
    /// Maximum by group, and of all; valid after [`Scores::finish`].
    greatest: Vec<f32>,
    max: f32,
}

impl Scores {
    /// Resets to `len` scores of 0.
    fn fit(&mut self, len: usize) {
        self.scores.fill(0.0);
        self.scores.resize(len.next_multiple_of(GROUP), 0.0);
        self.greatest.clear();
        self.max = 0.0;
    }

    /// Adds to a score; an index out of range is ignored.
    #[inline]
    pub(crate) fn add(&mut self, place: u32, score: f32) {
        if let Some(slot) = self.scores.get_mut(place as usize) {
            *slot += score;
        }
    }

    /// The scores from an index on, for adding.
    #[inline]
    pub(crate) fn from(&mut self, start: usize) -> Option<&mut [f32]> {
        self.scores.get_mut(start..)
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> f32 {
        self.scores.get(place as usize).copied().unwrap_or(0.0)
    }

    /// All scores, including the padding of 0.
    pub(crate) fn all(&self) -> &[f32] {
        &self.scores
    }

    /// The scores in a range; none where it is out of range.
    #[inline]
    pub(crate) fn slice(&self, start: u32, end: u32) -> &[f32] {
        self.scores.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The maximum score of each group of [`GROUP`].
    pub(crate) fn greatest(&self) -> &[f32] {
        &self.greatest
    }

    /// All groups: first index, scores, and their maximum.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (u32, &[f32], f32)> {
        let groups = self.scores.chunks_exact(GROUP).zip(&self.greatest);
        (0u32..).zip(groups).map(|(n, (scores, most))| (n * GROUP as u32, scores, *most))
    }

    /// An upper bound of the scores in a range.
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

    /// Computes the maxima, once all scores are added.
    pub(crate) fn finish(&mut self) {
        self.greatest.clear();
        self.greatest.extend(self.scores.chunks_exact(GROUP).map(max_of));
        self.max = max_of(&self.greatest);
    }

    /// The maximum score.
    pub(crate) fn max(&self) -> f32 {
        self.max
    }
}

/// The maximum; computed in lanes, so that it is vectorised.
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

/// The buffers of one query.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Scores of documents.
    pub(crate) items: Scores,
    /// Scores of files, from their text.
    pub(crate) files: Scores,
    /// Scores of files, from their path.
    pub(crate) paths: Scores,
    /// Feature values of candidates; empty between queries.
    pub(crate) values: Vec<Vec<f32>>,
    /// Candidate documents; empty between queries.
    pub(crate) known: RowSet,
}

/// The unused buffers.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    free: Mutex<Vec<Scratch>>,
}

impl Pool {
    /// Takes cleared buffers.
    pub(crate) fn take(&self, documents: u32, files: u32) -> Scratch {
        let mut free = base::lock(&self.free);
        let mut scratch = free.pop().unwrap_or_default();
        drop(free);
        scratch.items.fit(documents as usize);
        scratch.files.fit(files as usize);
        scratch.paths.fit(files as usize);
        scratch.known.fit(documents as usize);
        scratch
    }

    /// Returns buffers for reuse.
    pub(crate) fn give_back(&self, mut scratch: Scratch) {
        scratch.values.iter_mut().for_each(Vec::clear);
        base::lock(&self.free).push(scratch);
    }
}
