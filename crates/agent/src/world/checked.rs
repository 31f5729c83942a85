//! [`CheckRecord`]: the result of a proof as a trace keeps it.

use check::{Checked, MappedDiagnostic};
use edit::Overlay;
use policy::{Evidence, RungName};
use serde::{Deserialize, Serialize};

/// A [`Checked`] without its overlay, which the question has, unless the proof formatted it.
#[derive(Serialize, Deserialize)]
pub(crate) struct CheckRecord {
    evidence: Evidence,
    mapped: Vec<MappedDiagnostic>,
    tests: Option<build::TestReport>,
    failure: Option<String>,
    timed_out: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    altered_by: Option<RungName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    formatted: Option<Overlay>,
}

impl CheckRecord {
    /// The record of a proof of `asked`.
    pub(crate) fn of(checked: &Checked, asked: &Overlay) -> Self {
        let is_formatted = checked.overlay.patch_set() != asked.patch_set();
        Self {
            evidence: checked.evidence.clone(),
            mapped: checked.mapped.clone(),
            tests: checked.tests.clone(),
            failure: checked.failure.clone(),
            timed_out: checked.timed_out,
            altered_by: checked.altered_by,
            formatted: is_formatted.then(|| checked.overlay.clone()),
        }
    }

    /// The result for the overlay of the question. Its evidence opens no gate.
    pub(crate) fn restored(self, overlay: Overlay) -> Checked {
        Checked {
            overlay: self.formatted.unwrap_or(overlay),
            evidence: self.evidence,
            diagnostics: self.mapped.iter().map(|it| it.diagnostic.clone()).collect(),
            mapped: self.mapped,
            tests: self.tests,
            failure: self.failure,
            timed_out: self.timed_out,
            altered_by: self.altered_by,
        }
    }
}
