//! Engines that run many tasks, each apart from the others: in threads of this process, or on Ray.
//!
//! - [`Engine`] runs one task at a time for each of its callers. [`EmbeddedEngine`] runs it in the calling thread,
//!   [`RayEngine`] on a cluster, where an actor for each seat keeps `graftage worker --stdio` running.
//! - [`TaskRunner`] does the work of a task; the program implements it. Both engines, and [`serve_worker`] on the other
//!   end, call the same one, so that the engine changes no result.
//! - [`ModelRegistry`] has the models of a person.
//! - [`LocalServer`] runs one of them.
//! - [`serve_daemon`] keeps one loaded for the programs of a user; [`DobbyClient`] is one of them.
//! - [`drive`] runs tasks on an engine: as many at a time as it has seats, one that was lost again.
//!
//! Invariants: a task ends exactly once, with a result, an error or by the stop of the run; a lost worker, node or
//! cluster loses no task; a worker ends when its input does.

mod daemon;
mod drive;
mod embedded;
mod engine;
mod local;
mod ray;
mod registry;
mod stops;
mod verify;
mod worker;

pub use daemon::{
    DaemonError, DaemonOptions, DaemonStop, DaemonWork, DobbyClient, StartModel, TaskAgent,
    TaskPayload, log_lines, serve_daemon,
};
pub use drive::{DriveEvent, DriveOptions, drive};
pub use embedded::EmbeddedEngine;
pub use engine::{Engine, EngineTask, TaskFault, TaskRunner};
pub use local::{LocalModelError, LocalServer, LocalServerOptions};
pub use model::ModelError;
pub use ray::{RayEngine, RayError, RayOptions};
pub use registry::{EnsuredModel, ModelRegistry};
pub use verify::{VerifiedModel, verify};
pub use worker::serve_worker;
