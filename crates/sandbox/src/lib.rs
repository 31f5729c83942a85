//! Runs foreign processes confined; the only crate that starts processes.
//!
//! Protections are independent layers – namespaces, Landlock, seccomp, process-tree kill, memory
//! and process limits, an allow-list of environment variables, reads limited to what the job
//! names – each probed once by using it. The strongest available ones are used, every [`Outcome`]
//! names them, and a job whose [`Level`] cannot be met is refused, never run with less.
//!
//! The binary re-executes itself as the inner stage: `main` calls [`inner_main_if_asked`] first.
//!
//! Invariants: no process of a job outlives [`Sandbox::run`]; nothing is inherited but the two
//! output pipes and, with [`Sandbox::converse`], the caller's input; a program never starts before
//! all of its layers are active. Linux only.
//!
//! The limits of Landlock alone (without namespaces) are listed in [`Protections::degraded`]: it
//! does not control modes, owners and times of the user's own files.
//!
//! Start at [`Sandbox::run`], then [`Job`].

mod capture;
mod cgroup;
mod error;
mod inner;
mod job;
mod known;
mod layers;
mod outcome;
mod person;
mod plan;
mod programs;
mod run;
mod scratch;
mod side;
mod sys;
mod system;
mod wire;

pub use error::SandboxError;
pub use inner::{LAUNCHER, RecordedStart, UnitRecord, inner_main_if_asked, unit_wrapper};
pub use job::{Job, JobLimits, Level, Mount, Network, Stream, Upper, View};
pub use layers::{Capabilities, Finding, Layers};
pub use outcome::{Outcome, Protections};
pub use person::run_for_person;
pub use programs::{program_in, programs};
pub use run::Sandbox;
pub use side::{SideProcess, SideProgram, SideStreams};
