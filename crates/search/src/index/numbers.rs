//! Under which number an encoder knows each term, as far as anybody asked: a process that lives on
//! spells a term once.

use std::sync::atomic::{AtomicU32, Ordering};

use super::SearchIndex;
use crate::encoder::Encoder;

/// Not asked yet, and: the encoder does not know it. Numbers stand behind these two.
const NOT_ASKED: u32 = 0;
const UNKNOWN: u32 = 1;

/// The numbers of an index's terms with one encoder.
#[derive(Debug)]
pub(crate) struct TermNumbers {
    encoder: String,
    by_term: Vec<AtomicU32>,
}

impl TermNumbers {
    /// The encoder's number of a term; `ask` finds it out.
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
    /// What is known of an encoder's numbers; `None` where it has none, or those of another are
    /// kept.
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
