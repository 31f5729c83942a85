//! Room to add scores up in: one number for each place, and which stretches of places were
//! touched, so that neither clearing nor reading costs more than what a query touched.

use std::sync::Mutex;

/// Places in a stretch.
const STRETCH: usize = 64;

/// Scores of places.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    scores: Vec<f32>,
    touched: Vec<bool>,
}

impl Scores {
    /// Makes room for `len` places, all 0.
    fn fit(&mut self, len: usize) {
        self.clear();
        self.scores.resize(len, 0.0);
        self.touched.resize(len.div_ceil(STRETCH), false);
    }

    /// Adds to a place; one that is not there is passed over.
    #[inline]
    pub(crate) fn add(&mut self, place: u32, score: f32) {
        if let Some(slot) = self.scores.get_mut(place as usize) {
            *slot += score;
            self.touched[place as usize / STRETCH] = true;
        }
    }

    pub(crate) fn get(&self, place: u32) -> f32 {
        self.scores.get(place as usize).copied().unwrap_or(0.0)
    }

    /// All places above 0 with their scores, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, f32)> {
        let touched = self.touched.iter().enumerate().filter(|(_, touched)| **touched);
        touched.flat_map(move |(stretch, _)| {
            let start = stretch * STRETCH;
            let end = (start + STRETCH).min(self.scores.len());
            let own = self.scores[start..end].iter().enumerate();
            own.filter(|(_, score)| **score > 0.0)
                .map(move |(n, score)| ((start + n) as u32, *score))
        })
    }

    pub(crate) fn max(&self) -> f32 {
        // Untouched stretches are 0: reading them is cheaper than telling them apart.
        let mut lanes = [0.0f32; 8];
        let chunks = self.scores.chunks_exact(8);
        let rest = chunks.remainder();
        for chunk in chunks {
            for (lane, score) in lanes.iter_mut().zip(chunk) {
                *lane = if *score > *lane { *score } else { *lane };
            }
        }
        lanes.iter().chain(rest).fold(0.0, |max, score| max.max(*score))
    }

    fn clear(&mut self) {
        for (stretch, touched) in self.touched.iter_mut().enumerate() {
            if std::mem::take(touched) {
                let start = stretch * STRETCH;
                let end = (start + STRETCH).min(self.scores.len());
                self.scores[start..end].fill(0.0);
            }
        }
    }
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
        scratch
    }

    pub(crate) fn give_back(&self, scratch: Scratch) {
        self.free.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(scratch);
    }
}
