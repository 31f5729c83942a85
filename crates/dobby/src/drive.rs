//! [`drive`]: runs tasks on an engine.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use base::{Cancelled, Ctx};
use serde_json::Value;

use crate::{Engine, EngineTask, TaskFault};

/// Time between two looks at whether the user stops, or a lost task waits for a seat.
const LOOK: Duration = Duration::from_millis(20);

/// Options of [`drive`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveOptions {
    /// Most attempts at a task: one whose workers are lost so often has failed.
    pub attempts: u32,
}

/// Event of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum DriveEvent {
    /// A task began.
    Began {
        /// Its id.
        id: String,
    },
    /// A task reported this.
    Reported {
        /// Its id.
        id: String,
        /// Report of its runner.
        report: Value,
    },
    /// A task was lost, and is run again.
    Lost {
        /// Its id.
        id: String,
        /// Reason.
        why: String,
    },
    /// A task ended; nothing follows of it.
    Ended {
        /// Its id.
        id: String,
        /// Its result; lost: so often that it is not run again.
        end: Result<Value, TaskFault>,
    },
}

/// Runs tasks, as many at a time as the engine has seats. `on_event` is called by this thread. A task that was lost is
/// run again, after those that wait.
///
/// # Errors
/// [`Cancelled`]: the user stopped; tasks without [`DriveEvent::Ended`] have no result.
pub fn drive(
    ctx: &Ctx,
    engine: &dyn Engine,
    tasks: Vec<EngineTask>,
    options: DriveOptions,
    on_event: &mut dyn FnMut(DriveEvent),
) -> Result<(), Cancelled> {
    let seats = engine.seats().min(tasks.len());
    let run = Run {
        engine,
        options,
        open: AtomicUsize::new(tasks.len()),
        queue: Mutex::new(tasks.into_iter().map(|task| (task, 1)).collect()),
        has_stopped: AtomicBool::new(false),
    };
    let (sender, events) = channel();
    thread::scope(|scope| {
        for _ in 0..seats {
            let (run, sender) = (&run, sender.clone());
            scope.spawn(move || run.seat(&sender));
        }
        drop(sender);
        loop {
            match events.recv_timeout(LOOK) {
                Ok(event) => on_event(event),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if ctx.is_cancelled() {
                run.has_stopped.store(true, Ordering::SeqCst);
            }
        }
    });
    ctx.check_cancelled()
}

struct Run<'a> {
    engine: &'a dyn Engine,
    options: DriveOptions,
    /// Tasks that wait, with the number of the attempt.
    queue: Mutex<VecDeque<(EngineTask, u32)>>,
    /// Tasks that have not ended.
    open: AtomicUsize,
    has_stopped: AtomicBool,
}

impl Run<'_> {
    /// Runs tasks until all have ended.
    fn seat(&self, events: &Sender<DriveEvent>) {
        while self.open.load(Ordering::SeqCst) > 0 && !self.has_stopped.load(Ordering::SeqCst) {
            let next = base::lock(&self.queue).pop_front();
            match next {
                Some((task, attempt)) => self.one(task, attempt, events),
                // Another seat may lose the task that it runs.
                None => thread::sleep(LOOK),
            }
        }
    }

    fn one(&self, task: EngineTask, attempt: u32, events: &Sender<DriveEvent>) {
        let id = task.id.clone();
        // The receiver outlives all seats.
        let send = |event| drop(events.send(event));
        send(DriveEvent::Began { id: id.clone() });
        let mut report = |report| send(DriveEvent::Reported { id: id.clone(), report });
        let has_stopped = || self.has_stopped.load(Ordering::SeqCst);
        let end = match self.engine.run(&task, &mut report, &has_stopped) {
            Err(TaskFault::Stopped) if has_stopped() => return,
            Err(TaskFault::Lost(why)) if attempt < self.options.attempts => {
                send(DriveEvent::Lost { id, why });
                base::lock(&self.queue).push_back((task, attempt + 1));
                return;
            }
            end => end,
        };
        send(DriveEvent::Ended { id, end });
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests;
