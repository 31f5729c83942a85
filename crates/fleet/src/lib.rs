//! One task over many repositories: `graftage fleet run TASK --repos FILE|DIR`.
//!
//! - [`repositories`] reads which ones.
//! - [`CommandRunner`] runs the command of a task in one of them, as a process with limits; an engine of `dobby` calls it,
//!   here or on a cluster.
//! - [`run_fleet`] runs the task in all of them and keeps the results in a folder; a run that was cut off continues there.
//! - [`FleetReport`] is the table; `page.rs` makes the page of it.
//!
//! Invariants: a repository is never written without `apply`, and then by the command itself, through its gate; a result
//! is written as a whole, once for each repository, and does not depend on engine, worker or attempt; a repository cannot
//! reach the results: what runs in it is confined by the command, and its caches are in a folder of its own.

mod document;
mod error;
mod page;
mod report;
mod repositories;
mod run;
mod runner;
mod store;

pub use error::FleetError;
pub use report::{FleetReport, RepositoryResult, is_good};
pub use repositories::{Repository, repositories};
pub use run::{FleetEvent, FleetOptions, run_fleet};
pub use runner::{CommandEnd, CommandLimits, CommandRunner, own_folder, single_task};
pub use store::FleetStore;
