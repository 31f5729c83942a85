//! [`Checked`]: the result of a proof, with its evidence, diagnostics and tests. `draft.rs`
//! accumulates it.

use base::Diagnostic;
use edit::Overlay;
use policy::{Evidence, RungName};

use crate::MappedDiagnostic;

/// An overlay and its proof. The evidence is complete: it includes the comparison with earlier tests,
/// violations and coverage.
#[derive(Debug)]
pub struct Checked {
    /// The overlay that was checked; empty for a baseline.
    pub overlay: Overlay,
    /// The evidence for the gate.
    pub evidence: Evidence,
    /// Diagnostics, errors first, in coordinates of the overlay's text.
    pub diagnostics: Vec<Diagnostic>,
    /// The same diagnostics in the same order, mapped to the user's own text.
    pub mapped: Vec<MappedDiagnostic>,
    /// Test results, if tests were run.
    pub tests: Option<build::TestReport>,
    /// A failure of cargo that is not a diagnostic.
    pub failure: Option<String>,
    /// Whether a rung exceeded its time limit.
    pub timed_out: bool,
    /// The last rung whose build changed files of the change or of the tree.
    pub altered_by: Option<RungName>,
}

impl Checked {
    /// Whether every rung that was run passed; advice does not count.
    pub fn passed(&self) -> bool {
        self.evidence.rungs.iter().all(|rung| rung.passed || rung.name == RungName::Format)
    }

    /// The number of compiler errors.
    pub fn errors(&self) -> usize {
        self.evidence.errors_after
    }
}
