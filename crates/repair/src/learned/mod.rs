//! Reasoner: edits that were learned from accepted changes ([`EditPattern`]).
//!
//! A pattern is the shape of an error and the edit that fixed it, placed relative to the error's spans,
//! with holes for the names in the error's message. [`mine`] makes patterns of an accepted change; only
//! those from which the same change follows again are returned. What a pattern proposes is a candidate
//! like any other: cargo, the tests, the preservation rule and the gate decide. As long as a pattern is
//! known from one place only, the value that it inserts is a guess. An element of braces that has nothing of
//! the place of the error – the same value for a field, the same arm – is proposed from the second place
//! on, and stays a guess: that it compiles and runs elsewhere is little evidence.

mod apply;
mod mine;
mod pattern;
#[cfg(test)]
mod tests;

use base::{Applicability, Diagnostic};
use edit::Files;

pub use mine::mine;
pub use pattern::{EditPattern, EditPlace, InsertPart, PatternEdit, PatternToken, SpanRole};

use crate::fix::text_of;
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// Name of the reasoner.
pub(crate) const NAME: &str = "learned";
/// Maximum number of patterns that are tried for one error.
const MOST: usize = 8;

/// A pattern and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LearnedEdit {
    /// The pattern.
    pub pattern: EditPattern,
    /// Number of places where it was proven, in accepted changes.
    pub places: u64,
    /// The last of these changes, for a message.
    pub change: String,
}

/// Edits that were learned from accepted changes.
pub struct Learned {
    /// Those proven in most places first.
    edits: Vec<LearnedEdit>,
}

impl Learned {
    /// Proposes these edits.
    pub fn new(mut edits: Vec<LearnedEdit>) -> Self {
        edits.sort_by(|a, b| b.places.cmp(&a.places).then_with(|| a.pattern.cmp(&b.pattern)));
        Self { edits }
    }

    fn fix(
        &self,
        seed: usize,
        edit: &LearnedEdit,
        error: &Diagnostic,
        files: &dyn Files,
    ) -> Option<Fix> {
        let is_constant = edit.pattern.is_constant();
        if is_constant && edit.places < 2 {
            return None;
        }
        let path = error.primary()?.place.project()?;
        let text = text_of(files, path)?;
        let splices = edit.pattern.apply(error, path, &text)?;
        let is_guess = edit.places < 2 || is_constant;
        let guesses = match is_guess {
            true => splices.iter().filter_map(|it| apply::guess(path, it)).collect(),
            false => Vec::new(),
        };
        Some(Fix {
            splices: splices.into_iter().map(|it| (path.clone(), it)).collect(),
            rationale: format!(
                "as in change {}, accepted in {}",
                edit.change,
                base::counted(edit.places as usize, "place")
            ),
            // One that was proven twice comes before the guesses of the rules.
            applicability: match is_guess {
                true => Applicability::Unspecified,
                false => Applicability::MaybeIncorrect,
            },
            reasoner: NAME,
            seed,
            guesses,
        })
    }
}

impl Reasoner for Learned {
    fn name(&self) -> &'static str {
        NAME
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let of_error = |(seed, error): (usize, &Diagnostic)| -> Vec<Fix> {
            let fixes = self.edits.iter().filter_map(|it| self.fix(seed, it, error, files));
            fixes.take(MOST).collect()
        };
        errors(diagnostics).flat_map(of_error).collect()
    }
}
