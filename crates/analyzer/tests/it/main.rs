//! An index that is checked in, a scripted server, and rust-analyzer itself where the machine has
//! it.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod index;
mod live;
mod scripted;
mod session;
