//! Room to add scores up in: one number for each place, in windows of which a search remembers
//! which it touched, so that neither clearing nor reading costs more than that.

use std::sync::Mutex;

/// Places in a window: as many as one byte tells apart, see [`crate::index::Postings`].
pub(crate) const WINDOW: usize = 256;
/// Places of which the greatest score is known.
const STRETCH: usize = 64;

/// Scores of places.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    /// A whole number of windows.
    scores: Vec<f32>,
    /// By window.
    touched: Vec<bool>,
    /// By stretch, once [`Scores::finish`] has run.
    maxima: Vec<f32>,
    max: f32,
}

impl Scores {
    /// Makes room for `len` places, all 0.
    fn fit(&mut self, len: usize) {
        self.clear();
        let windows = len.div_ceil(WINDOW);
        self.scores.resize(windows * WINDOW, 0.0);
        self.touched.resize(windows, false);
        self.maxima.resize(windows * (WINDOW / STRETCH), 0.0);
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

    /// The scores of some places in stretches, each with its first place and what none of it is
    /// greater than; nothing of stretches that are all 0.
    #[inline]
    pub(crate) fn stretches(
        &self,
        start: u32,
        end: u32,
    ) -> impl Iterator<Item = (u32, f32, &[f32])> {
        let (start, end) = (start as usize, (end as usize).min(self.scores.len()));
        (start / STRETCH..end.div_ceil(STRETCH)).filter_map(move |stretch| {
            let max = *self.maxima.get(stretch).filter(|max| **max > 0.0)?;
            let from = (stretch * STRETCH).max(start);
            let to = ((stretch + 1) * STRETCH).min(end);
            Some((from as u32, max, self.scores.get(from..to)?))
        })
    }

    /// A score that `most` places reach; minus infinity where so many cannot be told apart.
    pub(crate) fn reached_by(&self, most: usize) -> f32 {
        let mut maxima: Vec<f32> = self.maxima.iter().copied().filter(|max| *max > 0.0).collect();
        if most == 0 || maxima.len() < most {
            return f32::NEG_INFINITY;
        }
        *maxima.select_nth_unstable_by(most - 1, |a, b| b.total_cmp(a)).1
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

    /// Finds the maxima, once all is added.
    pub(crate) fn finish(&mut self) {
        const IN_WINDOW: usize = WINDOW / STRETCH;
        for (window, _) in self.touched.iter().enumerate().filter(|(_, touched)| **touched) {
            let start = window * WINDOW;
            let own = self.scores[start..start + WINDOW].chunks_exact(STRETCH);
            for (max, stretch) in self.maxima[window * IN_WINDOW..].iter_mut().zip(own) {
                *max = max_of(stretch);
            }
        }
        self.max = max_of(&self.maxima);
    }

    /// The greatest score of all.
    pub(crate) fn max(&self) -> f32 {
        self.max
    }

    fn clear(&mut self) {
        const IN_WINDOW: usize = WINDOW / STRETCH;
        for (window, touched) in self.touched.iter_mut().enumerate() {
            if std::mem::take(touched) {
                self.scores[window * WINDOW..(window + 1) * WINDOW].fill(0.0);
                self.maxima[window * IN_WINDOW..(window + 1) * IN_WINDOW].fill(0.0);
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
