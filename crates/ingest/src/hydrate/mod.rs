//! What rust-analyzer says, laid over what syntax found.
//!
//! ```text
//! scip::Facts ─ said ─▶ per place: items of the map ─ collect ─▶ Hydration (analyzer.bin)
//! Session::definitions ──▲                                            │
//!                        FileLinks of syntax ─────────────────── overlay ─▶ links of the map
//! ```
//!
//! Invariants: the links of a file are a function of its syntax links, of what is kept here, and of
//! which items there are – never of the order in which they came. What was said holds for the very
//! bytes it was said of, and in each item for as long as syntax finds the same there as then: code
//! elsewhere that changes what an item can mean takes the words about it away, and syntax serves.
//! Where rust-analyzer is silent, syntax serves too.

mod collect;
mod interfaces;
mod kept;
mod live;
mod overlay;
mod run;
mod said;
mod signatures;

pub use interfaces::MacroInterface;
pub use kept::{Hydrated, Unknown};
pub use live::Live;
pub use run::{Hydrate, HydrateRun};
pub use signatures::{About, Signatures};

pub(crate) use collect::collect;
pub(crate) use kept::{FILE, Hydration, KeptHydration, Key, read};
pub(crate) use live::Answer;
pub(crate) use overlay::{Overlaid, overlay};
pub(crate) use said::heard;

/// The rule of edges that only rust-analyzer found; rules of the resolver have smaller numbers.
pub const ANALYZER_RULE: u8 = 255;
