use base::{Applicability, Diagnostic, ProjectPath};
use edit::{Files, Splice};

use crate::Overlaid;

/// One atomic change that would answer one diagnostic: all its splices or none.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What is replaced, in the coordinates of the files it was proposed for; per file in
    /// ascending order, without overlap.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// Why, in one line: for a compiler's suggestion its help text.
    pub rationale: String,
    /// How sure its author is.
    pub applicability: Applicability,
    /// Which reasoner made it.
    pub reasoner: &'static str,
    /// Index of the diagnostic it answers.
    pub seed: usize,
}

/// A source of fixes. Evidence in, fixes out, best first.
pub trait Reasoner: Send + Sync {
    /// The name that traces and reports use.
    fn name(&self) -> &'static str;

    /// Fixes for `diagnostics`, whose spans are coordinates of `files`. A fix that would place
    /// text where `files` has none is never returned.
    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix>;

    /// The same where files lie below an overlay, for a reasoner that has to know which are not
    /// as they are on disk.
    fn propose_on(&self, diagnostics: &[Diagnostic], files: &Overlaid<'_>) -> Vec<Fix> {
        self.propose(diagnostics, files)
    }
}
