//! The Agent2Agent protocol, version 1.0 (<https://a2a-protocol.org>): other agents delegate changes to graftage, and
//! get changes that are verified before anything is written.
//!
//! [`A2aServer`] answers requests over HTTP with the operations of the protocol; it knows no network, `serve` gives it
//! requests that passed the guard. [`A2aAgent`] is the agent behind it: [`ProjectAgent`] works on one project over
//! [`agent::front::JobRunner`]. A message is a line for [`agent::front::parse_command`]. A proven change ends as a
//! question: the client's answer on the same task redeems the nonce of that question, and counts for nothing else.
//!
//! - `wire.rs` has the names and shapes of the protocol; another version of it is another such file.
//! - `http.rs` reads both bindings; `server.rs` and `queries.rs` run operations; `stream.rs` sends events.
//! - `task.rs` is a task with its events in order; `store.rs` keeps it over restarts.
//! - `push.rs` delivers to webhooks, at addresses that `address.rs` allows.
//! - `project.rs` and `review.rs` work on the project.
//!
//! Invariants: each stream of a task has the same events in the same order; a webhook is sent to the address that was
//! checked, never to an internal one; nothing is written without `yes` to the question about it.

mod address;
mod card;
mod error;
mod http;
mod project;
mod push;
mod queries;
mod review;
mod server;
mod store;
mod stream;
mod task;
mod wire;

pub use card::{A2aProfile, A2aSkill};
pub use http::A2aBody;
pub use project::ProjectAgent;
pub use push::A2aNote;
pub use server::{A2aAgent, A2aOptions, A2aServer};
pub use stream::EventStream;
pub use task::TaskHandle;
pub use wire::{A2aArtifact, A2aMessage, A2aPart, A2aState};
