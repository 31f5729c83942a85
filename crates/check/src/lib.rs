//! The proof ladder: parse and format, rust-analyzer where one runs, cargo check, clippy, affected
//! tests, all tests – each rung cheaper than the next, stopping at the first failure – and diagnostics
//! mapped through the overlay back to the user's text and to items.
//!
//! Invariants: a verdict never differs from that of a cold check; no file of the user is written
//! (not even `target/`); a candidate never sees what another candidate built; a verdict is for one
//! state of the tree, and is computed again if the tree moved meanwhile.
//!
//! ```text
//! Prover::new ─▶ baseline ─▶ prove · prove · prove (in parallel) ─▶ Checked ─▶ policy::decide
//! ```

mod baseline;
mod before;
mod candidate;
mod changed_examples;
mod checked;
mod compare;
mod compiled;
mod coverage;
mod doc_test;
mod draft;
mod error;
mod failing;
mod format;
mod head;
mod held;
mod included_by;
mod kept;
mod ladder;
mod ladder_run;
mod left_out;
mod map;
mod parse;
mod place;
mod preflight;
mod prepared;
mod protected;
mod prover;
mod public_api;
mod rung;
mod scope;
mod skipped;
mod stories;
mod story_apps;
mod test_choice;
mod test_files;
mod test_rung;

mod tests_since;
mod text;
mod tree_state;
mod workspace;

pub use checked::Checked;
pub use coverage::{BuiltCode, CodeTarget};
pub use doc_test::DocTestName;
pub use error::CheckError;
pub use failing::{CoverageReport, CoverageRequest, TestCoverage, TrialReport, TrialRequest};
pub use ladder::{Asked, Ladder, RenamedName, SkipRule, Tests};
pub use ladder_run::protection_layers;
pub use map::MappedDiagnostic;
pub use preflight::{Preflight, PreflightLimits, Users};
pub use prover::Prover;
pub use scope::{Scope, ScopeError};
pub use stories::{StoriesFound, StoriesPlayed, StoriesTree, StoryChoice};
