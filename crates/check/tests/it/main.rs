//! The prover against real cargo, on tiny crates.

mod bad_input;
mod kit;
mod prove;
mod soundness;
