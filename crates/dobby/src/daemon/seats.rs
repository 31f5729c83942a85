//! [`Seats`]: a bounded number of workers of a kind, and a bounded queue of who waits for one.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use rpc::RpcError;

use super::BUSY;

/// Longest time between two looks at whether who waits gave up.
const LOOK: Duration = Duration::from_millis(50);

/// The seats of one kind.
pub(super) struct Seats {
    /// Name of what they are for, in the plural.
    what: &'static str,
    all: usize,
    /// Most that wait.
    queue: usize,
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct Taken {
    seats: usize,
    waiting: usize,
}

/// A seat, free again when this value is dropped.
pub(super) struct Seat(Arc<Seats>);

impl Seats {
    pub(super) fn new(what: &'static str, all: usize, queue: usize) -> Arc<Self> {
        let (taken, freed) = (Mutex::default(), Condvar::new());
        Arc::new(Self { what, all, queue, taken, freed })
    }

    /// Number that wait.
    pub(super) fn waiting(&self) -> usize {
        base::lock(&self.taken).waiting
    }

    /// Takes a seat; waits for one that becomes free.
    ///
    /// # Errors
    /// Too many wait already, or who waits gave up.
    pub(super) fn take(self: &Arc<Self>, has_stopped: &dyn Fn() -> bool) -> Result<Seat, RpcError> {
        let mut taken = base::lock(&self.taken);
        if taken.seats >= self.all {
            if taken.waiting >= self.queue {
                let message = format!(
                    "{} of {} {} are in use, and {} requests wait for one",
                    taken.seats, self.all, self.what, taken.waiting
                );
                return Err(RpcError::new(BUSY, message));
            }
            taken.waiting += 1;
            while taken.seats >= self.all && !has_stopped() {
                taken = match self.freed.wait_timeout(taken, LOOK) {
                    Ok((taken, _)) => taken,
                    Err(poisoned) => poisoned.into_inner().0,
                };
            }
            taken.waiting -= 1;
            if taken.seats >= self.all {
                return Err(super::stopped());
            }
        }
        taken.seats += 1;
        Ok(Seat(Arc::clone(self)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        base::lock(&self.0.taken).seats -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn who_waits_gets_the_seat_that_becomes_free_and_the_queue_is_bounded() {
        let seats = Seats::new("workers", 1, 1);
        let first = seats.take(&|| false).unwrap();
        let (inner, stop) = (Arc::clone(&seats), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&stop);
        let waiting = thread::spawn(move || inner.take(&|| flag.load(Ordering::SeqCst)).is_ok());
        while seats.waiting() == 0 {
            thread::yield_now();
        }
        let refused = seats.take(&|| false).err().unwrap();
        assert_eq!(refused.message, "1 of 1 workers are in use, and 1 requests wait for one");
        drop(first);
        assert!(waiting.join().unwrap());
        let second = seats.take(&|| false).unwrap();
        assert_eq!(seats.take(&|| true).err().unwrap().message, "cancelled");
        drop(second);
        assert_eq!(seats.waiting(), 0);
    }
}
