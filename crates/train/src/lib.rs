//! Makes the encoder's table: a vector for each term, learned from pairs of a doc comment's first
//! sentence and the code below it, out of public crates. Never shipped; what ships is the table.
//!
//! A [`Pin`] names a crate by version and checksum, an [`Exclusion`] says which may not be used,
//! [`licence`] which are free enough. `extract` makes [`Sample`]s of a crate's sources – they
//! serve whoever wants pairs –, a [`Dataset`] holds them as numbers, [`train`] learns from it, and
//! [`evaluate`] measures a table on set B.
//!
//! Invariants: the same pins, seed and program give the same bytes of table, however many threads
//! work: every sum has one order. A crate that is excluded or not free ends the work with an
//! error. No network: sources are what `cargo fetch` brought. It writes only where it is told to.

mod batches;
mod dataset;
mod error;
mod evaluate;
mod exclusion;
mod extract;
pub mod licence;
mod math;
mod sentence;
mod sources;
mod step;
mod suite;
mod train;

pub use dataset::{Bag, CratePairs, Dataset, Pair};
pub use error::TrainError;
pub use evaluate::{Evaluation, evaluate, sentences};
pub use exclusion::Exclusion;
pub use extract::{Sample, samples_of_crate, samples_of_file};
pub use sentence::first_sentence;
pub use sources::{CrateManifest, Pin, Registry, checked, locked, pinnable, pins};
pub use suite::{CrateQuestions, is_for_ranking, questions};
pub use train::{Settings, train};
