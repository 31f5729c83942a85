//! Suites, retrieval and the map, on small fixtures.

#![allow(clippy::unwrap_used, reason = "a test ends where its fixture is missing")]

mod fakes;
mod map;
mod retrieval;
mod suites;
