//! Tests of the crate.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

mod chance;
mod formats;
mod tool_index;
mod typed;
