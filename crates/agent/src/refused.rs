//! Candidates that build and are no repair.

use policy::Refusal;
use repair::Attempt;

use crate::task::Task;
use crate::verify::reasons;
use crate::{FixEvent, RefusedAttempt};

impl Task<'_> {
    /// Keeps a candidate that builds and that the gate refuses.
    pub(crate) fn refuse_by_gate(&mut self, attempt: &Attempt, refusals: &[Refusal]) {
        let rule = refusals.first().map(|it| it.rule.clone());
        self.keep_refused(attempt, reasons(refusals), rule);
    }

    /// Keeps a candidate that builds and is no repair.
    pub(crate) fn refuse(&mut self, attempt: &Attempt, reason: String) {
        self.keep_refused(attempt, reason, None);
    }

    fn keep_refused(&mut self, attempt: &Attempt, reason: String, rule: Option<String>) {
        (self.on)(&FixEvent::Checked {
            number: attempt.id + 1,
            builds: true,
            errors: 0,
            first_error: None,
            refused: Some(reason.clone()),
        });
        self.refused.push(RefusedAttempt {
            rationale: attempt.rationale.clone(),
            reason,
            rule,
            diff: attempt.overlay.unified_diff(),
        });
    }
}
