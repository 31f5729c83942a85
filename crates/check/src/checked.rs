use base::Diagnostic;
use edit::Overlay;
use policy::{Evidence, RungName};

use crate::Mapped;

/// An overlay and its proof. Its evidence is whole: comparison with the tests before, violations and
/// coverage are part of it.
#[derive(Debug)]
pub struct Checked {
    /// What was proven; empty for a baseline.
    pub overlay: Overlay,
    /// For the gate.
    pub evidence: Evidence,
    /// Errors first; coordinates of the overlay's text.
    pub diagnostics: Vec<Diagnostic>,
    /// The same in the same order, with their places in the user's own text.
    pub mapped: Vec<Mapped>,
    /// Where tests were run.
    pub tests: Option<cargo::TestReport>,
    /// cargo's failure that is no diagnostic.
    pub failure: Option<String>,
    /// A rung ran out of time.
    pub timed_out: bool,
}

impl Checked {
    /// Whether every rung that was climbed held; advice does not count.
    pub fn passed(&self) -> bool {
        self.evidence.rungs.iter().all(|rung| rung.passed || rung.name == RungName::Format)
    }

    /// How many errors the compiler found.
    pub fn errors(&self) -> usize {
        self.evidence.errors_after
    }
}
