//! [`Fix`], one atomic change for one diagnostic, and [`Reasoner`], the source of fixes. A new rule
//! implements the latter.

use std::sync::Arc;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use change::{Guess, GuessKind};
use edit::{Files, Splice};

use crate::Overlaid;
use crate::phase::errors;

/// One atomic change that answers one diagnostic: all of its splices are applied, or none.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// Replacements in the coordinates of the files it was proposed for, per file ascending and
    /// without overlap.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// Reason in one line; the help text of a compiler suggestion.
    pub rationale: String,
    /// Confidence of the reasoner.
    pub applicability: Applicability,
    /// Name of the reasoner.
    pub reasoner: &'static str,
    /// Index of the diagnostic that it answers.
    pub seed: usize,
    /// The parts of the inserted texts that are guessed.
    pub guesses: Vec<Guess>,
}

impl Fix {
    /// Whether it is one of several changes that mean different things, so that it must not be
    /// applied while another one passes too.
    pub(crate) fn is_choice(&self) -> bool {
        use crate::conflicts::{BOTH, NAME, ORDERED};
        matches!(self.reasoner, NAME | BOTH | ORDERED)
    }

    /// Whether it changes what errors elsewhere come from – a derive of a type, a feature of a
    /// dependency – rather than the place of one.
    pub(crate) fn is_of_cause(&self) -> bool {
        let changes_cause = |(path, splice): &(ProjectPath, Splice)| {
            path.file_name() == "Cargo.toml" || splice.insert.contains("#[derive(")
        };
        self.reasoner == crate::derives::NAME || self.splices.iter().any(changes_cause)
    }
}

/// A source of fixes for diagnostics.
pub trait Reasoner: Send + Sync {
    /// Name for traces and reports.
    fn name(&self) -> &'static str;

    /// Fixes for `diagnostics`, best first; spans refer to `files`. Every splice fits its file.
    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix>;

    /// The same for files below an overlay, for a reasoner that needs to know which files differ
    /// from disk.
    fn propose_on(&self, diagnostics: &[Diagnostic], files: &Overlaid<'_>) -> Vec<Fix> {
        self.propose(diagnostics, files)
    }
}

/// A change of one file that a deterministic reasoner proposes for one error.
#[derive(Clone)]
pub(crate) struct Proposal {
    pub(crate) path: ProjectPath,
    /// Replacements, ascending and without overlap.
    pub(crate) splices: Vec<Splice>,
    /// Reason in one line.
    pub(crate) rationale: String,
    /// The parts of the inserted texts that are guessed.
    pub(crate) guesses: Vec<Guess>,
}

impl Proposal {
    pub(crate) fn new(path: &ProjectPath, splice: Splice, rationale: String) -> Self {
        Self { path: path.clone(), splices: vec![splice], rationale, guesses: Vec::new() }
    }

    /// The same, of whose first insertion these parts are guessed values.
    pub(crate) fn guessing(mut self, parts: impl IntoIterator<Item = ByteSpan>) -> Self {
        let Some(splice) = self.splices.first().map(|it| it.span) else { return self };
        let guess = |part| Guess {
            path: self.path.clone(),
            splice,
            part,
            kind: GuessKind::Value,
            need: None,
        };
        self.guesses = parts.into_iter().map(guess).collect();
        self
    }

    pub(crate) fn into_fix(self, reasoner: &dyn Reasoner, seed: usize) -> Fix {
        Fix {
            splices: self.splices.into_iter().map(|it| (self.path.clone(), it)).collect(),
            rationale: self.rationale,
            applicability: Applicability::Unspecified,
            reasoner: reasoner.name(),
            seed,
            guesses: self.guesses,
        }
    }
}

/// The proposals for each error as guesses of the reasoner.
pub(crate) fn guesses(
    reasoner: &dyn Reasoner,
    diagnostics: &[Diagnostic],
    propose: impl Fn(&Diagnostic) -> Option<Vec<Proposal>>,
) -> Vec<Fix> {
    errors(diagnostics)
        .flat_map(|(seed, error)| {
            let proposals = propose(error).unwrap_or_default();
            proposals.into_iter().map(move |it| it.into_fix(reasoner, seed))
        })
        .collect()
}

/// The text of a file; `None` if it is missing or unreadable, so that nothing is proposed for it.
pub(crate) fn text_of(files: &dyn Files, path: &ProjectPath) -> Option<Arc<str>> {
    files.read(path).ok().flatten().map(|state| state.text)
}
