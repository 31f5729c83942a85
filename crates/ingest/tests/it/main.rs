//! All integration tests of the crate that touch a disk, in one binary.

#![allow(clippy::unwrap_used, reason = "a failure ends the test")]

mod asking;
mod damage;
mod edits;
mod filling;
mod hydrating;
mod incremental;
mod killing;
mod kills;
mod kit;
mod library;
mod live;
mod map;
mod torn;
mod trees;
mod watching;
