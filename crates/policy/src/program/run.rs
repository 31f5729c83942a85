//! [`Run`]: a running program.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Event, Program, Thread, ThreadPosition};

/// Which of the enabled requests happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// That of the lowest priority number, as programs run.
    #[default]
    Priority,
    /// Any: for verifying that nothing depends on priorities.
    Any,
}

/// A thread that blocks an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Blocker {
    /// Its name.
    pub thread: String,
    /// Its reason; empty if it has none.
    pub because: String,
}

/// What became of an event from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offered {
    /// It happened.
    Selected,
    /// It did not, and is forgotten. Never empty.
    Blocked(Vec<Blocker>),
}

/// A request and what blocks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Requested {
    /// The thread.
    pub thread: String,
    /// The event.
    pub event: Event,
    /// What blocks it; empty: it is enabled.
    pub blocked_by: Vec<Blocker>,
}

/// A program before a selection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProgramSnapshot {
    /// Number of events that happened before.
    pub events: u64,
    /// All requests, in order of priority.
    pub requested: Vec<Requested>,
    /// The position of each thread, in order of priority.
    pub positions: Vec<ThreadPosition>,
}

/// Why a run ends before it is idle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// More events happened than allowed.
    #[error("more than {budget} events without an end; the last one was `{last}`")]
    Budget {
        /// Events allowed.
        budget: u64,
        /// The last one.
        last: Event,
    },
    /// An event of a trace cannot happen where the trace has it.
    #[error("event {at} of the trace, `{event}`, cannot happen there")]
    NotEnabled {
        /// Its index, from 0.
        at: usize,
        /// The event.
        event: Event,
    },
}

/// A running program. Copies run on independently; equal runs behave equally.
#[derive(Clone, Debug)]
pub struct Run {
    program: Arc<Program>,
    positions: Vec<ThreadPosition>,
    events: u64,
}

impl Run {
    /// A program at its beginning. Nothing happens before the first call.
    pub fn new(program: Arc<Program>) -> Self {
        let positions = program.start();
        Self { program, positions, events: 0 }
    }

    /// Offers an event from outside. If no thread blocks it, it happens, and all that follows from
    /// it, at most `budget` events; `see` gets each event after it happened.
    pub fn offer(
        &mut self,
        event: Event,
        budget: u64,
        see: &mut dyn FnMut(&Event),
    ) -> Result<Offered, RunError> {
        let blockers = self.program.blockers(&self.positions, &event);
        if !blockers.is_empty() {
            return Ok(Offered::Blocked(blockers));
        }
        self.happen(&event, see);
        self.run(budget, see)?;
        Ok(Offered::Selected)
    }

    /// Runs until no request is enabled.
    pub fn run(&mut self, budget: u64, see: &mut dyn FnMut(&Event)) -> Result<(), RunError> {
        let program = Arc::clone(&self.program);
        let mut left = budget;
        loop {
            // The iterator borrows the positions: it ends before the event happens.
            let Some(event) = program.enabled(&self.positions).next() else { return Ok(()) };
            if left == 0 {
                return Err(RunError::Budget { budget, last: event.clone() });
            }
            left -= 1;
            self.happen(event, see);
        }
    }

    /// Lets the events of a trace happen, one by one, whether requested or from outside.
    pub fn replay(&mut self, trace: &[Event]) -> Result<(), RunError> {
        let program = Arc::clone(&self.program);
        for (at, event) in trace.iter().enumerate() {
            if !program.blockers(&self.positions, event).is_empty() {
                return Err(RunError::NotEnabled { at, event: event.clone() });
            }
            self.happen(event, &mut |_| {});
        }
        Ok(())
    }

    /// The requests, with what blocks them.
    pub fn snapshot(&self) -> ProgramSnapshot {
        let program = &self.program;
        let requested = program.requests(&self.positions).map(|(thread, event)| Requested {
            thread: thread.name.clone(),
            event: event.clone(),
            blocked_by: program.blockers(&self.positions, event),
        });
        ProgramSnapshot {
            events: self.events,
            requested: requested.collect(),
            positions: self.positions.clone(),
        }
    }

    fn happen(&mut self, event: &Event, see: &mut dyn FnMut(&Event)) {
        self.program.advance(&mut self.positions, event);
        self.events += 1;
        see(event);
    }
}

impl Program {
    /// Where all threads begin.
    pub(super) fn start(&self) -> Vec<ThreadPosition> {
        self.threads.iter().map(Thread::start).collect()
    }

    /// Moves every thread that an event concerns.
    pub(super) fn advance(&self, positions: &mut [ThreadPosition], event: &Event) {
        for (thread, position) in self.threads.iter().zip(positions) {
            *position = thread.after(*position, event);
        }
    }

    /// All requests, in order of priority.
    fn requests<'p, 'q>(
        &'p self,
        positions: &'q [ThreadPosition],
    ) -> impl Iterator<Item = (&'p Thread, &'p Event)> + use<'p, 'q> {
        let threads = self.threads.iter().zip(positions);
        threads.flat_map(|(thread, position)| {
            let sync = thread.sync(*position);
            let requests = sync.map_or(&[][..], |sync| sync.request.as_slice());
            requests.iter().map(move |event| (thread, event))
        })
    }

    /// The requests that nothing blocks, in order of priority.
    pub(super) fn enabled<'p, 'q>(
        &'p self,
        positions: &'q [ThreadPosition],
    ) -> impl Iterator<Item = &'p Event> + use<'p, 'q> {
        let requests = self.requests(positions).map(|(_, event)| event);
        requests.filter(move |event| !self.is_blocked(positions, event))
    }

    /// Whether a thread that requests something could be left there at the end.
    pub(super) fn is_stuck(&self, positions: &[ThreadPosition]) -> bool {
        self.threads.iter().zip(positions).any(|(thread, position)| {
            thread.sync(*position).is_some_and(|sync| !sync.request.is_empty() && !sync.terminal)
        })
    }

    pub(super) fn is_blocked(&self, positions: &[ThreadPosition], event: &Event) -> bool {
        self.threads.iter().zip(positions).any(|(thread, at)| thread.blocks(*at, event))
    }

    fn blockers(&self, positions: &[ThreadPosition], event: &Event) -> Vec<Blocker> {
        let threads = self.threads.iter().zip(positions);
        let blocking = threads.filter(|(thread, at)| thread.blocks(**at, event));
        let blocker = |(thread, _): (&Thread, _)| Blocker {
            thread: thread.name.clone(),
            because: thread.because.clone(),
        };
        blocking.map(blocker).collect()
    }
}
