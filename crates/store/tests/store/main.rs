//! Integration tests of the store.

#![allow(clippy::unwrap_used, reason = "a failure ends the test")]

mod damage;
mod kills;
mod kit;
mod laws;
mod limits;
mod map;
mod processes;
mod record;
