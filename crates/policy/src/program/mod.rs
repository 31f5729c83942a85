//! Behavioural programs: rules as threads that run side by side and know of no other
//! (behavioural programming after Harel, Marron and Weiss).
//!
//! Each thread is at a synchronisation, where it requests, waits for and blocks events. Of all
//! requested events that no thread blocks, the one of the lowest priority number happens; every
//! thread that requested it or waits for it moves on. An event from outside is offered
//! ([`Run::offer`]): it happens before what threads request, or is [`Offered::Blocked`] and
//! forgotten, with the threads that block it and their reasons.
//!
//! ```text
//!  Program (threads, static) ──▶ Run (positions) ──▶ offer, run ──▶ events
//!          └──────────────────▶ verify (all positions that can be reached) ──▶ Report, trace
//! ```
//!
//! Threads are data: a program can be read from a file, compared, and verified ([`verify()`]).

mod alphabet;
mod event;
mod property;
mod run;
mod thread;
mod verify;

use serde::{Deserialize, Serialize};

pub use alphabet::alphabet;
pub(crate) use alphabet::{MOST_SAMPLES, near, product};
pub use event::{Event, Pattern, PatternError, Value};
pub use property::Property;
pub use run::{Blocker, Choice, Offered, ProgramSnapshot, Requested, Run, RunError};
pub use thread::{Gate, Limit, Steps, Sync, Thread, ThreadBody, ThreadPosition};
pub use verify::{ExplorationLimits, ExplorationReport, PropertyViolation, verify};

/// A set of threads with unique names and priorities, in order of priority.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Threads", into = "Threads")]
pub struct Program {
    threads: Vec<Thread>,
}

/// A program as a file has it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threads {
    #[serde(default)]
    thread: Vec<Thread>,
}

/// Why threads are no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// Two threads have one name.
    #[error("two threads are named `{0}`; a reason could not tell which one blocks")]
    Name(String),
    /// Two threads have one priority.
    #[error("`{0}` and `{1}` have the same priority; give each thread its own number")]
    Priority(String, String),
}

impl Program {
    /// A program of these threads.
    pub fn new(mut threads: Vec<Thread>) -> Result<Self, ProgramError> {
        threads.sort_by_key(|thread| thread.priority);
        for pair in threads.windows(2) {
            if pair[0].priority == pair[1].priority {
                return Err(ProgramError::Priority(pair[0].name.clone(), pair[1].name.clone()));
            }
        }
        let mut names: Vec<&str> = threads.iter().map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ProgramError::Name(pair[0].to_owned()));
        }
        Ok(Self { threads })
    }

    /// The threads, in order of priority.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// The program without one thread.
    pub fn without(&self, name: &str) -> Self {
        Self { threads: self.threads.iter().filter(|it| it.name != name).cloned().collect() }
    }
}

impl TryFrom<Threads> for Program {
    type Error = ProgramError;

    fn try_from(file: Threads) -> Result<Self, ProgramError> {
        Self::new(file.thread)
    }
}

impl From<Program> for Threads {
    fn from(program: Program) -> Self {
        Self { thread: program.threads }
    }
}
