//! The prover against real cargo, on tiny crates.

#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

mod bad_input;
mod evidence;
mod kit;
mod kit_analyzer;
mod preflight;
mod prepared;
mod prove;
mod soundness;
mod sources;

#[test]
fn an_ordinary_user_is_protected_as_well() {
    testkit::as_ordinary_user(&["evidence::", "sources::", "prepared::"], &[]);
}
