//! [`EventStream`]: the events of a task, as server-sent events.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::task::{LOOK, NextEvent, TaskCell};

/// Number of quiet looks after which the connection is shown to be alive: 15 seconds.
const ALIVE: u32 = 60;

/// The events of a task. Each item is a piece of the body; an empty one is only a look at whether the client is still
/// there.
pub struct EventStream {
    cell: Option<Arc<TaskCell>>,
    first: Option<Value>,
    next: u64,
    quiet: u32,
    /// Id of the request; `None`: events are sent as they are.
    id: Option<Value>,
}

impl EventStream {
    pub(crate) fn new(cell: Arc<TaskCell>, (first, next): (Value, u64)) -> Self {
        Self { cell: Some(cell), first: Some(first), next, quiet: 0, id: None }
    }

    /// A stream of one message.
    pub(crate) fn of_message(message: Value) -> Self {
        Self { cell: None, first: Some(message), next: 0, quiet: 0, id: None }
    }

    /// Sends each event as an answer to the request with this id.
    pub(crate) fn answering(self, id: Value) -> Self {
        Self { id: Some(id), ..self }
    }

    fn piece(&self, value: &Value) -> Vec<u8> {
        let text = match &self.id {
            Some(id) => json!({ "jsonrpc": "2.0", "id": id, "result": value }).to_string(),
            None => value.to_string(),
        };
        // JSON on one line has no line break.
        format!("data: {text}\n\n").into_bytes()
    }
}

impl Iterator for EventStream {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        if let Some(first) = self.first.take() {
            return Some(self.piece(&first));
        }
        let cell = self.cell.clone()?;
        match cell.event(self.next, LOOK) {
            NextEvent::Event(event, next) => {
                (self.next, self.quiet) = (next, 0);
                if event.is_settled {
                    self.cell = None;
                }
                Some(self.piece(&event.value))
            }
            NextEvent::Whole(task, next) => {
                (self.next, self.quiet) = (next, 0);
                Some(self.piece(&task))
            }
            NextEvent::Quiet { is_over: true } => None,
            NextEvent::Quiet { is_over: false } => {
                self.quiet += 1;
                if self.quiet < ALIVE {
                    return Some(Vec::new());
                }
                self.quiet = 0;
                Some(b": alive\n\n".to_vec())
            }
        }
    }
}
