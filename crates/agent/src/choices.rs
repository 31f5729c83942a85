//! Changes that pass and mean different things: the resolutions of a merge conflict.

use repair::Attempt;

use crate::report::PassingChange;
use crate::task::{Passed, Task};
use crate::{FixOutcome, FixResult};

impl Task<'_> {
    /// Keeps a resolution that passed, until the others were tried.
    pub(crate) fn keep_choice(&mut self, attempt: &Attempt, result: FixResult) {
        self.passed.push(Passed { id: attempt.id, result });
    }

    /// Whether a resolution passed, so that only the other ones are still of interest.
    pub(crate) fn has_choice(&self) -> bool {
        !self.passed.is_empty()
    }

    /// Whether a resolution that passed drops lines of a side.
    fn drops_a_side(&self) -> bool {
        self.passed.iter().any(|it| repair::drops_a_side(&it.result.report.rules))
    }

    /// The resolution that passed, if it is the only one and drops nothing, or the user chose it; else a
    /// report of all that passed. `None` if none did. `is_complete`: whether all resolutions were tried.
    pub(crate) fn decide_choice(&mut self, is_complete: bool) -> Option<FixResult> {
        self.passed.sort_by_key(|it| it.id);
        let count = self.passed.len();
        let chosen = match self.options.choose {
            Some(nth) => nth.checked_sub(1).filter(|it| *it < count),
            None if count == 1 && is_complete && !self.drops_a_side() => Some(0),
            None => None,
        };
        if let Some(chosen) = chosen {
            return Some(self.passed.swap_remove(chosen).result);
        }
        let choices: Vec<PassingChange> = self
            .passed
            .iter()
            .map(|it| PassingChange {
                rationale: it.result.report.rationale.clone(),
                diff: it.result.report.diff.clone(),
            })
            .collect();
        let last = self.passed.drain(..).next_back()?.result;
        let mut report = last.report;
        report.outcome = FixOutcome::Draft;
        report.diff = String::new();
        report.rationale = Vec::new();
        report.reason = Some(match (self.options.choose, is_complete) {
            (Some(nth), _) => format!("no change {nth}: {count} pass, from 1"),
            (None, true) if count == 1 => {
                "1 change passes and drops a side of the conflict: `--choose 1` takes it".to_owned()
            }
            (None, true) => format!(
                "{count} changes pass and mean different things: choose one with `--choose N`"
            ),
            (None, false) => {
                "timed out before all were tried: choose one with `--choose N`, or raise \
                 `--max-seconds`"
                    .to_owned()
            }
        });
        report.choices = choices;
        Some(FixResult { report, accepted: None, message: None })
    }
}
