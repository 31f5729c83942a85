//! Learns the encoder's embedding table: one vector per term, trained on pairs of a doc comment's
//! first sentence and the documented code, taken from public crates. This crate is never shipped;
//! only the table is.
//!
//! A [`Pin`] names a crate by version and checksum, [`Exclusion`] rejects crates of the evaluation
//! sets, [`licence`] rejects crates without a permissive licence. `extract` turns a crate's sources
//! into `Sample`s, a [`Dataset`] stores them as term ids, [`train`] learns a table from it, and
//! [`evaluate`] measures a table on set B.
//!
//! Invariants: the same pins, seed and program give the same bytes for any number of threads,
//! because every sum has a fixed order. A pinned crate that is excluded or not permissive is an
//! error. No network: sources come from `cargo fetch`. Only paths given as arguments are written.

mod batches;
mod dataset;
mod error;
mod evaluate;
mod exclusion;
mod extract;
mod file_questions;
pub mod licence;
mod math;
mod sentence;
mod sources;
mod step;
mod suite;
mod train;

pub use dataset::{Bag, CratePairs, Dataset, Pair};
pub use error::TrainError;
pub use evaluate::{Evaluation, evaluate, evaluation_sentences};
pub use exclusion::Exclusion;
pub(crate) use extract::{Sample, samples_of_crate};
pub use file_questions::{FileQuestionKind, SPLITS, file_question_suite};
pub(crate) use sources::CrateManifest;
pub use sources::{Pin, Registry, locked_checksums, read_pins, select_pins, verified_folders};
pub use suite::{CrateQuestions, questions};
pub use train::{TrainSettings, train};
