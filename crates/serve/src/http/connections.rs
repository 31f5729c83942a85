//! [`Connections`]: how many connections are open, and which one ends to let another in.
//!
//! A stranger on this machine can open connections without end. Connections that have sent no request with
//! the token are therefore few, and the oldest of them is closed for a new one; those of clients
//! are counted apart. So strangers never keep clients out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

/// The open connections of a server.
#[derive(Debug)]
pub(super) struct Connections {
    max_strangers: usize,
    max_clients: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    strangers: VecDeque<(u64, CancellationToken)>,
    clients: usize,
}

/// One open connection; dropped when it is closed.
#[derive(Debug)]
pub(super) struct Connection {
    all: Arc<Connections>,
    id: u64,
    is_client: Mutex<bool>,
    /// Cancelled when the connection has to end.
    pub(super) end: CancellationToken,
}

impl Connections {
    pub(super) fn new(max_strangers: usize, max_clients: usize) -> Self {
        Self { max_strangers: max_strangers.max(1), max_clients, state: Mutex::default() }
    }

    /// A new connection of a stranger; closes the oldest one if there are too many.
    pub(super) fn enter(self: &Arc<Self>, stop: &CancellationToken) -> Connection {
        let end = stop.child_token();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let id = state.next;
        state.next += 1;
        if state.strangers.len() >= self.max_strangers
            && let Some((_, oldest)) = state.strangers.pop_front()
        {
            oldest.cancel();
        }
        state.strangers.push_back((id, end.clone()));
        Connection { all: Arc::clone(self), id, is_client: Mutex::new(false), end }
    }
}

impl Connection {
    /// Records that the connection sent a request with the token. False if there are too many of those.
    pub(super) fn becomes_client(&self) -> bool {
        let mut is_client = self.is_client.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_client {
            return true;
        }
        let mut state = self.all.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.clients >= self.all.max_clients {
            return false;
        }
        state.strangers.retain(|(id, _)| *id != self.id);
        state.clients += 1;
        *is_client = true;
        true
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let is_client = *self.is_client.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.all.state.lock().unwrap_or_else(PoisonError::into_inner);
        if is_client {
            state.clients -= 1;
        } else {
            state.strangers.retain(|(id, _)| *id != self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_stranger_ends_and_no_client() {
        let (all, stop) = (Arc::new(Connections::new(2, 1)), CancellationToken::new());
        let [first, second, third] = [(); 3].map(|()| all.enter(&stop));
        assert!(first.end.is_cancelled() && !second.end.is_cancelled());
        assert!(second.becomes_client() && second.becomes_client());
        assert!(!third.becomes_client(), "one client is the limit");
        let more = [(); 5].map(|()| all.enter(&stop));
        assert!(third.end.is_cancelled() && !second.end.is_cancelled());
        drop(second);
        assert!(more[4].becomes_client());
    }
}
