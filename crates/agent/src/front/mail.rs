//! [`Mailbox`]: the bounded queue between workers and the thread that owns a front end's state.
//!
//! Each message states its [`Delivery`]: none is lost that cannot be made again. A worker that is faster than
//! the front end waits, or its newer message takes the place of its older one.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a message is delivered where the front end is slower than its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Each message arrives; a full queue makes the sender wait.
    Every,
    /// Parts of one text: joined with the newest message, if that is of the same text.
    Joined,
    /// Only the newest value counts: it takes the place of an older one that still waits.
    Latest,
}

/// A message of a [`Mailbox`].
pub trait Mail: Sized {
    /// How it is delivered.
    fn delivery(&self) -> Delivery;

    /// Takes up a later message of the same kind and source; returns it if they have nothing in common.
    fn absorb(&mut self, later: Self) -> Option<Self>;
}

/// A bounded queue of messages with many senders and one receiver.
#[derive(Debug)]
pub struct Mailbox<M> {
    queue: Mutex<Queue<M>>,
    filled: Condvar,
    space: Condvar,
    capacity: usize,
}

#[derive(Debug)]
struct Queue<M> {
    waiting: VecDeque<M>,
    is_closed: bool,
}

impl<M: Mail> Mailbox<M> {
    /// A queue of at most `capacity` messages.
    pub fn new(capacity: usize) -> Self {
        Self {
            queue: Mutex::new(Queue { waiting: VecDeque::new(), is_closed: false }),
            filled: Condvar::new(),
            space: Condvar::new(),
            capacity: capacity.max(1),
        }
    }

    /// Sends a message. Waits while the queue is full, unless the message can be joined with one in it.
    /// Returns whether the receiver is still there.
    pub fn send(&self, message: M) -> bool {
        let mut queue = base::lock(&self.queue);
        let mut message = message;
        loop {
            if queue.is_closed {
                return false;
            }
            message = match absorbed(&mut queue.waiting, message) {
                None => break,
                Some(message) => message,
            };
            if queue.waiting.len() < self.capacity {
                queue.waiting.push_back(message);
                break;
            }
            queue = self.space.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        drop(queue);
        self.filled.notify_one();
        true
    }

    /// The next message; waits for at most `limit`, or without end. `None`: there is none in time.
    pub fn receive(&self, limit: Option<Duration>) -> Option<M> {
        let until = limit.map(|limit| Instant::now() + limit);
        let mut queue = base::lock(&self.queue);
        loop {
            if let Some(message) = queue.waiting.pop_front() {
                drop(queue);
                self.space.notify_one();
                return Some(message);
            }
            if queue.is_closed {
                return None;
            }
            queue = match until {
                None => self.filled.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return None;
                    }
                    let waited = self.filled.wait_timeout(queue, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Ends the queue: senders stop waiting, and nothing more is delivered.
    pub fn close(&self) {
        let mut queue = base::lock(&self.queue);
        queue.is_closed = true;
        queue.waiting.clear();
        drop(queue);
        self.space.notify_all();
        self.filled.notify_all();
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        base::lock(&self.queue).waiting.len()
    }
}

/// Joins a message with one that waits; returns it where none takes it up.
fn absorbed<M: Mail>(waiting: &mut VecDeque<M>, message: M) -> Option<M> {
    match message.delivery() {
        Delivery::Every => Some(message),
        Delivery::Joined => match waiting.back_mut() {
            Some(last) => last.absorb(message),
            None => Some(message),
        },
        Delivery::Latest => waiting
            .iter_mut()
            .try_fold(message, |message, it| match it.delivery() {
                Delivery::Latest => it.absorb(message).ok_or(()),
                _ => Ok(message),
            })
            .ok(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[derive(Debug, PartialEq)]
    enum Note {
        Key(u32),
        Text(u8, String),
        State(u8, u32),
    }

    impl Mail for Note {
        fn delivery(&self) -> Delivery {
            match self {
                Self::Key(_) => Delivery::Every,
                Self::Text(..) => Delivery::Joined,
                Self::State(..) => Delivery::Latest,
            }
        }

        fn absorb(&mut self, later: Self) -> Option<Self> {
            match (self, later) {
                (Self::Text(of, text), Self::Text(by, more)) if *of == by => text.push_str(&more),
                (Self::State(of, value), Self::State(by, newer)) if *of == by => *value = newer,
                (_, later) => return Some(later),
            }
            None
        }
    }

    fn all(mailbox: &Mailbox<Note>) -> Vec<Note> {
        std::iter::from_fn(|| mailbox.receive(Some(Duration::ZERO))).collect()
    }

    #[test]
    fn texts_are_joined_and_states_replaced() {
        let mailbox = Mailbox::new(8);
        for note in [
            Note::Text(1, "a".into()),
            Note::Text(1, "b".into()),
            Note::State(1, 1),
            Note::Key(7),
            Note::Text(1, "c".into()),
            Note::State(1, 2),
            Note::State(2, 9),
        ] {
            assert!(mailbox.send(note));
        }
        assert_eq!(
            all(&mailbox),
            [
                Note::Text(1, "ab".into()),
                Note::State(1, 2),
                Note::Key(7),
                Note::Text(1, "c".into()),
                Note::State(2, 9),
            ]
        );
    }

    #[test]
    fn a_full_queue_waits_and_loses_nothing() {
        let mailbox = Arc::new(Mailbox::new(4));
        let sender = Arc::clone(&mailbox);
        let sent = thread::spawn(move || (0..1_000).all(|it| sender.send(Note::Key(it))));
        let mut found = Vec::new();
        while found.len() < 1_000 {
            assert!(mailbox.len() <= 4);
            found.extend(mailbox.receive(None));
        }
        assert!(sent.join().expect("the sender"));
        assert!(found.into_iter().eq((0..1_000).map(Note::Key)));
    }

    #[test]
    fn a_closed_queue_frees_its_senders() {
        let mailbox = Arc::new(Mailbox::new(1));
        assert!(mailbox.send(Note::Key(1)));
        let sender = Arc::clone(&mailbox);
        let sent = thread::spawn(move || sender.send(Note::Key(2)));
        thread::sleep(Duration::from_millis(10));
        mailbox.close();
        assert!(!sent.join().expect("the sender"));
        assert_eq!(mailbox.receive(None), None);
    }
}
