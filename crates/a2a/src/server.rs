//! [`A2aServer`]: the operations of the protocol on the tasks of an agent. `http.rs` has its two bindings.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};
use serde_json::{Value, json};

use crate::card::{A2aProfile, AgentCards, INPUT};
use crate::error::{A2aError, Refused};
use crate::push::{A2aNote, Pushes};
use crate::queries::add_push;
use crate::store::{StoredTask, TaskStore};
use crate::stream::EventStream;
use crate::task::{LOOK, LiveTask, TaskCell, TaskHandle, TaskPlace, TaskWork};
use crate::wire::{self, A2aMessage, A2aPart, A2aState, PushConfig, SendRequest, TaskRequest};

/// Most bytes of all tasks, as JSON; of more, the oldest that have ended are removed.
const MOST_TASK_BYTES: usize = 256 << 20;

/// Most tasks that are kept; of more, the oldest that have ended are removed.
const MOST_TASKS: usize = 1_000;

/// Most tasks that are worked on, or wait for it, at once.
const MOST_RUNNING: usize = 16;

/// Most bytes of the messages of a task that takes another one.
const MOST_HISTORY_BYTES: usize = 4 << 20;

/// Longest time that an answer waits for its task.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Longest time that tasks may take to end when the server ends.
const ENDING: Duration = Duration::from_secs(2);

/// An agent, as the protocol uses it.
pub trait A2aAgent: Send + Sync + 'static {
    /// Works on a message of a task until the task has ended or waits for its client. It has a thread of its own.
    fn work(&self, task: &TaskHandle<'_>, message: &A2aMessage);

    /// Answer to a message that needs no task.
    fn direct(&self, message: &A2aMessage) -> Option<String> {
        let _ = message;
        None
    }

    /// Called when a task that waits for its client was canceled.
    fn forget(&self, task: &str) {
        let _ = task;
    }
}

/// How a server works.
pub struct A2aOptions {
    /// Clock and chance.
    pub ctx: Ctx,
    /// Folder in which tasks are kept.
    pub folder: PathBuf,
    /// Whether clients need a token.
    pub needs_token: bool,
    /// Whether webhooks may be on this machine.
    pub allows_loopback_push: bool,
    /// Description of the agent.
    pub profile: A2aProfile,
    /// Receives what went wrong.
    pub note: A2aNote,
}

/// The server of an agent.
pub struct A2aServer {
    shared: Arc<Shared>,
}

/// State that the operations share.
pub(crate) struct Shared {
    agent: Box<dyn A2aAgent>,
    pub(crate) place: TaskPlace,
    pub(crate) tasks: Mutex<SortedMap<String, Arc<TaskCell>>>,
    running: Mutex<usize>,
    profile: (A2aProfile, bool),
    cards: OnceLock<AgentCards>,
    is_ending: AtomicBool,
}

/// Result of an operation.
pub(crate) enum Outcome {
    Value(Value),
    Stream(EventStream),
}

impl From<Value> for Outcome {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl A2aServer {
    /// A server with the tasks of its folder.
    ///
    /// # Errors
    /// Threads that cannot be started.
    pub fn start(options: A2aOptions, agent: impl A2aAgent) -> std::io::Result<Self> {
        let A2aOptions { ctx, folder, needs_token, allows_loopback_push, profile, note } = options;
        let pushes = Pushes::start(allows_loopback_push, note)?;
        let place = TaskPlace { ctx, store: TaskStore::new(folder), pushes };
        let shared = Shared {
            agent: Box::new(agent),
            place,
            tasks: Mutex::default(),
            running: Mutex::default(),
            profile: (profile, needs_token),
            cards: OnceLock::new(),
            is_ending: AtomicBool::new(false),
        };
        shared.load();
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Makes the cards for an address of the server, without a path. Requests come after it.
    pub fn reached_at(&self, url: &str) {
        self.shared.cards.get_or_init(|| self.shared.new_cards(url));
    }

    pub(crate) fn cards(&self) -> &AgentCards {
        self.shared.cards.get_or_init(|| self.shared.new_cards(""))
    }

    /// Stops all work, and waits a moment for its end.
    pub fn stop(&self) {
        self.shared.is_ending.store(true, Ordering::SeqCst);
        let cells: Vec<_> = base::lock(&self.shared.tasks).values().cloned().collect();
        for cell in cells {
            cell.lock().stop.store(true, Ordering::SeqCst);
            cell.wake();
        }
        let began = Instant::now();
        while *base::lock(&self.shared.running) > 0 && began.elapsed() < ENDING {
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs an operation by its name.
    pub(crate) fn run(
        &self,
        method: &str,
        params: Value,
        gone: &AtomicBool,
    ) -> Result<Outcome, A2aError> {
        let shared = &self.shared;
        match method {
            "SendMessage" => Shared::send(shared, params, gone).map(Outcome::from),
            "SendStreamingMessage" => Shared::send_streaming(shared, params).map(Outcome::Stream),
            "GetTask" => shared.get(params).map(Outcome::from),
            "ListTasks" => shared.list(params).map(Outcome::from),
            "CancelTask" => shared.cancel(params).map(Outcome::from),
            "SubscribeToTask" => shared.subscribe(params).map(Outcome::Stream),
            "CreateTaskPushNotificationConfig" => shared.create_push(params).map(Outcome::from),
            "GetTaskPushNotificationConfig" => shared.get_push(params).map(Outcome::from),
            "ListTaskPushNotificationConfigs" => shared.list_pushes(params).map(Outcome::from),
            "DeleteTaskPushNotificationConfig" => shared.delete_push(params).map(Outcome::from),
            "GetExtendedAgentCard" => Ok(Outcome::Value(self.cards().extended.clone())),
            other => {
                let name = base::visible_line(other);
                Err(A2aError::new(Refused::Method, format!("there is no method `{name}`")))
            }
        }
    }
}

impl Drop for A2aServer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn new_cards(&self, url: &str) -> AgentCards {
        let (profile, needs_token) = &self.profile;
        AgentCards::new(profile, (url, *needs_token), self.place.ctx.now())
    }

    /// Loads the tasks of the folder. What was worked on has no worker any more.
    fn load(&self) {
        let mut stored = self.place.store.all();
        for old in stored.split_off(stored.len().min(MOST_TASKS)) {
            self.place.store.remove(&old.id);
        }
        let mut tasks = base::lock(&self.tasks);
        for task in stored {
            let (id, is_settled) = (task.id.clone(), task.state.is_settled());
            let cell = Arc::new(TaskCell::new(task));
            if !is_settled {
                let text = "the server ended while it worked on the task: send the message again";
                self.handle(&cell, &id).update(A2aState::Failed, Some(text));
            }
            tasks.insert(id, cell);
        }
    }

    pub(crate) fn handle<'a>(&'a self, cell: &'a TaskCell, id: &'a str) -> TaskHandle<'a> {
        let stop = Arc::clone(&cell.lock().stop);
        TaskHandle { cell, place: &self.place, id, stop }
    }

    pub(crate) fn cell(&self, id: &str) -> Result<Arc<TaskCell>, A2aError> {
        base::lock(&self.tasks).get(id).cloned().ok_or_else(|| {
            let id: String = base::visible_line(id).chars().take(64).collect();
            A2aError::new(Refused::TaskNotFound, format!("there is no task `{id}`"))
        })
    }

    fn send(shared: &Arc<Self>, params: Value, gone: &AtomicBool) -> Result<Value, A2aError> {
        let asked: SendRequest = wire::read(params)?;
        let how = asked.configuration.unwrap_or_default();
        let history = wire::history_length(how.history_length)?;
        asked.message.check(&INPUT)?;
        if let Some(answer) = shared.direct(&asked.message) {
            return Ok(answer);
        }
        let push = how.task_push_notification_config;
        let cell = Self::begin(shared, asked.message, push, |_| ())?.0;
        let began = Instant::now();
        let is_over = |live: &LiveTask| {
            let is_done = live.task.state.is_settled() && live.work == TaskWork::None;
            let is_left = gone.load(Ordering::SeqCst) || shared.is_ending.load(Ordering::SeqCst);
            is_done || is_left || began.elapsed() > PATIENCE
        };
        let mut live = cell.lock();
        while !how.return_immediately.unwrap_or(false) && !is_over(&live) {
            live = cell.wait(live, LOOK);
        }
        Ok(json!({ "task": live.task.to_wire(history, true) }))
    }

    fn send_streaming(shared: &Arc<Self>, params: Value) -> Result<EventStream, A2aError> {
        let asked: SendRequest = wire::read(params)?;
        let how = asked.configuration.unwrap_or_default();
        asked.message.check(&INPUT)?;
        if let Some(answer) = shared.direct(&asked.message) {
            return Ok(EventStream::of_message(answer));
        }
        let push = how.task_push_notification_config;
        // The stream begins before the work does: it has every event.
        let (cell, first) = Self::begin(shared, asked.message, push, |cell| cell.begin_stream())?;
        Ok(EventStream::new(cell, first))
    }

    fn direct(&self, message: &A2aMessage) -> Option<Value> {
        if message.task_id.is_some() {
            return None;
        }
        let text = self.agent.direct(message)?;
        let context_id = message.context_id.clone();
        let answer = A2aMessage {
            message_id: self.place.ctx.fresh_name(),
            context_id: Some(context_id.unwrap_or_else(|| self.place.ctx.fresh_name())),
            role: "ROLE_AGENT".to_owned(),
            parts: vec![A2aPart::text(text, "text/plain")],
            ..A2aMessage::default()
        };
        Some(json!({ "message": answer }))
    }

    /// Begins work on a message; `before` sees the task just before that.
    fn begin<T>(
        shared: &Arc<Self>,
        mut message: A2aMessage,
        push: Option<PushConfig>,
        before: impl FnOnce(&TaskCell) -> T,
    ) -> Result<(Arc<TaskCell>, T), A2aError> {
        if let Some(push) = &push {
            shared.place.pushes.check(push)?;
        }
        let known = message.task_id.as_deref().filter(|it| !it.is_empty());
        let known = known.map(|id| shared.cell(id)).transpose()?;
        let seat = Seat::take(shared)?;
        let cell = match known {
            Some(cell) => cell,
            None => shared.new_task(&message),
        };
        let id = {
            let mut live = cell.lock();
            accepts(&live, &message)?;
            if let Some(push) = push {
                add_push(&mut live, push, &shared.place.ctx)?;
            }
            live.work = TaskWork::Running;
            live.stop = Arc::default();
            message.task_id = Some(live.task.id.clone());
            message.context_id = Some(live.task.context_id.clone());
            live.remember(message.clone());
            live.task.id.clone()
        };
        base::lock(&shared.tasks).insert(id.clone(), Arc::clone(&cell));
        shared.remove_old();
        let seen = before(&cell);
        let (own, of) = (Arc::clone(&cell), Arc::clone(shared));
        let work = move || {
            of.work(&own, &id, &message);
            drop(seat);
        };
        if let Err(error) = thread::Builder::new().name("a2a".to_owned()).spawn(work) {
            cell.lock().work = TaskWork::None;
            return Err(A2aError::new(Refused::Internal, error.to_string()));
        }
        Ok((cell, seen))
    }

    fn new_task(&self, message: &A2aMessage) -> Arc<TaskCell> {
        let ctx = &self.place.ctx;
        let context_id = message.context_id.clone().filter(|it| !it.is_empty());
        Arc::new(TaskCell::new(StoredTask {
            id: ctx.fresh_name(),
            context_id: context_id.unwrap_or_else(|| ctx.fresh_name()),
            state: A2aState::Submitted,
            message: None,
            updated: ctx.now(),
            history: Vec::new(),
            artifacts: Vec::new(),
            pushes: Vec::new(),
        }))
    }

    fn work(&self, cell: &TaskCell, id: &str, message: &A2aMessage) {
        let task = self.handle(cell, id);
        let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.agent.work(&task, message);
        }));
        let is_settled = cell.lock().task.state.is_settled();
        if worked.is_err() {
            // The report of the panic is on standard error.
            task.update(A2aState::Failed, Some("the task failed by a bug of the agent"));
        } else if !is_settled {
            task.update(A2aState::Failed, Some("it ended without a result"));
        }
        cell.lock().work = TaskWork::None;
        cell.wake();
    }

    /// Removes the oldest tasks that have ended, where there are too many.
    fn remove_old(&self) {
        let mut tasks = base::lock(&self.tasks);
        let bytes = |tasks: &SortedMap<String, Arc<TaskCell>>| {
            tasks.values().map(|it| it.lock().bytes).sum::<usize>()
        };
        while tasks.len() > MOST_TASKS || bytes(&tasks) > MOST_TASK_BYTES {
            let ended = tasks.iter().filter_map(|(id, cell)| {
                let live = cell.lock();
                let is_over = live.task.state.is_settled() && live.work == TaskWork::None;
                is_over.then(|| (!live.task.state.is_final(), live.task.updated, id.clone()))
            });
            let Some((_, _, id)) = ended.min() else { return };
            tasks.remove(&id);
            self.place.store.remove(&id);
            self.agent.forget(&id);
        }
    }

    fn cancel(&self, params: Value) -> Result<Value, A2aError> {
        let asked: TaskRequest = wire::read(params)?;
        let cell = self.cell(&asked.id)?;
        {
            let live = cell.lock();
            let why = match (live.task.state.is_final(), live.work) {
                (true, _) => Some("the task has ended"),
                (false, TaskWork::Writing) => Some("the change is being written"),
                _ => None,
            };
            if let Some(why) = why {
                return Err(A2aError::new(Refused::TaskNotCancelable, why));
            }
            live.stop.store(true, Ordering::SeqCst);
        }
        self.handle(&cell, &asked.id).update(A2aState::Canceled, None);
        self.agent.forget(&asked.id);
        let live = cell.lock();
        Ok(live.task.to_wire(None, true))
    }

    fn subscribe(&self, params: Value) -> Result<EventStream, A2aError> {
        let asked: TaskRequest = wire::read(params)?;
        let cell = self.cell(&asked.id)?;
        if cell.lock().task.state.is_final() {
            let why = "the task has ended: nothing follows";
            return Err(A2aError::new(Refused::UnsupportedOperation, why));
        }
        let first = cell.begin_stream();
        Ok(EventStream::new(cell, first))
    }
}

/// Checks that a task takes a message.
fn accepts(live: &LiveTask, message: &A2aMessage) -> Result<(), A2aError> {
    let refuse = |why: &str| Err(A2aError::new(Refused::UnsupportedOperation, why));
    if message.context_id.as_ref().is_some_and(|it| *it != live.task.context_id) {
        return Err(A2aError::params("`message.contextId` is not that of the task"));
    }
    if live.task.state.is_final() {
        return refuse("the task has ended: send the message without `taskId`");
    }
    if live.task.history.iter().map(A2aMessage::size).sum::<usize>() > MOST_HISTORY_BYTES {
        return refuse(
            "the task has more than 4 MiB of messages: send the message without `taskId`",
        );
    }
    if live.work != TaskWork::None {
        return refuse("the task is being worked on: wait for it, or cancel it");
    }
    Ok(())
}

/// The right to work on a task, until it is dropped.
struct Seat(Arc<Shared>);

impl Seat {
    fn take(shared: &Arc<Shared>) -> Result<Self, A2aError> {
        let mut running = base::lock(&shared.running);
        if *running >= MOST_RUNNING || shared.is_ending.load(Ordering::SeqCst) {
            let why = format!("{MOST_RUNNING} tasks are worked on, or the server ends: wait");
            return Err(A2aError::new(Refused::Busy, why));
        }
        *running += 1;
        drop(running);
        Ok(Self(Arc::clone(shared)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        *base::lock(&self.0.running) -= 1;
    }
}
