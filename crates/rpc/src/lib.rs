//! JSON-RPC 2.0 between two programs over their standard streams, one message in a line. Both sides call and
//! answer. Editors (`acp`) and workers (`dobby`) use it.
//!
//! - [`serve`] reads the messages of the other side and gives them to a [`Service`], until the input ends.
//! - [`PendingCall`] is a request that waits for its answer; it is answered once, from any thread.
//! - [`Peer`] calls the other side, and notifies it.
//!
//! Invariants: the id of a request is returned byte for byte as it came; a request is answered exactly once, a
//! dropped [`PendingCall`] by an error; everything the other side sends is bounded ([`RpcLimits`]) and each excess is
//! refused by name; a side that does not read what is written ends the connection instead of blocking it.

mod error;
mod message;
mod peer;
mod reader;
mod serve;
mod writer;

pub use error::{RpcError, RpcFault};
pub use message::RpcId;
pub use peer::Peer;
pub use serve::{PendingCall, Service, serve};

use std::time::Duration;

/// Limits of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpcLimits {
    /// Most bytes of a line.
    pub line: usize,
    /// Most requests of the other side that wait for an answer.
    pub in_flight: usize,
    /// Most messages that wait to be written.
    pub unwritten: usize,
    /// Whether a line may be a batch: an array of messages, whose answers are one array.
    pub batches: bool,
    /// Longest time that the other side may leave written messages unread.
    pub unread: Duration,
}

impl Default for RpcLimits {
    fn default() -> Self {
        let unread = Duration::from_secs(30);
        Self { line: 16 << 20, in_flight: 64, unwritten: 4_096, batches: false, unread }
    }
}
