//! [`Guard`]: the order of a task as a behavioural program, run beside the machine.

use std::sync::Arc;

use policy::program::{Blocker, Event, Offered, Program, ProgramError, Run, RunError};
use policy::{Policy, PolicyError};

use super::TaskEvent;

/// The threads, in the form of policy files.
pub(crate) const THREADS: &str = include_str!("guard.toml");

/// Why an event of a task may not happen, or why there is no guard.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum GuardFault {
    /// The shipped text is no set of threads.
    #[error(transparent)]
    Text(#[from] PolicyError),
    /// The shipped threads are no program.
    #[error(transparent)]
    Threads(#[from] ProgramError),
    /// Threads block the event.
    #[error("`{}` is blocked: {}", .event.name(), reasons(.blockers))]
    Blocked { event: TaskEvent, blockers: Vec<Blocker> },
    /// Other events follow the event without end.
    #[error("`{}` has no end", .event.name())]
    Endless { event: TaskEvent },
}

/// A run of the program.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    run: Run,
}

impl Guard {
    /// The guard of a task that has not started; an error is one of the shipped file, which a test
    /// excludes.
    pub(crate) fn new() -> Result<Self, GuardFault> {
        Ok(Self::of(program()?))
    }

    pub(crate) fn of(program: Program) -> Self {
        Self { run: Run::new(Arc::new(program)) }
    }

    /// Where its threads are.
    #[cfg(test)]
    pub(crate) fn positions(&self) -> Vec<policy::program::ThreadPosition> {
        self.run.snapshot().positions
    }

    /// The guard of a task whose change was verified.
    pub(crate) fn verified() -> Result<Self, GuardFault> {
        let mut guard = Self::new()?;
        let before = [
            TaskEvent::Started,
            TaskEvent::Materialized,
            TaskEvent::Checked,
            TaskEvent::Scored,
            TaskEvent::TestsPassed,
            TaskEvent::GateOpened,
        ];
        for event in before {
            guard.offer(event)?;
        }
        Ok(guard)
    }

    /// Lets an event happen; the threads that block it otherwise.
    pub(crate) fn offer(&mut self, event: TaskEvent) -> Result<(), GuardFault> {
        let offered = self.run.offer(Event::new(event.name()), 0, &mut |_| {});
        match offered {
            Ok(Offered::Selected) => Ok(()),
            Ok(Offered::Blocked(blockers)) => Err(GuardFault::Blocked { event, blockers }),
            Err(RunError::Budget { .. } | RunError::NotEnabled { .. }) => {
                Err(GuardFault::Endless { event })
            }
        }
    }
}

fn reasons(blockers: &[Blocker]) -> String {
    let list: Vec<String> =
        blockers.iter().map(|it| format!("{} ({})", it.because, it.thread)).collect();
    list.join("; ")
}

/// The program of the threads.
pub(crate) fn program() -> Result<Program, GuardFault> {
    Ok(Program::new(Policy::threads_of(THREADS)?)?)
}
