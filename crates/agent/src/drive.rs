//! [`Driver`]: does what the machine of a task commands, and reports the events. It decides nothing
//! about their order.
//!
//! The check of the tree finds the [`Job`] of the task; the job does the commands from there on, and owns
//! what it has found so far, so that a driver cannot hold parts of two jobs.

mod errors;
mod only;
mod tree;

use std::time::Duration;

use repair::Attempt;

use crate::failing::Failing;
use crate::machine::guard::Guard;
use crate::machine::{TaskCommand, TaskEvent};
use crate::task::Task;
use crate::verify::TestedChange;
use crate::{AgentError, FixEvent, FixResult, LeftRow, Machine, TaskStep};

use errors::ErrorSearch;
use only::OnlyCandidate;

/// How long a wait sleeps before it looks for an interrupt.
const SLICE: Duration = Duration::from_millis(50);

/// A task and the state of its machine.
pub(crate) struct Driver<'a> {
    task: Task<'a>,
    machine: Machine,
    guard: Guard,
    /// The states so far, without repetitions in sequence.
    states: Vec<TaskStep>,
    job: Job,
}

/// Work of a task, as the check of its tree has found it.
enum Job {
    /// The tree was not checked yet.
    Unknown,
    /// Errors are repaired.
    Errors(Box<ErrorSearch>),
    /// Failing tests are repaired.
    Failing(Box<Failing>),
    /// A change that is already there is proved.
    Only(Box<OnlyCandidate>),
}

/// Outcome of a command.
pub(crate) struct Done {
    /// Event that it reports.
    pub(crate) event: TaskEvent,
    /// The result, where the event ends the task.
    pub(crate) result: Option<Box<FixResult>>,
}

impl Done {
    /// The end of a task.
    pub(crate) fn end(event: TaskEvent, result: FixResult) -> Self {
        Self { event, result: Some(Box::new(result)) }
    }
}

impl From<TaskEvent> for Done {
    fn from(event: TaskEvent) -> Self {
        Self { event, result: None }
    }
}

/// How far the candidate of a search is.
#[derive(Default)]
pub(crate) enum Trial {
    /// There is none.
    #[default]
    Nothing,
    /// It builds.
    Scored(Box<Attempt>),
    /// It has passed the tests.
    Passed(Box<PassedAttempt>),
}

/// A candidate that has passed the tests.
pub(crate) struct PassedAttempt {
    pub(crate) attempt: Attempt,
    pub(crate) tested: TestedChange,
    /// The places of former names that it leaves.
    pub(crate) left: Vec<LeftRow>,
}

impl Trial {
    /// The candidate that builds.
    pub(crate) fn scored(&self) -> Result<&Attempt, AgentError> {
        match self {
            Self::Scored(attempt) => Ok(attempt),
            _ => Err(defect("there is no candidate that builds")),
        }
    }

    /// Takes the candidate that has passed.
    pub(crate) fn take_passed(&mut self) -> Result<PassedAttempt, AgentError> {
        match std::mem::take(self) {
            Self::Passed(passed) => Ok(*passed),
            _ => Err(defect("there is no candidate that passed")),
        }
    }
}

/// What a driver leaves: the result, and the states of its machine.
pub(crate) struct Driven {
    pub(crate) result: Result<FixResult, AgentError>,
    pub(crate) states: Vec<TaskStep>,
}

pub(crate) fn defect(reason: impl std::fmt::Display) -> AgentError {
    AgentError::Machine { reason: reason.to_string() }
}

/// A command that a job has nothing to do for.
pub(crate) fn not_for(command: TaskCommand) -> AgentError {
    defect(format!("`{command:?}` is not for this search"))
}

impl<'a> Driver<'a> {
    pub(crate) fn new(task: Task<'a>) -> Result<Self, AgentError> {
        Ok(Self {
            task,
            machine: Machine::default(),
            guard: Guard::new().map_err(defect)?,
            states: vec![TaskStep::Ready],
            job: Job::Unknown,
        })
    }

    /// Runs the task to its end.
    pub(crate) fn run(mut self) -> Driven {
        let result = self.steps();
        Driven { result, states: self.states }
    }

    fn steps(&mut self) -> Result<FixResult, AgentError> {
        self.happen(TaskEvent::Started)?;
        loop {
            let command = self.machine.command();
            match self.perform(command) {
                Ok(done) => {
                    self.happen(done.event)?;
                    match (self.machine.command() == TaskCommand::Stop, done.result) {
                        (true, Some(result)) => return Ok(*result),
                        (false, None) => {}
                        _ => return Err(defect(format!("no result after {:?}", self.machine))),
                    }
                }
                Err(error) => {
                    self.happen(event_of(&error))?;
                    if !self.machine.waits {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Moves the machine, unless the guard blocks the event.
    fn happen(&mut self, event: TaskEvent) -> Result<(), AgentError> {
        let blocked = self.guard.offer(event).err();
        let event = if blocked.is_some() { TaskEvent::Blocked } else { event };
        self.machine = self.machine.after(event).map_err(defect)?;
        if self.states.last() != Some(&self.machine.step) {
            self.states.push(self.machine.step);
        }
        (self.task.on)(&FixEvent::Moved { event, machine: self.machine });
        blocked.map_or(Ok(()), |reason| Err(defect(reason)))
    }

    fn perform(&mut self, command: TaskCommand) -> Result<Done, AgentError> {
        match (command, &mut self.job) {
            (TaskCommand::CheckTree, _) => self.check_tree(),
            (TaskCommand::Refine, _) => Ok(TaskEvent::Refined.into()),
            (TaskCommand::Wait { ms }, _) => self.wait(ms),
            (_, Job::Errors(search)) => search.perform(&mut self.task, command),
            (_, Job::Failing(search)) => search.perform(&mut self.task, command),
            (_, Job::Only(candidate)) => candidate.perform(&mut self.task, command),
            (_, Job::Unknown) => Err(not_for(command)),
        }
    }

    fn wait(&mut self, ms: u64) -> Result<Done, AgentError> {
        let mut left = Duration::from_millis(ms);
        while !left.is_zero() && self.task.world.is_live() {
            self.task.ctx.check_cancelled()?;
            let slice = left.min(SLICE);
            std::thread::sleep(slice);
            left -= slice;
        }
        Ok(TaskEvent::Waited.into())
    }
}

fn event_of(error: &AgentError) -> TaskEvent {
    match error.exit_kind() {
        project::ExitKind::Interrupted => TaskEvent::Cancelled,
        _ => TaskEvent::Failed { transient: error.is_transient() },
    }
}
