//! What the laws are tried on, shared by `tests/laws.rs` and `benches/laws.rs`: seeded random
//! texts and changes, and judges that know the right answer without asking the code under test.

pub(crate) mod adversary;
pub(crate) mod random;
pub(crate) mod round_trip;
