//! Tests with a checked-in index, with a scripted server, and with rust-analyzer itself if the machine
//! has it.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report of a test")]

mod index;
mod live;
mod scripted;
mod session;
