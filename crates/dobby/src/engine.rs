//! [`Engine`]: the place where tasks run; [`TaskRunner`]: the work of a task.

use serde_json::Value;

/// A task for an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineTask {
    /// Its id, unique in a run.
    pub id: String,
    /// Its content, for the [`TaskRunner`].
    pub payload: Value,
}

/// The work of a task.
pub trait TaskRunner: Send + Sync {
    /// Works on a task. `report` gets what happens meanwhile; the work ends soon after `has_stopped` is true.
    ///
    /// # Errors
    /// [`TaskFault`].
    fn run(
        &self,
        payload: &Value,
        report: &mut dyn FnMut(Value),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, TaskFault>;
}

/// Reason why a task has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskFault {
    /// The worker, its node or the connection was lost: the task may be run again.
    #[error("{0}")]
    Lost(String),
    /// The task cannot be run.
    #[error("{0}")]
    Failed(String),
    /// The caller gave up.
    #[error("cancelled")]
    Stopped,
}

/// A place where tasks run, one for each calling thread.
pub trait Engine: Send + Sync {
    /// Number of tasks that it runs at a time.
    fn seats(&self) -> usize;

    /// Runs a task to its end. `report` gets what happens meanwhile; `has_stopped` is asked often whether the caller
    /// gives up.
    ///
    /// # Errors
    /// [`TaskFault`].
    fn run(
        &self,
        task: &EngineTask,
        report: &mut dyn FnMut(Value),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, TaskFault>;
}
