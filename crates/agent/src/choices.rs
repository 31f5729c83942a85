//! Changes that pass and mean different things: the resolutions of a merge conflict.

use repair::Attempt;

use crate::questions::change_question;
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

    /// The part of the first resolution that passed which a person has to see, if there is one.
    fn caveat(&self) -> Option<&'static str> {
        let rules = &self.passed.first()?.result.report.rules;
        if repair::drops_a_side(rules) {
            return Some("drops a side of the conflict");
        }
        repair::orders_sides(rules).then_some("has what both sides added, ours first")
    }

    /// The resolution that passed, if it is the only one and has nothing that a person has to see, or the
    /// user chose it; else a report of all that passed. Where both sides only added and nothing of them is
    /// lost, the other resolutions are left out. `None` if none passed. `is_complete`: whether all
    /// resolutions were tried.
    pub(crate) fn decide_choice(&mut self, is_complete: bool) -> Option<FixResult> {
        self.passed.sort_by_key(|it| it.id);
        let has_all = |it: &Passed| {
            let rules = &it.result.report.rules;
            repair::orders_sides(rules) && !repair::drops_a_side(rules)
        };
        if self.passed.iter().any(has_all) {
            self.passed.retain(has_all);
        }
        let count = self.passed.len();
        let caveat = self.caveat().filter(|_| count == 1);
        let choices: Vec<PassingChange> = self
            .passed
            .iter()
            .map(|it| PassingChange {
                rationale: it.result.report.rationale.clone(),
                diff: it.result.report.diff.clone(),
            })
            .collect();
        let question = change_question(&choices);
        let chosen = match self.options.choose.or_else(|| self.chosen_by_answer(&question)) {
            Some(nth) => nth.checked_sub(1).filter(|it| *it < count),
            None if count == 1 && is_complete && caveat.is_none() => Some(0),
            None => None,
        };
        if let Some(chosen) = chosen {
            return Some(self.passed.swap_remove(chosen).result);
        }
        let last = self.passed.drain(..).next_back()?.result;
        let mut report = last.report;
        report.outcome = FixOutcome::Draft;
        report.diff = String::new();
        report.rationale = Vec::new();
        report.reason = Some(match (self.options.choose, is_complete) {
            (Some(nth), _) => format!("no change {nth}: {count} pass, from 1"),
            (None, true) if let Some(caveat) = caveat => {
                format!("1 change passes and {caveat}: `--choose 1` takes it")
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
        report.questions = vec![question];
        Some(FixResult { report, accepted: None, message: None })
    }
}
