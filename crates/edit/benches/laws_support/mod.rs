//! Support for the laws, shared by `tests/laws.rs` and `benches/laws.rs`: seeded random texts and
//! changes, and reference implementations that compute the expected result independently.

pub(crate) mod adversary;
pub(crate) mod random;
pub(crate) mod round_trip;
