//! The prover against real cargo, on tiny crates.

mod kit;
mod prove;
