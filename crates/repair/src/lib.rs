//! Deterministic reasoners: from diagnostics to candidate edits, one file a rule; the bounded
//! search over their combinations; and the preservation rule that a repair must keep.
//!
//! Invariants: pure – it proposes, it proves nothing and writes nothing; the same diagnostics and
//! files give the same candidates in the same order.

use base::{Applicability, Diagnostic, ProjectPath};
use edit::{Files, Overlay, Splice};



/// One atomic change that would answer one diagnostic: all its splices or none.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    pub splices: Vec<(ProjectPath, Splice)>,
    pub rationale: String,
    pub applicability: Applicability,
    /// which reasoner
    pub reasoner: &'static str,
    /// index of the diagnostic it answers
    pub seed: usize,
}

/// A source of fixes. Evidence in, fixes out, best first.
pub trait Reasoner: Send + Sync {
    fn name(&self) -> &'static str;
    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix>;
}

/// rustc's and clippy's own suggestions: every applicability, alternatives split.
pub struct CompilerSuggestions;

/// Something a repair may not do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation { pub rule: &'static str, pub path: ProjectPath, pub line: u32, pub detail: String }

/// What `overlay` takes away or smuggles in; empty when it preserves.
pub fn violations(_overlay: &Overlay) -> Vec<Violation> { unimplemented!() }

/// How far the compiler came: a higher phase is better whatever the number of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase { Parse, Resolve, Types, Borrows, Built }

/// What a proof said of an attempt, in the coordinates of the attempt's own text.
#[derive(Clone, Debug)]
pub struct Judgement { pub diagnostics: Vec<Diagnostic>, pub built: bool, /// tests too, where asked
 pub passed: bool }

#[derive(Clone, Debug)]
pub struct SearchLimits { pub attempts: usize, pub beam: usize, pub rounds: usize }

/// One combination to be proven.
#[derive(Clone, Debug)]
pub struct Attempt { pub id: usize, pub overlay: Overlay, pub rationale: Vec<String>, /// holds placeholders or breaks preservation: can end as a draft only
 pub draft: bool, pub violations: Vec<Violation> }

/// Best-first search over combinations of fixes: ask for the next attempts, prove them (in any
/// order, in parallel), report the judgements.
pub struct Search {}
impl Search {
    pub fn new(_reasoners: Vec<Box<dyn Reasoner>>, _limits: SearchLimits, _diagnostics: &[Diagnostic], _files: &dyn Files) -> Self { unimplemented!() }
    /// Up to `n` attempts to prove next; empty when the search is over.
    pub fn next(&mut self, _n: usize) -> Vec<Attempt> { unimplemented!() }
    pub fn judged(&mut self, _id: usize, _judgement: Judgement, _files: &dyn Files) { unimplemented!() }
    /// Proven attempts, best first: preserving before drafts, then smallest diff.
    pub fn winners(&self) -> Vec<&Attempt> { unimplemented!() }
    pub fn attempts(&self) -> usize { unimplemented!() }
}
