//! A cache of the encoder's number of each term, so that a long-running process looks each term up
//! once.

use std::sync::atomic::{AtomicU32, Ordering};

use super::SearchIndex;
use crate::encoder::Encoder;

/// Markers: not looked up yet, and unknown to the encoder. Numbers are stored plus two.
const NOT_ASKED: u32 = 0;
const UNKNOWN: u32 = 1;

/// The numbers of an index's terms in one encoder.
#[derive(Debug)]
pub(crate) struct TermNumbers {
    encoder: String,
    by_term: Vec<AtomicU32>,
}

impl TermNumbers {
    /// The encoder's number of a term; `ask` looks it up.
    pub(crate) fn get(&self, term: u32, ask: impl FnOnce() -> Option<u32>) -> Option<u32> {
        let slot = self.by_term.get(term as usize)?;
        let mut known = slot.load(Ordering::Relaxed);
        if known == NOT_ASKED {
            known = ask().and_then(|number| number.checked_add(2)).unwrap_or(UNKNOWN);
            slot.store(known, Ordering::Relaxed);
        }
        known.checked_sub(2)
    }
}

impl SearchIndex {
    /// The cache for an encoder; `None` where it has no numbers, or another encoder's are cached.
    pub(crate) fn numbers_of(&self, encoder: &dyn Encoder) -> Option<&TermNumbers> {
        if !encoder.has_numbers() {
            return None;
        }
        let numbers = self.numbers.get_or_init(|| TermNumbers {
            encoder: encoder.name().to_owned(),
            by_term: (0..self.term_count()).map(|_| AtomicU32::new(NOT_ASKED)).collect(),
        });
        Some(numbers).filter(|numbers| numbers.encoder == encoder.name())
    }
}
