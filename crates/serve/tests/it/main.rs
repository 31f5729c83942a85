//! The server with its real tools, over HTTP: both eras of the protocol, attacks, hostile projects;
//! and the conformance suite of the protocol.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

mod analyzer;
mod attacks;
mod conformance;
mod hostile;
mod sessions;
mod subscriptions;
mod support;
