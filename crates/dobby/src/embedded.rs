//! [`EmbeddedEngine`]: runs tasks in the calling threads.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::{Engine, EngineTask, TaskFault, TaskRunner};

/// Engine of this process: a task runs in the thread that calls.
pub struct EmbeddedEngine<R> {
    runner: R,
    seats: usize,
}

impl<R: TaskRunner> EmbeddedEngine<R> {
    /// An engine that runs so many tasks at a time, at least one.
    pub fn new(runner: R, seats: usize) -> Self {
        Self { runner, seats: seats.max(1) }
    }
}

impl<R: TaskRunner> Engine for EmbeddedEngine<R> {
    fn seats(&self) -> usize {
        self.seats
    }

    fn run(
        &self,
        task: &EngineTask,
        report: &mut dyn FnMut(Value),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, TaskFault> {
        run_guarded(&self.runner, &task.payload, report, has_stopped)
    }
}

/// Runs a task; a panic of it is a failure of this task alone.
pub(crate) fn run_guarded(
    runner: &dyn TaskRunner,
    payload: &Value,
    report: &mut dyn FnMut(Value),
    has_stopped: &dyn Fn() -> bool,
) -> Result<Value, TaskFault> {
    let run = AssertUnwindSafe(|| runner.run(payload, report, has_stopped));
    // The report of the panic is on standard error.
    catch_unwind(run)
        .unwrap_or_else(|_| Err(TaskFault::Failed("the task ended by a bug".to_owned())))
}
