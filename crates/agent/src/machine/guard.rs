//! [`Guard`]: the order of a task as a behavioural program, run beside the machine.

use std::sync::Arc;

use policy::Policy;
use policy::program::{Blocker, Event, Offered, Program, Run, RunError};

use super::TaskEvent;

/// The threads, in the form of policy files.
pub(crate) const THREADS: &str = include_str!("guard.toml");

/// A run of the program.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    run: Run,
}

impl Guard {
    /// The guard of a task that has not started; an error is one of the shipped file, which a test
    /// excludes.
    pub(crate) fn new() -> Result<Self, String> {
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
    pub(crate) fn verified() -> Result<Self, String> {
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
    pub(crate) fn offer(&mut self, event: TaskEvent) -> Result<(), String> {
        let offered = self.run.offer(Event::new(event.name()), 0, &mut |_| {});
        match offered {
            Ok(Offered::Selected) => Ok(()),
            Ok(Offered::Blocked(blockers)) => Err(reasons(event, &blockers)),
            Err(RunError::Budget { .. } | RunError::NotEnabled { .. }) => {
                Err(format!("`{}` has no end", event.name()))
            }
        }
    }
}

fn reasons(event: TaskEvent, blockers: &[Blocker]) -> String {
    let list: Vec<String> =
        blockers.iter().map(|it| format!("{} ({})", it.because, it.thread)).collect();
    format!("`{}` is blocked: {}", event.name(), list.join("; "))
}

/// The program of the threads.
pub(crate) fn program() -> Result<Program, String> {
    let threads = Policy::threads_of(THREADS).map_err(|error| error.to_string())?;
    Program::new(threads).map_err(|error| error.to_string())
}
