//! Input and output of `update`: [`TuiMessage`]s change the state, [`TuiEffect`]s are done by the loop.

use agent::front::{Delivery, JobEvent, JobId, JobRequest, Mail};
use base::ProjectPath;

use crate::keys::Key;

/// Milliseconds on a clock that never goes back.
pub(crate) type Millis = u64;

/// Number of a job that is not started yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(pub(crate) u64);

/// An act of the mouse, with column and row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mouse {
    /// A press.
    Press(u16, u16),
    /// The wheel, up.
    WheelUp(u16, u16),
    /// The wheel, down.
    WheelDown(u16, u16),
}

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum TuiMessage {
    /// A key.
    Key(Key),
    /// A text that was pasted.
    Paste(String),
    /// An act of the mouse.
    Mouse(Mouse),
    /// The terminal has another size: columns and rows.
    Resize(u16, u16),
    /// The terminal has the focus, or lost it.
    Focus(bool),
    /// An event of the runner.
    Job(Box<JobEvent>),
    /// The runner took a job.
    Submitted(Ticket, JobId),
    /// The state was drawn.
    Drawn,
    /// A moment that the state waits for has come.
    Due,
    /// A text was edited outside; `None`: it was not.
    Edited(ProjectPath, Option<String>),
    /// A text was copied to here.
    Copied(String),
    /// Peak memory of the process in bytes.
    Memory(u64),
    /// A signal asks to stop.
    Stop,
    /// The process runs again after a stop.
    Resumed,
    /// The terminal cannot be read any more, for this reason.
    Lost(String),
    /// A signal asks to end.
    End,
}

/// Something to do.
#[derive(Clone, Debug)]
pub(crate) enum TuiEffect {
    /// Start a job.
    Submit(Ticket, Box<JobRequest>),
    /// Cancel a job.
    Cancel(JobId),
    /// Copy a text to the clipboard, and into a file.
    Copy(String),
    /// Edit a text outside, at a line from 1.
    Edit(ProjectPath, String, usize),
    /// Take the mouse, or give it back.
    TakeMouse(bool),
    /// Report that a review ended without a decision.
    Close(String),
    /// Draw everything again.
    Redraw,
    /// Suspend to the shell.
    Suspend,
    /// End.
    Quit,
}

impl Mail for TuiMessage {
    fn delivery(&self) -> Delivery {
        match self {
            Self::Job(event) => event.delivery(),
            Self::Resize(..) | Self::Memory(_) => Delivery::Latest,
            Self::Paste(_) => Delivery::Joined,
            _ => Delivery::Every,
        }
    }

    fn absorb(&mut self, later: Self) -> Option<Self> {
        match (self, later) {
            (Self::Job(old), Self::Job(new)) => old.absorb(*new).map(|it| Self::Job(Box::new(it))),
            (Self::Resize(columns, rows), Self::Resize(to_columns, to_rows)) => {
                (*columns, *rows) = (to_columns, to_rows);
                None
            }
            (Self::Memory(old), Self::Memory(new)) => {
                *old = new;
                None
            }
            (Self::Paste(text), Self::Paste(more)) => {
                text.push_str(&more);
                None
            }
            (_, later) => Some(later),
        }
    }
}
