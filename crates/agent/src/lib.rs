//! Leads one task from wish to decision: Propose → Materialize → Check → Test → Score → Decide →
//! Apply | Refine | Abort. Here it is [`fix`]: diagnostics in, the smallest proven repair out.
//!
//! Invariants: what it returns as proven was proven by `check` on exactly that overlay and passed
//! `policy::decide`; it writes nothing itself – [`apply`] hands overlay and permit to
//! `repo::Project::apply`. Every transition is an [`Event`].
//!
//! Start reading at [`fix`].

mod event;
mod fix;
mod prove;
mod report;
mod task;

pub use event::{Event, Step};
pub use fix::{FixOptions, Fixed, Reasoners, apply, fix};
pub use report::{FixReport, Outcome, RefusedAttempt, StepRow};

/// What went wrong below the agent; the tools' errors are all there are.
pub type AgentError = tools::Error;
