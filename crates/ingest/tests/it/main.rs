//! One binary for all tests of the room that touch a disk.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

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
