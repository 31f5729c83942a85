//! Candidates that build and are no repair.

use policy::Refusal;
use repair::Attempt;

use crate::task::Task;
use crate::verify::reasons;
use crate::{FixEvent, RefusedAttempt};

impl Task<'_> {
    /// Keeps a candidate that builds and that the gate refuses.
    pub(crate) fn refuse_by_gate(&mut self, attempt: &Attempt, refusals: &[Refusal]) {
        self.refuse(attempt, reasons(refusals));
        let rule = refusals.first().map(|it| it.rule.clone());
        if let Some(refused) = self.refused.last_mut() {
            refused.rule = rule;
        }
    }

    /// Keeps a candidate that builds and is no repair.
    pub(crate) fn refuse(&mut self, attempt: &Attempt, reason: String) {
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
            rule: None,
            diff: attempt.overlay.unified_diff(),
        });
    }
}
