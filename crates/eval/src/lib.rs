//! Runs suites of cases with the product as a user gets it, grades the answers independently, and
//! reports scores, groups and rejected answers with their reasons, beside the scores of a
//! deletion-only baseline.
//!
//! Invariants: the product has no switch for the evaluation. Nothing that the product reports about
//! itself is used for a grade: the graders compile and test the final tree in target directories of
//! their own, and the preservation rule is checked by a separate token-based checker ([`preserve`])
//! that shares no code with the crates that propose changes. Results are lines that are reused only
//! for the same case, the same input, the same product and the same graders.
//!
//! Search is graded by whether it finds what people had to find ([`Suite::Localise`],
//! [`Suite::Doc2Item`]), beside plain searches and with a diagnosis of each missed target.
//!
//! Start reading at [`run()`].

mod bench;
mod break_fix;
mod calls;
mod cases;
mod compare;
mod cpu;
mod deletion;
mod diff;
mod error;
mod error_index;
mod failing_tests;
mod fetch;
mod fixer;
mod layout;
mod mentioned_names;
mod one_pass;
mod parts;
mod patch;
pub mod preserve;
mod report;
mod result;
mod retrieval;
mod run;
mod rust_fix;
mod store;
mod suite;
mod summary;

/// Which cargo features rust-analyzer enables.
pub use analyzer::Features;
pub use calls::receivers::Receivers;
pub use calls::{Missed, OracleOptions, OracleReport, Share, Tally, WrongEdge, oracle};
pub use cases::{BreakFix, Breaks, Case, ErrorIndex, RustFix};
pub use compare::{CaseAnswer, Comparison, DifferingCase, RunColumn, compare};
pub use error::EvalError;
pub use fetch::{FetchedSources, fetch};
pub(crate) use fixer::Product;
pub use fixer::{Answer, Fixer};
pub use parts::{PartResults, open_parts};
pub(crate) use result::CaseResult;
use result::Deleted;
pub(crate) use retrieval::MissedTarget;
pub use retrieval::cases::{CorpusItem, Doc2Item, Doc2ItemSuite, GoldItem, Localise};
pub use retrieval::ranker::{FitOptions, Fitted, FittedWeights, fit_weights};
pub use run::{RunEnvironment, RunOptions, report, run, run_with};
pub use suite::Suite;
pub use summary::Summary;
