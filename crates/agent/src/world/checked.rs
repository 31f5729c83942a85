//! [`CheckRecord`]: the result of a proof as a trace keeps it.

use check::{Checked, Mapped};
use edit::Overlay;
use policy::Evidence;
use serde::{Deserialize, Serialize};

/// A [`Checked`] without its overlay, which the question has.
#[derive(Serialize, Deserialize)]
pub(crate) struct CheckRecord {
    evidence: Evidence,
    mapped: Vec<Mapped>,
    tests: Option<cargo::TestReport>,
    failure: Option<String>,
    timed_out: bool,
}

impl CheckRecord {
    pub(crate) fn of(checked: &Checked) -> Self {
        Self {
            evidence: checked.evidence.clone(),
            mapped: checked.mapped.clone(),
            tests: checked.tests.clone(),
            failure: checked.failure.clone(),
            timed_out: checked.timed_out,
        }
    }

    /// The result for the overlay of the question. Its evidence opens no gate.
    pub(crate) fn restored(self, overlay: Overlay) -> Checked {
        Checked {
            overlay,
            evidence: self.evidence,
            diagnostics: self.mapped.iter().map(|it| it.diagnostic.clone()).collect(),
            mapped: self.mapped,
            tests: self.tests,
            failure: self.failure,
            timed_out: self.timed_out,
        }
    }
}
