//! Room to add scores up in: one number for each place, in windows of which a search remembers
//! which it touched, so that neither clearing nor reading costs more than that.

use std::sync::Mutex;

/// Places in a window: as many as one byte tells apart, see [`crate::index::Postings`].
pub(crate) const WINDOW: usize = 256;

/// Scores of places.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    /// A whole number of windows.
    scores: Vec<f32>,
    /// By window.
    touched: Vec<bool>,
    /// Known once [`Scores::finish`] has run.
    max: f32,
}

impl Scores {
    /// Makes room for `len` places, all 0.
    fn fit(&mut self, len: usize) {
        self.clear();
        let windows = len.div_ceil(WINDOW);
        self.scores.resize(windows * WINDOW, 0.0);
        self.touched.resize(windows, false);
        self.max = 0.0;
    }

    /// Adds to a place; one that is not there is passed over.
    #[inline]
    pub(crate) fn add(&mut self, place: u32, score: f32) {
        if let Some(slot) = self.scores.get_mut(place as usize) {
            *slot += score;
            self.touched[place as usize / WINDOW] = true;
        }
    }

    /// The scores of a window, to be added to.
    #[inline]
    pub(crate) fn window(&mut self, window: usize) -> Option<&mut [f32; WINDOW]> {
        let start = window.checked_mul(WINDOW)?;
        *self.touched.get_mut(window)? = true;
        self.scores.get_mut(start..start.checked_add(WINDOW)?)?.try_into().ok()
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

    /// All places above 0 with their scores, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, f32)> {
        let touched = self.touched.iter().enumerate().filter(|(_, touched)| **touched);
        touched.flat_map(move |(window, _)| {
            let start = window * WINDOW;
            let own = self.scores[start..start + WINDOW].iter().enumerate();
            own.filter(|(_, score)| **score > 0.0)
                .map(move |(n, score)| ((start + n) as u32, *score))
        })
    }

    /// Finds the greatest score, once all is added.
    pub(crate) fn finish(&mut self) {
        self.max = 0.0;
        for (window, scores) in self.scores.chunks_exact(WINDOW).enumerate() {
            if self.touched.get(window) == Some(&true) {
                self.max = self.max.max(max_of(scores));
            }
        }
    }

    /// The greatest score of all.
    pub(crate) fn max(&self) -> f32 {
        self.max
    }

    fn clear(&mut self) {
        for (window, touched) in self.touched.iter_mut().enumerate() {
            if std::mem::take(touched) {
                self.scores[window * WINDOW..(window + 1) * WINDOW].fill(0.0);
            }
        }
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
