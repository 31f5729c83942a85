//! [`TaskCell`]: a task while the server runs, with its events in order; [`TaskHandle`]: what an agent does with it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::push::Pushes;
use crate::store::{StoredTask, TaskStore};
use crate::wire::{A2aArtifact, A2aMessage, A2aPart, A2aState};

/// Time between two looks at whether a client is still there.
pub(crate) const LOOK: Duration = Duration::from_millis(250);

/// Most events of a task that are remembered for its streams. A stream that is slower gets the whole task again.
const MOST_EVENTS: usize = 256;

/// Most bytes of them.
const MOST_EVENT_BYTES: usize = 4 << 20;

/// Most messages of a history; of more, the oldest but the first are forgotten.
const MOST_HISTORY: usize = 200;

/// An event of a task.
#[derive(Debug)]
pub(crate) struct TaskEvent {
    /// The event, as streams and webhooks send it.
    pub(crate) value: Value,
    /// Its size in bytes, as JSON.
    size: usize,
    /// Whether nothing happens after it until its client does something.
    pub(crate) is_settled: bool,
}

/// State of the work on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskWork {
    /// Nothing.
    None,
    /// The agent works on it.
    Running,
    /// The agent is past the point of no return.
    Writing,
}

/// A task while the server runs.
pub(crate) struct TaskCell {
    state: Mutex<LiveTask>,
    changed: Condvar,
}

/// The state of a task.
pub(crate) struct LiveTask {
    pub(crate) task: StoredTask,
    pub(crate) work: TaskWork,
    /// Asks the present work to end.
    pub(crate) stop: Arc<AtomicBool>,
    events: VecDeque<Arc<TaskEvent>>,
    /// Size of the events in bytes, as JSON.
    event_bytes: usize,
    /// Size of the task in bytes, as it was last kept.
    pub(crate) bytes: usize,
    /// Number of the event after the last one.
    next: u64,
}

/// The next event of a stream.
pub(crate) enum NextEvent {
    /// The event, and the number of the one after it.
    Event(Arc<TaskEvent>, u64),
    /// The stream is too slow: the task as it is, and the number of the next event.
    Whole(Value, u64),
    /// Nothing happened in time, or nothing will: the task has ended.
    Quiet {
        /// Whether the task has ended.
        is_over: bool,
    },
}

impl TaskCell {
    pub(crate) fn new(task: StoredTask) -> Self {
        let bytes = serde_json::to_vec(&task).map_or(0, |it| it.len());
        let state = LiveTask {
            task,
            work: TaskWork::None,
            stop: Arc::default(),
            events: VecDeque::new(),
            event_bytes: 0,
            bytes,
            next: 0,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, LiveTask> {
        base::lock(&self.state)
    }

    /// Waits for a change, at most this long.
    pub(crate) fn wait<'a>(
        &self,
        state: MutexGuard<'a, LiveTask>,
        time: Duration,
    ) -> MutexGuard<'a, LiveTask> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Wakes all that wait for a change.
    pub(crate) fn wake(&self) {
        self.changed.notify_all();
    }

    /// The task as it is, and the number of the event that follows.
    pub(crate) fn begin_stream(&self) -> (Value, u64) {
        let state = self.lock();
        (json!({ "task": state.task.to_wire(None, true) }), state.next)
    }

    /// The event with this number.
    pub(crate) fn event(&self, number: u64, time: Duration) -> NextEvent {
        let mut state = self.lock();
        if number >= state.next && !state.task.state.is_final() {
            state = self.wait(state, time);
        }
        let first = state.next - state.events.len() as u64;
        if number < first {
            return NextEvent::Whole(json!({ "task": state.task.to_wire(None, true) }), state.next);
        }
        let at = usize::try_from(number - first).unwrap_or(usize::MAX);
        match state.events.get(at) {
            Some(event) => NextEvent::Event(Arc::clone(event), number + 1),
            None => NextEvent::Quiet { is_over: state.task.state.is_final() },
        }
    }
}

impl LiveTask {
    fn publish(&mut self, value: Value, is_settled: bool) -> Arc<TaskEvent> {
        let size = value.to_string().len();
        let event = Arc::new(TaskEvent { value, size, is_settled });
        self.event_bytes += size;
        self.events.push_back(Arc::clone(&event));
        while self.events.len() > MOST_EVENTS || self.event_bytes > MOST_EVENT_BYTES {
            let Some(oldest) = self.events.pop_front() else { break };
            self.event_bytes -= oldest.size;
        }
        self.next += 1;
        event
    }

    /// Adds a message to the history.
    pub(crate) fn remember(&mut self, message: A2aMessage) {
        let history = &mut self.task.history;
        if history.len() == MOST_HISTORY {
            // The first one is what the task is about.
            history.remove(1);
        }
        history.push(message);
    }
}

/// Services that tasks need of their server.
pub(crate) struct TaskPlace {
    pub(crate) ctx: base::Ctx,
    pub(crate) store: TaskStore,
    pub(crate) pushes: Pushes,
}

/// A task, for the agent that works on it. Nothing changes once the task has ended.
pub struct TaskHandle<'a> {
    pub(crate) cell: &'a TaskCell,
    pub(crate) place: &'a TaskPlace,
    pub(crate) id: &'a str,
    pub(crate) stop: Arc<AtomicBool>,
}

impl TaskHandle<'_> {
    /// Its id.
    pub fn id(&self) -> &str {
        self.id
    }

    /// Whether it was canceled, or the server ends.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// The first message of its client.
    pub fn request(&self) -> A2aMessage {
        self.cell.lock().task.history.first().cloned().unwrap_or_default()
    }

    /// Sets its state, with a message for its client.
    pub fn update(&self, state: A2aState, text: Option<&str>) {
        let message = text.map(|text| self.message(text));
        let mut live = self.cell.lock();
        if live.task.state.is_final() {
            return;
        }
        if let Some(before) = live.task.message.take() {
            live.remember(before);
        }
        live.task.message = message;
        live.task.state = state;
        live.task.updated = self.place.ctx.now();
        let event = json!({ "statusUpdate": {
            "taskId": self.id, "contextId": live.task.context_id, "status": live.task.status(),
        } });
        let event = live.publish(event, state.is_settled());
        self.keep(live, Some(&event));
    }

    /// Shows the present work to streams. It is not remembered.
    pub fn progress(&self, text: &str) {
        let message = self.message(text);
        let mut live = self.cell.lock();
        if live.task.state.is_final() {
            return;
        }
        let status = json!({
            "state": A2aState::Working,
            "timestamp": crate::wire::time(self.place.ctx.now()),
            "message": message,
        });
        let event = json!({ "statusUpdate": {
            "taskId": self.id, "contextId": live.task.context_id, "status": status,
        } });
        live.publish(event, false);
        drop(live);
        self.cell.wake();
    }

    /// Adds an artifact, or replaces the one with its id.
    pub fn artifact(&self, artifact: A2aArtifact) {
        self.artifact_part(artifact, false, true);
    }

    /// Adds a part of an artifact: with `appends` to the one with its id.
    pub fn artifact_part(&self, artifact: A2aArtifact, appends: bool, is_last: bool) {
        let mut live = self.cell.lock();
        if live.task.state.is_final() {
            return;
        }
        let artifacts = &mut live.task.artifacts;
        match artifacts.iter_mut().find(|it| it.artifact_id == artifact.artifact_id) {
            Some(old) if appends => old.parts.extend(artifact.parts.iter().cloned()),
            Some(old) => *old = artifact.clone(),
            None => artifacts.push(artifact.clone()),
        }
        live.task.updated = self.place.ctx.now();
        let event = json!({ "artifactUpdate": {
            "taskId": self.id, "contextId": live.task.context_id, "artifact": artifact,
            "append": appends, "lastChunk": is_last,
        } });
        let event = live.publish(event, false);
        self.keep(live, Some(&event));
    }

    /// Passes the point of no return, unless the task was canceled before: from here on it cannot be.
    pub(crate) fn begin_write(&self) -> bool {
        let mut live = self.cell.lock();
        let may = !live.task.state.is_final() && !self.is_stopped();
        if may {
            live.work = TaskWork::Writing;
        }
        may
    }

    /// Ends what [`TaskHandle::begin_write`] began.
    pub(crate) fn end_write(&self) {
        self.cell.lock().work = TaskWork::Running;
    }

    fn message(&self, text: &str) -> A2aMessage {
        let context_id = self.cell.lock().task.context_id.clone();
        A2aMessage {
            message_id: self.place.ctx.fresh_name(),
            context_id: Some(context_id),
            task_id: Some(self.id.to_owned()),
            role: "ROLE_AGENT".to_owned(),
            parts: vec![A2aPart::text(text, "text/plain")],
            ..A2aMessage::default()
        }
    }

    /// Keeps the task on the disk, and sends an event to its webhooks.
    pub(crate) fn keep(&self, mut live: MutexGuard<'_, LiveTask>, event: Option<&TaskEvent>) {
        match self.place.store.put(&self.place.ctx, &live.task) {
            Ok(bytes) => live.bytes = bytes,
            Err(error) => self.place.pushes.note(&error.to_string()),
        }
        if let Some(event) = event {
            for config in &live.task.pushes {
                self.place.pushes.send(config, &event.value);
            }
        }
        drop(live);
        self.cell.wake();
    }
}
