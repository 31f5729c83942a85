//! Whole runs with real cargo, on tiny crates. One program, because each would link all crates once more.

mod conflicts;
mod failing;
mod fix;
mod forged;
mod goal;
mod guesses;
mod holes;
mod in_progress;
mod left_behind;
mod model;
mod questions;
mod support;
mod traces;
