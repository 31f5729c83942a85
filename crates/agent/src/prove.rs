//! Checks several candidates in parallel, each in its own temporary overlay layer.

use std::sync::Mutex;

use check::{Checked, Ladder};
use repair::Attempt;

use crate::AgentError;
use crate::world::World;

/// Number of proofs that run in parallel. Cargo itself uses the cores that one proof leaves idle,
/// and a single small crate rarely uses two.
pub(crate) const PARALLEL_PROOFS: usize = 2;

/// Checks all `attempts`; the results have the same order.
pub(crate) fn prove_all(
    world: &World<'_>,
    ladder: &Ladder,
    attempts: &[Attempt],
) -> Vec<Result<Checked, AgentError>> {
    let prove = |attempt: &Attempt| world.prove(attempt.overlay.clone(), ladder);
    if let [attempt] = attempts {
        return vec![prove(attempt)];
    }
    let slots: Vec<Mutex<Option<Result<Checked, AgentError>>>> =
        attempts.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for (attempt, slot) in attempts.iter().zip(&slots) {
            scope.spawn(move || {
                let checked = prove(attempt);
                *base::lock(slot) = Some(checked);
            });
        }
    });
    slots
        .into_iter()
        .filter_map(|slot| slot.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
        .collect()
}
