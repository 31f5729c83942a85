//! The room from outside: what is written comes back, whatever happens in between.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod codegraph;
mod damage;
mod kills;
mod kit;
mod laws;
mod limits;
mod map;
mod processes;
mod two_hop;
